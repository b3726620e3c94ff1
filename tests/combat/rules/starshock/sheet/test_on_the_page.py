"""The table page of this game: the odds of maneuvers and of staying conscious, and suggestions."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.services.character_service import create
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.odds.odds import find_odds
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.demo import ENFORCER, REVOLVER, SMUGGLER, VEGA
from combat.rules.starshock.fight.aim import Attack
from tests.combat.markup import Page
from tests.combat.visit import Visit, play, read, state_of


@pytest.fixture
def visit(gm: User, gm_client: Client) -> Visit:
    """The GM at the demo fight, Vega's one action declared."""
    fight = make_demo_fight(gm, SYSTEM.slug)
    play(fight.pk, SYSTEM.demo.make_first().script[:2])
    return Visit(gm_client, fight.pk)


def odds_shown(page: Page) -> dict[str, str]:
    """The measures of the odds panel."""
    panel = page.one("dl", class_="odds-list")
    labels, values = page.all("dt", inside=panel), page.all("dd", inside=panel)
    return {label.text: value.text for label, value in zip(labels, values, strict=True)}


@pytest.mark.rule("SS-MANV-01", "SS-DMG-05", "SS-ATK-12")
def test_the_panel_shows_maneuvers_and_who_stays_conscious(visit: Visit) -> None:
    submit(visit.pk, Submission("adjust", {"target": ENFORCER, "track": "damage", "by": 6}))
    shown = odds_shown(visit.open_form("attack", VEGA)[0])
    command = Attack(actor=VEGA, target=ENFORCER, weapon=REVOLVER)
    odds = find_odds(SYSTEM, state_of(visit.pk), SYSTEM.action("attack"), command)
    for measure in odds.measures:
        if measure.kind in ("maneuvers", "stays conscious"):
            assert measure.label in shown
    for label in ("0 maneuvers (Enforcer)", "1 maneuver (Enforcer)", "Enforcer stays conscious"):
        chance = next(measure.chance for measure in odds.measures if measure.label == label)
        assert shown[label] == f"{100 * chance:.0f}%"
    assert "Enforcer takes damage" in visit.open_form("attack", VEGA)[0].one("section", class_="odds").text


def test_the_panel_follows_the_form(visit: Visit) -> None:
    fields = {"do": "attack", "combatant": VEGA, "weapon": REVOLVER}
    for target, name, other in ((ENFORCER, "Enforcer", "Smuggler"), (SMUGGLER, "Smuggler", "Enforcer")):
        shown = odds_shown(read(visit.get("odds/", **fields, target=target)))
        assert f"1 maneuver ({name})" in shown
        assert f"0 maneuvers ({other})" not in shown, "the first shot is not at the other"


def test_what_would_help_is_a_link_to_its_form(visit: Visit) -> None:
    submit(visit.pk, Submission("give_budget", {"target": VEGA, "pool": "actions", "left": 2}))
    submit(visit.pk, Submission("give_condition", {"target": VEGA, "kind": "prone"}))
    page, _ = visit.open_form("attack", VEGA)
    suggestions = {
        link.text: link["href"] for link in page.all("a", inside=page.one("section", class_="helps"))
    }
    assert suggestions["Stand up first"] == f"?combatant={VEGA}&do=stand_up"


def test_the_sheet_counts_damage_up(gm: User, gm_client: Client) -> None:
    made = create(gm, SYSTEM.slug, "Imani", {"attributes": {"str": 1, "dex": 2, "int": 3, "prs": 1}})
    here = f"/characters/{made.pk}/"
    said = [
        gm_client.get(f"{here}reading/", {"track": track, "points": "+2"}).content.decode()
        for track in ("damage", "luck")
    ]
    assert said == ["Adds 2: damage 0 → 2, Hurt", "Gains 2: luck 0 → 2"]
    assert read(gm_client.get(here)).one("p", id="reads-damage").text.startswith("−8 is less, +8 more")


def test_backgrounds_say_what_they_bring(gm_client: Client) -> None:
    page = read(gm_client.get("/characters/new/", {"game": SYSTEM.slug, "at": "body"}))
    tiles = [tile.text for tile in page.all("label", class_="tile")]
    assert len(tiles) > 5
    assert not [tile for tile in tiles if "no changes" in tile]


@pytest.mark.rule("SS-INIT-11")
def test_form_that_begins_the_fight_asks_for_ambush_and_surprise(gm: User, gm_client: Client) -> None:
    visit = Visit(gm_client, make_demo_fight(gm, SYSTEM.slug).pk)
    page = visit.page()
    form = next(form for form in page.all("form") if page.fields(form).get("do") == SYSTEM.actions.start)
    offered = {field["name"] for field in page.all(inside=form) if field["name"]}
    assert {"adjust", "ambushers", "surprised", "skill"} <= offered
    visit.do(SYSTEM.actions.start, adjust="2", ambushers=[VEGA], surprised=["f2"], dice="app")
    log = visit.page().one(id="log").text
    for words in ("In ambush", "Surprised", "GM"):
        assert words in log


@pytest.mark.rule("SS-DMG-01", "SS-DMG-03")
def test_the_sheet_says_how_much_damage_of_how_much(gm: User, gm_client: Client) -> None:
    made = create(gm, SYSTEM.slug, "Imani", {"attributes": {"str": 1, "dex": 2, "int": 3, "prs": 1}})
    for damage, left in ((0, "100"), (3, "77")):
        page = read(gm_client.get(f"/characters/{made.pk}/"))
        health = page.one("div", id="health")
        assert health.text.endswith(f"{damage} of 13 damage")
        assert [bar["width"] for bar in page.all("rect", inside=health)] == [left]
        form = page.all("form", class_="change")[0]
        posted = {**page.fields(form), "points": "+3", "how": "typed"}
        gm_client.post(f"/characters/{made.pk}/", posted)
