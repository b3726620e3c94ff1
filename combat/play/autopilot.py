"""Auto-play of combatants without a player by the game's tactics: one turn, or all until a person's.

Every action is a step of its own, so each can be undone. It stops where a person is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import count
from time import monotonic
from typing import NamedTuple, TypeVar

from combat.audience.rights import Grant, author_label, check_gm, find_viewer
from combat.audience.viewer import GM
from combat.models import Encounter
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import Answer, ChoiceRequest, Request, answer_choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import Command, command_data, read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System, system_of
from combat.rules.core.engine.engine import Done, LiveDriver, TryDriver, Waiting, find_action, run
from combat.rules.core.gm.decisions import Target
from combat.rules.core.odds.proposals import MAX_STEPS_PER_TURN, propose
from combat.rules.core.sides import describe_beaten, find_verdict, gives_up, has_turns
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, is_played
from combat.rules.core.turn.squads import find_members

from .writing.encounter_service import (
    Seen,
    Submission,
    SubmissionResult,
    check_version,
    make_ready,
    move_on,
    read_state,
    store_result,
    submit,
)
from .writing.locking import locked
from .writing.sealing import count_rolls, open_dice

MAX_STEPS = 200
NO_TURN = "No one has a turn now: start the next one."
LULL_ROUNDS = 10  # of walking about, until the GM is told
NOTHING_COMES = (
    f"Auto-play stopped: {LULL_ROUNDS} rounds without a roll. End the fight, or move someone by hand."
)
VAIN_ROUNDS = 30  # of rolls that change nobody's points, until the GM is told
IN_VAIN = (
    f"Auto-play stopped: {VAIN_ROUNDS} rounds in which nobody was hurt. End the fight, or play on by hand."
)
ENOUGH = f"Auto-play stopped after {MAX_STEPS} steps, at the end of a turn: press it again to go on."
ASKED = "Auto-play stopped: a person is asked."
NOTHING_LEFT = "Nobody here can do anything to the other side: end the fight, or play on by hand."
T = TypeVar("T")
MAX_TURNS = 40  # of one pass
LOOK_SECONDS, MAX_SECONDS = 0.3, 0.6  # to foresee a pass, and to do it: others wait for it


class PlayFor(LiveDriver):
    """Dice rolled by the server; combatants without a player choose by the game's policy."""

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        """The answer, or None where a person is asked."""
        if isinstance(request, ChoiceRequest) and is_npc(context.state, request.who):
            return answer_choice(request, system_of(context).tactics.decide(request), "policy")
        return super().answer(context, request)


def autoplay(
    encounter_id: int,
    *,
    everybody: bool = False,
    version: Seen = None,
    by: str = "",
    grant: Grant | None = None,
) -> str:
    """Play the active combatant's turn, with those of their squad that follow, or with `everybody` all turns
    until a player's; return why it stopped, in words for the GM, "" for a turn that it was to play.

    It stops when someone is asked, when only one side can still fight, after rounds of which nothing came,
    and at the end of a turn after many steps. Refused if only one side can from the start, and after a round
    in which nobody could do anything.
    `version` is what the author saw before the first action.
    """
    taken, lull = 0, Lull()  # actions of this turn
    for steps in count(1):
        done = _act(encounter_id, everybody, taken, version=version, by=by, grant=grant)
        lull = lull.after(done.state, done.facts, is_idle=done.ended and not taken, ended=done.ended)
        taken, version = 0 if done.ended else taken + 1, None
        if done.is_over:
            return done.stopped
        if lull.is_quiet(done.state):
            raise Refused("not_allowed", NOTHING_LEFT)
        if done.ended and (stopped := lull.find_end(done.state)):
            return stopped
        if done.ended and steps >= MAX_STEPS:
            return ENOUGH
    raise AssertionError("a run that nothing ends")


