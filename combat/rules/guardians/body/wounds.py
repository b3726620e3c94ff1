"""The consequences of the Mortality Points, Toughness and Fatigue that someone has left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import system_of
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    find_condition,
    has_condition,
    is_acting,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_condition, remove_conditions

from ..book.tables import ARMS, HEAD, LEGS, LIMBS, TORSO
from ..characters.conditions import KINDS, find_on_part, find_useless, is_on_part
from ..characters.sheet import is_able
from ..characters.values import find_health_ranks, find_mp, has_lost_half
from ..world.reach import find_excess, find_held, find_lost_things
from .states import (
    CAUSE,
    CRUSHED,
    ENDS,
    HOW,
    KNOCKED,
    LASTS,
    PART,
    POINTS,
    SEVERED,
    bleed,
    bleeds_disabled,
    clear_limb,
    die,
    drop,
    end_of_round,
    fall_prone,
    find_sleep,
    knock_out,
    lie_down,
    mark_limb,
    stop,
)

ON_PARTS = KINDS.tagged("limb")
SOME_LIMB = "right_arm"  # where the GM sets a limb's state without naming a limb


def lose_points(
    context: RuleContext, who: str, place: str, points: int, *, why: Label, rule: str, **more: Any
) -> None:
    """Take points off that part only, never below 0; the rest is lost. [CG-ATK-04]  RULING R20"""
    now = find_mp(context.state[who], place)
    told = e.TrackChanged(who, f"mp.{place}", now, new=max(0, now - points), why=why, **more)
    context.emit(told, rule)


def face_points(
    context: RuleContext,
    who: str,
    cutting: frozenset[str] = frozenset(),
    changed: frozenset[str] | None = None,
) -> tuple[str, ...]:
    """Apply the consequences of the points left; return the limbs that were severed just now.

    `cutting` are the parts that a severing weapon has hit at this count, `changed` those with other points,
    if known.
    """
    limbs = [limb for limb in LIMBS if changed is None or limb in changed]
    severed = tuple(limb for limb in limbs if _face_limb(context, who, limb, limb in cutting))
    if limbs and find_useless(context.state[who]).issuperset(LEGS):
        fall_prone(context, who, "CG-LIMB-02")  # RULING R25
    if changed is None or TORSO in changed:
        _face_torso(context, who)
    if changed is None or HEAD in changed:
        _face_head(context, who)
    if changed is None:
        face_fatigue(context, who)
    return severed


def _face_limb(context: RuleContext, who: str, limb: str, cutting: bool) -> bool:
    """Disable a limb at half, destroy it at 0; return whether it was severed. [CG-LIMB-01] [CG-LIMB-03]"""
    combatant = context.state[who]
    if not find_mp(combatant, limb):
        if is_on_part(combatant, "destroyed", limb):
            return False
        destroy(context, who, limb, SEVERED if cutting else CRUSHED)
        return cutting
    _restore_limb(context, who, limb)
    is_lost = is_on_part(context.state[who], "destroyed", limb)
    if has_lost_half(combatant, limb) and not is_lost and not is_on_part(combatant, "disabled", limb):
        mark_limb(context, who, "disabled", part=limb, rule="CG-LIMB-01", **{CAUSE: POINTS})
        drop_from(context, who, limb)
        if bleeds_disabled(context.state):
            bleed(context, who, limb)
    return False


def destroy(context: RuleContext, who: str, limb: str, how: str) -> None:
    """Destroy a limb, which then bleeds. [CG-LIMB-03] [CG-BLEED-01]  RULING R26 R27"""
    clear_limb(context, who, "disabled", part=limb, why="why.destroyed", rule="CG-LIMB-03")
    mark_limb(context, who, "destroyed", part=limb, rule="CG-LIMB-03", **{HOW: how, CAUSE: POINTS})
    bleed(context, who, limb)
    drop_from(context, who, limb)


def _restore_limb(context: RuleContext, who: str, limb: str) -> None:
    """Restore a limb once healing brings its loss under half, or magic a lost one.  RULING R25 R26"""
    combatant = context.state[who]
    lost = find_on_part(combatant, "destroyed", limb)
    if lost and lost.marks.get(CAUSE) == POINTS:
        remove_condition(context, who, lost, why="why.healed", rule="CG-LIMB-04")
        clear_limb(context, who, "bleeding", part=limb, why="why.healed", rule="CG-LIMB-04")
    held = find_on_part(combatant, "disabled", limb)
    if held and held.marks.get(CAUSE) == POINTS and not has_lost_half(combatant, limb):
        remove_condition(context, who, held, why="why.healed", rule="CG-LIMB-01")
        if bleeds_disabled(context.state):
            clear_limb(context, who, "bleeding", part=limb, why="why.healed", rule="CG-BLEED-01")


def drop_from(context: RuleContext, who: str, limb: str) -> None:
    """Drop what a useless arm holds; with the last arm, everything. [CG-LIMB-02]  RULING R45"""
    if limb not in ARMS:
        return
    combatant = context.state[who]
    lost = find_lost_things(combatant, limb)
    kept = [item for item in find_held(combatant) if item not in lost]
    drop(context, who, *lost, *find_excess(combatant, kept))


def _face_torso(context: RuleContext, who: str) -> None:
    """Wound the torso from half on until healed; dead at 0. [CG-TORSO-01] [CG-TORSO-02] [CG-TORSO-04]"""
    combatant = context.state[who]
    held = next((c for c in combatant.conditions if c.kind == "torso_wound" and c.marks.get(CAUSE)), None)
    if has_lost_half(combatant, TORSO) and not has_condition(combatant, "torso_wound"):
        add_condition(context, who, "torso_wound", marks={CAUSE: POINTS})
    elif held and not has_lost_half(combatant, TORSO):
        remove_condition(context, who, held, why="why.healed", rule="CG-TORSO-02")
    _face_death(context, who, TORSO, "CG-TORSO-04")


def _face_head(context: RuleContext, who: str) -> None:
    """Unconscious from half on until healed; dead at 0. [CG-HEAD-01] [CG-HEAD-02]  RULING R29"""
    _face_death(context, who, HEAD, "CG-HEAD-02")
    combatant = context.state[who]
    held = [c for c in find_sleep(context.state, who) if c.marks.get(CAUSE) == POINTS]
    if find_mp(combatant, HEAD) and has_lost_half(combatant, HEAD) and not has_condition(combatant, "dead"):
        if not held:
            knock_out(context, who, "CG-HEAD-01", POINTS)
    else:
        for sleep in held:
            remove_condition(context, who, sleep, why="why.healed", rule="CG-HEAD-01")


def _face_death(context: RuleContext, who: str, place: str, rule: str) -> None:
    """Die if the part has no points left; return to life by the GM, or by magic where allowed."""
    combatant = context.state[who]
    if not find_mp(combatant, place):
        die(context, who, rule, place)
        return
    dead = find_condition(combatant, "dead")
    if dead and dead.marks.get(CAUSE) == place:
        remove_condition(context, who, dead, why="why.alive", rule=rule)


def face_fatigue(context: RuleContext, who: str) -> None:
    """Exhausted once Fatigue equals unhurt Health. [CG-FAT-04]  RULING R24"""
    combatant = context.state[who]
    fatigue, held = combatant.tracks["fatigue"], find_condition(combatant, "exhausted")
    if fatigue >= find_health_ranks(combatant):
        if held is None and not has_condition(combatant, "dead"):
            add_condition(context, who, "exhausted", marks={CAUSE: POINTS})
            _exhaust(context, who, held)
    elif held and held.marks.get(CAUSE) and (not fatigue or context.option("exhaustion_ends") != "at_zero"):
        remove_condition(context, who, held, why="why.rested", rule="CG-FAT-05")


# ---------------------------------------------------------------- changes by the GM


def after_change(context: RuleContext, before: Combatant) -> None:
    """Apply the consequences of a GM's change of a combatant.  [CG-REF-11]"""
    who = before.id
    _hold_once(context, before)
    given = [held for held in context.state[who].conditions if held not in before.conditions]
    for held in given:
        _begin(context, who, held)
    ended = _find_ended(before, context.state[who], {held.kind for held in given})
    known = {held.id for held in context.state[who].conditions}
    face_points(context, who)
    back = [held for held in context.state[who].conditions if held.id not in known]
    for held in ended:
        _check_ended(context, context.state[who], held, back)


