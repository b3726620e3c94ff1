"""Odds of what will happen: an attack after its defense, and each possible answer of the attacked."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.audience.changes import read_pending
from combat.display.forms.reaction_odds import say_prospects
from combat.play.writing.encounter_service import Submission, answer, submit
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.basics.words import say_number
from combat.rules.core.odds.odds import find_prospects
from tests.combat.cast import come
from tests.combat.display.mess_hall import throw_grenade
from tests.combat.markup import Page
from tests.combat.visit import Visit, begun, load, questions, read, roll_fives, state_of
from tests.typed import as_a, sure


def ids_of(pk: int) -> dict[str, str]:
    """The ids of the combatants by their names."""
    return {combatant.name: who for who, combatant in state_of(pk).combatants.items()}


def options(page: Page) -> dict[str, str]:
    """The answers on offer, and the text below each."""
    prompt = page.one("section", id="prompt")
    found = page.all("button", inside=prompt, name="value")
    return {button["value"]: " ".join(e.text for e in page.all("small", inside=button)) for button in found}


def test_headline_says_what_is_left_of_an_attack_after_the_defense(gm: User, gm_client: Client) -> None:
    """Ines shoots with 9 ranks: 45%. Knuckles dodges with 9: 45% of those miss, so 25% are left."""
    pk = begun(gm, "guardians").pk
    who = ids_of(pk)
    shown = gm_client.get(f"/encounters/{pk}/?combatant={who['Ines']}&do=attack&target={who['Knuckles']}")
    (headline,) = [p.text for p in read(shown).all("p", class_="odds-main")]
    assert headline.startswith("45% before 25% after a defense")
    (shares,) = [found.text for found in read(shown).all("ul", class_="odds-shares")]
    assert shares == "25% succeeds anyway 20% a defense takes 55% fails"


def test_headline_is_one_number_where_nobody_defends_afterwards(gm: User, gm_client: Client) -> None:
    pk = begun(gm, "cosmos").pk
    page = read(gm_client.get(f"/encounters/{pk}/?do=attack"))
    (headline,) = [p.text for p in page.all("p", class_="odds-main")]
    assert "defense" not in headline
    assert re.match(r"\d+% to succeed: attack", headline)


def test_person_attacked_reads_the_chance_to_be_hit_for_each_answer(gm: User, gm_client: Client) -> None:
    """Knuckles strikes Rook: letting it through is a hit, a defense may ward it off."""
    pk = begun(gm, "guardians").pk
    who = ids_of(pk)
    player = come(load(pk), "play", "Pia", who["Ines"])
    submit(pk, Submission("next_turn", {"whole": True}))
    weapon = next(item.id for item in state_of(pk)[who["Knuckles"]].items if item.place == "held")
    submit(
        pk,
        Submission("attack", {"actor": who["Knuckles"], "target": who["Rook"], "weapon": weapon}, faces=(5,)),
    )
    (asked,) = questions(pk)
    found = options(Visit(gm_client, pk).page())
    assert set(found) == {option.value for option in asked.options}
    assert found["none"] == "it hits"
    assert 0 < int(found["dodge"].removesuffix("% to be hit")) < 100
    prompt = Visit(gm_client, pk).page().one("section", id="prompt")
    assert "Let it through: it hits" in prompt.text
    assert "Would hit" in prompt.text
    assert "100%" not in prompt.text.replace("instead of 100%", "")
    assert "to be hit" not in read(player.get(f"/encounters/{pk}/")).one(id="table").text, "Ines is not asked"


@pytest.mark.parametrize("way", ["none", "dodge"])
def test_attack_would_hit_until_its_defense_is_known(gm: User, gm_client: Client, way: str) -> None:
    """While Rook decides, and rolls, nobody reads "hit"; they do once it is true."""
    pk = begun(gm, "guardians").pk
    who = ids_of(pk)
    here, seen = f"/encounters/{pk}/", come(load(pk), "play", "Pia", who["Rook"])
    submit(pk, Submission("next_turn", {"whole": True}))
    weapon = next(item.id for item in state_of(pk)[who["Knuckles"]].items if item.place == "held")
    strike = {"actor": who["Knuckles"], "target": who["Rook"], "weapon": weapon}
    submit(pk, Submission("attack", strike, faces=(5,), typed=way == "dodge"))
    for client in (gm_client, seen, come(load(pk), "watch", "Wim")):
        page = read(client.get(here))
        (card,) = page.all(class_="so-far")
        assert page.one(class_="result-word", inside=card).text == "would hit"
        assert "is-plain" in page.one(class_="result-of", inside=card)["class"]
        text = page.one("body").text
        assert ": hit" not in text
        assert "It hits" not in text
    answer(pk, 0, value=way)
    if way == "dodge":
        prompt = Visit(gm_client, pk).page().one("section", id="prompt").text
        assert re.search(r"Knuckles attacks Rook \(5 vs chance \d+\): would hit\.", prompt)
        answer(pk, 0, faces=(1,))
    told = Visit(gm_client, pk).page().one("body").text
    assert (": would hit." in told, ": hit." in told) == (way == "dodge", way == "none")


def test_dice_of_a_defense_are_asked_for_in_plain_words(gm: User, gm_client: Client) -> None:
    """One colon, after the name; and one die is not "these"."""
    pk = begun(gm, "guardians").pk
    who = ids_of(pk)
    submit(pk, Submission("next_turn", {"whole": True}))
    weapon = next(item.id for item in state_of(pk)[who["Knuckles"]].items if item.place == "held")
    strike = {"actor": who["Knuckles"], "target": who["Rook"], "weapon": weapon}
    submit(pk, Submission("attack", strike, faces=(5,), typed=True))
    answer(pk, 0, value="dodge")
    page = Visit(gm_client, pk).page()
    assert page.one(id="h-prompt").text == "Rook: dodge (against Knuckles)"
    assert page.one("form", id="rolls").text.endswith("Roll Use this die")


@pytest.mark.parametrize("hidden", ["Knuckles", "Rook"])
def test_gm_reads_the_odds_of_each_answer_while_someone_is_hidden(
    gm: User, gm_client: Client, hidden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dice of the hidden are numbered apart; the odds count them as any others."""
    roll_fives(monkeypatch)
    pk = begun(gm, "guardians").pk
    who = ids_of(pk)
    submit(pk, Submission("next_turn", {"whole": True}))
    submit(pk, Submission("hide", {"target": who[hidden]}))
    weapon = next(item.id for item in state_of(pk)[who["Knuckles"]].items if item.place == "held")
    strike = {"actor": who["Knuckles"], "target": who["Rook"], "weapon": weapon}
    submit(pk, Submission("attack", strike))
    found = options(Visit(gm_client, pk).page())
    assert found["none"] == "it hits"
    assert "% to be hit" in found["dodge"]


