"""Exposure: vacuum, heat, cold, radiation and toxic air; when each is checked, and its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.system import system_of
from combat.rules.core.space import Point, Scene
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    State,
    find_condition,
    has_condition,
    present,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_condition, remove_conditions

from ..body.damage import die, hurt
from ..book.tables import ROUND_SECONDS, HazardLevel, hazard_levels
from ..characters.sheet import ability, attribute
from ..dice import check_terms, default_tn, did_succeed, roll_check, save
from ..environment import find_around, is_heavy, read_setting
from .protection import SPECIES_RULE, hazard_terms, is_exposed

HAZARDS = {  # the names of harm, for rolls and losses
    "radiation": "why.radiation",
    "toxic": "why.toxic_air",
    "heat": "why.heat",
    "cold": "why.cold",
}
SAVE_RULES = {"radiation": "COS-HAZ-15", "toxic": "COS-HAZ-18"}
HARM_RULES = {"radiation": "COS-HAZ-16", "toxic": "COS-HAZ-19"}
TEMPERATURE_DICE = "1d6"  # RULING R46
TEMPERATURES = {  # for each temperature of a scene: its kind, and the seconds between checks.  RULING R46
    "heat": ("heat", 600),
    "great_heat": ("heat", 60),
    "cold": ("cold", 600),
    "great_cold": ("cold", 60),
}
VACUUM_DICE = "2d6"  # COS-ENV-14
VACUUM = "vacuum"
MINUTE = 60
INTERVALS = {"round": ROUND_SECONDS, "minute": 60, "10 minutes": 600, "hour": 3600, "day": 86_400}
USUAL = {"temperature": "normal", "radiation": "none", "air": "normal"}  # settings that harm nobody
TIMED = ("gravity", "heat", "cold", "radiation", "toxic")
SINCE = frozenset(f"{kind}_since" for kind in TIMED)  # marks: the clock when an exposure began


def find_level(state: State, kind: str) -> HazardLevel | None:
    """The level of the scene's radiation or air; None if it is harmless.  RULING R43."""
    if kind == "radiation":
        level = read_setting(state, "radiation", "none")
        return None if level == "none" else hazard_levels().get(f"radiation_{level}")
    air = read_setting(state, "air", "normal")
    return None if air == "normal" else hazard_levels().get(air)


def face_level(context: RuleContext, who: str, level: HazardLevel) -> None:
    """The save against radiation or toxic air, and the effect of a failure. [COS-HAZ-15] [COS-HAZ-18]

    Damage or a condition; armor does not help. [COS-HAZ-19] Rest alone does not heal radiation damage.
    [COS-HAZ-16]
    """
    plus = hazard_terms(context.state, context.state[who], level.hazard)
    what = HAZARDS[level.hazard]
    why = say("roll.level", what=what, level=f"level.{level.level}")
    rule, harm = SAVE_RULES[level.hazard], HARM_RULES[level.hazard]
    if save(context, who, level.save, target=level.tn, rule=rule, why=why, plus=plus):
        return
    if level.damage != "0":
        roll = context.roll(level.damage, by=who, rule=harm, why=why)
        terms = (name_dice(what, level.damage, roll.total, harm),)
        lost = hurt(context, who, roll.total, why=what, rule=harm, terms=terms, roll=roll)
        if level.hazard == "radiation":
            irradiate(context, who, lost)
    weaken(context, who, level, harm)


def weaken(context: RuleContext, who: str, level: HazardLevel, rule: str) -> None:
    """Give the condition of a level; if there are two, the GM picks. [COS-HAZ-19]  RULING R43."""
    combatant = context.state[who]
    kinds = [kind.lower() for kind in (level.condition, level.or_condition) if kind]
    left = [kind for kind in kinds if not has_condition(combatant, kind, "dead")]
    if len(left) > 1:
        options = tuple(
            Choice(kind, system_of(context).characters.describe_condition(kind).label) for kind in left
        )
        question = f"The air harms {combatant.name}: which condition?"
        left = [context.ask(GM, question, options, rule=rule, default=left[0])]
    for kind in left:
        add_condition(context, who, kind, rule=rule)


