"""Falls: so many metres are 1d6, by gravity; nothing helps but falling less far."""

from __future__ import annotations

from ..core import events as e
from ..core.dice import parse_dice
from ..core.errors import Refused
from ..core.gm import Target, overrule
from ..core.modifiers import Modifier
from ..core.state import State
from ..core.table import Table, Then
from .damage import Harm, hurt
from .sheet import features_of, find_option
from .tables import GRAVITIES

MOST_METRES = 1000


class Fall(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody falls or drops; `per_die` are other metres for each die than the gravity has."""

    metres: int
    deliberate: bool = False
    per_die: int = 0


def fall(table: Table, command: Fall) -> Then | None:
    """[SS-FALL-01] [SS-FALL-02] [SS-FALL-03] An accident, or a drop on purpose."""
    fighter = table.state[command.target]
    if not 0 <= command.metres <= MOST_METRES or not 0 <= command.per_die <= MOST_METRES:
        raise Refused("bad_value", f"A fall is 0 to {MOST_METRES} m.")
    overrule(table, f"a fall of {command.metres} m for {fighter.name}", command, fighter.id)
    return drop_down(table, fighter.id, command.metres, command.deliberate, command.per_die)


def find_stretch(state: State) -> tuple[int, str]:
    """The metres of one die in this gravity, and the rule."""
    row = GRAVITIES[state.scene.settings.get("gravity", "mars_artigrav")]
    return row.metres, row.rule


def count_fall_dice(state: State, metres: int, deliberate: bool, per_die: int = 0) -> int:
    """[SS-FALL-04] Whole stretches only; one stretch on purpose is free.  RULING R31"""
    each = per_die or find_stretch(state)[0]
    dice = metres // each
    if deliberate and metres <= each:
        return 0
    if deliberate and find_option(state, "deliberate_drop") == "subtract_one_increment":
        return max(0, dice - 1)
    return dice


def drop_down(table: Table, who: str, metres: int, deliberate: bool, per_die: int = 0) -> Then | None:
    """[SS-FALL-05] Roll and deal the damage: only gravity and distance count, no Armor."""
    rule = find_stretch(table.state)[1]
    dice = min(100, count_fall_dice(table.state, metres, deliberate, per_die))
    if not dice:
        text = f"{{who}} lands after {metres} m without harm."
        table.tell(e.Said(text, who), "SS-FALL-04" if deliberate else rule)
        return None
    features = features_of(table.state[who])
    if any(f.fall_die for f in features):
        harm = Harm(amount=dice, why=f"a fall of {metres} m", rule=rule)
        return hurt(table, who, harm)
    notation = str(parse_dice(f"{dice}d6"))
    roll = table.roll(notation, by=who, rule=rule, why=f"a fall of {metres} m")
    terms = [Modifier(f"Fall {notation}", roll.total, rule)]
    if any(f.halves_falls for f in features):
        terms.append(Modifier("Controlled movement", roll.total // 2 - roll.total, rule))
    points = sum(term.value for term in terms)
    harm = Harm(amount=points, why=f"a fall of {metres} m", rule="SS-FALL-05", terms=tuple(terms))
    return hurt(table, who, harm, roll)
