"""Stamps: digests of words with the secret key of the site, the same as Django's `salted_hmac` makes."""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache

from django.conf import settings


def make_stamp(salt: str, what: str, length: int) -> str:
    """The first `length` hexadecimal digits of the digest of some words; `salt` says what it is for."""
    return hmac.digest(_find_key(salt, settings.SECRET_KEY), what.encode(), "sha1").hex()[:length]


@lru_cache(maxsize=100)  # `salted_hmac` derives the key anew each time
def _find_key(salt: str, secret: str) -> bytes:
    return hashlib.sha1((salt + secret).encode()).digest()  # noqa: S324 - as `salted_hmac`
