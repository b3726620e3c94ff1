"""Notes in Markdown: the GM's on a fight, each player's own, and the one that a campaign's tables share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from django.core.exceptions import PermissionDenied
from django.db.models import Q

from combat.audience.changes import Audience, count_change
from combat.audience.rights import Grant, find_viewer, grant_of
from combat.audience.things import NOTE, find_campaign_id
from combat.audience.viewer import Viewer
from combat.models import Campaign, Encounter, Note, Seat
from combat.rules.core.basics.checking import clean_text
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import Document

from ..writing.encounter_service import read_history, read_state
from ..writing.locking import alone, locked

# What a note is about; or a combatant
ON_ENCOUNTER, ON_SCENE, OWN, SHARED = "encounter", "scene", "own", "shared"
MAX_NOTE = 10_000
CHANGED = "Someone changed this note meanwhile. Compare, then save: what you save replaces it."
NO_CAMPAIGN = "This encounter has no campaign any more, and so no shared notes: copy your text elsewhere."
NO_NOTE = "You have no such note here: reload the page."
WATCHES = "Notes are for the GM and the players."


def clean_note(text: str) -> str:
    """The text of a note; Refused if it is too long."""
    return clean_text(text, MAX_NOTE, "Notes")


def find_notes(encounter: Encounter, viewer: Viewer, seat: Seat | None) -> dict[str, Note]:
    """The notes that a viewer may read, by what they are about; a deleted one has no text."""
    if viewer.is_spectator:
        return {}
    mine = Q(encounter=encounter) if viewer.is_gm else Q(seat=seat.pk if seat else 0)
    of = find_campaign_id(NOTE, encounter, viewer, grant_of(encounter, seat))
    return {note.about: note for note in Note.objects.filter(mine | Q(campaign=of or 0))}


def save_note(encounter_id: int, about: str, text: str, seen: int, *, grant: Grant | None = None) -> Note:
    """Write a note; without a text it is deleted. `seen` is the revision that the writer has read.

    Refused("stale") if it was changed since, or the campaign of a shared one is gone; Refused("unknown") if
    the writer has no such note.
    """
    clean = clean_note(text)
    with locked(encounter_id) as encounter:
        of = _find_place(encounter, find_viewer(encounter, grant), grant, about)
        if "campaign_id" in of:
            return save_shared(of["campaign_id"], clean, seen)
        note, changed = _save(of, about, clean, seen)
        if changed and note.encounter_id:
            _mark(encounter)
    return note


def save_shared(campaign: int, text: str, seen: int) -> Note:
    """Write the note that a campaign's tables share, for someone who may. Refused as by `save_note`."""
    clean = clean_note(text)
    with alone():
        Campaign.objects.select_for_update().get(pk=campaign)  # all its encounters write it
        return _save({"campaign_id": campaign}, SHARED, clean, seen)[0]


def has_room(campaign: int, text: str) -> bool:
    """Whether a text still fits at the end of the note that a campaign's tables share. One query."""
    return len(_add(_read_shared(campaign), text)) <= MAX_NOTE


def has_shared(campaign: int, text: str) -> bool:
    """Whether the note that a campaign's tables share has a text. One query."""
    note = _read_shared(campaign)
    return note is not None and clean_note(text) in note.text


def add_to_shared(campaign: int, text: str) -> None:
    """Put a text at the end of the note that a campaign's tables share. Refused if it does not fit."""
    with alone():
        Campaign.objects.select_for_update().get(pk=campaign)
        note = _read_shared(campaign)
        save_shared(campaign, _add(note, text), note.revision if note else 0)


def _read_shared(campaign: int) -> Note | None:
    return Note.objects.filter(campaign=campaign, about=SHARED).first()


def _add(note: Note | None, text: str) -> str:
    return f"{note.text}\n\n{text}".strip() if note else text.strip()


def _save(of: dict[str, Any], about: str, text: str, seen: int) -> tuple[Note, bool]:
    """The note with this text, and whether that is another one than before."""
    note = Note.objects.filter(**of, about=about).first() or Note(**of, about=about)
    if note.revision != seen:
        raise Refused("stale", CHANGED)
    changed = note.text != text
    if changed:
        note.text, note.revision = text, note.revision + 1
        note.save()
    return note, changed


def _find_place(encounter: Encounter, viewer: Viewer, grant: Grant | None, about: str) -> dict[str, Any]:
    """The fields that say whose a note is; Refused unless the writer may write it."""
    if viewer.is_spectator:
        raise PermissionDenied(WATCHES)
    if about == SHARED:
        campaign = find_campaign_id(NOTE, encounter, viewer, grant)
        if campaign is None:
            raise Refused("stale", NO_CAMPAIGN)
        return {"campaign_id": campaign}
    if about == OWN and viewer.is_seated and grant:
        return {"seat_id": grant.seat}
    if viewer.is_gm and (about in (ON_ENCOUNTER, ON_SCENE) or about in read_state(encounter).combatants):
        return {"encounter_id": encounter.pk}
    raise Refused("unknown", NO_NOTE)


def _mark(encounter: Encounter) -> None:
    """Keep which combatants have a note, and have the GM's pages look again if those are others now."""
    on = encounter.notes.exclude(text="").exclude(about__in=(ON_ENCOUNTER, ON_SCENE))
    noted = list(on.values_list("about", flat=True))
    if noted == encounter.noted:
        return  # a text is saved while it is written
    encounter.noted = noted
    count_change(encounter, Audience())
    encounter.save(update_fields=["noted", "version", "changed"])


# ---------------------------------------------------------------- copies, exports, packs


def write_notes(encounter: Encounter) -> dict[str, str]:
    """The texts of the GM's notes, by what they are about."""
    return dict(encounter.notes.exclude(text="").values_list("about", "text"))


def find_document(encounter: Encounter) -> Document:
    """The whole encounter with the GM's notes, to import elsewhere."""
    document, notes = read_history(encounter), write_notes(encounter)
    return msgspec.structs.replace(document, notes=notes) if notes else document


def check_notes(notes: Mapping[str, str], combatants: Iterable[str]) -> None:
    """Refuse the notes of a file if one is too long, or on someone who is not there."""
    for text in notes.values():
        clean_note(text)
    if not notes.keys() <= {ON_ENCOUNTER, ON_SCENE, *combatants}:
        raise Refused("bad_value", "The file has a note on someone who is not in it: export it again.")


def keep_notes(encounter: Encounter, notes: Mapping[str, str]) -> None:
    """Store the GM's notes of a new encounter: those on it, its scene, and combatants that it has."""
    known = {ON_ENCOUNTER, ON_SCENE, *read_state(encounter).combatants}
    texts = {about: clean_note(text) for about, text in notes.items() if about in known}
    rows = [
        Note(encounter=encounter, about=about, text=text, revision=1) for about, text in texts.items() if text
    ]
    Note.objects.bulk_create(rows)
    if rows:
        _mark(encounter)
