"""The engine: runs one command through its guards and procedure, with any driver for the answers."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec import UNSET

from ..basics.dice.dice import SealedDice, check_faces, throw
from ..basics.dice.requests import (
    KEPT,
    Answer,
    ChoiceRequest,
    NeedsAnswer,
    Request,
    RollRequest,
    answer_choice,
    answer_roll,
    answer_sealed,
    follow_standing,
    key_of,
)
from ..basics.errors import Refused, allows
from ..basics.words import Label, Phrase
from ..commands.commands import Action, Command, check
from ..commands.context import Defend, Driver, OverruledRolls, Overruling, RuleContext, StartOver, Then
from ..commands.luck import SECOND
from ..declaration.system import System, system_of
from ..gm.actions import GM_ACTIONS, SEAT_ACTIONS
from ..gm.clocks import act_due
from ..gm.counters import begin
from ..gm.reserves import bring_due
from ..gm.standing_orders import STANDING
from ..map.bodies import SIZE
from ..map.vision import find_player_sides, newly_seen
from ..space import map_of
from ..state import events as e
from ..state.events import leave_open
from ..state.state import State, is_played, replace
from ..turn.squads import keep_together

MOST_POINTS = 30  # added to a roll
NO_POINTS = "No modifier changes that roll: undo the action and decide it by hand."


class Done(msgspec.Struct, frozen=True, gc=False):
    """A finished command: its facts, the answers used, and the state after it."""

    state: State
    facts: tuple[e.Fact, ...]
    answers: tuple[Answer, ...]


class Waiting(msgspec.Struct, frozen=True):
    """An open command: the missing answers and the provisional facts so far.

    `averts`: the answers belong to a defense, which may still make the attack fail.
    """

    requests: tuple[Request, ...]
    facts: tuple[e.Fact, ...]
    answers: tuple[Answer, ...]
    averts: bool = False

    def tell(self) -> tuple[e.Fact, ...]:
        """The facts as people may read them: an attack that can still be warded off is no hit yet."""
        return leave_open(self.facts) if self.averts else self.facts


class LiveDriver:
    """Answers at the table: the server rolls unless dice are typed; people choose.

    `faces` are typed dice for the first roll; all others come from the sealed `dice`, in tests from `chance`.
    `standing` holds standing orders by "rule id:combatant", besides those in the marks of combatants. If an
    order is impossible now, the person is asked.
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
        """Whether dice that several people will roll are requested together."""
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
    """The standing order for a question; none if several people are asked."""
    combatant = None if request.also else state.combatants.get(request.who)
    return str(combatant.marks.get(STANDING + request.rule, "")) if combatant else ""


def choose(context: RuleContext, request: ChoiceRequest) -> Answer:
    """The automatic choice: the standing order of the combatant, or the game's policy."""
    order = follow_standing(request, find_order(context.state, request))
    if order:
        return answer_choice(request, order, "order")
    return answer_choice(request, system_of(context).tactics.decide(request), "policy")


def takes_default(context: RuleContext, who: str, rule: str) -> bool:
    """Whether the automatic choice is the default, without looking at the choices."""
    if rule in system_of(context).tactics.policy:
        return False
    combatant = context.state.combatants.get(who)
    return not (combatant and STANDING + rule in combatant.marks)


class AutoDriver:
    """Answers everything automatically: random dice, choices by standing orders and the game's policy.

    Without `tells`, it is for fights that keep only their end.
    """

    takes_default = staticmethod(takes_default)

    def __init__(self, chance: random.Random | None = None, tells: bool = True) -> None:
        self.chance = chance
        self.tells = tells
        self.thrown = 0  # rolls so far

    def throw(self, dice: str) -> tuple[int, ...]:
        """The faces of a random roll: enough for a fight without a log."""
        self.thrown += 1
        return throw(dice, self.chance)

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        if isinstance(request, ChoiceRequest):
            return choose(context, request)
        return answer_roll(request, self.throw(request.dice), "app")


