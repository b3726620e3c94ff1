"""Questions to players: standing orders, and the table's time-out."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, answer, read_history, submit, undo
from combat.play.writing.verification import read_step
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.document import replay
from tests.combat.cast import Cast, Place
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, combatant, find_open, load, read
from tests.typed import sure

RULE = "COS-CRIT-02"
SHOT = {"combatant": ZARA, "target": PIRATE, "weapon": f"{ZARA}-1", "dice": "table"}
CRITICAL = {**SHOT, "face-1": "10", "face-2": "10"}


def ask_player(cast: Cast, pk: int) -> Place:
    """The player rolls a critical hit, so they choose the effect."""
    player = Place(cast.player, pk)
    player.do("attack", **CRITICAL)
    assert "which effect?" in player.page().one(id="prompt").text
    return player


def answers(pk: int) -> list[tuple[str, str]]:
    """The choices of the last step, and their origins."""
    step = read_step(sure(load(pk).log.filter(name="attack").last()))
    return [(a.value, a.source) for a in step.answers if a.kind == "choice"]


# ---- Standing orders ----


@pytest.mark.slow
def test_player_answers_once_and_for_all(cast: Cast, started: Encounter) -> None:
    player = ask_player(cast, started.pk)
    player.do("answer", question="0", value="maximum", always="yes")
    assert answers(started.pk) == [("maximum", "seat")]
    assert combatant(started.pk, ZARA).marks[f"standing:{RULE}"] == "maximum"
    undo(started.pk)  # the attack; the order stays
    player.do("attack", **CRITICAL)
    assert answers(started.pk) == [("maximum", "order")]
    assert not find_open().exists()
    assert replay(read_history(load(started.pk)), find_system).ok


@pytest.mark.slow
def test_standing_order_is_shown_to_its_player_and_can_be_ended(cast: Cast, started: Encounter) -> None:
    player = ask_player(cast, started.pk)
    player.do("answer", question="0", value="maximum", always="yes")
    assert "CRIT-02 with maximum" in player.page().one("ul", class_="orders").text
    assert "always answers: maximum" in player.page().one(id="log").text
    for client in (cast.other, cast.watcher):
        assert "maximum" not in read(client.get(f"/encounters/{started.pk}/")).one(id="combatants").text
        assert "always answers" not in client.get(f"/encounters/{started.pk}/log/").content.decode()
    player.do("set_standing", combatant=ZARA, rule_id=RULE)
    assert not player.page().all("ul", class_="orders")


@pytest.mark.slow
def test_order_that_is_ended_is_asked_again(cast: Cast, started: Encounter) -> None:
    player = Place(cast.player, started.pk)
    player.do("set_standing", combatant=ZARA, rule_id=RULE, value="maximum")
    player.do("set_standing", combatant=ZARA, rule_id=RULE)
    player.do("attack", **CRITICAL)
    assert find_open().exists()


@pytest.mark.slow
def test_gm_sets_and_ends_orders_of_anybody(gm_client: object, cast: Cast, started: Encounter) -> None:
    gm = Visit(cast.gm, started.pk)
    gm.do("set_standing", combatant=PIRATE, rule_id=RULE, value="bypass")
    assert combatant(started.pk, PIRATE).marks[f"standing:{RULE}"] == "bypass"
    gm.do("set_standing", combatant=PIRATE, rule_id=RULE)
    assert f"standing:{RULE}" not in combatant(started.pk, PIRATE).marks


@pytest.mark.slow
def test_order_that_is_no_option_is_asked_about(cast: Cast, started: Encounter) -> None:
    Place(cast.player, started.pk).do("set_standing", combatant=ZARA, rule_id=RULE, value="explode")
    ask_player(cast, started.pk)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"rule_id": "COS-NONE-01", "value": "x"}, 422),
        ({"rule_id": "", "value": "x"}, 422),
        ({"rule_id": RULE, "value": "x" * 81}, 422),
        ({"rule_id": RULE, "value": "<b>"}, 422),
        ({"rule_id": RULE}, 409),
        ({"rule_id": RULE, "value": "x", "combatant": MARCUS}, 409),
        ({"rule_id": RULE, "value": "x", "combatant": ""}, 409),
    ],
)
def test_impossible_order_is_refused(
    cast: Cast, started: Encounter, fields: dict[str, str], status: int
) -> None:
    assert Place(cast.player, started.pk).refused("set_standing", status, **{"combatant": ZARA, **fields})


def test_answer_that_is_refused_leaves_no_order(cast: Cast, started: Encounter) -> None:
    player = ask_player(cast, started.pk)
    player.refused("answer", 422, question="0", value="everything", always="yes")
    assert f"standing:{RULE}" not in combatant(started.pk, ZARA).marks


# ---- The time-out ----


@pytest.fixture
def hurried(started: Encounter) -> Encounter:
    """The fight at a table that waits fifteen seconds for an answer."""
    submit(started.pk, Submission("set_option", {"key": "answer_seconds", "value": 15}))
    return load(started.pk)


def after(seconds: float) -> datetime:
    """This much later."""
    return timezone.now() + timedelta(seconds=seconds)


def test_prompt_says_how_long_is_left_and_reads_again_then(cast: Cast, hurried: Encounter) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        player = ask_player(cast, hurried.pk)
        clock.shift(4)
        page = player.page()
    assert "Default answer in 11 s." in page.one(id="time-left").text
    assert [e["hx-trigger"] for e in page.all("div") if "delay" in e["hx-trigger"]] == ["load delay:11s"]


@pytest.mark.slow
def test_time_limit_waits_in_a_pause_and_begins_again_after_it(cast: Cast, hurried: Encounter) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        player = ask_player(cast, hurried.pk)
        submit(hurried.pk, Submission("pause"))
        clock.shift(600)
        assert not player.page().all(id="prompt")
        assert player.refused("answer", 409, question="0", value="default").startswith("The GM has paused")
        submit(hurried.pk, Submission("resume"))
        clock.shift(4)
        assert "Default answer in 11 s." in player.page().one(id="time-left").text
        clock.shift(-3600)
        assert "Default answer in 15 s." in player.page().one(id="time-left").text, "the clock was set back"


@pytest.mark.slow
@pytest.mark.parametrize("role", ["gm", "player", "other", "watcher"])
def test_whoever_reads_next_settles_what_is_overdue(cast: Cast, hurried: Encounter, role: str) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        ask_player(cast, hurried.pk)
        clock.shift(14)
        cast[role].get(f"/encounters/{hurried.pk}/")
        assert find_open().exists()
        clock.shift(1.1)
        cast[role].get(f"/encounters/{hurried.pk}/")
    assert not find_open().exists()
    assert answers(hurried.pk) == [("maximum", "default")]


@pytest.mark.slow
def test_answer_that_comes_too_late_is_told_so(cast: Cast, hurried: Encounter) -> None:
    player = ask_player(cast, hurried.pk)
    version = player.version()
    with time_machine.travel(after(16), tick=False):
        late = player.post("answer", question="0", value="bypass", version=version)
    assert late.status_code == 409
    assert answers(hurried.pk) == [("maximum", "default")]


def test_dice_are_waited_for(cast: Cast, hurried: Encounter) -> None:
    Place(cast.player, hurried.pk).do("attack", **SHOT)
    with time_machine.travel(after(100), tick=False):
        page = Place(cast.player, hurried.pk).page()
    assert find_open().exists()
    assert not page.all(id="time-left")


@pytest.mark.slow
def test_table_without_a_limit_waits_for_ever(cast: Cast, started: Encounter) -> None:
    player = ask_player(cast, started.pk)
    with time_machine.travel(after(100_000), tick=False):
        assert not player.page().all(id="time-left")
    assert find_open().exists()


@pytest.mark.slow
def test_each_question_has_its_own_time(cast: Cast, hurried: Encounter) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        player = ask_player(cast, hurried.pk)
        clock.shift(10)
        player.do("answer", question="0", value="condition")
        for _ in player.page().all("fieldset", class_="dice-row"):
            answer(hurried.pk, 0, faces=(5,))
        assert "Default answer in 15 s." in player.page().one(id="time-left").text
        assert "Which condition?" in player.page().one(id="prompt").text


@pytest.mark.slow
def test_of_many_who_read_at_once_one_answers(cast: Cast, hurried: Encounter) -> None:
    ask_player(cast, hurried.pk)
    before = load(hurried.pk)
    with time_machine.travel(after(16), tick=False):
        for role in ("gm", "player", "other", "watcher"):
            assert cast[role].get(f"/encounters/{hurried.pk}/").status_code == 200
    assert load(hurried.pk).steps == before.steps + 1


@pytest.mark.parametrize("value", [5, 45, "soon", True])
def test_only_the_offered_times_can_be_set(started: Encounter, value: object) -> None:
    with pytest.raises(Refused):
        submit(started.pk, Submission("set_option", {"key": "answer_seconds", "value": value}))