def irradiate(context: RuleContext, who: str, points: int) -> None:
    """Mark `points` HP as lost to radiation: rest does not restore them. [COS-HAZ-16]"""
    held = find_condition(context.state[who], "irradiated")
    if not points or has_condition(context.state[who], "dead"):
        return
    if held is None:
        add_condition(context, who, "irradiated", level=points)
    else:
        more = replace(held, level=held.level + points)
        context.emit(e.ConditionChanged(who, more), "COS-HAZ-16")


def name_dice(what: str, dice: str, total: int, rule: str) -> Modifier:
    """The dice of a harm as a term of the loss."""
    return Modifier(say("term.rolled_for", what=what, dice=dice), total, rule)


# Heat and cold: the checks to endure them.


def endure_terms(state: State, combatant: Combatant, kind: str = "") -> Modifiers:
    """The better of Might and Resolve, and Survival. [COS-ENV-22] [COS-HAZ-24]"""
    rule = "COS-ENV-22" if kind else "COS-HAZ-24"
    both = [check_terms(state, combatant, key, skill_name="Survival", rule=rule) for key in ("MIG", "RES")]
    terms = max(both, key=add_up)
    weak = ability(combatant, "cold_save_penalty") if kind == "cold" else 0
    return (*terms, Modifier("term.species", weak, SPECIES_RULE)) if weak else terms


def endure(context: RuleContext, who: str, kind: str) -> None:
    """The check to endure heat or cold. [COS-ENV-22]  RULING R46.

    The first failure tires (heat) or slows (cold) [COS-ENV-17] [COS-ENV-19]; each later one costs 1d6, and
    armor does not help. [COS-ENV-18] [COS-ENV-20]
    """
    terms = endure_terms(context.state, context.state[who], kind)
    roll_check(
        context,
        who,
        terms,
        target=default_tn(context.state),
        rule="COS-ENV-22",
        what="Survival",
        why=say("roll.endure", what=HAZARDS[kind]),
    )
    if did_succeed(context):
        return
    failed = int(context.state[who].marks.get(f"{kind}_failed", 0))
    context.emit(e.Marked(who, f"{kind}_failed", failed + 1), to=e.GM_ONLY)
    first, rule, later = (
        ("fatigued", "COS-ENV-17", "COS-ENV-18") if kind == "heat" else ("slowed", "COS-ENV-19", "COS-ENV-20")
    )
    if failed:
        roll = context.roll(TEMPERATURE_DICE, by=who, rule=later, why=HAZARDS[kind])
        terms = (name_dice(HAZARDS[kind], TEMPERATURE_DICE, roll.total, later),)
        hurt(context, who, roll.total, why=HAZARDS[kind], rule=later, terms=terms, roll=roll)
    elif not has_condition(context.state[who], first):
        add_condition(context, who, first, rule=rule)


# Vacuum: holding the breath, suffocation, and rescue.


Args = tuple[Any, ...]


def is_in_vacuum(state: State, combatant: Combatant) -> bool:
    """Whether a combatant's place has no air."""
    return state.scene.settings.get("air") == VACUUM or VACUUM in find_around(state.scene, combatant.at).tags


def is_airless(state: State, combatant: Combatant) -> bool:
    """Whether a combatant is in vacuum with nothing to breathe.  [COS-ENV-13]"""
    return is_in_vacuum(state, combatant) and is_exposed(state, combatant, VACUUM)


def end_round(context: RuleContext, then: Then) -> Then:
    """Advance all clocks of vacuum at the end of a round. [COS-ENV-13] [COS-ENV-14] [COS-ENV-16]

    RULING R42.
    """
    state, left = context.state, []
    for combatant in present(state):  # who has air and no condition neither gasps nor recovers
        if combatant.conditions or is_in_vacuum(state, combatant):
            left.append(combatant.id)
    return Then(_gasp_each, tuple(left), then.step, then.args) if left else then


def _gasp_each(
    context: RuleContext, left: tuple[str, ...], step: Callable[..., Then | None], args: Args
) -> Then:
    if not left:
        return Then(step, *args)
    breathe(context, left[0])
    return Then(_gasp_each, left[1:], step, args)


