"""A character as pages show it: every number with its sum, items by place, conditions, history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any
from urllib.parse import urlencode

import msgspec

from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.data import convert
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.basics.typed import say_how
from combat.rules.core.book.conditions import ConditionKind
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.characters import FOR_GOOD, TONES, Health
from combat.rules.core.declaration.parts import PERSON
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.counters import REFILLS
from combat.rules.core.report.fallen_dice import FallenDice, measure_dice
from combat.rules.core.sheets.catalogue import Catalogue, Entry, Kind
from combat.rules.core.sheets.changes import find_item_ids
from combat.rules.core.sheets.sheets import (
    ME,
    Carried,
    Departure,
    DerivedGroup,
    Lasting,
    Offer,
    Option,
    Selection,
    SheetPlan,
    Stat,
    find_departures,
    find_meant,
    find_option,
    is_meant,
    read_counters,
)
from combat.rules.core.state.events import GM_ONLY
from combat.rules.core.state.state import Combatant, Counter, State, replace
from combat.rules.core.wording import Line, pen_of

from ..faces import find_faces, find_looks
from ..games import find_problems, make_combatant, make_state, plan_of
from ..models import Character, CharacterChange, CharacterRoll
from ..story import read_story
from .attacks import AttackView, say_total, view_attacks
from .figures import FigureView, draw_figure
from .rolls import AGAIN

PARTS = {"fight": "Fight", "skills": "Skills", "gear": "Gear", "story": "Story"}  # of a sheet on a phone
PERCENTILE, NO_CHANCE = "1d100", "0%"
PLACES = (("held", "In hand"), ("worn", "Worn"), ("carried", "Stowed"))
AT_A_GLANCE = 5  # skills on a closed drawer
AWAY = "carried"  # the place of what is put away
# Items, skills and attacks in large type; all lines in large type; items and attacks in small type
SPACIOUS, CROWDED, MAX_PRINTED, MAX_ATTACKS, MAX_TRAITS = 24, 27, 42, 12, 10
LETTERS, LETTERS_WHEN_FULL = 1200, 600  # characters of the notes on paper
A_LINE, UNTRAINED_A_LINE, CONDITIONS_A_LINE = 100, 8, 8  # characters, and what takes the room of a line


@dataclass(frozen=True)
class OfferView:
    """A link that opens the form of a check; `total` is added to the dice, or the number to roll under.

    `shown` is the same for people: with its sign, or in percent.
    """

    label: str
    query: str
    total: int | None = None
    shown: str = ""


@dataclass(frozen=True)
class StatView:
    """An attribute or skill with the checks that use it."""

    stat: Stat
    value: int
    offers: tuple[OfferView, ...]
    now: int = 0

    @property
    def is_damaged(self) -> bool:
        """Whether it is below its maximum: some attributes are tracks as well."""
        return self.now < self.value

    @property
    def is_untrained(self) -> bool:
        """Whether it has the value of a blank sheet."""
        return self.value == self.stat.usual

    @property
    def best(self) -> OfferView | None:
        """The check that adds most to the dice."""
        return max(self.offers, key=lambda offer: offer.total or 0, default=None)


@dataclass(frozen=True)
class ChosenView:
    """A selection and the chosen option; `value` is shown if the game does not know the option."""

    selection: Selection
    value: str
    option: Option | None

    @property
    def changes(self) -> bool:
        """Whether any option changes numbers; then an option without changes can say so."""
        return any(option.changes for option in self.selection.options)


@dataclass(frozen=True)
class WearView:
    """A kind of wear on an item, and how much the item has."""

    key: str
    label: str
    most: int
    value: int


@dataclass(frozen=True)
class PlaceChoice:
    """A place where an item can be kept, what its button does, and whether it is there now."""

    key: str
    label: str
    do: str
    is_now: bool


@dataclass(frozen=True)
class ItemView:
    """An item on the sheet; `kg` is what all of it weighs, 0 where the game says no weights."""

    item: Carried
    entry: Entry
    kind: Kind
    capacity: int | None
    wear: tuple[WearView, ...]
    kg: float = 0

    @property
    def choices(self) -> tuple[PlaceChoice, ...]:
        """The places where it can be kept; none for what works from the bag."""
        places = (self.kind.ready, AWAY) if self.kind.ready else ()
        return tuple(
            PlaceChoice(key, label, "stow" if key == AWAY else "equip", is_now=self.item.place == key)
            for key, label in PLACES
            if key in places
        )

    @property
    def can_reload(self) -> bool:
        """Whether a spare magazine fits."""
        return bool(self.capacity and self.item.spares and (self.item.loaded or 0) < self.capacity)


@dataclass(frozen=True)
class LoadPart:
    """What someone carries in one place: its kg, and its part of the bar in percent."""

    label: str
    kg: float
    start: float
    width: float


@dataclass(frozen=True)
class ConditionView:
    """A condition; `number` is its place on the sheet, `look` its icon."""

    number: int
    label: str
    ends: str
    rule: str
    look: str


@dataclass(frozen=True)
class TrackView:
    """A track; `most` is its maximum, if it has one. A track that `rises` counts harm."""

    key: str
    label: str
    now: int
    most: int | None
    rises: bool = False

    @property
    def how(self) -> str:
        """What can be typed for it, before anything is."""
        return say_how(self.rises)


@dataclass(frozen=True)
class CounterView:
    """A counter: how many of it are left, and when it refills, in words."""

    name: str
    left: int
    most: int
    refills: str
    gm: bool

    @property
    def row(self) -> tuple[bool, ...]:
        """Whether each of it is left."""
        return tuple(n < self.left for n in range(self.most))


@dataclass(frozen=True)
class SheetView:
    """Everything the sheet page shows. `problems` lists where the sheet does not fit the rules."""

    character: Character
    system: System
    problems: tuple[str, ...] = ()
    health: Health | None = None
    tone: str = ""
    tracks: tuple[TrackView, ...] = ()
    numbers: tuple[DerivedGroup, ...] = ()
    attacks: tuple[AttackView, ...] = ()
    attributes: tuple[StatView, ...] = ()
    skills: tuple[tuple[str, tuple[StatView, ...]], ...] = ()
    chosen: tuple[ChosenView, ...] = ()
    offers: tuple[OfferView, ...] = ()
    places: tuple[tuple[str, tuple[ItemView, ...]], ...] = ()
    conditions: tuple[ConditionView, ...] = ()
    departures: tuple[Departure, ...] = ()
    money: int | None = None
    figure: FigureView | None = None
    own: tuple[tuple[str, str, int], ...] = ()
    counters: tuple[CounterView, ...] = ()
    profile: str = ""

    @property
    def plan(self) -> SheetPlan:
        """The parts of this game's sheets."""
        return plan_of(self.system)

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The parts of the sheet that a phone shows one at a time: no skills of what has none."""
        empty = () if self.skills or self.offers else ("skills",)
        return tuple((key, label) for key, label in PARTS.items() if key not in empty)

    @property
    def main_track(self) -> TrackView | None:
        """The one number that the health is counted by; None for a body of several."""
        return next((track for track in self.tracks if track.most is not None), None)

    @property
    def other_tracks(self) -> tuple[TrackView, ...]:
        """The tracks beside it."""
        return tuple(track for track in self.tracks if track.most is None)

    @property
    def trained(self) -> tuple[StatView, ...]:
        """The skills that differ from a blank sheet."""
        return tuple(stat for _, stats in self.skills for stat in stats if not stat.is_untrained)

    @property
    def best_skills(self) -> tuple[StatView, ...]:
        """The few skills that add most to the dice, for the drawer that holds them all."""
        rolled = [(one.best.total, one) for one in self.trained if one.best and one.best.total is not None]
        return tuple(one for _, one in sorted(rolled, key=itemgetter(0), reverse=True)[:AT_A_GLANCE])

    @property
    def had(self) -> tuple[str, ...]:
        """The names of what they have, each once with its number, for the drawer that holds it all."""
        count: dict[str, int] = {}
        for one in (item for _, items in self.places for item in items):
            count[one.entry.name] = count.get(one.entry.name, 0) + one.item.count
        return tuple(f"{name} × {number}" if number > 1 else name for name, number in count.items())

    @property
    def untrained(self) -> tuple[tuple[str, tuple[StatView, ...]], ...]:
        """The other skills by group; groups without one are left out."""
        groups = ((name, tuple(stat for stat in stats if stat.is_untrained)) for name, stats in self.skills)
        return tuple((name, stats) for name, stats in groups if stats)

    @property
    def open_counters(self) -> tuple[CounterView, ...]:
        """The counters that everyone may see."""
        return tuple(one for one in self.counters if not one.gm)

    @property
    def count_untrained(self) -> int:
        """The number of the other skills."""
        return sum(len(stats) for _, stats in self.untrained)

    @property
    def count_stowed(self) -> int:
        """The number of attacks with what is not in hand."""
        return sum(not attack.is_ready for attack in self.attacks)

    @property
    def kg(self) -> float:
        """What all items weigh; 0 where the game says no weights."""
        return sum(item.kg for _, items in self.places for item in items)

    @property
    def load(self) -> tuple[LoadPart, ...]:
        """The weight of the items by place; no game of ours limits it."""
        parts, start = [], 0.0
        for label, items in self.places:
            if kg := sum(item.kg for item in items):
                parts.append(LoadPart(label, kg, start, width=kg * 100 / self.kg))
                start += parts[-1].width
        return tuple(parts)


@dataclass(frozen=True)
class RollView:
    """A rolled check in the log, and the query of the form that rolls it `again`; empty for an old one."""

    roll: CharacterRoll
    lines: tuple[Line, ...]

    @property
    def again(self) -> str:
        """The query of its form."""
        return str(self.roll.lines[0].get(AGAIN, "")) if self.roll.lines else ""


def find_drawn(character: Character) -> str:
    """The key of a character's drawn face, or of the sign of what they are: the same on every page."""
    if character.face:
        return character.face
    system = find_system(character.system) if character.system in SYSTEMS else None
    if system is None or find_problems(system, character.sheet):
        return find_faces(character.name, PERSON, pc=not character.npc)[0]
    made = make_combatant(system, character.name, character.sheet)
    return find_looks(system, replace(made, pc=not character.npc))[0]


