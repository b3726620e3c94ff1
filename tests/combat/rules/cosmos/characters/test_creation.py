"""Making characters by the book: prices, points, species, careers, limits; and a sheet's combatant."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules import find_system
from combat.rules.core.basics.modifiers import Derived
from combat.rules.core.sheets.sheets import (
    ME,
    Draft,
    Preset,
    blank_draft,
    can_become,
    find_departures,
    find_faults,
    find_sheet_problems,
    with_preset,
)
from combat.rules.core.state.state import State
from tests.combat.rules.cosmos.figures import words
from tests.typed import sure

SYSTEM = find_system("cosmos")
PLAN = sure(SYSTEM.book.sheets)
ATTRIBUTES = ("PRE", "RES", "INT", "MIG", "AWA", "COO")


def draft(attributes: str = "3 3 3 3 3 3", species: str = "terran", career: str = "", **skills: int) -> Draft:
    """A bought draft: attributes in the order of ATTRIBUTES."""
    blank = blank_draft(PLAN)
    values = dict(zip(ATTRIBUTES, map(int, attributes.split()), strict=True))
    chosen = {"species": species, "career": career}
    return msgspec.structs.replace(blank, attributes=values, skills={**blank.skills, **skills}, chosen=chosen)


def budgets(bought: Draft) -> dict[str, tuple[int, int]]:
    """The spent points and the limit of each budget."""
    return {b.key: (b.spent, b.most) for b in PLAN.creation.find_budgets(bought)}


def numbers(sheet: dict[str, Any], group: str = "") -> dict[str, Derived]:
    combatant = SYSTEM.characters.make_combatant(ME, "Ada", "", sheet, {})
    groups = PLAN.derive(State("cosmos", combatants={ME: combatant}), combatant)
    return {number.label: number for g in groups if words(g.label) == group for number in g.numbers}


def sheet(bought: Draft, **more: object) -> dict[str, Any]:
    return {**PLAN.write({}, PLAN.creation.finish(bought)), **more}


# ---------------------------------------------------------------- points


def test_everybody_starts_with_nothing_spent() -> None:
    assert budgets(blank_draft(PLAN)) == {"attributes": (0, 30), "skills": (0, 27)}
    assert find_faults(PLAN, blank_draft(PLAN)) == ()


@pytest.mark.parametrize(
    ("value", "points"), [(1, -4), (2, -2), (3, 0), (4, 2), (5, 4), (6, 7), (7, 11), (8, 16)]
)
def test_price_of_an_attribute(value: int, points: int) -> None:
    assert budgets(draft(f"{value} 3 3 3 3 3"))["attributes"] == (points, 30)


@pytest.mark.parametrize(("value", "points"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10), (5, 15)])
def test_price_of_a_skill(value: int, points: int) -> None:
    assert budgets(draft(Pilot=value))["skills"] == (points, 27)


def test_values_off_the_price_table_cost_as_its_nearest_end() -> None:
    assert budgets(draft("9 3 3 3 3 3"))["attributes"] == (16, 30)
    assert budgets(draft(Pilot=6))["skills"] == (15, 27)


def test_low_attributes_pay_for_high_ones() -> None:
    assert budgets(draft("8 8 1 2 3 3"))["attributes"] == (26, 30)
    assert find_faults(PLAN, draft("8 8 1 2 3 3")) == ()


def test_overspent_attributes_name_points_and_source() -> None:
    (fault,) = find_faults(PLAN, draft("8 8 3 3 3 3"))
    assert fault.message == "Attribute points: 32 of 30 points spent, 2 too many."
    assert fault.source == "Character creation: point-buy"


@pytest.mark.parametrize(
    ("intellect", "species", "most"),
    [(5, "terran", 27), (6, "terran", 29), (8, "terran", 33), (4, "etherean", 29), (7, "brutari", 27)],
)
def test_intellect_above_5_gives_2_skill_points_each(intellect: int, species: str, most: int) -> None:
    """The character's final Intellect counts, not the one that was bought."""
    assert budgets(draft(f"3 3 {intellect} 3 3 3", species))["skills"][1] == most


def test_career_gives_3_points_as_far_as_its_skills_take_them() -> None:
    assert budgets(draft(career="military"))["skills"] == (0, 27)
    assert budgets(draft(career="military", Pilot=1))["skills"] == (1, 28)
    assert budgets(draft(career="military", Combat=3))["skills"] == (6, 30)
    assert budgets(draft(career="military", Medicine=3))["skills"] == (6, 27)


