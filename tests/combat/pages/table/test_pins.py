"""Pinned actions lead their owner's list, in every fight of that game."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from combat.models import Campaign, Encounter, Seat, ShareLink
from combat.pages.table.action_groups import MAX_USUAL
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.state.state import present
from combat.sharing.pens import MAX_PINS, change_pins
from tests.combat.cast import Cast
from tests.combat.evenings import make_hero, prepare
from tests.combat.visit import SLUG, ZARA, Visit, load, play, read, state_of
from tests.typed import Answer


def usual_of(client: Client, pk: int) -> list[str]:
    page = read(client.get(f"/encounters/{pk}/", {"combatant": ZARA}))
    groups = page.all("section", class_="usual")
    return [link["id"].removeprefix("act-") for link in page.all("a", inside=groups[0], class_="action")]


def pin(client: Client, pk: int, name: str, do: str = "pin") -> Answer:
    return client.post(f"/encounters/{pk}/pin/", {"do": do, "action": name, "combatant": ZARA})


def test_pinned_actions_stand_first_until_they_are_unpinned(visit: Visit) -> None:
    before = usual_of(visit.client, visit.pk)
    assert "overwatch" not in before
    answer = pin(visit.client, visit.pk, "overwatch")
    assert (answer.status_code, answer["Location"]) == (303, f"/encounters/{visit.pk}/?combatant={ZARA}")
    assert usual_of(visit.client, visit.pk)[0] == "overwatch"
    assert len(usual_of(visit.client, visit.pk)) == MAX_USUAL
    page = visit.page(do="overwatch", combatant=ZARA)
    assert page.one("button", name="do", value="unpin").text == "Unpin"
    pin(visit.client, visit.pk, "overwatch", "unpin")
    assert usual_of(visit.client, visit.pk) == before


def test_pins_go_along_to_other_fights_and_are_nobody_elses(cast: Cast, started: Encounter) -> None:
    pin(cast.gm, started.pk, "overwatch")
    other = make_demo_fight(started.owner, SLUG)
    play(other.pk, find_system(SLUG).demo.make_first().script[:1])
    page = read(cast.gm.get(f"/encounters/{other.pk}/", {"combatant": ZARA, "do": "overwatch"}))
    assert page.all("button", name="do", value="unpin")
    assert "overwatch" not in usual_of(cast.player, started.pk)


def test_what_cannot_be_pinned_is_refused_with_a_reason(visit: Visit) -> None:
    for name in ("pass_time", "cake", ""):
        pin(visit.client, visit.pk, name)
        page = read(visit.client.get(visit.here))
        assert "alert-warning" in page.all("p", class_="alert")[0]["class"]
    for name in ("attack", "grapple", "trip", "disarm", "move", "reload", "draw", "skill", "rally"):
        pin(visit.client, visit.pk, name)
    assert f"{MAX_PINS} actions are pinned" in visit.client.get(visit.here).text


def test_a_cookie_of_nonsense_pins_nothing(visit: Visit) -> None:
    before = usual_of(visit.client, visit.pk)
    visit.client.cookies[f"pins-{SLUG}"] = "cake..<script>.attack/../x"
    assert usual_of(visit.client, visit.pk) == before


def test_pins_change_one_at_a_time() -> None:
    assert change_pins(("attack",), SLUG, "move", True) == ("attack", "move")
    assert change_pins(("attack",), SLUG, "attack", True) == ("attack",)
    assert change_pins(("attack",), SLUG, "attack", False) == ()


def test_a_message_stands_below_the_bar_and_moves_nothing_of_it(visit: Visit) -> None:
    pin(visit.client, visit.pk, "cake")
    shown = visit.client.get(visit.here).text
    assert shown.index('id="table-bar"') < shown.index("has no action") < shown.index('class="columns"')
    assert shown.count('id="messages"') == 1


# ---------------------------------------------------------------- the row of a sheet


def own_fight(campaign: Campaign, player: User) -> tuple[Encounter, Character, str, Client]:
    """A fight with a player's own character, on their turn; the character, its combatant, their browser."""
    gm = campaign.owner
    hero = make_hero(gm, "Vega")
    fight = prepare(campaign, "Yard", [hero], 1)
    who = next(one.id for one in present(state_of(fight.pk)) if one.pc)
    Character.objects.filter(pk=hero.pk).update(owner=player)
    seat = Seat.objects.create(
        encounter=fight, user=player, name="nia", kind=ShareLink.PLAY, digest="s" * 64, combatants=[who]
    )
    assert seat.pk
    Encounter.objects.filter(pk=fight.pk).update(closed=False)
    submit(fight.pk, Submission("start", {}))
    while state_of(fight.pk).active != who:
        submit(fight.pk, Submission("next_turn", {}))
    client = Client()
    client.force_login(player)
    return load(fight.pk), hero, who, client