def is_counted_out(state: State, combatant: Combatant) -> bool:
    """Whether HP stay at 0 without air: no death saves and no loss. [COS-ENV-15]  RULING R42."""
    return has_condition(combatant, "last_breath") or (
        combatant.tracks["hp"] <= 0 and is_airless(state, combatant)
    )


def breathe(context: RuleContext, who: str) -> None:
    """Hold the breath for Resolve rounds [COS-ENV-13]; then 2d6 a round. [COS-ENV-14]  RULING R42.

    HP stop at 0, with a countdown. [COS-ENV-15] Armor does not help; a sealed suit does.
    """
    combatant = context.state[who]
    if has_condition(combatant, "dead"):
        return
    if not is_airless(context.state, combatant):
        rescue(context, who)
    elif held := find_condition(combatant, "last_breath"):
        _count_on(context, who, held)
    elif combatant.tracks["hp"] <= 0:
        count_down(context, who)
    elif _hold_breath(context, who) > attribute(combatant, "RES"):
        _choke(context, who)


def _choke(context: RuleContext, who: str) -> None:
    """Deal 2d6, down to 0 HP. [COS-ENV-14]"""
    roll = context.roll(VACUUM_DICE, by=who, rule="COS-ENV-14", why="roll.vacuum")
    lost = min(roll.total, context.state[who].tracks["hp"])
    terms = (name_dice("why.vacuum", VACUUM_DICE, roll.total, "COS-ENV-14"),)
    hurt(context, who, lost, why="why.vacuum", rule="COS-ENV-14", terms=terms, roll=roll)
    if context.state[who].tracks["hp"] <= 0:
        count_down(context, who)


def _hold_breath(context: RuleContext, who: str) -> int:
    """Count one more round without air; returns the total."""
    combatant = context.state[who]
    held = find_condition(combatant, "airless")
    rounds = int(held.marks.get("rounds", 0)) + 1 if held else 1
    left = attribute(combatant, "RES") - rounds
    label = say("condition.holding_breath", n=left) if left >= 0 else "condition.out_of_breath"
    if held is None:
        add_condition(context, who, "airless", label=label, marks={"rounds": rounds})
    else:
        now = replace(held, label=label, marks={"rounds": rounds})
        context.emit(e.ConditionChanged(who, now), "COS-ENV-13")
    return rounds


def count_down(context: RuleContext, who: str) -> None:
    """Start the countdown at 0 HP without air: death in Resolve rounds. [COS-ENV-16]"""
    rounds = attribute(context.state[who], "RES")
    marks = {"dies_at": context.state.clock + rounds * ROUND_SECONDS}
    add_condition(context, who, "last_breath", label=say("condition.suffocating", n=rounds), marks=marks)


def rescue(context: RuleContext, who: str) -> None:
    """End the countdown when there is air again; at 0 HP the usual rules of dying resume.  RULING R42."""
    for held in context.state.combatants[who].conditions:
        if held.kind in ("airless", "last_breath"):
            plain = replace(held, label=f"condition.{held.kind}")
            remove_condition(context, who, plain, why="why.breathes_again", rule="COS-ENV-16")


def _count_on(context: RuleContext, who: str, held: Condition) -> None:
    """Count one round less; after the last, death. [COS-ENV-16] [COS-DEATH-13]"""
    dies_at = int(held.marks.get("dies_at", 0))
    if not dies_at:  # set by the GM: the countdown begins now
        dies_at = context.state.clock + attribute(context.state.combatants[who], "RES") * ROUND_SECONDS
        held = replace(held, marks={**held.marks, "dies_at": dies_at})
    left = (dies_at - context.state.clock) // ROUND_SECONDS
    if left <= 0:
        remove_condition(context, who, held, why="why.no_air", rule="COS-ENV-16")
        die(context, who, "why.vacuum", "COS-ENV-16")
        return
    now = replace(held, label=say("condition.suffocating", n=left))
    context.emit(e.ConditionChanged(who, now), "COS-ENV-16")


