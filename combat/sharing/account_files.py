"""A file of what an account owns, for its person, or for the host who deletes it without an heir."""

from __future__ import annotations

import hashlib
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from django.contrib.auth.models import User
from django.utils.text import slugify

from characters.exchange.batches import write_documents
from characters.models import Character
from combat.models import Encounter, Note, Pack
from combat.play.packs.library import read_file
from combat.play.people.table_notes import find_document
from combat.rules.core.engine.document import write_document

MAX_SLUG = 40


def write_things(person: User, target: IO[bytes]) -> None:
    """Write a zip of their encounters, with the pictures of scenes, their characters, NPCs and packs.

    Each file in it can be imported here again; those who were deleted and can be restored are in it too.
    """
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, npc in (("characters", False), ("npcs", True)):
            mine = Character.objects.filter(owner=person, npc=npc).order_by("pk")
            for number, raw in enumerate(write_documents(mine) if mine else (), 1):
                archive.writestr(f"{name}-{number}.json", raw)
        for encounter in Encounter.objects.filter(owner=person).order_by("pk").iterator(chunk_size=1):
            name = f"encounters/{encounter.pk}-{slugify(encounter.name)[:MAX_SLUG] or 'encounter'}"
            archive.writestr(f"{name}.json", write_document(find_document(encounter)))
            for number, picture in enumerate(encounter.pictures.order_by("pk").iterator(chunk_size=1), 1):
                archive.writestr(f"{name}-picture-{number}.webp", bytes(picture.image))
        for pack in Pack.objects.filter(owner=person).order_by("pk").iterator(chunk_size=1):
            name = f"{pack.pk}-{slugify(pack.name)[:MAX_SLUG] or 'pack'}"
            archive.writestr(f"packs/{name}.json", read_file(pack))


def mark_things(person: User) -> str:
    """A mark of all that the file holds: another one as soon as something in it has changed."""
    rows = (
        Encounter.objects.filter(owner=person).order_by("pk").values_list("pk", "version", "name"),
        Note.objects.filter(encounter__owner=person).order_by("pk").values_list("pk", "revision"),
        Character.objects.filter(owner=person).order_by("pk").values_list("pk", "version", "changed_at"),
        Pack.objects.filter(owner=person).order_by("pk").values_list("pk", "digest"),
    )
    return hashlib.sha256(repr([list(one) for one in rows]).encode()).hexdigest()[:16]
