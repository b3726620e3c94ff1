"""Healing: by nature or by magic, and its limits; and repairs of armor."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import Label, possessive
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, find_condition, replace

from ..body.harm import face_points
from ..body.states import CAUSE
from ..book.options import find_option
from ..book.tables import HEAD, PLACES, TORSO
from ..people.conditions import is_on_part
from ..people.values import BROKEN, count_lost, find_mp

Place = Literal["head", "left_arm", "right_arm", "torso", "left_leg", "right_leg"]
MAX_POINTS = 999


class Heal(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Mortality Points for one part of the body; `magic` may restore what nothing else does."""

    place: Place
    points: int
    magic: bool = False


def heal(context: RuleContext, command: Heal) -> None:
    """Heal a part, if it can be healed. [CG-LIMB-04] [CG-HEAD-03] [CG-TORSO-02]"""
    target = check_heal(context.state, command)
    how = "gm.magic" if command.magic else "gm.heals"
    overrule(context, how, command, target.id, part=f"place.{command.place}")
    rule = "CG-LIMB-04" if command.magic else "CG-TORSO-02"
    heal_place(context, target.id, command.place, command.points, "why.healed", rule, command.magic)


def check_heal(state: State, command: Heal) -> Combatant:
    """Refuse what cannot be healed: the dead, a destroyed limb without magic.  RULING R26 R30"""
    target = state[command.target]
    if not 1 <= command.points <= MAX_POINTS:
        raise Refused("bad_value", f"Heal 1 to {MAX_POINTS} Mortality Points.")
    check_dead(state, target, command.magic)
    name = command.place.replace("_", " ")
    if is_on_part(target, "destroyed", command.place) and not command.magic:
        raise Refused("not_allowed", f"The {name} is destroyed: only magic restores it (select “By magic”).")
    if not count_lost(target, command.place):
        raise Refused("bad_value", f"{possessive(target.name)} {name} is whole: choose another part.")
    return target


def check_dead(state: State, target: Combatant, magic: bool) -> None:
    """Refuse to heal the dead, except by magic for the torso if the table allows it. [CG-HEAD-03]"""
    dead = find_condition(target, "dead")
    if dead is None:
        return
    torso = dead.marks.get(CAUSE) == TORSO and find_mp(target, HEAD) > 0
    if magic and torso and find_option(state, "torso_death_irrevocable") == "no":
        return
    raise Refused("bad_target", f"{target.name} is dead: no healing helps, not even magic.")


def heal_place(
    context: RuleContext, who: str, place: str, points: int, why: Label, rule: str, magic: bool = False
) -> None:
    """Give points back to a part that can be healed, and apply the consequences.  RULING R25"""
    combatant = context.state[who]
    gain = min(points, count_lost(combatant, place))
    if gain <= 0 or (is_on_part(combatant, "destroyed", place) and not magic):
        return
    now = find_mp(combatant, place)
    context.emit(e.TrackChanged(who, f"mp.{place}", now, now + gain, why), rule)
    face_points(context, who)


# ---------------------------------------------------------------- armor


def repair(context: RuleContext, command: Target) -> None:
    """Repair armor between fights, natural armor too. [CG-SPEC-03]  RULING R13"""
    target = context.state[command.target]
    if context.state.phase == "fight":
        raise Refused("not_allowed", "Armor is repaired between fights: end this one first.")
    bare = [place for place in PLACES if BROKEN + place in target.marks]
    if not find_damaged(target) and not bare:
        raise Refused("not_allowed", f"No armor of {target.name} needs repair.")
    overrule(context, "gm.repair", command, target.id)
    for item in find_damaged(target):
        whole = replace(item, marks={k: v for k, v in item.marks.items() if not k.startswith(BROKEN)})
        context.emit(e.ItemChanged(target.id, whole, "how.repaired"), "CG-SPEC-03")
    for place in bare:
        context.emit(e.Marked(target.id, BROKEN + place, None), "CG-SPEC-03", e.GM_ONLY)


def find_damaged(target: Combatant) -> list[Item]:
    """The damaged pieces of armor."""
    return [item for item in target.items if any(key.startswith(BROKEN) for key in item.marks)]
