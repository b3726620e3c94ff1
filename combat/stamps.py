"""Stamps: digests of words with the secret key of the site. Each page needs some of them several times."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.utils.crypto import salted_hmac

KEPT = 1000  # stamps
COMMON, OWN = 16, 8  # digits of the stamp of all pages of a kind, and of what a seat's pages add to it


def make_stamp(salt: str, what: str, length: int) -> str:
    """The first `length` hexadecimal digits of the digest of some words; `salt` says what it is for."""
    return _find_digest(salt, what, settings.SECRET_KEY)[:length]


@lru_cache(maxsize=KEPT)
def _find_digest(salt: str, what: str, secret: str) -> str:
    return salted_hmac(salt, what, secret).hexdigest()
