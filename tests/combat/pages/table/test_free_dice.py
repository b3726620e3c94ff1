"""Free dice: who plays rolls what no rule asks for, in any phase, and all see it; the GM also in secret."""

from __future__ import annotations

import pytest

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, answer, read_history, redo, submit, undo
from combat.rules import find_system
from combat.rules.core.basics.dice import dice as sealed
from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.engine.document import Verdict, replay
from combat.rules.core.wording import describe_facts
from combat.sharing.links import make_link
from tests.combat.audience.test_unseen_pages import ALL, find_differences, read_all
from tests.combat.cast import Cast
from tests.combat.visit import (
    MARCUS,
    PIRATE,
    PISTOL,
    SLUG,
    ZARA,
    load,
    read,
    refusal,
    roll_fives,
    state_of,
    stored,
)

ROLL = {"do": "roll_dice", "term": "2d6+3"}


def address(started: Encounter) -> str:
    return f"/encounters/{started.pk}/"


def judge(started: Encounter) -> Verdict:
    """Check the whole fight with its dice, opened by its end."""
    submit(started.pk, Submission("end_fight"))
    return replay(read_history(load(started.pk)), find_system)


def last_facts(started: Encounter) -> list[str]:
    """What the last step says to the GM."""
    facts = read_history(load(started.pk)).steps[-1].facts
    return [line.text for line in describe_facts(find_system(SLUG), facts, {ZARA: "Zara", MARCUS: "Marcus"})]


