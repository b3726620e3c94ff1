"""Tokens of links: what opens them, and what is stored in their place."""

import base64
import hashlib

from django.utils.crypto import salted_hmac


def derive_token(salt: str, *words: object) -> str:
    """A token of 128 bits for these words; it cannot be made without the secret key of this site."""
    code = salted_hmac(salt, ":".join(map(str, words)), algorithm="sha256").digest()
    return base64.urlsafe_b64encode(code[:16]).rstrip(b"=").decode()


def find_digest(secret: str) -> str:
    """The digest that is stored in place of a token or of a seat's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
