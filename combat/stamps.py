"""Stamps: digests of words with the secret key of the site."""

from __future__ import annotations

from django.utils.crypto import salted_hmac

COMMON, OWN = 16, 8  # digits of the stamp of all pages of a kind, and of what a seat's pages add to it


def make_stamp(salt: str, what: str, length: int) -> str:
    """The first `length` hexadecimal digits of the digest of some words; `salt` says what it is for."""
    return salted_hmac(salt, what).hexdigest()[:length]