def row_of(client: Client, pk: int, who: str) -> list[str]:
    page = read(client.get(f"/encounters/{pk}/", {"combatant": who}))
    usual = page.all("section", class_="usual")[0]
    tiles = [*page.all("a", inside=usual, class_="action"), *page.all("div", inside=usual, class_="action")]
    return [one["id"].removeprefix("act-") for one in sorted(tiles, key=lambda one: one.number)]


def change(client: Client, pk: int, who: str, do: str, *names: str) -> Answer:
    return client.post(f"/encounters/{pk}/pin/", {"do": do, "action": names, "combatant": who})


def test_the_row_of_a_sheet_keeps_its_order_and_comes_along(campaign: Campaign) -> None:
    player = User.objects.create_user("nia")
    fight, hero, who, client = own_fight(campaign, player)
    names = ["move", "pass_item", "attack", "draw", "drop"]
    change(client, fight.pk, who, "keep", *names)
    hero.refresh_from_db()
    assert hero.bar == names
    assert row_of(client, fight.pk, who)[:5] == names
    change(client, fight.pk, who, "first:draw")
    change(client, fight.pk, who, "earlier:attack")
    change(client, fight.pk, who, "unpin:move")
    hero.refresh_from_db()
    assert hero.bar == ["draw", "attack", "pass_item", "drop"]
    Character.objects.filter(pk=hero.pk).update(owner=campaign.owner)
    other = prepare(campaign, "Docks", [hero], 1)
    mine = next(one.id for one in present(state_of(other.pk)) if one.pc)
    submit(other.pk, Submission("start", {}))
    gm = Client()
    gm.force_login(campaign.owner)
    while state_of(other.pk).active != mine:
        submit(other.pk, Submission("next_turn", {}))
    assert row_of(gm, other.pk, mine)[:4] == ["draw", "attack", "pass_item", "drop"]
    change(client, fight.pk, who, "reset")
    hero.refresh_from_db()
    assert hero.bar == ["draw", "attack", "pass_item", "drop"]  # it is no longer theirs


def test_what_cannot_be_now_keeps_its_place_with_its_reason(campaign: Campaign) -> None:
    fight, _, who, client = own_fight(campaign, User.objects.create_user("nia"))
    change(client, fight.pk, who, "keep", "reload", "attack", "pass_item")
    assert row_of(client, fight.pk, who)[:3] == ["reload", "attack", "pass_item"]
    page = read(client.get(f"/encounters/{fight.pk}/", {"combatant": who}))
    shut = next(one for one in page.all("div", class_="action-kept") if one["id"] == "act-pass_item")
    assert "Nobody of your side is here." in shut.text
    assert not page.all("a", id="act-pass_item")


def test_nobody_else_changes_or_reads_the_row(campaign: Campaign) -> None:
    fight, hero, who, client = own_fight(campaign, User.objects.create_user("nia"))
    change(client, fight.pk, who, "keep", "move", "attack")
    gm, stranger = Client(), Client()
    gm.force_login(campaign.owner)
    stranger.force_login(User.objects.create_user("stranger"))
    assert change(gm, fight.pk, who, "reset").status_code == 303  # their own pins, in their browser
    assert change(stranger, fight.pk, who, "reset").status_code == 404
    hero.refresh_from_db()
    assert hero.bar == ["move", "attack"]
    assert "data-bar" not in gm.get(f"/encounters/{fight.pk}/", {"combatant": who}).text


@pytest.mark.parametrize(
    "sent", [("keep", "cake"), ("first:attack",), ("turn",), ("pin", "pass_time"), ("",)]
)
def test_nonsense_changes_no_row(campaign: Campaign, sent: tuple[str, ...]) -> None:
    fight, hero, who, client = own_fight(campaign, User.objects.create_user("nia"))
    change(client, fight.pk, who, *sent)
    hero.refresh_from_db()
    assert hero.bar == []
