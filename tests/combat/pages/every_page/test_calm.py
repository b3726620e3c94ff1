"""The normal is silent: lists of several games have one accent, cards no dates; figures have room."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser

from characters.creation.creation_view import find_ready, make_ready_sheet
from characters.services.character_service import create
from combat.models import Encounter
from combat.play.campaigns.campaigns import create_campaign, move_encounter
from combat.play.demo import make_demo_fight
from combat.rules import SYSTEMS, find_system
from tests.combat.visit import read

LISTS = ("/characters/", "/encounters/", "/encounters/?look=pictures", "/campaigns/", "/packs/")


def test_lists_of_several_games_have_one_accent_and_no_dates(gm: User, gm_client: Client) -> None:
    """A game's own hue is on its emblem, name and picture: nothing to press, but the one fight that runs."""
    for slug in SYSTEMS:
        system = find_system(slug)
        if ready := find_ready(system):
            create(gm, slug, f"Ana of {slug}", make_ready_sheet(system, ready[0].archetype))
        move_encounter(make_demo_fight(gm, slug).pk, create_campaign(gm, f"Evenings of {slug}"))
    colored = 0
    for address in LISTS:
        page = read(gm_client.get(address))
        rows = [
            one for one in page.all("li") if not any(around["class"] == "site-nav" for around in one.parents)
        ]
        hued = [one for one in page.all() if one.tag != "body" and "accent-" in one["class"]]
        for one in (one for one in hued if "go-on" not in one["class"]):
            colored += 1
            assert one.tag not in ("a", "button"), f"{address}: {one['class']}"
            assert not [*page.all("a", inside=one), *page.all("button", inside=one)], (
                f"{address}: {one['class']}"
            )
        assert all("Changed" not in row.text for row in rows), address
    assert colored > len(SYSTEMS)


# Pixels between the figures of rows and the edge of their list; and how many pools stand in rows out of turn
ROWS = """() => {
  const { right } = document.getElementById("combatants").getBoundingClientRect();
  const figures = [...document.querySelectorAll(".row .health .num")].filter((one) => one.checkVisibility());
  return [
    figures.map((one) => right - one.getBoundingClientRect().right),
    figures.filter((one) => one.scrollWidth > one.parentElement.clientWidth).length,
    document.querySelectorAll(".row:not([aria-current]) .pips").length,
  ];
}"""
LONG = "Raid at the docking bay of the wanderers between the stars"


@pytest.mark.slow
def test_figures_keep_their_distance_and_the_bar_is_one_line(
    visitor: Browser, address: str, started: Encounter
) -> None:
    """Health in the list at both widths, pips in one's own turn alone, and a long name in a phone's bar."""
    Encounter.objects.filter(pk=started.pk).update(name=LONG)
    for width, height in ((1440, 900), (390, 844)):
        visitor.set_viewport_size({"width": width, "height": height})
        visitor.goto(address)
        if width < 1000:
            bar = visitor.locator(".table-bar").bounding_box()
            assert bar
            assert bar["height"] < 64
            visitor.locator("label", has_text="Combatants").first.click()
        apart, cut, pools = visitor.evaluate(ROWS)
        assert len(apart) == 3
        assert min(apart) >= 8, width
        assert (cut, pools) == (0, 0)
