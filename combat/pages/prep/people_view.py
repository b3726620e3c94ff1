"""The one place to add people: the notes as they were read, before anyone joins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse

from characters.access import person_of
from characters.exchange.reading import MAX_BYTES, ValidationFailed, read_text
from characters.services import character_service
from combat.display.combatants.tokens import Look, find_look, find_tone, find_tones
from combat.play.campaigns.npcs import MAX_OFFERED
from combat.play.campaigns.roster import NPC_PREFIX, find_side, join_or_wait, list_sides, read_side
from combat.play.notes.glossary import Glossary, Source, make_glossary
from combat.play.notes.lists import is_remark, open_notes
from combat.play.notes.notes import read_notes
from combat.play.notes.parts import Group, ParseIssue, Reading
from combat.play.writing.encounter_service import Seen, Submission
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.decisions import MAX_LENGTH
from combat.rules.core.sheets.sheets import ME
from combat.rules.core.state.state import Combatant, State
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import read_upload

from .forms import PeopleForm

MAX_PILE = 3  # tokens that are drawn for several
LEFT = "notes"  # in a session: notes that are left to read, by encounter
DOES = ("read", "use", "people")
USUAL = ("side", "zone", "hidden", "later")  # what holds where the notes say nothing


@dataclass(frozen=True)
class GroupView:
    """Equal combatants that the notes name: how many, who, with what, where.

    `source` is the key of the stat block or own NPC that they are made from; empty without one.
    """

    count: int
    title: str
    about: str
    side: str
    tone: str
    zone: str
    hidden: bool
    look: Look
    comes: str = ""
    is_boss: bool = False
    source: str = ""

    @property
    def pile(self) -> range:
        """A number for each token drawn behind the first."""
        return range(min(self.count, MAX_PILE) - 1)


@dataclass(frozen=True)
class IssueView:
    """A part that was not understood, and the buttons that replace it: value and words."""

    words: str
    message: str
    minor: bool
    buttons: tuple[tuple[str, str], ...]
    is_question: bool = False


@dataclass(frozen=True)
class Stretch:
    """A part of the notes as they were typed, and what it was read as; plain without a kind."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class PeopleBox:
    """The box for notes: the text, what holds where the notes say nothing, and what was understood.

    `is_changed` if the text is another one than the box on the page holds.
    """

    text: str = ""
    side: str = ""
    zone: str = ""
    hidden: bool = False
    later: bool = False
    problem: str = ""
    groups: tuple[GroupView, ...] = ()
    issues: tuple[IssueView, ...] = ()
    hints: tuple[IssueView, ...] = ()
    stretches: tuple[Stretch, ...] = ()
    count: int = 0
    is_changed: bool = False

    @property
    def asked(self) -> int:
        """The parts that name people nobody understands, and the questions: the next page asks about them."""
        return len(self.unread) + len(self.questions)

    @property
    def questions(self) -> tuple[IssueView, ...]:
        """What is asked about people and what they have."""
        return tuple(one for one in self.issues if one.is_question)

    @property
    def unread(self) -> tuple[IssueView, ...]:
        """The parts that name people nobody understands."""
        return tuple(one for one in self.issues if not (one.minor or one.is_question))

    @property
    def lists(self) -> list[tuple[str, tuple[IssueView, ...]]]:
        """The questions, then what is not understood or left out; none is empty."""
        left = tuple(one for one in self.issues if not one.is_question)
        parts = [("Questions", self.questions), ("Not understood", left)]
        return [(title, issues) for title, issues in parts if issues]

    @property
    def offers(self) -> bool:
        """Whether a tap answers anything that is asked; else the notes must say it."""
        return any(one.buttons for one in (*self.unread, *self.questions))

    @property
    def waits(self) -> bool:
        """Whether there are people who do not join before they are understood."""
        return any(not issue.minor for issue in self.issues)

    @property
    def open(self) -> str:
        """What is left to do: “2 questions, 1 line not understood”."""
        asked, unread = len(self.questions), len(self.unread)
        parts = [f"{asked} question{'s' if asked != 1 else ''}"] * bool(asked)
        parts += [f"{unread} line{'s' if unread != 1 else ''} not understood"] * bool(unread)
        return ", ".join(parts)

    @property
    def says(self) -> str:
        """What the button adds: by sides, how many of them later, and what is not understood."""
        later = sum(one.count for one in self.groups if one.comes)
        sides = Counter[str]()
        for one in self.groups:
            sides[one.side] += 0 if one.comes else one.count
        now = [f"{count} {side}" if len(+sides) > 1 else str(count) for side, count in (+sides).items()]
        who = ", ".join([*now, *([f"{later} later"] if later else [])])
        return f"Add {who}; {self.open}" if self.open else f"Add {who}"

    @property
    def digest(self) -> str:
        """A mark of the text, so that only what was shown is added."""
        return digest_of(self.text)


