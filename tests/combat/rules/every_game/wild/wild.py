"""Wild fights: at every state, pick something that people may want, sensible or not.

A seed and a length determine a fight, so that hypothesis can find the shortest that fails.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st

from combat.rules.core.basics.dice.dice import throw
from combat.rules.core.basics.dice.requests import (
    Answer,
    ChoiceRequest,
    Request,
    Split,
    answer_choice,
    answer_roll,
    write_split,
)
from combat.rules.core.basics.dice.requests import fill as fill_places
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import (
    Action,
    Field,
    command_data,
    find_first_value,
    find_reasons,
    read_command,
)
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.book import DemoStep
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.state.history import COMMAND, REDO, UNDO, StateTimeline, Step, Timeline
from combat.rules.core.state.state import State, is_acting, present
from tests.combat.rules.every_game.wild.wild_gm import (
    TERMS,
    Chance,
    Submission,
    pick_figures,
    pick_gm_submission,
    pick_someone,
)
from tests.combat.rules.games import name_step
from tests.combat.rules.stage import Given, Script

MAX_SUBMISSIONS = 100  # in a round
UNSHRUNK = tuple(phase for phase in Phase if phase not in (Phase.shrink, Phase.explain))
UNSEEN = "Unseen"


def wild_fights(
    test: Callable[..., None], part: int = 2, phases: Collection[Phase] = tuple(Phase)
) -> Callable[..., None]:
    """Give a test seeds and lengths of wild fights: half as many as other examples, as each is long."""
    fewer = max(2, settings().max_examples // part)
    some = settings(max_examples=fewer, phases=phases, suppress_health_check=[HealthCheck.too_slow])
    return some(given(seed=st.integers(0, 2**32), length=st.integers(10, 60))(test))


def few_wild_fights(test: Callable[..., None]) -> Callable[..., None]:
    """A quarter as many, for a test that does much at each step, such as drawing forms with odds.

    The first that fails is told as it is: looking for the shortest would take minutes.
    """
    return wild_fights(test, part=4, phases=UNSHRUNK)


def long_fights(test: Callable[..., None]) -> Callable[..., None]:
    """Give a test a fifth of the examples that others have: each is a fight of several rounds."""
    fewer = max(2, settings().max_examples // 5)
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=fewer, suppress_health_check=quiet)(test)


class Whim:
    """Answers everything at random, now and then with a refused option."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def answer(self, context: RuleContext, request: Request) -> Answer:
        if isinstance(request, ChoiceRequest) and request.split:
            return answer_choice(request, self.divide(request.split), "seat")
        if isinstance(request, ChoiceRequest):
            open_now = [option for option in request.options if not option.refused]
            options = request.options if self.chance.random() < 0.05 else open_now
            return answer_choice(request, self.chance.choice(options).value, "seat")
        return answer_roll(request, throw(request.dice, self.chance), "app")

    def divide(self, split: Split) -> str:
        """A random division of points; now and then of too many."""
        order = [place.key for place in split.places]
        self.chance.shuffle(order)
        parts = fill_places(split, order)
        if self.chance.random() < 0.05:
            parts[order[0]] += 1
        return write_split(split, parts)


class Told(Whim):
    """Answers from a list while it lasts, then at random."""

    def __init__(self, answers: Given, chance: Chance) -> None:
        super().__init__(chance)
        self.script = Script(answers)

    def answer(self, context: RuleContext, request: Request) -> Answer:
        return self.script.answer(context, request) if self.script.left else super().answer(context, request)


class Log:
    """An encounter as stored: the steps, and the state after each."""

    def __init__(self, system: System, start: State | None = None) -> None:
        self.system = system
        self.start = self.state = start or system.begin()
        self.steps: list[Step] = []
        self.states = [self.start]
        self.course = StateTimeline(self.start)

    def do(self, name: str, data: dict[str, Any], chance: Chance, answers: Given = ()) -> Done:
        """Run a command; Refused leaves everything as it was."""
        action = find_action(self.system, name)
        command = read_command(action, data)
        done = run(self.system, self.state, action, command, Told(answers, chance))
        assert isinstance(done, Done)
        words = command_data(command)
        self._add(COMMAND, name=name, command=words, answers=done.answers, facts=done.facts)
        assert self.state == done.state
        return done

    def play(self, steps: Iterable[DemoStep], chance: Chance) -> None:
        """Do the steps of a script with its answers."""
        for number, step in enumerate(steps, len(self.steps) + 1):
            with name_step(self.system, number, step.name):
                self.do(step.name, dict(step.command), chance, step.answers)

    def undo(self) -> None:
        """Strike the last live step."""
        self._add(UNDO, target=self.course.line.live[-1])

    def redo(self) -> None:
        """Restore the last struck step."""
        self._add(REDO, target=self.course.line.undone[0])

    def _add(self, kind: str, **more: Any) -> None:
        step = Step(len(self.steps) + 1, kind, **more)
        self.steps.append(step)
        self.state = self.course.follow(step)
        self.states.append(self.state)

    @property
    def line(self) -> Timeline:
        """The steps that count now."""
        return self.course.line


