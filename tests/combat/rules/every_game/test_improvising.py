"""Improvised acts in every game: ten sentences are understood, rolled by its check, paid and settled."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, ReplayDriver, find_action, run
from combat.rules.core.gm.improvising import ACT, NEXT_ROLL, Improvise, find_margin
from combat.rules.core.gm.verbs import _find_stems, load_verbs, name_everyone, understand
from combat.rules.core.odds.odds import brief_chance, find_odds
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.rulings import Effect
from combat.rules.core.state.state import State, has_condition, is_acting, present
from combat.rules.core.wording import describe_facts
from tests.combat.rules.games import GAMES, demo_fights

every_ruled = pytest.mark.parametrize(
    "system", [pytest.param(game, id=slug) for slug, game in GAMES.items() if game.actions.improvising]
)
# The sentence, the deed it is rolled as, and the kinds of what follows if it works and if it fails
SENTENCES = (
    ("I swing on the cable and land on {them}", "athletics", ["place", "condition"], ["condition"]),
    ("I throw sand in the eyes of {them}", "fight", ["points"], ["words"]),
    ("Shoving the crate into {them}!", "might", ["condition"], ["words"]),
    ("I shout at {them} to give up", "threaten", ["leaves"], ["words"]),
    ("I try to hack the visor of {them}", "tech", ["points"], ["words"]),
    ("I bribe {them} to look away", "trick", ["words"], ["words"]),
    ("take a hostage: {them}", "might", ["points"], ["words"]),
    ("I drop the lamp on {them}", "might", ["harm"], ["words"]),
    ("I win {them} over to our side", "talk", ["side"], ["words"]),
    ("I flee through the vent", "athletics", ["leaves"], ["words"]),
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
        assert dict(act.check).items() >= rules.figures.deeds[deed].items(), words
        assert [effect.kind for effect in act.works] == works, words
        assert [effect.kind for effect in act.fails] == fails, words
        assert act.cost, words
        ends = set()
        for seed in range(6):
            done = do(system, state, act, seed)
            log = read_log(system, state, done)
            assert act.words in log
            ends.add("it works" in log)
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
        assert ("it works" in read_log(system, state, done)) == mine.good


@every_ruled
def test_a_secret_number_has_a_twin_without_sums(system: System) -> None:
    state, act = rule(system, SENTENCES[0][0])
    done = do(system, state, replace(act, secret=True))
    [fact] = [fact for fact in done.facts if isinstance(fact.event, e.Checked)]
    assert fact.to == e.GM_ONLY
    twin = fact.redacted
    assert isinstance(twin, e.Checked)
    assert (twin.against, twin.against_terms, twin.modifiers) == (None, (), ())
    assert twin.total == twin.roll.total
    assert isinstance(fact.event, e.Checked)
    assert twin.good == fact.event.good


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
def test_what_is_so_already_stays_so_and_what_is_not_there_is_refused(system: System) -> None:
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
        assert "it works" in read_log(system, state, do(system, state, act))
        with pytest.raises(Refused, match="roll nothing"):
            do(system, state, replace(act, check=(("skill", "x"),)))


def test_every_word_has_one_meaning() -> None:
    for row in {verb.id: verb for verb in load_verbs().values()}.values():
        assert all(load_verbs()[word] is row for word in row.words)


def test_forms_of_verbs_are_known_and_words_that_look_alike_are_none() -> None:
    for words, verb in (
        ("forced", "break"),
        ("throwing", "throw"),
        ("grabbed", "grab"),
        ("tries to bribe", "lie"),
        ("flies", "drive"),
        ("the wind", ""),
        ("a thing", ""),
        ("need", ""),
    ):
        stems = (stem for word in words.split() for stem in _find_stems(word))
        found = {load_verbs()[stem].id for stem in stems if stem in load_verbs()}
        assert found == ({verb} if verb else set()), words


@every_ruled
def test_every_deed_is_rolled_in_every_game(system: System) -> None:
    rules, (state, actor, _) = system.actions.improvising, find_turn(system)
    assert rules
    wanted = {verb.deed for verb in load_verbs().values()} - {""}
    assert wanted <= rules.figures.deeds.keys()
    known = {field.name: field for field in rules.check.find_fields(state, actor)}
    for deed in rules.figures.deeds.values():
        for name, value in deed.items():
            assert value in {option.value for option in known[name].options}, (name, value)


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
