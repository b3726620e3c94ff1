"""A GM's packs: kept, read again, deleted."""

from __future__ import annotations

import zlib

from django.contrib.auth.models import User
from django.db.models import QuerySet

from combat.models import Pack
from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.errors import Refused

from ..campaigns.campaigns import clean_title
from ..writing.locking import alone
from .documents import (
    Document,
    check_pack,
    read_document,
    sign,
    sum_up,
    write_document,
)

MAX_PACKS = 30
IN_USE = "This pack is switched on: switch it off in every campaign first."


def find_packs(owner: User) -> QuerySet[Pack]:
    """Someone's packs, without their files."""
    return Pack.objects.filter(owner=owner).defer("document")


def read_pack(owner: User, raw: bytes) -> Pack:
    """Keep the pack of a file; Refused says what is wrong with it, and nothing is kept."""
    document = read_document(raw)
    check_pack(document)
    return _keep(owner, document, raw)


def keep_pack(owner: User, document: Document) -> Pack:
    """Keep a pack that was made here; Refused if no table could read it."""
    check_pack(document)
    signed = sign(document)
    return _keep(owner, signed, write_document(signed))


def _keep(owner: User, document: Document, raw: bytes) -> Pack:
    """Keep the file of a pack; one that is there already is the same one."""
    digest = document.hash
    with alone():
        found = find_packs(owner).filter(digest=digest).first()
        if found:
            return found
        if find_packs(owner).count() >= MAX_PACKS:
            raise Refused("not_allowed", f"You have {MAX_PACKS} packs, the limit: delete one first.")
        return Pack.objects.create(
            owner=owner,
            name=clean_title(document.name),
            author=tidy(document.author),
            license=tidy(document.license),
            release=tidy(document.release),
            digest=digest,
            document=zlib.compress(raw),
            contents=sum_up(document),
        )


def open_pack(pack: Pack) -> Document:
    """The content of a kept pack."""
    return read_json(read_file(pack), Document)


def read_file(pack: Pack) -> bytes:
    """The file of a kept pack."""
    return zlib.decompress(bytes(pack.document))


def delete_pack(pack: Pack) -> None:
    """Delete a pack; Refused while a campaign uses it."""
    with alone():
        if pack.uses.exists():
            raise Refused("not_allowed", IN_USE)
        pack.delete()
