"""A game's catalogue of items, for pages that know no game: kinds, columns, entries, own records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ..basics.checking import Problem, find_shape_problems, find_text_problems, join
from ..basics.data import as_plain, convert
from ..basics.dice.dice import parse_dice
from ..basics.dice.requests import Choice
from ..basics.memory import remember
from .sheets import Carried

OWN = "own"  # the id and origin of records that users made
MAX_DICE, MAX_SIDES, MAX_PLUS = 20, 20, 99  # of an item's damage
MELEE, RANGED, THROWN, BLAST = "melee", "ranged", "thrown", "blast"
MAX_SPARES = 99


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One figure of a record, for tables and forms.

    `kind`: text, number, dice, choice, many, flag. Tables leave out a `plain` value. `options` are the words
    for the values; those of a text may be missing. A column of certain `uses` is for items of these alone.
    One of many that `mends` can be corrected in a fight, as all numbers, dice and flags can: traits, not the
    skills that an item is for.
    """

    key: str
    label: str
    kind: str = "text"
    options: tuple[Choice, ...] = ()
    unit: str = ""
    low: int = 0
    high: int = 9999
    help: str = ""
    required: bool = False
    plain: Any = None
    uses: tuple[str, ...] = ()
    mends: bool = False


def used(column: Column, *uses: str) -> Column:
    """A column that only items of these uses need."""
    return msgspec.structs.replace(column, uses=uses)


def number_column(
    key: str, label: str, low: int = 0, high: int = 99, unit: str = "", hint: str = "", plain: Any = 0
) -> Column:
    """A column of whole numbers."""
    return Column(key=key, label=label, kind="number", low=low, high=high, unit=unit, help=hint, plain=plain)


def flag_column(key: str, label: str) -> Column:
    """A column of yes or no."""
    return Column(key=key, label=label, kind="flag", plain=False)


def dice_column(
    key: str, label: str, hint: str = "", plain: str | None = None, required: bool | None = None
) -> Column:
    """A column of dice; without a `plain` value it must be filled in."""
    needed = plain is None if required is None else required
    return Column(key=key, label=label, kind="dice", required=needed, help=hint, plain=plain)


def choice_column(key: str, label: str, options: tuple[Choice, ...], plain: str | None = None) -> Column:
    """A column of one choice; without a `plain` value it must be filled in."""
    return Column(key=key, label=label, kind="choice", options=options, required=plain is None, plain=plain)


def many_column(
    key: str, label: str, options: tuple[Choice, ...], required: bool = False, mends: bool = False
) -> Column:
    """A column of any number of choices; at least one if it is required."""
    return Column(
        key=key, label=label, kind="many", options=options, required=required, plain=(), mends=mends
    )


def choices_of(labels: Mapping[str, str]) -> tuple[Choice, ...]:
    """The choices of a column, by key."""
    return tuple(Choice(key, label) for key, label in labels.items())


# In the columns of every kind of items that one uses
SPENDS = Column(key="spends", label="Spends", help="the name of a counter of those who use it")


class Wear(msgspec.Struct, frozen=True):
    """Something an item can suffer or use up, and its maximum."""

    key: str
    label: str
    most: int = 99


def count_hands(record: Mapping[str, Any]) -> int:
    """The hands that a record names; 0 without any."""
    return int(record.get("hands") or 0)


class ItemUse(msgspec.Struct, frozen=True, kw_only=True):
    """How an item of a kind is used, such as in melee: a form of one asks only for what the use needs.

    `sets` are the figures that make it this use, `begins` those that most have. `needs` are the numbers that
    cannot be 0.
    """

    key: str
    label: str
    text: str
    look: str
    sets: dict[str, Any] = {}
    begins: dict[str, Any] = {}
    needs: tuple[str, ...] = ()


def melee_use(**more: Any) -> ItemUse:
    """The use of what strikes in reach."""
    return ItemUse(key=MELEE, label="Melee", text="in reach", look="blade", **more)


def ranged_use(**more: Any) -> ItemUse:
    """The use of what is aimed."""
    return ItemUse(key=RANGED, label="Ranged", text="aimed", look="kinetic", **more)


