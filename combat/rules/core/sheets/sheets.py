"""The parts of a game's sheet, for pages that know no game: numbers, choices, limits, prices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..basics.checking import Problem, find_shape_problems, find_text_problems
from ..basics.data import as_plain, convert
from ..basics.dice.requests import Choice
from ..basics.modifiers import Modifier, Modifiers, add_up
from ..basics.words import Label
from ..commands.commands import Action, Command, Field, Preview, no_fields
from ..commands.context import RuleContext, Then
from ..state.events import EVERYONE, GM_ONLY
from ..state.state import Combatant, Counter, Item, State

if TYPE_CHECKING:
    from ..basics.modifiers import Derived


# What someone can attack with, as their sheet shows it: before there is a target.

ME = "me"  # the id of a sheet's combatant for derived numbers and checks outside a fight
MAX_THINGS, MAX_ALIKE = 200, 999  # lines of items on a sheet, and the most that one of them can count
USUAL_MOST = 3
MAX_COUNTERS, MAX_COUNTED, MAX_NAME = 6, 20, 30  # of a combatant, of one of them, of its name
MAX_PLACE = 500  # characters of a place: field names are shorter


class SheetAttack(msgspec.Struct, frozen=True, kw_only=True):
    """One weapon in one use: the sum that holds against every target, damage, and how far it reaches.

    `terms` are added to the `dice`; those of a `percent` are the number to roll under. Without dice nobody
    rolls to hit: `how` says what happens. `total` is the sum, by `rule`; `damage` and `reach` are words.
    """

    item: Item
    terms: Modifiers = ()
    dice: str = ""
    percent: bool = False
    rule: str = ""
    damage: str = ""
    reach: str = ""
    how: Label = ""
    magazine: int | None = None

    @property
    def total(self) -> int:
        """The sum of the terms, in points."""
        return add_up(self.terms)


def find_no_attacks(state: State, combatant: Combatant) -> tuple[SheetAttack, ...]:
    """No attacks: a game that declares none."""
    return ()


def with_points(dice: str, bonus: tuple[Modifier, ...] | list[Modifier]) -> str:
    """A handful of dice with the sum of these terms added: 1d8 and 3 are "1d8+3", without points "1d8"."""
    points = add_up(bonus)
    return f"{dice}{points:+}" if points else dice


Word = Annotated[str, Meta(min_length=1, max_length=60)]
ItemId = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,20}$")]
Place = Annotated[str, Meta(pattern=r"^(held|worn|carried)$")]
Choices = dict[str, tuple[str, ...]]  # values of selections


# ---------------------------------------------------------------- the content of every sheet


class Carried(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An item on a sheet: an `entry` of the game's catalogue, or an own `record` in full.

    `loaded` counts the rounds in it, `spares` further magazines; `wear` is the damage it took.
    """

    id: ItemId
    kind: Word
    entry: Annotated[str, Meta(max_length=60)] = ""
    record: dict[str, Any] = {}
    place: Place = "carried"
    loaded: Annotated[int, Meta(ge=0, le=9999)] | None = None
    spares: Annotated[int, Meta(ge=0, le=99)] = 0
    count: Annotated[int, Meta(ge=1, le=MAX_ALIKE)] = 1
    wear: dict[Word, Annotated[int, Meta(ge=0, le=999_999)]] = {}


class Lasting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A condition that outlasts a fight."""

    kind: Word
    level: Annotated[int, Meta(ge=1, le=999)] = 1
    note: Annotated[str, Meta(max_length=100)] = ""


class SheetBase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of every game's sheet. `tracks` are the numbers below their maximum.

    `uses` are the spent daily and session uses: see core/turn/turns.py. `metres` is the size on a map along
    each side, for a vehicle or a beast; unset: one square. Of NPCs: players know them by the `alias`, and
    the app lets them give up when they are "wounded", at half their health, or "alone" (core/sides.py).
    """

    name: Annotated[str, Meta(max_length=60)] = ""
    metres: Annotated[float, Meta(ge=0, le=60)] | UnsetType = UNSET
    alias: Annotated[str, Meta(max_length=60)] | UnsetType = UNSET
    flees: Annotated[str, Meta(pattern=r"^(wounded|alone)$")] | UnsetType = UNSET
    counters: Annotated[tuple[SheetCounter, ...], Meta(max_length=MAX_COUNTERS)] | UnsetType = UNSET
    items: Annotated[tuple[Carried, ...], Meta(max_length=MAX_THINGS)] = ()
    tracks: dict[str, Annotated[int, Meta(ge=-9999, le=9999)]] = {}
    conditions: Annotated[tuple[Lasting, ...], Meta(max_length=40)] = ()
    uses: dict[
        Word, bool | Annotated[int, Meta(ge=-86_400, le=0)] | Annotated[str, Meta(max_length=900)]
    ] = {}


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """The choices on a sheet, while people make or change a character.

    `chosen` are the selections by key, such as a species.
    """

    attributes: dict[str, int] = {}
    skills: dict[str, int] = {}
    chosen: dict[str, str] = {}