@pytest.mark.slow
def test_everyone_who_plays_rolls_and_all_see_dice_and_sum(
    cast: Cast, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    roll_fives(monkeypatch)
    for role, who in (("gm", ""), ("co_gm", ""), ("player", ZARA), ("other", MARCUS)):
        name = state_of(started.pk).combatants[who].name if who else "The GM"
        assert cast[role].post(address(started), ROLL | {"combatant": who}).status_code == 303
        for reader in ("gm", "player", "other", "watcher"):
            page = read(cast[reader].get(address(started)))
            *others, card = page.all("article", class_="result")
            # The last result stays for those who were there: the players came after it
            assert "initiative" in others[-1].text if others else reader in ("player", "other"), reader
            assert f"{name} rolls 2d6+3" in card.text, (role, reader)
            assert page.one("p", class_="result-sum", inside=card).text == "13"
            assert len(page.all("svg", class_="face", inside=card)) == 2
            assert f"{name} rolls 2d6+3: 5 + 5 + 3 = 13." in page.one("ol", id="log-lines").text


def test_nobody_rolls_who_does_not_play(cast: Cast, started: Encounter) -> None:
    before = stored(started.pk)
    for role, status in (("watcher", 403), ("revoked", 410), ("stranger", 404)):
        assert cast[role].post(address(started), ROLL | {"combatant": ZARA}).status_code == status, role
        assert "Roll dice" not in cast[role].get(address(started)).content.decode()
    told = cast.player.post(address(started), ROLL | {"combatant": MARCUS})
    assert (told.status_code, refusal(told)) == (409, "You don't control that combatant.")
    assert cast.player.post(address(started), {"do": "gm_roll", "term": "d6"}).status_code == 403
    assert stored(started.pk) == before


@pytest.mark.slow
def test_a_bad_term_gets_a_sentence_with_an_example(cast: Cast, started: Encounter) -> None:
    before = stored(started.pk)
    for term in ("2d6-1d4", "101d6", "", "5", "3d6kh4", "2d6++1d4"):
        told = cast.player.post(address(started), ROLL | {"combatant": ZARA, "term": term})
        assert told.status_code == 422
        assert "write dice like 2d6+3, d100, 3d6kh2, 2d6+1d4 or d66, up to 100 dice" in refusal(told)
    assert stored(started.pk) == before


@pytest.mark.parametrize(
    ("term", "line"),
    [
        ("d66", "Zara rolls d66: 5 and 5 = 55."),
        ("3D6 kh2", "Zara rolls 3d6kh2: 5 + 5 (5) = 10."),
        ("2d20kl1+2", "Zara rolls 2d20kl1+2: 5 + 2 (5) = 7."),
        ("2d6+1d4-1", "Zara rolls 2d6+1d4-1: 5 + 5 + 4 − 1 = 13."),
    ],
)
def test_dice_as_the_trade_writes_them(
    cast: Cast, started: Encounter, fives: None, monkeypatch: pytest.MonkeyPatch, term: str, line: str
) -> None:
    def show(secret: str, number: int, words: str, notation: str) -> tuple[int, ...]:
        dice = parse_dice(notation)
        return (min(5, dice.sides),) * dice.count

    monkeypatch.setattr(sealed, "draw_faces", show)
    posted = ROLL | {"combatant": ZARA, "term": term}
    assert cast.player.post(address(started), posted).status_code == 303
    assert last_facts(started)[0] == line
    for role in ("gm", "other", "watcher"):
        page = read(cast[role].get(address(started)))
        assert line in page.one("ol", id="log-lines").text
        total = line.rpartition(" = ")[2].rstrip(".")
        assert total in [one.text for one in page.all("p", class_="result-sum")]


def test_every_handful_is_sealed_and_proven(cast: Cast, started: Encounter) -> None:
    """The end of the fight opens the secret, and a replay checks each face by it."""
    for term in ("d66", "4d6kh3", "2d6+1d4+2d8"):
        cast.gm.post(address(started), ROLL | {"term": term})
    verdict = judge(started)
    assert verdict.ok, verdict.message
    assert verdict.dice.proven >= 5


@pytest.mark.slow
def test_the_last_five_terms_are_offered_again(cast: Cast, started: Encounter) -> None:
    for term in ("d4", "d6", "d8", "D10", "2d6 + 3", "d6", "d100"):
        cast.player.post(address(started), {"do": "roll_dice", "combatant": ZARA, "term": term})
    page = read(cast.player.get(address(started)))
    again = [one["value"] for one in page.all("button") if one["name"] == "again"]
    assert again == ["1d100", "1d6", "2d6+3", "1d10", "1d8"]
    posted = {"do": "roll_dice", "combatant": ZARA, "term": "", "again": "1d8"}
    assert cast.player.post(address(started), posted).status_code == 303
    assert last_facts(started)[0].startswith("Zara rolls 1d8: ")
    assert not [b for b in read(cast.other.get(address(started))).all("button") if b["name"] == "again"]


@pytest.mark.slow
def test_no_byte_of_others_differs_after_a_secret_roll(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("note", {"text": "Here we go.", "secret": False}))
    _, token = make_link(started, ShareLink.WATCH, "overlay")
    before = read_all(cast, started.pk, token, ALL)
    for _ in range(2):
        assert cast.gm.post(address(started), ROLL | {"secret": "true"}).status_code == 303
    (line,) = last_facts(started)
    assert line.startswith("The GM rolls 2d6+3 in secret: ")
    assert "The GM rolls 2d6+3 in secret: " in cast.co_gm.get(address(started)).content.decode()
    assert not find_differences(before, read_all(cast, started.pk, token, ALL))
    undo(started.pk)
    redo(started.pk)
    assert not find_differences(before, read_all(cast, started.pk, token, ALL))
    cast.gm.post(address(started), ROLL)
    told = {one.split(":")[0] for one in find_differences(before, read_all(cast, started.pk, token, ALL))}
    assert {"public", "seat", "player ", "watcher ", "player dice/", "watcher export/"} <= told
    assert judge(started).ok


def test_free_dice_get_between_no_rolls_of_an_action_that_waits(cast: Cast, started: Encounter) -> None:
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    assert submit(started.pk, Submission("attack", attack, typed=True)).waiting
    before = state_of(started.pk)
    for client, who in ((cast.other, MARCUS), (cast.gm, "")):
        stale = ROLL | {"combatant": who, "version": ""}
        assert client.post(address(started), stale).status_code == 303
    assert state_of(started.pk) == before
    assert answer(started.pk, 0, faces=(10, 9)).waiting, "the damage is asked next"
    assert cast.player.post(address(started), ROLL | {"combatant": ZARA}).status_code == 303
    while load(started.pk).open_command:
        answer(started.pk, 0, roll=True)
    verdict = judge(started)
    assert verdict.ok, verdict
    assert verdict.dice.proven >= 4  # three free rolls and the damage


def test_free_dice_are_undone_like_others_and_keep_redo(cast: Cast, started: Encounter) -> None:
    assert cast.gm.post(address(started), {"do": "next_turn"}).status_code == 303
    assert cast.gm.post(address(started), {"do": "undo"}).status_code == 303
    assert cast.player.post(address(started), ROLL | {"combatant": ZARA}).status_code == 303
    assert cast.gm.post(address(started), {"do": "redo"}).status_code == 303
    assert state_of(started.pk).active != ZARA, "the undone turn can still be redone"
    assert cast.gm.post(address(started), {"do": "undo"}).status_code == 303
    assert cast.gm.post(address(started), {"do": "undo"}).status_code == 303
    log = read(cast.player.get(address(started))).one("ol", id="log-lines").text
    assert "Zara rolls 2d6+3" in log, "dice that fell stay in the log"
    assert judge(started).ok


def test_dice_fall_outside_fights_and_on_tables_with_real_dice(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("set_option", {"key": "typed_dice", "value": True}))
    submit(started.pk, Submission("end_fight"))
    for client, who in ((cast.player, ZARA), (cast.gm, "")):
        page = read(client.get(address(started)))
        form = page.one("form", inside=page.one("details", id="dice"))
        posted = page.fields(form) | {"term": "d20", "combatant": who}
        assert client.post(address(started), posted).status_code == 303
    assert last_facts(started)[0].startswith("The GM rolls 1d20: ")


def test_only_the_gm_rolls_in_a_pause(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("pause"))
    told = cast.player.post(address(started), ROLL | {"combatant": ZARA})
    assert (told.status_code, "The GM has paused the fight" in refusal(told)) == (409, True)
    assert not read(cast.player.get(address(started))).all("details", id="dice")
    assert cast.gm.post(address(started), ROLL).status_code == 303
