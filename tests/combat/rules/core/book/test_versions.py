"""A fight keeps its first version of the rules until its GM moves it: in the made-up game."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from combat.rules.core.basics.data import DataError
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.book.rulebook import find_code_folder
from combat.rules.core.book.versions import VERSIONS_FILE, RuleVersion, RuleVersions, load_versions
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import Document, make_document, read_document, replay, write_document
from combat.rules.core.state.events import Checked, RulesMoved
from combat.rules.core.state.state import replace
from combat.rules.core.wording import describe_facts
from tests.combat.rules.every_game.wild.wild import Log
from tests.combat.rules.games import every_game, find_game, set_up
from tests.combat.rules.reading import fold_steps
from tests.combat.rules.stage import Stage
from tests.combat.rules.stored import find_store
from tests.combat.rules.tiny import SYSTEM
from tests.combat.rules.tiny.fights import play_versions
from tests.typed import as_a

NEWEST = SYSTEM.versions.newest
REPLAY = "uvx --from ./cosmos_table-{}-py3-none-any.whl cosmos-table replay FILE"


def begin(rules: int) -> Stage:
    """The demo of the made-up game under a version of its rules, with Ada beside Bo and acting."""
    stage = set_up(SYSTEM)
    stage.state = replace(stage.state, rules=rules)
    stage.do("start", dice=((4,), (5,), (1,)))
    stage.do("move", actor="f1", to="near:f2", far=True)
    return stage


def scare(stage: Stage) -> Checked:
    """Bo, with Skill 1, stands and rolls a 2 when Ada scares them: their check."""
    stage.do("scare", "f1", dice=("stand", (2,)))
    return stage.check("check.courage")


# ---------------------------------------------------------------- what a version says


@every_game
def test_every_game_counts_its_versions_and_names_rules_it_has(system: System) -> None:
    for version in system.versions.all:
        for change in version.change:
            assert change.text.endswith(".")
            assert not change.rule or system.rulebook.find(change.rule)


@every_game
def test_every_change_is_asked_for_in_the_code_of_its_game(system: System) -> None:
    """A change that no code asks for would be shown, and yet alter old fights."""
    code = "".join(path.read_text() for path in find_code_folder(system.folder).rglob("*.py"))
    asked = set(re.findall(r"follows\((?:state, )?\s*\"(\w+)\"|hold\(\w+, \"(\w+)\"", code))
    assert set(system.versions.changes) <= {key for pair in asked for key in pair}


@every_game
def test_a_new_encounter_follows_the_newest_rules(system: System) -> None:
    assert system.begin().rules == system.versions.newest


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "must count"),
        ("[[version]]\nnumber = 0\n", "must count"),
        ("[[version]]\nnumber = 2\n[[version]]\nnumber = 4\n", "must count"),
        ('[[version]]\nnumber = 1\n[[version.change]]\nkey = "a"\ntext = "A."\n', "first version has none"),
        ("[[version]]\nnumber = 1\nname = 2\n", "unknown field"),
    ],
)
def test_a_wrong_list_of_versions_is_found_at_once(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / VERSIONS_FILE).write_text(text)
    with pytest.raises(DataError, match=problem):
        load_versions(tmp_path)


# ---------------------------------------------------------------- what a fight follows


def test_a_fight_of_before_plays_on_by_its_own_rules() -> None:
    told = scare(begin(1))
    assert (told.total, told.good, told.modifiers) == (2, False, ())


def test_a_fight_of_today_plays_by_the_rules_of_today() -> None:
    told = scare(begin(2))
    assert (told.total, told.good) == (3, True)


def test_a_moved_fight_plays_by_the_new_rules_from_then_on() -> None:
    stage = begin(1)
    stage.do("move_rules", to=2)
    assert [fact.event for fact in stage.facts] == [RulesMoved(1, 2)]
    assert stage.state.rules == 2
    assert scare(stage).good


def test_the_move_is_a_line_of_the_log() -> None:
    stage = begin(1)
    stage.do("move_rules", to=2)
    (line,) = describe_facts(SYSTEM, stage.facts, {})
    assert line.text == "From here on version 2 of the rules holds; it was version 1."


@pytest.mark.parametrize("to", [0, 1, NEWEST + 1])
def test_a_fight_moves_to_no_version_that_is_older_the_same_or_unknown(to: int) -> None:
    with pytest.raises(Refused, match="choose 2"):
        begin(1).do("move_rules", to=to)


def test_a_fight_of_the_newest_rules_has_nowhere_to_move() -> None:
    with pytest.raises(Refused, match="newest rules already"):
        begin(NEWEST).do("move_rules", to=NEWEST)


def test_what_a_roll_must_reach_is_told_to_the_odds_by_the_rules_of_the_fight() -> None:
    asked = []
    for rules in (1, 2):
        stage = begin(rules)
        scare(stage)
        asked.append(as_a(stage.asked[-1], RollRequest).cuts)
    assert asked == [(3,), (2,)]


# ---------------------------------------------------------------- how it is stored


def play(rules: int, moves: bool) -> Log:
    return play_versions(SYSTEM, random.Random(3), rules, moves)


def write(log: Log) -> Document:
    return make_document("old", log.start, tuple(log.steps), log.state)


@pytest.mark.parametrize(("rules", "moves", "ends"), [(1, False, 1), (1, True, 2), (2, False, 2)])
def test_a_document_names_its_version_and_replays_by_it(rules: int, moves: bool, ends: int) -> None:
    document = write(play(rules, moves))
    again = read_document(write_document(document), find_game)
    assert (again.rules, again) == (ends, document)
    assert replay(again, find_game).ok


@pytest.mark.parametrize(("name", "rules", "steadied"), [("older", 1, False), ("moved", 2, True)])
def test_stored_fight_verifies_by_the_rules_it_was_played_by(name: str, rules: int, steadied: bool) -> None:
    document = read_document((find_store(SYSTEM) / f"tiny-{name}.json").read_bytes(), find_game)
    told = [fact.event for step in document.steps for fact in step.facts if isinstance(fact.event, Checked)]
    courage = [check for check in told if check.what == "check.courage"]
    assert courage
    assert {bool(check.modifiers) for check in courage} == {steadied}
    assert document.rules == rules
    assert replay(document, find_game).ok


def test_the_same_fight_by_other_rules_than_its_own_does_not_verify() -> None:
    plain = json.loads((find_store(SYSTEM) / "tiny-older.json").read_bytes())
    plain["rules"] = plain["start"]["rules"] = plain["final"]["rules"] = 2
    assert "comes out differently" in replay(read_document(json.dumps(plain).encode()), find_game).message


def test_undo_takes_the_move_back_and_redo_does_it_again() -> None:
    log = play(1, True)
    log.undo()
    log.undo()
    assert log.state.rules == 1
    log.redo()
    assert log.state.rules == 2
    assert replay(write(log), find_game).ok


def test_a_fight_under_a_tampered_version_does_not_verify() -> None:
    plain = json.loads(write_document(write(play(1, True))))
    plain["rules"] = 1
    assert replay(read_document(json.dumps(plain).encode()), find_game).message.startswith("the summary")


def test_a_document_of_newer_rules_is_refused_before_anything_else_is_read() -> None:
    """Even if it holds data that this release cannot read at all. The refusal names the release that can."""
    rules, release = NEWEST + 1, {"program": "cosmos-table", "release": "7.2"}
    facts: list[dict[str, dict[str, str]]] = [{"event": {}}]
    raw = json.dumps({"system": "tiny", "rules": rules, **release, "steps": [{"facts": facts}], "new": 1})
    with pytest.raises(Refused) as caught:
        read_document(raw.encode(), find_game)
    assert caught.value.message == (
        f"Version 3 of the Tiny Duel rules is unknown here: `{REPLAY.format('7.2')}` verifies it."
    )


@pytest.mark.parametrize("release", [None, 7, "", "1.0; rm -rf /", "x" * 31])
def test_a_release_that_is_none_is_not_repeated(release: Any) -> None:
    raw = json.dumps({"system": "tiny", "rules": NEWEST + 1, "release": release})
    with pytest.raises(Refused, match=re.escape(REPLAY.format("VERSION"))):
        read_document(raw.encode(), find_game)


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """The made-up game without the old behavior of its first version."""
    kept = RuleVersions((RuleVersion(2),))
    monkeypatch.setattr(System, "versions", property(lambda system: kept))


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("moves", [False, True])
def test_a_fight_by_dropped_rules_is_verified_by_the_release_that_wrote_it(moves: bool) -> None:
    document = read_document(
        (find_store(SYSTEM) / f"tiny-{'moved' if moves else 'older'}.json").read_bytes(), find_game
    )
    steps = tuple(replace(step, release="1.2") for step in document.steps)
    verdict = replay(make_document("old", document.start, steps, document.final), find_game)
    assert (verdict.ok, verdict.failed, verdict.summary) == (
        False,
        0,
        f"Version 1 of the Tiny Duel rules is unknown here: `{REPLAY.format('1.2')}` verifies it.",
    )


@pytest.mark.usefixtures("forgetful")
def test_a_fight_by_dropped_rules_opens_and_goes_on() -> None:
    document = read_document((find_store(SYSTEM) / "tiny-older.json").read_bytes(), find_game)
    stage = Stage(SYSTEM)
    stage.state = fold_steps(document.start, document.steps)
    assert stage.state == document.final
    stage.do("next_turn")
    stage.do("move_rules", to=2)
    assert stage.state.rules == 2


def test_nothing_is_played_in_a_state_of_newer_rules() -> None:
    stage = begin(1)
    stage.state = replace(stage.state, rules=NEWEST + 1)
    with pytest.raises(Refused, match="update it first"):
        stage.do("next_turn")
