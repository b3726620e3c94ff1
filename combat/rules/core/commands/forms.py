"""Fields that forms of many actions have: one behind the fold, a number, anyone in the fight."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..basics.dice.requests import Choice
from ..basics.errors import Refused
from ..space import Point, Zone, map_of
from ..state.state import Combatant, State, present, replace
from .commands import Check, Field, first_open

FindFields = Callable[[State, str], tuple[Field, ...]]


def folded_field(*given: Any, **named: Any) -> Field:
    """A field behind the fold, which may stay empty; takes what `Field` takes."""
    return replace(Field(*given, **named), required=False, more=True)


def number_field(name: str, label: str, value: int, low: int, high: int, **more: Any) -> Field:
    """A field for a whole number, prefilled with `value`; takes besides what `Field` takes."""
    return Field(name, label, "number", value=str(value), low=low, high=high, **more)


def check_any(find_fields: FindFields, none: str) -> Check:
    """A check that the first field of a form has options, to gray out an action; else it says `none`.

    If all are refused, the form says why.
    """

    def check(state: State, actor: str) -> None:
        if not find_fields(state, actor)[0].options:
            raise Refused("not_allowed", none)

    return check


def name_everyone(state: State) -> tuple[Choice, ...]:
    """Everyone in the fight, by name and side."""
    return tuple(Choice(f.id, f.name, f.side) for f in present(state))


def anybody(state: State, label: str = "Who", rule: str = "") -> Field:
    """A field for any combatant, the first one prefilled."""
    people = name_everyone(state)
    return Field("target", label, "target", options=people, value=first_open(people), rule=rule)


def form_of(*fields: Field) -> FindFields:
    """A form whose fields are always the same."""
    return lambda state, actor: fields


def form_about(*fields: Field, rule: str = "") -> FindFields:
    """A form about any combatant, whose other fields are always the same."""
    return lambda state, actor: (anybody(state, rule=rule), *fields)


words_fields = form_of(Field("what", "What", "text", required=False))


def form_of_next(rule: str, whole: str = "All who act now") -> FindFields:
    """The form that ends a turn: which one, among those who act at the same time, or all of them."""

    def find_fields(state: State, actor: str) -> tuple[Field, ...]:
        acting = [who for who in (state.active, *state.sharing) if who in state.combatants]
        options = (Choice("", "the first"), *(Choice(who, state.combatants[who].name) for who in acting))
        return (
            Field(
                "target", "Whose turn ends", "choice", options=options, value="", rule=rule, required=False
            ),
            Field("whole", whole, "flag", rule=rule, required=False),
        )

    return find_fields


def seen_fields(state: State, rule: str) -> tuple[Field, ...]:
    """On a map with walls: a field to say that nothing is in the way."""
    label = "Nothing on the map is in the way"
    return (folded_field("seen", label, "flag", rule=rule),) if map_of(state.scene) else ()


def target_field(
    people: Iterable[Combatant],
    describe: Callable[[Combatant], str],
    refuse: Callable[[Combatant], str],
    wanted: str = "",
    rule: str = "",
) -> Field:
    """A field for the target, each with a few words; those refused are grayed out with the reason."""
    options = tuple(Choice(f.id, f.name, describe(f), refuse(f)) for f in people)
    return Field(
        "target", "Target", "target", options=options, value=wanted or first_open(options), rule=rule
    )


def name_places(
    state: State,
    others: Iterable[Combatant],
    describe: Callable[[Combatant], str],
    is_enemy: Callable[[Combatant], bool],
) -> tuple[Choice, ...]:
    """Named places to go to: next to others, the zones, and away from enemies."""
    people = tuple(others)
    near = (Choice(f"near:{f.id}", f"next to {f.name}", describe(f)) for f in people)
    zones = (Choice(f"zone:{zone.id}", zone.name) for zone in state.scene.zones)
    away = (Choice(f"away:{f.id}", f"away from {f.name}") for f in people if is_enemy(f))
    return (*near, *zones, *away)


def name_goals(
    state: State,
    combatant: Combatant,
    describe: Callable[[Point], str],
    find_middle: Callable[[Zone], Point] = lambda zone: zone.centre,
    describe_other: Callable[[Combatant], str] | None = None,
) -> tuple[Choice, ...]:
    """Named places to go to, with the distance of each: the zones, next to others, and away from enemies."""
    tell = describe_other or (lambda other: describe(other.at))
    others = [f for f in present(state) if f.id != combatant.id]
    zones = (Choice(f"zone:{zone.id}", zone.name, describe(find_middle(zone))) for zone in state.scene.zones)
    near = (Choice(f"near:{f.id}", f"next to {f.name}", tell(f)) for f in others)
    foes = (f for f in others if f.side != combatant.side)
    return (*zones, *near, *(Choice(f"away:{f.id}", f"away from {f.name}", tell(f)) for f in foes))
