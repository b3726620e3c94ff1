"""manage.py replay: what it prints for an honest export, a tampered one, and other files."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, cancel, read_history, redo, submit, undo
from combat.rules import find_system
from combat.rules.core.engine.document import write_document
from tests.combat.visit import DEMO, MARCUS, PIRATE, PISTOL, ZARA, load, play
from tests.site.hosting.table import manage

FIRST_SHOT = len(DEMO.setup) + 2
NEWEST = find_system("cosmos").versions.newest
RULES = f"Rules: version {NEWEST} of {NEWEST}."


def save(pk: int, path: Path, change: Callable[[dict[str, Any]], None] | None = None) -> Path:
    """Export an encounter into a file, perhaps after tampering with it."""
    document = json.loads(write_document(read_history(load(pk))))
    if change:
        change(document)
    path.write_text(json.dumps(document))
    return path


def run(path: Path) -> list[str]:
    out = StringIO()
    call_command("replay", str(path), stdout=out)
    return out.getvalue().splitlines()


def fail(path: Path) -> str:
    with pytest.raises(CommandError) as caught:
        run(path)
    assert caught.value.returncode == 1
    return str(caught.value)


def test_demo_is_verified_and_told(over: Encounter, tmp_path: Path) -> None:
    lines = run(save(over.pk, tmp_path / "fight.json"))
    (name, verdict, rules, rolls, *seals), (when, zara, pirate, marcus) = lines[:-4], lines[-4:]
    assert [line.split(":")[0] for line in seals] == [f"Seal {one['seal']}" for one in load(over.pk).seals]
    assert name == "Docking bay 7: the Quick Combat Example (Cosmos Engine)"
    assert verdict == f"Verified. All {over.steps} steps match when played again."
    assert rules == RULES
    assert rolls.startswith("Rolls: 0 proven by opened seals, 0 still sealed, ")
    assert rolls.endswith(" typed at the table.")
    assert when == "Round 6, 30 s elapsed, over."
    assert zara == "  Zara (crew): 80 of 80 HP, Healthy; at Loading ramp, 4, 3 m"
    assert marcus.startswith("  Marcus (crew): 84 of ")
    assert pirate.startswith("  Pirate (pirates): \N{MINUS SIGN}1 of 80 HP, Stable; ")
    assert "; Unconscious" in pirate
    assert "; at Crates, " in pirate


def test_fight_under_way_tells_who_has_the_turn_and_who_hides(started: Encounter, tmp_path: Path) -> None:
    submit(started.pk, Submission("hide", {"target": PIRATE}))
    submit(
        started.pk,
        Submission("give_condition", {"target": MARCUS, "kind": "bleeding", "level": 2, "turns": 3}),
    )
    submit(started.pk, Submission("place", {"target": MARCUS, "x": -5.5, "y": 2}))
    lines = run(save(started.pk, tmp_path / "fight.json"))
    assert "Round 1, 0 s elapsed, under way." in lines
    (zara,) = [line for line in lines if "Zara" in line]
    (pirate,) = [line for line in lines if "Pirate" in line]
    (marcus,) = [line for line in lines if "Marcus" in line]
    assert zara.endswith("; has the turn")
    assert pirate.endswith("; hidden")
    assert "Bleeding 2 3 turns left" in marcus
    assert marcus.endswith("at \N{MINUS SIGN}5.5, 2 m")


def test_empty_encounter_is_verified(started: Encounter, tmp_path: Path) -> None:
    Encounter.objects.filter(pk=started.pk).update(state=started.start, steps=0)
    started.log.all().delete()
    lines = run(save(started.pk, tmp_path / "fight.json"))
    assert lines[1:] == [
        "Verified. There are no steps yet.",
        RULES,
        "Rolls: 0 proven by opened seals, 0 still sealed, 0 typed at the table.",
        "Round 0, 0 s elapsed, in preparation.",
    ]


def shoot_harder(document: dict[str, Any]) -> None:
    facts = document["steps"][FIRST_SHOT - 1]["facts"]
    (damage,) = [fact["event"] for fact in facts if fact["event"]["type"] == "TrackChanged"]
    damage["new"] -= 1


def load_the_dice(document: dict[str, Any]) -> None:
    document["steps"][FIRST_SHOT - 1]["answers"][0]["faces"] = [9, 9]


def lose_a_step(document: dict[str, Any]) -> None:
    del document["steps"][FIRST_SHOT - 1]


def forge_the_result(document: dict[str, Any]) -> None:
    document["final"]["combatants"][ZARA]["tracks"]["hp"] = 1


def forge_the_summary(document: dict[str, Any]) -> None:
    document["combatants"][0]["tracks"]["hp"] = 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (shoot_harder, f"Step {FIRST_SHOT} does not match when played again: attack"),
        (load_the_dice, f"Step {FIRST_SHOT} does not match"),
        (lose_a_step, f"Step {FIRST_SHOT} does not match"),
        (forge_the_result, "the final state differs"),
        (forge_the_summary, "the summary is not that of the final state"),
    ],
)
def test_first_step_that_does_not_match_is_named(
    over: Encounter, tmp_path: Path, change: Callable[[dict[str, Any]], None], words: str
) -> None:
    assert words in fail(save(over.pk, tmp_path / "fight.json", change))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "Not an encounter document"),
        (b"\x00\xff\xfe", "Not an encounter document"),
        (b"[1, 2", "Not an encounter document"),
        (b"[]", "Not an encounter document"),
        (b'{"system": "cosmos"}', "missing required field `start`"),
        (b"[" * 100_000, "Not an encounter document"),
        (
            b'{"format": "cosmos-table-story"}',
            "cosmos-table-story, not of cosmos-table-encounter: the GM exports one",
        ),
    ],
)
def test_file_that_is_no_encounter_is_refused(tmp_path: Path, raw: bytes, words: str) -> None:
    path = tmp_path / "fight.json"
    path.write_bytes(raw)
    message = fail(path)
    assert words in message
    assert str(path) in message


def test_document_of_another_version_or_game_is_refused(started: Encounter, tmp_path: Path) -> None:
    path = tmp_path / "fight.json"
    save(started.pk, path, lambda document: document.update(version=2))
    assert "Version 2 of cosmos-table-encounter is unknown here" in fail(path)
    save(started.pk, path, lambda document: document.update(system="chess"))
    assert "There is no game “chess” here." in fail(path)


def test_cancelled_actions_are_told_apart_from_replayed_ones(started: Encounter, tmp_path: Path) -> None:
    shot = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    for left, said in ((1, "1 canceled action was not played again: only its"), (2, "2 canceled actions")):
        submit(started.pk, Submission("attack", shot, typed=True))
        cancel(started.pk)
        steps = load(started.pk).steps
        verdict = run(save(started.pk, tmp_path / "fight.json"))[1]
        assert verdict.startswith(
            f"Verified. {steps - left} of {steps} steps match when played again. {said}"
        )
        assert verdict.endswith(" dice were checked.")


def test_missing_file_is_named(tmp_path: Path) -> None:
    assert "No such file" in fail(tmp_path / "none.json")
    assert "cannot be read" in fail(tmp_path)


@pytest.mark.slow
def test_exit_code_tells_a_script(over: Encounter, tmp_path: Path) -> None:
    honest = save(over.pk, tmp_path / "honest.json")
    forged = save(over.pk, tmp_path / "forged.json", shoot_harder)
    done = manage("replay", str(honest), COSMOS_DATA=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Verified" in done.stdout
    done = manage("replay", str(forged), COSMOS_DATA=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith(f"CommandError: Step {FIRST_SHOT} does not match")
    assert "Traceback" not in done.stderr


def test_tampering_after_an_undo_is_found_too(started: Encounter, tmp_path: Path) -> None:
    play(started.pk, DEMO.script[1:2])
    undo(started.pk)
    redo(started.pk)
    path = save(started.pk, tmp_path / "fight.json", lambda d: d["steps"][-1].update(target=1))
    assert "the redo does not restore the last undone step" in fail(path)
    path = save(started.pk, tmp_path / "fight.json", lambda d: d["steps"][-2].update(target=1))
    assert "the undo does not strike the last live step" in fail(path)