def _find_ended(before: Combatant, now: Combatant, given: set[str]) -> list[Condition]:
    """The conditions that the GM removed without replacing them."""
    kept = {held.id for held in now.conditions}
    return [held for held in before.conditions if held.id not in kept and held.kind not in given]


def _check_ended(context: RuleContext, combatant: Combatant, held: Condition, back: list[Condition]) -> None:
    """Refuse to end a condition that the points of a part, or Fatigue, bring back at once."""
    same = [new for new in back if new.kind == held.kind and new.marks.get(PART) == held.marks.get(PART)]
    if not same:
        return
    if held.kind == "prone":
        raise Refused("not_allowed", f"Neither leg of {combatant.name} can be used: heal one first.")
    key = _find_ground(held)
    label = next(track.label for track in system_of(context).characters.tracks if track.key == key)
    text = f"{context.system.draw(held.label)}: it follows from {label} {combatant.tracks[key]}."
    raise Refused("not_allowed", f"{text} Change that first.")


def _find_ground(held: Condition) -> str:
    """The track that causes a state."""
    places = {"torso_wound": TORSO, "unconscious": HEAD, "dead": str(held.marks.get(CAUSE, ""))}
    return "fatigue" if held.kind == "exhausted" else f"mp.{held.marks.get(PART) or places[held.kind]}"


