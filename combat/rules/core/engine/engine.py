"""The engine runs one command through its guards and procedure, with whatever driver answers."""

from __future__ import annotations

import random
from collections.abc import Mapping

import msgspec

from ..basics.dice import throw
from ..basics.requests import (
    Answer,
    ChoiceRequest,
    NeedsAnswer,
    Request,
    RollRequest,
    answer_choice,
    answer_roll,
    answer_sealed,
    follow_standing,
)
from ..basics.sealed import SealedDice
from ..commands.commands import Action, Command, check
from ..commands.context import Driver, RuleContext, Then
from ..gm.actions import GM_ACTIONS
from ..gm.seat_actions import SEAT_ACTIONS
from ..gm.standing_orders import STANDING
from ..space import map_of
from ..state import events as e
from ..state.state import State
from ..system import System
from ..vision import find_news, find_player_sides


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


class LiveDriver:
    """Answers at the table: the server rolls unless dice are typed; choices are asked.

    `faces` are typed dice that answer the first roll; all others come from the sealed `dice`, in tests
    from `chance`. `standing` holds standing orders by
    "rule id:fighter", beside those that fighters carry in their marks. One that cannot be
    followed now is asked about instead.
    """

    def __init__(
        self,
        typed: bool = False,
        standing: Mapping[str, str] | None = None,
        chance: random.Random | None = None,
        faces: tuple[int, ...] = (),
        dice: SealedDice | None = None,
    ) -> None:
        self.dice = dice
        self.typed = typed
        self.faces = faces
        self.standing = standing or {}
        self.chance = chance

    @property
    def gathers(self) -> bool:
        """Whether dice that several people will roll are asked for together."""
        return self.typed and not self.faces

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        if isinstance(request, RollRequest):
            if self.faces:
                faces, self.faces = self.faces, ()
                return answer_roll(request, faces, "table")
            if self.typed:
                return None
            if self.dice:
                return answer_sealed(request, self.dice)
            return answer_roll(request, throw(request.dice, self.chance), "app")
        value = follow_standing(request, self._find_order(context.state, request))
        return answer_choice(request, value, "order") if value else None

    def _find_order(self, state: State, request: ChoiceRequest) -> str:
        given = "" if request.also else self.standing.get(f"{request.rule}:{request.who}", "")
        return given or find_order(state, request)


def find_order(state: State, request: ChoiceRequest) -> str:
    """The standing order of the fighter that is asked, or nothing: no one's order answers for several."""
    fighter = None if request.also else state.combatants.get(request.who)
    return str(fighter.marks.get(STANDING + request.rule, "")) if fighter else ""


def choose(context: RuleContext, request: ChoiceRequest) -> Answer:
    """What is chosen without people: by the standing order of who is asked, else by the game's policy."""
    order = follow_standing(request, find_order(context.state, request))
    if order:
        return answer_choice(request, order, "order")
    return answer_choice(request, context.system.decide(request), "policy")


class AutoDriver:
    """Answers everything by itself: dice at random, choices by standing orders and the game's stated policy.

    One that does not `tell` is for fights of which only the end is kept.
    """

    def __init__(self, chance: random.Random | None = None, tells: bool = True) -> None:
        self.chance = chance
        self.tells = tells

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        if isinstance(request, ChoiceRequest):
            return choose(context, request)
        return answer_roll(request, self.throw(request.dice), "app")

    def throw(self, dice: str) -> tuple[int, ...]:
        """What these dice show now: all that a fight needs of which nothing is told."""
        return throw(dice, self.chance)

    def takes_default(self, context: RuleContext, who: str, rule: str) -> bool:
        """Whether the default of a question is taken, whatever the choices are."""
        fighter = context.state.combatants.get(who)
        return rule not in context.system.policy and not (fighter and STANDING + rule in fighter.marks)


class ReplayDriver:
    """Answers nothing: whatever is not recorded is missing."""

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        return None


class TryDriver(ReplayDriver):
    """Answers nothing and tells nobody: for what is only tried, and never shown to anyone."""

    tells = False


def find_action(system: System, name: str) -> Action:
    """The game's action of this name, or one that every game has; Refused("unknown") otherwise."""
    return GM_ACTIONS.get(name) or SEAT_ACTIONS.get(name) or system.action(name)


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
    system.versions.check(state.rules, system.name)
    aim = getattr(command, "target", "")
    target, targets = aim if isinstance(aim, str) else "", tuple(getattr(command, "targets", ()))
    context = RuleContext(
        system, state, driver, answers, not command.untraded, command.actor, target, targets
    )
    try:
        check(state, action, command.actor, command)
        follow(context, Then(action.run, command))
    except NeedsAnswer as needed:
        return Waiting(needed.requests, tuple(context.facts), _keep(answers, context.answers))
    context.check_recorded()
    if getattr(driver, "tells", True):
        explore(context)
    return Done(context.state, tuple(context.facts), tuple(context.answers))


def explore(context: RuleContext) -> None:
    """Note what each side of players sees of the map for the first time, where there is a fog."""
    battle_map = map_of(context.state.scene)
    if not (battle_map.fog and battle_map.remembers):
        return
    eyes = context.system.find_eyes(context.state)
    for side in find_player_sides(context.state):
        if cells := find_news(context.state, eyes, side):
            context.emit(e.Explored(side, cells), to=e.GM_ONLY)


def _keep(known: tuple[Answer, ...], used: list[Answer]) -> tuple[Answer, ...]:
    """All answers so far; of several people asked at once the later may have answered first."""
    return (*used, *(answer for answer in known if answer not in used))


def follow(context: RuleContext, step: Then | None) -> None:
    """Run a procedure to its end, step by step."""
    while step is not None:
        step = step.step(context, *step.args)
