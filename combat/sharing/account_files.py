"""A file of what an account owns, for its person, or for the host who deletes it without an heir."""

from __future__ import annotations

import hashlib
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.text import slugify

from characters.exchange.batches import write_documents
from characters.gear.models import OwnItem
from characters.models import Character
from combat.models import Campaign, Encounter, Handout, Note, Pack
from combat.play.campaigns.random_tables import find_tables
from combat.play.campaigns.table_notes import find_document
from combat.play.packs.library import read_file
from combat.play.packs.making import write_items, write_keepsakes
from combat.rules.core.engine.document import write_document

MAX_SLUG = 40


def write_things(person: User, target: IO[bytes]) -> None:
    """Write a zip of all that someone made or wrote here.

    Encounters with the pictures of scenes, characters, NPCs and packs can be imported again; so can custom
    items, and the rules, conditions and handouts of campaigns, as packs. Notes and tables are plain text.
    Those who were deleted and can be restored are in it too.
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
        for number, items in enumerate(write_items(person), 1):
            archive.writestr(f"packs/custom-items-{number}.json", items)
        for campaign in Campaign.objects.filter(owner=person).order_by("pk"):
            _write_campaign(campaign, archive)
        for note in _find_notes(person):
            assert note.seat
            name = f"{note.pk}-{slugify(note.seat.encounter.name)[:MAX_SLUG] or 'encounter'}"
            archive.writestr(f"notes/{name}.md", note.text)


def _write_campaign(campaign: Campaign, archive: ZipFile) -> None:
    """Write a campaign's notes and tables as text, and its rules, conditions and handouts as packs."""
    name = f"campaigns/{campaign.pk}-{slugify(campaign.name)[:MAX_SLUG] or 'campaign'}"
    shared = campaign.shared_notes.values_list("text", flat=True)
    tables = [f"# {one.name} ({one.dice})\n\n{one.lines}" for one in find_tables(campaign)]
    texts = {"notes": [campaign.notes], "shared-notes": shared, "tables": tables}
    for kind, text in ((kind, "\n\n".join(filter(None, parts))) for kind, parts in texts.items()):
        if text:
            archive.writestr(f"{name}-{kind}.md", text)
    for number, raw in enumerate(write_keepsakes(campaign), 1):
        archive.writestr(f"{name}-pack-{number}.json", raw)


def _find_notes(person: User) -> QuerySet[Note]:
    """The notes that someone made at tables of others."""
    return Note.objects.filter(seat__user=person).exclude(text="").select_related("seat__encounter")


def mark_things(person: User) -> str:
    """A mark of all that the file holds: another one as soon as something in it has changed."""
    handouts = Handout.objects.filter(campaign__owner=person)
    rows = (
        Encounter.objects.filter(owner=person).order_by("pk").values_list("pk", "version", "name"),
        Note.objects.filter(encounter__owner=person).order_by("pk").values_list("pk", "revision"),
        Character.objects.filter(owner=person).order_by("pk").values_list("pk", "version", "changed_at"),
        Pack.objects.filter(owner=person).order_by("pk").values_list("pk", "digest"),
        OwnItem.objects.filter(owner=person).order_by("pk").values_list("pk", "changed_at"),
        Campaign.objects.filter(owner=person).order_by("pk").values_list("pk", "changed"),
        handouts.order_by("pk").values_list("pk", "title", "text", "digest"),
        Note.objects.filter(campaign__owner=person).order_by("pk").values_list("pk", "revision"),
        _find_notes(person).order_by("pk").values_list("pk", "revision"),
    )
    return hashlib.sha256(repr([list(one) for one in rows]).encode()).hexdigest()[:16]
