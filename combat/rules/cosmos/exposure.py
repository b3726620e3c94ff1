"""What surroundings do to those who stay in them: vacuum, radiation, toxic air, heat, cold, gravity.

What ticks by the round is applied at the fighter's own turn; longer intervals come due by the
clock, in rounds and when time passes.
"""

from __future__ import annotations

from ..core import events as e
from ..core.modifiers import Modifier, Modifiers, add_up
from ..core.requests import GM, Choice
from ..core.state import Combatant, Condition, State, find_condition, has_condition, replace
from ..core.table import Table
from ..core.turns import gain, lift, lift_kinds
from .damage import die, hurt
from .environment import is_heavy, read_setting, tags_at
from .protection import hazard_terms, is_exposed
from .records import HazardLevel
from .rolls import check_terms, default_tn, did_succeed, roll_check, save
from .sheet import ability, attribute
from .tables import ROUND_SECONDS, hazard_levels

VACUUM_DICE, TEMPERATURE_DICE = "2d6", "1d6"  # COS-ENV-14, RULING R46
MINUTE = 60
INTERVALS = {"round": ROUND_SECONDS, "minute": 60, "10 minutes": 600, "hour": 3600, "day": 86_400}
TEMPERATURES = {  # what a scene's temperature is, and the seconds between checks.  RULING R46
    "heat": ("heat", 600),
    "great_heat": ("heat", 60),
    "cold": ("cold", 600),
    "great_cold": ("cold", 60),
}
SAVE_RULES = {"radiation": "COS-HAZ-15", "toxic": "COS-HAZ-18"}
HARM_RULES = {"radiation": "COS-HAZ-16", "toxic": "COS-HAZ-19"}
VACUUM = "vacuum"
TIMED = ("gravity", "heat", "cold", "radiation", "toxic")


# ---------------------------------------------------------------- who is exposed to what


def find_level(state: State, kind: str) -> HazardLevel | None:
    """How bad the radiation or the air of the scene is; None if it is harmless.  RULING R43."""
    if kind == "radiation":
        level = read_setting(state, "radiation", "none")
        return None if level == "none" else hazard_levels().get(f"radiation_{level}")
    air = read_setting(state, "air", "normal")
    return None if air == "normal" else hazard_levels().get(air)


def is_in_vacuum(state: State, fighter: Combatant) -> bool:
    """Whether there is no air where a fighter is."""
    return read_setting(state, "air", "normal") == VACUUM or VACUUM in tags_at(state, fighter.at)


def is_airless(state: State, fighter: Combatant) -> bool:
    """Whether a fighter is in vacuum with nothing to breathe.  [COS-ENV-13]"""
    return is_in_vacuum(state, fighter) and is_exposed(state, fighter, VACUUM)


def find_exposures(state: State, fighter: Combatant) -> dict[str, int]:
    """What reaches a fighter, and how often it is checked, in seconds."""
    found = {}
    if is_heavy(state, fighter) and not has_condition(fighter, "fatigued"):
        found["gravity"] = attribute(fighter, "MIG") * MINUTE  # RULING R47
    temperature = read_setting(state, "temperature", "normal")
    if temperature in TEMPERATURES and is_exposed(state, fighter, "temperature"):
        kind, seconds = TEMPERATURES[temperature]
        found[kind] = seconds
    for kind in SAVE_RULES:
        level = find_level(state, kind)
        if level and is_exposed(state, fighter, _name(level)):
            found[kind] = INTERVALS[level.interval]
    return found


def _name(level: HazardLevel) -> str:
    """What a suit has to be made against."""
    return level.id if level.hazard == "radiation" else level.hazard


def find_ticks(state: State, who: str) -> tuple[str, ...]:
    """What the surroundings have to say to a fighter now: exposures that run, begin or end."""
    fighter = state.combatants[who]
    if has_condition(fighter, "dead"):
        return ()
    exposures = find_exposures(state, fighter)
    timed = [kind for kind in TIMED if kind in exposures or f"{kind}_since" in fighter.marks]
    gasping = is_airless(state, fighter) or has_condition(fighter, "airless", "last_breath")
    return (VACUUM, *timed) if gasping else tuple(timed)


def find_due(state: State, fighter: Combatant) -> int | None:
    """The clock at which the next check of a fighter comes due; None if none runs."""
    if has_condition(fighter, "dead"):
        return None
    times = [
        int(fighter.marks.get(f"{kind}_since", state.clock)) + seconds
        for kind, seconds in find_exposures(state, fighter).items()
    ]
    return min(times, default=None)


# ---------------------------------------------------------------- ticking


