"""The page that makes a character: guided and legal by construction, or free-form with warnings."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from characters.creation import builder
from characters.creation.creation_view import view_creation
from characters.games import find_problems
from characters.models import Character
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from tests.characters.conftest import bare_of, text_of, words_of
from tests.combat.visit import read as read_page
from tests.typed import sure

NEW = "/characters/new/"
SYSTEM = find_system("cosmos")
HTMX = {"HX-Request": "true"}


def form(way: str = "guided", **more: Any) -> dict[str, Any]:
    """The data a browser sends: only what differs from the empty form."""
    names = {key.replace("__", "-"): value for key, value in more.items()}
    return {"game": "cosmos", "way": way, **names}


def read(way: str = "guided", **more: Any) -> builder.CharacterBuilder:
    data = QueryDict(mutable=True)
    for name, value in form(way, **more).items():
        data.setlist(name, value if isinstance(value, list) else [str(value)])
    return builder.read(SYSTEM, way == "guided", data)


def left(made: builder.CharacterBuilder) -> dict[str, int]:
    return {budget.key: budget.left for budget in view_creation(made).budgets}


# ---------------------------------------------------------------- reading and steps


def test_empty_form_has_everything_left() -> None:
    view = view_creation(builder.begin(SYSTEM, guided=True))
    assert {b.key: b.left for b in view.budgets} == {"attributes": 30, "skills": 27}
    assert (view.money_left, view.obstacles) == (10_000, ())


def test_buttons_go_one_step_up_and_down() -> None:
    up = read(attributes__MIG=5, step="attributes-MIG+")
    assert up.draft.attributes["MIG"] == 6
    assert left(up)["attributes"] == 23
    assert read(skills__Pilot=2, step="skills-Pilot-").draft.skills["Pilot"] == 1


def test_step_beyond_the_points_does_nothing() -> None:
    broke = read(attributes__MIG=8, attributes__COO=7, step="attributes-COO+")
    assert left(broke)["attributes"] == 3
    assert broke.draft.attributes["COO"] == 7
    rows = {row.stat.key: row for row in view_creation(broke).attributes}
    assert not rows["COO"].can_rise
    assert rows["PRE"].can_rise
    assert not rows["MIG"].can_rise


def test_step_beyond_the_bounds_does_nothing() -> None:
    assert read(attributes__MIG=8, step="attributes-MIG+").draft.attributes["MIG"] == 8
    assert read(attributes__MIG=1, step="attributes-MIG-").draft.attributes["MIG"] == 1
    assert (
        read(**{"chosen-species": "synaptic"}, attributes__COO=6, step="attributes-COO+").draft.attributes[
            "COO"
        ]
        == 6
    )


@pytest.mark.parametrize("value", ["", "many", "3.5", "1e3", "²", "٣", "9" * 50, "-99", "99"])
def test_typed_numbers_are_brought_within_bounds(value: str) -> None:
    assert 1 <= read(attributes__MIG=value).draft.attributes["MIG"] <= 8


def test_unknown_words_do_nothing() -> None:
    made = read(
        attributes__XXX=5, step="attributes-XXX+", array="nobody", package="nothing", item=["weapon:nuke"],
        **{"chosen-species": "dragon"},
    )  # fmt: skip
    assert made == builder.begin(SYSTEM, guided=True)


def test_array_and_package_fill_in_ready_values() -> None:
    assert read(array="pilot_ace").draft.attributes["COO"] == 6
    filled = read(package="military", skills__Combat=5).draft.skills
    assert (filled["Combat"], filled["Pilot"], filled["Athletics"]) == (5, 2, 2)


def test_package_that_costs_too_much_does_nothing() -> None:
    dear = read(package="military", skills__Tech=5, skills__Medicine=4)
    assert dear.draft.skills["Combat"] == 0


def test_price_of_the_next_point_is_shown() -> None:
    rows = {row.stat.key: row for row in view_creation(read(attributes__MIG=6)).attributes}
    assert (rows["MIG"].price, rows["MIG"].more) == (7, 4)
    assert view_creation(read(attributes__MIG=8)).attributes[3].more is None


# ---------------------------------------------------------------- gear and money


def test_gear_is_paid_from_the_starting_money() -> None:
    made = read(item=["weapon:laser_pistol", "armor:kevlar"], add="1", wanted="weapon:knife")
    assert made.items == ("weapon:laser_pistol", "armor:kevlar", "weapon:knife")
    assert builder.count_money(made) == 10_000 - 1000 - 200 - 20
    assert builder.count_cost(read(item=["weapon:claws", "weapon:bite"])) == 0, "nobody sells them"


def test_what_is_too_dear_is_not_added() -> None:
    made = read(item=["weapon:gravity_hammer"], add="1", wanted="weapon:laser_rifle")
    assert made.items == ("weapon:gravity_hammer",)
    payable = {entry.id: can for _, entries in view_creation(made).catalogue for entry, can in entries}
    assert (payable["knife"], payable["laser_rifle"]) == (True, False)


def test_gear_is_taken_off_the_list() -> None:
    assert read(item=["weapon:knife", "weapon:bow"], remove="0").items == ("weapon:bow",)
    assert read(item=["weapon:knife"], remove="7").items == ("weapon:knife",)


def test_first_weapon_is_in_hand_and_first_armor_worn() -> None:
    made = read(item=["weapon:knife", "weapon:pistol", "armor:kevlar", "armor:plate", "drug:adrenaline"])
    assert [item.get("place", "carried") for item in builder.make_items(made)] == [
        "held", "carried", "worn", "carried", "carried",
    ]  # fmt: skip


def test_forged_gear_beyond_the_money_is_refused() -> None:
    dear = read(name="Zara", item=["weapon:quantum_rifle"])
    assert builder.find_obstacles(dear)[0].place == "money"
    with pytest.raises(Refused, match="20000 too much"):
        builder.finish(dear)


# ---------------------------------------------------------------- finishing


def test_guided_character_is_made(ana_client: Client, ana: User) -> None:
    posted = form(
        name="Zara", array="pilot_ace", package="military", item="weapon:pistol", create="1",
        **{"chosen-species": "synaptic", "chosen-career": "military"},
    )  # fmt: skip
    page = ana_client.post(NEW, posted).content.decode()
    assert not Character.objects.exists()
    left = [f"{budget.left} {budget.label.lower()}" for budget in view_creation(read(**posted)).unspent]
    assert left
    asked = " ".join(page[page.index("Still to spend:") :].split())
    assert f"</b> {', '.join(left)}." in asked
    answer = ana_client.post(NEW, {**posted, "create": "anyway"})
    made = Character.objects.get()
    assert answer["Location"] == f"/characters/{made.pk}/"
    assert (made.owner, made.name, made.summary) == (ana, "Zara", "Synaptic, Military")
    assert made.sheet["attributes"]["COO"] == 8
    assert made.sheet["credits"] == 9800
    assert find_problems(SYSTEM, made.sheet) == ()


def test_overspent_character_is_refused_with_all_reasons(ana_client: Client) -> None:
    posted = form(attributes__MIG="8", attributes__COO="8", skills__Pilot="5", skills__Tech="5", create="1")
    answer = ana_client.post(NEW, {**posted, "at": "done"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Attribute points: 32 of 30 points spent, 2 too many." in page
    assert "Skill points: 30 of 27 points spent, 3 too many." in page
    assert "A name needs 1 to 60 characters." in page
    assert "Character creation: point-buy" in page
    assert not Character.objects.exists()


def test_refused_form_keeps_what_was_typed(ana_client: Client) -> None:
    page = ana_client.post(NEW, form(name="", attributes__MIG="6", at="body", create="1")).content.decode()
    assert re.search(r'name="attributes-MIG"[^>]*value="6"', page)


def test_buttons_work_without_javascript(ana_client: Client) -> None:
    page = ana_client.post(NEW, form(name="Zara", at="body", step="attributes-MIG+")).content.decode()
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert re.search(r'name="attributes-MIG"[^>]*value="4"', page)
    assert 'value="Zara"' in page


def test_htmx_gets_only_what_changes(ana_client: Client) -> None:
    page = ana_client.get(NEW, form(name="Zara", at="body", array="pilot_ace"), headers=HTMX).content.decode()
    assert page.lstrip().startswith('<div id="build"')
    assert '<b class="num">11</b><small>of 30 left</small>' in bare_of(page)
    assert '<input type="hidden" name="name" value="Zara">' in page


def test_free_form_takes_anything_within_the_absolute_bounds(ana_client: Client) -> None:
    posted = form("free", name="Old Hand", attributes__MIG="10", skills__Combat="9", money="77", create="1")
    assert ana_client.post(NEW, posted).status_code == 302
    made = Character.objects.get()
    assert (made.sheet["attributes"]["MIG"], made.sheet["skills"], made.sheet["credits"]) == (
        10,
        {"Combat": 9},
        77,
    )


def test_free_form_lists_departures_with_their_source(ana_client: Client) -> None:
    page = ana_client.get(NEW, form("free", attributes__MIG="10", skills__Combat="9")).content.decode()
    assert "Beyond a new character" in page
    assert "Might 10: a new character has 1 to 8." in page
    assert "Combat 9: a new character has 0 to 5." in page
    assert "starting skills up to 5" in page


def test_free_form_gear_costs_nothing() -> None:
    made = read("free", item=["weapon:quantum_rifle"], money="5")
    assert builder.make_sheet(made)["credits"] == 5


WORDS = words_of("1 5 8 99 x + 0 attributes-MIG+ skills-Combat+ synaptic military pilot_ace weapon:knife")
NAMES = words_of("""step array package wanted add remove item money name chosen-species chosen-career
    attributes-MIG attributes-COO skills-Combat""")
words, names = st.sampled_from(["", *WORDS]), st.sampled_from(NAMES)


@given(st.dictionaries(names, st.lists(words, min_size=1, max_size=3), max_size=10), st.booleans())
def test_any_request_makes_a_page_but_never_an_illegal_character(
    sent: dict[str, list[str]], guided: bool
) -> None:
    data = QueryDict(mutable=True)
    for name, values in sent.items():
        data.setlist(name, values)
    made = builder.read(SYSTEM, guided, data)
    view = view_creation(made)
    try:
        _, sheet = builder.finish(made)
    except Refused:
        return
    assert find_problems(SYSTEM, sheet) == ()
    assert not view.obstacles or not guided


def test_a_game_without_money_gives_what_people_ask_for() -> None:
    game = find_system("guardians")
    bought = builder.read(game, True, QueryDict("add=weapon:long_sword"))
    assert bought.items == ("weapon:long_sword",)
    assert view_creation(bought).can_buy


def test_points_that_are_left_are_named_before_one_is_done(ana_client: Client) -> None:
    guided = text_of(ana_client.get("/characters/new/?game=cosmos&way=guided&at=done"))
    assert "Body : 30 attribute points left." in guided
    assert "Skills : 27 skill points left." in guided
    free = ana_client.get("/characters/new/?game=cosmos&way=free").content.decode()
    assert "Still to spend" not in free


# ---------------------------------------------------------------- switching between the two


def test_the_other_way_keeps_what_was_typed() -> None:
    """A species adds to what was bought: free-form shows the sum, guided the price again."""
    guided = read(name="Rhea", chosen__species="synaptic", attributes__INT=5, skills__Pilot=2)
    free = builder.switch(guided)
    assert (free.guided, free.name, free.draft.skills["Pilot"]) == (False, "Rhea", 2)
    assert free.draft == sure(SYSTEM.book.sheets).creation.finish(guided.draft)
    assert free.draft.attributes["INT"] > 5
    assert builder.make_sheet(free) == builder.make_sheet(guided)
    assert builder.switch(free) == guided


def test_what_no_new_character_may_have_is_brought_within_bounds() -> None:
    plan = sure(SYSTEM.book.sheets)
    guided = builder.switch(read(way="free", attributes__MIG=10, skills__Combat=8))
    assert guided.draft.attributes["MIG"] == next(s.first_high for s in plan.attributes if s.key == "MIG")
    assert guided.draft.skills["Combat"] == next(s.first_high for s in plan.skills if s.key == "Combat")


def test_the_other_way_is_a_button_of_the_form(ana_client: Client) -> None:
    page = ana_client.post(NEW, form(name="Rhea", switch="free")).content.decode()
    assert "Free-form: any numbers" in page
    assert 'value="Rhea"' in page
    assert '<input type="hidden" name="way" value="free">' in page
    assert 'form="maker" name="switch" value="guided"' in page
    assert not Character.objects.exists()


def test_many_packages_fold_away_and_words_keep_their_numbers(ana_client: Client) -> None:
    page = read_page(ana_client.get(NEW, {"game": "cepheus", "at": "skills"}))
    fold = page.one("details", id="packages")
    assert len(page.all("button", inside=fold, name="package")) > 12
    few = read_page(ana_client.get(NEW, {"game": "cosmos", "at": "skills"}))
    assert not few.all("details", id="packages")
    assert (
        "Pilot\N{NO-BREAK SPACE}2" in ana_client.get(NEW, {"game": "cosmos", "at": "body"}).content.decode()
    )