@pytest.mark.parametrize("slug", ["cepheus", "cepheus_quick"])
def test_before_the_attack_is_rolled_each_answer_has_its_odds_too(
    gm: User, gm_client: Client, slug: str
) -> None:
    """An attack at +2 hits on 6 of two dice, 72%; against a dodge behind cover on 8, 42%."""
    pk = begun(gm, slug).pk
    state = state_of(pk)
    actor = state[state.active]
    target = next(each for each in state.combatants.values() if each.side != actor.side)
    weapon = next(item.id for item in actor.items if item.place == "held")
    submit(pk, Submission("attack", {"actor": actor.id, "target": target.id, "weapon": weapon}))
    page = Visit(gm_client, pk).page()
    now = target.initiative or 0
    price = f"your Initiative {say_number(now)} → {say_number(now - 2)}"
    assert options(page) == {"none": "72% to be hit", "dodge": f"42% to be hit · {price}"}
    held = next(item.name for item in actor.items if item.id == weapon)
    threat = page.one(class_="threat").text
    assert threat == f"{actor.name} Attack · {held} 72% to be hit without a reaction"
    (was,) = page.all("s", inside=page.one(id="prompt"))
    assert (was.parents[-1]["value"], was.text) == ("dodge", "instead of 72%")


def test_answers_to_an_explosion_say_what_is_lost_on_average(
    gm: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The landing place is known. Of 5D6 a dodge takes a die off, diving half, then armor 5 counts."""
    roll_fives(monkeypatch)
    pk = throw_grenade(gm)
    while questions(pk)[0].who != "f2":
        answer(pk, 0, value="none", by="gm")
    waiting = sure(read_pending(load(pk)))
    system = find_system("cepheus")
    action, command = system.read("lob", waiting.command)
    request = as_a(waiting.requests[0], ChoiceRequest)
    found = find_prospects(system, state_of(pk), action, command, waiting.answers, request)
    assert {prospect.chance for prospect in found.values()} == {1.0}
    lost = {value: prospect.lost for value, prospect in found.items()}
    assert lost["none"] > lost["dodge"] > lost["dive"]
    words = say_prospects(found)
    assert re.fullmatch(r"loses \d+\.\d on average", words["dive"])