def thrown_use(**more: Any) -> ItemUse:
    """The use of what leaves the hand."""
    return ItemUse(key=THROWN, label="Thrown", text="leaves the hand", look="attack", **more)


def blast_use(**more: Any) -> ItemUse:
    """The use of what hits an area."""
    return ItemUse(key=BLAST, label="Blast", text="an area", look="explosive", **more)


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of items: its records, their columns, and how a character has them.

    `find_rows` are the printed records by id, without those that everyone has (`hidden`), and `sum_up` the
    words for one. `ready` is the place of an item in use: held, worn, or empty if it works from the bag. Only
    one item of an `only` kind can be ready at a time; a kind that `comes_full` may omit what is loaded, a
    figure that `load` names. `find_wear` says what a record can suffer, `find_problems` the errors that
    neither its type nor its columns catch, `find_hands` how many hands it takes when it is held. Of a kind
    with several `uses`, `find_use` says which one a record has.
    """

    key: str
    label: str
    plural: str
    record: type[msgspec.Struct]
    columns: tuple[Column, ...]
    find_rows: Callable[[], Mapping[str, Any]]
    sum_up: Callable[[Any], Iterable[str]]
    hidden: str = ""
    ready: str = ""
    only: bool = False
    comes_full: bool = False
    load: str = ""
    find_problems: Callable[[dict[str, Any]], Iterable[Problem]] = lambda record: ()
    find_wear: Callable[[Mapping[str, Any]], tuple[Wear, ...]] = lambda record: ()
    find_hands: Callable[[Mapping[str, Any]], int] = count_hands
    uses: tuple[ItemUse, ...] = ()
    find_use: Callable[[Mapping[str, Any]], str] = lambda record: ""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An item of the catalogue, or a user's own: what lists and filters need.

    `age` is its era or tech level; `price` in the game's money, None without one. `traits` are keys;
    `trait_names` are those that the summary does not mention. A full magazine is a `spare_for` another entry,
    by kind and id: a sheet adds it to that item. `ours` names the figures that are not of the `source`.
    """

    id: str
    kind: str
    name: str
    age: str = ""
    price: int | None = None
    traits: tuple[str, ...] = ()
    trait_names: tuple[str, ...] = ()
    summary: str = ""
    record: dict[str, Any] = {}
    source: str = ""
    ours: tuple[str, ...] = ()
    spare_for: tuple[str, str] | None = None


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    """The items of one game. Versioned with the code: nobody writes to it.

    `ages` are eras or tech levels in order, `traits` the words and meanings of traits by key. `find_facts`
    are the age, price, traits and weapon of a record's entry; `is_built_in` tells whether a record is a part
    of a body or of a vehicle, which nobody can take, and `weigh` a record in kg, where the game says weights.
    """

    kinds: tuple[Kind, ...]
    ages: tuple[str, ...] = ()
    age_label: str = ""
    money: str = ""
    traits: Mapping[str, Choice] = {}
    find_facts: Callable[[Any], dict[str, Any]]
    is_built_in: Callable[[str, Mapping[str, Any]], bool] = lambda kind, record: False
    weigh: Callable[[Mapping[str, Any]], float] | None = None

    def find_entries(self) -> tuple[Entry, ...]:
        """All entries, kind by kind, in the order of the data."""
        return _list_entries(self)

    def describe(self, kind: str, record: dict[str, Any]) -> Entry:
        """The entry of a valid record, with defaults for missing figures; raises msgspec.ValidationError."""
        found = next(each for each in self.kinds if each.key == kind)
        return self.make_entry(found, convert(record, found.record))

    def make_entry(self, kind: Kind, record: Any) -> Entry:
        """The entry of a record; its summary are the words that are not empty."""
        plain = as_plain(record)
        summary = ", ".join(word for word in kind.sum_up(record) if word)
        named = {name: plain[name] for name in ("id", "name")}
        facts = {**named, **self.find_facts(record)}
        ours = _name_figures(kind, plain.get("house_fields", ()))
        return Entry(kind=kind.key, summary=summary, record=plain, source=plain["origin"], ours=ours, **facts)

    def capacity(self, kind: str, record: Mapping[str, Any]) -> int | None:
        """The rounds of a full item; None for one that needs none."""
        found = self.find_kind(kind)
        return int(record.get(found.load, 0)) or None if found and found.load else None

    def find_kind(self, key: str) -> Kind | None:
        """The kind with this key."""
        return next((kind for kind in self.kinds if kind.key == key), None)

    def find_entry(self, kind: str, entry_id: str) -> Entry | None:
        """The entry with this kind and id."""
        return next((e for e in self.find_entries() if e.kind == kind and e.id == entry_id), None)

    def look_up(self, thing: Carried) -> Entry | None:
        """The entry of an item on a sheet, from the catalogue or its own record; None if there is none."""
        if self.find_kind(thing.kind) is None:
            return None
        if not thing.record:
            return self.find_entry(thing.kind, thing.entry)
        if find_record_problems(self, thing.kind, thing.record):
            return None
        return self.describe(thing.kind, thing.record)


