"""The house rules of a campaign: rows with chips, the book's way, and what a rule does by exact odds."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from combat.display.forms.odds_panel import BUSY, COUNTER
from combat.models import Campaign
from combat.pages.prep.rule_effects import find_effects
from combat.play.campaigns.campaigns import create_campaign, set_rules
from combat.rules import find_system
from tests.combat.cast import Cast
from tests.combat.markup import Page
from tests.combat.rules.games import ARMED
from tests.combat.visit import Visit, read


def make_rules(gm: User) -> tuple[Campaign, str]:
    campaign = create_campaign(gm, "The long haul")
    return campaign, f"/campaigns/{campaign.pk}/rules/cosmos/"


def chips(page: Page, key: str) -> dict[str, bool]:
    """The chips of a rule, and which is chosen."""
    return {
        one["value"]: "checked" in one.attrs for one in page.all("input", name=f"option-{key}", type="radio")
    }


def test_a_rule_is_a_row_of_chips_with_the_books_way(cast: Cast, gm: User) -> None:
    campaign, address = make_rules(gm)
    page = read(cast.gm.get(address))
    assert chips(page, "max_attacks") == {"1": False, "2": False, "3": True}
    assert chips(page, "range_bands") == {"True": True, "False": False}
    assert not page.all("span", class_="chip")
    radios = page.all("input", type="radio")
    posted = {one["name"]: one["value"] for one in radios if "checked" in one.attrs}
    posted |= {"option-max_attacks": "2", "option-range_bands": "False"}
    assert cast.gm.post(address, posted).status_code == 303
    page = read(cast.gm.get(address))
    assert chips(page, "max_attacks") == {"1": False, "2": True, "3": False}
    assert chips(page, "range_bands") == {"True": False, "False": True}
    assert "The book: 3." in page.one("fieldset", id="rule-max_attacks").text
    assert page.one("span", class_="chip").text == "changed: 2"
    campaign.refresh_from_db()
    assert campaign.options["cosmos"] == {"max_attacks": 2, "range_bands": False}


def test_what_is_changed_stands_first(cast: Cast, gm: User) -> None:
    campaign, address = make_rules(gm)
    page = read(cast.gm.get(address))
    assert page.all("h2")[0].text.startswith("Turns")
    assert not page.all("div", id="rows-changed")
    set_rules(campaign, "cosmos", [("max_attacks", 2), ("foe_health", "bar")])
    page = read(cast.gm.get(address))
    assert page.all("h2")[0].text == "Changed 2 of your own"
    first = page.all("fieldset", inside=page.one("div", id="rows-changed"))
    assert [one["id"] for one in first] == ["rule-max_attacks", "rule-foe_health"]
    assert "Usual: " in first[1].text
    assert "1 changed" in page.one("h2", id="h-attacks").text
    everyone = [one["id"] for one in page.all("fieldset")]
    assert len(everyone) == len(set(everyone)) == len(find_system("cosmos").book.all_options)


def test_a_value_that_no_rule_has_changes_nothing_and_is_told(cast: Cast, gm: User) -> None:
    campaign, address = make_rules(gm)
    answer = cast.gm.post(address, {"option-max_attacks": "9"})
    assert answer.status_code == 422
    assert "choose 1, 2, 3" in read(answer).one("fieldset", id="rule-max_attacks").text
    campaign.refresh_from_db()
    assert not campaign.options


def test_what_a_rule_does_is_told_before_it_is_saved(cast: Cast, gm: User) -> None:
    """Half of the skill in the damage of every attack: the same chance, other damage."""
    _, address = make_rules(gm)
    asked = {"does": "combat_damage"}
    answer = cast.gm.get(address, asked, headers={"HX-Request": "true"})
    assert b"<html" not in answer.content
    table = read(answer).all("table")[0]
    assert table.page.one("caption", inside=table).text == "Attack: Zara against Pirate"
    rows = [row.text for row in table.page.all("tr", inside=table)][1:]
    assert rows[0].startswith("full in melee, now 97% 4.4")
    assert rows[2].startswith("half in every attack 97% 6.3")
    whole = read(cast.gm.get(address, asked))
    assert table.text in whole.one("div", id="does-combat_damage").text
    odd = cast.gm.get(address, {"does": "nothing"}, headers={"HX-Request": "true"})
    assert odd.status_code == 200


def test_other_house_rules_of_the_campaign_count(cast: Cast, gm: User) -> None:
    campaign, address = make_rules(gm)
    set_rules(campaign, "cosmos", [("combat_damage", "all_half")])
    answer = cast.gm.get(address, {"does": "initiative_each"}, headers={"HX-Request": "true"})
    assert "97% 6.3" in " ".join(table.text for table in read(answer).all("table"))


@pytest.mark.parametrize("slug", ARMED)
def test_every_game_has_two_attacks_to_show(slug: str) -> None:
    """Also for a rule that leaves them as they are."""
    system = find_system(slug)
    effects = find_effects(system, {}, system.book.options[-1])
    assert len(effects) == 2
    assert all(one.is_same and one.chances[0].percent for one in effects)


def test_counting_what_a_rule_does_waits_its_turn(cast: Cast, gm: User) -> None:
    """As many count at once as for all odds; who finds no room is told, and the page stays whole."""
    _, address = make_rules(gm)
    with COUNTER.count("one"), COUNTER.count("another"):
        page = read(cast.gm.get(address, {"does": "max_attacks"}))
    assert BUSY in page.one("main").text
    assert chips(page, "max_attacks")
    assert BUSY not in read(cast.gm.get(address, {"does": "max_attacks"})).one("main").text


def test_rules_of_an_encounter_are_the_same_rows(visit: Visit, gm: User) -> None:
    """Chips, the book's way and what a rule does, beside a fight as on the page of a campaign."""
    _, campaign = make_rules(gm)
    page = read(visit.get("prep/", open="attacks"))
    whole = read(visit.client.get(campaign))
    rows = [one["id"] for one in page.all("fieldset", class_="rule-line")]
    assert "rule-max_attacks" in rows
    for row in rows:
        assert page.one(id=row).text == whole.one(id=row).text
    asked = visit.client.get(f"{visit.here}prep/?does=max_attacks", headers={"HX-Request": "true"})
    beside = visit.client.get(f"{campaign}?does=max_attacks", headers={"HX-Request": "true"})
    assert "rule-odds" in asked.content.decode()
    assert asked.content == beside.content
    opened = read(visit.client.get(f"{visit.here}prep/?does=max_attacks")).one(id="does-max_attacks")
    assert "Attack: Zara against Pirate" in opened.text