class Lull(NamedTuple):
    """How long nothing has come of a run: turns in a row without an action, the last round with a check or
    a change of points, and the last one with such a change; −1 before the first step."""

    quiet: int = 0
    since: int = -1
    hurt: int = -1

    def after(self, state: State, facts: Iterable[e.Fact], *, is_idle: bool, ended: bool) -> Lull:
        """The same after a step; `is_idle`: it ended a turn without an action."""
        quiet = self.quiet + is_idle if ended else 0
        events = [fact.event for fact in facts]
        hurts = self.hurt < 0 or any(isinstance(event, e.TrackChanged) for event in events)
        did = hurts or any(isinstance(event, e.Checked) for event in events)
        return Lull(quiet, state.round if did else self.since, state.round if hurts else self.hurt)

    def is_quiet(self, state: State) -> bool:
        """Whether everybody has passed."""
        return self.quiet > len(state.order)

    def find_end(self, state: State) -> str:
        """Why to go on is no use, in words: people only walk about, or nobody is hurt; "" if it is."""
        if state.round - self.since >= LULL_ROUNDS:
            return NOTHING_COMES
        return IN_VAIN if state.round - self.hurt >= VAIN_ROUNDS else ""


def check_turn(system: System, state: State) -> None:
    """Refuse to play for anyone if nobody has a turn, or only one side can still fight."""
    if state.phase != "fight" or state.active not in state.combatants:
        raise Refused("not_allowed", NO_TURN)
    if verdict := find_verdict(system, state):
        raise Refused("not_allowed", f"{describe_beaten(verdict)}: end the fight, or play on by hand.")


def play_one(system: System, state: State, taken: int, do: Callable[[str, Command], T]) -> T:
    """Do the next action of the tactics, or give up; if there is none, the rules refuse it, or many were
    taken in this turn, end the turn."""
    if gives_up(system, state, state.active):
        return do("surrender", Target(target=state.active))
    submission = propose(system, state, state.active) if taken < MAX_STEPS_PER_TURN else None
    if submission:
        with suppress(Refused):
            return do(*submission)
    ending = find_action(system, system.actions.advance)
    return do(ending.name, ending.type())


def is_npc(state: State, who: str) -> bool:
    """Whether this is a combatant without a player."""
    combatant = state.combatants.get(who)
    return combatant is not None and not is_played(state, combatant)


def _run(
    system: System, state: State, encounter: Encounter, name: str, command: Command
) -> tuple[str, Command, Done | Waiting]:
    """Run one command with sealed dice; a refused one has rolled nothing."""
    dice = open_dice(encounter, state)
    result = run(system, state, find_action(system, name), command=command, driver=PlayFor(dice=dice))
    count_rolls(encounter, dice)
    return name, command, result


class _Acted(NamedTuple):
    """A step of a run: the state after it, its facts, whether a turn ended, whether the run is over, why."""

    state: State
    facts: tuple[e.Fact, ...]
    ended: bool
    is_over: bool
    stopped: str


def _act(
    encounter_id: int, everybody: bool, taken: int, version: Seen, by: str, grant: Grant | None
) -> _Acted:
    """Do one action of the active combatant, or end its turn.

    `taken` are the actions that this turn has had already.
    """
    with locked(encounter_id) as encounter:
        check_gm(find_viewer(encounter, grant))
        check_version(encounter, version)
        make_ready(encounter)
        move_on(encounter)
        system, state = find_system(encounter.system), read_state(encounter)
        if encounter.open_command:
            raise Refused("not_allowed", NO_TURN)
        check_turn(system, state)
        name, command, result = play_one(system, state, taken, partial(_run, system, state, encounter))
        who = f"{author_label(by, GM, grant)} (auto)"
        done = store_result(encounter, state, name, command=command_data(command), result=result, by=who)
        after, ended = result.state if isinstance(result, Done) else state, name == system.actions.advance
        goes_on = everybody or is_same_squad(state, after)
        stopped = ASKED if done.waiting else find_stop(system, after, ended and goes_on)
        is_over = bool(stopped) or (ended and not goes_on)
        return _Acted(after, result.facts, ended, is_over, stopped)


def is_same_squad(before: State, after: State) -> bool:
    """Whether the turn that follows in this round is that of another of the same squad."""
    return after.round == before.round and after.active in find_members(before, before.active)


def find_stop(system: System, state: State, next_turn: bool) -> str:
    """Why a run cannot go on after a step, with the `next_turn` if that is to be played; empty if it can."""
    if verdict := find_verdict(system, state):
        return f"Auto-play stopped: {describe_beaten(verdict)}."
    if not next_turn or is_npc(state, state.active):
        return ""
    acting = state.combatants.get(state.active)
    return f"Auto-play stopped: it is {possessive(acting.name)} turn." if acting else NO_TURN


