"""The page that makes a character: every number, choice, budget and item of its form."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import Entry
from combat.rules.core.sheets.sheets import (
    Archetype,
    Budget,
    Departure,
    DerivedGroup,
    Preset,
    Profile,
    SheetPlan,
    Stat,
    can_become,
    find_meant,
    find_option,
    is_meant,
)
from combat.rules.core.state.state import Combatant
from combat.rules.core.wording import Pen

from ..display.sheet_view import ChosenView, view_numbers
from ..games import bounds_of, check_sheet, make_combatant, plan_of
from .builder import (
    CharacterBuilder,
    Part,
    begin_as,
    bump,
    count_money,
    find_archetype,
    find_item,
    find_obstacles,
    is_paying,
    make_sheet,
    stats_of,
)

MAX_SKILLS = 1
NATURAL = "natural"  # the trait of fists, claws and the like
MOST_OF_A_NAME = 99  # numbers after a name that is taken


@dataclass(frozen=True)
class StatRow:
    """One number of the form: its value, its cost, the cost of the next point, and its bounds."""

    stat: Stat
    part: Part
    value: int
    finished: int
    price: int
    more: int | None
    can_rise: bool
    can_fall: bool
    low: int
    high: int
    unusual: str = ""

    @property
    def change(self) -> int:
        """What choices add to the bought value."""
        return self.finished - self.value

    @property
    def is_trained(self) -> bool:
        """Whether it is above the value of a blank sheet."""
        return self.value > self.stat.usual

    @property
    def next_total(self) -> int:
        """The value after a step up."""
        return self.stat.step(self.value, 1)

    @property
    def has_price(self) -> bool:
        """Whether there is a cost or a resulting value to show."""
        return bool(self.change or self.price or self.more is not None)


@dataclass(frozen=True)
class CreationView:
    """Everything the page shows of a form."""

    builder: CharacterBuilder
    selections: tuple[ChosenView, ...]
    attributes: tuple[StatRow, ...]
    skills: tuple[tuple[str, tuple[StatRow, ...]], ...]
    budgets: tuple[Budget, ...]
    obstacles: tuple[Departure, ...]
    numbers: tuple[DerivedGroup, ...]
    items: tuple[Entry, ...]
    catalogue: tuple[tuple[str, tuple[tuple[Entry, bool], ...]], ...]
    money_left: int
    arrays: tuple[Preset, ...] = ()
    throws: tuple[str, ...] = ()
    profile: tuple[Profile, str] | None = None
    packages: tuple[Preset, ...] = ()

    @property
    def has_limits(self) -> bool:
        """Whether the bounds of a new character apply to this kind at all."""
        return is_meant(self.builder.plan.creation, self.builder.draft.chosen)

    @property
    def unspent(self) -> tuple[Budget, ...]:
        """The points a guided character still has to spend."""
        return tuple(b for b in self.budgets if b.left > 0) if self.builder.guided else ()

    @property
    def can_buy(self) -> bool:
        """Whether the money left pays for any item of the catalogue."""
        return any(payable for _, entries in self.catalogue for _, payable in entries)


def view_creation(builder: CharacterBuilder) -> CreationView:
    """What the page shows."""
    plan, obstacles = builder.plan, find_obstacles(builder)
    bought = builder.draft if builder.guided else plan.creation.undo(builder.draft)
    places = {fault.place: fault.message for fault in obstacles}
    skills = view_stats(builder, "skills", places)
    groups = dict.fromkeys(row.stat.group for row in skills)
    return CreationView(
        builder=builder,
        selections=tuple(
            ChosenView(s, builder.draft.chosen[s.key], find_option(plan, builder.draft, s.key))
            for s in find_meant(plan.selections, builder.draft.chosen)
        ),
        attributes=view_stats(builder, "attributes", places),
        skills=tuple((group, tuple(r for r in skills if r.stat.group == group)) for group in groups),
        budgets=tuple(map(Pen(builder.system, {}).budget, plan.creation.find_budgets(bought))),
        obstacles=obstacles,
        numbers=_view_numbers(builder),
        items=tuple(entry for t in builder.items if (entry := find_item(builder.system, t))),
        catalogue=view_catalogue(builder),
        money_left=count_money(builder),
        arrays=find_meant(plan.creation.arrays, builder.draft.chosen),
        throws=tuple(dict.fromkeys(plan.creation.find_throws(builder.draft).values())),
        profile=_view_profile(builder),
        packages=find_meant(plan.creation.packages, builder.draft.chosen),
    )


def _view_profile(builder: CharacterBuilder) -> tuple[Profile, str] | None:
    """The profile and the attributes as it writes them, if the sheet has a profile."""
    profile, draft = builder.plan.profile, builder.draft
    meant = profile is not None and is_meant(profile, draft.chosen)
    return (profile, profile.write(draft.attributes)) if profile and meant else None


def _view_numbers(builder: CharacterBuilder) -> tuple[DerivedGroup, ...]:
    try:
        sheet = check_sheet(builder.system, make_sheet(builder))
    except Refused:
        return ()
    return view_numbers(builder.system, "", sheet)


def view_stats(builder: CharacterBuilder, part: Part, unusual: Mapping[str, str]) -> tuple[StatRow, ...]:
    """The numbers of a form, row by row."""
    creation = builder.plan.creation
    finished = creation.finish(builder.draft) if builder.guided else builder.draft
    prices = creation.attribute_prices if part == "attributes" else creation.skill_prices
    values, ends = getattr(builder.draft, part), getattr(finished, part)
    rows = []
    for stat in find_meant(stats_of(builder.plan, part), builder.draft.chosen):
        low, high = bounds_of(stat, builder.guided)
        if builder.guided and low == high:
            continue  # fixed for a new character
        value = values[stat.key]
        price = prices.get(value, 0)
        row = StatRow(
            stat=stat,
            part=part,
            value=value,
            finished=ends[stat.key],
            price=price,
            more=prices[value + 1] - price if value + 1 in prices else None,
            can_rise=_can_step(builder, stat, part, 1),
            can_fall=_can_step(builder, stat, part, -1),
            low=low,
            high=high,
            unusual=unusual.get(f"{part}.{stat.key}", ""),
        )
        rows.append(row)
    return tuple(rows)


def _can_step(builder: CharacterBuilder, stat: Stat, part: Part, by: int) -> bool:
    bumped = bump(builder, part, stat.key, by)
    if bumped == builder.draft:
        return False
    return not builder.guided or can_become(builder.plan, builder.draft, bumped)


def view_catalogue(builder: CharacterBuilder) -> tuple[tuple[str, tuple[tuple[Entry, bool], ...]], ...]:
    """The catalogue by kind, each entry with whether the money left pays for it."""
    catalogue = builder.system.book.catalogue
    if catalogue is None:
        return ()
    left = count_money(builder) if is_paying(builder) else None
    is_free = builder.guided and builder.plan.money is None  # a game without money gives what people ask for
    entries = [entry for entry in catalogue.find_entries() if is_free or entry.price is not None]
    return tuple(
        (
            kind.plural,
            tuple((e, left is None or (e.price or 0) <= left) for e in entries if e.kind == kind.key),
        )
        for kind in catalogue.kinds
    )


# The ready characters of a game, and what any combatant is best at, for someone who chooses.


@dataclass(frozen=True)
class Ready:
    """An archetype as people choose it; `skills` and `gear` are its best, in words."""

    archetype: Archetype
    skills: str
    gear: str


def find_ready(system: System) -> tuple[Ready, ...]:
    """The ready characters of a game; none for a game without them."""
    return tuple(_view(system, archetype) for archetype in plan_of(system).creation.archetypes)


def _view(system: System, archetype: Archetype) -> Ready:
    sheet = make_ready_sheet(system, archetype)
    skills = ", ".join(find_best_skills(plan_of(system), sheet))
    gear = ", ".join(find_gear(make_combatant(system, archetype.name, sheet)))
    return Ready(archetype, skills, gear)


def make_ready_sheet(system: System, archetype: Archetype) -> dict[str, Any]:
    """The sheet of an archetype; Refused if it is not valid, which a test rules out."""
    return check_sheet(system, make_sheet(begin_as(system, archetype, "")))


def choose_name(archetype: Archetype, taken: Collection[str]) -> str:
    """The first of its names that nobody has yet; with a number if all are taken."""
    numbered = (f"{archetype.names[0]} {number}" for number in range(2, MOST_OF_A_NAME + 1))
    return next((name for name in (*archetype.names, *numbered) if name not in taken), archetype.names[0])


def find_one(system: System, key: str) -> Archetype | None:
    """The archetype of this id in a game."""
    return find_archetype(plan_of(system), key)


def say_strengths(system: System, combatant: Combatant) -> str:
    """The best skill and what is in hand, else what is worn: "Combat 4, Pistol"."""
    plan = system.book.sheets
    skills = find_best_skills(plan, combatant.sheet) if plan else ()
    return ", ".join(filter(None, (", ".join(skills), next(find_gear(combatant), ""))))


def find_best_skills(plan: SheetPlan, sheet: dict[str, Any]) -> tuple[str, ...]:
    """The highest skills above the usual value, each with its number; those of one value by name."""
    values = plan.read(sheet).skills
    trained = [stat for stat in plan.skills if stat.offers and values.get(stat.key, stat.usual) > stat.usual]
    best = sorted(trained, key=lambda stat: (-values[stat.key], stat.label))[:MAX_SKILLS]
    return tuple(f"{stat.label} {values[stat.key]}" for stat in best)


def find_gear(combatant: Combatant) -> Iterator[str]:
    """The name of the first item in hand, and of the first one worn."""
    for place in ("held", "worn"):
        there = (item for item in combatant.items if item.place == place)
        item = next((one for one in there if NATURAL not in one.data.get("traits", ())), None)
        if item:
            yield item.name
