"""After a fight: what returns from a combatant to its sheet, item by item and in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from .basics.errors import Refused
from .basics.words import capitalized
from .declaration.system import System
from .gm.decisions import find_beyond
from .gm.figures import CORRECTED
from .gm.kept_figures import find_joined_sheet, find_kept_figures
from .gm.loot import MONEY, can_part, find_money
from .sheets.changes import Change, Path, find_item_ids, put_change, say_figure
from .sheets.kit import carry_home
from .sheets.sheets import read_counters, write_counters
from .state.events import EVERYONE
from .state.state import Combatant, Item, State
from .turn.turns import find_full, write_uses

Held = tuple[str, int]  # a condition of a sheet: its name, empty without one of its own, and its level
COUNTERS = ("counters",)
PLACES = ("held", "worn", "carried")
EMPTY: dict[str, Any] = {"tracks": {}, "conditions": [], "items": [], "uses": {}}  # a sheet may lack them


class Received(msgspec.Struct, frozen=True):
    """What a sheet got from this fight already: the ids of items on sheets, and money.

    The fight is told from others by its `origin`, with which the ids of these items begin. `lost` are items
    that this fight took off the sheet: they come back if they are picked up again. `sheet` is as this fight
    last left it, if it wrote to it.
    """

    origin: str = ""
    items: frozenset[str] = frozenset()
    money: int = 0
    lost: frozenset[str] = frozenset()
    sheet: dict[str, Any] | None = None

    def name_thing(self, item: Item) -> str:
        """The id on the sheet of an item from this fight."""
        return re.sub(r"[^a-z0-9]+", "-", f"{self.origin}-{item.id}".lower())[-20:].lstrip("-")


NOTHING_YET = Received()


class Aftermath(msgspec.Struct, frozen=True):
    """The sheet of `today` and what the fight would change on it.

    `find_left` returns what is left of each number by a sheet with other figures.
    """

    today: dict[str, Any]
    changes: tuple[Change, ...]
    find_left: Callable[[dict[str, Any]], dict[str, int]]

    @property
    def lines(self) -> tuple[str, ...]:
        """All changes in words."""
        return tuple(change.line for change in self.changes)

    @property
    def figures(self) -> Aftermath:
        """Only the figures that were corrected: what a stat block keeps of a fight."""
        found = tuple(change for change in self.changes if change.is_figure)
        return msgspec.structs.replace(self, changes=found)

    @property
    def sheet(self) -> dict[str, Any]:
        """The sheet with all changes."""
        return self.write(change.token for change in self.changes)

    def write(self, chosen: Iterable[str]) -> dict[str, Any]:
        """The sheet with only the chosen changes, by token."""
        wanted, sheet = set(chosen), self.today
        taken = [change for change in self.changes if change.token in wanted]
        for change in taken:
            sheet = put_change(sheet, change)
        numbers = {change.path[1] for change in taken if change.path[0] == "tracks"}
        if not numbers or not any(change.is_figure for change in taken):
            return sheet
        left = {key: now for key, now in self.find_left(sheet).items() if key in numbers}
        return {**sheet, "tracks": {**sheet["tracks"], **left}}


def make_aftermath(
    system: System,
    combatant: Combatant,
    today: dict[str, Any] | None = None,
    ground: Iterable[Item] = (),
    state: State | None = None,
    received: Received = NOTHING_YET,
) -> Aftermath:
    """The changes of current numbers, ammunition and lasting conditions to the sheet as it is `today`.

    The default for `today` is the sheet the combatant joined with. Items bought since then stay; items sold
    do not come back. `ground` are the items that lie about. Daily and session uses return to the sheet by the
    clock of the `state`. What was `received` already is not added twice.
    """
    if system.book.sheets is None:
        raise Refused("not_allowed", f"{system.name} keeps no sheets.")
    known = {**EMPTY, **(find_joined_sheet(system, combatant) if received.sheet is None else received.sheet)}
    sheet = known if today is None else {**EMPTY, **today}
    changes = _find_changes(system, combatant, sheet, ground=ground, state=state, received=received)
    if sheet != known:
        before = {
            change.path: change.before
            for change in _find_changes(
                system, combatant, known, ground=ground, state=state, received=received
            )
        }
        changes = tuple(_mark_late(change, before) for change in changes)
    return Aftermath(sheet, changes, partial(_find_left, system, combatant))


def write_as_left(
    system: System, combatant: Combatant, sheet: dict[str, Any], state: State
) -> dict[str, Any]:
    """A sheet of someone as a fight left them: their numbers and lasting conditions, and what they have now.

    `sheet` is the one that they joined with, with all its things as items.
    """
    found, catalogue = make_aftermath(system, combatant, sheet, state=state), system.book.catalogue
    left = found.write(change.token for change in found.changes if change.path[0] != "items")
    things = list[dict[str, Any]]()
    for item in combatant.items if catalogue else ():
        thing = carry_home(catalogue, item, f"i{len(things) + 1}") if catalogue else None
        if thing and can_part(system, item):
            things.append({**thing, "place": item.place if item.place in PLACES else "carried"})
    return {**left, "items": things}


def _mark_late(change: Change, before: Mapping[Path, str]) -> Change:
    """The change, marked if the sheet had something else `before`: money, which is added, never is."""
    is_late = (len(change.path) > 1 or change.path == COUNTERS) and before.get(change.path) != change.before
    return msgspec.structs.replace(change, is_usual=False, is_late=True) if is_late else change


def _find_changes(
    system: System,
    combatant: Combatant,
    sheet: dict[str, Any],
    ground: Iterable[Item],
    state: State | None,
    received: Received,
) -> tuple[Change, ...]:
    return (
        *_find_tracks(system, combatant, sheet),
        *_find_conditions(system, combatant, sheet["conditions"]),
        *_find_items(system, combatant, sheet["items"], ground=ground, received=received),
        *_find_new_items(system, combatant, sheet["items"], received),
        *_find_money(system, combatant, sheet, received),
        *_find_counters(combatant, sheet),
        *find_kept_figures(system, combatant, sheet, state),
        *(_find_uses(system, state, combatant, sheet["uses"]) if state else ()),
    )


def _find_tracks(system: System, combatant: Combatant, sheet: dict[str, Any]) -> Iterator[Change]:
    """The numbers that changed. A sheet holds only those below their maximum.

    What comes home is the harm: a sheet with another maximum than in the fight has less that much left.
    """
    most, left = _find_most(system, combatant, sheet), _find_left(system, combatant, sheet)
    labels = {track.key: track.label for track in system.characters.tracks}
    before = {**most, **sheet["tracks"]}
    for key, now in left.items():
        if now != before.get(key, now):
            value = now if now != most.get(key) else None
            label = capitalized(labels.get(key, key))
            yield Change(("tracks", key), label, say_figure(before[key]), after=say_figure(now), value=value)


def _find_left(system: System, combatant: Combatant, sheet: dict[str, Any]) -> dict[str, int]:
    """What is left of someone's numbers by a sheet: as in the fight, or its maximum less the harm."""
    full, most = find_full(system, combatant), _find_most(system, combatant, sheet)
    left = dict(combatant.tracks)
    for key in full.keys() & left.keys():
        if most.get(key, full[key]) != full[key]:
            harm = full[key] - left[key] + find_beyond(combatant, key, full[key])
            low = system.characters.find_track(key).low
            left[key] = most[key] - harm if low is None else max(low, most[key] - harm)
    return left