def _name_figures(kind: Kind, names: Iterable[str]) -> tuple[str, ...]:
    """Figures as the page of an item labels them; a phrase, and what has no column, as it is written."""
    labels = {column.key: column.label for column in kind.columns}
    return tuple(labels.get(name, name.replace("_", " ")) for name in names)


@remember
def _list_entries(catalogue: Catalogue) -> tuple[Entry, ...]:
    return tuple(
        catalogue.make_entry(kind, row)
        for kind in catalogue.kinds
        for key, row in kind.find_rows().items()
        if key != kind.hidden
    )


def value_of(record: Mapping[str, Any], key: str) -> Any:
    """The figure of a column, which may be in an inner table; None if it is missing."""
    value: Any = record
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def say_words(column: Column, value: Any) -> Any:
    """The labels of a value that has words in its column; any other value unchanged."""
    labels = {option.value: option.label for option in column.options}
    if isinstance(value, list | tuple):
        return [labels.get(word, word) for word in value]
    return labels.get(value, value) if isinstance(value, str) else value


def find_figure_problems(columns: tuple[Column, ...], record: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Names too long, figures out of bounds, invalid dice, words that a column does not know."""
    found = [problem for column in columns for problem in _column_problems(column, record)]
    if not 1 <= len(str(record["name"]).strip()) <= 60:
        found.append(Problem("name", "must have 1 to 60 characters"))
    return tuple(found)


def _column_problems(column: Column, record: Mapping[str, Any]) -> list[Problem]:
    value = value_of(record, column.key)
    if column.required and column.kind == "many" and not value:
        return [Problem(column.key, "must name at least one")]
    if column.required and column.kind == "text" and column.options and not str(value or "").strip():
        return [Problem(column.key, f"must name a {column.label.lower()}")]
    if value is None or value == column.plain:
        return []
    if column.kind == "number" and not column.low <= value <= column.high:
        return [Problem(column.key, f"must be {column.low} to {column.high}")]
    if column.kind == "dice":
        return _dice_problems(column, value)
    known = {option.value for option in column.options}
    if column.kind == "choice" and value not in known:
        return [Problem(column.key, f"must be one of: {', '.join(sorted(known - {''}))}")]
    strange = [word for word in value if word not in known] if column.kind == "many" else []
    return [Problem(column.key, f"“{strange[0]}” is none of: {', '.join(sorted(known))}")] if strange else []


def _dice_problems(column: Column, value: str) -> list[Problem]:
    try:
        dice = parse_dice(value)
    except ValueError:
        return [Problem(column.key, "must be a number or dice, such as 4 or 2d6+1")]
    small = dice.count <= MAX_DICE and dice.sides <= MAX_SIDES and abs(dice.plus) <= MAX_PLUS
    return [] if small else [Problem(column.key, f"must be at most {MAX_DICE}d{MAX_SIDES}+{MAX_PLUS}")]


def find_record_problems(
    catalogue: Catalogue, kind_key: str, record: object, place: str = ""
) -> tuple[Problem, ...]:
    """All errors of a user's own record, by the schema of the catalogue."""
    kind = catalogue.find_kind(kind_key)
    if kind is None:
        return (Problem(place, f"there is no kind of item “{kind_key}”"),)
    shape = (*find_text_problems(record, place), *find_shape_problems(record, kind.record, place))
    if shape or not isinstance(record, dict):
        return shape
    found = (*find_figure_problems(kind.columns, record), *kind.find_problems(record))
    return tuple(Problem(join(place, problem.place), problem.message) for problem in found)


def check_things(
    catalogue: Catalogue, things: Iterable[Carried]
) -> tuple[tuple[Problem, ...], tuple[Carried, ...]]:
    """The errors of a sheet's items, one by one, and the items without any."""
    problems: list[Problem] = []
    sound: list[Carried] = []
    seen: set[str] = set()
    for number, thing in enumerate(things):
        place = f"items[{number}]"
        if thing.id in seen:
            problems.append(Problem(f"{place}.id", f"“{thing.id}” is taken by another item"))
        seen.add(thing.id)
        found = find_thing_problems(catalogue, thing, place)
        problems += found
        sound += () if found else (thing,)
    return tuple(problems), tuple(sound)


def check_conditions(sheet: Mapping[str, Any], lasting: Collection[str]) -> Iterator[Problem]:
    """The errors of a sheet's conditions: a sheet keeps only lasting ones."""
    for number, held in enumerate(sheet["conditions"]):
        if held["kind"] not in lasting:
            yield Problem(f"conditions[{number}].kind", f"must be one of: {', '.join(lasting)}")


def find_thing_problems(catalogue: Catalogue, thing: Carried, place: str) -> tuple[Problem, ...]:
    """The errors of an item on a sheet: its entry or record, its rounds, its wear."""
    if bool(thing.entry) == bool(thing.record):
        return (Problem(place, "has either an entry of the catalogue or a record of its own"),)
    if thing.record:
        found = find_record_problems(catalogue, thing.kind, thing.record, join(place, "record"))
        if found:
            return found
    kind, entry = catalogue.find_kind(thing.kind), catalogue.look_up(thing)
    if kind is None or entry is None:
        text = f"there is no {thing.kind} “{thing.entry}” in the catalogue"
        return (Problem(join(place, "entry"), text),)
    return (
        *_load_problems(thing, kind, catalogue.capacity(thing.kind, entry.record), place),
        *_place_problems(thing, kind, place),
        *_wear_problems(thing, kind, entry, place),
    )


def _load_problems(thing: Carried, kind: Kind, capacity: int | None, place: str) -> list[Problem]:
    if thing.loaded is None and kind.comes_full:
        return []
    if capacity is None:
        loaded = thing.loaded is not None
        return [Problem(join(place, "loaded"), "takes no ammunition")] if loaded else []
    if thing.loaded is None or thing.loaded > capacity:
        return [Problem(join(place, "loaded"), f"must be 0 to {capacity}")]
    return []


def _place_problems(thing: Carried, kind: Kind, place: str) -> list[Problem]:
    if thing.place in ("carried", kind.ready):
        return []
    where = f"carried or {kind.ready}" if kind.ready else "carried"
    return [Problem(join(place, "place"), f"must be {where}")]


def _wear_problems(thing: Carried, kind: Kind, entry: Entry, place: str) -> list[Problem]:
    known = {wear.key: wear for wear in kind.find_wear(entry.record)}
    found = []
    for key, value in thing.wear.items():
        where = join(place, f"wear.{key}")
        if key not in known:
            found.append(Problem(where, f"is unknown here; known are: {', '.join(known) or 'none'}"))
        elif value > known[key].most:
            found.append(Problem(where, f"must be at most {known[key].most}"))
    return found


def find_fed(items: Iterable[Carried], entry: Entry, count: int = 1) -> Carried | None:
    """The item on a sheet that this many spares belong to, if it has room for them."""
    fits = (t for t in items if (t.kind, t.entry) == entry.spare_for and t.spares + count <= MAX_SPARES)
    return next(fits, None) if entry.spare_for else None


def new_thing(catalogue: Catalogue, entry: Entry, taken: set[str]) -> Carried:
    """An entry as a new item on a sheet: whole, full, stowed, with an unused id."""
    number = next(n for n in range(1, 10_000) if f"i{n}" not in taken)
    own = entry.source == OWN
    return Carried(
        id=f"i{number}",
        kind=entry.kind,
        entry="" if own else entry.id,
        record=entry.record if own else {},
        loaded=catalogue.capacity(entry.kind, entry.record),
    )