def begin(system: System, chance: Chance) -> Log:
    """The demo fight set up; mostly with the first turn begun, often with someone hidden or who waits."""
    log = Log(system)
    for step in system.demo.make_first().setup:
        log.do(step.name, dict(step.command), chance)
    if chance.random() < 0.5:
        who = chance.choice(list(log.state.combatants))
        log.do("rename", {"target": who, "name": UNSEEN}, chance)
        log.do("hide", {"target": who}, chance)
    if chance.random() < 0.5:
        log.do("join", {"block": chance.choice(list(system.book.find_blocks())), "side": "enemies"}, chance)
        late, plan = [*log.state.combatants][-1], chance.choice([{}, {"when": "round", "at_round": 2}])
        log.do("hold_back", {"targets": [late], "edge": chance.choice(["", "east"]), **plan}, chance)
    if chance.random() < 0.95:
        log.do(system.actions.start, {}, chance)
    return log


def play(system: System, seed: int, length: int, undo: bool = True) -> Iterator[tuple[Log, Step]]:
    """Play submissions as they come; yield the log and its newest step after each.

    A refusal changes nothing, and only Refused may be raised.
    """
    chance = random.Random(seed)
    log = begin(system, chance)
    for _ in range(length):
        before, count = log.state, len(log.steps)
        if undo and chance.random() < 0.1 and log.line.live:
            log.undo()
        elif undo and chance.random() < 0.4 and log.line.undone:
            log.redo()
        else:
            name, data = pick_submission(chance, system, log.state)
            try:
                log.do(name, data, chance)
            except Refused as refused:
                event(f"refused: {name}")
                _check_unchanged(refused, log, before, count)
                continue
            event(f"done: {name}")
        yield log, log.steps[-1]


def play_rounds(system: System, seed: int, rounds: int) -> Iterator[tuple[Log, Step]]:
    """Play submissions until n rounds have begun; a fight that is over continues."""
    chance = random.Random(seed)
    log = begin(system, chance)
    for block in chance.sample(list(system.book.find_blocks()), 2):
        log.do("join", {"block": block, "side": log.state.combatants["f1"].side}, chance)
    last = log.state.round + rounds
    for _ in range(MAX_SUBMISSIONS * rounds):
        if log.state.round >= last:
            return
        name, data = pick_long_submission(chance, system, log)
        before, count = log.state, len(log.steps)
        try:
            log.do(name, data, chance)
        except Refused as refused:
            _check_unchanged(refused, log, before, count)
        else:
            yield log, log.steps[-1]


def pick_long_submission(chance: Chance, system: System, log: Log) -> Submission:
    """Something that someone may want, often the least done action; few leave for good."""
    state, (kind,) = log.state, chance.choices(["any", "next", "rare"], [5, 2, 3])
    if state.phase != "fight":
        return system.actions.start, {}
    submission = pick_submission(chance, system, state) if kind == "any" else (system.actions.advance, {})
    if kind == "rare":
        submission = pick_rare_action(chance, system, log) or submission
    leaves = submission[0] in ("end_fight", "remove") and chance.random() < 0.8
    return (system.actions.advance, {}) if leaves else submission


def pick_rare_action(chance: Chance, system: System, log: Log) -> Submission | None:
    """The least done action of those open to someone."""
    legal = find_legal(system, log.state)
    if not legal:
        return None
    done = Counter(step.name for step in log.steps)
    actor, action = min(legal, key=lambda one: (done[one[1].name], chance.random()))
    return action.name, fill(chance, action, log.state, actor)


def _check_unchanged(refused: Refused, log: Log, before: State, count: int) -> None:
    assert refused.message
    assert log.state is before
    assert len(log.steps) == count


def play_all(system: System, seed: int, length: int, undo: bool = True) -> Log:
    """A whole wild fight."""
    played = Log(system)
    for log, _ in play(system, seed, length, undo):
        played = log
    return played


# ---------------------------------------------------------------- submissions


def pick_submission(chance: Chance, system: System, state: State) -> Submission:
    """A request that someone may make now."""
    fight = state.phase == "fight"
    weights = (
        {"act": 4, "tactics": 2, "next": 2, "gm": 2, "prepare": 1}
        if fight
        else {"start": 1, "gm": 2, "prepare": 1}
    )
    (kind,) = chance.choices(list(weights), list(weights.values()))
    if kind == "gm":
        return pick_gm_submission(chance, system, state)
    if kind == "prepare":
        return pick_gm_action(chance, system, state) or (
            system.actions.start if not fight else system.actions.advance,
            {},
        )
    if kind == "tactics" and state.active:
        submission = system.tactics.suggest(state, state.active)
        if submission is not None:
            return submission[0], command_data(submission[1])
    if kind == "act" and chance.random() < 0.05:
        return pick_order(chance, system, state)
    if kind == "act":
        return pick_action(chance, system, state) or (system.actions.advance, {})
    return (system.actions.start if kind == "start" else system.actions.advance), {}


