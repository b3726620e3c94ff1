"""The one place to add people: notes are read, shown, and only then added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse

from characters.access import person_of
from characters.exchange.reading import MAX_BYTES, ValidationFailed, read_text
from characters.services import character_service
from combat.play.campaigns.late_joins import join_or_wait
from combat.play.campaigns.npcs import MAX_OFFERED
from combat.play.campaigns.roster import NPC_PREFIX, find_side, list_sides, read_side
from combat.play.notes.glossary import Glossary, Source, make_glossary
from combat.play.notes.lists import write_notes
from combat.play.notes.notes import read_notes
from combat.play.notes.parts import Reading
from combat.play.writing.encounter_service import Seen, Submission
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.decisions import MAX_LENGTH
from combat.rules.core.sheets.foreign import is_json
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import read_upload

from .forms import PeopleForm
from .people_view import PeopleBox, PeopleReader, digest_of, view_riddle, view_stretches

DOES = ("read", "use", "people")
USUAL = ("side", "zone", "hidden", "later")  # what holds where the notes say nothing


def read_usual(said: Mapping[str, str]) -> dict[str, str]:
    """What holds where the notes say nothing, for the address of the page."""
    usual = {**{name: said.get(name, "") for name in USUAL}, "side": read_side(said)}
    return {name: word[:MAX_LENGTH] for name, word in usual.items() if word}


def view_box(request: HttpRequest, context: ViewerContext, said: Mapping[str, str]) -> PeopleBox:
    """The box with the notes in it, read if there are any."""
    box = _make_box(context, said)
    if not box.text.strip():
        return box
    return _read(request, context, box)[0]


def read_box(request: HttpRequest, context: ViewerContext) -> tuple[PeopleBox, int]:
    """The box after reading its notes, or after using a suggestion, and the status of the answer."""
    box = _make_box(context, request.POST)
    if is_json(box.text) or "file" in request.FILES:
        return _read_lists(request, context, box)
    do, _, chosen = request.POST.get("do", "").partition(":")
    if do != "use":
        return _read(request, context, box)
    try:
        riddle, _, suggestion = chosen.partition(":")
        numbers = [int(word) if word.isdecimal() and len(word) < 4 else -1 for word in (riddle, suggestion)]
        reading = _find_reading(_find_person(request), context, box)[1]
        box = replace(box, text=reading.use(numbers[0], numbers[1]))
    except Refused as refused:
        return replace(box, problem=refused.message, is_changed=True), status_of(refused)
    box, status = _read(request, context, box)
    return replace(box, is_changed=True), status


def _read_lists(request: HttpRequest, context: ViewerContext, box: PeopleBox) -> tuple[PeopleBox, int]:
    """The box with the text of a file below its notes, and what they are read as.

    A list of another program, pasted or from the file, becomes notes.
    """
    has_file = "file" in request.FILES
    try:
        texts = [box.text, _read_file(request)] if has_file else [box.text]
        texts = [write_notes(one, context.system) if is_json(one) else one.strip() for one in texts]
    except Refused as refused:
        return replace(box, problem=refused.message, is_changed=has_file), status_of(refused)
    box, status = _read(request, context, replace(box, text="\n".join(filter(None, texts))))
    return replace(box, is_changed=True), status


def _read_file(request: HttpRequest) -> str:
    """The text of the file; Refused if it is too large, empty or not text."""
    try:
        text = read_text(read_upload(request, "file", MAX_BYTES)).replace("\r\n", "\n")
    except ValidationFailed as failed:
        raise Refused("bad_value", f"The file {failed.problems[0].message}.") from failed
    if not text.strip():
        raise Refused("bad_value", "The file is empty: choose another.")
    if "\0" in text:
        raise Refused("bad_value", "The file is not text in UTF-8: save it as “UTF-8”.")
    return text


def add(request: HttpRequest, context: ViewerContext) -> tuple[list[str], str]:
    """Add everyone understood, as `add_read`. Refused if the text is another one than was shown."""
    box = _make_box(context, request.POST)
    if request.POST.get("seen") != digest_of(box.text):
        raise Refused("stale", "The notes have changed: check what was understood, then add.")
    return add_read(_find_person(request), context, box)


def add_read(
    person: User | None, context: ViewerContext, box: PeopleBox, version: Seen = None
) -> tuple[list[str], str]:
    """Add everyone whom the notes of the box name, all or nobody: their names, and the notes that are left.

    `person` may name their own NPCs, too. No names if they wait for an open command. Refused if nobody is
    understood, or for an outdated `version`.
    """
    if "\0" in box.side:
        raise Refused("bad_value", "The side has a character that cannot be saved: type its name again.")
    glossary, reading = _find_reading(person, context, box)
    if not reading.groups:
        raise Refused("bad_value", "Nobody is understood: write a number and a stat block.")
    zones = {zone.id for zone in context.known_state.scene.zones}
    zone = box.zone if box.zone in zones else ""
    joins = [group.make_join(glossary, box.side, zone, box.hidden) for group in reading.groups]
    seen = [version, *[None] * len(joins)]  # the first changes it
    wanted = [
        Submission("join", {**fields, "later": box.later}, version, by=context.name, grant=context.grant)
        for fields, version in zip(joins, seen, strict=False)
    ]
    joined = join_or_wait(context.encounter.pk, wanted)
    return [one.name for one in joined], reading.rest


def _find_person(request: HttpRequest) -> User | None:
    return person_of(request) if request.user.is_authenticated else None


def _make_box(context: ViewerContext, said: Mapping[str, str]) -> PeopleBox:
    """The box as it is sent, without reading its notes."""
    return PeopleBox(
        text=said.get("notes", "").replace("\r\n", "\n"),
        side=read_side(said) or list_sides(context.known_state)[0],
        zone=said.get("zone", ""),
        hidden=bool(said.get("hidden")),
        later=bool(said.get("later")),
    )


def make_form(context: ViewerContext, box: PeopleBox) -> PeopleForm:
    """The form with the notes of the box."""
    address = reverse("prep", args=[context.encounter.pk])
    said = {"notes": box.text, "side": box.side, "zone": box.zone, "hidden": box.hidden, "later": box.later}
    return PeopleForm(context.system, context.known_state, address, **said)


def _read(request: HttpRequest, context: ViewerContext, box: PeopleBox) -> tuple[PeopleBox, int]:
    """The box with what its notes are read as, or why they cannot be read."""
    state = context.known_state
    try:
        glossary, reading = _find_reading(_find_person(request), context, box)
    except Refused as refused:
        return replace(box, problem=refused.message), status_of(refused)
    names = {zone.id: zone.name for zone in state.scene.zones}
    reader = PeopleReader(
        context.system, state, glossary, own_side=find_side(state), usual=box.side, zones=names
    )
    return replace(
        box,
        groups=tuple(reader.view_group(group) for group in reading.groups),
        riddles=tuple(view_riddle(number, riddle) for number, riddle in enumerate(reading.riddles)),
        stretches=tuple(view_stretches(reading)),
        count=reading.count,
    ), 200


def _find_reading(person: User | None, context: ViewerContext, box: PeopleBox) -> tuple[Glossary, Reading]:
    """The names that notes can use here, and what the notes of the box are read as.

    People with the name of a side join that, unless another side than the usual one is chosen.
    """
    state = context.known_state
    own = _find_own(person, context)
    usual = list_sides(state)[0]
    glossary = make_glossary(context.system, state, find_side(state), npcs=own, enemies=usual)
    if box.side != usual:
        glossary = replace(glossary, there=())
    return glossary, read_notes(box.text, glossary)


def _find_own(person: User | None, context: ViewerContext) -> list[Source]:
    """Someone's own NPCs of this game, with their sheets."""
    if person is None:
        return []
    npcs = character_service.find_npcs(person)
    rows = npcs.filter(system=context.encounter.system, archived=False)
    marked = ((f"{NPC_PREFIX}{npc.pk}", npc) for npc in rows.only("name", "summary", "sheet")[:MAX_OFFERED])
    return [Source(mark, npc.name, npc.summary, sheet=npc.sheet, mark=mark) for mark, npc in marked]