def _find_most(system: System, combatant: Combatant, sheet: dict[str, Any]) -> dict[str, int]:
    """The numbers of someone at their maximum by a sheet: those of the fight, unless it corrected figures."""
    plan = system.book.sheets
    if plan is None or not any(mark.startswith(CORRECTED) for mark in combatant.marks):
        return find_full(system, combatant)
    figures = {**combatant.sheet, **sheet, "items": combatant.sheet.get("items", [])}  # they move no maximum
    plain = {key: value for key, value in figures.items() if key not in plan.worked_out}
    return find_full(system, msgspec.structs.replace(combatant, sheet=plain))


def _find_uses(
    system: System, state: State, combatant: Combatant, uses: Mapping[str, Any]
) -> Iterator[Change]:
    """The daily and session uses that were spent or renewed."""
    now = write_uses(system, state, combatant)
    for use in system.characters.uses:
        before, after = uses.get(use.key), now.get(use.key)
        if use.goes_home and before != after:
            label = f"{use.label}, this {use.span}"
            yield Change(("uses", use.key), label, _say_used(before), after=_say_used(after), value=after)


def _say_used(value: Any) -> str:
    return "not used" if value is None else "used"


def _find_conditions(
    system: System, combatant: Combatant, conditions: Iterable[Mapping[str, Any]]
) -> Iterator[Change]:
    """The conditions that outlast a fight and began, ended or changed level."""
    assert system.book.sheets is not None
    held = [c for c in combatant.conditions if c.kind in system.book.sheets.lasting]
    before = list(conditions)
    for kind in dict.fromkeys([*(c.kind for c in held), *(str(c["kind"]) for c in before)]):
        value = [
            {"kind": kind, "level": c.level, **_note(system, kind, system.draw(c.label))}
            for c in held
            if c.kind == kind
        ]
        was = _read_held(c for c in before if c["kind"] == kind)
        now = _read_held(value)
        if was != now:
            yield _say_conditions(system, kind, was, now=now, value=value)


