"""Signing in to other sites and apps with Tegami: OAuth 2.1, for clients that need not be registered.

The page that asks for consent needs no scripts (service/web/plain/people/consent_page.py).
"""
