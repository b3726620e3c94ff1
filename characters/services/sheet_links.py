"""Read-only links to sheets: anyone who has one reads along, until its owner revokes it."""

from __future__ import annotations

import secrets

from django.db import transaction

from cosmos_site.base.tokens import derive_token, find_digest

from ..models import Character, SheetLink

SALT = "characters.link"


def open_link(character: Character) -> SheetLink:
    """The link of a character, made if there is none that can be shown; two who ask at once get the same."""
    with transaction.atomic():
        known = SheetLink.objects.filter(character=character).first()
        if known and find_token(known):
            return known
        if known:
            known.delete()  # made with another secret key
        nonce = secrets.token_urlsafe(16)
        digest = find_digest(derive_token(SALT, character.pk, nonce))
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
    token = derive_token(SALT, link.character_id, link.nonce)
    return token if find_digest(token) == link.digest else ""


def find_linked(token: str) -> Character | None:
    """The character that a link opens now; none if it was revoked, or the character deleted."""
    links = SheetLink.objects.select_related("character")
    link = links.filter(digest=find_digest(token), character__deleted_at=None).first()
    return link.character if link else None
