"""Improvised acts in every game: ten sentences are understood, rolled by its check, paid and settled."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, ReplayDriver, find_action, run
from combat.rules.core.gm.decisions import GiveCondition
from combat.rules.core.gm.improvising import ACT, Improvise, find_margin
from combat.rules.core.gm.verbs import name_everyone, understand
from combat.rules.core.odds.odds import brief_chance, find_odds
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.rulings import NEXT_ROLL, Effect, is_help
from combat.rules.core.state.state import State, has_condition, is_acting, present
from combat.rules.core.wording import describe_facts
from tests.combat.rules.games import GAMES, demo_fights, demo_moments

every_ruled = pytest.mark.parametrize(
    "system", [pytest.param(game, id=slug) for slug, game in GAMES.items() if game.actions.improvising]
)
# The sentence, the deed it is rolled as, and the kinds of what follows if it works and if it fails
SENTENCES = (
    ("I swing on the cable and land on {them}", "athletics", ["place", "condition"], ["condition"]),
    ("I throw sand in the eyes of {them}", "fight", ["points"], ["words"]),
    ("Shoving the crate into {them}!", "might", ["condition"], ["words"]),
    ("I shout at {them} to give up", "threaten", ["points"], ["words"]),
    ("I try to hack the visor of {them}", "tech", ["points"], ["words"]),
    ("I make {them} believe that the hatch is open", "trick", ["words"], ["words"]),
    ("take a hostage: {them}", "might", ["points"], ["words"]),
    ("I drop the lamp on {them}", "might", ["harm"], ["words"]),
    ("I win {them} over to our side", "talk", ["words"], ["words"]),
    ("I flee through the vent", "athletics", ["words"], ["words"]),
)


def find_turn(system: System) -> tuple[State, str, str]:
    """A demo fight in a turn whose actor can pay for an act, the actor, and a foe."""
    for moment in demo_fights(system):
        state = moment.after
        actor = state.combatants.get(state.active)
        if state.phase != "fight" or actor is None or system.characters.health(actor).is_out:
            continue
        foes = [one.id for one in present(state) if one.side != actor.side]
        if foes and understand(system, state, actor.id, "jump", {}).act.cost:
            return state, actor.id, foes[0]
    raise AssertionError("nobody can pay for an act")


def rule(system: System, words: str) -> tuple[State, Improvise]:
    state, actor, foe = find_turn(system)
    line = words.format(them=state[foe].name)
    return state, understand(system, state, actor, line, name_everyone(state)).act


def do(system: System, state: State, act: Improvise, seed: int = 1) -> Done:
    action = find_action(system, ACT)
    command = read_command(action, command_data(act), state)
    assert command == act, "it comes back from a record as it was"
    done = run(system, state, action, command, AutoDriver(random.Random(seed)))
    assert isinstance(done, Done)
    assert fold_all(state, done.facts) == done.state
    again = run(system, state, action, command, ReplayDriver(), answers=done.answers)
    assert again == done, "a replay with its answers verifies"
    return done


def read_log(system: System, state: State, done: Done) -> str:
    return " ".join(line.text for line in describe_facts(system, done.facts, name_everyone(state)))


@every_ruled
def test_ten_sentences_are_understood_and_played(system: System) -> None:
    rules = system.actions.improvising
    assert rules
    for words, deed, works, fails in SENTENCES:
        state, act = rule(system, words)
        check = {name: value for name, value in act.check if name != rules.figures.grade}
        assert check in (rules.figures.deeds[deed], *rules.figures.fitting.get(deed, ())), words
        assert [effect.kind for effect in act.works] == works, words
        assert [effect.kind for effect in act.fails] == fails, words
        assert act.cost, words
        ends = set()
        for seed in range(6):
            done = do(system, state, act, seed)
            log = read_log(system, state, done)
            assert act.words in log
            ends.add("that works" in log)
            paid = [fact for fact in done.facts if isinstance(fact.event, e.BudgetSpent)]
            assert paid, words
        assert 0 <= brief_chance(system, state, find_action(system, ACT), act) <= 1


@every_ruled
def test_odds_are_those_of_the_games_check(system: System) -> None:
    state, act = rule(system, SENTENCES[0][0])
    action = find_action(system, ACT)
    panel = find_odds(system, state, action, act)
    assert panel.headline
    assert panel.headline.chance == pytest.approx(brief_chance(system, state, action, act))
    rules = system.actions.improvising
    assert rules
    grades = [step.value for step in rules.figures.grades]
    chances = []
    for grade in grades:
        fields = tuple((name, grade if name == act.check[-1][0] else value) for name, value in act.check)
        chances.append(brief_chance(system, state, action, replace(act, check=fields)))
    assert chances == sorted(chances, reverse=True), "the grades go from easy to hard"


@every_ruled
def test_a_contest_is_won_by_the_better_roll(system: System) -> None:
    state, act = rule(system, SENTENCES[2][0])
    contest = replace(act, opposed=act.about, counter=act.check, works=(), fails=(), cost="")
    for seed in range(6):
        done = do(system, state, contest, seed)
        mine, theirs = (
            next(f.event for f in done.facts if isinstance(f.event, e.Checked) and f.event.who == who)
            for who in (act.actor, act.about)
        )
        assert mine.good == (find_margin(mine) > find_margin(theirs))
        assert ("that works" in read_log(system, state, done)) == mine.good


@every_ruled
def test_who_is_out_opposes_nothing(system: System) -> None:
    """They roll no dice: the act is rolled alone, with the same chance as without them."""
    state, act = rule(system, SENTENCES[2][0])
    out = run(
        system,
        state,
        find_action(system, "give_condition"),
        GiveCondition(target=act.about, kind="unconscious"),
        AutoDriver(random.Random(1)),
    )
    assert isinstance(out, Done)
    state = out.state
    alone = replace(act, works=(), fails=(), cost="")
    contest = replace(alone, opposed=act.about, counter=act.check)
    for seed in range(3):
        done = do(system, state, contest, seed)
        checks = [fact.event for fact in done.facts if isinstance(fact.event, e.Checked)]
        assert {check.who for check in checks} == {act.actor}
        assert f"{state[act.about].name} is out: nobody rolls against it." in read_log(system, state, done)
    action = find_action(system, ACT)
    odds = [find_odds(system, state, action, one).headline for one in (alone, contest)]
    assert odds[0]
    assert odds[0] == odds[1]


@every_ruled
def test_a_secret_number_has_a_twin_with_only_own_terms(system: System) -> None:
    """What the player adds to the dice, the same whatever the difficulty; nothing tells the number."""
    state, act = rule(system, SENTENCES[0][0])
    assert system.actions.improvising
    figures = system.actions.improvising.figures
    told = []
    for grade in figures.grades:
        check = (*(pair for pair in act.check if pair[0] != figures.grade), (figures.grade, grade.value))
        done = do(system, state, replace(act, check=check, secret=True))
        [fact] = [fact for fact in done.facts if isinstance(fact.event, e.Checked)]
        assert fact.to == e.GM_ONLY
        twin = fact.redacted
        assert isinstance(twin, e.Checked)
        assert isinstance(fact.event, e.Checked)
        assert (twin.against, twin.against_terms) == (None, ())
        assert twin.total == twin.roll.total + add_up(twin.modifiers)
        assert twin.good == fact.event.good
        told.append(twin.modifiers)
    assert len(told) > 1
    assert set(told) == {told[0]}


@every_ruled
def test_a_bonus_counts_once(system: System) -> None:
    state, actor, _ = find_turn(system)
    action = find_action(system, "help_next")
    given = run(system, state, action, read_command(action, {"target": actor, "points": 2}), AutoDriver())
    assert isinstance(given, Done)
    assert has_condition(given.state[actor], NEXT_ROLL)
    act = understand(system, given.state, actor, "I jump", {}).act
    before, after = (brief_chance(system, at, find_action(system, ACT), act) for at in (state, given.state))
    assert after >= before
    done = do(system, given.state, act)
    assert not has_condition(done.state[actor], NEXT_ROLL)


@every_ruled
def test_same_state_stays_and_what_is_not_there_is_refused(system: System) -> None:
    state, actor, foe = find_turn(system)
    base = Improvise(actor=actor, words="Again")
    same = (
        Effect(kind="side", who=(foe,), key=state[foe].side),
        Effect(kind="place", who=(actor,), to=actor),
        Effect(kind="item", who=(foe,), key="gone"),
    )
    assert do(system, state, replace(base, works=same)).state == state
    for bad in (
        replace(base, cost="luck"),
        replace(base, check=(("luck", "1"),)),
        replace(base, opposed=foe),
        replace(base, words="x" * 201),
        replace(base, works=(Effect(kind="harm", who=("f99",), dice="1"),)),
        replace(base, works=(Effect(kind="harm", who=(foe,), dice="many"),)),
        replace(base, works=(Effect(kind="harm", dice="1"),)),
        replace(base, works=(Effect(kind="points", who=(foe,), n=99, turns=1),)),
    ):
        with pytest.raises(Refused):
            do(system, state, bad)


@every_ruled
def test_out_of_turn_an_act_is_free_or_waits(system: System) -> None:
    state, _, _ = find_turn(system)
    idle = next(one.id for one in present(state) if not is_acting(state, one.id))
    act = understand(system, state, idle, "I jump", {}).act
    assert act.check
    assert not act.cost
    rules = system.actions.improvising
    assert rules
    with pytest.raises(Refused, match="turn"):
        do(system, state, replace(act, cost=rules.costs[0].key))


def test_a_game_without_a_check_rolls_nothing() -> None:
    for system in (game for game in GAMES.values() if game.actions.improvising is None):
        state = next(moment.after for moment in demo_fights(system) if moment.after.phase == "fight")
        actor = present(state)[0].id
        act = understand(system, state, actor, "I jump", name_everyone(state)).act
        assert (act.check, act.cost) == ((), "")
        assert "that works" in read_log(system, state, do(system, state, act))
        with pytest.raises(Refused, match="roll nothing"):
            do(system, state, replace(act, check=(("skill", "x"),)))


@every_ruled
def test_names_are_found_by_a_word_that_only_one_has(system: System) -> None:
    names = {"a": "Captain Vex", "b": "Goon 1", "c": "Goon 12", "d": "Captain Hook"}
    state, actor, _ = find_turn(system)
    for words, about in (
        ("I jump at Vex", "a"),
        ("I jump at goon 1", "b"),
        ("I jump at Goon 12", "c"),
        ("I jump at the captain", ""),
        ("I hum", ""),
    ):
        assert understand(system, state, actor, words, names).act.about == about, words


def has_bonus(check: e.Checked) -> bool:
    """Whether the bonus on the next roll is in the sum of a check."""
    return any(map(is_help, (*check.modifiers, *check.against_terms)))


@pytest.mark.slow
@every_ruled
def test_a_bonus_counts_in_the_first_roll_of_an_action_alone(system: System) -> None:
    """Of all that anyone does in the demo fights, as it was done and again with other dice."""
    action, counted, several = find_action(system, "help_next"), 0, 0
    for number in range(len(system.demo.make_all())):
        for moment in demo_moments(system.slug, number):
            done = find_action(system, moment.step.name)
            actor = str(moment.step.command.get("actor", ""))
            if moment.before.phase != "fight" or not actor or done.who == "gm":
                continue
            help_them = read_command(action, {"target": actor, "points": 3})
            helped = run(system, moment.before, action, help_them, AutoDriver())
            assert isinstance(helped, Done)
            for seed in range(8):
                command = read_command(done, moment.step.command)
                try:
                    after = run(system, helped.state, done, command, AutoDriver(random.Random(seed)))
                except Refused:
                    continue
                assert isinstance(after, Done)
                checks = [fact.event for fact in after.facts if isinstance(fact.event, e.Checked)]
                mine = [has_bonus(check) for check in checks if check.who == actor]
                assert sum(mine) <= 1, done.name
                assert has_condition(after.state[actor], NEXT_ROLL) == (not any(mine)), done.name
                counted += any(mine)
                several += len(mine) > 1
    assert counted > 5, several
