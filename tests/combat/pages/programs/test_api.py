"""Programs at the table: a token acts as its owner, and no more."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client

from combat.models import Encounter, ProgramToken
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing import programs
from combat.sharing.links import end_seat
from tests.combat.cast import Cast, seat_named
from tests.combat.pages.programs.asking import Program, make_program
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, state_of, stored

pytestmark = pytest.mark.usefixtures("patience")

ATTACK: dict[str, Any] = {"target": PIRATE, "weapon": PISTOL}


@pytest.fixture
def bot(started: Encounter, cast: Cast) -> Program:
    """A program of the player who has Zara."""
    return make_program(started, seat_named("Pia"))


def test_program_sees_what_its_player_sees(bot: Program, gm_bot: Program) -> None:
    seen, all_seen = bot.get("state"), gm_bot.get("state")
    mine = {"id": ZARA, "name": "Zara", "player": "Pia"}
    assert (seen["role"], seen["name"], seen["combatants"]) == ("seat", "Bot of Pia", [mine])
    played = {one["id"]: one["player"] for one in all_seen["combatants"]}
    assert (all_seen["role"], played) == ("gm", {ZARA: "Pia", PIRATE: "", MARCUS: "Otto"})
    health = {one["id"]: one["health"]["number"] for one in seen["state"]["combatants"]}
    assert health[ZARA]
    assert not health[PIRATE]
    assert all(one["health"]["number"] for one in all_seen["state"]["combatants"])


def test_actions_have_the_fields_choices_and_odds_of_their_forms(bot: Program) -> None:
    offered = bot.get("actions")
    assert (offered["combatant"], offered["acts"]) == (ZARA, True)
    attack = next(one for one in offered["actions"] if one["name"] == "attack")
    fields = {field["name"]: field for field in attack["fields"]}
    assert PIRATE in [choice["value"] for choice in fields["target"]["choices"]]
    assert attack["usual"]["target"] == PIRATE
    assert 0 < attack["chance"] < 1
    refused = [one for one in offered["actions"] if one["refused"]]
    assert refused
    assert not any(one["fields"] for one in refused)
    assert not offered["gm"]
    assert offered["suggested"]["action"] in {one["name"] for one in offered["actions"]}


def test_odds_are_those_of_the_page(bot: Program, cast: Cast, started: Encounter) -> None:
    odds = bot.post("odds", action="attack", combatant=ZARA, fields=ATTACK)
    asked = {"do": "attack", "combatant": ZARA, **ATTACK}
    page = cast.player.get(f"/encounters/{started.pk}/odds/", asked).content.decode()
    assert 0 < odds["chance"] < 1
    assert f"{round(100 * odds['chance'])}%" in page
    assert all(term["label"] in page for term in odds["terms"] if term["value"])


@pytest.mark.usefixtures("fives")
def test_action_is_done_and_signed(bot: Program, gm_bot: Program, started: Encounter) -> None:
    sent = {"action": "attack", "combatant": ZARA, "fields": ATTACK, "stamp": bot.get("state")["stamp"]}
    done = bot.post("actions", **sent, dice="table")
    for dice in ("2d10", "1d8"):
        (asked,) = done["questions"]
        assert asked["dice"] == dice
        done = bot.post("answers", question=asked["question"], stamp=done["stamp"], roll=True)
    assert not done["questions"]
    steps = gm_bot.get("log")["steps"]
    assert steps[-1]["by"] == "Bot of Pia"
    assert "Zara" in steps[-1]["lines"][0]["text"]


def test_gm_is_marked_in_the_log(gm_bot: Program, started: Encounter) -> None:
    done = gm_bot.act("note", text="A siren.")
    assert done["newest"]["by"] == f"Bot of {started.owner.get_username()} (GM)"


def test_typed_dice_are_the_first_of_an_action(bot: Program, started: Encounter) -> None:
    stamp = bot.get("state")["stamp"]
    sent = {"action": "attack", "combatant": ZARA, "fields": ATTACK, "stamp": stamp}
    assert bot.post("actions", 422, **sent, faces=[99, 1])["code"] == "bad_dice"
    bot.post("actions", **sent, dice="table")
    (asked,) = bot.get("actions")["questions"]
    assert (asked["kind"], asked["combatants"]) == ("roll", [ZARA])
    assert asked["dice"]


def test_outdated_stamp_is_a_conflict(bot: Program, started: Encounter) -> None:
    stamp = bot.get("state")["stamp"]
    submit(started.pk, Submission("rename", {"target": MARCUS, "name": "Marc"}))
    before = stored(started.pk)
    sent = {"action": "attack", "combatant": ZARA, "fields": ATTACK, "stamp": stamp}
    assert bot.post("actions", 409, **sent)["code"] == "stale"
    assert stored(started.pk) == before


def test_refused_rule_says_why(bot: Program, started: Encounter) -> None:
    before = stored(started.pk)
    refused = bot.act("attack", ZARA, 422, target=ZARA, weapon=PISTOL)
    assert refused["code"]
    assert refused["problem"].endswith(".")
    assert stored(started.pk) == before


@pytest.mark.parametrize(("who", "status"), [("gm", 200), ("Cleo", 200), ("Pia", 200), ("Otto", 422)])
def test_only_those_who_play_someone_act_for_them(
    started: Encounter, cast: Cast, who: str, status: int
) -> None:
    program = make_program(started, None if who == "gm" else seat_named(who))
    before = stored(started.pk)
    answer = program.act("total_defense", ZARA, status)
    assert (stored(started.pk) == before) == (status != 200), answer


def test_players_program_has_no_rights_of_the_gm(bot: Program, started: Encounter) -> None:
    before = stored(started.pk)
    assert bot.act("hide", target=PIRATE, status=403)["code"] == "not_allowed"
    assert bot.act("undo", status=422)
    assert bot.get("actions", 422, combatant=PIRATE)["code"] == "not_allowed"
    assert bot.post("odds", 422, action="attack", combatant=PIRATE)["code"] == "not_allowed"
    assert stored(started.pk) == before


def test_watcher_gets_no_token(started: Encounter, cast: Cast) -> None:
    with pytest.raises(PermissionDenied):
        make_program(started, seat_named("Wim"))


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer x", f"Bearer {'x' * 43}", f"Basic {'x' * 43}"])
def test_without_a_token_there_is_nothing(started: Encounter, cast: Cast, header: str) -> None:
    for client in (cast.gm, cast.player, Client()):  # cookies do not count
        for what in ("state", "actions", "log"):
            answer = client.get(f"/api/table/{what}/", headers={"Authorization": header} if header else {})
            assert answer.status_code == 401
            assert answer["WWW-Authenticate"] == "Bearer"
            assert "Zara" not in answer.content.decode()


def test_token_in_the_address_does_not_count(bot: Program) -> None:
    for name in ("token", "access_token", "Authorization"):
        assert Client().get("/api/table/state/", {name: bot.token}).status_code == 401


def test_revoked_token_is_refused_at_once(bot: Program, gm_bot: Program) -> None:
    assert bot.get("state")
    ProgramToken.objects.filter(seat__name="Pia").delete()
    assert bot.get("state", 401)["problem"]
    assert bot.post("actions", 401, action="total_defense", combatant=ZARA, stamp="x")
    assert gm_bot.get("state")


def test_token_ends_with_its_seat(bot: Program, started: Encounter) -> None:
    end_seat(seat_named("Pia"))
    assert bot.get("state", 401)


def test_token_is_not_stored(bot: Program, started: Encounter) -> None:
    assert bot.token not in str(list(ProgramToken.objects.values()))


HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "half": b'{"action": "attack", "sta',
    "list": b"[1, 2]",
    "no text": b'{"action": 1, "stamp": "x"}',
    "incomplete": b'{"combatant": "f1"}',
    "unknown": b'{"action": "attack", "stamp": "x", "cake": 1}',
    "no utf-8": b'{"action": "\xff", "stamp": "x"}',
    "deep": b"[" * 100_000,
    "null": b'{"action": "attack", "stamp": "x", "fields": {"target": null}}',
    "nested": b'{"action": "attack", "stamp": "x", "fields": {"target": {"a": 1}}}',
    "long": b'{"action": "%s", "stamp": "x"}' % (b"x" * 101),
    "no stamp": b'{"action": "attack", "stamp": ""}',
    "faces": b'{"action": "attack", "stamp": "x", "faces": [1.5]}',
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_body_gets_a_sentence(bot: Program, started: Encounter, raw: bytes) -> None:
    before = stored(started.pk)
    for what in ("actions", "odds", "answers"):
        found = bot.send(what, raw, 422)
        assert found["code"] == "bad_value"
        assert found["problem"].endswith(".")
    assert stored(started.pk) == before


@pytest.mark.parametrize(
    "fields",
    [
        {"cake": "1"}, {"version": "1"}, {"do": "undo"}, {"face-1": "6"}, {"overruled": "1"},
        {"target-free": "x"}, {"target": "f\0"}, {"target": ["f2", "f3"]}, {"adjust": "x"},
        {"adjust": 10**9}, {"weapon": True},
    ],
    ids=str,
)  # fmt: skip
def test_strange_field_is_refused(bot: Program, started: Encounter, fields: dict[str, Any]) -> None:
    before = stored(started.pk)
    assert bot.act("attack", ZARA, 422, **{**ATTACK, **fields})["problem"].endswith(".")
    assert stored(started.pk) == before


def test_huge_body_is_refused(bot: Program) -> None:
    assert bot.send("actions", b'{"action": "' + b"x" * 3_000_000 + b'"}', 413)["problem"]


def test_form_is_no_json(bot: Program, gm: User) -> None:
    User.objects.filter(pk=gm.pk).update(username="Visitor 1", password="!")
    gm.refresh_from_db()
    client = Client()
    client.force_login(gm)  # a visitor may upload nothing elsewhere, but no cookie counts here
    for sent in ({"action": "attack"}, {"file": BytesIO(b"x")}):
        answer = client.post("/api/table/actions/", sent, headers=bot.headers)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_value")


def test_wrong_address_or_method_is_explained_in_json(bot: Program) -> None:
    assert bot.get("cake", 404)["problem"]
    assert "GET" in bot.post("state", 405)["problem"]
    assert "POST" in bot.get("odds", 405)["problem"]


def test_ten_requests_a_second_are_the_limit(
    bot: Program, gm_bot: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(programs.RATES, "program", "10/h/key")  # no pace of a machine decides
    for _ in range(10):
        bot.get("state")
    answer = Client().get("/api/table/state/", headers=bot.headers)
    assert (answer.status_code, answer["Retry-After"]) == (429, "1")
    assert json.loads(answer.content)["problem"]
    assert gm_bot.get("state")  # each token has its own


def test_log_goes_on_where_it_was_read(bot: Program, gm_bot: Program) -> None:
    assert bot.get("log")["steps"]
    for program in (bot, gm_bot):
        last = program.get("log")["steps"][-1]["step"]
        assert not program.get("log", since=last)["steps"]
        gm_bot.act("rename", target=MARCUS, name=f"Marc {program.token[:3]}")
        (step,) = program.get("log", since=last)["steps"]
        assert "Marc" in step["lines"][0]["text"]
    assert (
        bot.get("log", 422, since="1")["code"] == "unknown"
    )  # players do not learn how many steps there are


def test_reading_writes_nothing(bot: Program, started: Encounter) -> None:
    before = stored(started.pk)
    for what in ("state", "actions", "log"):
        bot.get(what)
    bot.post("odds", action="attack", combatant=ZARA, fields=ATTACK)
    assert stored(started.pk) == before


def test_paused_fight_waits(bot: Program, started: Encounter) -> None:
    submit(started.pk, Submission("pause", {}))
    assert "paused" in bot.act("total_defense", ZARA, 422)["problem"]
    assert state_of(started.pk).is_paused


def test_targets_that_are_out_say_so(bot: Program, started: Encounter) -> None:
    def find_targets() -> dict[str, bool]:
        actions = bot.get("actions")["actions"]
        attack = next(one for one in actions if one["name"] == "attack")
        field = next(one for one in attack["fields"] if one["name"] == "target")
        return {one["value"]: one["out"] for one in field["choices"]}

    assert find_targets()[PIRATE] is False
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -1000}, by="gm"))
    assert find_targets()[PIRATE] is True
