"""Initiative, rounds, turns and the seating order: single players, and the GM's one turn for a side."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, joined, say
from combat.rules.core.commands.commands import (
    Command,
    Field,
    Next,
    first_open,
    folded_field,
    form_of,
    form_of_next,
    number_field,
)
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.engine.engine import follow
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, is_played, present
from combat.rules.core.turn.turns import (
    begin_fight,
    count_down_at,
    find_ending,
    find_next,
    forget,
    is_anchor,
    open_round,
    remove_conditions,
    skip_departed,
)

from ..body.doses import burn_down, finish_lasting, heal_each_turn
from ..book import tables
from ..book.options import find_option
from ..book.tables import GM_MODIFIER_MAX, INITIATIVE_DIFFICULTY, MAX_DECLARED, SKILL_BONUS
from ..characters.conditions import KINDS
from ..characters.sheet import attribute_terms, has_skill, is_able
from ..dice import DICE, pass_or_fail, roll_check
from ..time import count_from_now, pass_clock
from ..world.acting import TABLE, gm
from ..world.economy import find_budget, is_declaring

TURN_MARKS = ("declared", "taken", "did", "free", "malus", "more_attacks", "lucky")
CLOCKWISE, COUNTER = "clockwise", "counter-clockwise"  # as stored
WAYS = {CLOCKWISE: "way.clockwise", COUNTER: "way.counterclockwise"}


class Start(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The start of a fight; `adjust` is the GM's modifier for everyone, -3 to 3.

    [SS-INIT-11] RULING R6: `ambushers` have +1 and the `surprised` -1 besides; `skill` helps if the table
    allows it.
    """

    ambushers: tuple[str, ...] = ()
    surprised: tuple[str, ...] = ()
    skill: str = ""


