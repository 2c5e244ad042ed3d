"""Pages that need no scripts, below `/plain`: everything from a name to the end of a game, by links and forms.

A GET shows, a POST changes something: with the sign-in cookie, and with the token of a form that was shown to the same
sign-in. After it the browser is sent to a page, so that reloading repeats nothing. Addresses and titles name no card.
"""