class ReplayDriver:
    """Answers nothing: an answer that is not recorded is missing."""

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        return None


class TryDriver(ReplayDriver):
    """Answers nothing and records no audience: for trial runs that nobody sees."""

    tells = False


def find_action(system: System, name: str) -> Action:
    """The game's action of this name, or one of every game; Refused("unknown") otherwise."""
    found = system.actions.by_name.get(name) or GM_ACTIONS.get(name) or SEAT_ACTIONS.get(name)
    return found or system.action(name)


def run(
    system: System,
    state: State,
    action: Action,
    command: Command,
    driver: Driver,
    answers: tuple[Answer, ...] = (),
) -> Done | Waiting:
    """Run a command from its start with the answers so far.

    Raises Refused if the rules do not allow it, Drift if the answers do not fit.
    """
    system.versions.check(state.rules, system.name)
    aim = getattr(command, "target", "")
    target, targets = aim if isinstance(aim, str) else "", tuple(getattr(command, "targets", ()))
    context = RuleContext(
        system,
        state,
        driver,
        answers=answers,
        trades=not command.untraded,
        actor=command.actor,
        target=target,
        targets=targets,
    )
    if command.overruled:
        context.overruled = OverruledRolls(command.overruled)
    try:
        if action.asks_others:
            check_known(system, state, action, command)
        else:
            check(state, action, command.actor, command)
        follow(context, Then(begin, action, command))
        may_be_due = context.state.reserves is not UNSET or context.state.clocks is not UNSET
        if may_be_due and not isinstance(driver, TryDriver):  # odds and advice do not count on reinforcements
            _do_due(context)
        _settle(context, state, system)
    except StartOver:
        return run(system, state, action, command, driver, answers=_keep(answers, context.answers))
    except NeedsAnswer as needed:
        kept = _keep(answers, context.answers)
        return Waiting(needed.requests, tuple(context.facts), kept, averts=needed.averts)
    if answers:
        context.check_recorded()
    if getattr(driver, "tells", True):
        explore(context)
    return Done(context.state, tuple(context.facts), tuple(context.answers))


def _settle(context: RuleContext, before: State, system: System) -> None:
    """Apply what follows a new order of turns, and new places."""
    if context.state.order is not before.order:
        keep_together(context)
    if system.turn.after_moves is not None:
        end_out_of_reach(context, before)


def _do_due(context: RuleContext) -> None:
    """Let those arrive who are due, and clocks act."""
    if context.state.reserves is not UNSET:
        bring_due(context)
    if context.state.clocks is not UNSET:
        act_due(context)


def check_known(system: System, state: State, action: Action, command: Command) -> None:
    """Refuse an illegal command; never for what only others whom players do not know of have done."""
    try:
        check(state, action, command.actor, command)
    except Refused:
        seen = forget_unseen(system, state, command.actor)
        if seen is state:
            raise
        check(seen, action, command.actor, command)


def forget_unseen(system: System, state: State, actor: str) -> State:
    """The state without those whom some players do not know of; the same if nobody plays the actor."""
    unknown = system.find_unknown(state) - {actor}
    if not unknown or not is_played(state, state[actor]):
        return state
    acting = tuple(who for who in (state.active, *state.sharing) if who and who not in unknown)
    return replace(
        state,
        combatants={who: one for who, one in state.combatants.items() if who not in unknown},
        order=tuple(who for who in state.order if who not in unknown),
        active=acting[0] if acting else "",
        sharing=acting[1:],
    )


def end_out_of_reach(context: RuleContext, before: State) -> None:
    """Let the game end what no longer reaches, if anyone's place or size has changed, or the scene."""
    after_moves, after = system_of(context).turn.after_moves, context.state
    if after_moves is None:
        return
    moved = after.scene is not before.scene
    for who, now in after.combatants.items():  # in each command of a forecast: without further calls
        was = before.combatants.get(who)
        if moved or now is was:
            continue
        moved = (
            was is None
            or now.at != was.at
            or (now.berth is not was.berth and now.inside != was.inside)
            or now.marks.get(SIZE) != was.marks.get(SIZE)
        )
    if moved:
        after_moves(context, before)