def tick(table: Table, who: str, kind: str) -> None:
    """Apply one thing of the surroundings to a fighter, if it is due now.

    RULING R43: in rounds, a slower interval brings one save on entry.
    """
    if kind == VACUUM:
        breathe(table, who)
        return
    state, fighter = table.state, table.state[who]
    seconds = find_exposures(state, fighter).get(kind)
    if seconds is None:
        _leave(table, who, kind)
        return
    since = fighter.marks.get(f"{kind}_since")
    if since is not None and state.clock - int(since) < seconds:
        return
    table.tell(e.Marked(who, f"{kind}_since", state.clock), to=e.GM_ONLY)
    entering = since is None
    if not entering or (kind in SAVE_RULES and state.phase == "fight"):
        _check(table, who, kind)


def _check(table: Table, who: str, kind: str) -> None:
    level = find_level(table.state, kind) if kind in SAVE_RULES else None
    if level:
        face_level(table, who, level)
    elif kind == "gravity":
        tire(table, who)
    else:
        endure(table, who, kind)


def _leave(table: Table, who: str, kind: str) -> None:
    """Out of it, or protected: what began starts anew another time."""
    for key in (f"{kind}_since", f"{kind}_failed"):
        if key in table.state[who].marks:
            table.tell(e.Marked(who, key, None), to=e.GM_ONLY)
    if kind == "cold":
        lift_kinds(table, who, "slowed", why="out of the cold", rule="COS-ENV-19")


def tire(table: Table, who: str) -> None:
    """[COS-ENV-12] High gravity wears a fighter out after as many minutes as its Might."""
    if not has_condition(table.state[who], "fatigued"):
        gain(table, who, "fatigued", rule="COS-ENV-12")


def face_level(table: Table, who: str, level: HazardLevel) -> None:
    """[COS-HAZ-15] [COS-HAZ-18] The save against radiation or toxic air, and what a failure does.

    [COS-HAZ-19] Damage or a condition; armor does not help. [COS-HAZ-16] The harm of radiation
    stays: rest alone does not heal it.
    """
    plus = hazard_terms(table.state, table.state[who], level.hazard)
    why = f"{level.hazard}, {level.level}"
    rule, harm = SAVE_RULES[level.hazard], HARM_RULES[level.hazard]
    if save(table, who, level.save, level.tn, rule, why, plus):
        return
    if level.damage != "0":
        roll = table.roll(level.damage, by=who, rule=harm, why=why)
        terms = (Modifier(f"{level.hazard.capitalize()} {level.damage}", roll.total, harm),)
        lost = hurt(table, who, roll.total, why=level.hazard, rule=harm, terms=terms, roll=roll)
        if level.hazard == "radiation":
            irradiate(table, who, lost)
    weaken(table, who, level, harm)


def weaken(table: Table, who: str, level: HazardLevel, rule: str) -> None:
    """[COS-HAZ-19] The condition of a level; of two, the referee picks.  RULING R43."""
    fighter = table.state[who]
    kinds = [kind.lower() for kind in (level.condition, level.or_condition) if kind]
    left = [kind for kind in kinds if not has_condition(fighter, kind, "dead")]
    if len(left) > 1:
        options = tuple(Choice(kind, table.system.describe_condition(kind).label) for kind in left)
        question = f"The air harms {fighter.name}: which condition?"
        left = [table.ask(GM, question, options, rule=rule, default=left[0])]
    for kind in left:
        gain(table, who, kind, rule=rule)


def irradiate(table: Table, who: str, points: int) -> None:
    """[COS-HAZ-16] So many HP do not come back by rest."""
    held = find_condition(table.state[who], "irradiated")
    if not points or has_condition(table.state[who], "dead"):
        return
    if held is None:
        gain(table, who, "irradiated", level=points)
    else:
        more = replace(held, level=held.level + points)
        table.tell(e.ConditionChanged(who, more), "COS-HAZ-16")


def endure_terms(state: State, fighter: Combatant, kind: str = "") -> Modifiers:
    """[COS-ENV-22] [COS-HAZ-24] Might or Resolve, whichever is better, and Survival."""
    rule = "COS-ENV-22" if kind else "COS-HAZ-24"
    both = [check_terms(state, fighter, key, "Survival", rule) for key in ("MIG", "RES")]
    terms = max(both, key=add_up)
    weak = ability(fighter, "cold_save_penalty") if kind == "cold" else 0
    return (*terms, Modifier("Species", weak)) if weak else terms


