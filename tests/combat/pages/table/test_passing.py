"""The GM passes turns in a row, after reading whose: each is a step as if they had pressed the button."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter
from combat.play import autopilot
from combat.play.writing.encounter_service import Submission, read_history, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.engine.document import replay
from tests.combat.cast import Cast
from tests.combat.visit import (
    MARCUS,
    PIRATE,
    SLUG,
    ZARA,
    Visit,
    begun,
    load,
    read,
    state_of,
    stored,
)
from tests.thinning import thin

SYSTEM = find_system(SLUG)


def add_thugs(pk: int, count: int = 3) -> None:
    """More foes, who act right after the pirate."""
    side = state_of(pk).combatants[PIRATE].side
    for number in range(count):
        submit(pk, Submission("join", {"block": "street_thug", "name": f"Thug {number}", "side": side}))
    everyone = state_of(pk).combatants
    foes = [who for who in everyone if everyone[who].side == everyone[PIRATE].side]
    submit(pk, Submission("gather", {"targets": foes}))


def offers(visit: Visit) -> list[str]:
    """The ways to pass turns that the page shows."""
    page = visit.page(**{"pass": "1"})
    return [p.text for p in page.all("p", inside=page.one("form", id="form-pass")) if ":" in p.text]


@pytest.fixture
def foes(fives: None, visit: Visit) -> Visit:
    """The first turn of four foes who act in a row; Marcus comes after them."""
    add_thugs(visit.pk)
    visit.do("next_turn")
    assert state_of(visit.pk).active == PIRATE
    return visit


def test_the_page_says_whose_turns_end_and_passes_just_those(foes: Visit) -> None:
    assert [a for a in foes.page().all("a") if a["href"] == "?pass=1"]
    (told, *_) = offers(foes)
    order = state_of(foes.pk).order
    names = [state_of(foes.pk).combatants[who].name for who in order if who not in (ZARA, MARCUS)]
    assert told.endswith(": " + ", ".join(names))
    before = load(foes.pk).steps
    foes.do("pass_turns", whose="side")
    assert state_of(foes.pk).active == MARCUS, "the next turn is not theirs"
    assert [row.name for row in load(foes.pk).log.filter(number__gt=before)] == ["next_turn"] * len(names)
    assert replay(read_history(load(foes.pk)), find_system).ok


def test_undo_goes_back_one_turn_at_a_time(foes: Visit) -> None:
    *_, last, after = state_of(foes.pk).order
    assert after == MARCUS
    assert "one turn at a time" in foes.page(**{"pass": "1"}).one("form", id="form-pass").text
    foes.do("pass_turns", whose="side")
    foes.do("undo")
    assert state_of(foes.pk).active == last


@pytest.mark.slow
def test_a_pass_is_what_pressing_the_button_for_each_would_be(foes: Visit) -> None:
    by_hand = state_of(foes.pk)
    turns = autopilot.foresee(SYSTEM, by_hand, "side")
    for _ in turns:
        submit(foes.pk, Submission("next_turn"))
    by_hand = state_of(foes.pk)
    for _ in turns:
        foes.do("undo")
    foes.do("pass_turns", whose="side")
    assert state_of(foes.pk) == by_hand


def test_passing_turns_ends_with_the_round(visit: Visit) -> None:
    visit.do("next_turn")
    visit.do("next_turn")
    assert state_of(visit.pk).active == MARCUS
    (told, *_) = offers(visit)
    assert told.endswith(": Marcus"), "Zara, next, acts in another round"
    visit.do("pass_turns", whose="side")
    assert (state_of(visit.pk).active, state_of(visit.pk).round) == (ZARA, 2)


@pytest.mark.slow
def test_those_who_can_do_nothing_are_passed_and_no_one_else(foes: Visit) -> None:
    state = state_of(foes.pk)
    following = state.order[state.order.index(PIRATE) + 1]
    assert autopilot.foresee(SYSTEM, state, "idle") == (), "the pirate has something to do"
    assert [told for told in offers(foes) if told.startswith("Those who can do nothing")] == []
    assert "no turn to pass" in foes.refused("pass_turns", 409, whose="idle")
    submit(foes.pk, Submission("give_condition", {"target": PIRATE, "kind": "unconscious"}))
    assert offers(foes)[1] == "Those who can do nothing: Pirate"
    foes.do("pass_turns", whose="idle")
    assert state_of(foes.pk).active == following


def test_passing_turns_stops_after_a_turn_that_hurts_someone(
    foes: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autopilot, "_does_harm", lambda system, facts: True)
    foes.do("pass_turns", whose="side")
    assert state_of(foes.pk).active != MARCUS
    assert len(autopilot.foresee(SYSTEM, state_of(foes.pk), "side")) == 1


def test_passing_turns_has_a_limit_of_turns_and_of_time(foes: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autopilot, "MAX_TURNS", 2)
    assert len(autopilot.foresee(SYSTEM, state_of(foes.pk), "side")) == 2
    monkeypatch.setattr(autopilot, "monotonic", iter([0.0, 0.0, 0.0, 0.0, 9_999.0]).__next__)
    before = load(foes.pk).steps
    foes.do("pass_turns", whose="side")
    assert load(foes.pk).steps == before + 1


def test_only_the_gm_passes_turns_and_of_the_present_page(cast: Cast, started: Encounter) -> None:
    address, before = f"/encounters/{started.pk}/", stored(started.pk)
    for role in ("player", "other"):
        assert cast[role].post(address, {"do": "pass_turns", "whose": "side"}).status_code == 422, role
        assert "Pass…" not in cast[role].get(address).content.decode()
        assert not read(cast[role].get(address, {"pass": "1"})).all("form", id="form-pass")
    assert cast.watcher.post(address, {"do": "pass_turns", "whose": "side"}).status_code == 403
    for form, status in (({"whose": "all"}, 422), ({"whose": "side", "version": "0"}, 409)):
        assert cast.gm.post(address, {"do": "pass_turns", **form}).status_code == status, form
    assert stored(started.pk) == before
    assert cast.co_gm.post(address, {"do": "pass_turns", "whose": "side"}).status_code == 303


@pytest.mark.slow
def test_nothing_is_passed_while_dice_are_asked_or_out_of_fights(visit: Visit) -> None:
    attack = {"actor": ZARA, "target": PIRATE, "weapon": "f1-1"}
    submit(visit.pk, Submission("attack", attack, typed=True))
    assert not visit.page(**{"pass": "1"}).all("form", id="form-pass")
    assert "answer or cancel it first" in visit.refused("pass_turns", 409, whose="side")
    visit.do("cancel")
    visit.do("end_fight")
    assert "no turn to pass" in visit.refused("pass_turns", 409, whose="side")


@pytest.mark.parametrize("slug", thin(SYSTEMS, "guardians"))
def test_every_game_passes_what_it_foresees(gm: User, gm_client: Client, slug: str) -> None:
    system, made = find_system(slug), begun(gm, slug)
    visit, before = Visit(gm_client, made.pk), state_of(made.pk)
    turns = autopilot.foresee(system, before, "side")
    assert turns[0] == (before.active, *before.sharing)
    visit.do("pass_turns", whose="side")
    assert state_of(made.pk).active != before.active or state_of(made.pk).round > before.round