# ---------------------------------------------------------------- a game's declarations


class Offer(msgspec.Struct, frozen=True):
    """A check one tap away: the action that rolls it, and the first values of its form.

    It is `only` for sheets with these choices.
    """

    label: str
    action: str
    fields: dict[str, str] = {}
    only: Choices = {}


class Stat(msgspec.Struct, frozen=True, kw_only=True):
    """A number of a sheet that people set: an attribute or a skill.

    `low` and `high` always hold, `first_low` and `first_high` for a new character; `usual` is the value of a
    blank sheet. `links` are the attributes of a skill. Values in its `gap` do not exist: a step skips them.
    It is `only` for sheets with these choices. If most `lack` it, 0 means none at all: pages offer to set it,
    but do not show it.
    """

    key: str
    label: str
    short: str = ""
    group: str = ""
    low: int = 0
    high: int = 10
    first_low: int = 0
    first_high: int = 10
    usual: int = 0
    text: str = ""
    links: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    rule: str = ""
    source: str = ""
    gap: tuple[int, ...] = ()
    only: Choices = {}
    lack: bool = False

    def step(self, value: int, by: int) -> int:
        """The next value up or down, over the gap."""
        moved = value + by
        while moved in self.gap:
            moved += by
        return moved

    def settle(self, value: int) -> int:
        """The nearest value that exists: one in the gap falls to its lower edge."""
        while value in self.gap:
            value -= 1
        return value


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One value of a selection: its changes of attributes, and what else it brings."""

    key: str
    label: str
    changes: dict[str, int] = {}
    abilities: tuple[str, ...] = ()
    text: str = ""
    source: str = ""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """A choice from a list: a species, a background.

    It is `only` for sheets with these other choices; a `passing` one is only for making a character, and no
    sheet keeps it. One that `mends` can be corrected in a fight: no items and no further tracks come with it.
    """

    key: str
    label: str
    options: tuple[Option, ...]
    usual: str = ""
    required: bool = True
    text: str = ""
    rule: str = ""
    source: str = ""
    only: Choices = {}
    passing: bool = False
    mends: bool = False


class Traits(msgspec.Struct, frozen=True, kw_only=True):
    """A list of words on a sheet: what someone is, has learned or withstands, besides numbers and choices.

    `key` is the field of the sheet, `options` are the words that the rules ask for. Where they are `free`, a
    table has words of its own too. They are `only` for sheets with these choices.
    """

    key: str
    label: str
    options: tuple[Choice, ...]
    free: bool = False
    only: Choices = {}


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """Ready values for several numbers. A `floor` only raises lower values."""

    key: str
    label: str
    values: dict[str, int]
    floor: bool = False
    source: str = ""
    only: Choices = {}


class Archetype(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ready character, made by the creation of its game: a row of a game's `archetypes.toml`.

    `text` says in a few words what it is good at, `looks` are keys of drawn faces, the most fitting first,
    `names` are suggestions.
    Numbers are bought ones, those it does not name as usual; `items` are its gear as kind:entry.
    """

    id: Word
    name: Word
    text: Word
    looks: tuple[Word, ...]
    names: tuple[Word, ...]
    attributes: dict[str, int] = {}
    skills: dict[str, int] = {}
    chosen: dict[str, str] = {}
    items: tuple[str, ...] = ()


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """All attributes in one word, such as 777A87: `read` raises Refused for an invalid word."""

    label: str
    read: Callable[[str], dict[str, int]]
    write: Callable[[Mapping[str, int]], str]
    help: str = ""
    only: Choices = {}


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """Points of creation: how many there are, term by term, and how many are spent."""

    key: str
    label: str
    spent: int
    terms: Modifiers
    unit: str = "points"
    rule: str = ""
    source: str = ""

    @property
    def most(self) -> int:
        """All points."""
        return sum(term.value for term in self.terms)

    @property
    def left(self) -> int:
        """Points not spent yet; negative when overspent."""
        return self.most - self.spent