def view_sheet(system: System, character: Character, fight: State | None = None) -> SheetView:
    """The sheet of a character, all numbers worked out by the game's own rules.

    `fight` is a state with them alone: its numbers, conditions and items are shown instead.
    """
    problems = () if fight else find_problems(system, character.sheet)
    if problems:
        return SheetView(character, system, tuple(str(problem) for problem in problems))
    state = fight or make_state(system, character.name, character.sheet)
    plan, sheet = plan_of(system), state[ME].sheet if fight else character.sheet
    combatant, draft = state[ME], plan.read(sheet)
    health = pen_of(system, state).health(system.characters.health(combatant))
    chosen = draft.chosen
    trained = find_meant(plan.skills, chosen)
    skills = tuple(view_stat(system, state, stat, draft.skills[stat.key]) for stat in trained)
    groups = dict.fromkeys(view.stat.group for view in skills)
    return SheetView(
        character=character,
        system=system,
        health=health,
        tone=TONES[health.level],
        tracks=view_tracks(system, combatant, health),
        numbers=_group_numbers(system, state, combatant),
        attacks=view_attacks(system, state, combatant, find_listed(system, combatant)),
        attributes=tuple(
            view_stat(system, state, stat, value)
            for stat in find_meant(plan.attributes, chosen)
            if (value := draft.attributes[stat.key]) or not stat.lack
        ),
        skills=tuple((group, tuple(v for v in skills if v.stat.group == group)) for group in groups),
        chosen=tuple(
            ChosenView(s, chosen.get(s.key, ""), find_option(plan, draft, s.key))
            for s in find_meant(plan.selections, chosen)
            if not s.passing
        ),
        offers=tuple(view_offer(system, state, offer) for offer in find_meant(plan.offers, chosen)),
        places=view_places(system.book.catalogue, find_left(state[ME]) if fight else read_items(sheet)),
        conditions=view_held(system, state) if fight else view_conditions(system, sheet),
        departures=find_departures(plan, sheet),
        money=find_money(plan, sheet, chosen),
        figure=draw_figure(system, state, combatant),
        own=plan.own.find(sheet) if plan.own else (),
        counters=view_counters(state[ME].all_counters if fight else read_counters(sheet) or ()),
        profile=plan.profile.write(draft.attributes)
        if plan.profile and is_meant(plan.profile, chosen)
        else "",
    )


