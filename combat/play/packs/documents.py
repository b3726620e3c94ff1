"""The file of a pack: one JSON document with name, author, license, version and hash.

The hash is the SHA-256, in hexadecimal, of the same values without `hash`, written as JSON in UTF-8 without
spaces and with sorted names. So a file that was damaged or changed is noticed; it does not say who made it.
"""

from __future__ import annotations

import hashlib
import threading
import time
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from characters.games import find_problems
from characters.gear.item_service import catalogue_of
from characters.services.character_service import clean_name, clean_notes
from combat.play.campaigns.random_tables import MAX_TABLES, read_table
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.checking import clean_text, find_shape_problems, find_text_problems
from combat.rules.core.basics.data import convert
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.engine.engine import Done, LiveDriver, find_action, run
from combat.rules.core.gm.clocks import ALL, GM, MAX_CLOCKS
from combat.rules.core.gm.clocks import MAX_NOTE as MAX_CLOCK_NOTE
from combat.rules.core.gm.own_conditions import MAX_NOTE, MAX_OWN
from combat.rules.core.gm.reserves import CLOCK, MAX_RESERVES
from combat.rules.core.gm.rulings import check_ruling
from combat.rules.core.sheets.catalogue import OWN, find_record_problems
from combat.rules.core.space import Scene, map_of
from combat.rules.core.state.events import CombatantJoined, Fact
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.rulings import Ruling
from combat.rules.core.state.state import Scalar, State
from cosmos_site.base.file_kinds import find_kind
from cosmos_site.base.files import one_at_a_time
from cosmos_site.base.pictures import HANDOUT, SCENE, PictureKind, remake

from ..campaigns.campaigns import clean_title, set_options
from ..campaigns.own_conditions import read_condition
from ..campaigns.rulings import MAX_KEPT
from ..campaigns.table_notes import clean_note

FORMAT, VERSION = "cosmos-table-pack", 1
MAX_BYTES = 12_000_000
MAX_THINGS, MAX_COMBATANTS = 200, 100  # of each kind in a pack, and in an encounter
MAX_PICTURES, MAX_PEOPLE = 20, 200  # in a whole pack
MAX_SAID = 300
MAX_BRIEF, MAX_SHOWN = 200, 3  # letters of the description and people on the card of a pack

Slug = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[a-z0-9_-]+$")]
Title = Annotated[str, Meta(min_length=1, max_length=100)]
Line = Annotated[str, Meta(max_length=100)]
Text = Annotated[str, Meta(max_length=10_000)]

MAX_SAID_ERRORS, MAX_SECONDS = 300, 10.0
BUSY = "Another pack is being read: send yours again in a moment."
NO_RULES: Mapping[str, Any] = {}
AT_WORK = threading.Lock()  # checking or setting up a pack may take a whole processor


class PackItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An item of one's own: a record in its game's schema for that kind."""

    system: Slug
    kind: Annotated[str, Meta(max_length=60)]
    name: Title
    record: dict[str, Any]


class PackNpc(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stat block: an NPC with its sheet (`schema sheet:GAME`)."""

    system: Slug
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    sheet: dict[str, Any]
    kind: Annotated[str, Meta(max_length=60)] = ""
    notes: Text = ""


class PackHandout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in Markdown, a picture, or both."""

    title: Title
    text: Text = ""
    # JPEG, PNG or WebP
    picture: bytes = b""


class PackCondition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A condition of the GM's own: its `sign` is a kind of condition, 0 `turns` last until the GM ends it.

    `changes` are points by number, `effects` what else it does, both by the words of its game.
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    sign: Annotated[str, Meta(max_length=60)] = "ruling"
    changes: dict[str, int] = {}
    effects: tuple[Annotated[str, Meta(max_length=60)], ...] = ()
    turns: int = 0
    note: Annotated[str, Meta(max_length=MAX_NOTE)] = ""
    # Only the GM sees it; left out, all do
    secret: bool | UnsetType = UNSET

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of the command that makes it."""
        return msgspec.structs.asdict(self) | {"secret": bool(self.secret)}


Conditions = Annotated[tuple[PackCondition, ...], Meta(max_length=MAX_OWN)]


class PackTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to roll on for who comes: its dice such as 2d6, and lines such as “2-5 nobody”."""

    name: Title
    dice: Annotated[str, Meta(min_length=1, max_length=20)]
    lines: Text


class PackClock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clock, for everyone or for the GM alone (`secret`); the rest says what it does in the order of turns.

    It acts at the "start" of a round, "at" a `score`, or "after" a combatant: their place in the list, the
    first is 0. The words are those of the action that starts a clock.
    """

    name: Title
    size: int = 6
    filled: int = 0
    each_round: int = 0
    secret: bool = False
    veiled: bool = False
    acts: Annotated[str, Meta(max_length=10)] = ""
    score: int = 0
    after: Annotated[int, Meta(ge=0)] | None = None
    first: int = 1
    every: int = 1
    note: Annotated[str, Meta(max_length=MAX_CLOCK_NOTE)] = ""
    handout: Line = ""
    zone: Annotated[str, Meta(max_length=60)] = ""
    track: Annotated[str, Meta(max_length=60)] = ""
    harm: int = 0
    condition: Annotated[str, Meta(max_length=60)] = ""


class PackCombatant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Someone who stands ready in an encounter; those with the same `group` join and leave together.

    `alias` is the name that players read until the GM reveals who it is; `note` is the GM's, in Markdown.
    """

    name: Title
    side: Annotated[str, Meta(min_length=1, max_length=60)]
    sheet: dict[str, Any]
    x: float
    y: float
    hidden: bool = False
    group: Annotated[str, Meta(max_length=60)] = ""
    alias: Annotated[str, Meta(max_length=60)] = ""
    note: Text = ""


class PackReserve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Those who arrive later, together, by their places in the list of combatants; the first is 0.

    They arrive by "hand", in a "round" (`at_round`), by a "door" (its id in `of`) or by a "clock" (its place
    in the list of clocks), at a zone, an edge (north, east, south, west) or a point in meters.
    """

    combatants: Annotated[tuple[Annotated[int, Meta(ge=0)], ...], Meta(min_length=1)]
    when: Annotated[str, Meta(max_length=10)] = "hand"
    at_round: int = 0
    of: Annotated[str, Meta(max_length=60)] = ""
    zone: Annotated[str, Meta(max_length=60)] = ""
    edge: Annotated[str, Meta(max_length=10)] = ""
    x: float | None = None
    y: float | None = None
    # Left out for those who wait for no clock, so that older releases read the pack
    clock: Annotated[int, Meta(ge=0)] | UnsetType = UNSET


class PackEncounter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A prepared encounter; without combatants it is a scene. Its notes are the GM's, in Markdown."""

    system: Slug
    name: Title
    scene: Scene
    options: dict[str, Scalar] = {}
    combatants: Annotated[tuple[PackCombatant, ...], Meta(max_length=MAX_COMBATANTS)] = ()
    reserves: Annotated[tuple[PackReserve, ...], Meta(max_length=MAX_RESERVES)] = ()
    conditions: Conditions = ()
    note: Text = ""
    scene_note: Text = ""
    # Left out without any, so that older releases read the pack
    clocks: Annotated[tuple[PackClock, ...], Meta(max_length=MAX_CLOCKS)] | UnsetType = UNSET
    # Under the scene, if its map has one: JPEG, PNG or WebP
    picture: bytes = b""


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pack. `rules` are house rules by game and key, `conditions` those of the GM's own by game.

    `hash` is the SHA-256, in hexadecimal, of all values but `hash`, as JSON in UTF-8 without spaces and with
    sorted names.
    """

    format: str
    version: int
    name: Title
    author: Line = ""
    license: Line = ""
    # The version of the pack, such as 1.2
    release: Annotated[str, Meta(max_length=30)] = ""
    about: Annotated[str, Meta(max_length=2000)] = ""
    hash: Annotated[str, Meta(max_length=64)] = ""
    items: Annotated[tuple[PackItem, ...], Meta(max_length=MAX_THINGS)] = ()
    npcs: Annotated[tuple[PackNpc, ...], Meta(max_length=MAX_THINGS)] = ()
    rules: dict[Slug, dict[str, Scalar]] = {}
    conditions: dict[Slug, Conditions] = {}
    handouts: Annotated[tuple[PackHandout, ...], Meta(max_length=MAX_THINGS)] = ()
    encounters: Annotated[tuple[PackEncounter, ...], Meta(max_length=MAX_THINGS)] = ()
    # Left out without any, so that older releases read the pack
    tables: Annotated[tuple[PackTable, ...], Meta(max_length=MAX_TABLES)] | UnsetType = UNSET
    rulings: dict[Slug, Annotated[tuple[Ruling, ...], Meta(max_length=MAX_KEPT)]] | UnsetType = UNSET

    @property
    def all_rulings(self) -> dict[str, tuple[Ruling, ...]]:
        """What was ruled on acts that no button has, by game."""
        return self.rulings or {}

    @property
    def all_tables(self) -> tuple[PackTable, ...]:
        """Its tables to roll on."""
        return self.tables or ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it."""
        texts = self.handouts or self.all_tables or self.all_rulings
        return not (self.items or self.npcs or self.rules or self.conditions or texts or self.encounters)