def explore(context: RuleContext) -> None:
    """Record what each side of players sees of the map for the first time, if there is a fog."""
    battle_map = map_of(context.state.scene)
    if not (battle_map.fog and battle_map.remembers):
        return
    eyes = system_of(context).find_eyes(context.state)
    for side in find_player_sides(context.state):
        if cells := newly_seen(context.state, eyes, side):
            context.emit(e.Explored(side, cells), to=e.GM_ONLY)


def _keep(known: tuple[Answer, ...], used: list[Answer]) -> tuple[Answer, ...]:
    """All answers so far; of several people asked at once, a later one may answer first."""
    return (*used, *(answer for answer in known if answer not in used))


def follow(context: RuleContext, step: Then | None) -> None:
    """Run a procedure to its end, step by step."""
    while step is not None:
        try:
            step = step.func(context, *step.args)
        except NeedsAnswer as needed:
            needed.averts = needed.averts or isinstance(step, Defend)
            raise


# Find what a command takes from the turn by running it up to its first roll or question.


class Spending(msgspec.Struct, frozen=True):
    """The pools a command pays from, with the amounts; `traded` if another pool than its own must pay."""

    pools: dict[str, int] = {}
    traded: bool = False


def spending_of(system: System, state: State, action: Action, command: Command) -> Spending:
    """The actor's payment for a command; Refused if the rules refuse it."""
    pools = _pay(system, state, action, command) if command.actor else None
    if not pools:
        return Spending()
    own = msgspec.structs.replace(command, untraded=True)
    return Spending(pools, traded=not allows(_pay, system, state, action, own))


def _pay(system: System, state: State, action: Action, command: Command) -> dict[str, int]:
    """The amounts spent before the first roll or answer."""
    facts = run(system, state, action, command=command, driver=TryDriver()).facts
    pools: dict[str, int] = {}
    for event in (fact.event for fact in facts):
        if isinstance(event, e.BudgetSpent) and event.who == command.actor:
            for pool, points in event.pools.items():
                pools[pool] = pools.get(pool, 0) + points
    return pools


def describe_spending(system: System, spending: Spending) -> str:
    """The payment in words for a button: "1 Move", "takes 1 Standard instead"; empty for none."""
    labels = {pool.key: pool.label for pool in system.turn.pools}
    paid = " + ".join(f"{points} {labels.get(pool, pool)}" for pool, points in spending.pools.items())
    return f"takes {paid} instead" if spending.traded else paid


# The GM overrules a roll of a finished command: the same command again, with its dice kept. The verdict
# turns by the smallest number of points added to the roll. Dice that the new course does not need are
# dropped; dice that it needs in addition are rolled as always.


Key = tuple[str, str, str, int]


class Verdict(msgspec.Struct, frozen=True):
    """A check of a finished command with the name of its roll. `label` says what overruling it means."""

    check: e.Checked
    roll: Overruling
    label: Label


class KeptDriver(LiveDriver):
    """Answers with the dice and choices of an earlier course first; without `dice`, with nothing else."""

    gathers = False  # kept dice count for each roller

    def __init__(
        self, kept: Mapping[Key, Answer], dice: SealedDice | None = None, typed: bool = False
    ) -> None:
        super().__init__(typed=typed, dice=dice)
        self.kept = kept

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        """The kept answer, if it still fits the request; else that of the table."""
        known = self.kept.get(key_of(request))
        if known and _fits(request, known):
            return keep_roll(known, request.dice) if isinstance(request, RollRequest) else known
        return super().answer(context, request) if self.dice else None


def keep_roll(rolled: Answer, dice: str) -> Answer:
    """The same faces as an answer of their own: they have no number, as nothing was rolled for it."""
    return Answer(
        "roll",
        rolled.rule,
        rolled.who,
        ordinal=rolled.ordinal,
        faces=rolled.faces,
        value="",
        source=KEPT,
        dice=dice,
    )


