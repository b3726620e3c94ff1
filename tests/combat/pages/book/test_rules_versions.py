"""Pages name a fight's version of the rules and the later changes; the GM may upgrade it."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from combat.models import Encounter
from combat.play.after.imports import import_encounter
from combat.play.writing.encounter_service import create_encounter
from combat.play.writing.undoing import undo
from combat.rules import find_system
from combat.rules.core.basics import memory
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.release import RELEASE, name_replay
from combat.rules.core.book.versions import RuleChange, RuleVersion, RuleVersions
from combat.rules.core.declaration.system import System
from tests.combat.cast import Cast
from tests.combat.visit import Visit, load, state_of

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


def test_older_fight_says_what_has_changed_since_and_one_of_today_nothing(
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
    """The same fight on a table that has only the next version."""
    monkeypatch.setattr(System, "versions", property(lambda system: RuleVersions((RuleVersion(NEXT),))))
    return newer


def test_fight_by_dropped_rules_goes_on_and_names_what_verifies_it(
    gm_client: Client, dropped: Encounter, tmp_path: Path
) -> None:
    Visit(gm_client, dropped.pk, htmx=False).do("next_turn")
    said = f"Version {NOW} of the Cosmos Engine rules is unknown here: `{name_replay(RELEASE)}`"
    text = html.unescape(read(gm_client, dropped.pk, "log/?verify"))
    assert f"Not verified here. {said} verifies it." in text
    assert "does not match" not in text
    raw = gm_client.get(f"/encounters/{dropped.pk}/export/").content
    file = tmp_path / "fight.json"
    file.write_bytes(raw)
    with pytest.raises(CommandError, match=re.escape(said)):
        call_command("replay", str(file))
    with pytest.raises(Refused, match=r"verifies it\. Nothing was imported\."):
        import_encounter(dropped.owner, raw)


def test_markdown_and_json_of_a_report_carry_the_version(gm_client: Client, newer: Encounter) -> None:
    assert f"- Since version {NEXT}: {CHANGE}" in read(gm_client, newer.pk, "report/?as=markdown")
    rules = json.loads(read(gm_client, newer.pk, "report/?as=json"))["rules"]
    assert (rules["version"], rules["newest"]) == (NOW, NEXT)


def test_table_that_is_older_than_a_fight_says_so_and_changes_nothing(
    gm_client: Client, newer: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    Visit(gm_client, newer.pk, htmx=False).do("move_rules", to=str(NEXT))
    know(TODAY, monkeypatch)
    version = load(newer.pk).version
    answer = gm_client.post(f"/encounters/{newer.pk}/", {"do": "next_turn"})
    assert answer.status_code == 409
    assert f"here they are known up to version {NOW}" in answer.content.decode()
    assert load(newer.pk).version == version
