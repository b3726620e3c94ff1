"""An imported encounter: played again, kept whole, and without what belongs to another table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from characters.services.character_service import create
from combat.models import Encounter
from combat.play.after import imports
from combat.play.after.imports import copy_encounter, import_encounter
from combat.play.campaigns.campaigns import create_campaign
from combat.play.campaigns.roster import bring, find_kept, find_returns
from combat.play.writing import whole_logs
from combat.play.writing.encounter_service import Submission, read_history, read_state, redo, submit, undo
from combat.play.writing.verification import verify
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.dice.dice import make_seal
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import replay, write_document
from combat.rules.core.state.state import present
from cosmos_site.base import files
from tests.combat.cast import Cast, come
from tests.combat.rules.stored import FIGHTS
from tests.combat.visit import PIRATE, SLUG, ZARA, load, read
from tests.thinning import thin
from tests.typed import Answer

PAGE = "/encounters/import/"
KNOWN = [path for path in FIGHTS if path.stem.partition("-")[0] in SYSTEMS]  # the made-up game is in no table


def export(encounter: Encounter) -> bytes:
    return write_document(read_history(load(encounter.pk)))


def change(raw: bytes, **fields: Any) -> bytes:
    return json.dumps({**json.loads(raw), **fields}).encode()


def send(client: Client, raw: bytes, **fields: Any) -> Answer:
    return client.post(PAGE, {"file": SimpleUploadedFile("fight.json", raw), **fields})


def test_tags_go_with_the_file_and_too_many_are_refused(gm: User, over: Encounter) -> None:
    over.tags = ",city,night shift,"
    over.save()
    raw = export(over)
    assert json.loads(raw)["tags"] == ["city", "night shift"]
    assert load(import_encounter(gm, raw).encounter.pk).tag_list == ["city", "night shift"]
    assert load(import_encounter(gm, change(raw, tags=[" City", "city"])).encounter.pk).tag_list == ["city"]
    assert load(import_encounter(gm, change(raw, tags=[])).encounter.pk).tag_list == []
    before = Encounter.objects.count()
    with pytest.raises(Refused, match="Up to 8 tags of 24 characters"):
        import_encounter(gm, change(raw, tags=["x" * 25]))
    assert Encounter.objects.count() == before


@pytest.mark.slow
def test_encounter_of_a_name_that_is_there_already_is_told(gm_client: Client, over: Encounter) -> None:
    raw, told = export(over), f"You now have more than one encounter called “{over.name}”."
    send(gm_client, change(raw, name="Elsewhere"))
    assert told not in gm_client.get("/encounters/").content.decode()
    send(gm_client, raw)
    assert told in gm_client.get("/encounters/").content.decode()


@pytest.mark.parametrize("path", thin(KNOWN, *KNOWN[::9]), ids=lambda path: path.stem)
def test_every_stored_fight_is_taken_in_and_stays_sound(gm: User, path: Path) -> None:
    made = import_encounter(gm, path.read_bytes()).encounter
    verify(load(made.pk))
    assert replay(read_history(load(made.pk)), find_system).ok


def test_imported_fight_is_as_it_was_and_goes_on(gm: User, over: Encounter) -> None:
    undo(over.pk)
    undo(over.pk)
    redo(over.pk)
    raw = export(over)
    done = import_encounter(gm, raw)
    made, old = load(done.encounter.pk), load(over.pk)
    assert (made.name, made.phase, made.round, made.combatants) == (
        old.name,
        old.phase,
        old.round,
        old.combatants,
    )
    assert (made.steps, made.undone, bytes(made.state)) == (old.steps + 1, old.undone, bytes(old.state))
    for told in ("struck", "public", "dice"):
        assert [*made.log.values_list(told, flat=True)][:-1] == [*old.log.values_list(told, flat=True)]
    verify(made)
    redo(made.pk)
    submit(made.pk, Submission("note", {"text": "On it goes."}))
    assert replay(read_history(load(made.pk)), find_system).ok


def test_rolls_after_an_import_are_sealed_here(gm: User, started: Encounter) -> None:
    made = import_encounter(gm, export(started)).encounter
    submit(made.pk, Submission("end_fight"))
    submit(made.pk, Submission("start"))
    submit(made.pk, Submission("end_fight"))
    verdict = replay(read_history(load(made.pk)), find_system)
    assert verdict.ok, verdict.message
    assert verdict.dice.proven > 0


def fight_on(pk: int) -> None:
    """Two rolls, public and secret, in a fight played to its end."""
    submit(pk, Submission("hazard_check", {"target": ZARA, "approach": "detect"}))
    submit(pk, Submission("hide", {"target": PIRATE}))
    submit(pk, Submission("hazard_check", {"target": PIRATE, "approach": "detect"}))
    submit(pk, Submission("hide", {"target": PIRATE, "hidden": False}))
    submit(pk, Submission("end_fight"))


@pytest.mark.parametrize("is_over", [False, True])
def test_sealed_dice_keep_their_proof_through_every_round_trip(
    gm: User, started: Encounter, is_over: bool
) -> None:
    """Exported and imported three times, played on in between: nothing is lost, and each verifies."""
    submit(started.pk, Submission("hazard_check", {"target": ZARA, "approach": "detect"}))
    if is_over:
        fight_on(started.pk)
    proven = replay(read_history(load(started.pk)), find_system).dice.proven
    assert bool(proven) == is_over
    raw = export(started)
    for _ in range(3):
        done = import_encounter(gm, raw)
        assert done.verdict.dice.proven == proven
        made = load(done.encounter.pk)
        if made.phase == "over":
            submit(made.pk, Submission("start"))
        fight_on(made.pk)
        verdict = replay(read_history(load(made.pk)), find_system)
        assert verdict.ok, verdict.message
        assert verdict.dice.proven > proven
        assert verdict.dice.abandoned == (0 if is_over else 1)
        proven, raw = verdict.dice.proven, export(made)


def test_second_round_trip_changes_nothing_but_the_new_seal(gm: User, started: Encounter) -> None:
    submit(started.pk, Submission("hazard_check", {"target": ZARA, "approach": "detect"}))
    first = export(import_encounter(gm, export(started)).encounter)
    second = export(import_encounter(gm, first).encounter)
    old, new = ({s["seal"] for s in json.loads(raw)["steps"]} for raw in (first, second))
    (was,), (now,) = old - new, new - old
    assert second.replace(now.encode(), was.encode()).replace(now[:16].encode(), was[:16].encode()) == first


def test_log_of_an_import_tells_the_new_seal_to_everyone(gm: User, started: Encounter) -> None:
    made = load(import_encounter(gm, export(started)).encounter.pk)
    assert made.seals[-1]["seal"] == make_seal(made.dice_secret) != load(started.pk).seals[-1]["seal"]
    told = come(made, "watch", "Wim").get(f"/encounters/{made.pk}/log/").content.decode()
    assert f"Imported: new dice from here on, sealed as {made.seals[-1]['seal'][:16]}." in told


def test_copy_of_an_encounter_has_dice_of_its_own(gm: User, started: Encounter) -> None:
    copy = load(copy_encounter(load(started.pk), gm, "Again").pk)
    assert copy.dice_secret != load(started.pk).dice_secret
    assert copy.seals[-1] == {"step": copy.steps, "seal": make_seal(copy.dice_secret), "opened": ""}
    told = come(copy, "watch", "Wim").get(f"/encounters/{copy.pk}/log/").content.decode()
    assert f"Copied: new dice from here on, sealed as {copy.seals[-1]['seal'][:16]}." in told


@pytest.mark.parametrize(
    "change", [{"name": "boredom"}, {"seal": ""}, {"facts": []}, {"seal": "f" * 64}, {"by": "gm"}]
)
def test_new_dice_without_a_word_in_the_log_are_found(
    gm: User, started: Encounter, change: dict[str, Any]
) -> None:
    plain = json.loads(export(import_encounter(gm, export(started)).encounter))
    plain["steps"][-1].update(change)
    plain["steps"].append({**plain["steps"][-1], "number": len(plain["steps"]) + 1})
    with pytest.raises(Refused, match="begins new dice without telling so"):
        import_encounter(gm, json.dumps(plain).encode())


def test_numbers_of_sheets_at_another_table_lead_nowhere(gm: User, prepared: Encounter) -> None:
    block = next(iter(find_system(SLUG).book.find_blocks().values()))
    own, docker = create(gm, SLUG, "Own", block.sheet), create(gm, SLUG, "Docker", block.sheet, npc=True)
    bring(prepared, gm, str(own.pk), side="allies", zone="", by="gm")
    fields = {"sheet": docker.sheet, "name": "Docker", "source": f"npc:{docker.pk}"}
    submit(prepared.pk, Submission("join", fields))
    raw = export(prepared)
    assert f'"character:{own.pk}"'.encode() in raw
    made = load(import_encounter(gm, raw).encounter.pk)
    state = read_state(made)
    assert {"Own", "Docker"} <= {one.name for one in present(state)}
    assert not find_kept(made, present(state))
    assert not find_returns(made, state, gm, runs=True)
    assert b'"source"' not in bytes(made.state)
    assert replay(read_history(made), find_system).ok


def _bend(raw: bytes) -> dict[str, bytes]:
    """Documents with an error each."""
    plain = json.loads(raw)
    moved = json.loads(raw)
    moved["start"]["made"] = 7
    bent = json.loads(raw)
    joins = next(step for step in bent["steps"] if step["name"] == "join")
    joins["facts"][0]["event"]["combatant"]["tracks"]["hp"] = 9_999
    aimed = json.loads(raw)
    aimed["steps"][0]["target"] = 99
    signed = json.loads(raw)
    signed["steps"][0]["by"] = "a\\\0b"
    return {
        "Not an encounter document: export one from the log": b"{",
        "Not an encounter document: ": json.dumps({"format": plain["format"]}).encode(),
        "of cosmos-table-encounter is unknown here": change(raw, version=99),
        "no such game is here": change(raw, system="chess"),
        "does not begin empty": json.dumps(moved).encode(),
        "does not match when played again": json.dumps(bent).encode(),
        "does a step again": json.dumps(aimed).encode(),
        "characters that cannot be saved": json.dumps(signed).encode(),
        "The file is too large": b" " * (imports.MAX_BYTES + 1),
        "Not an encounter document:": b"\xff\xfe\x00",
        "Not an encounter": b"[" * 100_000,
    }


WRONG = tuple(
    _bend(
        b'{"format":"","start":{},"steps":[{"name":"join","facts":[{"event":{"combatant":{"tracks":{}}}}]}]}'
    )
)


@pytest.mark.parametrize("words", WRONG)
def test_what_is_wrong_is_said_and_nothing_is_kept(
    gm_client: Client, prepared: Encounter, words: str
) -> None:
    refused = send(gm_client, _bend(export(prepared))[words])
    assert (refused.status_code, words.strip() in refused.content.decode()) == (422, True)
    assert Encounter.objects.count() == 1


@pytest.mark.parametrize("number", ["²", "9" * 30, "1 "])
def test_sheet_by_a_strange_number_is_none(gm: User, prepared: Encounter, number: str) -> None:
    sheet = next(iter(find_system(SLUG).book.find_blocks().values())).sheet
    for kind in ("character", "npc"):
        submit(prepared.pk, Submission("join", {"sheet": sheet, "source": f"{kind}:{number}"}))
    made = load(import_encounter(gm, export(prepared)).encounter.pk)
    for encounter in (load(prepared.pk), made):
        state = read_state(encounter)
        assert not find_kept(encounter, present(state))
        assert not find_returns(encounter, state, gm, runs=True)


def test_what_is_quoted_of_a_wrong_document_is_short(gm: User, prepared: Encounter) -> None:
    with pytest.raises(Refused) as refused:
        import_encounter(
            gm, change(export(prepared), options={"x": {"y": "z" * 20_000}}, steps=["z" * 20_000])
        )
    assert len(refused.value.message) < 400


@pytest.mark.parametrize(
    ("room", "limit", "most", "words"),
    [
        (imports, "MAX_STEPS", 1, "at most 1 steps"),
        # every step is stored with the state after it, so a small file can become a large log
        (whole_logs, "MAX_LOG_BYTES", 1000, "Nothing was imported"),
    ],
)
def test_log_that_is_too_long_or_would_fill_the_disk_is_refused(
    gm: User,
    prepared: Encounter,
    monkeypatch: pytest.MonkeyPatch,
    room: Any,
    limit: str,
    most: int,
    words: str,
) -> None:
    monkeypatch.setattr(room, limit, most)
    with pytest.raises(Refused, match=words):
        import_encounter(gm, export(prepared))
    assert Encounter.objects.count() == 1


def test_file_of_the_largest_size_is_imported_a_larger_refused(
    gm: User, prepared: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = export(prepared)
    monkeypatch.setattr(imports, "MAX_BYTES", len(raw))
    assert import_encounter(gm, raw).verdict.ok
    with pytest.raises(Refused, match="too large"):
        import_encounter(gm, raw + b"\n")


def test_page_imports_into_a_campaign_and_shows_the_log(
    gm_client: Client, gm: User, started: Encounter
) -> None:
    campaign = create_campaign(gm, "The long haul")
    page = read(gm_client.get(f"{PAGE}?campaign={campaign.pk}"))
    chips = page.all("input", name="campaign")
    assert [(chip["value"], "checked" in chip.attrs) for chip in chips] == [
        ("", False),
        (str(campaign.pk), True),
    ]
    answer = send(gm_client, export(started), campaign=str(campaign.pk))
    made = campaign.encounters.get()
    assert answer["Location"] == f"/encounters/{made.pk}/log/"
    assert "steps match" in gm_client.get(answer["Location"]).content.decode()
    assert gm_client.get(f"/encounters/{made.pk}/").status_code == 200
    assert send(gm_client, export(started), campaign="999").status_code == 422


def test_campaigns_are_chips_as_long_as_they_are_few(gm_client: Client, gm: User) -> None:
    for number in range(7):
        create_campaign(gm, f"Campaign {number}")
    assert len(read(gm_client.get(PAGE)).all("input", name="campaign")) == 8, "none, and each"
    create_campaign(gm, "One more")
    page = read(gm_client.get(PAGE))
    assert not page.all("input", name="campaign")
    assert len(page.all("option", inside=page.one("select", name="campaign"))) == 9


def test_form_without_a_file_says_so(gm_client: Client) -> None:
    refused = gm_client.post(PAGE)
    assert (refused.status_code, "Choose a file first." in refused.content.decode()) == (422, True)


def test_players_log_is_no_encounter(cast: Cast, started: Encounter) -> None:
    log = cast.player.get(f"/encounters/{started.pk}/export/").content
    assert send(cast.gm, log).status_code == 422
    assert cast.nobody.get(PAGE)["Location"].startswith("/accounts/login/")


def test_encounter_too_slow_to_play_again_is_not_imported(
    gm: User, over: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measure the cost, not the time."""
    monkeypatch.setattr(imports, "MAX_SECONDS", -1.0)
    raw = export(over)
    with pytest.raises(Refused) as refused:
        import_encounter(gm, raw)
    assert (refused.value.code, refused.value.message) == (
        "busy",
        "Playing it again takes too long: step 1 was reached.",
    )
    assert not Encounter.objects.exclude(pk=over.pk).exists()


def test_one_encounter_is_played_again_at_a_time(
    gm: User, over: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "WAIT_SECONDS", 0.01)
    raw = export(over)
    with files.one_at_a_time(imports._replaying, ""), pytest.raises(Refused) as refused:
        import_encounter(gm, raw)
    assert refused.value.message == imports.BUSY
