"""A report of a fault: what it holds, and that it names no one and gives no secret away."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from combat.models import Encounter, ShareLink
from combat.pages.table import views as table
from combat.play.after.faults import read_report
from combat.play.writing.encounter_service import Submission, read_history, submit
from combat.rules import find_system
from combat.rules.core.engine.document import read_document, replay
from tests.combat.cast import Cast, come
from tests.combat.visit import PIRATE, ZARA, Visit, load

MARK = "Xyzzy"  # in every text that is typed below


def report(client: Client, encounter: Encounter, **sent: str) -> dict[str, Any]:
    """The report that a GM saves."""
    answer = client.post(f"/encounters/{encounter.pk}/fault/", sent, headers={"User-Agent": "A browser"})
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert MARK not in answer["Content-Disposition"]
    found: dict[str, Any] = json.loads(answer.content)
    _report, fight = read_report(answer.content)
    assert replay(read_document(fight, find_system), find_system).ok
    return found


def type_everywhere(encounter: Encounter) -> None:
    """Names, texts and pictures, wherever the table takes some."""
    for name, fields in (
        ("rename", {"target": ZARA, "name": f"{MARK} Zed", "side": f"{MARK} side"}),
        ("note", {"text": f"{MARK} note"}),
        ("adjust", {"target": PIRATE, "track": "hp", "by": -3, "reason": f"{MARK} reason"}),
        ("give_condition", {"target": PIRATE, "kind": "prone", "reason": f"{MARK} why"}),
        ("join", {"block": "pirate", "name": f"{MARK} guard", "count": 2, "side": f"{MARK} guards"}),
        (
            "set_scene",
            {"scene": {"name": f"{MARK} hall", "zones": [{"id": "xyzzy", "name": f"{MARK} zone"}]}},
        ),
        ("give_word", {"actor": ZARA, "word": f"{MARK} word"}),
        ("next_turn", {}),
    ):
        submit(encounter.pk, Submission(name, fields, by=f"{MARK} person"))


def test_report_names_no_one_and_can_be_played_again(gm_client: Client, started: Encounter) -> None:
    type_everywhere(started)
    Encounter.objects.filter(pk=started.pk).update(name=f"{MARK} fight")
    come(load(started.pk), ShareLink.PLAY, f"{MARK} guest", ZARA)
    found = report(gm_client, started, said="The sum is wrong.", window="390 × 844 at 2")
    raw = json.dumps(found)
    assert MARK.lower() not in raw.lower()
    assert load(started.pk).dice_secret not in raw
    assert found["said"] == "The sum is wrong."
    assert found["browser"] == {"agent": "A browser", "window": "390 × 844 at 2"}
    assert found["seats"] == {"play": 1}
    assert found["check"] == {"ok": True, "failed": 0, "action": "", "differs": 0, "stopped": ""}
    assert {"program", "release", "python", "django", "database", "machine"} <= found.keys()
    steps = load(started.pk).steps
    assert len(found["fight"]["steps"]) == steps


def test_report_of_a_fight_that_is_over_has_no_opened_secret(gm_client: Client, over: Encounter) -> None:
    opened = [step.opened for step in read_history(load(over.pk)).steps if step.opened]
    assert opened
    raw = json.dumps(report(gm_client, over))
    assert not [secret for secret in opened if secret in raw]
    assert not [step for step in json.loads(raw)["fight"]["steps"] if step["seal"] or step["opened"]]


def test_last_refusal_is_in_the_report(cast: Cast, started: Encounter) -> None:
    visit = Visit(cast.player, started.pk)
    typed = {"weapon": f"{MARK} gun", "because": f"{MARK} says", "call-me": "0301234567"}
    answer = visit.post("attack", combatant=ZARA, actor=ZARA, target="f999", **typed)
    assert answer.status_code >= 400
    found = report(cast.gm, started)["refusal"]
    assert (found["action"], found["command"]["actor"]) == ("attack", ZARA)
    assert "0301234567" not in json.dumps(found), "what no field of the action holds is left out"
    assert MARK not in json.dumps(found)
    assert not {"csrfmiddlewaretoken", "version"} & found["command"].keys()


@pytest.mark.slow
def test_last_error_is_in_the_report_without_its_message(
    gm_client: Client, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: object, **_named: object) -> None:
        raise RuntimeError(f"{MARK} is a value")

    assert report(gm_client, started)["error"] is None
    gm_client.raise_request_exception = False
    with monkeypatch.context() as patch:
        patch.setattr(table, "view_table", fail)
        assert gm_client.get(f"/encounters/{started.pk}/").status_code == 500
    found = report(gm_client, started)["error"]
    assert found["type"] == "RuntimeError"
    assert "_find_shown" in " ".join(found["lines"])
    assert MARK not in json.dumps(found)


def test_long_words_are_cut_and_nothing_is_changed(gm_client: Client, started: Encounter) -> None:
    before = load(started.pk).version
    assert len(report(gm_client, started, said="x" * 10_000)["said"]) == 4_000
    assert load(started.pk).version == before


def test_empty_encounter_has_a_report(room: Visit) -> None:
    assert report(room.client, load(room.pk))["fight"]["steps"] == []
