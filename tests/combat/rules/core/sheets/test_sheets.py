"""Plans of sheets, on a made-up game: limits, budgets, departures, repaired sheets."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.sheets.sheets import (
    Budget,
    Creation,
    Draft,
    Option,
    Preset,
    Selection,
    SheetBase,
    SheetPlan,
    Stat,
    blank_draft,
    can_become,
    find_departures,
    find_faults,
    find_option,
    find_sheet_problems,
    with_preset,
)

PRICES = {0: 0, 1: 1, 2: 3, 3: 6}


class ToySheet(SheetBase, frozen=True, kw_only=True, forbid_unknown_fields=True):
    attributes: dict[str, int]
    skills: dict[str, int] = {}
    people: str = ""


def shift(draft: Draft, sign: int) -> Draft:
    gain = sign if draft.chosen.get("people") == "giant" else 0
    return msgspec.structs.replace(draft, attributes={k: v + gain for k, v in draft.attributes.items()})


def budgets(draft: Draft) -> tuple[Budget, ...]:
    spent = sum(PRICES.get(value, 0) for value in draft.attributes.values())
    return (Budget(key="points", label="Points", spent=spent, terms=(Modifier("New", 5),), rule="TOY-1"),)


def semantics(sheet: dict[str, Any]) -> tuple[Problem, ...]:
    found = [Problem(f"attributes.{k}", "is unknown") for k in sheet["attributes"] if k != "might"]
    found += [
        Problem(f"items[{n}].entry", "is not there")
        for n, t in enumerate(sheet["items"])
        if t.get("entry") == "no"
    ]
    return tuple(found)


PLAN = SheetPlan(
    attributes=(Stat(key="might", label="Might", low=0, high=9, first_high=3, rule="TOY-2"),),
    skills=(Stat(key="swim", label="Swim", high=5, first_high=2, source="page 3"),),
    selections=(
        Selection(
            key="people",
            label="People",
            options=(
                Option(key="human", label="Human"),
                Option(key="giant", label="Giant", changes={"might": 1}),
            ),
            usual="human",
        ),
    ),
    creation=Creation(
        attribute_prices=PRICES,
        skill_prices={},
        find_budgets=budgets,
        finish=lambda draft: shift(draft, 1),
        undo=lambda draft: shift(draft, -1),
    ),
    read=lambda sheet: Draft(
        attributes=sheet["attributes"],
        skills=sheet.get("skills", {}),
        chosen={"people": sheet.get("people", "")},
    ),
    write=lambda sheet, draft: {**sheet, "attributes": draft.attributes, "people": draft.chosen["people"]},
    find_problems=semantics,
    derive=lambda state, combatant: (),
    summarize=lambda sheet: "",
)


def draft(might: int, people: str = "human", swim: int = 0) -> Draft:
    return Draft(attributes={"might": might}, skills={"swim": swim}, chosen={"people": people})


def test_blank_draft_has_what_is_usual_and_no_faults() -> None:
    assert blank_draft(PLAN) == draft(0)
    assert find_faults(PLAN, blank_draft(PLAN)) == ()


def test_fault_names_place_rule_and_source() -> None:
    might, swim = find_faults(PLAN, draft(4, swim=3))  # 4 is off the price table and costs nothing here
    assert (might.place, might.rule) == ("attributes.might", "TOY-2")
    assert might.message == "Might 4: a new character has 0 to 3."
    assert (swim.place, swim.source) == ("skills.swim", "page 3")


def test_fault_of_what_no_new_character_has_names_one_number() -> None:
    xp = Stat(key="swim", label="XP", high=9, first_high=0)
    plan = msgspec.structs.replace(PLAN, skills=(xp,))
    assert [fault.message for fault in find_faults(plan, draft(0, swim=3))] == [
        "XP 3: a new character has 0."
    ]


def test_overspending_is_a_fault_of_its_budget() -> None:
    (fault,) = find_faults(PLAN, draft(3))
    assert (fault.place, fault.rule) == ("points", "TOY-1")
    assert fault.message == "Points: 6 of 5 points spent, 1 too many."


def test_bought_and_finished_value_both_stay_within_bounds() -> None:
    assert find_faults(PLAN, draft(2, "giant")) == ()
    (fault,) = (f for f in find_faults(PLAN, draft(3, "giant")) if f.place == "attributes.might")
    assert "3, 4 in the end" in fault.message


def test_unknown_choice_is_a_fault() -> None:
    assert [fault.place for fault in find_faults(PLAN, draft(0, "ghost"))] == ["chosen.people"]
    assert find_option(PLAN, draft(0, "ghost"), "people") is None


def test_departures_of_a_sheet_are_faults_in_what_must_be_bought() -> None:
    assert find_departures(PLAN, {"attributes": {"might": 3}, "people": "giant"}) == ()
    assert [d.place for d in find_departures(PLAN, {"attributes": {"might": 5}, "people": "human"})] == [
        "attributes.might"
    ]


def test_step_may_mend_what_is_broken_but_break_nothing_kept() -> None:
    assert can_become(PLAN, draft(1), draft(2))
    assert not can_become(PLAN, draft(2), draft(3))
    assert can_become(PLAN, draft(3), draft(2))
    assert not can_become(PLAN, draft(2, "human"), draft(3, "giant"))


def test_preset_replaces_or_raises() -> None:
    replaced = Preset(key="a", label="A", values={"x": 2})
    raised = Preset(key="b", label="B", values={"x": 2, "y": 1}, floor=True)
    assert with_preset({"x": 5, "y": 0}, replaced) == {"x": 2, "y": 0}
    assert with_preset({"x": 5, "y": 0}, raised) == {"x": 5, "y": 1}


def test_budget_counts_what_is_left() -> None:
    (budget,) = budgets(draft(2))
    assert (budget.most, budget.spent, budget.left) == (5, 3, 2)


def test_problems_of_meaning_are_found_in_sound_parts_in_place() -> None:
    data = {
        "attributes": {"might": "x", "magic": 3},
        "items": [{"id": "I"}, {"id": "i2", "kind": "gun", "entry": "no"}],
        "skills": 7,
    }
    found = [problem.place for problem in find_sheet_problems(PLAN, ToySheet, data)]
    assert found == [
        "items[0].id",
        "items[0].kind",
        "attributes.might",
        "skills",
        "attributes.magic",
        "items[1].entry",
    ]


@pytest.mark.parametrize(("length", "is_sound"), [(0, False), (1, True), (60, True), (61, False)])
def test_word_has_one_to_sixty_characters(length: int, is_sound: bool) -> None:
    data = {"attributes": {"might": 1}, "conditions": [{"kind": "x" * length}]}
    found = [problem.place for problem in find_sheet_problems(PLAN, ToySheet, data)]
    assert found == ([] if is_sound else ["conditions[0].kind"])


def test_document_that_is_no_table_has_one_problem() -> None:
    assert [p.message for p in find_sheet_problems(PLAN, ToySheet, [1])] == [
        "must be a table of named values"
    ]


def test_missing_field_is_told_without_guessing_the_rest() -> None:
    assert [p.place for p in find_sheet_problems(PLAN, ToySheet, {"people": "giant"})] == ["attributes"]