def digest_of(text: str) -> str:
    """The mark of notes."""
    return f"{crc32(text.encode()):x}"


@dataclass(frozen=True)
class PeopleReader:
    """Turns what was read into what is shown; `usual` is the side where nothing is said."""

    system: System
    state: State
    glossary: Glossary
    own_side: str
    usual: str
    zones: Mapping[str, str] = field(default_factory=dict)

    def view_group(self, group: Group) -> GroupView:
        """A group with its numbers, as it will join."""
        side = group.side or self.usual
        sheet = group.make_sheet(self.glossary)
        made = self.system.characters.make_combatant(ME, group.title, side, sheet, self.state.options)
        tones = find_tones(self.state)
        tone = tones.get(side) or find_tone(side, self.own_side)
        look = find_look(self.system, made, tone, active=False, down=False)
        zone = group.inside_name or self.zones.get(group.zone, "")
        return GroupView(
            group.count,
            group.title,
            self._describe(group, made),
            side=side,
            tone=tone,
            zone=zone,
            hidden=group.hidden,
            look=look,
            is_boss=group.is_boss,
            source=group.source.key if group.source else "",
            comes=f"comes in round {group.arrives}" if group.arrives else "comes later" * group.later,
        )

    def _describe(self, group: Group, made: Combatant) -> str:
        """Block, items and health of one of them."""
        block = group.source.name if group.source and group.source.name != group.title else ""
        items = ", ".join(dict.fromkeys(item.name for item in made.items))
        health = self.system.characters.health(made)
        number = (
            f"{health.now} of {health.most}" if group.health and health.now < health.most else health.unhurt
        )
        aboard = self.system.actions.aboard
        speed = f"{group.speed} {aboard.speed_unit}" if aboard and group.speed else ""
        return " · ".join(filter(None, (block, items, f"{number} {health.label}", speed)))


def view_issues(reading: Reading) -> list[IssueView]:
    """All that notes are asked about, and then hints, each with a button for each suggestion."""
    return [_view_issue(number, issue) for number, issue in enumerate(reading.offers)]


def _view_issue(number: int, issue: ParseIssue) -> IssueView:
    buttons = tuple((f"{number}:{place}", one.label) for place, one in enumerate(issue.suggestions))
    is_minor = issue.minor or is_remark(issue.words)
    return IssueView(issue.words[:100], issue.message, is_minor, buttons, issue.is_question)


def view_stretches(reading: Reading) -> Iterator[Stretch]:
    """The whole text, cut where it was read as something."""
    at = 0
    for mark in reading.marks:
        begin, end = mark.span
        if begin > at:
            yield Stretch(reading.text[at:begin])
        yield Stretch(reading.text[begin:end], mark.kind)
        at = end
    if at < len(reading.text):
        yield Stretch(reading.text[at:])


# The one place to add people: notes are read, shown, and only then added.


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
    if "file" in request.FILES:
        return _read_with_file(request, context, box)
    do, _, chosen = request.POST.get("do", "").partition(":")
    if do != "use":
        return _read(request, context, box)
    try:
        issue, _, suggestion = chosen.partition(":")
        numbers = [int(word) if word.isdecimal() and len(word) < 4 else -1 for word in (issue, suggestion)]
        reading = _find_reading(_find_person(request), context, box)[1]
        box = replace(box, text=reading.use(numbers[0], numbers[1]))
    except Refused as refused:
        return replace(box, problem=refused.message, is_changed=True), status_of(refused)
    box, status = _read(request, context, box)
    return replace(box, is_changed=True), status


