"""Initiative, rounds and turns: the order, the budget, and what each turn begins with."""

from __future__ import annotations

from itertools import groupby

from ..core import events as e
from ..core.commands import Command, Field, Preview
from ..core.errors import Refused
from ..core.modifiers import Modifier, Modifiers, add_up
from ..core.requests import Choice
from ..core.state import Combatant, State, Until, has_condition, present
from ..core.table import Table, Then
from ..core.turns import find_next, gain, lift_kinds, open_round, pass_ghost, run_out
from .clock import expire
from .damage import stay_conscious
from .drift import drift
from .exposure import end_round, find_ticks, tick
from .hazards import start_inside
from .healing import lose_blood, save_against_death
from .rolls import (
    DICE,
    check_terms,
    default_tn,
    did_succeed,
    initiative_terms,
    passing_initiative,
    roll_check,
    save,
    table_terms,
)
from .sheet import ability, attribute, count_quick, health_state, is_able
from .tables import CRITICAL, DYING

INTERRUPT_TN = 17  # COS-INIT-07
COUNTED = "initiative_counted"  # what the score has of deafness and drugs in it
NEW_SCORE = "initiative_by_gm"  # why the GM has set the score since the round began


class Start(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`surprised` names the fighters who are flat-footed until their first turn."""

    surprised: tuple[str, ...] = ()


class Delay(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Act after another fighter; without a name, step in later or act last."""

    after: str = ""


def start(table: Table, command: Start) -> Then:
    """[COS-INIT-01] [COS-INIT-02] Roll initiative one time and begin round 1."""
    fighters = present(table.state)
    if table.state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way.")
    if not fighters:
        raise Refused("not_allowed", "Add fighters first: there is nobody to fight.")
    table.tell(e.FightStarted())
    forget_last_fight(table)
    for who in dict.fromkeys(command.surprised):
        gain(table, table.state[who].id, "surprised")
    leaders: dict[str, str] = {}
    for fighter in fighters:
        leader = leaders.setdefault(find_group(table.state, fighter), fighter.id)
        if leader == fighter.id:
            roll_initiative(table, fighter.id)
        else:
            share_initiative(table, fighter.id, leader)
    set_order(table)
    expire(table)
    open_round(table)
    return Then(open_next, 0)


def forget_last_fight(table: Table) -> None:
    """What an earlier fight left open is over: an interrupt, delays, scores yet to be taken up."""
    if "interrupted" in table.state.marks:
        table.tell(e.Marked("", "interrupted", None), to=e.GM_ONLY)
    for fighter in present(table.state):
        lift_kinds(table, fighter.id, "delaying", "tried_interrupt", why="a new fight")
        if NEW_SCORE in fighter.marks:
            table.tell(e.Marked(fighter.id, NEW_SCORE, None), to=e.GM_ONLY)


def roll_initiative(table: Table, who: str) -> None:
    """[COS-INIT-01] 1d10 + Awareness."""
    fighter = table.state[who]
    terms = initiative_terms(fighter)
    roll = table.roll("1d10", by=who, rule="COS-INIT-01", why="initiative")
    score = roll.total + add_up(terms)
    table.tell(e.Checked(who, "initiative", roll, terms, score, str(score)), "COS-INIT-01")
    table.tell(e.InitiativeSet(who, score), "COS-INIT-01", e.GM_ONLY)
    _note_counted(table, who, add_up(passing_initiative(fighter)))


def _note_counted(table: Table, who: str, points: int) -> None:
    """Remember what of deafness and drugs the new score has in it, and nothing of an older one."""
    if points != int(table.state[who].marks.get(COUNTED, 0)):
        table.tell(e.Marked(who, COUNTED, points or None), "COS-COND-10", e.GM_ONLY)


def find_group(state: State, fighter: Combatant) -> str:
    """Who rolls together: numbered foes of one kind where the table has it so, else each alone."""
    if fighter.pc or not state.options.get("group_initiative"):
        return fighter.id
    return f"{fighter.side}/{fighter.name.rstrip('0123456789 ')}"


def share_initiative(table: Table, who: str, leader: str) -> None:
    """[COS-INIT-02] One roll stands for a group of identical foes; wounds, deafness and drugs stay
    each one's own."""
    own, other = (add_up(passing_initiative(table.state[f])) for f in (who, leader))
    score = (table.state[leader].initiative or 0) + own - other
    table.tell(e.InitiativeSet(who, score), "COS-INIT-02", e.GM_ONLY)
    _note_counted(table, who, own)


def rank(fighter: Combatant) -> tuple[int, int, int]:
    """What decides the order: score, Awareness, Coordination; higher is earlier.

    [COS-INIT-03] [COS-INIT-04] [COS-INIT-05]
    """
    score = fighter.initiative if fighter.initiative is not None else 0
    return (-score, -attribute(fighter, "AWA"), -attribute(fighter, "COO"))


def set_order(table: Table) -> None:
    """[COS-INIT-03] Higher first; what is still tied rolls off on a d10.  RULING R21."""
    ranked = sorted(present(table.state), key=rank)
    order: list[str] = []
    for _, group in groupby(ranked, key=rank):
        order += _roll_off(table, [fighter.id for fighter in group])
    table.tell(e.OrderSet(tuple(order), "initiative"), "COS-INIT-03")


def _roll_off(table: Table, tied: list[str]) -> list[str]:
    groups_of = {who: find_group(table.state, table.state[who]) for who in tied}
    if len(set(groups_of.values())) < 2:
        return tied
    rolls = _roll_for_groups(table, groups_of)
    ranked = sorted(tied, key=lambda who: (-rolls[who], groups_of[who]))
    groups = [list(group) for _, group in groupby(ranked, key=lambda who: rolls[who])]
    if len(groups) == 1:
        return tied  # equal again: the order of joining stands
    return [who for group in groups for who in _roll_off(table, group)]


def _roll_for_groups(table: Table, groups_of: dict[str, str]) -> dict[str, int]:
    """One d10 for each group among the tied; everybody's result."""
    first = {group: who for who, group in reversed(groups_of.items())}
    rolls = {
        group: table.roll("1d10", by=who, rule="COS-INIT-05", why="roll-off for the order").total
        for group, who in sorted(first.items(), key=lambda pair: list(groups_of).index(pair[1]))
    }
    return {who: rolls[group] for who, group in groups_of.items()}


def enter(table: Table, who: str) -> None:
    """A fighter who joins a running fight rolls initiative and takes its place.  [COS-INIT-01]"""
    roll_initiative(table, who)
    take_place(table, who, "joins")


def take_place(table: Table, who: str, why: str) -> None:
    """[COS-INIT-03] Put one fighter where its score belongs; the others keep their places."""
    state = table.state
    new = rank(state[who])
    rest = [other for other in state.order if other != who]
    spot = next((i for i, w in enumerate(rest) if rank(state.combatants[w]) > new), len(rest))
    order = (*rest[:spot], who, *rest[spot:])
    if order != state.order:
        table.tell(e.OrderSet(order, why), "COS-INIT-03")


def _count_changes(table: Table) -> None:
    """[COS-COND-10] [COS-DRUG-01] Going deaf, drugs, and the end of them change the score from
    the next round on.

    RULING R21.
    """
    for fighter in present(table.state):
        terms, counted = passing_initiative(fighter), int(fighter.marks.get(COUNTED, 0))
        now = add_up(terms)
        if now == counted or fighter.initiative is None:
            continue
        rule = terms[0].rule if terms else "COS-COND-10"
        table.tell(e.Marked(fighter.id, COUNTED, now or None), rule, e.GM_ONLY)
        table.tell(e.InitiativeSet(fighter.id, fighter.initiative + now - counted), rule, e.GM_ONLY)
        why = ", ".join(term.label.lower() for term in terms)
        take_place(table, fighter.id, why or "initiative as before")


def reseat(table: Table, who: str, why: str) -> None:
    """[COS-INIT-03] A score the GM sets counts from the next round on.  RULING R21."""
    table.tell(e.Marked(who, NEW_SCORE, why), "COS-INIT-03", e.GM_ONLY)


def _take_new_places(table: Table) -> None:
    for fighter in present(table.state):
        why = fighter.marks.get(NEW_SCORE)
        if why is not None:
            table.tell(e.Marked(fighter.id, NEW_SCORE, None), "COS-INIT-03", e.GM_ONLY)
            take_place(table, fighter.id, str(why))


def find_budget(fighter: Combatant) -> dict[str, int]:
    """[COS-ACT-01] [COS-ACT-14] What a turn starts with; [COS-COND-31] stunned loses the Standard,
    [COS-COND-34] the unconscious have nothing.  RULING R24 R39."""
    if not is_able(fighter):
        return {"standard": 0, "move": 0, "quick": 0}
    quick = count_quick(fighter)
    if has_condition(fighter, "stunned"):
        return {"standard": 0, "move": 1, "quick": quick}
    return {"standard": 1, "move": 1, "quick": quick}


def next_turn(table: Table, command: Command) -> Then:
    """End the turn under way and begin the next one that somebody can use."""
    if table.state.phase != "fight":
        raise Refused("not_allowed", "The fight has not started yet, or is over.")
    close_turn(table)
    return Then(open_next, 0)


def close_turn(table: Table) -> None:
    """The end of the active fighter's turn, and what runs out with it."""
    who = table.state.active
    if not who:
        return
    drift(table, who)
    table.tell(e.TurnEnded(who))
    run_out(table, who, "end")


def open_next(table: Table, passed: int) -> Then | None:
    """Begin the next turn; who cannot act is passed over after what its turn brings."""
    state = table.state
    if passed > 2 * len(state.order) + 1:
        table.tell(e.Said("Nobody is able to act."))
        return None
    waiting = str(state.marks.get("interrupted", ""))
    if waiting:
        return _resume(table, waiting, passed)
    who = find_next(state)
    if who is None:
        _end_round(table)
        return Then(open_next, passed + 1)
    fighter = state.combatants[who]
    if fighter.gone or has_condition(fighter, "dead"):
        pass_ghost(table, who)
        return Then(open_next, passed + 1)
    return Then(begin, who, passed)


def _end_round(table: Table) -> None:
    """[COS-INIT-02] The same order again; changed scores count from the new round."""
    _count_changes(table)
    _take_new_places(table)
    end_round(table)
    open_round(table)
    expire(table)


def _resume(table: Table, who: str, passed: int) -> Then | None:
    """[COS-INIT-07] The interrupted turn goes on with what is left of it, or ends."""
    table.tell(e.Marked("", "interrupted", None), to=e.GM_ONLY)
    fighter = table.state.combatants[who]
    if is_able(fighter) and not fighter.acted:
        table.tell(e.TurnStarted(who, fighter.budget), "COS-INIT-07")
        return None
    table.tell(e.TurnEnded(who))
    run_out(table, who, "end")
    return Then(open_next, passed + 1)


def begin(table: Table, who: str, passed: int) -> Then | None:
    """Begin a turn: its budget, what ends now, and what wounds and fire do."""
    fighter = table.state[who]
    if has_condition(fighter, "delaying"):
        return _take_delayed(table, who, passed)
    table.tell(e.TurnStarted(who, find_budget(fighter)), "COS-ACT-01")
    run_out(table, who, "start")
    lose_blood(table, who)
    start_inside(table, who)
    return _face_world(table, who, passed, _find_danger(fighter), find_ticks(table.state, who))


def _face_world(table: Table, who: str, passed: int, was: str, left: tuple[str, ...]) -> Then | None:
    """What the surroundings do by the round or by the clock, one thing after the other.

    [COS-ENV-14] [COS-HAZ-15] [COS-HAZ-18]
    """
    if not left:
        return Then(_face_wounds, who, passed, was)
    tick(table, who, left[0])
    return Then(_face_world, who, passed, was, left[1:])


def _find_danger(fighter: Combatant) -> str:
    """Dying or Critical at the start of a turn; empty for everybody else, the stable too."""
    if has_condition(fighter, "dying"):
        return DYING.name
    return CRITICAL.name if health_state(fighter) is CRITICAL else ""


def _take_delayed(table: Table, who: str, passed: int) -> Then | None:
    """The budget is the one of a fresh turn, less what has happened in the meantime."""
    lift_kinds(table, who, "delaying", why="acts now", rule="COS-INIT-06")
    table.tell(e.TurnStarted(who, find_budget(table.state[who])), "COS-INIT-06")
    return _ready(table, who, passed)


def _face_wounds(table: Table, who: str, passed: int, was: str) -> Then | None:
    """Saves of those who began the turn dying or critical.  RULING R15 R17.

    `was` is how the turn began, before bleeding and fire: who drops now saves from the next one on.
    """
    if was == DYING.name:
        save_against_death(table, who)
    fighter = table.state[who]
    every = table.option("critical_save") == "every_turn"
    if every and was == CRITICAL.name and is_able(fighter) and health_state(fighter) is CRITICAL:
        stay_conscious(table, who)
    return Then(_face_fear, who, passed)


def _face_fear(table: Table, who: str, passed: int) -> Then | None:
    """[COS-COND-20] A Resolve save lets the frightened act normally this turn."""
    fighter = table.state[who]
    if is_able(fighter) and has_condition(fighter, "frightened"):
        plus = morale_terms(table.state, fighter)
        if save(table, who, "RES", default_tn(table.state), "COS-COND-20", "against fear", plus):
            if table.option("fear_save_ends_it"):
                lift_kinds(table, who, "frightened", why="courage", rule="COS-COND-20")
            else:
                gain(table, who, "steeled", until=Until(who, "end"))
    return _ready(table, who, passed)


def morale_terms(state: State, fighter: Combatant) -> Modifiers:
    """What a comrade of some species adds to a save against fear; of several the best."""
    friends = [f for f in present(state) if f.side == fighter.side and f.id != fighter.id and is_able(f)]
    best = max(friends, key=lambda friend: ability(friend, "allies_morale_bonus"), default=None)
    points = ability(best, "allies_morale_bonus") if best else 0
    return (Modifier(f"{best.name} beside you", points, "COS-COND-20"),) if best and points else ()


def _ready(table: Table, who: str, passed: int) -> Then | None:
    """Hand the turn over, or close it when nothing can be done in it."""
    fighter = table.state[who]
    budget = find_budget(fighter)
    if budget != fighter.budget:
        table.tell(e.BudgetSet(who, budget), "COS-ACT-01")
    if is_able(fighter) and not _loses_turn(table, fighter):
        lift_kinds(table, who, "surprised", why="its first turn", rule="COS-DEF-12")
        return None
    close_turn(table)
    return Then(open_next, passed + 1)


def _loses_turn(table: Table, fighter: Combatant) -> bool:
    """Options of RULING R23 and R39: surprise or a stun may cost the whole turn."""
    if table.option("stunned_loses_whole_turn") and has_condition(fighter, "stunned"):
        return True
    if table.option("surprised_lose_first_turn") and has_condition(fighter, "surprised"):
        lift_kinds(table, fighter.id, "surprised", why="its first turn", rule="COS-DEF-12")
        return True
    return False


def delay(table: Table, command: Delay) -> Then:
    """[COS-INIT-06] Act later: after a named fighter, or stepping in, or last.  RULING R22."""
    who = command.actor
    check_delay(table.state, who)
    gain(table, who, "delaying")
    rest = [other for other in table.state.order if other != who]
    spot = len(rest)
    if command.after:
        if command.after not in find_later(table.state, who):
            raise Refused("bad_target", "Choose somebody who has yet to act this round.")
        spot = rest.index(command.after) + 1
    order = (*rest[:spot], who, *rest[spot:])
    table.tell(e.OrderSet(order, "delays"), "COS-INIT-06")
    return Then(open_next, 0)


def check_delay(state: State, actor: str) -> None:
    """Delay before doing anything, and only while somebody else is still to act."""
    fighter = state[actor]
    if fighter.budget != find_budget(fighter):
        raise Refused("not_allowed", "Delay before doing anything else this turn.")
    if not find_later(state, actor):
        raise Refused("not_allowed", "Nobody acts after this turn: there is nothing to wait for.")


def find_later(state: State, actor: str) -> list[str]:
    """Who is still to act this round besides a fighter, in order."""
    waiting = [w for w in state.order if w != actor and not state.combatants[w].acted]
    return [w for w in waiting if is_able(state.combatants[w])]


def delay_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a delay."""
    names = [Choice(w, f"after {state.combatants[w].name}") for w in find_later(state, actor)]
    options = (Choice("", "wait and step in later"), *names)
    return (Field("after", "Act", "choice", options, "", rule="COS-INIT-06", required=False),)


def step_in(table: Table, command: Command) -> None:
    """[COS-INIT-06] A delaying fighter acts right after the turn now under way.

    After an interrupt that is the interrupted turn, which goes on first.
    """
    who = command.actor
    check_step_in(table.state, who)
    rest = [other for other in table.state.order if other != who]
    turn = str(table.state.marks.get("interrupted") or table.state.active)
    spot = rest.index(turn) + 1
    order = (*rest[:spot], who, *rest[spot:])
    table.tell(e.OrderSet(order, "steps in"), "COS-INIT-06")


def check_step_in(state: State, actor: str) -> None:
    """Only who delays can step in, during somebody else's turn."""
    if not has_condition(state[actor], "delaying"):
        raise Refused("not_allowed", f"{state[actor].name} is not delaying.")
    if state.active not in state.order or state.active == actor:
        raise Refused("not_allowed", "Step in during somebody else's turn.")


def interrupt(table: Table, command: Command) -> Then | None:
    """[COS-INIT-07] Awareness against 17 to act before the turn under way.  RULING R22."""
    who = command.actor
    check_interrupt(table.state, who)
    gain(table, who, "tried_interrupt", until=Until(who, "end"))
    terms = interrupt_terms(table.state, command)
    roll_check(table, who, terms, INTERRUPT_TN, "COS-INIT-07", "Awareness", "interrupt")
    if not did_succeed(table):
        return None
    table.tell(e.Marked("", "interrupted", table.state.active), "COS-INIT-07", e.GM_ONLY)
    return Then(begin, who, 0)


def interrupt_terms(state: State, command: Command) -> Modifiers:
    """Awareness without a skill, and what wounds cost.  RULING R5."""
    rule = "COS-INIT-07"
    return check_terms(state, state[command.actor], "AWA", rule=rule) + table_terms(command, rule)


def preview_interrupt(state: State, command: Command) -> Preview:
    """The sums of the interrupt check."""
    check_interrupt(state, command.actor)
    target = (Modifier("Target number", INTERRUPT_TN, "COS-INIT-07"),)
    return Preview(interrupt_terms(state, command), target, "TN", DICE)


def check_interrupt(state: State, actor: str) -> None:
    """One try a round, before one's own turn, while somebody else acts."""
    fighter = state[actor]
    if not state.active or state.active == actor:
        raise Refused("not_allowed", "Interrupt during somebody else's turn.")
    if fighter.acted or not is_able(fighter):
        raise Refused("not_allowed", f"{fighter.name} has no turn left this round.")
    if state.marks.get("interrupted"):
        raise Refused("not_allowed", "This turn is an interrupt itself: wait until it is over.")
    if has_condition(fighter, "tried_interrupt"):
        raise Refused("not_allowed", "One interrupt may be tried per round.")
    only = state.options.get("interrupt_only_when_delaying")
    if only and not has_condition(fighter, "delaying"):
        raise Refused("not_allowed", "At this table only those who delay may interrupt.")
