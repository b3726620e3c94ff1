"""Falls: 1d6 for each stretch of meters, by gravity; only a shorter fall helps."""

from __future__ import annotations

from combat.rules.core.basics.dice.dice import MAX_DICE, parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field, anybody, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State

from .body.damage import Harm, Onward, go, hurt
from .book.options import find_option
from .book.tables import GRAVITIES
from .characters.sheet import features_of
from .world.acting import gm
from .world.paths import find_stretch

MAX_METERS = 1000


class Fall(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fall or a drop; `per_die` replaces the meters that gravity sets for each die."""

    metres: int
    deliberate: bool = False
    per_die: int = 0


def fall(context: RuleContext, command: Fall) -> Then | None:
    """An accident, or a drop on purpose. [SS-FALL-01] [SS-FALL-02] [SS-FALL-03]"""
    combatant = context.state[command.target]
    if not 0 <= command.metres <= MAX_METERS or not 0 <= command.per_die <= MAX_METERS:
        raise Refused("bad_value", f"A fall is 0 to {MAX_METERS} m.")
    overrule(context, "gm.fall", command, combatant.id, metres=command.metres)
    return drop_down(
        context, combatant.id, command.metres, deliberate=command.deliberate, per_die=command.per_die
    )


def find_deepest(state: State) -> int:
    """The meters of the deepest fall that one roll can count."""
    return MAX_DICE * find_stretch(state)[0]


def count_fall_dice(state: State, meters: float, deliberate: bool, per_die: int = 0) -> int:
    """The dice for whole stretches only; one stretch on purpose is free. [SS-FALL-04]  RULING R31

    Refused if they are more than one roll has.
    """
    each = per_die or find_stretch(state)[0]
    dice = int(meters // each)
    if deliberate and meters <= each:
        return 0
    if deliberate and find_option(state, "deliberate_drop") == "subtract_one_increment":
        dice = max(0, dice - 1)
    if dice > MAX_DICE:
        text = f"A fall rolls up to {MAX_DICE} dice: that is {MAX_DICE * each} m at {each} m per die."
        raise Refused("bad_value", text)
    return dice


def drop_down(
    context: RuleContext,
    who: str,
    meters: float,
    deliberate: bool,
    per_die: int = 0,
    onward: Onward = (),
) -> Then | None:
    """Roll and deal the damage: only gravity and distance count, no Armor. [SS-FALL-05]"""
    rule = find_stretch(context.state)[1]
    dice = count_fall_dice(context.state, meters, deliberate, per_die)
    if not dice:
        landed = e.Said("log.lands", who, args={"metres": meters})
        context.emit(landed, "SS-FALL-04" if deliberate else rule)
        return go(onward)
    features, why = features_of(context.state[who]), say("why.fall", metres=meters)
    if each := max((f.fall_die for f in features), default=0):
        return hurt(context, who, Harm(amount=dice * each, why=why, rule=rule), onward=onward)
    notation = str(parse_dice(f"{dice}d6"))
    roll = context.roll(notation, by=who, rule=rule, why=why)
    terms = [Modifier(say("term.fall", dice=notation), roll.total, rule)]
    if halved := next((f for f in features if f.halves_falls), None):
        terms.append(Modifier(halved.name, roll.total // 2 - roll.total, rule))
    points = sum(term.value for term in terms)
    harm = Harm(amount=points, why=why, rule="SS-FALL-05", terms=tuple(terms))
    return hurt(context, who, harm, roll=roll, onward=onward)


def fall_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Who falls, how far, and whether on purpose. [SS-FALL-04]"""
    gravity = GRAVITIES[state.scene.settings.get("gravity", "mars_artigrav")]
    hint = f"1d6 per {gravity.metres} m here ({gravity.name}), up to {MAX_DICE} dice"
    usual = "default: the gravity here"
    return (
        anybody(state),
        number_field("metres", "Distance (m)", gravity.metres, low=0, high=1000, help=hint),
        Field("deliberate", "On purpose", "flag", rule="SS-FALL-04", required=False),
        number_field(
            "per_die",
            "Distance per 1d6 (m)",
            gravity.metres,
            low=0,
            high=1000,
            help=usual,
            required=False,
            more=True,
        ),
    )


ACTIONS = (gm("fall", fall, fields=fall_fields),)
