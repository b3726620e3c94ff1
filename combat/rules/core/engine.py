"""The engine runs one command through its guards and procedure, with whatever driver answers."""

from __future__ import annotations

import random
from collections.abc import Mapping

import msgspec

from . import events as e
from .commands import Action, Command
from .dice import throw
from .errors import NeedsAnswer, Refused
from .gm_actions import GM_ACTIONS
from .requests import Answer, ChoiceRequest, Request, RollRequest, answer_choice, answer_roll
from .standing import SEAT_ACTIONS, STANDING
from .state import State, is_acting
from .system import System
from .table import Driver, Table, Then


class Done(msgspec.Struct, frozen=True):
    """A finished command: its facts, the answers used, and the state after it."""

    state: State
    facts: tuple[e.Fact, ...]
    answers: tuple[Answer, ...]


class Waiting(msgspec.Struct, frozen=True):
    """An open command: what is still missing, and the provisional facts so far."""

    requests: tuple[Request, ...]
    facts: tuple[e.Fact, ...]
    answers: tuple[Answer, ...]


class Play:
    """Answers at the table: the server rolls unless dice are typed; choices are asked.

    `faces` are typed dice that answer the first roll; `standing` holds standing orders by
    "rule id:fighter", beside those that fighters carry in their marks. One that cannot be
    followed now is asked about instead.
    """

    def __init__(
        self,
        typed: bool = False,
        standing: Mapping[str, str] | None = None,
        chance: random.Random | None = None,
        faces: tuple[int, ...] = (),
    ) -> None:
        self.typed = typed
        self.faces = faces
        self.standing = standing or {}
        self.chance = chance

    def answer(self, table: Table, request: Request) -> Answer | None:
        if isinstance(request, RollRequest):
            if self.faces:
                faces, self.faces = self.faces, ()
                return answer_roll(request, faces, "table")
            if self.typed:
                return None
            return answer_roll(request, throw(request.dice, self.chance), "app")
        order = self.standing.get(f"{request.rule}:{request.who}") or find_order(table.state, request)
        is_open = any(option.value == order and not option.refused for option in request.options)
        return answer_choice(request, str(order), "order") if is_open else None


def find_order(state: State, request: ChoiceRequest) -> str:
    """The standing order of the fighter that is asked, or nothing."""
    fighter = state.combatants.get(request.who)
    return str(fighter.marks.get(STANDING + request.rule, "")) if fighter else ""


class Auto:
    """Answers everything by itself: dice at random, choices by the game's stated policy."""

    def __init__(self, chance: random.Random | None = None) -> None:
        self.chance = chance

    def answer(self, table: Table, request: Request) -> Answer | None:
        if isinstance(request, ChoiceRequest):
            return answer_choice(request, table.system.policy(table.state, request), "policy")
        return answer_roll(request, throw(request.dice, self.chance), "app")


class Recorded:
    """Answers nothing: whatever is not recorded is missing."""

    def answer(self, table: Table, request: Request) -> Answer | None:
        return None


def find_action(system: System, name: str) -> Action:
    """The game's action of this name, or one that every game has; Refused("unknown") otherwise."""
    return GM_ACTIONS.get(name) or SEAT_ACTIONS.get(name) or system.action(name)


def check(state: State, action: Action, command: Command) -> None:
    """The guards every command passes first, from the general to the particular."""
    if action.who != "gm":
        fighter = state[command.actor]
        if state.phase != "fight":
            raise Refused("not_allowed", "The fight has not started yet, or is over.")
        if action.on_turn and not is_acting(state, command.actor):
            raise Refused("not_your_turn", f"It is not {fighter.name}'s turn.")
    action.find_obstacle(state, command.actor)


def run(
    system: System,
    state: State,
    action: Action,
    command: Command,
    driver: Driver,
    answers: tuple[Answer, ...] = (),
) -> Done | Waiting:
    """Run a command from its start with the answers so far.

    Raises Refused when the rules do not allow it, Drift when the answers do not fit.
    """
    table = Table(system, state, driver, answers)
    try:
        check(state, action, command)
        follow(table, Then(action.run, command))
    except NeedsAnswer as needed:
        return Waiting(needed.requests, tuple(table.facts), _keep(answers, table.answers))
    table.check_recorded()
    return Done(table.state, tuple(table.facts), tuple(table.answers))


def _keep(known: tuple[Answer, ...], used: list[Answer]) -> tuple[Answer, ...]:
    """All answers so far; of several people asked at once the later may have answered first."""
    return (*used, *(answer for answer in known if answer not in used))


def follow(table: Table, step: Then | None) -> None:
    """Run a procedure to its end, step by step."""
    while step is not None:
        step = step.step(table, *step.args)
