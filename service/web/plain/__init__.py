"""Pages without scripts, under `/plain`: everything from a name to the end of a game, with links and forms.

A GET shows something, and a POST changes something: a POST needs the sign-in cookie, and the token of a form that was
shown to the same sign-in. After a POST, the browser is sent to a page, so that reloading repeats nothing. No address or
title names a card.
"""