def test_overspent_skills_are_a_fault() -> None:
    (fault,) = find_faults(PLAN, draft(Combat=5, Pilot=4, Tech=2))
    assert fault.message == "Skill points: 28 of 27 points spent, 1 too many."
    assert find_faults(PLAN, draft(career="military", Combat=5, Pilot=4, Tech=2)) == ()


# ---------------------------------------------------------------- limits


def test_nobody_starts_above_8_or_with_a_skill_above_5() -> None:
    found = {f.place: f for f in find_faults(PLAN, draft("9 3 3 3 3 3", Pilot=6))}
    assert found["attributes.PRE"].message == "Presence 9: a new character has 1 to 8."
    assert "ratings above 8" in found["attributes.PRE"].source
    assert found["skills.Pilot"].message == "Pilot 6: a new character has 0 to 5."
    assert "skills up to 5" in found["skills.Pilot"].source


def test_species_may_neither_lift_above_8_nor_push_below_1() -> None:
    assert find_faults(PLAN, draft("3 3 3 3 3 6", "synaptic")) == ()
    high, low = find_faults(PLAN, draft("3 3 3 2 3 7", "synaptic"))
    assert low.message == "Coordination 7, 9 in the end: a new character has 1 to 8 in both."
    assert high.message == "Might 2, 0 in the end: a new character has 1 to 8 in both."


def test_every_limit_says_where_it_stands() -> None:
    for stat in (*PLAN.attributes, *PLAN.skills):
        assert stat.rule or stat.source, stat.key
    for selection in PLAN.selections:
        assert selection.source
    for budget in PLAN.creation.find_budgets(blank_draft(PLAN)):
        assert budget.source
    for preset in (*PLAN.creation.arrays, *PLAN.creation.packages):
        assert preset.source
    assert PLAN.money is not None
    assert (PLAN.money.start, bool(PLAN.money.source)) == (10_000, True)


def test_all_rules_of_the_numbers_are_in_the_rulebook() -> None:
    book = SYSTEM.rulebook
    known = {"", *book.rules, *book.rulings}
    combatant = SYSTEM.characters.make_combatant(ME, "Ada", "", sheet(draft("3 3 3 3 3 6", "synaptic")), {})
    for group in PLAN.derive(State("cosmos", combatants={ME: combatant}), combatant):
        for number in group.numbers:
            assert number.rule in known - {""}, number.label
            assert {term.rule for term in number.terms} <= known
            assert number.value == sum(term.value for term in number.terms)


# ---------------------------------------------------------------- derived values


def test_six_arrays_are_affordable_by_everybody() -> None:
    names = "Combat Specialist, Tech Expert, Social Leader, Pilot Ace, Investigator, Jack-of-All-Trades"
    assert ", ".join(array.label for array in PLAN.creation.arrays) == names
    for array in PLAN.creation.arrays:
        for option in PLAN.selections[0].options:
            bought = draft(" ".join(str(array.values[key]) for key in ATTRIBUTES), option.key)
            assert find_faults(PLAN, bought) == (), (array.label, option.label)


def test_five_packages_cost_13_and_leave_higher_skills_alone() -> None:
    assert len(PLAN.creation.packages) == 5
    for package in PLAN.creation.packages:
        assert budgets(draft("3 3 3 3 3 3", "terran", "", **package.values))["skills"][0] == 13
        assert isinstance(package, Preset)
        first = next(iter(package.values))
        assert with_preset({first: 5}, package)[first] == 5


# ---------------------------------------------------------------- species and sheets


def test_species_changes_attributes_after_they_were_bought() -> None:
    finished = PLAN.creation.finish(draft("4 5 5 3 6 5", "synaptic"))
    assert finished.attributes == {"PRE": 4, "RES": 4, "INT": 6, "MIG": 1, "AWA": 6, "COO": 7}
    assert PLAN.creation.undo(finished) == draft("4 5 5 3 6 5", "synaptic")


def test_species_brings_size_abilities_and_armor() -> None:
    made = sheet(draft(species="brutari"))
    assert (made["size"], made["natural_armor"]) == ("large", 1)
    assert made["abilities"]["melee_damage"] == 1
    assert "+1 damage in melee" in next(o.abilities for o in PLAN.selections[0].options if o.key == "brutari")