# When each effect of the surroundings is checked, and its result. Effects with intervals of a round apply
# at the combatant's own turn, except vacuum, whose clocks advance at the end of a round. Longer intervals
# come due by the clock, in rounds and when time passes.


def find_exposures(state: State, combatant: Combatant) -> dict[str, int]:
    """The exposures of a combatant, each with its interval in seconds."""
    found: dict[str, int] = {}
    if is_mild(state.scene, combatant.at):
        return found
    if is_heavy(state, combatant) and not has_condition(combatant, "fatigued"):
        found["gravity"] = attribute(combatant, "MIG") * MINUTE  # RULING R47
    temperature = read_setting(state, "temperature", "normal")
    if temperature in TEMPERATURES and is_exposed(state, combatant, "temperature"):
        kind, seconds = TEMPERATURES[temperature]
        found[kind] = seconds
    for kind in SAVE_RULES:
        level = find_level(state, kind)
        if level and is_exposed(state, combatant, level.id if kind == "radiation" else kind):
            found[kind] = INTERVALS[level.interval]
    return found


def is_mild(scene: Scene, place: Point) -> bool:
    """Whether the surroundings of a place have no exposure for anybody, and air."""
    settings = {key: scene.settings.get(key, usual) for key, usual in USUAL.items()}
    around = find_around(scene, place)
    return settings == USUAL and around.gravity != "high" and VACUUM not in around.tags


def find_ticks(state: State, who: str) -> tuple[str, ...]:
    """The exposures to process for a combatant now: those that run, begin or end."""
    combatant = state.combatants[who]
    untouched = not combatant.conditions and SINCE.isdisjoint(combatant.marks)
    if untouched and is_mild(state.scene, combatant.at):
        return ()
    if has_condition(combatant, "dead"):
        return ()
    exposures = find_exposures(state, combatant)
    timed = [kind for kind in TIMED if kind in exposures or f"{kind}_since" in combatant.marks]
    breathes = has_condition(combatant, "airless", "last_breath") and not is_airless(state, combatant)
    return (VACUUM, *timed) if breathes else tuple(timed)


def find_due(state: State, combatant: Combatant) -> int | None:
    """The clock at which the next check of a combatant comes due; None if none runs."""
    if has_condition(combatant, "dead"):
        return None
    times = [
        int(combatant.marks.get(f"{kind}_since", state.clock)) + seconds
        for kind, seconds in find_exposures(state, combatant).items()
    ]
    return min(times, default=None)


def tick(context: RuleContext, who: str, kind: str) -> None:
    """Apply one exposure to a combatant, if it is due now.

    RULING R43: in rounds, a slower interval brings one save on entry.
    """
    if kind == VACUUM:
        rescue(context, who)
        return
    state, combatant = context.state, context.state[who]
    seconds = find_exposures(state, combatant).get(kind)
    if seconds is None:
        _leave(context, who, kind)
        return
    since = combatant.marks.get(f"{kind}_since")
    if since is not None and state.clock - int(since) < seconds:
        return
    context.emit(e.Marked(who, f"{kind}_since", state.clock), to=e.GM_ONLY)
    entering = since is None
    if not entering or (kind in SAVE_RULES and state.phase == "fight"):
        _check(context, who, kind)


def _check(context: RuleContext, who: str, kind: str) -> None:
    level = find_level(context.state, kind) if kind in SAVE_RULES else None
    if level:
        face_level(context, who, level)
    elif kind == "gravity":
        tire(context, who)
    else:
        endure(context, who, kind)


def _leave(context: RuleContext, who: str, kind: str) -> None:
    """End an exposure by leaving or protection; another one starts from the beginning."""
    for key in (f"{kind}_since", f"{kind}_failed"):
        if key in context.state[who].marks:
            context.emit(e.Marked(who, key, None), to=e.GM_ONLY)
    if kind == "cold":
        remove_conditions(context, who, "slowed", why="why.out_of_the_cold", rule="COS-ENV-19")


def tire(context: RuleContext, who: str) -> None:
    """High gravity tires a combatant after as many minutes as its Might. [COS-ENV-12]"""
    if not has_condition(context.state[who], "fatigued"):
        add_condition(context, who, "fatigued", rule="COS-ENV-12")
