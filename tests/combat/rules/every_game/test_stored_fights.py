"""Stored fights: opened, verified by their version of the rules, and equal at their end."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from combat.rules import SYSTEMS
from combat.rules.core.engine.document import read_document, replay, write_document
from combat.rules.core.state.state import decode, encode
from tests.combat.rules.games import find_game
from tests.combat.rules.reading import fold_steps
from tests.combat.rules.stored import EXPECTED, FIGHTS, every_fight, sum_up


def test_every_game_has_its_fights_and_each_expectation_has_one() -> None:
    stored = {path.stem for path in FIGHTS}
    assert stored == set(EXPECTED)
    kinds = ("long", "undone", "conditions", "second")
    assert {f"{slug}-{kind}" for slug in SYSTEMS for kind in kinds} <= stored


@every_fight
def test_stored_fight_verifies_and_ends_as_it_did(path: Path) -> None:
    document = read_document(path.read_bytes(), find_game)
    verdict = replay(document, find_game)
    again = f"python -m tests.combat.rules.every_game.make_fights {path.stem.rpartition('-')[0]}"
    assert verdict.is_whole, f"{verdict.summary}; if that is right: {again}"
    assert verdict.steps == len(document.steps)
    assert sum_up(document) == EXPECTED[path.stem]


@every_fight
def test_stored_fight_is_the_fold_of_its_facts(path: Path) -> None:
    document = read_document(path.read_bytes())
    assert encode(fold_steps(document.start, document.steps)) == encode(document.final)


@every_fight
def test_stored_fight_is_written_as_it_was_read(path: Path) -> None:
    raw = path.read_bytes()
    assert write_document(read_document(raw)) + b"\n" == raw
    plain = msgspec.json.decode(msgspec.json.format(raw, indent=-1), type=dict[str, msgspec.Raw])
    for part in ("start", "final"):
        assert encode(decode(bytes(plain[part]))) == bytes(plain[part])


@every_fight
def test_tampered_numbers_of_a_stored_fight_are_found(path: Path) -> None:
    plain = json.loads(path.read_bytes())
    facts = [fact for step in plain["steps"] for fact in step.get("facts", ())]
    numbers = {"TrackChanged": "new", "RoundStarted": "seconds"}
    changed = next(fact["event"] for fact in facts if fact["event"]["type"] in numbers)
    changed[numbers[changed["type"]]] += 1
    assert not replay(read_document(json.dumps(plain).encode()), find_game).ok
