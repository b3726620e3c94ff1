"""Combat drugs from the equipment lists, timed by the clock: their effects and after-effects."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    State,
    find_condition,
    present,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_condition, remove_conditions

from ..book.tables import MINUTE_SECONDS, ROUND_SECONDS, doses
from ..characters.conditions import KINDS, is_dead
from ..world.order import BASE, mark, set_score
from .damage import lose
from .states import tire

RULE = "CE-FAT-01"
DODGED = "dodged_free"  # mark: the round, and how many of its dodges were free
STIMS = "stims"  # mark: the number of stim drugs since the last sleep


def take_dose(context: RuleContext, who: str, drug: str) -> None:
    """Take a drug timed by the clock: it works after its rounds."""
    works_at = context.state.clock + doses()[drug].delay_rounds * ROUND_SECONDS
    add_condition(context, who, "drugged", marks={"drug": drug, "at": works_at})


def take_stim(context: RuleContext, doctor: str, who: str) -> None:
    """Remove fatigue for a point of damage, plus one for each stim drug since the last sleep."""
    taken = int(context.state[who].marks.get(STIMS, 0)) + 1
    context.emit(e.Marked(who, STIMS, taken), RULE, e.GM_ONLY)
    remove_conditions(context, who, *KINDS.ended_by("stim drugs"), why="why.stim", rule=RULE)
    lose(context, who, taken, why="why.stim", rule=RULE, injury=False)


def pass_drugs(context: RuleContext, who: str) -> None:
    """Start drugs whose time has come, and end those whose time is over."""
    now = context.state.clock
    for held in context.state.combatants[who].conditions:
        if held.kind == "drugged" and now >= int(held.marks.get("at", now + 1)):
            _begin(context, who, held)
    for held in context.state.combatants[who].conditions:
        if "ends_at" not in held.marks or now < int(held.marks["ends_at"]):
            continue
        if held.kind in doses():
            _end(context, who, held)
        elif held.kind == "antidote":
            remove_condition(context, who, held, why="why.expired", rule=RULE)


def find_due(state: State) -> int | None:
    """The next moment of the clock when a drug begins or ends; None without any."""
    times = [
        int(held.marks[key])
        for combatant in present(state)
        for held in combatant.conditions
        for key in ("at", "ends_at")
        if key in held.marks and (held.kind in doses() or held.kind == "drugged")
    ]
    return min((at for at in times if at > state.clock), default=None)


def _begin(context: RuleContext, who: str, held: Condition) -> None:
    key = str(held.marks["drug"])
    remove_condition(context, who, held, why="why.drug_works", rule=RULE)
    ends_at = int(held.marks["at"]) + doses()[key].lasts_minutes * MINUTE_SECONDS
    known = find_condition(context.state[who], key)
    if known:  # a second dose only extends the time
        told = e.ConditionChanged(who, replace(known, marks={**known.marks, "ends_at": ends_at}))
        context.emit(told, RULE, e.GM_ONLY)
        return
    add_condition(context, who, key, marks={"ends_at": ends_at})
    _shift_initiative(context, who, KINDS[key].terms["initiative"].value)


def _end(context: RuleContext, who: str, held: Condition) -> None:
    """End a drug: fatigue, and for some drugs damage as well."""
    dose = doses()[held.kind]
    remove_condition(context, who, held, why="why.expired", rule=RULE)
    _shift_initiative(context, who, -KINDS[held.kind].terms["initiative"].value)
    if is_dead(context.state[who]):
        return
    if dose.afterwards:
        roll = context.roll(dose.afterwards, by=who, rule=RULE, why="roll.drug_ends")
        lose(context, who, roll.total, why="why.drug_ends", rule=RULE, roll=roll, injury=False)
    tire(context, who, "why.drug_ends")


def _shift_initiative(context: RuleContext, who: str, points: int) -> None:
    """Change the Initiative of a running fight, also for the rounds to come."""
    combatant = context.state[who]
    if context.state.phase != "fight" or combatant.initiative is None:
        return
    mark(context, who, BASE, value=int(combatant.marks.get(BASE, 0)) + points, rule=RULE)
    set_score(context, who, combatant.initiative + points, why="why.drug", rule=RULE)


def initiative_terms(combatant: Combatant) -> Modifiers:
    """The DMs of active drugs on Initiative rolls."""
    return tuple(KINDS.terms(combatant, "initiative"))


def count_free_dodges(state: State, combatant: Combatant) -> int:
    """How many more dodges of this round cost neither Initiative nor a DM."""
    most = max((term.value for term in KINDS.terms(combatant, "free_dodges")), default=0)
    return max(0, most - _count_dodged(state, combatant)) if most else 0


def _count_dodged(state: State, combatant: Combatant) -> int:
    in_round, _, used = str(combatant.marks.get(DODGED, "")).partition(":")
    return int(used) if in_round == str(state.round) else 0


def dodge_freely(context: RuleContext, who: str) -> bool:
    """Use up a free dodge; returns whether there was one."""
    combatant = context.state[who]
    if not count_free_dodges(context.state, combatant):
        return False
    used = _count_dodged(context.state, combatant) + 1
    context.emit(e.Marked(who, DODGED, f"{context.state.round}:{used}"), RULE, e.GM_ONLY)
    return True
