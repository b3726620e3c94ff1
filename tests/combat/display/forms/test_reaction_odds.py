"""Odds of what will happen: an attack after its defense, and each possible answer of the attacked."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.audience.changes import read_pending
from combat.display.forms import reaction_odds
from combat.display.forms.odds_panel import Counter
from combat.play.writing.encounter_service import Submission, answer, submit
from combat.rules import find_system
from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.basics.words import say_number
from combat.rules.core.odds.odds import find_prospects
from combat.rules.core.state.state import present
from tests.combat.cast import come
from tests.combat.display.mess_hall import throw_grenade
from tests.combat.markup import Page
from tests.combat.visit import Visit, begun, load, questions, read, roll_fives, state_of
from tests.typed import as_a, sure


def ids_of(pk: int) -> dict[str, str]:
    """The ids of the combatants by their names."""
    return {combatant.name: who for who, combatant in state_of(pk).combatants.items()}


def options(page: Page) -> dict[str, str]:
    """The answers on offer, and what each says: its price, the chance without it and with it."""
    prompt = page.one("section", id="prompt")
    tiles = page.all("label", inside=prompt, class_="tile-one")
    found = {page.one("input", inside=tile)["value"]: tile.text for tile in tiles}
    assert [button["value"] for button in page.all("button", inside=prompt, name="value")] == list(found)
    return found


def test_headline_says_what_is_left_of_an_attack_after_defense(gm: User, gm_client: Client) -> None:
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


def test_person_attacked_reads_the_chance_to_be_hit_per_answer(gm: User, gm_client: Client) -> None:
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
    assert found["none"] == "Let it through it hits"
    told = re.fullmatch(r"Dodge instead of 100% (\d+)% to be hit", found["dodge"])
    assert 0 < int(sure(told)[1]) < 100
    page = Visit(gm_client, pk).page()
    prompt = page.one("section", id="prompt")
    assert page.one(class_="threat").text == "Knuckles Attack · Club"
    assert "would hit" in prompt.text
    assert page.all(class_="sum-line", inside=prompt) == [], "their dice have fallen"
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
def test_gm_reads_the_odds_of_each_answer_while_someone_hides(
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
    assert found["none"] == "Let it through it hits"
    assert "% to be hit" in found["dodge"]


def shoot(gm: User, slug: str) -> tuple[int, str, str]:
    """The first of a fight shoots: the fight, whom they shoot at, and how that is said above the answers."""
    pk = begun(gm, slug).pk
    state = state_of(pk)
    actor = state[state.active]
    target = next(each for each in state.combatants.values() if each.side != actor.side)
    weapon = next(item for item in actor.items if item.place == "held")
    submit(pk, Submission("attack", {"actor": actor.id, "target": target.id, "weapon": weapon.id}))
    return pk, target.id, f"{actor.name} Attack · {weapon.name}"


@pytest.mark.parametrize("slug", ["cepheus", "cepheus_quick"])
def test_each_answer_has_its_odds_before_the_attack_roll_too(gm: User, gm_client: Client, slug: str) -> None:
    """An attack at +2 hits on 6 of two dice, 72%; against a dodge behind cover on 8, 42%."""
    pk, target, deed = shoot(gm, slug)
    page = Visit(gm_client, pk).page()
    now = state_of(pk)[target].initiative or 0
    price = f"your Initiative {say_number(now)} → {say_number(now - 2)}"
    assert options(page) == {
        "none": "No reaction 72% to be hit",
        "dodge": f"Dodge: −2 to the shot {price} instead of 72% 42% to be hit",
    }
    assert page.one(class_="threat").text == deed


def test_each_answer_has_a_large_chance_losses_and_its_button(gm: User, gm_client: Client) -> None:
    """And what the attacker adds up is a line; nobody else reads any of it."""
    pk, _, _ = shoot(gm, "cepheus")
    page = Visit(gm_client, pk).page()
    prompt = page.one("section", id="prompt")
    cards = page.all("section", inside=prompt, class_="odds")
    assert [card["aria-label"] for card in cards] == ["No reaction", "Dodge: −2 to the shot"]
    assert [page.one(class_="big", inside=card).text for card in cards] == ["72%", "instead of 72% 42%"]
    bars = [page.one("svg", inside=card)["aria-label"] for card in cards]
    assert all(re.match(r"0: \d+ percent; 1: ", words) for words in bars)
    assert bars[0] != bars[1]
    buttons = page.all("button", inside=prompt, name="value")
    assert [button.text for button in buttons] == ["No reaction · 72%", "Dodge: −2 to the shot · 42%"]
    (sums,) = page.all("summary", inside=page.one(id="odds-why"))
    assert re.fullmatch(r"2d6( [+−]\d [\w ]+)+ Why", sums.text)
    bystander = come(load(pk), "play", "Pia", next(one.id for one in present(state_of(pk)) if one.pc))
    seen = read(bystander.get(f"/encounters/{pk}/"))
    assert (seen.all(class_="answers"), seen.all(class_="sum-line")) == ([], [])


def test_answers_to_an_explosion_say_what_is_lost_on_average(
    gm: User, gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The landing place is known. Of 5D6 a dodge takes a die off, diving half, then armor 5 counts."""
    monkeypatch.setattr(reaction_odds, "COUNTER", Counter(seconds=60))  # however busy the machine is
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
    tiles = options(Visit(gm_client, pk).page())
    for value, average in lost.items():
        assert tiles[value].endswith(f"{average:.1f} lost on average")