def sum_up(document: Document) -> dict[str, Any]:
    """What the card of a pack shows: how many of each kind, games, description, some of its people."""
    fights = [one for one in document.encounters if one.combatants]
    slugs = [one.system for one in document.encounters] + [one.system for one in document.npcs]
    slugs += [one.system for one in document.items]
    games = dict.fromkeys([*slugs, *document.rules, *document.conditions, *document.all_rulings])
    people = [*(one.name for one in document.npcs), *(who.name for one in fights for who in one.combatants)]
    return {
        "counts": {
            "npcs": len(document.npcs),
            "items": len(document.items),
            "encounters": len(fights),
            "scenes": len(document.encounters) - len(fights),
            "handouts": len(document.handouts),
            "rules": sum(map(len, document.rules.values())),
            "conditions": sum(map(len, document.conditions.values())),
        },
        "games": [*games],
        "about": document.about[:MAX_BRIEF],
        "people": [*dict.fromkeys(people)][:MAX_SHOWN],
    }


def find_hash(data: dict[str, Any]) -> str:
    """The hash of a pack's plain values."""
    content = {name: value for name, value in data.items() if name != "hash"}
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


def sign(document: Document) -> Document:
    """The pack with its hash."""
    return msgspec.structs.replace(document, hash=find_hash(_write_plain(document)))


def _write_plain(document: Document) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(document))
    return plain


def write_document(document: Document) -> bytes:
    """Readable JSON of a pack, with its hash; Refused if it is too large to be read again."""
    raw = msgspec.json.format(msgspec.json.encode(sign(document)), indent=1)
    if len(raw) > MAX_BYTES:
        raise Refused("bad_value", f"{_say_too_large()} Choose fewer pictures.")
    return raw


def read_document(raw: bytes) -> Document:
    """The pack of a file; Refused with a sentence if it is none, damaged, or too large."""
    if len(raw) > MAX_BYTES:
        raise Refused("bad_value", _say_too_large())
    data = _read_plain(raw)
    problems = [*find_shape_problems(data, Document)][:1] or [*_find_text_problems(data)][:1]
    if problems:
        raise Refused("bad_value", f"This pack cannot be read: {str(problems[0])[:MAX_SAID]}.")
    document = _convert(data)
    if document.is_empty:
        raise Refused("bad_value", "This pack is empty: make it again with something in it.")
    if document.hash != find_hash(data):
        text = "This pack was changed or damaged after it was made: ask for the file again."
        raise Refused("bad_value", text)
    return document


def _say_too_large() -> str:
    return f"The file is too large: a pack has at most {MAX_BYTES // 1_000_000} MB."


def _read_plain(raw: bytes) -> dict[str, Any]:
    """The values of the file; Refused if it is no pack at all, or one of another version."""
    try:
        data = msgspec.json.decode(raw.removeprefix(BOM_UTF8))  # some editors begin a file with it
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        data = None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        works, kind = "choose a file that a pack's page gave you.", find_kind(raw)
        raise Refused("bad_value", kind.refuse("a pack", works) if kind else f"Not a pack: {works}")
    if data.get("version") != VERSION:
        text = f"This pack needs another release of Cosmos Table: packs of version {VERSION} are read here."
        raise Refused("bad_value", text)
    return data


def _find_text_problems(data: dict[str, Any]) -> tuple[Any, ...]:
    """Faults of the texts, without the pictures, which are longer than any text."""
    plain = {**data}
    for name in ("handouts", "encounters"):
        plain[name] = [{k: v for k, v in one.items() if k != "picture"} for one in data.get(name, ())]
    return find_text_problems(plain)


def _convert(data: dict[str, Any]) -> Document:
    try:
        return convert(data, Document)
    except (msgspec.ValidationError, RecursionError) as wrong:
        raise Refused("bad_value", f"This pack cannot be read: {str(wrong)[:MAX_SAID]}.") from None


