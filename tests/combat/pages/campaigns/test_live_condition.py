"""The form of a condition of the GM's own shows what it makes while it is typed."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from msgspec.structs import replace

from combat.pages.campaigns.example_odds import view_effects
from combat.play.campaigns.campaigns import create_campaign
from combat.play.campaigns.own_conditions import find_kept_conditions
from combat.rules import find_system
from combat.rules.core.state.state import OwnCondition
from tests.combat.markup import Page
from tests.combat.visit import SLUG


@pytest.fixture
def here(gm: User) -> str:
    return f"/campaigns/{create_campaign(gm, 'The long haul').pk}/conditions/{SLUG}/"


def show(client: Client, here: str, do: str = "do", value: str = "show", **typed: object) -> Page:
    answer = client.post(here, {"name": "Star-sick", "sign": "mind", "turns": "3", **typed, do: value})
    assert answer.status_code == 200
    return Page(answer.content.decode())


def test_what_it_does_comes_before_how_it_looks(gm_client: Client, here: str) -> None:
    """The signs lie in a fold below the name, the changes, the time and the note."""
    html = gm_client.get(here).content.decode()
    places = [html.index(f'id="own-{name}') for name in ("name", "points-1", "turns", "note", "sign-")]
    assert places == sorted(places)
    page = Page(html)
    assert page.one("fieldset", class_="own-signs").is_in(page.one("details", class_="own-look"))


def test_chip_and_sentence_follow(gm_client: Client, here: str) -> None:
    card = show(gm_client, here, change=["attack"], points=["-2"]).one(id="own-live").text
    assert "Star-sick" in card
    assert "3 turns" in card
    assert "\u22122 Attack." in card
    assert "attacks" in card.partition("What it does")[2]
    assert "Take" not in card


@pytest.mark.parametrize(
    ("slug", "number", "with_it", "against_it"),
    [
        ("cosmos", "attack", -1, 0),
        ("cosmos", "defense", 0, 1),
        ("starshock", "checks", -1, 0),
        ("guardians", "defense", 0, 1),
        ("cepheus", "checks", -1, 0),
        ("cepheus", "initiative", 0, 0),
    ],
)
def test_card_tells_what_it_does_to_the_odds_of_an_attack(
    slug: str, number: str, with_it: int, against_it: int
) -> None:
    """By the rules' own odds: once the attacker has it, once the target has it."""
    own = OwnCondition("", "Star-sick", changes={number: -2})
    found = {one.words.endswith("who has it"): one for one in view_effects(find_system(slug), own)}
    assert set(found) == {bool(against_it)}
    for one in found.values():
        changed = float(one.after) - float(one.before)
        assert changed * (with_it or against_it) > 0 or (changed == 0 and not with_it and not against_it)


def test_game_without_such_an_attack_shows_none() -> None:
    own = OwnCondition("", "Star-sick", changes={"attack": -2})
    system = find_system("tiny")
    assert view_effects(system, own)
    assert view_effects(replace(system, actions=replace(system.actions, attack="")), own) == ()


@pytest.mark.parametrize(
    ("slug", "effect", "after"),
    [
        ("cosmos", "no_standard", "cannot"),
        ("starshock", "no_actions", "cannot"),
        ("cosmos", "no_sight", ""),
        ("cosmos", "no_movement", ""),
        ("cepheus", "no_minor", ""),
    ],
)
def test_card_tells_what_an_effect_does_to_an_attack(slug: str, effect: str, after: str) -> None:
    """Nobody attacks who begins the turn without the actions for it; what leaves an attack alone says so."""
    own = OwnCondition("", "Star-sick", effects=(effect,))
    (found,) = view_effects(find_system(slug), own)
    assert found.after == (after or found.before)
    assert not found.words.endswith("who has it")


def test_card_says_that_an_attack_stays_as_it_is(gm_client: Client, here: str) -> None:
    assert "% as before" in show(gm_client, here, effects=["no_sight"]).one(id="own-live").text
    stopped = show(gm_client, here, effects=["no_standard"]).one(id="own-live").text
    assert "to cannot" in stopped
    assert "as before" not in stopped


@pytest.mark.parametrize(
    ("typed", "take"),
    [
        ({"change": ["attack"], "points": ["-12"]}, "points.1=-10"),
        ({"change": ["attack", "defense"], "points": ["1", "x"]}, "points.2=-2"),
        ({"turns": "-1"}, "turns=0"),
        ({"turns": "many"}, "turns=0"),
        ({"name": "Prone"}, "name=Prone (ours)"),
    ],
)
def test_error_stands_at_its_field_and_one_tap_corrects_it(
    gm: User, gm_client: Client, here: str, typed: dict[str, str], take: str
) -> None:
    page = show(gm_client, here, **typed)
    assert take in [button["value"] for button in page.all("button", name="take")]
    taken = show(gm_client, here, do="take", value=take, **typed)
    assert not taken.all("button", name="take")
    campaign = gm.campaigns.get()
    assert not find_kept_conditions(campaign, SLUG)


def test_lines_without_points_are_fine_if_each_number_has_a_line(gm_client: Client, here: str) -> None:
    typed: dict[str, Any] = {"change": ["attack", "defense"], "points": ["", "2"]}
    assert show(gm_client, here, **typed).all("button", name="take")
    page = show(gm_client, here, each="yes", **typed)
    assert not page.all("button", name="take")
    assert "+2 Defense" in page.one(id="own-live").text


def test_strangers_see_no_form(cast: dict[str, Client], here: str) -> None:
    assert cast["stranger"].post(here, {"do": "show", "name": "x"}).status_code == 404
