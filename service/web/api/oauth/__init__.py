"""Signing in to other sites and apps with Tegami: OAuth 2.1, for clients that nobody registers.

The page that asks for consent is one without scripts (service/web/plain/people/consent_page.py).
"""