# Everything in a pack is checked by its own game before anything is stored.


@one_at_a_time(AT_WORK, BUSY)
def check_pack(document: Document) -> None:
    """Refused, naming what is wrong, unless everything in the pack could be used here.

    What is of a game that is not here is not checked, and never used.
    """
    _check_counts(document)
    end = time.thread_time() + MAX_SECONDS
    for item in document.items:
        with _naming("item", item.name, end):
            _check_item(item)
    for npc in document.npcs:
        with _naming("stat block", npc.name, end):
            _check_npc(npc)
    for handout in document.handouts:
        with _naming("handout", handout.title, end):
            _check_handout(handout)
    for slug, rules in document.rules.items():
        with _naming("house rules", slug, end):
            _check_rules(slug, rules)
    _check_kept(document, end)
    for table in document.all_tables:
        with _naming("table", table.name, end):
            read_table(table.name, table.dice, table.lines)
    for encounter in document.encounters:
        with _naming("encounter", encounter.name, end):
            _check_encounter(encounter)


def _check_kept(document: Document, end: float) -> None:
    """Check what a campaign keeps for each game: conditions and rulings of its GM."""
    for slug, conditions in document.conditions.items():
        for one in conditions if is_here(slug) else ():
            with _naming("condition", one.name, end):
                read_condition(find_system(slug), one.fields)
    for slug, rulings in document.all_rulings.items():
        for ruling in rulings if is_here(slug) else ():
            with _naming("ruling", ruling.name, end):
                check_ruling(find_system(slug), ruling)


def _check_counts(document: Document) -> None:
    """Refuse a pack that no table would read, or that would take too long to check or to switch on."""
    pictures = sum(bool(one.picture) for one in document.handouts)
    pictures += sum(bool(one.picture) for one in document.encounters)
    people = sum(len(one.combatants) for one in document.encounters)
    counts = (
        (len(document.items), MAX_THINGS, "items"),
        (len(document.npcs), MAX_THINGS, "stat blocks"),
        (len(document.handouts), MAX_THINGS, "handouts"),
        (len(document.encounters), MAX_THINGS, "encounters"),
        (pictures, MAX_PICTURES, "pictures"),
        (people, MAX_PEOPLE, "combatants"),
    )
    for count, most, what in counts:
        if count > most:
            raise Refused("bad_value", f"A pack has at most {most} {what}, this one has {count}: divide it.")


@contextmanager
def _naming(what: str, name: str, end: float) -> Iterator[None]:
    """Begin a refusal with what it is about; refuse to begin after the end of this thread's time."""
    if time.thread_time() > end:
        raise Refused("bad_value", "This pack takes too long to check: divide it.")
    try:
        yield
    except Refused as refused:
        if refused.code == "busy":
            raise
        said = f"This pack cannot be used: {what} “{name[:60]}”: {refused.message}"
        raise Refused("bad_value", said[:MAX_SAID_ERRORS]) from None
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
        said = f"This pack cannot be used: {what} “{name[:60]}” is not as its game needs it."
        raise Refused("bad_value", said) from None


def is_here(slug: str) -> bool:
    """Whether a game is installed."""
    return slug in SYSTEMS


def _check_item(item: PackItem) -> None:
    if not is_here(item.system):
        return
    catalogue = catalogue_of(find_system(item.system))
    full = {**item.record, "id": OWN, "origin": OWN}
    _refuse(find_record_problems(catalogue, item.kind, full))
    if catalogue.describe(item.kind, full).name != item.name:
        raise Refused("bad_value", "its record has another name.")


def _check_npc(npc: PackNpc) -> None:
    clean_name(npc.name)
    clean_notes(npc.notes)
    if is_here(npc.system):
        _refuse(find_problems(find_system(npc.system), npc.sheet))


def _refuse(problems: Any) -> None:
    if problems:
        raise Refused("bad_value", f"{problems[0]}.")


def _check_handout(handout: PackHandout) -> None:
    clean_title(handout.title)
    if not clean_text(handout.text, 10_000, "The text") and not handout.picture:
        raise Refused("bad_value", "it needs a text or a picture.")
    _check_picture(handout.picture, HANDOUT)


def _check_picture(raw: bytes, kind: PictureKind) -> None:
    if raw:
        remake(raw, kind)


def _check_rules(slug: str, rules: dict[str, Any]) -> None:
    if is_here(slug):
        set_options(State(slug), rules.items())


