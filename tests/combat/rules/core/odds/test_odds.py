"""Exact odds against a dumb count of every face, and against plain frequencies."""

from __future__ import annotations

import contextlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import event as note

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, read_command
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.odds.enumeration import Marks, TooMany, find_all, join_sides
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.space import Scene
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Condition, Item, State, replace
from combat.rules.core.turn.turns import TOGETHER
from tests.combat.rules import tiny
from tests.combat.rules.core.odds import brute
from tests.combat.rules.every_game.wild.wild import find_legal, pick_value, play_all, wild_fights
from tests.combat.rules.games import demo_fights, every_game, lack, set_up
from tests.combat.rules.stage import Stage
from tests.typed import as_a

FACES, SUMS = 1_000, 1_000  # runs the dumb count may take, face by face and sum by sum


def find_ends(
    system: System, state: State, action: Action, command: Command, forget: bool = False
) -> brute.Ends:
    """The odds, in the words of the dumb count."""
    found: brute.Ends = {}
    for outcome in find_all(system, state, action, command):
        end = brute.name_end(outcome.state, outcome.marks, forget)
        found[end] = found.get(end, Fraction(0)) + outcome.chance
    return found


def walk(system: System, state: State, action: Action, command: Command) -> brute.Ends | None:
    """The ends of the dumb count, by faces, else by sums, else by cuts; None if there are too many."""
    for most, by_sum, by_cut in ((FACES, False, False), (SUMS, True, False), (SUMS, True, True)):
        try:
            return brute.walk_all(system, state, action, command, most, by_sum, by_cut)
        except brute.TooMany:
            pass
    return None


def compare(found: brute.Ends, expected: brute.Ends) -> None:
    """Check that both give the same, exactly."""
    assert sum(found.values()) == 1
    assert sum(expected.values()) == 1
    assert len(found) == len(expected)
    for end, chance in expected.items():
        assert found.get(end) == chance, f"{chance} expected, not {found.get(end)}, for {end}"


@pytest.mark.slow
@every_game
def test_odds_of_the_demo_are_those_of_the_dumb_count(system: System) -> None:
    compared = rolled = 0
    moments = [m for m in demo_fights(system) if system.actions.has_odds(find_action(system, m.step.name))]
    for moment in moments:
        action = find_action(system, moment.step.name)
        command = read_command(action, moment.step.command)
        expected = walk(system, moment.before, action, command)
        if expected is not None:  # too large to count without merging
            compare(find_ends(system, moment.before, action, command), expected)
            compared += 1
            rolled += len(expected) > 1
    assert compared >= 0.8 * len(moments), f"{compared} of {len(moments)}"
    assert rolled


def pick_commands(system: System, state: State, seed: int) -> Iterator[tuple[Action, Command]]:
    """Commands that a combatant may want now: those of the tactics, and forms filled in at random."""
    chance = random.Random(seed)
    submission = (
        system.tactics.suggest(state, state.active) if state.active and state.phase == "fight" else None
    )
    if submission:
        yield system.action(submission[0]), submission[1]
    legal = find_legal(system, state)
    for actor, action in chance.sample(legal, min(5, len(legal))):
        data = {"actor": actor}
        for field in action.find_fields(state, actor):
            value = pick_value(chance, field) if chance.random() < 0.2 else field.value
            if value:
                data[field.name] = value
        with contextlib.suppress(Refused):
            yield action, read_command(action, data)


def act_alone(state: State) -> State:
    """The same state, but actions take effect at once."""
    marks = {key: mark for key, mark in state.marks.items() if key != TOGETHER}
    return replace(state, marks=marks, sharing=())


def ask_about(
    system: System, state: State, action: Action, command: Command, forget: bool
) -> brute.Ends | None:
    """The odds; None if no roll is asked for and there is too much to count."""
    try:
        return find_ends(system, state, action, command, forget)
    except TooMany:
        assert not system.actions.has_odds(action), f"too many ends of {action.name}"
        return None


@every_game
@wild_fights
def test_odds_of_wild_fights_are_those_of_the_dumb_count(system: System, seed: int, length: int) -> None:
    """If several act at one count, also as if each acted alone, to compare what waits as well."""
    now = play_all(system, seed, length % 30).state
    for state in (now, act_alone(now)) if TOGETHER in now.marks else (now,):
        for action, command in pick_commands(system, state, seed):
            compare_with_the_twin(system, state, action, command)


