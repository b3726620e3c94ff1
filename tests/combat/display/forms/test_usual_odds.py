"""The chance on the tile of a usual attack, and the one filled button beside it."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.display.forms import usual_odds
from combat.display.forms.usual_odds import find_chance
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from tests.combat.desk import DEMO, PIRATE, PISTOL, ZARA, Desk, demo_fight, play, read, state_of
from tests.combat.markup import Element, Page

GAMES = {"cosmos": 1, "starshock": 2, "cepheus": 1, "guardians": 1}  # steps until an attack is possible


def is_folded(one: Element) -> bool:
    """Whether it lies in something closed."""
    return any(parent.tag == "details" and "open" not in parent.attrs for parent in one.parents)


def filled(page: Page) -> list[str]:
    """The words of the filled buttons in sight."""
    turn = page.one("section", id="turn")
    found = [*page.all(inside=turn, class_="btn-primary"), *page.all("a", class_="action-first")]
    return [one.text for one in found if "disabled" not in one.attrs and not is_folded(one)]


@pytest.mark.parametrize(("slug", "steps"), GAMES.items())
def test_usual_attack_says_whom_it_hits_and_how_likely(
    gm: User, gm_client: Client, slug: str, steps: int
) -> None:
    """The same chance as the odds panel of its form."""
    pk = demo_fight(gm, slug).pk
    play(pk, find_system(slug).demo.make_first().script[:steps])
    page = read(gm_client.get(f"/encounters/{pk}/"))
    (told,) = [small.text for small in page.all("small", class_="action-odds")]
    name, chance = re.fullmatch(r"(.+) · ([\d.]+)%", told).groups()  # type: ignore[union-attr]
    form = read(gm_client.get(f"/encounters/{pk}/?do=attack"))
    (headline,) = [p.text for p in form.all("p", class_="odds-main")]
    assert headline.startswith(f"{chance}%")
    assert name in form.one("select", name="target").text


def test_chance_that_takes_too_long_is_left_out(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    system, state = find_system("cosmos"), state_of(desk.pk)
    assert find_chance(system, state, ZARA, "attack") == ("Pirate", "97")
    monkeypatch.setattr(usual_odds, "MAX_LOOKS", 0)
    assert find_chance(system, state, ZARA, "attack") == ("", "")


def test_attack_that_cannot_hit_says_so_and_is_not_filled(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usual_odds, "find_chance", lambda *_: ("Pirate", "0"))
    page = desk.page()
    assert "Cannot hit Pirate" in page.one("a", id="act-attack").text
    assert filled(page) == []


def test_one_button_is_filled_the_next_thing_to_do(desk: Desk) -> None:
    (first,) = filled(desk.page())
    assert first.startswith("Attack")
    (roll,) = filled(desk.page(do="attack"))
    assert roll.startswith("Roll")
    submit(desk.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, faces=(1, 2)))
    assert len(filled(desk.page())) == 1
    for pool in find_system("cosmos").turn.pools:
        submit(desk.pk, Submission("give_budget", {"target": ZARA, "pool": pool.key, "left": 0}, by="gm"))
    assert filled(desk.page()) == ["Next turn n"], "nothing is left"


def test_end_of_a_fight_is_the_thing_to_do_once_one_side_is_out(gm: User, gm_client: Client) -> None:
    pk = demo_fight(gm).pk
    play(pk, DEMO.script[:-1])
    assert filled(Desk(gm_client, pk).page()) == ["End fight"]
