"""A point of luck at the table: who is asked, what they read, the second roll, undo, and the report."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from combat.audience.changes import read_pending
from combat.audience.viewer import GM, Viewer
from combat.models import Encounter
from combat.play.after.reports import find_fight
from combat.play.overruling import overrule_roll
from combat.play.writing.encounter_service import Submission, read_history, submit
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.commands import luck
from combat.rules.core.engine.document import replay
from combat.rules.core.state.events import Checked
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


def settle(encounter: Encounter, cast: Cast) -> None:
    """Let the GM answer what is still asked, with the app's dice."""
    while load(encounter.pk).open_command:
        reply(cast.gm, encounter, "none", dice="app")


def roll_again(encounter: Encounter, cast: Cast, *faces: int) -> None:
    """Spend a point on a second roll, with these typed dice; the app rolls what follows."""
    reply(cast.player, encounter, "again")
    typed = {f"face-{number}": str(face) for number, face in enumerate(faces, 1)}
    cast.player.post(
        f"/encounters/{encounter.pk}/", {"do": "answer", "question": "0", "dice": "table", **typed}
    )
    settle(encounter, cast)


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
    """The attack is so hard that hardly any of twelve hits."""
    set_rules(started, does="again")
    for _ in range(12):
        if load(started.pk).open_command:
            break
        submit(started.pk, Submission("attack", {**ATTACK, "adjust": -14}))
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
    settle(missed, cast)
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


@pytest.mark.parametrize(("faces", "good"), [((1, 2), 0), ((9, 8), 1)])
def test_the_luck_of_the_report_counts_both_rolls(
    missed: Encounter, cast: Cast, faces: tuple[int, ...], good: int
) -> None:
    roll_again(missed, cast, *faces)
    fight = find_fight(load(missed.pk), Viewer())
    assert fight
    assert [(one.check.roll.faces, one.check.good) for one in fight.chances] == [
        ((1, 2), False),
        (faces, bool(good)),
    ]
    assert fight.tallies.of[ZARA].attacks == 1
    submit(missed.pk, Submission("end_fight", {}))
    shown = cast.watcher.get(f"/encounters/{missed.pk}/report/").content.decode()
    assert "one rolled again counts twice" in shown


def test_points_on_a_roll_leave_its_luck_as_the_dice_fell(missed: Encounter, cast: Cast) -> None:
    reply(cast.player, missed, "2")
    settle(missed, cast)
    fight = find_fight(load(missed.pk), Viewer())
    assert fight
    assert [(one.check.roll.faces, one.check.good) for one in fight.chances] == [((1, 2), False)]
    assert fight.tallies.of[ZARA].hits == 1


def test_only_who_may_know_a_roll_has_its_first_dice_counted(started: Encounter, cast: Cast) -> None:
    set_rules(started)
    submit(started.pk, Submission("hide", {"target": ZARA, "hidden": True}))
    submit(started.pk, Submission("attack", ATTACK, faces=(1, 2)))
    assert ask(started).rule == luck.RULE
    roll_again(started, cast, 1, 2)
    seen = {}
    for name, viewer in (("gm", GM), ("watcher", Viewer())):
        fight = find_fight(load(started.pk), viewer)
        assert fight
        seen[name] = len(fight.chances)
    assert seen == {"gm": 2, "watcher": 0}


def test_player_who_does_not_answer_in_time_keeps_roll_and_point(started: Encounter, cast: Cast) -> None:
    set_rules(started)
    submit(started.pk, Submission("set_option", {"key": "answer_seconds", "value": 15}))
    shoot(started, 1, 2)
    with time_machine.travel(timezone.now() + timedelta(seconds=14), tick=False):
        assert "Default answer in" in page(cast.player, started)
    assert ask(started).rule == luck.RULE
    with time_machine.travel(timezone.now() + timedelta(seconds=16), tick=False):
        page(cast.watcher, started)
    assert load(started.pk).open_command is None
    answers = read_history(load(started.pk)).steps[-1].answers
    assert [(one.rule, one.value, one.source) for one in answers[1:]] == [(luck.RULE, "keep", "default")]
    assert count_left(started) == 2


def test_gm_overrules_a_second_roll_and_the_point_stays_spent(missed: Encounter, cast: Cast) -> None:
    roll_again(missed, cast, 1, 2)
    assert count_left(missed) == 1
    overrule_roll(missed.pk, load(missed.pk).steps, 0)
    settle(missed, cast)
    step = read_history(load(missed.pk)).steps[-1]
    checks = [fact.event for fact in step.facts if isinstance(fact.event, Checked)]
    assert [(one.outcome, one.roll.faces, one.modifiers[-1].label) for one in checks[:1]] == [
        ("outcome.hit", (1, 2), "term.overruled")
    ]
    assert [(one.rule, one.value) for one in step.answers if one.rule == luck.RULE] == [(luck.RULE, "again")]
    assert count_left(missed) == 1
    assert replay(read_history(load(missed.pk)), find_system).is_whole
    for left in (1, 2):
        cast.gm.post(f"/encounters/{missed.pk}/", {"do": "undo"})
        assert count_left(missed) == left


def test_hit_by_luck_that_the_gm_overrules_asks_for_no_new_point(missed: Encounter, cast: Cast) -> None:
    reply(cast.player, missed, "2")
    settle(missed, cast)
    overrule_roll(missed.pk, load(missed.pk).steps, 0)
    assert load(missed.pk).open_command is None
    step = read_history(load(missed.pk)).steps[-1]
    checks = [fact.event for fact in step.facts if isinstance(fact.event, Checked)]
    assert [(one.outcome, one.roll.faces, one.total) for one in checks] == [("outcome.miss", (1, 2), 10)]
    assert count_left(missed) == 2, "what the GM decides takes no point"
    assert replay(read_history(load(missed.pk)), find_system).is_whole


def test_the_gm_overrules_a_kept_miss_and_nobody_is_asked(missed: Encounter, cast: Cast) -> None:
    reply(cast.player, missed, "keep")
    overrule_roll(missed.pk, load(missed.pk).steps, 0)
    settle(missed, cast)
    step = read_history(load(missed.pk)).steps[-1]
    assert not [one for one in step.answers if one.rule == luck.RULE]
    assert count_left(missed) == 2


def test_undo_gives_the_point_of_a_second_roll_back(missed: Encounter, cast: Cast) -> None:
    roll_again(missed, cast, 1, 2)
    assert count_left(missed) == 1
    cast.gm.post(f"/encounters/{missed.pk}/", {"do": "undo"})
    assert count_left(missed) == 2
    assert luck.SPENT not in state_of(missed.pk)[ZARA].marks


def test_the_report_says_who_spent_and_what_it_turned(missed: Encounter, cast: Cast) -> None:
    reply(cast.player, missed, "2")
    settle(missed, cast)
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
