"""What a game does that declares nothing else."""

from __future__ import annotations

from .basics.words import Label, say_number
from .commands.context import RuleContext
from .space import Point, Scene, Zone, distance
from .space.rings import Measured
from .state.state import Combatant, Condition, Item, State


def no_warnings(state: State, scene: Scene) -> tuple[Label, ...]:
    """Nothing is odd about the scene."""
    return ()


def keep_seat(context: RuleContext, who: str, why: Label) -> None:
    """The order does not follow a score."""


def stand_there(context: RuleContext, who: str) -> None:
    """Let the ground do nothing to a fighter put on it."""


def describe_metres(state: State, fighter: Combatant, zone: Zone) -> str:
    """How far the middle of a zone is from a fighter, in metres."""
    return f"{say_number(distance(fighter.at, zone.centre))} m"


def measure_straight(state: State, a: Point, b: Point) -> Measured:
    """Metres along a straight line."""
    return Measured(f"{say_number(distance(a, b))} m", a, b)


def own_all(fighter: Combatant, key: str) -> bool:
    """Every combatant has every track."""
    return True


def stand_alone(state: State, fighter: Combatant) -> bool:
    """Whoever is not out can fight by themselves."""
    return True


def tell_nothing(held: Condition) -> Label:
    """A condition is told by its name."""
    return ""


def lend_nothing(state: State, fighter: Combatant) -> tuple[Item, ...]:
    """Everybody has in hand what is theirs."""
    return ()


def look_human(fighter: Combatant) -> str:
    """Everybody looks like a person."""
    return "person"


def no_hexes(state: State) -> bool:
    """The plane is measured as it is."""
    return False


def offer_all(state: State, block: object) -> bool:
    """Every stat block is for every table."""
    return True