@dataclass(frozen=True)
class HealthView:
    """The health of a sheet outside a fight, in words and as a bar; `tone` is its class."""

    health: Health
    tone: str


def view_health(system: System, character: Character) -> HealthView | None:
    """The health of a sheet; None for a sheet that does not fit the rules."""
    if find_problems(system, character.sheet):
        return None
    state = make_state(system, character.name, character.sheet)
    health = pen_of(system, state).health(system.characters.health(state[ME]))
    return HealthView(health, TONES[health.level])


def view_numbers(system: System, name: str, sheet: dict[str, Any]) -> tuple[DerivedGroup, ...]:
    """The numbers derived from a sheet."""
    state = make_state(system, name, sheet)
    return _group_numbers(system, state, state[ME])


def _group_numbers(system: System, state: State, combatant: Combatant) -> tuple[DerivedGroup, ...]:
    """The numbers by group, the shield before those beside it."""
    pen, groups = pen_of(system, state), plan_of(system).derive(state, combatant)
    return tuple(
        replace(group, numbers=tuple(sorted(pen.derived(group.numbers), key=lambda one: not one.shield)))
        for group in groups
    )


def view_tracks(system: System, combatant: Combatant, health: Health) -> tuple[TrackView, ...]:
    """The tracks; the health track has its maximum."""
    return tuple(
        TrackView(
            track.key,
            track.label,
            combatant.tracks.get(track.key, 0),
            most=health.most if health.label == track.label else None,
            rises=track.rises,
        )
        for track in system.characters.find_tracks(combatant)
    )


