"""Pinned actions lead their owner's list, in every fight of that game."""

from __future__ import annotations

from django.test import Client

from combat.models import Encounter
from combat.pages.table.action_groups import MAX_USUAL
from combat.play.demo import make_demo_fight
from combat.rules import find_system
from combat.sharing.pens import MAX_PINS, change_pins
from tests.combat.cast import Cast
from tests.combat.visit import SLUG, ZARA, Visit, play, read
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