def test_same_species_keeps_what_the_sheet_has() -> None:
    made = {**sheet(draft(species="brutari")), "natural_armor": 3, "abilities": {"hp": 7}}
    again = PLAN.write(made, PLAN.read(made))
    assert (again["natural_armor"], again["abilities"]) == (3, {"hp": 7})
    other = PLAN.write(
        made, msgspec.structs.replace(PLAN.read(made), chosen={"species": "terran", "career": ""})
    )
    assert (other["natural_armor"], other["abilities"], other["size"]) == (0, {}, "medium")


def test_abilities_of_every_species_are_told_in_words() -> None:
    for option in PLAN.selections[0].options:
        assert option.key == "terran" or option.abilities, option.label
        assert not any("{" in words or "None" in words for words in option.abilities)


@pytest.mark.rule("COS-HP-01")
def test_hit_points_open_to_their_sum() -> None:
    hp = numbers(sheet(draft("3 4 3 5 3 3", "gravitae")))["Max HP"]
    assert hp.value == 40 + 8 * 6 + 4 * 6 + 10
    assert [term.value for term in hp.terms] == [40, 48, 24, 10]
    assert hp.rule == "COS-HP-01"


def test_numbers_of_the_zara_of_the_book() -> None:
    """A synaptic with these attributes has 64 HP, Speed 13 and initiative +8."""
    found = numbers(sheet(draft("4 5 5 3 6 5", "synaptic", Combat=3)))
    assert found["Max HP"].value == 64
    assert found["Speed"].value == 13
    assert found["Defense"].value == 10 + 7 + 1 + 1
    assert found["Flat-footed"].value == 10 + 7 + 1
    assert found["Initiative"].value == 6 + 2
    assert found["Quick Actions"].value == 4


def test_saves_are_the_attribute_alone() -> None:
    found = numbers(sheet(draft("3 3 3 5 3 3"), tracks={"hp": 5}), "Saves")
    assert found["Might"].value == 5
    assert found["Might"].rule == "R4"


def test_wounds_and_conditions_of_the_sheet_count_in_its_numbers() -> None:
    hale, hurt = sheet(draft("3 3 3 3 3 5")), sheet(draft("3 3 3 3 3 5"), tracks={"hp": 30})
    tired = sheet(draft("3 3 3 3 3 5"), conditions=[{"kind": "fatigued"}])
    assert (numbers(hale)["Speed"].value, numbers(hurt)["Speed"].value) == (10, 8)
    assert numbers(tired)["Speed"].value == 5
    assert numbers(tired)["Own actions"].value == -2


def test_departures_of_an_old_hand_are_told() -> None:
    veteran = sheet(draft("3 3 3 3 3 3"))
    veteran["attributes"]["MIG"], veteran["skills"] = 10, {"Combat": 9}
    places = [d.place for d in find_departures(PLAN, veteran)]
    assert places == ["attributes.MIG", "skills.Combat"]
    assert find_sheet_problems(PLAN, SYSTEM.characters.sheet, veteran) == ()


def test_summary_is_species_and_career() -> None:
    assert PLAN.summarize(sheet(draft(species="umbral", career="criminal"))) == "Umbral, Criminal"
    assert PLAN.summarize(sheet(draft())) == "Terran"


bought_drafts = st.builds(
    lambda values, skills, species, career: draft(
        " ".join(map(str, values)),
        species,
        career,
        **dict(zip(("Combat", "Pilot", "Tech"), skills, strict=True)),
    ),
    st.tuples(*[st.integers(1, 8)] * 6),
    st.tuples(*[st.integers(0, 5)] * 3),
    st.sampled_from([o.key for o in PLAN.selections[0].options]),
    st.sampled_from(["", *(o.key for o in PLAN.selections[1].options)]),
)


@given(bought_drafts)
def test_legal_draft_makes_a_sheet_without_faults_or_departures(bought: Draft) -> None:
    if find_faults(PLAN, bought):
        return
    made = sheet(bought)
    assert find_sheet_problems(PLAN, SYSTEM.characters.sheet, made) == ()
    assert find_departures(PLAN, made) == ()
    combatant = SYSTEM.characters.make_combatant("f1", "Ada", "crew", made, {})
    assert SYSTEM.characters.health(combatant).now == SYSTEM.characters.health(combatant).most


@given(bought_drafts, st.sampled_from(ATTRIBUTES), st.sampled_from([1, -1]))
def test_a_permitted_step_never_makes_a_legal_draft_illegal(bought: Draft, key: str, by: int) -> None:
    values = {**bought.attributes, key: bought.attributes[key] + by}
    changed = msgspec.structs.replace(bought, attributes=values)
    if not find_faults(PLAN, bought) and can_become(PLAN, bought, changed):
        assert find_faults(PLAN, changed) == ()