def endure(table: Table, who: str, kind: str) -> None:
    """[COS-ENV-22] The check to endure heat or cold.  RULING R46.

    [COS-ENV-17] [COS-ENV-19] The first failure tires (heat) or slows (cold); [COS-ENV-18]
    [COS-ENV-20] each later one costs 1d6, and armor does not help.
    """
    terms = endure_terms(table.state, table.state[who], kind)
    roll_check(table, who, terms, default_tn(table.state), "COS-ENV-22", "Survival", f"endure the {kind}")
    if did_succeed(table):
        return
    failed = int(table.state[who].marks.get(f"{kind}_failed", 0))
    table.tell(e.Marked(who, f"{kind}_failed", failed + 1), to=e.GM_ONLY)
    first, rule, later = (
        ("fatigued", "COS-ENV-17", "COS-ENV-18") if kind == "heat" else ("slowed", "COS-ENV-19", "COS-ENV-20")
    )
    if failed:
        roll = table.roll(TEMPERATURE_DICE, by=who, rule=later, why=kind)
        terms = (Modifier(f"{kind.capitalize()} {TEMPERATURE_DICE}", roll.total, later),)
        hurt(table, who, roll.total, why=kind, rule=later, terms=terms, roll=roll)
    elif not has_condition(table.state[who], first):
        gain(table, who, first, rule=rule)


# ---------------------------------------------------------------- vacuum


def breathe(table: Table, who: str) -> None:
    """[COS-ENV-13] Hold the breath for Resolve rounds; [COS-ENV-14] then 2d6 a round.  RULING R42.

    [COS-ENV-15] HP are held at 0, with a countdown. Armor does not help, a sealed suit does.
    """
    state, fighter = table.state, table.state[who]
    if not is_airless(state, fighter):
        rescue(table, who)
        return
    if has_condition(fighter, "last_breath"):
        return
    if fighter.tracks["hp"] <= 0:
        count_down(table, who)
        return
    rounds, held = _hold_breath(table, who), attribute(fighter, "RES")
    if rounds <= held:
        return
    roll = table.roll(VACUUM_DICE, by=who, rule="COS-ENV-14", why="vacuum")
    lost = min(roll.total, fighter.tracks["hp"])
    terms = (Modifier(f"Vacuum {VACUUM_DICE}", roll.total, "COS-ENV-14"),)
    hurt(table, who, lost, why="vacuum", rule="COS-ENV-14", terms=terms, roll=roll)
    if table.state[who].tracks["hp"] <= 0:
        count_down(table, who)


def _hold_breath(table: Table, who: str) -> int:
    """Count one more round without air; returns how many there have been."""
    fighter = table.state[who]
    held = find_condition(fighter, "airless")
    rounds = int(held.marks.get("rounds", 0)) + 1 if held else 1
    left = attribute(fighter, "RES") - rounds
    label = f"Holding breath: {left} more" if left >= 0 else "Out of breath"
    if held is None:
        gain(table, who, "airless", label=label, marks={"rounds": rounds})
    else:
        now = replace(held, label=label, marks={"rounds": rounds})
        table.tell(e.ConditionChanged(who, now), "COS-ENV-13")
    return rounds


def count_down(table: Table, who: str) -> None:
    """[COS-ENV-16] At 0 HP without air: death in Resolve rounds."""
    rounds = attribute(table.state[who], "RES")
    marks = {"dies_at": table.state.clock + rounds * ROUND_SECONDS}
    gain(table, who, "last_breath", label=f"Suffocating: dead in {rounds} rounds", marks=marks)


def rescue(table: Table, who: str) -> None:
    """Air again: the countdown ends; at 0 HP the usual rules of dying go on.  RULING R42."""
    for held in table.state.combatants[who].conditions:
        if held.kind in ("airless", "last_breath"):
            plain = replace(held, label=table.system.describe_condition(held.kind).label)
            lift(table, who, plain, "breathes again", "COS-ENV-16")


def end_round(table: Table) -> None:
    """[COS-ENV-16] [COS-DEATH-13] At the end of a round the countdowns go on, to the last."""
    for who, fighter in tuple(table.state.combatants.items()):
        held = find_condition(fighter, "last_breath")
        if held and not fighter.gone and is_airless(table.state, fighter):
            _count_on(table, who, held)
        elif held and not fighter.gone:
            rescue(table, who)


def _count_on(table: Table, who: str, held: Condition) -> None:
    dies_at = int(held.marks.get("dies_at", 0))
    if not dies_at:  # given by the GM's word: the countdown begins now
        dies_at = table.state.clock + attribute(table.state.combatants[who], "RES") * ROUND_SECONDS
        held = replace(held, marks={**held.marks, "dies_at": dies_at})
    left = (dies_at - table.state.clock) // ROUND_SECONDS
    if left <= 0:
        lift(table, who, held, "no air", "COS-ENV-16")
        die(table, who, "vacuum", "COS-ENV-16")
        return
    now = replace(held, label=f"Suffocating: dead in {left} rounds")
    table.tell(e.ConditionChanged(who, now), "COS-ENV-16")
