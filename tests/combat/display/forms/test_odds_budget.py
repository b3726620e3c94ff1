"""Counting odds takes a bounded share of the machine, whatever and however often people ask."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.display.forms import action_form
from combat.display.forms.odds_panel import BUSY, MAX_SECONDS, REPLACED, Counter, compute_odds
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.parts import Candidate
from combat.rules.core.odds import enumeration
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.odds.proposals import find_suggestions
from tests.combat.rules.games import every_slug
from tests.combat.visit import PIRATE, PISTOL, SLUG, ZARA, Visit, demo_fight, load, read, state_of
from tests.site.hosting.table import soon
from tests.thinning import thin


class Ticking:
    """A clock that advances by a hundredth of a second at each look."""

    def __init__(self, step: float = 0.01) -> None:
        self.now, self.looks, self.step = 0.0, 0, step

    def __call__(self) -> float:
        self.looks += 1
        self.now += self.step
        return self.now


def crowd(pk: int) -> None:
    """Add sixty combatants."""
    block = next(iter(find_system(load(pk).system).book.find_blocks()))
    for _ in range(3):
        submit(pk, Submission("join", {"block": block, "count": 20}))


# ---- How long ----


def test_counting_stops_when_its_time_is_over(prepared: Any) -> None:
    """The order of 63 combatants has more outcomes than there are stars."""
    crowd(prepared.pk)
    system, state = find_system(SLUG), state_of(prepared.pk)
    action, command = system.read("start", {})
    counter = Counter(clock=(clock := Ticking()))
    with counter.count("gm") as share, pytest.raises(TooMany):
        find_odds(system, state, action, command, share.give_up)
    assert clock.looks == pytest.approx(MAX_SECONDS / clock.step + 1, abs=2)


def test_what_would_help_ends_with_the_same_time(started: Any) -> None:
    system, state = find_system(SLUG), state_of(started.pk)
    action, command = system.read("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL})
    candidates = [Candidate("aim", "aim")] * 12
    looks = []

    def give_up() -> bool:
        looks.append(1)
        return len(looks) > 5

    assert find_suggestions(system, state, action, command, candidates, give_up=give_up) == ()
    assert len(looks) < 10


def test_form_with_too_many_outcomes_has_odds_of_its_first_check(
    monkeypatch: pytest.MonkeyPatch, visit: Visit
) -> None:
    whole = read(visit.get("odds/", do="attack", combatant=ZARA, target=PIRATE, weapon=PISTOL))
    monkeypatch.setattr(action_form, "COUNTER", Counter(clock=Ticking(1.0)))
    page = read(visit.get("odds/", do="attack", combatant=ZARA, target=PIRATE, weapon=PISTOL))
    assert "What follows has too many outcomes to calculate." in page.one("section", class_="odds").text
    assert page.one("p", class_="odds-main").text == whole.one("p", class_="odds-main").text
    assert whole.all("figure")
    assert not page.all("figure")
    assert page.all("ul", class_="mods")


def test_form_with_a_distant_first_check_says_so_and_keeps_sums(
    monkeypatch: pytest.MonkeyPatch, visit: Visit
) -> None:
    monkeypatch.setattr(action_form, "COUNTER", Counter(clock=Ticking(1.0)))
    monkeypatch.setattr(enumeration, "MAX_BRIEF_RUNS", 1)
    page = read(visit.get("odds/", do="attack", combatant=ZARA, target=PIRATE, weapon=PISTOL))
    assert "Too many outcomes" in page.one("p", class_="alert").text
    assert page.all("ul", class_="mods")
    assert not page.all("section", class_="odds")


@pytest.mark.slow
@pytest.mark.parametrize("slug", thin(SYSTEMS, "cosmos", "guardians"))
def test_no_form_of_a_crowd_counts_past_its_share(
    monkeypatch: pytest.MonkeyPatch, gm: User, gm_client: Client, slug: str
) -> None:
    """Every action at a table of more than sixty, with its form as it opens."""
    made, system = demo_fight(gm, slug), find_system(slug)
    crowd(made.pk)
    looked = {}
    for phase in ("prep", "fight"):
        if phase == "fight":
            submit(made.pk, Submission(system.actions.start, {}))
        who = state_of(made.pk).active
        for name in system.actions.by_name:
            clock = Ticking()
            monkeypatch.setattr(action_form, "COUNTER", Counter(clock=clock))
            answer = gm_client.get(f"/encounters/{made.pk}/odds/", {"do": name, "combatant": who})
            assert answer.status_code == 200
            looked[f"{name} in {phase}"] = clock.looks
    assert max(looked.values()) <= MAX_SECONDS / Ticking().step + 10, looked


# ---- For what ----


@every_slug
def test_what_begins_a_fight_or_ends_a_turn_has_no_odds(
    monkeypatch: pytest.MonkeyPatch, gm: User, gm_client: Client, slug: str
) -> None:
    def count(*_: object) -> None:
        raise AssertionError("odds were counted")

    made, system = demo_fight(gm, slug), find_system(slug)
    monkeypatch.setattr("combat.display.forms.odds_panel.find_odds", count)
    names = {system.actions.start, system.actions.advance, "pass_time"} & system.actions.by_name.keys()
    for name in sorted(names):
        assert not system.actions.has_odds(system.action(name))
        assert gm_client.get(f"/encounters/{made.pk}/odds/", {"do": name}).status_code == 200


@every_slug
def test_dice_of_what_has_no_odds_can_still_be_typed(gm: User, slug: str) -> None:
    made, system = demo_fight(gm, slug), find_system(slug)
    action, command = system.read(system.actions.start, {})
    found = compute_odds(system, state_of(made.pk), action, command)
    assert found.sides
    assert not found.measures
    assert not found.problem


def test_what_has_no_odds_still_says_why_it_is_refused(visit: Visit) -> None:
    refused = read(visit.get("odds/", do="rest", kind="full", days="1"))
    assert refused.one("p", class_="alert").text


# ---- How many at once ----


@pytest.fixture
def counter() -> Counter:
    """Allow two at once, and a short wait."""
    return Counter(most=2, wait=0.2)


def test_third_is_told_to_try_again(counter: Counter) -> None:
    with counter.count("Ada"), counter.count("Bo"):
        begun = time.monotonic()
        with pytest.raises(Refused, match=BUSY), counter.count("Cy"):
            raise AssertionError("three at once")
        assert time.monotonic() - begun < soon(2)
    with counter.count("Cy") as share:
        assert not share.give_up()


def test_third_has_its_turn_when_another_is_done(counter: Counter) -> None:
    counter.wait = 20
    first = counter.count("Ada")
    first.__enter__()
    with counter.count("Bo"):
        threading.Timer(0.1, first.__exit__, (None, None, None)).start()
        with counter.count("Cy") as share:
            assert not share.give_up()


def test_newer_question_ends_the_older_of_the_same_asker(counter: Counter) -> None:
    with counter.count("Ada") as older:
        assert not older.give_up()
        with counter.count("Ada") as newer:
            assert older.give_up()
            assert not newer.give_up()
        with counter.count("Bo") as other:
            assert not other.give_up()


def test_newer_question_ends_the_waiting_of_the_older(counter: Counter) -> None:
    counter.wait, told = 20, []

    def ask() -> None:
        try:
            with counter.count("Ada"):
                told.append("counted")
        except Refused as refused:
            told.append(refused.message)

    with counter.count("Bo"), counter.count("Cy"):
        older = threading.Thread(target=ask)
        older.start()
        while "Ada" not in counter.newest:
            time.sleep(0.01)
        counter.wait = 0.1
        ask()
        older.join(10)
    assert sorted(told) == sorted([REPLACED, BUSY])
    assert not counter.newest
    assert counter.running == 0


def test_counting_that_fails_gives_its_place_back(counter: Counter) -> None:
    for _ in range(5):
        with pytest.raises(ZeroDivisionError), counter.count("Ada"):
            raise ZeroDivisionError
    assert counter.running == 0


def test_page_says_when_odds_are_busy_and_can_still_act(
    monkeypatch: pytest.MonkeyPatch, visit: Visit
) -> None:
    counter = Counter(most=0, wait=0)
    monkeypatch.setattr(action_form, "COUNTER", counter)
    page, form = visit.open_form("attack", ZARA)
    assert BUSY in page.one("p", class_="alert").text
    assert page.all("button", inside=form, name="dice", value="app")