class Money(msgspec.Struct, frozen=True, kw_only=True):
    """The sheet's field for money, its unit, and the amount of a new character.

    Sheets count money `only` with these choices: others pay nothing, and keep what is written there.
    """

    key: str
    label: str
    start: int
    most: int = 1_000_000_000
    rule: str = ""
    source: str = ""
    only: Choices = {}


class DerivedGroup(msgspec.Struct, frozen=True):
    """Derived numbers that belong together."""

    label: str
    numbers: tuple[Derived, ...]


class Departure(msgspec.Struct, frozen=True, kw_only=True):
    """A difference from a legal starting character: where, in words, and by which rule or source."""

    place: str
    message: str
    rule: str = ""
    source: str = ""


class Creation(msgspec.Struct, frozen=True, kw_only=True):
    """How a new character is made by the book.

    `find_throws` returns the dice of rolled attributes, by key; none if they are bought. Bounds hold `only`
    for sheets with these choices.

    A draft of creation holds what is bought; `finish` applies the changes of selections, `undo` removes them.
    `find_budgets` counts points of a bought draft. Prices are those of a whole value.
    """

    attribute_prices: dict[int, int] = {}
    skill_prices: dict[int, int] = {}
    find_budgets: Callable[[Draft], tuple[Budget, ...]]
    finish: Callable[[Draft], Draft] = lambda bought: bought
    undo: Callable[[Draft], Draft] = lambda finished: finished
    arrays: tuple[Preset, ...] = ()
    packages: tuple[Preset, ...] = ()
    archetypes: tuple[Archetype, ...] = ()
    source: str = ""
    find_throws: Callable[[Draft], dict[str, str]] = lambda draft: {}
    only: Choices = {}