def compare_with_the_twin(system: System, state: State, action: Action, command: Command) -> None:
    """Check that both give the same for one command, or refuse it in the same words.

    At a shared count some games keep the dice with what waits; the odds ignore those dice.
    """
    forget = TOGETHER in state.marks
    try:
        found = ask_about(system, state, action, command, forget)
    except Refused as refused:
        with pytest.raises(Refused, match=re.escape(refused.message)):
            brute.walk_all(system, state, action, command, 400, by_sum=True)
        return
    try:
        expected = brute.walk_all(system, state, action, command, 400, by_sum=True, forget=forget)
    except brute.TooMany:
        note("too many for the dumb count")
        return
    note(f"compared: {action.name}, {'several ends' if len(expected) > 1 else 'one end'}")
    assert found is not None
    compare(found, expected)


# ---------------------------------------------------------------- merging and cuts


@pytest.fixture
def duel() -> Stage:
    """Ada beside Bo, who is on guard; Ada has the turn."""
    stage = set_up(tiny.SYSTEM)
    for who, x in (("f1", 0.0), ("f2", 1.0), ("f3", 2.0)):
        stage.do("place", target=who, x=x, y=0)
    stage.begin("f1", "f2", "f3")
    stage.give("f2", "guarded")
    return stage


@pytest.mark.slow
@pytest.mark.parametrize("strikes", [1, 2, 3])
def test_several_strikes_are_those_of_the_dumb_count(duel: Stage, strikes: int) -> None:
    action = duel.system.action("strike")
    command = read_command(action, {"actor": "f1", "target": "f2", "strikes": strikes})
    duel.edit("f1", sheet={**duel["f1"].sheet, "skill": 5})
    expected = brute.walk_all(duel.system, duel.state, action, command, 100_000)
    compare(find_ends(duel.system, duel.state, action, command), expected)


def test_equal_states_are_merged(duel: Stage) -> None:
    """Three strikes take hundreds of runs, where the dumb count takes tens of thousands."""
    assert duel.odds("strike", "f1", target="f2", strikes=3).runs < 1_500


@pytest.mark.parametrize(
    "event",
    [
        e.SettingSet("ground", "slippery"),
        e.OptionSet("damage", "1d6"),
        e.SceneSet(Scene("Elsewhere")),
        e.Marked("", "storm", True),
        e.Marked("f1", "luck", 1),
        e.TimePassed(60),
        e.OrderSet(("f3", "f2", "f1")),
        e.TurnShared("f2", {}),
        e.FightEnded(),
        e.ItemLost("f1", Item("i1", "stone", "Pebble", place="ground")),
        e.TrackChanged("f2", "hits", 6, 5),
        e.ConditionGained("f2", Condition("k9", "shaken", "Shaken")),
        e.HiddenSet("f2", True),
    ],
    ids=lambda event: type(event).__name__,
)
def test_ends_that_differ_in_anything_are_kept_apart(duel: Stage, event: e.Event) -> None:
    """A coin decides whether the event happens; something else, and a second step, happens either way."""

    def flip(context: RuleContext, command: Command) -> Then:
        context.emit(e.InitiativeSet("f3", 1))
        if context.roll("1d2", by="f1", rule="", why="").total == 2:
            context.emit(event)
        return Then(rest)

    def rest(context: RuleContext) -> None:
        return None

    action = Action(name="flip", label="Flip", group="", type=Command, run=flip, on_turn=False)
    outcomes = find_all(duel.system, duel.state, action, Command(actor="f1"))
    assert [outcome.chance for outcome in outcomes] == [Fraction(1, 2)] * 2
    compare(
        find_ends(duel.system, duel.state, action, Command(actor="f1")),
        brute.walk_all(duel.system, duel.state, action, Command(actor="f1"), 10),
    )


def test_what_is_earned_is_counted_over_all_ways_there(duel: Stage) -> None:
    """Two coins, merged into one state between them: each head earns one."""

    def flip(context: RuleContext, command: Command, heads: int = 0, left: int = 2) -> Then | None:
        if not left:
            context.emit(e.Earned("f1", "log.round", heads, "f2"))
            return None
        heads += context.roll("1d2", by="f1", rule="", why="").total == 2
        return Then(flip, command, heads, left - 1)

    action = Action(name="flip", label="Flip", group="", type=Command, run=flip, on_turn=False)
    odds = find_odds(duel.system, duel.state, action, Command(actor="f1"))
    chances = {measure.label: measure.chance for measure in odds.measures}
    assert chances == {"Round 0 (Bo)": 0.25, "Round 1 (Bo)": 0.5, "Round 2 (Bo)": 0.25}
    assert odds.runs == 3 + 6 + 3


def test_chances_add_up_to_one(duel: Stage) -> None:
    action = duel.system.action("scare")
    outcomes = find_all(duel.system, duel.state, action, read_command(action, {"actor": "f1"}))
    assert sum(outcome.chance for outcome in outcomes) == 1
    assert all(isinstance(outcome.chance, Fraction) and outcome.chance > 0 for outcome in outcomes)