def find_money(plan: SheetPlan, sheet: Mapping[str, Any], chosen: Mapping[str, str]) -> int | None:
    """The money on a sheet; None for a kind that owns no money, such as machines."""
    have = int(sheet.get(plan.money.key, 0)) if plan.money else 0
    return have if plan.money and (have or is_meant(plan.money, chosen)) else None


def view_counters(counters: Iterable[Counter]) -> tuple[CounterView, ...]:
    """The counters of a sheet, or of a fight."""
    return tuple(
        CounterView(one.name, one.left, one.most, refills=REFILLS[one.refills], gm=one.to == GM_ONLY)
        for one in counters
    )


def view_stat(system: System, state: State, stat: Stat, value: int) -> StatView:
    """An attribute or skill of the only combatant of a state, with what its checks add to the dice."""
    found = (view_offer(system, state, offer) for offer in stat.offers)
    offers = tuple(one for one in found if one.shown != NO_CHANCE)  # “Any roll” still has it
    return StatView(stat, value, offers, state[ME].tracks.get(stat.key, value))


def view_offer(system: System, state: State, offer: Offer) -> OfferView:
    """A check as a link, with what would be added to the dice."""
    query = urlencode({"roll": offer.action, **offer.fields})
    action = plan_of(system).checks[offer.action]
    if action.preview is None:
        return OfferView(offer.label, query)
    try:
        command = read_command(action, {"actor": ME, **offer.fields})
        preview = action.preview(state, command)
    except Refused:
        return OfferView(offer.label, query)  # the form asks for the rest
    percent = not preview.modifiers and preview.dice == PERCENTILE
    total = add_up(preview.against if percent else preview.modifiers)
    return OfferView(offer.label, query, total, say_total(total, percent))