def _read_held(conditions: Iterable[Mapping[str, Any]]) -> list[Held]:
    """The names and levels of conditions of one kind, in order; those without a name are first."""
    return sorted((str(one.get("note", "")), int(one.get("level", 1))) for one in conditions)


def _say_conditions(
    system: System, kind: str, was: list[Held], now: list[Held], value: list[dict[str, Any]]
) -> Change:
    """The change of all conditions of a kind; each is named if there are several, or if one took the place
    of another."""
    book = system.characters.describe_condition(kind)
    usual = book.label
    names = {name for name, _ in (*was, *now)}
    is_level, is_one = max(level for _, level in (*was, *now)) > 1, len(names) == max(len(was), len(now)) == 1
    label = (*names, usual)[0] or usual if is_one else usual
    before, after = (_say_held(held, "" if is_one else usual, is_level) for held in (was, now))
    is_usual = not (book.passing and len(now) > len(was))
    return Change(("conditions", kind), label, before, after=after, value=value, is_usual=is_usual)


def _say_held(held: list[Held], usual: str, is_level: bool) -> str:
    """The conditions of a kind in words: yes, their levels, or with a `usual` name the name of each."""
    if not held:
        return "no"
    if not usual and not is_level:
        return "yes"
    names = (name or usual if usual else "" for name, _ in held)
    levels = (f"level {level}" if is_level else "" for _, level in held)
    return " and ".join(f"{name} {level}".strip() for name, level in zip(names, levels, strict=True))


def _note(system: System, kind: str, label: str) -> dict[str, str]:
    return {} if label == system.characters.describe_condition(kind).label else {"note": label}


def _find_items(
    system: System,
    combatant: Combatant,
    things: Iterable[dict[str, Any]],
    ground: Iterable[Item],
    received: Received,
) -> Iterator[Change]:
    """What is left in the items of the sheet, and which items are gone."""
    by_id = {item.id: item for item in combatant.items}
    lying = {item.id: item for item in ground}
    numbers = dict.fromkeys(received.items, "") | find_item_ids(combatant)
    numbers |= {received.name_thing(item): item.id for item in _find_foreign(combatant)}
    for thing in things:
        if thing["id"] not in numbers:
            continue
        number = numbers[thing["id"]]
        item = by_id.get(number) or lying.get(number)
        if item:
            yield from _find_use(system, thing, item)
        if number not in by_id:
            after = "left on the ground" if item else "gone"
            yield Change(("items", thing["id"]), _name(system, thing), "yours", after, is_usual=item is None)


def _find_foreign(combatant: Combatant) -> list[Item]:
    """The items that a combatant got in the fight: their ids begin with those of others, or say so."""
    own = re.compile(rf"{re.escape(combatant.id)}-\d+")
    return [item for item in combatant.items if not own.fullmatch(item.id)]