def test_measures_and_spread_of_one_strike(duel: Stage) -> None:
    """Skill 3 against 6 + 2 for the guard needs a 5; the parry stops half of the hits."""
    odds = duel.odds("strike", "f1", target="f2")
    chances = {measure.label: measure.chance for measure in odds.measures}
    assert chances["strike: hit (Bo)"] == pytest.approx(2 / 6)
    assert chances["strike: miss (Bo)"] == pytest.approx(4 / 6)
    assert chances["parry: stopped (Bo)"] == pytest.approx(1 / 6)
    (spread,) = odds.distributions
    assert dict(spread.chances) == pytest.approx({0: 5 / 6, 1: 1 / 24, 2: 1 / 24, 3: 1 / 24, 4: 1 / 24})
    assert spread.mean == pytest.approx(2.5 / 6)


def test_the_chance_to_drop_someone(duel: Stage) -> None:
    duel.set_track("f2", hits=4)
    odds = duel.odds("strike", "f1", target="f2")
    assert {m.label: m.chance for m in odds.measures}["Bo drops"] == pytest.approx(1 / 6 * 1 / 4)


def test_odds_refuse_what_the_command_would(duel: Stage) -> None:
    with pytest.raises(Refused, match="Strike 1 to 3 times"):
        duel.odds("strike", "f1", target="f2", strikes=4)
    with pytest.raises(Refused, match="not Cy's turn"):
        duel.odds("strike", "f3", target="f1")


@pytest.mark.parametrize(
    ("dice", "times", "look"),
    [("6d10", 1, "faces"), pytest.param("1d100", 3, "", marks=pytest.mark.slow)],
    ids=["faces", "runs"],
)
def test_odds_give_up_when_there_are_too_many(duel: Stage, dice: str, times: int, look: str) -> None:
    def roll(context: RuleContext, command: Command) -> None:
        for _ in range(times):
            context.roll(dice, by="f1", rule="", why="", look=look)

    action = Action(name="x", label="X", group="", type=Command, run=roll, on_turn=False)
    with pytest.raises(TooMany):
        find_odds(duel.system, duel.state, action, Command(actor="f1"))


# ---------------------------------------------------------------- frequencies

PLAYS, SIGMAS = 5_000, 4


def count_marks(system: System, state: State, done: Done) -> Marks:
    """The results of one play, in the words of the odds."""
    found, names = [], {who: combatant.name for who, combatant in state.combatants.items()}
    for fact in join_sides(done.facts):
        told = fact.event
        if isinstance(told, e.Checked):
            what = told.what if isinstance(told.what, str) else system.draw(told.what, names)
            found.append((what, told.target or told.who, told.outcome))
    return tuple(sorted(found))


def find_richest(system: System) -> tuple[State, Action, Command, dict[Marks, Fraction]]:
    """The command of the demo with the most results, up to 12, and their chances."""
    found = []
    for moment in demo_fights(system):
        action = find_action(system, moment.step.name)
        if not system.actions.has_odds(action):
            continue
        command = read_command(action, moment.step.command)
        chances: dict[Marks, Fraction] = defaultdict(Fraction)
        for outcome in find_all(system, moment.before, action, command):
            chances[tuple(sorted(outcome.marks))] += outcome.chance
        if len(chances) <= 12:
            found.append((moment.before, action, command, chances))
    return max(found, key=lambda each: len(each[3]))


@pytest.mark.slow
@every_game
def test_plays_come_out_as_often_as_the_odds_say(system: System) -> None:
    state, action, command, chances = find_richest(system)
    assert len(chances) > 1, lack(system, "has no command in its demo with 2 to 12 results of checks")
    auto = AutoDriver(random.Random(system.slug))
    done = (run(system, state, action, command, auto) for _ in range(PLAYS))
    plays = Counter(count_marks(system, state, as_a(each, Done)) for each in done)
    assert set(plays) <= set(chances)
    for marks, chance in chances.items():
        p = float(chance)
        most = SIGMAS * sqrt(PLAYS * p * (1 - p)) + 1
        assert abs(plays[marks] - PLAYS * p) <= most, f"{marks}: {plays[marks]} of {PLAYS}, not {p:.4f}"


@every_game
def test_the_headline_leads_to_the_rule_of_its_check(system: System) -> None:
    """In every state of the demo fight, for every command with dice."""
    known, seen = system.rulebook.ids, set()
    for moment in demo_fights(system):
        action = find_action(system, moment.step.name)
        if not system.actions.has_odds(action):
            continue  # a round's Initiative for all: no one asks for its chances
        odds = find_odds(system, moment.before, action, read_command(action, moment.step.command))
        if odds.headline:
            seen.add(odds.headline.rule)
    assert seen
    assert seen <= known