def read_items(sheet: dict[str, Any]) -> tuple[Carried, ...]:
    """The items on a valid sheet."""
    return convert(sheet["items"], tuple[Carried, ...])


def find_left(combatant: Combatant) -> tuple[Carried, ...]:
    """The items of a sheet as they are in a fight; those that are gone are left out."""
    ids, there = find_item_ids(combatant), {item.id: item for item in combatant.items}
    return tuple(
        msgspec.structs.replace(
            carried, place=item.place, loaded=item.loaded, spares=item.spares, count=item.count
        )
        for carried in read_items(combatant.sheet)
        if (item := there.get(ids[carried.id])) and item.place in dict(PLACES)
    )


def find_listed(system: System, combatant: Combatant) -> dict[str, str]:
    """The items of a combatant whose rounds are on the sheet, each with its id there."""
    if system.book.catalogue is None:
        return {}
    ids = find_item_ids(combatant)
    views = (view_item(system.book.catalogue, item) for item in read_items(combatant.sheet))
    return {ids[view.item.id]: view.item.id for view in views if view.capacity is not None}


def view_item(catalogue: Catalogue, item: Carried) -> ItemView:
    """One item on a valid sheet."""
    entry, kind = catalogue.look_up(item), catalogue.find_kind(item.kind)
    assert entry is not None, item
    assert kind is not None, item
    wear = tuple(
        WearView(w.key, w.label, w.most, item.wear.get(w.key, 0)) for w in kind.find_wear(entry.record)
    )
    capacity = catalogue.capacity(item.kind, entry.record)
    loaded = capacity if item.loaded is None and kind.comes_full else item.loaded
    there = msgspec.structs.replace(item, loaded=loaded)
    weigh = catalogue.weigh if not catalogue.is_built_in(item.kind, entry.record) else None
    kg = weigh(entry.record) * item.count if weigh else 0
    return ItemView(there, entry, kind, capacity=capacity, wear=wear, kg=kg)


def view_places(
    catalogue: Catalogue | None, items: Iterable[Carried]
) -> tuple[tuple[str, tuple[ItemView, ...]], ...]:
    """The items by place; empty places are left out."""
    if catalogue is None:
        return ()
    views = [view_item(catalogue, item) for item in items]
    places = ((label, tuple(view for view in views if view.item.place == place)) for place, label in PLACES)
    return tuple((label, found) for label, found in places if found)


def view_conditions(system: System, sheet: dict[str, Any]) -> tuple[ConditionView, ...]:
    """The conditions on a valid sheet."""
    held = convert(sheet["conditions"], tuple[Lasting, ...])
    return tuple(_view_lasting(system, number, one) for number, one in enumerate(held))


def _view_lasting(system: System, number: int, held: Lasting) -> ConditionView:
    kind = system.characters.describe_condition(held.kind)
    return _view_condition(system, number, held.note or kind.label, level=held.level, kind=kind)


def view_held(system: System, state: State) -> tuple[ConditionView, ...]:
    """The conditions that someone has in a fight."""
    pen, kinds = pen_of(system, state), system.characters.describe_condition
    return tuple(
        _view_condition(system, number, pen.draw(held.label), level=held.level, kind=kinds(held.kind))
        for number, held in enumerate(state[ME].conditions)
        if kinds(held.kind).for_gm
    )


def _view_condition(system: System, number: int, name: str, level: int, kind: ConditionKind) -> ConditionView:
    label = f"{name} {level}" if level > 1 else name
    ends = f"until {kind.ends}" if kind.ends not in ("", FOR_GOOD) else ""
    return ConditionView(number, label, ends, rule=kind.rule, look=system.kinds.of_condition(kind.kind))


