"""The GM's rulings on bodies: special damage and the states of limbs. [CG-REF-11] The log shows each."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import folded_field, form_about
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state import events as e
from combat.rules.core.state.state import has_condition, replace

from ..body.effects import Effect, write_effect
from ..body.resolve import face_all, resolve_count
from ..body.states import CRUSHED, HOW, SEVERED, bleed, clear_limb, mark_limb
from ..body.wounds import drop_from, face_points
from ..book.records import Place
from ..book.tables import LIMBS, PLACES, TORSO
from ..characters.conditions import find_on_part
from ..characters.values import find_mp
from ..fight.damage import soak_terms
from ..world.acting import REASON, gm, name_keys, part_field

Limb = Literal["left_arm", "right_arm", "left_leg", "right_leg"]
MAX_POINTS = 999

# ---------------------------------------------------------------- damage


class Harm(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Damage that the GM adds: dice or a number, to a part of the body, with or without soak. [CG-SPEC-07]"""

    place: Place
    damage: str
    soak: bool = False
    severs: bool = False


harm_fields = form_about(
    part_field(PLACES, TORSO),
    Field("damage", "Damage", "text", value="2d6", help="dice, or points", rule="CG-SPEC-07"),
    Field("soak", "Less armor and Toughness", "flag", rule="CG-ATK-03", required=False),
    folded_field("severs", "It can sever", "flag", rule="CG-LIMB-05"),
    REASON,
)


def do_harm(context: RuleContext, command: Harm) -> Then | None:
    """Deal damage as entered; armor and Toughness count if selected. [CG-SPEC-07]  RULING R18"""
    target = context.state[command.target]
    if has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is dead: choose another target.")
    points = read_points(command.damage)
    overrule(context, "gm.harm", command, target.id, part=f"place.{command.place}")
    roll = None
    if not points:
        roll = context.roll(command.damage, by=target.id, rule="CG-SPEC-07", why="roll.special")
        points = max(0, roll.total)
    terms: Modifiers = (Modifier("term.special", points, "CG-SPEC-07"),)
    if command.soak:
        terms = (*terms, *soak_terms(context.state, target, command.place))
    lost = max(0, sum(term.value for term in terms))
    effect = Effect(
        kind="wound",
        who=target.id,
        target=target.id,
        place=command.place,
        rule="CG-SPEC-07",
        points=min(lost, find_mp(target, command.place)),
        severs=command.severs,
        why="why.special",
        terms=terms,
        roll=roll,
    )
    return resolve_count(context, (write_effect(effect),))


def read_points(text: str) -> int:
    """A whole number of points; 0 for dice to roll. Refused for any other text."""
    try:
        dice = parse_dice(text)
    except ValueError:
        raise Refused("bad_value", "Enter dice such as 2d6, or a number of points.") from None
    if not dice.count and not 1 <= dice.plus <= MAX_POINTS:
        raise Refused("bad_value", f"Enter 1 to {MAX_POINTS} points, or dice such as 2d6.")
    return 0 if dice.count else dice.plus


# ---------------------------------------------------------------- limbs


class SetLimb(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The state of a limb that the GM sets."""

    place: Limb
    state: Literal["sound", "disabled", "severed", "crushed", "bleeding", "stanched"]


STATES = name_keys(("sound", "disabled", "severed", "crushed", "bleeding", "stanched"))
limb_fields = form_about(
    part_field(LIMBS, "right_arm"),
    Field("state", "Is now", "choice", options=STATES, value="disabled", rule="CG-LIMB-03"),
    REASON,
)


def set_limb(context: RuleContext, command: SetLimb) -> Then | None:
    """Set the state of a limb; its points follow. [CG-LIMB-03] [CG-BLEED-01]  RULING R26 R27"""
    who, limb = context.state[command.target].id, command.place
    overrule(context, "gm.limb", command, who, part=f"place.{limb}", what=f"limb_state.{command.state}")
    if command.state in (SEVERED, CRUSHED):
        return _lose_limb(context, who, limb, command.state)
    if command.state == "bleeding":
        clear_limb(context, who, "bleeding", part=limb, why="why.gm", rule="CG-BLEED-01")
        bleed(context, who, limb)
    elif command.state == "stanched":
        clear_limb(context, who, "bleeding", part=limb, why="why.gm", rule="CG-BLEED-03")
    elif command.state == "disabled":
        _disable(context, who, limb)
    else:
        _restore(context, who, limb)
    return None


def _lose_limb(context: RuleContext, who: str, limb: str, how: str) -> Then | None:
    """Sever or crush a limb; one already lost only gets the new word."""
    held = find_on_part(context.state[who], "destroyed", limb)
    if held:
        label = say("limb.lost", part=f"place.{limb}", how=f"how_lost.{how}")
        changed = replace(held, label=label, marks={**held.marks, HOW: how})
        context.emit(e.ConditionChanged(who, changed), "CG-LIMB-03")
        return None
    now = find_mp(context.state[who], limb)
    context.emit(e.TrackChanged(who, f"mp.{limb}", now, new=0, why="why.gm"), "CG-LIMB-03")
    cuts = ((who, limb),) if how == SEVERED else ()
    return face_all(context, (who,), cuts)


def _disable(context: RuleContext, who: str, limb: str) -> None:
    """Disable a limb, with at least 1 point, as 0 would destroy it; that arm drops items.  RULING R25 R45"""
    if not find_mp(context.state[who], limb):
        context.emit(e.TrackChanged(who, f"mp.{limb}", 0, new=1, why="why.gm"), "CG-LIMB-03")
        face_points(context, who, changed=frozenset({limb}))
    clear_limb(context, who, "destroyed", part=limb, why="why.gm", rule="CG-LIMB-03")
    mark_limb(context, who, "disabled", part=limb, rule="CG-LIMB-01")
    drop_from(context, who, limb)
    face_points(context, who, changed=frozenset({limb}))


def _restore(context: RuleContext, who: str, limb: str) -> None:
    """Restore a limb with all its points."""
    for kind in ("destroyed", "disabled", "bleeding"):
        clear_limb(context, who, kind, part=limb, why="why.gm", rule="CG-REF-11")
    combatant = context.state[who]
    full = {**combatant.sheet["computed"], **combatant.sheet["mortality"]}[limb]
    now = find_mp(combatant, limb)
    if now < full:
        context.emit(e.TrackChanged(who, f"mp.{limb}", now, new=full, why="why.gm"), "CG-REF-11")


ACTIONS = (gm("harm", do_harm, fields=harm_fields), gm("limb", set_limb, fields=limb_fields))