class OwnStats(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers that a table adds under its own names, each of one of the `kinds`.

    `find` returns name, kind and value of those on a sheet; `put` sets one, or removes it with None.
    """

    label: str
    kinds: tuple[tuple[str, str], ...]
    high: int
    find: Callable[[dict[str, Any]], tuple[tuple[str, str, int], ...]]
    put: Callable[[dict[str, Any], str, str, int | None], dict[str, Any]]
    rule: str = ""


class SheetPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything pages need to make, show, change, check and roll a sheet of one game.

    Sheets are plain data of the game's sheet type. `read` and `write` translate between a sheet and a
    draft; `find_problems` finds errors beyond the type (unknown skills, missing items); `derive` returns
    the derived numbers; `find_attacks` what someone can attack with; `summarize` one line. `checks` are
    actions rolled on a state that holds only the combatant ME; `offers` those without an attribute or
    skill. `lasting` are the kinds of conditions a sheet can hold, `fits` says which can be added to one by
    hand: for example, none of machines to a person; `own` are the numbers that a table can add under its
    own names; `named` the fields by which stat blocks name their items, with their empty values,
    `named_for` the field of each kind of items.
    `take_turn` gives someone what an own turn begins with besides its actions, to count the chance of one.
    `worked_out` are the fields that are made as someone joins: a corrected sheet begins without them.
    `find_skills` returns the keys of the skills that a name of another book or program may mean.
    `speeds` are the keys of the numbers that say how fast someone is. `traits` are lists of words that the GM
    corrects in a fight.
    """

    attributes: tuple[Stat, ...]
    skills: tuple[Stat, ...]
    selections: tuple[Selection, ...]
    creation: Creation
    read: Callable[[dict[str, Any]], Draft]
    write: Callable[[dict[str, Any], Draft], dict[str, Any]]
    find_problems: Callable[[dict[str, Any]], tuple[Problem, ...]]
    derive: Callable[[State, Combatant], tuple[DerivedGroup, ...]]
    summarize: Callable[[dict[str, Any]], str]
    find_attacks: Callable[[State, Combatant], tuple[SheetAttack, ...]] = find_no_attacks
    money: Money | None = None
    lasting: tuple[str, ...] = ()
    fits: Callable[[dict[str, Any], str], bool] = lambda sheet, kind: True
    checks: dict[str, Action] = {}
    offers: tuple[Offer, ...] = ()
    own: OwnStats | None = None
    named: dict[str, Any] = {}
    named_for: dict[str, str] = {}
    profile: Profile | None = None
    take_turn: Callable[[Combatant], Combatant] = lambda combatant: combatant
    find_skills: Callable[[str], tuple[str, ...]] = lambda words: ()
    worked_out: tuple[str, ...] = ()
    speeds: tuple[str, ...] = ()
    traits: tuple[Traits, ...] = ()


def find_lasting(plan: SheetPlan, sheet: dict[str, Any]) -> tuple[str, ...]:
    """The kinds of conditions that can be added to a sheet by hand."""
    return tuple(kind for kind in plan.lasting if plan.fits(sheet, kind))


def sheet_check(
    name: str,
    label: str,
    kind: type[Command],
    run: Callable[[RuleContext, Any], Then | None],
    rule: str,
    preview: Callable[[State, Any], Preview],
    fields: Callable[[State, str], tuple[Field, ...]] = no_fields,
    text: str = "",
) -> Action:
    """A roll from the sheet, outside a fight: without turn or actions."""
    return Action(
        name=name,
        label=label,
        group="Checks",
        type=kind,
        run=run,
        rule=rule,
        find_fields=fields,
        preview=preview,
        on_turn=False,
        text=text,
    )


# ---------------------------------------------------------------- the content of one sheet


class Meant(Protocol):
    """Something that may be only for sheets with certain choices."""

    @property
    def only(self) -> Choices: ...


M = TypeVar("M", bound=Meant)


def is_meant(thing: Meant, chosen: Mapping[str, str]) -> bool:
    """Whether something is for sheets with these choices."""
    return all(chosen.get(key, "") in values for key, values in thing.only.items())


def find_meant(things: Iterable[M], chosen: Mapping[str, str]) -> tuple[M, ...]:
    """The things that are for sheets with these choices."""
    return tuple(thing for thing in things if is_meant(thing, chosen))


# ---------------------------------------------------------------- drafts


def blank_draft(plan: SheetPlan) -> Draft:
    """A draft with every number and choice at its usual value."""
    return Draft(
        attributes={stat.key: stat.usual for stat in plan.attributes},
        skills={stat.key: stat.usual for stat in plan.skills},
        chosen={selection.key: selection.usual for selection in plan.selections},
    )


def find_option(plan: SheetPlan, draft: Draft, key: str) -> Option | None:
    """The option that a draft has for a selection."""
    wanted = draft.chosen.get(key, "")
    selection = next(s for s in plan.selections if s.key == key)
    return next((option for option in selection.options if option.key == wanted), None)


def with_preset(values: Mapping[str, int], preset: Preset) -> dict[str, int]:
    """Numbers after a preset: replaced, or only raised."""
    if not preset.floor:
        return {**values, **preset.values}
    return {**values, **{key: max(values.get(key, 0), value) for key, value in preset.values.items()}}


# ---------------------------------------------------------------- limits of a new character


def find_faults(plan: SheetPlan, bought: Draft) -> tuple[Departure, ...]:
    """Why a bought draft is not a legal new character: choices, bounds, points. Empty if it is."""
    return (
        *_choice_faults(plan, bought),
        *(_number_faults(plan, bought) if is_meant(plan.creation, bought.chosen) else ()),
        *_budget_faults(plan.creation.find_budgets(bought)),
    )


def find_departures(plan: SheetPlan, sheet: dict[str, Any]) -> tuple[Departure, ...]:
    """Where a finished sheet goes beyond a new character of its game."""
    return find_faults(plan, plan.creation.undo(plan.read(sheet)))


def _choice_faults(plan: SheetPlan, draft: Draft) -> list[Departure]:
    return [
        Departure(
            place=f"chosen.{selection.key}",
            message=f"{selection.label}: choose one of the list.",
            rule=selection.rule,
            source=selection.source,
        )
        for selection in find_meant(plan.selections, draft.chosen)
        if find_option(plan, draft, selection.key) is None
        and (selection.required or draft.chosen.get(selection.key))
    ]


def _number_faults(plan: SheetPlan, bought: Draft) -> list[Departure]:
    attributes, skills = (find_meant(stats, bought.chosen) for stats in (plan.attributes, plan.skills))
    ends = plan.creation.finish(bought).attributes
    return [
        *_bound_faults(attributes, "attributes", bought.attributes, ends),
        *_bound_faults(skills, "skills", bought.skills, bought.skills),
    ]


def _bound_faults(
    stats: tuple[Stat, ...], where: str, bought: Mapping[str, int], finished: Mapping[str, int]
) -> list[Departure]:
    found = []
    for stat in stats:
        price, value = bought.get(stat.key, stat.usual), finished.get(stat.key, stat.usual)
        low, high = stat.first_low, stat.first_high
        if low <= price <= high and low <= value <= high:
            continue
        bounds = f"{low} to {high}" if low < high else f"{low}"
        text = f"{stat.label} {value}: a new character has {bounds}."
        if price != value:
            text = f"{stat.label} {price}, {value} in the end: a new character has {bounds} in both."
        found.append(Departure(place=f"{where}.{stat.key}", message=text, rule=stat.rule, source=stat.source))
    return found


def _budget_faults(budgets: tuple[Budget, ...]) -> list[Departure]:
    return [
        Departure(
            place=budget.key,
            message=f"{budget.label}: {budget.spent} of {budget.most} {budget.unit} spent, "
            f"{-budget.left} too many.",
            rule=budget.rule,
            source=budget.source,
        )
        for budget in budgets
        if budget.left < 0
    ]


def can_become(plan: SheetPlan, bought: Draft, changed: Draft) -> bool:
    """Whether a change of a bought draft breaks no limit that the draft kept before."""
    return {fault.place for fault in find_faults(plan, changed)} <= {
        fault.place for fault in find_faults(plan, bought)
    } and _overspent(plan, changed) <= _overspent(plan, bought)


def _overspent(plan: SheetPlan, draft: Draft) -> int:
    return sum(max(0, -budget.left) for budget in plan.creation.find_budgets(draft))


# Counters of a combatant on its sheet: as it joins, and what is left of them after a fight.


class SheetCounter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counter of someone: `left` of `most`, all of them without it. `gm`: only the GM sees it in a fight.

    It refills each "round", "turn" or "scene" (when a fight begins), or by "hand".
    """

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
    most: Annotated[int, Meta(ge=1, le=MAX_COUNTED)] = USUAL_MOST
    left: Annotated[int, Meta(ge=0, le=MAX_COUNTED)] | None = None
    refills: Annotated[str, Meta(pattern=r"^(hand|round|turn|scene)$")] = "hand"
    gm: bool = False


def read_counters(sheet: Mapping[str, Any]) -> tuple[Counter, ...] | UnsetType:
    """The counters of a joining combatant, by its sheet."""
    found = (convert(one, SheetCounter) for one in sheet.get("counters") or ())
    return tuple(_read(f"n{number}", one) for number, one in enumerate(found, 1)) or UNSET


def _read(counter_id: str, one: SheetCounter) -> Counter:
    left = one.most if one.left is None else min(one.left, one.most)
    to = GM_ONLY if one.gm else EVERYONE
    return Counter(counter_id, one.name, one.most, left, refills=one.refills, to=to)


def write_counters(counters: Iterable[Counter]) -> list[dict[str, Any]]:
    """Counters as a sheet has them."""
    return [
        as_plain(
            SheetCounter(
                name=one.name,
                most=one.most,
                left=None if one.left == one.most else one.left,
                refills=one.refills,
                gm=one.to == GM_ONLY,
            )
        )
        for one in counters
    ]


# Check a whole sheet from a document: find all its errors at once.


def find_sheet_problems(plan: SheetPlan, sheet_type: type, data: object) -> tuple[Problem, ...]:
    """All errors of a sheet at once: its shape, its texts, and the game's own checks."""
    shape = (*find_text_problems(data), *find_shape_problems(data, sheet_type))
    places = frozenset(problem.place for problem in shape)
    if not isinstance(data, dict):
        return shape
    told = frozenset(head for place in places for head in _find_heads(place))
    sound, kept = _keep_sound(data, places, told)
    try:
        known = msgspec.to_builtins(convert(sound, sheet_type))
    except msgspec.ValidationError:
        return shape
    found = (_at_home(problem, kept) for problem in plan.find_problems(known))
    return (*shape, *(p for p in found if p.place not in told))


def _find_heads(place: str) -> Iterator[str]:
    """A place and all places that contain it: a known error there covers it."""
    yield place
    for end in re.finditer(r"[.\[]", place[:MAX_PLACE]):
        yield place[: end.start()]


def _keep_sound(
    data: dict[str, Any], places: frozenset[str], told: frozenset[str]
) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """The document without its errors, and the former index of each list element."""
    sound: dict[str, Any] = {}
    kept: dict[str, list[int]] = {}
    for name, value in data.items():
        if name in places:
            continue
        if isinstance(value, dict):
            sound[name] = {k: v for k, v in value.items() if f"{name}.{k}" not in told}
        elif isinstance(value, list | tuple):
            kept[name] = [n for n in range(len(value)) if f"{name}[{n}]" not in told]
            sound[name] = [value[n] for n in kept[name]]
        else:
            sound[name] = value
    return sound, kept


def _at_home(problem: Problem, kept: Mapping[str, list[int]]) -> Problem:
    """A problem of a list element, with the element's index in the whole document."""
    found = re.match(r"(\w+)\[(\d+)\](.*)", problem.place, re.DOTALL)
    if not found or found[1] not in kept:
        return problem
    number = kept[found[1]][int(found[2])]
    return Problem(f"{found[1]}[{number}]{found[3]}", problem.message)
