"""Initiative, rounds and turns: single players, and the GM's one turn for a whole side."""

from __future__ import annotations

from ..core import events as e
from ..core.commands import Command
from ..core.engine import follow
from ..core.errors import Refused
from ..core.modifiers import Modifier, Modifiers
from ..core.state import Combatant, State, has_condition, is_acting, present
from ..core.table import Table, Then
from ..core.turns import find_next, lift_kinds, open_round, pass_ghost, run_out
from . import tables
from .doses import fade_bile, finish_lasting, tend_bandage
from .economy import find_budget, is_declaring
from .recovery import count_from_now, pass_clock
from .rolls import pass_or_fail, roll_check
from .seats import (
    FIRST_ROUND,
    count_rounds,
    find_direction,
    find_gm_side,
    find_round_order,
    find_seats,
    find_shares,
    walk,
)
from .sheet import attribute_terms, find_option, has_skill, is_able
from .tables import (
    DEFENSIVES,
    GM_MODIFIER_MOST,
    INITIATIVE_DIFFICULTY,
    MOST_DECLARED,
    SKILL_BONUS,
)

TURN_MARKS = ("declared", "taken", "did", "free", "malus", "more_attacks", "lucky")


class Start(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`adjust` is the GM's modifier for everybody, -3 to 3.  [SS-INIT-11]  RULING R6

    `ambushers` have +1 and the `surprised` -1 besides; `skill` helps where the table allows it.
    """

    ambushers: tuple[str, ...] = ()
    surprised: tuple[str, ...] = ()
    skill: str = ""


class Next(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """End one turn: that of `target` among those who act together, or of the whole side."""

    target: str = ""
    whole: bool = False


class Declare(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many actions this turn will have."""

    actions: int


# ---------------------------------------------------------------- initiative


def start(table: Table, command: Start) -> Then:
    """[SS-INIT-01] [SS-INIT-02] Every player rolls one time; then round 1 begins.

    [SS-INIT-08] The enemies never roll. There need not be any.
    """
    if table.state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way.")
    if not present(table.state):
        raise Refused("not_allowed", "Add fighters first: there is nobody to act.")
    if abs(command.adjust) > GM_MODIFIER_MOST:
        raise Refused("bad_value", f"The GM's modifier is -{GM_MODIFIER_MOST} to +{GM_MODIFIER_MOST}.")
    table.tell(e.FightStarted())
    forget_last_fight(table)
    return Then(roll_initiative, command, tuple(find_seats(table.state)))


def forget_last_fight(table: Table) -> None:
    """What turns of an earlier fight left behind is over, and rounds count from 1 again.

    [SS-INIT-04] [SS-INIT-10] [SS-FREE-03] [SS-OTHER-22]
    """
    if not table.state.round:
        return
    table.tell(e.Marked("", FIRST_ROUND, table.state.round + 1), "SS-INIT-04", e.GM_ONLY)
    table.tell(e.Marked("", "direction", None), "SS-INIT-10", e.GM_ONLY)
    once = tuple(f"used {row.id}" for row in tables.features().values() if row.each_fight)
    for fighter in present(table.state):
        _forget(table, fighter.id, *TURN_MARKS, *once)
        lift_kinds(table, fighter.id, *DEFENSIVES, "assisted", why="a new fight")
        if any(fighter.budget.values()):
            table.tell(e.BudgetSet(fighter.id, {}), to=e.GM_ONLY)


def _forget(table: Table, who: str, *keys: str) -> None:
    for key in keys:
        if key in table.state[who].marks:
            table.tell(e.Marked(who, key, None), to=e.GM_ONLY)


def roll_initiative(table: Table, command: Start, left: tuple[str, ...]) -> Then | None:
    """[SS-INIT-01] [SS-INIT-03] A Dex check against 10, without a skill."""
    if not left:
        begin_round(table)
        return Then(open_next, 0)
    who = left[0]
    terms = initiative_terms(table.state, table.state[who], command)
    result = roll_check(
        table,
        who,
        terms,
        INITIATIVE_DIFFICULTY,
        rule="SS-INIT-01",
        what="initiative",
        grade=pass_or_fail,
        again="dex",
    )
    score = result.margin + INITIATIVE_DIFFICULTY
    table.tell(e.InitiativeSet(who, score), "SS-INIT-03", e.GM_ONLY)
    return Then(roll_initiative, command, left[1:])


def initiative_terms(state: State, fighter: Combatant, command: Start) -> Modifiers:
    """[SS-INIT-01] Dex; [SS-INIT-11] what the GM adds or takes.  RULING R6"""
    terms = list(attribute_terms(fighter, "dex", "SS-INIT-01"))
    if find_option(state, "initiative_skill") == "gm_may_allow" and has_skill(fighter, command.skill):
        terms.append(Modifier(command.skill, SKILL_BONUS, "SS-INIT-11"))
    if command.adjust:
        label = f"GM: {command.because}" if command.because else "GM"
        terms.append(Modifier(label, command.adjust, "SS-INIT-11"))
    if fighter.id in command.ambushers:
        terms.append(Modifier("In ambush", 1, "SS-INIT-11"))
    if fighter.id in command.surprised:
        terms.append(Modifier("Surprised", -1, "SS-INIT-11"))
    return tuple(terms)


# ---------------------------------------------------------------- rounds


def begin_round(table: Table) -> None:
    """[SS-INIT-09] [SS-INIT-10] The next ten seconds, the other way round the table."""
    count_from_now(table)
    open_round(table)
    pass_clock(table)
    state = table.state
    order = find_round_order(state, state.round)
    direction = find_direction(state, state.round)
    rule = "SS-INIT-10" if count_rounds(state, state.round) > 1 else "SS-INIT-04"
    table.tell(e.OrderSet(order, direction), rule)
    turned = state.marks.get("direction") not in (None, direction)
    table.tell(e.Marked("", "direction", direction), "SS-INIT-10", e.GM_ONLY)
    if turned:
        table.tell(e.Said(f"The direction changes: now {direction}."), "SS-INIT-10")


def reseat(table: Table, who: str, why: str) -> None:
    """[SS-INIT-03] [SS-INIT-06] A score the GM sets in the first round moves a player before the enemy
    or behind; afterwards scores no longer count."""
    state = table.state
    order = find_round_order(state, state.round)
    if count_rounds(state, state.round) == 1 and order != state.order:
        table.tell(e.OrderSet(order, why), "SS-INIT-04")


def next_turn(table: Table, command: Next) -> Then | None:
    """End the turn under way and begin the next one that somebody can use.

    [SS-INIT-05] Those who act together end one by one, or all at once.
    """
    if table.state.phase != "fight":
        raise Refused("not_allowed", "The fight has not started yet, or is over.")
    ending: tuple[str, ...] = (command.target or table.state.active,)
    if command.target and not is_acting(table.state, command.target):
        raise Refused("not_your_turn", f"It is not {table.state[command.target].name}'s turn.")
    if command.whole:
        ending = (table.state.active, *table.state.sharing)
    for who in ending:
        if who:
            end_turn(table, who)
    return None if table.state.active else Then(open_next, 0)


def end_turn(table: Table, who: str) -> None:
    """The end of one fighter's turn, and what runs out with it.  [SS-COND-02]"""
    fade_bile(table, who)
    table.tell(e.TurnEnded(who))
    wear_off(table, who, "end")


def wear_off(table: Table, who: str, edge: str) -> None:
    """End what is anchored to this edge of a turn, with what comes afterwards."""
    due = [
        (fighter.id, held)
        for fighter in present(table.state)
        for held in fighter.conditions
        if held.kind in tables.lasting() and held.until and held.until.who == who
        if held.until.edge == edge and held.until.count <= 1
    ]
    run_out(table, who, edge)
    for fighter_id, held in due:
        follow(table, finish_lasting(table, fighter_id, held))


# ---------------------------------------------------------------- turns


def open_next(table: Table, passed: int) -> Then | None:
    """Begin the next turn: a player's, or the one of the GM for all enemies.  [SS-INIT-05]"""
    state = table.state
    if passed > 2 * len(state.order) + 2:
        table.tell(e.Said("Nobody is able to act."))
        return None
    if is_gm_slot(state):
        table.tell(e.Marked("", "gm_turn", state.round), "SS-INIT-02", e.GM_ONLY)
        table.tell(e.Said("The GM's turn: nobody but the surroundings."), "SS-INIT-02")
        return None
    who = find_next(state)
    if who is None:
        begin_round(table)
        return Then(open_next, passed + 1)
    if state.combatants[who].gone:
        pass_ghost(table, who)
        return Then(open_next, passed + 1)
    together = find_together(state, who)
    if who in find_gm_side(state) and state.marks.get("gm_turn") != state.round:
        table.tell(e.Marked("", "gm_turn", state.round), "SS-INIT-05", e.GM_ONLY)
    return Then(begin, together, passed)


def find_together(state: State, who: str) -> tuple[str, ...]:
    """Who begins a turn together with a fighter: the GM's whole side, or one player alone."""
    side = find_gm_side(state)
    if who not in side:
        return (who,)
    return tuple(w for w in state.order if w in side and not state.combatants[w].acted)


def is_gm_slot(state: State) -> bool:
    """[SS-INIT-02] Whether the GM's turn is due although there are no enemies: an empty place."""
    if find_gm_side(state) or state.marks.get("gm_turn") == state.round:
        return False
    before, _ = find_shares(state, state.round)
    return all(state.combatants[who].acted for who in walk(state, before))


def begin(table: Table, queue: tuple[str, ...], passed: int) -> Then | None:
    """[SS-ACT-01] Begin the turns of a queue; those who cannot act are passed over.

    [SS-UNC-07] [SS-OTHER-22] What lasts until a turn begins ends now, for them as well.
    """
    if not queue:
        return None if table.state.active else Then(open_next, passed + 1)
    who, rest = queue[0], queue[1:]
    _forget(table, who, *TURN_MARKS)
    wear_off(table, who, "start")
    tend_bandage(table, who)
    if is_able(table.state[who]):
        kind = e.TurnShared if table.state.active else e.TurnStarted
        table.tell(kind(who, find_budget(table.state)), "SS-ACT-01")
        return Then(begin, rest, passed)
    if not has_condition(table.state[who], "dead"):
        table.tell(e.Said("{who} cannot act.", who), "SS-UNC-07")
    fade_bile(table, who)
    table.tell(e.TurnEnded(who), "SS-UNC-07", e.GM_ONLY)
    wear_off(table, who, "end")
    return Then(begin, rest, passed + 1)


def enter(table: Table, who: str) -> None:
    """Who joins a running fight gets a seat, and its first turn in the next round.  RULING R5"""
    table.tell(e.OrderSet((*table.state.order, who), "joins"), "SS-INIT-05")
    table.tell(e.TurnEnded(who), to=e.GM_ONLY)


# ---------------------------------------------------------------- declaring


def declare(table: Table, command: Declare) -> None:
    """[SS-ACT-01] Say how many actions the turn will have: 0 to 3.  RULING R2: it binds."""
    who = command.actor
    check_declaring(table.state, who)
    if not 0 <= command.actions <= MOST_DECLARED:
        raise Refused("bad_value", f"Declare 0 to {MOST_DECLARED} actions.")  # SS-ACT-02
    table.tell(e.Marked(who, "declared", command.actions), "SS-ACT-01", e.GM_ONLY)
    budget = {**table.state[who].budget, "actions": command.actions}
    table.tell(e.BudgetSet(who, budget), "SS-ACT-02")
    noun = "action" if command.actions == 1 else "actions"
    table.tell(e.Said(f"{{who}} declares {command.actions} {noun}.", who), "SS-ACT-01")


def check_declaring(state: State, actor: str) -> None:
    """The number of actions is said one time, at the start of the turn."""
    if not is_declaring(state, state[actor]):
        raise Refused("not_allowed", "The number of actions of this turn is settled.")


def act_by_luck(table: Table, command: Command) -> None:
    """RULING R47: a point of luck for one more action this turn."""
    who = command.actor
    check_luck(table.state, who)
    fighter = table.state[who]
    luck = fighter.tracks["luck"]
    table.tell(e.TrackChanged(who, "luck", luck, luck - 1, "one more action"), "SS-ACT-02")
    table.tell(e.Marked(who, "lucky", True), "SS-ACT-02", e.GM_ONLY)
    budget = {**fighter.budget, "actions": fighter.budget.get("actions", 0) + 1}
    table.tell(e.BudgetSet(who, budget), "SS-ACT-02")
    if table.option("luck_action_adds_penalty") == "yes" and "declared" in fighter.marks:
        table.tell(e.Marked(who, "declared", int(fighter.marks["declared"]) + 1), "SS-ACT-02", e.GM_ONLY)


def check_luck(state: State, actor: str) -> None:
    """One more action by luck, once a turn, after declaring."""
    fighter = state[actor]
    if find_option(state, "luck") == "off" or fighter.tracks["luck"] < 1:
        raise Refused("no_budget", f"{fighter.name} has no luck to spend.")
    if fighter.marks.get("lucky"):
        raise Refused("not_allowed", "Luck gives one more action a turn.")
    if is_declaring(state, fighter):
        raise Refused("not_allowed", "Declare first how many actions this turn will have (0 to 3).")