def _read_with_file(request: HttpRequest, context: ViewerContext, box: PeopleBox) -> tuple[PeopleBox, int]:
    """The box with the text of a file below its notes, and what they are read as."""
    try:
        texts = [open_notes(one, context.system).strip() for one in (box.text, _read_file(request))]
    except Refused as refused:
        return replace(box, problem=refused.message, is_changed=True), status_of(refused)
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
    wanted = []
    for fields, version in zip(joins, seen, strict=False):
        later = box.later or fields.get("later", False)
        wanted.append(
            Submission("join", {**fields, "later": later}, version, by=context.name, grant=context.grant)
        )
    joined = join_or_wait(context.encounter.pk, wanted)
    return [one.name for one in joined], reading.rest


def keep_notes(request: HttpRequest, encounter_id: int, text: str) -> None:
    """Keep in the session what is left to read of notes for an encounter; blank text forgets it."""
    kept = {key: one for key, one in request.session.get(LEFT, {}).items() if key != str(encounter_id)}
    request.session[LEFT] = kept | ({str(encounter_id): text} if text else {})


def find_notes(request: HttpRequest, encounter_id: int) -> dict[str, str]:
    """What is left to read of notes for an encounter, as the field that has them."""
    text = request.session.get(LEFT, {}).get(str(encounter_id), "")
    return {"notes": text} if text else {}


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
    return view_reading(context.system, state, box, glossary, reading), 200


def view_reading(
    system: System, state: State, box: PeopleBox, glossary: Glossary, reading: Reading
) -> PeopleBox:
    """The box with what its notes are read as; lists of other programs are notes in it."""
    names = {zone.id: zone.name for zone in state.scene.zones}
    reader = PeopleReader(system, state, glossary, own_side=find_side(state), usual=box.side, zones=names)
    issues = tuple(view_issues(reading))
    return replace(
        box,
        text=reading.text,
        groups=tuple(reader.view_group(group) for group in reading.groups),
        issues=issues[: len(reading.issues)],
        hints=issues[len(reading.issues) :],
        stretches=tuple(view_stretches(reading)),
        count=reading.count,
        is_changed=box.is_changed or reading.text != box.text,
    )


def _find_reading(person: User | None, context: ViewerContext, box: PeopleBox) -> tuple[Glossary, Reading]:
    """The names that notes can use here, and what the notes of the box are read as.

    People with the name of a side join that, unless another side than the usual one is chosen.
    """
    state = context.known_state
    glossary = find_names(person, context.system, state)
    if box.side != list_sides(state)[0]:
        glossary = replace(glossary, there=())
    return glossary, read_notes(box.text, glossary)


def find_names(person: User | None, system: System, state: State) -> Glossary:
    """The names that notes can use at a table, with someone's own NPCs, for every page that reads them."""
    own = _find_own(person, system) if person else []
    return make_glossary(system, state, find_side(state), npcs=own, enemies=list_sides(state)[0])


def _find_own(person: User, system: System) -> list[Source]:
    """Someone's own NPCs of a game, with their sheets."""
    rows = character_service.find_npcs(person).filter(system=system.slug, archived=False)
    marked = ((f"{NPC_PREFIX}{npc.pk}", npc) for npc in rows.only("name", "summary", "sheet")[:MAX_OFFERED])
    return [Source(mark, npc.name, npc.summary, sheet=npc.sheet, mark=mark) for mark, npc in marked]


@dataclass(frozen=True)
class LineReader:
    """Reads single lines of notes, such as those of a table to roll on, with the names of one table."""

    reader: PeopleReader

    def read(self, words: str) -> tuple[tuple[GroupView, ...], list[dict[str, Any]]]:
        """Who a line names, as groups, and the fields with which they would join; none if nobody is."""
        glossary, side = self.reader.glossary, self.reader.usual
        try:
            groups = read_notes(words, glossary).groups
            shown = tuple(self.reader.view_group(group) for group in groups)
            return shown, [group.make_join(glossary, side, "", False) for group in groups]
        except Refused:
            return (), []


def make_line_reader(request: HttpRequest, context: ViewerContext) -> LineReader:
    """What reads lines for an encounter, with the own NPCs of its GM."""
    return _make_line_reader(_find_person(request), context.system, context.known_state)


def make_plain_reader(system: System, person: User) -> LineReader:
    """What reads lines for a game without an encounter, with someone's own NPCs."""
    return _make_line_reader(person, system, system.begin())


def _make_line_reader(person: User | None, system: System, state: State) -> LineReader:
    own, usual = find_side(state), list_sides(state)[0]
    names = find_names(person, system, state)
    return LineReader(PeopleReader(system, state, names, own_side=own, usual=usual))