class Declare(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of actions this turn will have."""

    actions: int


# ---------------------------------------------------------------- initiative


def start(context: RuleContext, command: Start) -> Then:
    """Roll once for every player, then begin round 1. [SS-INIT-01] [SS-INIT-02]

    The enemies never roll; there may be none. [SS-INIT-08]
    """
    if context.state.phase == "fight":
        raise Refused("not_allowed", "The fight has already started.")
    if not present(context.state):
        raise Refused("not_allowed", "There is no one to act: add combatants first.")
    if abs(command.adjust) > GM_MODIFIER_MAX:
        raise Refused(
            "bad_value", f"The GM's modifier is \N{MINUS SIGN}{GM_MODIFIER_MAX} to +{GM_MODIFIER_MAX}."
        )
    if begin_fight(context):
        forget_last_fight(context)
    return call_for_rolls(context, command, tuple(find_seats(context.state)), passed=0)


def call_for_rolls(context: RuleContext, command: Start, seats: tuple[str, ...], passed: int) -> Then:
    """Announce the rolls of these players: all of them, or by house rule the first for all.  RULING R6"""
    rolling = seats[:1] if find_option(context.state, "players_roll") == "together" else seats
    context.predict_rolls(DICE, rolling, rule="SS-INIT-01", why="check.initiative")
    return Then(roll_initiative, command, seats, passed)


def forget_last_fight(context: RuleContext) -> None:
    """Clear what turns of an earlier fight left behind.

    [SS-INIT-04] [SS-INIT-10] [SS-FREE-03] [SS-OTHER-22]
    """
    for key in ("direction", "gm_turn"):
        if key in context.state.marks:
            context.emit(e.Marked("", key, None), "SS-INIT-10", e.GM_ONLY)
    for combatant in present(context.state):
        forget(context, combatant.id, *TURN_MARKS, "free_round")
        remove_conditions(context, combatant.id, *KINDS.ended_by("new_fight"), why="why.new_fight")
        if any(combatant.budget.values()):
            context.emit(e.BudgetSet(combatant.id, {}), to=e.GM_ONLY)


def roll_initiative(context: RuleContext, command: Start, left: tuple[str, ...], passed: int) -> Then | None:
    """Roll a Dex check against 10, without a skill. [SS-INIT-01] [SS-INIT-03]"""
    if not left:
        begin_round(context)
        return Then(open_next, passed)
    who = left[0]
    terms = initiative_terms(context.state, context.state[who], command)
    result = roll_check(
        context,
        who,
        terms,
        INITIATIVE_DIFFICULTY,
        rule="SS-INIT-01",
        what="check.initiative",
        grade=pass_or_fail,
        again="dex",
    )
    score = result.margin + INITIATIVE_DIFFICULTY
    context.emit(e.InitiativeSet(who, score), "SS-INIT-03", e.GM_ONLY)
    if find_option(context.state, "players_roll") == "each":
        return Then(roll_initiative, command, left[1:], passed)
    for other in left[1:]:
        own = initiative_terms(context.state, context.state[other], command)
        shared = score - add_up(terms) + add_up(own)
        context.emit(e.InitiativeSet(other, shared), "SS-INIT-03", e.GM_ONLY)
    return Then(roll_initiative, command, (), passed)


def initiative_terms(state: State, combatant: Combatant, command: Start) -> Modifiers:
    """Dex [SS-INIT-01]; the GM's modifier. [SS-INIT-11]  RULING R6"""
    terms = list(attribute_terms(combatant, "dex", "SS-INIT-01"))
    if find_option(state, "initiative_skill") == "gm_may_allow" and has_skill(combatant, command.skill):
        terms.append(Modifier(command.skill, SKILL_BONUS, "SS-INIT-11"))
    if command.adjust:
        label = say("term.gm_why", why=command.because) if command.because else "term.gm"
        terms.append(Modifier(label, command.adjust, "SS-INIT-11"))
    if combatant.id in command.ambushers:
        terms.append(Modifier("term.ambush", 1, "SS-INIT-11"))
    if combatant.id in command.surprised:
        terms.append(Modifier("term.surprised", -1, "SS-INIT-11"))
    return tuple(terms)


# ---------------------------------------------------------------- rounds


def begin_round(context: RuleContext) -> None:
    """Begin the next ten seconds, in the other direction around the table. [SS-INIT-09] [SS-INIT-10]"""
    count_from_now(context)
    open_round(context)
    pass_clock(context)
    state = context.state
    order = find_round_order(state, state.round)
    direction = find_direction(state, state.round)
    rule = "SS-INIT-10" if state.round > 1 else "SS-INIT-04"
    context.emit(e.OrderSet(order, WAYS[direction]), rule)
    turned = state.marks.get("direction") not in (None, direction)
    context.emit(e.Marked("", "direction", direction), "SS-INIT-10", e.GM_ONLY)
    if turned:
        context.emit(e.Said("log.direction", args={"way": say(WAYS[direction])}), "SS-INIT-10")


def open_next_round(context: RuleContext, passed: int) -> Then:
    """Begin the next round with the same initiative, or by house rule with new rolls.  RULING R6"""
    if find_option(context.state, "initiative_each") == "round":
        able = tuple(who for who in find_seats(context.state) if is_able(context.state[who]))
        return call_for_rolls(context, Start(), able, passed)
    begin_round(context)
    return Then(open_next, passed)


def reseat(context: RuleContext, who: str, why: Label) -> None:
    """Move a player in the order after the GM set their score. [SS-INIT-03] [SS-INIT-06]

    In a round with rolls the score puts them before or after the enemies; in others scores do not count.
    """
    state = context.state
    order = find_round_order(state, state.round)
    if has_rolls(state, state.round) and order != state.order:
        context.emit(e.OrderSet(order, why), "SS-INIT-04")


def next_turn(context: RuleContext, command: Next) -> Then | None:
    """End the current turn and begin the next one that someone can use.

    [SS-INIT-05] Those who act together end one by one, or all at once.
    """
    refusal = "No fight is running: roll initiative first."
    for who in find_ending(context.state, command, refusal):
        end_turn(context, who)
    return None if context.state.active else Then(open_next, 0)


def end_turn(context: RuleContext, who: str) -> None:
    """End one combatant's turn, and the conditions that run out with it.  [SS-COND-02]"""
    burn_down(context, who)
    context.emit(e.TurnEnded(who))
    wear_off(context, who, "end")


def wear_off(context: RuleContext, who: str, edge: str) -> None:
    """End the conditions tied to this start or end of a turn, and apply their ends."""
    for whose, held in count_down_at(context, who, edge):
        if held.kind in tables.lasting() and not context.state.combatants[whose].gone:
            follow(context, finish_lasting(context, whose, held))


# ---------------------------------------------------------------- turns


def open_next(context: RuleContext, passed: int) -> Then | None:
    """Begin the next turn: a player's, or the GM's for all enemies.  [SS-INIT-05]"""
    state = context.state
    if passed > 2 * len(state.order) + 2:
        context.emit(e.Said("log.nobody"))
        return None
    side = find_gm_side(state)
    if not side and is_gm_slot(state):
        context.emit(e.Marked("", "gm_turn", state.round), "SS-INIT-02", e.GM_ONLY)
        context.emit(e.Said("log.gm_turn"), "SS-INIT-02")
        return None
    who = find_next(state)
    if who is None:
        return open_next_round(context, passed + 1)
    if state.combatants[who].gone:
        skip_departed(context, who)
        return Then(open_next, passed + 1)
    together = find_together(state, who, side)
    if who in side and state.marks.get("gm_turn") != state.round:
        context.emit(e.Marked("", "gm_turn", state.round), "SS-INIT-05", e.GM_ONLY)
    return Then(begin, together, passed)


def find_together(state: State, who: str, side: tuple[str, ...]) -> tuple[str, ...]:
    """The combatants who begin a turn together: the GM's whole `side`, or one player alone."""
    if who not in side:
        return (who,)
    return tuple(w for w in state.order if w in side and not state.combatants[w].acted)


def is_gm_slot(state: State) -> bool:
    """Whether the GM's turn is due, for a side without anyone: an empty slot. [SS-INIT-02]"""
    if state.marks.get("gm_turn") == state.round:
        return False
    return all(state.combatants[who].acted for who in find_early(state, state.round))


def begin(context: RuleContext, queue: tuple[str, ...], passed: int) -> Then | None:
    """Begin the turns of a queue; those who cannot act are skipped. [SS-ACT-01]

    Conditions that last until a turn begins end now, for them as well. [SS-UNC-07] [SS-OTHER-22]
    """
    if not queue:
        return None if context.state.active else Then(open_next, passed + 1)
    who, rest = queue[0], queue[1:]
    forget(context, who, *TURN_MARKS)
    wear_off(context, who, "start")
    heal_each_turn(context, who)
    if is_able(context.state[who]):
        kind = e.TurnShared if context.state.active else e.TurnStarted
        context.emit(kind(who, find_budget(context.state)), "SS-ACT-01")
        return Then(begin, rest, passed)
    if not has_condition(context.state[who], "dead"):
        lost = KINDS.find_loss(context.state[who], "actions")
        context.emit(e.Said("log.idle", who), lost[1] if lost else "SS-UNC-07")
    burn_down(context, who)
    context.emit(e.TurnEnded(who), "SS-UNC-07", e.GM_ONLY)
    wear_off(context, who, "end")
    return Then(begin, rest, passed + 1)


def enter(context: RuleContext, who: str) -> None:
    """Give a combatant who joins a running fight a seat, and a first turn next round.  RULING R5"""
    context.emit(e.OrderSet((*context.state.order, who), "why.joins"), "SS-INIT-05")
    context.emit(e.TurnEnded(who), to=e.GM_ONLY)


# ---------------------------------------------------------------- declaring


def declare(context: RuleContext, command: Declare) -> None:
    """Declare the number of actions of the turn: 0 to 3. [SS-ACT-01]  RULING R2: it binds."""
    who = command.actor
    if not 0 <= command.actions <= MAX_DECLARED:
        raise Refused("bad_value", f"Declare 0 to {MAX_DECLARED} actions.")  # SS-ACT-02
    context.emit(e.Marked(who, "declared", command.actions), "SS-ACT-01", e.GM_ONLY)
    budget = {**context.state[who].budget, "actions": command.actions}
    context.emit(e.BudgetSet(who, budget), "SS-ACT-02")
    context.emit(e.Said("log.declares", who, args={"n": command.actions}), "SS-ACT-01")


def check_declaring(state: State, actor: str) -> None:
    """Refuse a declaration except once, at the start of the turn."""
    if not is_declaring(state, state[actor]):
        raise Refused("not_allowed", "This turn's number of actions is settled.")


def act_by_luck(context: RuleContext, command: Command) -> None:
    """RULING R47: Spend a point of luck for one more action this turn."""
    who = command.actor
    combatant = context.state[who]
    luck = combatant.tracks["luck"]
    context.emit(e.TrackChanged(who, "luck", luck, new=luck - 1, why="why.extra_action"), "SS-ACT-02")
    context.emit(e.Marked(who, "lucky", True), "SS-ACT-02", e.GM_ONLY)
    budget = {**combatant.budget, "actions": combatant.budget.get("actions", 0) + 1}
    context.emit(e.BudgetSet(who, budget), "SS-ACT-02")
    if context.option("luck_action_adds_penalty") == "yes" and "declared" in combatant.marks:
        context.emit(e.Marked(who, "declared", int(combatant.marks["declared"]) + 1), "SS-ACT-02", e.GM_ONLY)


def check_luck(state: State, actor: str) -> None:
    """Refuse an action by luck except once a turn, after declaring."""
    combatant = state[actor]
    if find_option(state, "luck") == "off" or combatant.tracks["luck"] < 1:
        spent = find_option(state, "luck") != "off" and combatant.sheet["luck"]
        text = "Luck is used up this session: the GM can start a new session."
        raise Refused("no_budget", text if spent else f"{combatant.name} has no luck to spend.")
    if combatant.marks.get("lucky"):
        raise Refused("not_allowed", "Luck gives one extra action a turn, and this turn has had it.")
    if is_declaring(state, combatant):
        raise Refused("not_allowed", "Declare first how many actions this turn has (0 to 3).")


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The modifiers of the initiative checks. [SS-INIT-11]"""
    seats = tuple(Choice(who, state.combatants[who].name) for who in find_seats(state))
    skills = (Choice("", "none"), *(Choice(name, name) for name in tables.skills()))
    return (
        number_field(
            "adjust", "Initiative of everyone", 0, low=-3, high=3, rule="SS-INIT-11", required=False
        ),
        Field("ambushers", "In ambush (+1)", "many", seats, rule="SS-INIT-11", required=False),
        Field("surprised", "Surprised (\N{MINUS SIGN}1)", "many", seats, rule="SS-INIT-11", required=False),
        folded_field("skill", "Skill that helps", "choice", options=skills, value=""),
    )


next_fields = form_of_next("SS-INIT-05", "The whole side's turn")

declare_fields = form_of(  # [SS-ACT-01]
    number_field(
        "actions",
        "Actions",
        1,
        low=0,
        high=MAX_DECLARED,
        help="−1 to rolls per extra action",
        rule="SS-ACT-02",
    )
)

# The seating order: the ring of players around the GM, and the order it gives a round.


Seats = tuple[str, ...]


class Seat(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put one player clockwise after another; next to the GM if `after` is empty."""

    target: str
    after: str = ""


class Follow(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An allied opponent acts straight after this player."""

    target: str
    player: str


def find_seats(state: State) -> list[str]:
    """The players clockwise from the GM.  [SS-INIT-04]  RULING R4

    A player without a seat sits at the end. Without anyone whom a person plays, the side that joined first
    sits at the table.
    """
    return list(_seat(state).seats)


class Table(msgspec.Struct, frozen=True):
    """Who sits where: the `seats` clockwise from the GM, those who follow each, and the GM's `side`."""

    seats: Seats
    followers: dict[str, tuple[str, ...]]
    side: tuple[str, ...]

    def walk(self, seats: Seats) -> list[str]:
        """Players in this order, each followed by the allies who act straight after.  RULING R5"""
        return [who for seat in seats for who in (seat, *self.followers[seat])]


def _seat(state: State) -> Table:
    here = _find_seated(state)
    said = str(state.marks.get("seats", "")).split(",")
    names = {combatant.id for combatant in here}
    seats = (*(who for who in said if who in names), *(f.id for f in here if f.id not in said))
    sides = {state.combatants[seat].side: seat for seat in reversed(seats)}  # the first seat of each
    others = [f for f in present(state) if f.id not in seats]
    players = {f.id: _find_player(f, seats, sides) for f in others}
    followers = {seat: tuple(who for who in players if players[who] == seat) for seat in seats}
    return Table(seats, followers, tuple(who for who in players if not players[who]))


def is_seated(state: State, combatant: Combatant) -> bool:
    """Whether a combatant has its own seat at the table."""
    return combatant.id in find_seats(state)


def _find_seated(state: State) -> list[Combatant]:
    everybody = present(state)
    players = [combatant for combatant in everybody if is_played(state, combatant)]
    return players or [combatant for combatant in everybody if combatant.side == everybody[0].side]


def find_followers(state: State, player: str) -> list[str]:
    """The allies who act straight after a player.  RULING R5"""
    return list(_seat(state).followers.get(player, ()))


def _find_player(combatant: Combatant, seats: tuple[str, ...], sides: dict[str, str]) -> str:
    """The player whom someone without a seat follows; empty for the GM's side."""
    said = str(combatant.marks.get("with", ""))
    return said if said in seats else sides.get(combatant.side, "")


def find_gm_side(state: State) -> tuple[str, ...]:
    """Everyone who acts in the GM's turn: enemies and neutrals.  [SS-INIT-05]  RULING R5"""
    return _seat(state).side


def find_direction(state: State, round_number: int) -> str:
    """The direction around the table in a round. [SS-INIT-10]  RULING R4"""
    if find_option(state, "direction_flip") == "never" or round_number < 2:
        return CLOCKWISE
    even = round_number % 2 == 0
    head_start = find_option(state, "table_order") == "head_start"
    return COUNTER if even != head_start else CLOCKWISE


def find_way(state: State) -> str:
    """The direction around the table in this round, in words. [SS-INIT-10]"""
    return str(state.marks.get("direction", "")).replace("-", "") if state.round else ""


def find_round_order(state: State, round_number: int) -> tuple[str, ...]:
    """The order of a round; the GM's side together.

    [SS-INIT-04] [SS-INIT-05] [SS-INIT-06] [SS-INIT-07] [SS-INIT-10]  RULING R4
    """
    table = _seat(state)
    before, after = _share(state, table.seats, round_number)
    order = (*table.walk(before), *table.side, *table.walk(after))
    ghosts = (who for who in state.order if state.combatants[who].gone and is_anchor(state, who))
    return (*order, *ghosts)


def find_early(state: State, round_number: int) -> list[str]:
    """The players who act before the GM in a round, and the allies who act straight after them."""
    table = _seat(state)
    return table.walk(_share(state, table.seats, round_number)[0])


def _share(state: State, seats: Seats, round_number: int) -> tuple[Seats, Seats]:
    """The players who act before the GM in a round, and those who act after. [SS-INIT-03]"""
    if not has_rolls(state, round_number):
        return seats if find_direction(state, round_number) == CLOCKWISE else seats[::-1], ()
    if find_direction(state, round_number) == COUNTER:
        seats = seats[::-1]
    scores = {who: state.combatants[who].initiative for who in seats}
    early = tuple(who for who, n in scores.items() if n is not None and n >= INITIATIVE_DIFFICULTY)
    late = tuple(who for who in seats if who not in early)
    begins = round_number <= 1 and find_option(state, "table_order") == "head_start"
    return early, () if begins else late


def has_rolls(state: State, round_number: int) -> bool:
    """Whether the players roll at the start of a round: of the first, or by house rule of each.  RULING R6"""
    return round_number <= 1 or find_option(state, "initiative_each") == "round"


# ---------------------------------------------------------------- rearranging


def move_seat(context: RuleContext, command: Seat) -> None:
    """Give one player another seat. [SS-INIT-04]"""
    seats = find_seats(context.state)
    rest = [who for who in seats if who != command.target]
    if command.target not in seats or (command.after and command.after not in rest):
        raise Refused("bad_target", "Choose two players in the seating order.")
    spot = rest.index(command.after) + 1 if command.after else 0
    if seats.index(command.target) == spot:
        raise Refused("not_allowed", f"{context.state[command.target].name} already has that seat.")
    _emit_seats(context, [*rest[:spot], command.target, *rest[spot:]])


def _emit_seats(context: RuleContext, seats: list[str]) -> None:
    context.emit(e.Marked("", "seats", ",".join(seats)), "SS-INIT-04", e.GM_ONLY)
    listed = joined(say("words.person", who=who) for who in seats)
    key = "log.seats_later" if context.state.phase == "fight" else "log.seats"
    context.emit(e.Said(key, args={"listed": listed}), "SS-INIT-04")


def follow_player(context: RuleContext, command: Follow) -> None:
    """RULING R5: Set the player whom an ally follows."""
    ally = context.state[command.target]
    if command.player not in find_seats(context.state) or is_seated(context.state, ally):
        raise Refused("bad_target", "Choose an ally without a seat, and a player.")
    context.emit(e.Marked(ally.id, "with", command.player), "SS-INIT-05", e.GM_ONLY)


def seat_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The player to move, and the new seat."""
    seats = tuple(Choice(who, state.combatants[who].name) for who in find_seats(state))
    after = (Choice("", "next to the GM"), *(Choice(c.value, f"after {c.label}") for c in seats))
    return (
        Field("target", "Player", "choice", options=seats, value=first_open(seats), rule="SS-INIT-04"),
        Field("after", "Sits", "choice", options=after, value="", rule="SS-INIT-04", required=False),
    )


def follow_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The ally, and the player they act after."""
    seats = tuple(Choice(who, state.combatants[who].name) for who in find_seats(state))
    allies = tuple(
        Choice(f.id, f.name)
        for f in present(state)
        if not is_seated(state, f) and f.id not in find_gm_side(state)
    )
    current = next(
        (c.value for c in seats if allies and allies[0].value in find_followers(state, c.value)), ""
    )
    return (
        Field("target", "Ally", "choice", options=allies, value=first_open(allies)),
        Field("player", "Acts after", "choice", options=seats, value=current or first_open(seats)),
    )


ACTIONS = (
    TABLE.act("declare", declare, check_declaring, fields=declare_fields, first=True),
    TABLE.act("luck", act_by_luck, check_luck),
    gm("start", start, fields=start_fields),
    gm("next_turn", next_turn, fields=next_fields),
    gm("seat", move_seat, fields=seat_fields),
    gm("follow", follow_player, fields=follow_fields),
)
