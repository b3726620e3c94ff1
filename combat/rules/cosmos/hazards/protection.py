"""Protection from the surroundings: suits, sealed armor, masks and filters, and their time.

A suit protects while it is worn (`place` "worn"); its time runs only then.  RULING R54.
"""

from __future__ import annotations

from typing import Any

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.commands import Command, Field, Handle, anybody, number_field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, present, replace
from combat.rules.core.turn.turns import spend

from ..book.tables import hazard_levels, suits
from ..book.traits import find_suit, find_traits
from ..characters.sheet import ability, drug_terms
from ..environment import has_ability
from ..world.acting import act, gm
from ..world.sight_lines import find_thing

HOUR, MINUTE = 3600, 60
SPECIES_RULE = "R4"  # the chapter has no species; the ruling adds their bonuses to saves
RADIATION = tuple(row.level for row in hazard_levels().values() if row.hazard == "radiation")


class SetSuit(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The GM's setting of a suit: on or off, and its hours if they differ from the record."""

    target: str
    item: str
    worn: bool = True
    hours: int = 0


def suit_record(item: Item) -> dict[str, Any] | None:
    """The hazards an item protects from and for how long; None if it does not protect.

    [COS-PROT-03] Powered armor is a suit as well.  RULING R54
    """
    if item.kind == "suit":
        return item.data
    if item.kind != "armor":
        return None
    suit = find_suit(item.data)
    record: dict[str, Any] | None = msgspec.to_builtins(suits()[suit]) if suit else None
    return record


def find_suits(combatant: Combatant) -> list[Item]:
    """All items of a combatant that protect from surroundings."""
    return [item for item in combatant.items if suit_record(item)]


def count_span(item: Item) -> int | None:
    """The total time a suit protects, in seconds; None without limit.

    [COS-PROT-01] 4 hours for a basic suit, [COS-PROT-02] 24 for an advanced one, [COS-PROT-03] days to weeks
    for power armor, [COS-PROT-04] no limit for a vehicle or ship.
    """
    record = suit_record(item) or {}
    if record.get("indefinite"):
        return None
    hours = int(item.marks.get("hours", 0) or record.get("hours", 0))
    return hours * HOUR + int(record.get("minutes", 0)) * MINUTE


def count_used(state: State, item: Item) -> int:
    """The time a suit has been worn, in seconds."""
    used = int(item.marks.get("used", 0))
    if item.place == "worn":
        used += state.clock - int(item.marks.get("since", state.clock))
    return used


def count_left(state: State, item: Item) -> int | None:
    """The seconds of protection left; None without limit."""
    span = count_span(item)
    return None if span is None else max(0, span - count_used(state, item))


def is_working(state: State, item: Item) -> bool:
    """Whether a suit is worn and has time left.  [COS-HAZ-21]"""
    return item.place == "worn" and count_left(state, item) != 0


def keeps_out(state: State, item: Item, hazard: str) -> bool:
    """Whether a suit protects from a hazard: vacuum, temperature, toxic or radiation_LEVEL."""
    record = suit_record(item) or {}
    protects = record["protects"]
    if hazard == "vacuum" and record.get("vacuum_minutes"):
        return count_used(state, item) < int(record["vacuum_minutes"]) * MINUTE
    kind, _, level = hazard.partition("_")
    if kind != "radiation":
        return hazard in protects
    best = (RADIATION.index(p.partition("_")[2]) for p in protects if p.startswith("radiation_"))
    return RADIATION.index(level) <= max(best, default=-1)


def find_shield(state: State, combatant: Combatant, hazard: str) -> Item | None:
    """The working suit that keeps a hazard out; None if there is none. [COS-ENV-21]"""
    working = (item for item in find_suits(combatant) if is_working(state, item))
    return next((item for item in working if keeps_out(state, item, hazard)), None)


def is_proof(combatant: Combatant, hazard: str) -> bool:
    """Whether a combatant is immune to a hazard by nature: machines, crystal bodies."""
    kind = hazard.partition("_")[0]
    if kind in combatant.sheet["immune"]:
        return True
    airy = kind in ("vacuum", "toxic")
    return airy and has_ability(combatant, "immune_poison_disease_suffocation")


def is_exposed(state: State, combatant: Combatant, hazard: str) -> bool:
    """Whether a present hazard reaches a combatant."""
    return not is_proof(combatant, hazard) and find_shield(state, combatant, hazard) is None


def hazard_terms(state: State, combatant: Combatant, kind: str) -> Modifiers:
    """The modifiers of a save against "radiation" or "toxic": gear, drugs, species.

    [COS-HAZ-20] [COS-HAZ-21]  RULING R43. Only the best of several masks and filters counts.
    """
    key = "toxin_save" if kind == "toxic" else "radiation_save"
    gear = [term for item in combatant.items for term in _gear_term(state, item, key)]
    terms = [max(gear, key=lambda term: term.value)] if gear else []
    terms += drug_terms(combatant, key)
    born = ability(combatant, "save_bonus_pressure_radiation_toxin")
    if kind == "radiation":
        born = max(born, ability(combatant, "save_bonus_radiation_energy"))
    if born:
        terms.append(Modifier("term.species", born, SPECIES_RULE))
    return tuple(terms)


def _gear_term(state: State, item: Item, key: str) -> list[Modifier]:
    if item.kind == "suit":
        points = int(item.data.get(key, 0)) if is_working(state, item) else 0
    elif item.kind == "armor" and item.place == "worn":
        rows = find_traits(item.data) if key == "toxin_save" else ()
        points = max((row.toxin_save for row in rows), default=0)
    else:
        points = 0
    return [Modifier(item.name, points, "COS-HAZ-20")] if points else []


def energy_terms(combatant: Combatant, kind: str) -> Modifiers:
    """The modifiers of a save against any energy; some species resist it."""
    points = ability(combatant, "save_bonus_radiation_energy") if kind == "energy" else 0
    return (Modifier("term.species", points, SPECIES_RULE),) if points else ()


# ---------------------------------------------------------------- putting suits on


def put_on(context: RuleContext, who: str, item: Item, worn: bool) -> None:
    """Start or stop the time of a suit. [COS-PROT-01]"""
    marks = {**item.marks, "used": count_used(context.state, item)}
    marks.pop("since", None)
    if worn:
        marks["since"] = context.state.clock
    place, how = ("worn", "how.puts_on") if worn else ("carried", "how.takes_off")
    context.emit(e.ItemChanged(who, replace(item, place=place, marks=marks), how), "COS-PROT-01")


def wear(context: RuleContext, command: Handle) -> None:
    """Put a suit on or off, like a simple device: a Quick Action. [COS-ACT-18]"""
    item = find_thing(context.state, command.actor, command.item)
    check_suit(context.state, item)
    spend(context, command.actor, {"quick": 1}, on=item.name, rule="COS-ACT-18")
    put_on(context, command.actor, item, item.place != "worn")


def check_suit(state: State, item: Item) -> None:
    """Refuse an item that is no suit, armor (which is simply worn), and a used-up suit."""
    if item.kind != "suit":
        raise Refused("not_allowed", f"{item.name} is not a suit or mask.")
    if item.place != "worn" and count_left(state, item) == 0:
        raise Refused("no_budget", f"{item.name} is used up.")


def set_suit(context: RuleContext, command: SetSuit) -> None:
    """Put a suit on or off for the GM, or set its hours within its limit. [COS-PROT-03]"""
    item = find_thing(context.state, command.target, command.item)
    record = suit_record(item)
    if record is None:
        raise Refused("not_allowed", f"{item.name} protects from nothing: choose a suit or a mask.")
    if command.hours:
        item = _with_hours(item, record, command.hours)
        context.emit(e.ItemChanged(command.target, item, ""), "COS-PROT-03")
        item = note_time(context, command.target, item)
    if item.kind == "suit" and (item.place == "worn") != command.worn:
        put_on(context, command.target, item, command.worn)


def _with_hours(item: Item, record: dict[str, Any], hours: int) -> Item:
    low, high = int(record.get("hours_min", 0)), int(record.get("hours_max", 0))
    if not low <= hours <= high:
        text = f"{item.name} lasts {low} to {high} hours." if high else f"{item.name} has fixed hours."
        raise Refused("bad_value", text)
    return replace(item, marks={**item.marks, "hours": hours})


def use_up(context: RuleContext, who: str) -> None:
    """Record the time that suits are worn; suits without time left stop protecting. [COS-HAZ-21]"""
    for item in find_suits(context.state.combatants[who]):
        item = note_time(context, who, item)
        if item.kind == "suit" and item.place == "worn" and count_left(context.state, item) == 0:
            marks = {**item.marks, "used": count_span(item) or 0}
            empty = replace(item, place="carried", marks=marks)
            context.emit(e.ItemChanged(who, empty, "item_is.used_up"), "COS-HAZ-21")


def note_time(context: RuleContext, who: str, item: Item) -> Item:
    """Record the time a worn suit has run, so that it stays with its owner. [COS-PROT-01]

    The time of suits worn on joining runs from then on.
    """
    if item.place != "worn" or count_span(item) is None:
        return item
    used = count_used(context.state, item)
    noted = replace(item, marks={**item.marks, "used": used, "since": context.state.clock})
    if noted != item:
        context.emit(e.ItemChanged(who, noted, ""), "COS-PROT-01", e.GM_ONLY)
    return noted


def suit_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: a choice of suits, each with its time left."""
    options = tuple(_suit_choice(state, item) for item in state[actor].items if item.kind == "suit")
    return (
        Field("item", "Suit or mask", "choice", options=options, value=options[0].value if options else ""),
    )


def _suit_choice(state: State, item: Item) -> Choice:
    left = count_left(state, item)
    time = "no limit" if left is None else f"{left // HOUR} h {left % HOUR // MINUTE:02d} left"
    return Choice(item.id, item.name, f"{'on' if item.place == 'worn' else 'off'}, {time}")


def check_any_suit(state: State, actor: str) -> None:
    """Refuse the GM's action if nobody has a suit that protects from surroundings."""
    if not any(find_suits(combatant) for combatant in present(state)):
        raise Refused("not_allowed", "No one here has a suit, a mask or sealed armor.")


def check_has_suit(state: State, actor: str) -> None:
    """Refuse the action to a combatant without a suit or mask."""
    if "suit" not in [item.kind for item in state[actor].items]:
        raise Refused("not_allowed", f"{state[actor].name} carries no suit or mask.")


def set_suit_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The fields of a suit: its owner, on or off, and its hours."""
    suits = [(f, item) for f in present(state) for item in find_suits(f)]
    items = tuple(Choice(item.id, f"{item.name} of {f.name}", item.place) for f, item in suits)
    return (
        anybody(state),
        Field("item", "Suit", "choice", options=items, value=items[0].value if items else ""),
        Field("worn", "Worn", "flag", value="true"),
        number_field("hours", "Lasts (h), 0: unchanged", 0, low=0, high=504, required=False),
    )


ACTIONS = (
    act("suit", wear, check_has_suit, fields=suit_fields),
    gm("set_suit", set_suit, check_any_suit, fields=set_suit_fields),
)