# Passing turns: the GM ends several turns in a row, each a step as if they had pressed the button. What a
# pass does is foreseen without dice, so that a page shows whose turns end before anything is done. It ends
# before another's turn and with the round, and after a turn whose end asks for dice or a choice or does
# harm.


Turns = tuple[tuple[str, ...], ...]  # who acts in each


def _is_of_side(system: System, state: State, who: str, first: str) -> bool:
    return state.combatants[who].side == state.combatants[first].side


def _is_idle(system: System, state: State, who: str, first: str) -> bool:
    """Whether someone is out, or has nothing sensible to do by the game's tactics."""
    return not has_turns(system, state, state.combatants[who]) or propose(system, state, who) is None


def _is_of_squad(system: System, state: State, who: str, first: str) -> bool:
    return who == first or who in find_members(state, first)


PASSES: dict[str, Callable[[System, State, str, str], bool]] = {
    "side": _is_of_side,
    "idle": _is_idle,
    "squad": _is_of_squad,
}


def foresee(system: System, state: State, whose: str) -> Turns:
    """The turns that a pass would end now, in order, beginning with the present one.

    `whose` is "side" for all of the side that acts, "idle" for those who would do nothing, or "squad" for
    those who act as one with who acts.
    """
    may_pass, first, now = PASSES[whose], state.active, state.round
    ending, turns = find_action(system, system.actions.advance), list[tuple[str, ...]]()
    until = monotonic() + LOOK_SECONDS
    while len(turns) < MAX_TURNS and monotonic() < until:
        acting = (state.active, *state.sharing)
        if state.phase != "fight" or state.round != now or not state.combatants.keys() >= set(acting):
            break
        if not all(may_pass(system, state, who, first) for who in acting):
            break
        turns.append(acting)
        try:
            done = run(
                system,
                state,
                ending,
                command=read_command(ending, dict(find_fields(acting))),
                driver=TryDriver(),
            )
        except Refused:
            return tuple(turns[:-1])
        if not isinstance(done, Done) or _does_harm(system, done.facts):
            break
        state = done.state
    return tuple(turns)


def find_turns(system: System, state: State, whose: str) -> Turns:
    """The turns that a pass ends; Refused if there are none."""
    if whose not in PASSES:
        raise Refused(
            "bad_value", "Choose whose turns to pass: those of a side, of a squad, or of who can do nothing."
        )
    turns = foresee(system, state, whose)
    if not turns:
        raise Refused("not_allowed", "There is no turn to pass now.")
    return turns


def find_fields(acting: tuple[str, ...]) -> dict[str, bool]:
    """The fields of the command that ends a turn; it ends those of all who act at the same time."""
    return {"whole": True} if len(acting) > 1 else {}


def _does_harm(system: System, facts: Iterable[e.Fact]) -> bool:
    """Whether someone is hurt, or has a new condition."""
    for event in (fact.event for fact in facts):
        if isinstance(event, e.ConditionGained):
            return True
        if isinstance(event, e.TrackChanged) and event.new != event.old:
            if (event.new > event.old) == system.characters.find_track(event.track).rises:
                return True
    return False


def pass_turns(
    encounter_id: int,
    whose: str,
    *,
    typed: bool = False,
    version: Seen = None,
    by: str = "",
    grant: Grant | None = None,
) -> SubmissionResult:
    """End the turns that are foreseen; a question or the time limit ends the pass earlier.

    With `typed`, dice are typed by people. Refused if no turn can be passed now.
    """
    with locked(encounter_id) as encounter:
        check_gm(find_viewer(encounter, grant))
        check_version(encounter, version)
        system = find_system(encounter.system)
        turns, until = find_turns(system, read_state(encounter), whose), monotonic() + MAX_SECONDS
        for acting in turns:
            fields = dict(find_fields(acting))
            wanted = Submission(system.actions.advance, fields, typed=typed, by=by, grant=grant)
            done = submit(encounter_id, wanted)
            if done.waiting or monotonic() > until:
                break
        return done
