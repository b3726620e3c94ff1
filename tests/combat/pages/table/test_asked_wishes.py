"""What the card of a wish says to the GM: what is offered or asked, what it costs, what stays as a tile."""

from __future__ import annotations

import pytest

from combat.models import Encounter
from combat.pages.table.rulings_view import name_ruling
from combat.play.improvising import read_wishes
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.gm.acts import reading
from combat.rules.core.gm.improvising import Improvise
from combat.rules.core.gm.verbs import Understood, find_usual_cost, understand
from combat.rules.core.state.state import replace
from tests.combat.cast import Cast
from tests.combat.pages.table.test_wishes import SWING, ask, post, see
from tests.combat.rules.core.gm.acts.scenes import ME, make_scene
from tests.combat.visit import PIRATE, ZARA, combatant, load, read, refusal

THREAT = "I shout at the Pirate to give up"


def open_wish(pk: int) -> int:
    return read_wishes(load(pk)).open[0].number


def card(cast: Cast, pk: int) -> str:
    return read(cast.gm.get(f"/encounters/{pk}/")).one("article", class_="wish").text


def test_what_is_asked_has_two_or_three_answers_and_no_offer(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk, THREAT)
    page = read(cast.gm.get(f"/encounters/{pk}/"))
    shown = page.one("article", class_="wish")
    chips = page.all("button", name="choice", inside=shown)
    assert [chip["value"] for chip in chips] == ["0", "1", "2"]
    assert [chip.text.partition(":")[0] for chip in chips] == ["They give up", "They hesitate", "They run"]
    assert all("Social with Presence against 14" in chip.text for chip in chips)
    assert reading.OPEN in shown.text
    assert "Offer" not in shown.text
    answer = post(cast.gm, pk, "offer_wish")
    assert answer.status_code == 422, "there is nothing to offer yet"
    for bad in ("3", "-1", "x", "", "9" * 40):
        answer = post(cast.gm, pk, "offer_wish", choice=bad)
        assert answer.status_code == 422, bad
        assert "not on the card" in refusal(answer)
    assert read_wishes(load(pk)).open[0].status == "asked"
    assert post(cast.gm, pk, "offer_wish", choice="0", card="yes").status_code == 200
    offer = read_wishes(load(pk)).open[0].offer
    assert offer["works"] == [{"kind": "leaves", "who": [PIRATE], "key": "surrenders"}]
    assert "keep" not in offer, "its box was empty"
    assert "gives up" in see(cast.player, pk)


def test_what_are_only_words_has_neither_offer_nor_choices(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    for words in ("I refuse to surrender", "Is the door locked?", "Marcus, shoot the Pirate!", "I roll a 17"):
        ask(cast.player, pk, words)
        page = read(cast.gm.get(f"/encounters/{pk}/"))
        shown = page.one("article", class_="wish")
        assert not page.all("button", name="choice", inside=shown), words
        assert not page.all("button", class_="take", inside=shown), words
        assert "Cost" not in shown.text
        assert "tile" not in shown.text


@pytest.mark.parametrize("keeps", [True, False])
def test_tile_that_stays_is_told_before_and_can_be_switched_off(
    cast: Cast, started: Encounter, *, keeps: bool
) -> None:
    pk = started.pk
    ask(cast.player, pk)
    page = read(cast.gm.get(f"/encounters/{pk}/"))
    label = page.one("label", class_="keeps")
    assert label.text == "Stays as Zara's tile: Swing on the chain and land on the …"
    assert page.fields(page.all("form", inside=page.one("article", class_="wish"))[0])["keep"] == "yes"
    fields = {"card": "yes", **({"keep": "yes"} if keeps else {})}
    assert post(cast.gm, pk, "offer_wish", **fields).status_code == 200
    assert ("It stays as your tile" in see(cast.player, pk)) == keeps
    assert post(cast.player, pk, "take_offer").status_code == 200
    names = [ruling.name for ruling in combatant(pk, ZARA).all_rulings]
    assert names == (["Swing on the chain and land on the …"] if keeps else [])


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("I trip Korr", "Trip Korr"),
        ("I'm going to try to trip Korr!", "Trip Korr"),
        ("I’d like to trip Korr", "Trip Korr"),
        ("trip Korr", "Trip Korr"),
        ("Can I trip Korr?", "Trip Korr"),
        ("I", "Knock someone off their feet"),
    ],
)
def test_a_tile_is_called_by_the_words(words: str, name: str) -> None:
    meaning = Understood((), Improvise(words=words), verb="Knock someone off their feet")
    assert name_ruling(meaning) == name


def test_the_card_says_what_it_costs(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    ask(cast.player, pk)
    assert "Costs: Standard" in card(cast, pk)
    submit(pk, Submission("give_budget", {"target": ZARA, "pool": "standard", "left": 0}))
    assert "Standard: none left, so it costs Move" in card(cast, pk)
    ask(cast.player, pk, THREAT)
    assert "Standard: none left, so it costs Move" in card(cast, pk), "what is asked says it too"
    submit(pk, Submission("next_turn"))
    assert "Free, out of turn" in card(cast, pk)


def test_before_the_turn_is_declared_an_act_is_not_free() -> None:
    """Star Shock: the actions of a turn are there once their number is declared."""
    system, state = make_scene("starshock")
    rules = system.actions.improvising
    assert rules
    (cost,) = rules.costs
    assert not state[ME].budget.get("actions")
    assert find_usual_cost(system, state, ME) == "actions"
    assert cost.awaits(state, ME) == "once the turn is declared"
    declared = replace(state[ME], marks={"declared": 1}, budget={"actions": 1})
    later = replace(state, combatants={**state.combatants, ME: declared})
    assert (cost.awaits(later, ME), find_usual_cost(system, later, ME)) == ("", "actions")
    none_left = replace(declared, budget={"actions": 0})
    spent = replace(state, combatants={**state.combatants, ME: none_left})
    assert find_usual_cost(system, spent, ME) == ""
    assert understand(system, state, ME, SWING, {}).act.cost == "actions"
