"""Pages name a fight's version of the rules and the later changes; the GM may upgrade it."""

from __future__ import annotations

import html
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from combat.models import Encounter
from combat.play.after.imports import import_encounter
from combat.play.autopilot import autoplay
from combat.play.overruling import overrule_roll
from combat.play.writing.encounter_service import (
    Submission,
    answer,
    cancel,
    create_encounter,
    read_history,
    redo,
    submit,
    undo,
)
from combat.rules import find_system
from combat.rules.core.basics import memory
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.release import RELEASE, name_replay
from combat.rules.core.book.rulebook import RuleChange, RuleVersion, RuleVersions
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import replay, write_document
from combat.rules.core.state.state import replace
from tests.combat.cast import Cast
from tests.combat.visit import DEMO, Visit, load, play, state_of

CHANGE = "A shield breaks at half its points; it broke at none."
TODAY = find_system("cosmos").versions
NOW, NEXT = TODAY.newest, TODAY.newest + 1
NEWER = RuleVersions((*TODAY.all, RuleVersion(NEXT, (RuleChange("shields", CHANGE, "COS-ATK-01"),))))
PLAYED = f"Played by version {NOW} of the rules"


def know(versions: RuleVersions, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the table know these versions of the rules, and forget what it found with others."""
    monkeypatch.setattr(System, "versions", property(lambda system: versions))
    memory.forget()


@pytest.fixture
def newer(started: Encounter, monkeypatch: pytest.MonkeyPatch) -> Encounter:
    """A fight begun under today's rules, on a table that has the next version too."""
    know(NEWER, monkeypatch)
    return started


def read(client: Client, pk: int, page: str = "") -> str:
    return client.get(f"/encounters/{pk}/{page}").content.decode()


def test_only_an_older_fight_says_what_has_changed_since(
    gm_client: Client, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    for page in ("", "log/", "report/"):
        text = read(gm_client, started.pk, page)
        assert ("What has changed since" in text, "what changed?" in text) == (False, False), page
        assert (PLAYED in text) == bool(page)
    know(NEWER, monkeypatch)
    for page in ("", "log/", "report/"):
        text = read(gm_client, started.pk, page)
        assert all(words in text for words in (PLAYED, CHANGE, "/COS-ATK-01/")), page


def test_rulebook_lists_what_has_changed(client: Client, newer: Encounter) -> None:
    text = client.get("/rules/cosmos/").content.decode()
    assert f"by version {NEXT} of these rules" in text
    assert CHANGE in text


def test_all_who_look_read_it_but_only_the_gm_has_the_button(cast: Cast, newer: Encounter) -> None:
    for role in ("player", "watcher"):
        text = read(cast[role], newer.pk)
        assert (CHANGE in text, "move_rules" in text) == (True, False), role
    assert "move_rules" in read(cast.co_gm, newer.pk)


def test_gm_moves_a_fight_and_takes_it_back(gm_client: Client, newer: Encounter) -> None:
    visit = Visit(gm_client, newer.pk, htmx=False)
    visit.do("move_rules", to=str(NEXT))
    assert state_of(newer.pk).rules == NEXT
    text = read(gm_client, newer.pk)
    assert CHANGE not in text
    assert f"From here on version {NEXT} of the rules holds" in text
    undo(newer.pk)
    assert state_of(newer.pk).rules == NOW
    assert CHANGE in read(gm_client, newer.pk)


def test_a_version_that_is_not_there_is_refused(gm_client: Client, newer: Encounter) -> None:
    for to in [str(NOW), str(NEXT + 1), "x", ""]:
        answer = gm_client.post(f"/encounters/{newer.pk}/", {"do": "move_rules", "to": to})
        assert answer.status_code == 422, to
        assert state_of(newer.pk).rules == NOW, to


def test_export_names_the_version_and_import_keeps_it(gm_client: Client, newer: Encounter) -> None:
    raw = gm_client.get(f"/encounters/{newer.pk}/export/").content
    assert json.loads(raw)["rules"] == NOW
    done = import_encounter(newer.owner, raw)
    assert state_of(done.encounter.pk).rules == NOW
    moved = create_encounter(newer.owner, "cosmos", "Next week")
    raw = gm_client.get(f"/encounters/{moved.pk}/export/").content
    assert state_of(import_encounter(newer.owner, raw).encounter.pk).rules == NEXT


def test_import_from_newer_rules_is_refused_with_the_reason(
    gm_client: Client, newer: Encounter, tmp_path: Path
) -> None:
    plain = json.loads(gm_client.get(f"/encounters/{newer.pk}/export/").content)
    file = tmp_path / "newer.json"
    file.write_text(json.dumps(plain | {"rules": NEXT + 1}))
    count = Encounter.objects.count()
    with file.open("rb") as upload:
        answer = gm_client.post("/encounters/import/", {"file": upload})
    assert 400 <= answer.status_code < 500
    told = html.unescape(answer.content.decode())
    assert (
        f"Version {NEXT + 1} of the Cosmos Engine rules is unknown here: `uvx --from ./cosmos_table-" in told
    )
    assert Encounter.objects.count() == count


@pytest.fixture
def dropped(newer: Encounter, monkeypatch: pytest.MonkeyPatch) -> Encounter:
    """The same fight on a table that plays only the next version."""
    drop(monkeypatch)
    return newer


def drop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the table play no version before the next one."""
    gone = tuple(replace(version, played=False) for version in NEWER.all[:-1])
    know(RuleVersions((*gone, NEWER.all[-1])), monkeypatch)


def test_fight_by_dropped_rules_says_its_next_action_moves_it(gm_client: Client, dropped: Encounter) -> None:
    text = read(gm_client, dropped.pk)
    assert "the next action moves this fight to version" in text
    assert all(words in text for words in (PLAYED, CHANGE))


def verify_whole(client: Client, pk: int, file: Path) -> str:
    """What the log's page says of a fight that is not verified here; the command and an import say it too."""
    text = html.unescape(read(client, pk, "log/?verify"))
    assert "does not match" not in text
    raw = client.get(f"/encounters/{pk}/export/").content
    file.write_bytes(raw)
    out = StringIO()
    with pytest.raises(CommandError, match="Not all of it is verified here") as caught:
        call_command("replay", str(file), stdout=out)
    assert caught.value.returncode == 2
    made = import_encounter(load(pk).owner, raw)
    assert made.verdict.summary in text
    assert made.verdict.summary in out.getvalue()
    return made.verdict.summary


def test_fight_by_dropped_rules_names_what_verifies_it(
    gm_client: Client, dropped: Encounter, tmp_path: Path
) -> None:
    said = verify_whole(gm_client, dropped.pk, tmp_path / "fight.json")
    assert said == (
        f"Steps 1–{dropped.steps} were played by release {RELEASE}, by version {NOW} of the Cosmos "
        f"Engine rules: `{name_replay(RELEASE)}` verifies them."
    )


@pytest.mark.parametrize("notes", [1, 3])
def test_later_notes_do_not_count_as_played_by_the_old_rules(
    gm_client: Client, dropped: Encounter, tmp_path: Path, notes: int
) -> None:
    """They decide nothing, so they are verified here, whatever rules the fight is by."""
    before = load(dropped.pk).steps
    for number in range(notes):
        submit(dropped.pk, Submission("note", {"text": f"Later {number}"}))
    file, part = tmp_path / "fight.json", tmp_path / "part.json"
    said = verify_whole(gm_client, dropped.pk, file)
    assert said.startswith(f"Steps 1–{before} were played by release {RELEASE}")
    assert said.endswith("The step since matches." if notes == 1 else f"The {notes} steps since match.")
    call_command("replay", str(file), earlier=part, stdout=StringIO())
    assert len(json.loads(part.read_bytes())["steps"]) == before


def test_fight_by_dropped_rules_moves_before_its_next_action(
    gm_client: Client, dropped: Encounter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = load(dropped.pk).steps
    Visit(gm_client, dropped.pk, htmx=False).do("next_turn")
    assert [step.name for step in load(dropped.pk).log.all()][before:] == ["move_rules", "next_turn"]
    assert state_of(dropped.pk).rules == NEXT
    assert f"From here on version {NEXT} of the rules holds" in read(gm_client, dropped.pk)
    file, part = tmp_path / "fight.json", tmp_path / "part.json"
    said = verify_whole(gm_client, dropped.pk, file)
    assert said.startswith(f"Steps 1–{before} were played by release {RELEASE}")
    assert said.endswith("The 2 steps since match.")
    call_command("replay", str(file), earlier=part, stdout=StringIO())
    know(TODAY, monkeypatch)
    out = StringIO()
    call_command("replay", str(part), stdout=out)
    assert f"Verified. All {before} steps match" in out.getvalue()
    drop(monkeypatch)
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("replay", str(file), earlier=part, stdout=StringIO())


@pytest.mark.parametrize("name", ["note", "pause"])
def test_what_decides_nothing_does_not_move_a_fight(dropped: Encounter, name: str) -> None:
    submit(dropped.pk, Submission(name, {"text": "A word"} if name == "note" else {}))
    assert state_of(dropped.pk).rules == NOW


def test_undo_and_redo_go_over_the_move(dropped: Encounter, gm_client: Client, tmp_path: Path) -> None:
    submit(dropped.pk, Submission("next_turn"))
    for _ in range(3):
        undo(dropped.pk)
    for _ in range(2):
        redo(dropped.pk)
    assert state_of(dropped.pk).rules == NEXT
    submit(dropped.pk, Submission("next_turn"))
    undo(dropped.pk)
    undo(dropped.pk)
    submit(dropped.pk, Submission("next_turn"))
    assert state_of(dropped.pk).rules == NEXT
    verify_whole(gm_client, dropped.pk, tmp_path / "fight.json")


def test_refused_action_does_not_move_a_fight(dropped: Encounter) -> None:
    with pytest.raises(Refused):
        submit(dropped.pk, Submission("start"))
    assert (state_of(dropped.pk).rules, load(dropped.pk).steps) == (NOW, dropped.steps)


def test_auto_play_and_overruling_move_a_fight_first(
    started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = DEMO.script[1]
    play(started.pk, (step,))
    before = load(started.pk).steps
    drop(monkeypatch)
    overrule_roll(started.pk, before, 0)
    names = [one.name for one in load(started.pk).log.all()]
    assert names[before:][1] == "move_rules"
    while load(started.pk).open_command:
        cancel(started.pk)
    while state_of(started.pk).rules == NEXT:
        undo(started.pk)
    after = load(started.pk).steps
    autoplay(started.pk)
    assert [one.name for one in load(started.pk).log.all()][after] == "move_rules"
    assert replay(read_history(load(started.pk)), find_system).ok


def test_action_that_waited_during_an_update_is_called_off(
    started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = submit(started.pk, Submission(DEMO.script[1].name, DEMO.script[1].command, typed=True))
    assert done.waiting
    drop(monkeypatch)
    with pytest.raises(Refused, match="cancel it and try again"):
        answer(started.pk, 0, roll=True)
    cancel(started.pk)
    submit(started.pk, Submission(DEMO.script[1].name, DEMO.script[1].command))
    assert state_of(started.pk).rules == NEXT


def test_damaged_step_of_dropped_rules_is_refused(dropped: Encounter) -> None:
    """Nothing plays it again here, yet it does not lead to the state of the file."""
    plain = json.loads(write_document(read_history(dropped)))
    plain["steps"][-1]["facts"].clear()
    with pytest.raises(Refused, match="Nothing was imported"):
        import_encounter(dropped.owner, json.dumps(plain).encode())


def test_markdown_and_json_of_a_report_carry_the_version(gm_client: Client, newer: Encounter) -> None:
    assert f"- Since version {NEXT}: {CHANGE}" in read(gm_client, newer.pk, "report/?as=markdown")
    rules = json.loads(read(gm_client, newer.pk, "report/?as=json"))["rules"]
    assert (rules["version"], rules["newest"]) == (NOW, NEXT)


def test_table_older_than_a_fight_says_so_and_changes_nothing(
    gm_client: Client, newer: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    Visit(gm_client, newer.pk, htmx=False).do("move_rules", to=str(NEXT))
    know(TODAY, monkeypatch)
    version = load(newer.pk).version
    answer = gm_client.post(f"/encounters/{newer.pk}/", {"do": "next_turn"})
    assert answer.status_code == 409
    assert f"here they are known up to version {NOW}" in answer.content.decode()
    assert load(newer.pk).version == version