def view_rolls(rolls: Iterable[CharacterRoll]) -> tuple[RollView, ...]:
    """Rolled checks with the lines that were logged."""
    return tuple(RollView(roll, convert(roll.lines, tuple[Line, ...])) for roll in rolls)


def measure_rolls(views: Iterable[RollView]) -> FallenDice | None:
    """How the dice of these rolls fell."""
    return measure_dice(line.roll for view in views for line in view.lines if line.roll and line.roll.faces)


def recent_changes(character: Character, most: int) -> list[CharacterChange]:
    """The newest steps of the history, without their stored data."""
    return list(character.changes.defer("before", "after")[:most])


# A sheet on paper: what fits on one side, each number once.


def view_paper(system: System, character: Character) -> dict[str, Any]:
    """What the printed page shows: the numbers as they are without wounds, and boxes to write in."""
    character.sheet = {**character.sheet, "tracks": {}}
    view = view_sheet(system, character)
    story, kinds = read_story(character.story), _list_conditions(system, character.sheet)
    told = [text for _, text in story.parts] + [character.notes[:LETTERS]]
    lines = sum(map(_count_lines, told)) + len(kinds) // CONDITIONS_A_LINE
    return {
        "view": view,
        "character": character,
        "system": system,
        "story": story,
        "kinds": kinds,
        **_fit_paper(view, lines),
        **_say_once(view),
    }


def _count_lines(text: str) -> int:
    """About how many lines a text has on paper; 0 for an empty one."""
    return sum(1 + len(line) // A_LINE for line in text.splitlines())


def _list_conditions(system: System, sheet: dict[str, Any]) -> list[str]:
    """The conditions of the book that fit a sheet, each once, to tick at the table."""
    plan, known = system.book.sheets, system.characters.conditions
    fitting = (
        one for key, one in known.items() if not plan or key not in plan.lasting or plan.fits(sheet, key)
    )
    return sorted({kind.label for kind in fitting if kind.can_choose})


def _list_traits(view: SheetView, items: list[tuple[str, ItemView]]) -> list[tuple[str, str]]:
    """The traits of what they carry, each once, with its meaning in words."""
    known = view.system.book.catalogue.traits if view.system.book.catalogue else {}
    found = {trait: known[trait] for _, one in items for trait in one.entry.traits if trait in known}
    return [(trait.label, trait.detail) for trait in found.values() if trait.detail][:MAX_TRAITS]


def _say_once(view: SheetView) -> dict[str, Any]:
    """The numbers on paper, each once: at a part of the figure, else as an attribute, else as derived."""
    parts = view.figure.parts if view.figure else ()
    keys, names = {part.key for part in parts}, {part.label for part in parts}
    known = names | {stat.stat.label for stat in view.attributes}
    groups = (
        DerivedGroup(
            group.label, tuple(n for n in group.numbers if n.label not in (names if group.label else known))
        )
        for group in view.numbers
    )
    return {
        "attributes": [stat for stat in view.attributes if stat.stat.key not in keys],
        "numbers": [group for group in groups if group.numbers],
        "profile": view.profile,
    }


def _fit_paper(view: SheetView, lines: int) -> dict[str, Any]:
    """The items and skills that fit on one page beside some lines, their type size, and what is left out."""
    items = [(place, item) for place, items in view.places for item in items]
    skills, attacks = view.trained, view.attacks[:MAX_ATTACKS]
    untrained = [stat for _, stats in view.untrained for stat in stats if stat.best]
    things = len(items) + len(skills) + len(attacks)
    full = things > SPACIOUS or things + len(untrained) // UNTRAINED_A_LINE + lines > CROWDED
    return {
        "full": full,
        "items": items[:MAX_PRINTED],
        "left_out": max(0, len(items) - MAX_PRINTED),
        "skills": skills,
        "attacks": attacks,
        "untrained": untrained,
        "traits": [] if things > SPACIOUS else _list_traits(view, items),
        "most_notes": LETTERS_WHEN_FULL if full else LETTERS,
    }
