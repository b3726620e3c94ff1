"""Tags: words that people sort their own things by."""

from __future__ import annotations

import base64
import hashlib

from django.utils.crypto import salted_hmac

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused

MAX_TAGS, MAX_TAG = 8, 24


def clean_tags(words: str) -> str:
    """Tags as they are stored, ",city,rain,": small letters, each once, in order."""
    tags = sorted({tidy(tag).casefold() for tag in words.split(",")} - {""})
    if len(tags) > MAX_TAGS or any(len(tag) > MAX_TAG for tag in tags):
        raise Refused("bad_value", f"Up to {MAX_TAGS} tags of {MAX_TAG} characters: shorten them.")
    return f",{','.join(tags)}," if tags else ""


def list_tags(stored: str) -> list[str]:
    """The tags of what is stored."""
    return stored.strip(",").split(",") if stored else []


# Tokens of links: what opens them, and what is stored in their place.


def derive_token(salt: str, *words: object) -> str:
    """A token of 128 bits for these words; it cannot be made without the secret key of this site."""
    code = salted_hmac(salt, ":".join(map(str, words)), algorithm="sha256").digest()
    return base64.urlsafe_b64encode(code[:16]).rstrip(b"=").decode()


def find_digest(secret: str) -> str:
    """The digest that is stored in place of a token or of a seat's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
