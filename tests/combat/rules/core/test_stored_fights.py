"""Fights stored by every version so far: opened, verified and at their end as it was, for ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from combat.rules import SYSTEMS
from combat.rules.core.engine.document import Document, read_document, replay, write_document
from combat.rules.core.state.history import VERSION, fold_steps
from combat.rules.core.state.state import decode, encode
from tests.combat.rules.games import find_game

FOLDER = Path(__file__).parents[3] / "fights"
FIGHTS = sorted(FOLDER.glob("v*/*.json"))
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_bytes())
every_fight = pytest.mark.parametrize("path", FIGHTS, ids=lambda path: f"{path.parent.name}-{path.stem}")


def read(path: Path) -> Document:
    return read_document(path.read_bytes())


def sum_up(document: Document) -> dict[str, Any]:
    """How a fight stands at its end."""
    state = document.final
    return {
        "phase": state.phase,
        "round": state.round,
        "combatants": {
            who: {
                "name": fighter.name,
                "tracks": fighter.tracks,
                "conditions": sorted(held.kind for held in fighter.conditions),
            }
            for who, fighter in state.combatants.items()
        },
    }


def test_every_game_has_three_fights_and_no_expectation_is_without_its_fight() -> None:
    assert {f"{path.parent.name}/{path.stem}" for path in FIGHTS} == set(EXPECTED)
    for slug in SYSTEMS:
        kinds = {f"{slug}-{kind}" for kind in ("long", "undone", "conditions")}
        assert kinds <= {path.stem for path in FOLDER.glob(f"v*/{slug}-*.json")}


@every_fight
def test_stored_fight_verifies_and_ends_as_it_did(path: Path) -> None:
    document = read(path)
    verdict = replay(document, find_game)
    assert verdict.ok, verdict.message
    assert verdict.steps == len(document.steps)
    assert sum_up(document) == EXPECTED[f"{path.parent.name}/{path.stem}"]


@every_fight
def test_stored_fight_is_the_fold_of_its_facts(path: Path) -> None:
    document = read(path)
    assert encode(fold_steps(document.start, document.steps)) == encode(document.final)


@every_fight
def test_states_of_older_versions_are_read_and_written_to_the_byte(path: Path) -> None:
    """What is stored as the state of an encounter needs no upgrade."""
    compact = msgspec.json.format(path.read_bytes(), indent=-1)
    plain = msgspec.json.decode(compact, type=dict[str, msgspec.Raw])
    for part in ("start", "final"):
        assert encode(decode(bytes(plain[part]))) == bytes(plain[part])


@every_fight
def test_upgraded_fight_is_a_document_of_today(path: Path) -> None:
    document = read(path)
    assert document.version == VERSION
    again = read_document(write_document(document))
    assert again == document
    assert replay(again, find_game).ok


@every_fight
def test_tampered_numbers_of_a_stored_fight_are_found(path: Path) -> None:
    """Words may differ from those of today, numbers may not."""
    plain = json.loads(path.read_bytes())
    facts = [fact for step in plain["steps"] for fact in step.get("facts", ())]
    numbers = {"TrackChanged": "new", "RoundStarted": "seconds"}
    changed = next(fact["event"] for fact in facts if fact["event"]["type"] in numbers)
    changed[numbers[changed["type"]]] += 1
    assert not replay(read_document(json.dumps(plain).encode()), find_game).ok