def _check_encounter(encounter: PackEncounter) -> None:
    """Refused where the game would refuse the encounter."""
    clean_title(encounter.name)
    picture = map_of(encounter.scene).picture
    if bool(picture) != bool(encounter.picture):
        raise Refused("bad_value", "its map and its picture do not belong together.")
    _check_picture(encounter.picture, SCENE)
    for note in (encounter.note, encounter.scene_note, *(one.note for one in encounter.combatants)):
        clean_note(note)
    if is_here(encounter.system):
        for one in encounter.combatants:
            _refuse(find_problems(find_system(encounter.system), one.sheet))
        set_up(encounter)


def set_up(encounter: PackEncounter, rules: Mapping[str, Any] = NO_RULES) -> list[Step]:
    """The steps that prepare the encounter, with the house rules of its campaign.

    Refused where the game would refuse one.
    """
    steps = list[Step]()
    state = find_system(encounter.system).begin()

    def do(name: str, data: dict[str, Any]) -> tuple[Fact, ...]:
        nonlocal state
        command, done = _do(state, encounter.system, name, data)
        number, state = len(steps) + 1, done.state
        steps.append(
            Step(
                number,
                COMMAND,
                name,
                command=command_data(command),
                answers=done.answers,
                facts=done.facts,
                by="pack",
            )
        )
        return done.facts

    for key, value in {**rules, **encounter.options}.items():
        do("set_option", {"key": key, "value": value})
    for condition in encounter.conditions:
        do("define_condition", condition.fields)
    do("set_scene", {"scene": msgspec.to_builtins(encounter.scene)})
    joined: dict[str, str] = {}
    people: list[str] = []
    for one in encounter.combatants:
        facts = do("join", _find_join(one, joined))
        who = next(f.event.combatant.id for f in facts if isinstance(f.event, CombatantJoined))
        joined.setdefault(one.group, who)
        people.append(who)
        do("place", {"target": who, "x": one.x, "y": one.y})
        if one.alias:
            do("alias", {"target": who, "alias": one.alias})
    for clock in encounter.clocks or ():
        do("start_clock", _find_clock(clock, people, state))
    for reserve in encounter.reserves:
        do("hold_back", _find_plan(reserve, people, state))
    return steps


def _find_plan(reserve: PackReserve, people: list[str], state: State) -> dict[str, Any]:
    """The fields of the command that holds people back, with what they wait for as it is called here."""
    plan = msgspec.structs.asdict(reserve)
    place = plan.pop("clock")
    if max(plan.pop("combatants")) >= len(people):
        raise Refused("bad_value", "someone arrives later who is not in its list of combatants.")
    if reserve.when == CLOCK:
        clocks = dict(enumerate(one.id for one in state.all_clocks))
        if place not in clocks:
            raise Refused("bad_value", "someone waits for a clock that is not in its list of clocks.")
        plan["of"] = clocks[place]
    return {**plan, "targets": [people[place] for place in reserve.combatants]}


def _find_clock(clock: PackClock, people: list[str], state: State) -> dict[str, Any]:
    """The fields of the command that starts a clock; a condition of the pack's own has another id here."""
    fields = msgspec.structs.asdict(clock)
    after, secret = fields.pop("after"), fields.pop("secret")
    if after is not None and after >= len(people):
        raise Refused("bad_value", "a clock acts after someone who is not in its list of combatants.")
    own = {one.name: one.id for one in state.all_own_conditions}
    return {
        **fields,
        "shown": GM if secret else ALL,
        "after": "" if after is None else people[after],
        "condition": own.get(clock.condition, clock.condition),
    }


def _find_join(one: PackCombatant, joined: dict[str, str]) -> dict[str, Any]:
    """The fields of the command that adds a combatant; `joined` are the first of each group."""
    return {
        "sheet": one.sheet,
        "name": one.name,
        "side": one.side,
        "hidden": one.hidden,
        "group_of": joined.get(one.group, "") if one.group else "",
    }


def _do(state: State, slug: str, name: str, data: dict[str, Any]) -> tuple[Any, Done]:
    """Run a command that asks for nothing: the command as it was read, and what it did."""
    system = find_system(slug)
    action = find_action(system, name)
    command = read_command(action, data)
    done = run(system, state, action, command=command, driver=LiveDriver())
    if not isinstance(done, Done):
        raise Refused("bad_value", "it asks for dice: prepare it without.")
    return command, done