def _fits(request: Request, known: Answer) -> bool:
    if not isinstance(request, RollRequest):
        is_open = any(option.value == known.value and not option.refused for option in request.options)
        return is_open or request.split is not None
    return allows(check_faces, request.dice, known.faces) and known.dice in ("", request.dice)


def find_verdicts(
    system: System, facts: Iterable[e.Fact], answers: Iterable[Answer]
) -> Iterator[Verdict | None]:
    """Each check among the facts, in order; None for one that cannot be overruled.

    The catalogue names the outcomes that can: `overrule.miss = "It hit after all"`, and those of one kind of
    check: `overrule.block_defended`.
    """
    left: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    known = {key_of(answer): answer for answer in answers}
    for answer in known.values():
        second = (answer.kind, answer.rule, answer.who, answer.ordinal + SECOND)
        if answer.kind == "roll" and second not in known:
            left[answer.rule, answer.who].append(answer)
    for event in (fact.event for fact in facts):
        if isinstance(event, e.Checked):
            roll, outcome = event.roll, event.outcome.removeprefix("outcome.")
            own, label = f"overrule.{event.kind}_{outcome}", f"overrule.{outcome}"
            label = own if own in system.words else label
            rolled = _take(left[roll.rule, roll.by], roll.faces)
            is_open = rolled is not None and event.against is not None and label in system.words
            named = Overruling(roll.rule, roll.by, rolled.ordinal if rolled else 0)
            yield Verdict(event, named, Phrase(label, {"what": event.what})) if is_open else None


def _take(left: list[Answer], faces: tuple[int, ...]) -> Answer | None:
    """The next answer with these faces; those before it belong to rolls that no check tells."""
    place = next((n for n, answer in enumerate(left) if answer.faces == faces), None)
    if place is None:
        return None
    found = left[place]
    del left[: place + 1]
    return found


def overrule(
    system: System,
    state: State,
    action: Action,
    command: Command,
    verdict: Verdict,
    kept: Mapping[Key, Answer],
) -> tuple[Command, Done | Waiting]:
    """The command with the verdict changed, and its result as far as the kept answers carry it.

    `state` is the one before it. Refused if no number of points changes the verdict.
    """
    known = {one.key: one for one in command.overruled}
    was = known[verdict.roll.key].points if verdict.roll.key in known else 0
    for points in _list_points(verdict.check, was):
        known[verdict.roll.key] = msgspec.structs.replace(verdict.roll, points=points)
        found = _try(system, state, action, command=command, known=known, kept=kept)
        verdicts = find_verdicts(system, found[1].facts, found[1].answers)
        now = next((v for v in verdicts if v and v.roll.key == verdict.roll.key), None)
        if now and now.check.good != verdict.check.good:
            told = msgspec.structs.replace(known[verdict.roll.key], outcome=now.check.outcome)
            return _try(system, state, action, command=command, known=known | {told.key: told}, kept=kept)
    raise Refused("not_allowed", NO_POINTS)


def _list_points(check: e.Checked, was: int) -> list[int]:
    """The points to try, the fewest first: those that reach the number or just miss it, then all others."""
    short = (check.against or 0) - check.total
    near = [was + short + more for more in (-1, 0, 1)]
    every = range(was - MOST_POINTS, was + MOST_POINTS + 1)
    return sorted({*near, 0} - {was}, key=abs) + sorted(set(every) - {*near, 0, was}, key=abs)


def _try(
    system: System,
    state: State,
    action: Action,
    command: Command,
    known: Mapping[tuple[str, str, int], Overruling],
    kept: Mapping[Key, Answer],
) -> tuple[Command, Done | Waiting]:
    changed = msgspec.structs.replace(command, overruled=tuple(known.values()))
    return changed, run(system, state, action, command=changed, driver=KeptDriver(kept))