def find_legal(system: System, state: State) -> list[tuple[str, Action]]:
    """Who could do what now, as far as the pages can tell."""
    of_seats = [action for action in system.actions.by_name.values() if action.who != "gm"]
    found: list[tuple[str, Action]] = []
    for combatant in present(state):
        acts = is_acting(state, combatant.id)
        some = tuple(action for action in of_seats if acts or not action.on_turn)
        reasons = find_reasons(some, state, combatant.id)
        found += [(combatant.id, action) for action, reason in zip(some, reasons, strict=True) if not reason]
    return found


def pick_action(chance: Chance, system: System, state: State) -> Submission | None:
    """An action from the list, with its form filled in."""
    legal = find_legal(system, state)
    if not legal:
        return None
    actor, action = chance.choice(legal)
    return action.name, fill(chance, action, state, actor)


def pick_gm_action(chance: Chance, system: System, state: State) -> Submission | None:
    """A GM's action of this game."""
    flow = (system.actions.start, system.actions.advance)
    own = [a for a in system.actions.by_name.values() if a.who == "gm" and a.name not in flow]
    if not own:
        return None
    action = chance.choice(own)
    return action.name, fill(chance, action, state, "")


def fill(chance: Chance, action: Action, state: State, actor: str) -> dict[str, Any]:
    """The fields of an action's form, as it opens or with random values."""
    wild = chance.random() < 0.4
    data: dict[str, Any] = {"actor": actor} if actor else {}
    for field in action.find_fields(state, actor):
        value = pick_value(chance, field) if wild else find_first_value(field)
        if value:
            data[field.name] = value
    if chance.random() < 0.1:
        data |= {"adjust": chance.randint(-30, 30), "because": "the table says so"}
    return data


def pick_order(chance: Chance, system: System, state: State) -> Submission:
    """A standing order, or the end of one; a word for the dice, free dice, a counter, a ruling, or something
    to ask for."""
    if chance.random() < 0.3:
        things = [item.id for one in present(state) for item in one.items]
        things += [item.id for item in state.ground]
        want = chance.random() < 0.8
        return "ask_for", {
            "actor": pick_someone(chance, state),
            "item": chance.choice([*things, "f0-1"]),
            "want": want,
        }
    if chance.random() < 0.1:
        known = [(one.id, counter.id) for one in present(state) for counter in one.all_counters]
        who, counter = chance.choice([*known, (pick_someone(chance, state), "n0")])
        return "spend_counter", {"actor": who, "counter": counter, "by": chance.choice([1, 1, -1])}
    if chance.random() < 0.2 and (found := [one for one in present(state) if one.all_rulings]):
        one = chance.choice(found)
        ruled = {"actor": one.id, "ruling": chance.choice([*(each.id for each in one.all_rulings), "r0"])}
        if chance.random() < 0.2:
            return "drop_ruling", ruled
        return "use_ruling", {**ruled, "target": chance.choice(["", pick_someone(chance, state)])}
    if chance.random() < 0.1:
        return "correct_own", {"actor": pick_someone(chance, state), **pick_figures(chance, system, state)}
    if chance.random() < 0.2:
        word = chance.choice(["", "luck", "a, b", "x" * 31])
        return "give_word", {"actor": pick_someone(chance, state), "word": word}
    if chance.random() < 0.2:
        return "roll_dice", {"actor": pick_someone(chance, state), "term": chance.choice(TERMS)}
    if chance.random() < 0.1:
        to = chance.choice(["all", "side", "gm", "nobody", pick_someone(chance, state)])
        text = chance.choice(["", "Go"])
        return "send_word", {"actor": pick_someone(chance, state), "to": to, "text": text}
    rule = chance.choice([*list(system.rulebook.rules)[:40], "NONE-01"])
    value = chance.choice(["", "parry", "take", "no way!"])
    return "set_standing", {"actor": pick_someone(chance, state), "rule_id": rule, "value": value}


def pick_value(chance: Chance, field: Field) -> Any:
    """Any value that a form offers, and some that it does not."""
    offered = [option.value for option in field.options]
    if field.kind == "many":
        return chance.sample(offered, min(2, len(offered)))
    if field.kind == "flag":
        return chance.choice(["", "true", "false"])
    if field.kind == "number":
        return str(chance.randint((field.low or 0) - 1, (field.high or 20) + 1))
    if field.kind == "text":
        return "".join(chance.choices('aZ {who}\n\x00…🜚"<&', k=chance.randrange(12)))
    free = ["nobody", "4,4", "-3,2.5; 6,1", "zone:none", "near:f99", "nan,1"]
    return chance.choice(offered + free if field.kind == "place" or not offered else offered)
