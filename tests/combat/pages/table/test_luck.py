"""A point of luck at the table: who is asked, what they read, the second roll, undo, and the report."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from combat.audience.changes import read_pending
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, read_history, submit
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.commands import luck
from combat.rules.core.engine.document import replay
from tests.combat.cast import Cast
from tests.combat.visit import PIRATE, PISTOL, SLUG, ZARA, load, state_of, stored

ATTACK = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
QUESTION = "11 vs 12: miss. Spend a point of luck (2 left)?"


def set_rules(encounter: Encounter, points: int = 2, does: str = "either") -> None:
    submit(encounter.pk, Submission("set_option", {"key": "luck_points", "value": points}))
    submit(encounter.pk, Submission("set_option", {"key": "luck_does", "value": does}))


def shoot(encounter: Encounter, *faces: int) -> None:
    submit(encounter.pk, Submission("attack", ATTACK, faces=faces))


@pytest.fixture
def missed(started: Encounter) -> Encounter:
    """The fight after Zara has missed by one, with two points of luck that do either."""
    set_rules(started)
    shoot(started, 1, 2)
    return started


def page(client: Client, encounter: Encounter) -> str:
    return client.get(f"/encounters/{encounter.pk}/").content.decode()


def reply(client: Client, encounter: Encounter, value: str, **more: Any) -> int:
    fields = {"do": "answer", "question": "0", "value": value, **more}
    return client.post(f"/encounters/{encounter.pk}/", fields).status_code


def ask(encounter: Encounter) -> ChoiceRequest:
    waiting = read_pending(load(encounter.pk))
    assert waiting
    (asked,) = waiting.requests
    assert isinstance(asked, ChoiceRequest)
    return asked


def count_left(encounter: Encounter, who: str = ZARA) -> int:
    state = state_of(encounter.pk)
    return luck.count_left(find_system(SLUG), state, state[who])


def test_the_owner_of_the_roll_is_asked_and_reads_what_it_takes(missed: Encounter, cast: Cast) -> None:
    asked = ask(missed)
    assert (asked.who, asked.question, asked.default) == (ZARA, QUESTION, "keep")
    assert [(one.value, one.label, one.detail) for one in asked.options] == [
        ("keep", "Keep the roll", ""),
        ("again", "Roll again", ""),
        ("2", "+2", "13 instead"),
    ]
    for client in (cast.player, cast.gm):
        shown = page(client, missed)
        assert QUESTION in shown
        assert "Roll again" in shown
        assert "Always answer this way" not in shown
    for client in (cast.other, cast.watcher):
        assert "Spend a point of luck" not in page(client, missed)


@pytest.mark.parametrize("role", ["other", "watcher", "revoked", "stranger", "nobody"])
def test_nobody_else_answers(missed: Encounter, cast: Cast, role: str) -> None:
    before = stored(missed.pk)
    assert reply(cast[role], missed, "again") >= 302
    assert stored(missed.pk) == before


@pytest.mark.parametrize("role", ["player", "gm", "co_gm"])
def test_the_player_and_the_gm_answer(missed: Encounter, cast: Cast, role: str) -> None:
    reply(cast[role], missed, "2")
    assert count_left(missed) == 1


@pytest.mark.parametrize("value", ["3", "-3", "luck", "", "1000000"])
def test_an_answer_that_nobody_offered_is_refused(missed: Encounter, cast: Cast, value: str) -> None:
    before = stored(missed.pk)
    assert reply(cast.player, missed, value) == 422
    assert stored(missed.pk) == before


def test_two_points_better_turn_the_miss_and_the_sum_says_so(missed: Encounter, cast: Cast) -> None:
    reply(cast.player, missed, "2")
    shown = page(cast.watcher, missed)
    assert "Zara attacks Pirate (13 vs Defense 12): hit." in shown
    assert "Zara spends a point of luck: +2 on 1, 2." in shown
    assert "A point of luck" in shown


def test_a_kept_roll_stays_a_miss_and_costs_nothing(missed: Encounter, cast: Cast) -> None:
    reply(cast.player, missed, "keep")
    assert load(missed.pk).open_command is None
    assert count_left(missed) == 2
    assert "Zara attacks Pirate (11 vs Defense 12): miss." in page(cast.watcher, missed)


def test_dice_of_a_real_table_are_typed_again(missed: Encounter, cast: Cast) -> None:
    reply(cast.player, missed, "again")
    waiting = read_pending(load(missed.pk))
    assert waiting
    (asked,) = waiting.requests
    assert (asked.who, asked.rule, asked.ordinal) == (ZARA, "COS-ATK-01", 1 + luck.SECOND)
    address = f"/encounters/{missed.pk}/"
    cast.player.post(
        address, {"do": "answer", "question": "0", "dice": "table", "face-1": "9", "face-2": "8"}
    )
    shown = page(cast.watcher, missed)
    assert "Zara spends a point of luck and rolls 1, 2 again." in shown
    assert "Zara attacks Pirate (25 vs Defense 12): hit." in shown
    assert count_left(missed) == 1


def test_sealed_dice_are_rolled_again_sealed_and_all_is_verified(started: Encounter, cast: Cast) -> None:
    set_rules(started, does="again")
    for _ in range(12):
        if load(started.pk).open_command:
            break
        submit(started.pk, Submission("attack", ATTACK))
        if not load(started.pk).open_command:
            cast.gm.post(f"/encounters/{started.pk}/", {"do": "undo"})
    assert [one.value for one in ask(started).options] == ["keep", "again"]
    reply(cast.player, started, "again")
    document = read_history(load(started.pk))
    step = document.steps[-1]
    first, chosen, second = step.answers[:3]
    assert (first.source, second.source, chosen.value) == ("app", "app", "again")
    assert second.number == first.number + 1
    assert replay(document, find_system).is_whole
    assert page(cast.watcher, started).count("rolls") >= 1


def test_undo_gives_the_point_back(missed: Encounter, cast: Cast) -> None:
    reply(cast.player, missed, "2")
    assert count_left(missed) == 1
    while load(missed.pk).open_command:
        cast.gm.post(
            f"/encounters/{missed.pk}/", {"do": "answer", "question": "0", "value": "none", "dice": "app"}
        )
    cast.gm.post(f"/encounters/{missed.pk}/", {"do": "undo"})
    assert count_left(missed) == 2


def test_points_that_do_not_reach_are_shut(started: Encounter) -> None:
    set_rules(started)
    submit(started.pk, Submission("attack", {**ATTACK, "adjust": -5}, faces=(1, 2)))
    better = ask(started).options[-1]
    assert (better.value, better.refused) == ("2", "6 would be needed")


def test_nobody_is_asked_without_points_or_for_a_hit(started: Encounter) -> None:
    shoot(started, 9, 9)
    assert not [one for one in _requests(started) if one.rule == luck.RULE]


def test_the_last_point_is_the_last(missed: Encounter, cast: Cast) -> None:
    set_left = Submission("set_option", {"key": "luck_points", "value": 1})
    reply(cast.player, missed, "keep")
    submit(missed.pk, set_left)
    assert count_left(missed) == 1
    assert count_left(missed, PIRATE) == 0


def _requests(encounter: Encounter) -> tuple[Any, ...]:
    waiting = read_pending(load(encounter.pk))
    return waiting.requests if waiting else ()


def test_the_row_counts_the_points_and_the_form_says_before_luck(started: Encounter, cast: Cast) -> None:
    assert "Luck" not in page(cast.player, started)
    set_rules(started)
    shown = page(cast.watcher, started)
    assert shown.count('<span class="vh">2 of 2</span>') == len(
        [c for c in state_of(started.pk).combatants.values() if c.pc]
    )
    asked = f"/encounters/{started.pk}/odds/?combatant={ZARA}&do=attack&target={PIRATE}&weapon={PISTOL}"
    assert "Before any point of luck." in cast.player.get(asked).content.decode()
    set_rules(started, points=0)
    assert "Before any point of luck." not in cast.player.get(asked).content.decode()


def test_the_report_says_who_spent_and_what_it_turned(missed: Encounter, cast: Cast) -> None:
    reply(cast.player, missed, "2")
    while load(missed.pk).open_command:
        cast.gm.post(
            f"/encounters/{missed.pk}/", {"do": "answer", "question": "0", "value": "none", "dice": "app"}
        )
    submit(missed.pk, Submission("end_fight", {}))
    shown = cast.watcher.get(f"/encounters/{missed.pk}/report/").content.decode()
    assert "Zara spent 1 point of luck: it turned a failure into a success." in shown


def test_a_secret_roll_is_told_to_its_player_alone(started: Encounter, cast: Cast) -> None:
    """The dice of a hidden character are in a secret series, and so is what luck says of them."""
    set_rules(started)
    submit(started.pk, Submission("hide", {"target": ZARA, "hidden": True}))
    shoot(started, 1, 2)
    if ask(started).rule == luck.RULE:
        reply(cast.player, started, "2")
    assert "spends a point of luck" in page(cast.gm, started)
    assert "spends a point of luck" in page(cast.player, started)
    for client in (cast.watcher, cast.other):
        assert "spends a point of luck" not in page(client, started)