def _hold_once(context: RuleContext, before: Combatant) -> None:
    """End the old state when the GM gives the same one again."""
    combatant = context.state[before.id]
    new = [
        held for held in combatant.conditions if held not in before.conditions and held.kind not in ON_PARTS
    ]
    for held in before.conditions:
        if any(held.kind == given.kind for given in new):
            told = e.ConditionEnded(before.id, held.id, held.label, "why.one_is_enough")
            context.emit(told, held.rule, e.GM_ONLY)


def _begin(context: RuleContext, who: str, held: Condition) -> None:
    """Begin a state that the GM gave like any other."""
    row = KINDS.get(held.kind)
    if row and row.begins:
        BEGINS[row.begins](context, who, held)


def _begin_brief(context: RuleContext, who: str, held: Condition) -> None:
    """Take the actions, for this round and the next unless the GM says how long."""
    if not held.until and not {ENDS, LASTS} & held.marks.keys():
        ends = end_of_round(context.state, 1)
        context.emit(e.ConditionChanged(who, replace(held, marks={**held.marks, ENDS: ends})), held.rule)
    stop(context, who, f"condition.{held.kind}", held.rule)


def _begin_sleep(context: RuleContext, who: str, held: Condition) -> None:
    """Sleep as after a blow, unless the cause is known."""
    marks = {CAUSE: KNOCKED, **held.marks}
    context.emit(e.ConditionChanged(who, replace(held, marks=marks)), held.rule, e.GM_ONLY)
    lie_down(context, who, held.rule)


def _stay_down(context: RuleContext, who: str, held: Condition) -> None:
    """Those who cannot get up lie without a limit in turns."""
    if has_condition(context.state[who], "unconscious", "dead"):
        fall_prone(context, who)


def _exhaust(context: RuleContext, who: str, held: Condition | None) -> None:
    remove_conditions(context, who, *KINDS.ended_by("exhaustion"), why="condition.exhausted")


def _check_holds(context: RuleContext, who: str) -> None:
    """Refuse to let someone hold who is acting now, or cannot act. [CG-ACT-06]"""
    combatant = context.state[who]
    if is_acting(context.state, who) or not is_able(combatant):
        raise Refused(
            "not_allowed", f"{combatant.name} has nothing to hold: only who can act, out of turn, does."
        )


def _place_somewhere(context: RuleContext, who: str, held: Condition) -> None:
    """Put a limb's state without a limb on the first limb that is free of it."""
    if PART in held.marks:
        return
    combatant = context.state[who]
    taken = (held.kind, "destroyed") if held.kind == "disabled" else (held.kind,)
    limbs = (SOME_LIMB, *LIMBS)
    free = [limb for limb in limbs if not any(is_on_part(combatant, kind, limb) for kind in taken)]
    remove_condition(context, who, held, "why.one_is_enough")
    if not free:
        return
    if held.kind == "bleeding":
        bleed(context, who, free[0])
        return
    extra = {HOW: CRUSHED} if held.kind == "destroyed" else {}
    if held.kind == "destroyed":
        clear_limb(context, who, "disabled", part=free[0], why="why.destroyed", rule=held.rule)
    mark_limb(context, who, held.kind, part=free[0], rule=held.rule, **extra)
    drop_from(context, who, free[0])


BEGINS: dict[str, Callable[[RuleContext, str, Condition], None]] = {  # named in conditions.toml
    "stop": _begin_brief,
    "sleep": _begin_sleep,
    "collapse": lambda context, who, held: lie_down(context, who, held.rule),
    "stay_down": _stay_down,
    "exhaust": _exhaust,
    "hold": lambda context, who, held: _check_holds(context, who),
    "place_somewhere": _place_somewhere,
}
