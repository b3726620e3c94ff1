"""The file of a pack: one JSON document with name, author, license, version and hash.

The hash is the SHA-256, in hexadecimal, of the same values without `hash`, written as JSON in UTF-8 without
spaces and with sorted names. So a file that was damaged or changed is noticed; it does not say who made it.
"""

from __future__ import annotations

import hashlib
from codecs import BOM_UTF8
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from combat.play.campaigns.random_tables import MAX_TABLES
from combat.rules.core.basics.checking import find_shape_problems, find_text_problems
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.typed import convert
from combat.rules.core.gm.clocks import MAX_CLOCKS
from combat.rules.core.gm.clocks import MAX_NOTE as MAX_CLOCK_NOTE
from combat.rules.core.gm.own_conditions import MAX_NOTE, MAX_OWN
from combat.rules.core.gm.reserves import MAX_RESERVES
from combat.rules.core.space import Scene
from combat.rules.core.state.state import Scalar
from cosmos_site.base.file_kinds import find_kind

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

    @property
    def all_tables(self) -> tuple[PackTable, ...]:
        """Its tables to roll on."""
        return self.tables or ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it."""
        texts = self.handouts or self.all_tables
        return not (self.items or self.npcs or self.rules or self.conditions or texts or self.encounters)


def sum_up(document: Document) -> dict[str, Any]:
    """What the card of a pack shows: how many of each kind, games, description, some of its people."""
    fights = [one for one in document.encounters if one.combatants]
    slugs = [one.system for one in document.encounters] + [one.system for one in document.npcs]
    slugs += [one.system for one in document.items]
    games = dict.fromkeys([*slugs, *document.rules, *document.conditions])
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
