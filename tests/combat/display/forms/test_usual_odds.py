"""The chance on the tile of a usual attack, and the one filled button beside it."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.display.forms import usual_odds
from combat.display.forms.usual_odds import find_chance, find_usual
from combat.pages.table.action_groups import view_offer
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from tests.combat.markup import Element, Page
from tests.combat.rules.games import GAMES as ALL
from tests.combat.rules.games import demo_moments, every_demo
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, Visit, demo_fight, play, read, state_of

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
    """The same chance as the odds panel of its form, after a defense if there may be one."""
    pk = demo_fight(gm, slug).pk
    play(pk, find_system(slug).demo.make_first().script[:steps])
    page = read(gm_client.get(f"/encounters/{pk}/"))
    tile = page.one("a", id="act-attack")
    (told,) = [small.text for small in page.all("small", class_="action-odds", inside=tile)]
    name, chance = re.fullmatch(r"(.+?) ([\d.]+)%", told).groups()  # type: ignore[union-attr]
    form = read(gm_client.get(f"/encounters/{pk}/?do=attack"))
    (headline,) = form.all("p", class_="odds-main")
    *before, shown = form.all("span", class_="big", inside=headline)
    assert shown.text == f"{chance}%"
    assert bool(before) == (slug == "guardians")
    assert name in form.one("select", name="target").text


def test_chance_that_takes_too_long_is_left_out(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    system, state = find_system("cosmos"), state_of(visit.pk)
    usual = find_usual(system, state, ZARA, "attack")
    assert usual is not None
    assert find_chance(system, state, usual) == ("Pirate", "97")
    monkeypatch.setattr(usual_odds, "MAX_LOOKS", 0)
    assert find_chance(system, state, usual) == ("", "")


def test_attack_that_cannot_hit_says_so_and_the_next_action_is_filled(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usual_odds, "find_chance", lambda *_: ("Pirate", "0"))
    page = visit.page()
    assert "Cannot hit Pirate" in page.one("a", id="act-attack").text
    (first,) = filled(page)
    assert not first.startswith("Attack")
    assert page.one("a", class_="action-first")["data-focus-key"] == "a"


def test_attack_on_allies_alone_is_not_the_thing_to_do(gm: User, gm_client: Client) -> None:
    """With a cutlass only the crew is in reach; the next action is filled."""
    pk = demo_fight(gm, "cepheus").pk
    play(pk, find_system("cepheus").demo.make_first().script[:6])
    page = read(gm_client.get(f"/encounters/{pk}/"))
    assert "Cannot hit any enemy" in page.one("a", id="act-attack").text
    (first,) = filled(page)
    assert not first.startswith("Attack")


def test_attack_names_the_next_targets_with_their_own_chances(visit: Visit) -> None:
    """Each leads to the form for that target, which says the same chance."""
    side = state_of(visit.pk)[PIRATE].side
    for name in ("Corsair", "Raider", "Boss"):
        submit(visit.pk, Submission("join", {"block": "pirate_example", "name": name, "side": side}, by="gm"))
    page = visit.page()
    links = page.all("a", inside=page.one("ul", class_="others"))
    assert [re.sub(r"[\d.]+%", "", link.text).strip() for link in links] == ["Corsair", "Raider"]
    for link in links:
        query = dict(parse_qsl(link["href"].removeprefix("?")))
        form = visit.page(**query)
        (headline,) = [p.text for p in form.all("p", class_="odds-main")]
        assert headline.startswith(link.text.rsplit(" ", 1)[-1])
        select = form.one("select", name="target")
        assert "selected" in form.one("option", value=query["target"], inside=select).attrs


def test_first_aid_says_whom_it_helps_and_how_likely(visit: Visit) -> None:
    """Marcus is hurt more, but out of reach."""
    for who, by in ((ZARA, -30), (MARCUS, -60)):
        submit(visit.pk, Submission("adjust", {"target": who, "track": "hp", "by": by}, by="gm"))
    tile = visit.page().one("a", id="act-first_aid")
    found = re.search(r"Zara ([\d.]+%)", tile.text)
    assert found
    query = dict(parse_qsl(tile["href"].removeprefix("?")))
    assert query["target"] == ZARA
    (headline,) = [p.text for p in visit.page(**query).all("p", class_="odds-main")]
    assert headline.startswith(found[1])


def test_first_aid_is_for_the_dying_and_never_for_the_unhurt(visit: Visit) -> None:
    submit(visit.pk, Submission("place", {"target": MARCUS, "x": 4, "y": 4}, by="gm"))
    page = visit.page(do="first_aid")
    assert "Zara needs no first aid." in page.one(id="problem").text
    submit(visit.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "to": -1}, by="gm"))
    select = visit.page(do="first_aid").one("select", name="target")
    assert "selected" in visit.page(do="first_aid").one("option", value=MARCUS).attrs, select.text


def test_help_for_a_dying_friend_comes_first(visit: Visit) -> None:
    """After a move if they are too far away, which the form then begins with; else at once."""
    submit(visit.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "to": -1}, by="gm"))
    page = visit.page()
    first = page.one("a", class_="action-first")
    found = re.fullmatch(r"Help Marcus 1 move, then first aid (\d+)%", first.text)
    assert found, first.text
    form = visit.page(**dict(parse_qsl(first["href"].removeprefix("?"))))
    assert "selected" in form.one("option", value=f"near:{MARCUS}").attrs
    assert len(form.all("form", class_="action-form")) == 1
    visit.do("move", combatant=ZARA, to=f"near:{MARCUS}", dice="app")
    first = visit.page().one("a", class_="action-first")
    assert first["id"] == "act-first_aid"
    assert first.text.startswith(f"First aid 1 Marcus {found[1]}%")


def test_no_help_is_promised_that_cannot_come(visit: Visit) -> None:
    submit(visit.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "to": -1}, by="gm"))
    submit(visit.pk, Submission("place", {"target": MARCUS, "x": 30, "y": 12}, by="gm"))
    assert not visit.page().all(id="act-help")


@pytest.mark.parametrize(("steps", "first"), [(1, "Attack"), (3, "Drive")])
def test_first_tile_of_a_driver_is_to_drive(gm: User, gm_client: Client, steps: int, first: str) -> None:
    fight = demo_fight(gm, "cepheus", 1)
    play(fight.pk, find_system("cepheus").demo.make_all()[1].script[:steps])
    page = read(gm_client.get(f"/encounters/{fight.pk}/"))
    assert page.one("a", class_="action-first").text.startswith(first)


def test_roll_without_a_chance_is_not_the_thing_to_do(gm: User, gm_client: Client) -> None:
    pk = demo_fight(gm, "cepheus", 1).pk
    play(pk, find_system("cepheus").demo.make_all()[1].script[:7])
    form = read(gm_client.get(f"/encounters/{pk}/?do=attack"))
    assert form.one("p", class_="odds-main").text.startswith("0%")
    assert form.one("button", id="roll-app")["class"] == "btn btn-large"


@every_demo
def test_what_leads_to_nothing_is_not_among_the_usual(slug: str, number: int) -> None:
    """Neither aid that helps nobody, nor an attack that reaches no enemy, nor putting something away."""
    system, left_out = ALL[slug], set()
    for state in [moment.after for moment in demo_moments(slug, number)]:
        if state.phase != "fight" or state.active not in state.combatants:
            continue
        offer = view_offer(system, state, state[state.active], {}, None)
        usual = {one.name: one for one in offer.usual}
        assert usual.keys().isdisjoint({"put_away", "drop"})
        assert all(one.chance not in ("", "0") for one in usual.values() if one.look == "aid")
        assert all(one.target != "any enemy" for one in usual.values())
        left_out |= {one.look for group in offer.groups for one in group.actions if one.chance == "0"}
    assert slug != "cepheus" or number or left_out >= {"aid", "attack"}


def test_attack_out_of_reach_is_not_among_the_usual(visit: Visit) -> None:
    """The pirate has a sword in hand, and nobody within its reach: they charge or move first."""
    submit(visit.pk, Submission("next_turn", by="gm"))
    state = state_of(visit.pk)
    assert state.active == PIRATE
    usual = [one.name for one in view_offer(find_system("cosmos"), state, state[PIRATE], {}, None).usual]
    assert "attack" not in usual
    assert {"charge", "move"} <= set(usual)


def test_one_button_is_filled_the_next_thing_to_do(visit: Visit) -> None:
    (first,) = filled(visit.page())
    assert first.startswith("Attack")
    (roll,) = filled(visit.page(do="attack"))
    assert roll.startswith("Roll")
    submit(visit.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, faces=(1, 2)))
    assert len(filled(visit.page())) == 1
    for pool in find_system("cosmos").turn.pools:
        submit(visit.pk, Submission("give_budget", {"target": ZARA, "pool": pool.key, "left": 0}, by="gm"))
    assert filled(visit.page()) == ["Next turn n"], "nothing is left"
