"""Read-only links to sheets: anyone who has one reads along, until its owner revokes it."""

from __future__ import annotations

import base64
import hashlib
import secrets

from django.db import transaction
from django.utils.crypto import salted_hmac

from ..models import Character, SheetLink


def open_link(character: Character) -> SheetLink:
    """The link of a character, made if there is none that can be shown; two who ask at once get the same."""
    with transaction.atomic():
        known = SheetLink.objects.filter(character=character).first()
        if known and find_token(known):
            return known
        if known:
            known.delete()  # made with another secret key
        nonce = secrets.token_urlsafe(16)
        digest = find_digest(_make_token(character.pk, nonce))
        defaults = {"nonce": nonce, "digest": digest}
        return SheetLink.objects.get_or_create(character=character, defaults=defaults)[0]


def revoke_link(character: Character) -> bool:
    """End the link of a character at once; whether there was one."""
    return bool(SheetLink.objects.filter(character=character).delete()[0])


def find_link(character: Character) -> SheetLink | None:
    """The link of a character, if it has one."""
    return getattr(character, "sheet_link", None)


def find_token(link: SheetLink) -> str:
    """The token of a link, to show it again; empty if it was made with another secret key."""
    token = _make_token(link.character_id, link.nonce)
    return token if find_digest(token) == link.digest else ""


def find_linked(token: str) -> Character | None:
    """The character that a link opens now; none if it was revoked, or the character deleted."""
    links = SheetLink.objects.select_related("character")
    link = links.filter(digest=find_digest(token), character__deleted_at=None).first()
    return link.character if link else None


def _make_token(character: int, nonce: str) -> str:
    """The token of 128 bits; it cannot be made without the secret key of this site."""
    code = salted_hmac("characters.link", f"{character}:{nonce}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(code[:16]).rstrip(b"=").decode()


def find_digest(token: str) -> str:
    """The digest that is stored in place of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