def _find_new_items(
    system: System, combatant: Combatant, things: Iterable[Mapping[str, Any]], received: Received
) -> Iterator[Change]:
    """The items from the fight that the sheet does not have, unless it had them and lost them again."""
    catalogue = system.book.catalogue
    here = {str(thing["id"]) for thing in things} | received.items
    again = {item: thing for thing, item in find_item_ids(combatant).items() if thing in received.lost}
    back = [item for item in combatant.items if item.id in again]
    for item in (*back, *_find_foreign(combatant)) if catalogue else ():
        thing_id = again.get(item.id) or received.name_thing(item)
        if catalogue is None or thing_id in here or not can_part(system, item):
            continue
        thing = carry_home(catalogue, item, thing_id)
        if thing:
            label = f"{item.name} × {item.count}" if item.count > 1 else item.name
            yield Change(("items", thing_id), label, "not yours", after="yours", value=thing)


def _find_money(
    system: System, combatant: Combatant, sheet: Mapping[str, Any], received: Received
) -> Iterator[Change]:
    """What came of shares of money since the sheet last got some of it."""
    money = find_money(system, sheet)
    change = int(combatant.marks.get(MONEY, 0)) - received.money
    if money and change:
        before = int(sheet[money.key])
        after = min(max(before + change, 0), money.most)
        yield Change((money.key,), money.label, f"{before:,}", after=f"{after:,}", value=after)


def _find_counters(combatant: Combatant, sheet: Mapping[str, Any]) -> Iterator[Change]:
    """What is left of the counters that everyone sees; those of the GM alone never come to a sheet."""
    known = write_counters(read_counters(sheet) or ())
    kept = [one for one in known if one.get("gm")]
    before = kept + [one for one in known if not one.get("gm")]
    now = kept + write_counters(one for one in combatant.all_counters if one.to == EVERYONE)
    if now != before:
        yield Change(COUNTERS, "Counters", _say_counters(before), after=_say_counters(now), value=now)


def _say_counters(counters: Iterable[Mapping[str, Any]]) -> str:
    said = (
        f"{one['name']} {one.get('left', most)} of {most}"
        for one in counters
        for most in [one.get("most", 3)]
    )
    return ", ".join(said) or "none"


def _name(system: System, thing: dict[str, Any]) -> str:
    catalogue, entry = system.book.catalogue, str(thing.get("entry", ""))
    known = catalogue.find_entry(str(thing["kind"]), entry) if catalogue and entry else None
    return known.name if known else str(thing.get("record", {}).get("name") or entry or thing["kind"])


def _find_wear(system: System, thing: dict[str, Any], item: Item) -> dict[str, str]:
    """What an item of this kind can suffer or use up, by key, with its label."""
    kind = system.book.catalogue.find_kind(str(thing["kind"])) if system.book.catalogue else None
    return {wear.key: wear.label for wear in kind.find_wear(item.data)} if kind else {}


def _find_use(system: System, thing: dict[str, Any], item: Item) -> Iterator[Change]:
    """The changes of one item: uses, damage, and where it is worn or carried now."""
    path = ("items", thing["id"])
    now = {"loaded": item.loaded, "spares": item.spares, "count": item.count}
    was = {"loaded": thing.get("loaded"), "spares": thing.get("spares", 0), "count": thing.get("count", 1)}
    for key, word in (("loaded", "rounds"), ("spares", "spare magazines"), ("count", "number")):
        if now[key] != was[key] and now[key] is not None:
            yield Change(
                (*path, key),
                f"{item.name}, {word}",
                say_figure(was[key]),
                after=say_figure(now[key]),
                value=now[key],
            )
    place = thing.get("place", "carried")
    if item.place != place and item.place in PLACES:
        yield Change((*path, "place"), item.name, place, after=item.place, value=item.place)
    worn = thing.get("wear", {})
    for key, label in _find_wear(system, thing, item).items():
        before, after = int(worn.get(key, 0)), int(item.marks.get(key) or 0)
        if before != after:
            label = f"{item.name}, {label.lower()}"
            yield Change(
                (*path, "wear", key), label, say_figure(before), after=say_figure(after), value=after or None
            )
