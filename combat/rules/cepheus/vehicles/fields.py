"""Fields of the forms of vehicles and machines, and the obstacles of those that need one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.state.state import Combatant, State, present

from ..characters.values import is_machine, is_person, is_vehicle
from ..world.acting import find_reason

FACINGS = (Choice("0", "up"), Choice("90", "right"), Choice("180", "down"), Choice("270", "left"))


def choose(
    state: State,
    name: str,
    label: str,
    people: Iterable[Combatant],
    check: Callable[[State, str], object] | None = None,
    rule: str = "",
    required: bool = True,
) -> Field:
    """A field to choose a combatant; those refused are grayed out with the reason."""
    options = tuple(Choice(f.id, f.name, refused=find_reason(state, f, check)) for f in people)
    if not required:
        options = (Choice("", "nobody"), *options)
    return Field(
        name, label, "choice", options=options, value=first_open(options), rule=rule, required=required
    )


def find_machines(state: State) -> list[Combatant]:
    """All vehicles and robots."""
    return [one for one in present(state) if is_machine(one)]


def find_vehicles(state: State) -> list[Combatant]:
    """All vehicles."""
    return [one for one in present(state) if is_vehicle(one)]


def find_people(state: State) -> list[Combatant]:
    """All people and animals."""
    return [combatant for combatant in present(state) if is_person(combatant)]


def any_machine(state: State, actor: str) -> None:
    """For the GM: refuse without a machine."""
    if not find_machines(state):
        raise Refused("not_allowed", "There is no vehicle and no robot here.")


def any_vehicle(state: State, actor: str) -> None:
    """For the GM: refuse without a vehicle."""
    if not find_vehicles(state):
        raise Refused("not_allowed", "There is no vehicle here.")
