"""The rulebook of the quick rules: restated, replaced and changed rules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from combat.rules.cepheus.book.options import FULL, QUICK, SPECIALS, find_option
from combat.rules.core.book.rulebook import Rulebook, load_rulebook
from combat.rules.core.state.state import State

FOLDER = Path(__file__).parents[5] / "combat" / "rules" / "cepheus" / "quick"


@pytest.fixture
def book() -> Rulebook:
    return load_rulebook(FOLDER)


def test_quick_rulebook_has_every_rule_of_the_summary(book: Rulebook) -> None:
    automations = Counter(rule.automation for rule in book.rules.values())
    assert automations == {"automated": 118, "assisted": 9, "reference": 1}
    assert [rule.line for rule in book.rules.values()] == sorted(rule.line for rule in book.rules.values())


def test_a_rule_of_the_full_book_leads_to_what_is_played_here(book: Rulebook) -> None:
    assert book.find("CE-ARMOR-01").id == "CS-ARMOR-01"  # says the same
    assert book.find("CE-REACT-12").id == "CS-REACT-07"  # says something else
    assert book.find("CE-SUPP-06").id == "CS-SUPP-03"  # an action is lost, not a point of skill checks
    assert [book.find(f"CE-ATK-0{n}").id for n in (6, 8, 9)] == ["CS-ATK-07", "CS-ATK-08", "CS-ATK-09"]
    assert book.find("CE-GRAP-01").section.startswith("From the full rules > ")


@pytest.mark.rule("CS-INIT-05")
def test_a_table_may_switch_on_what_the_summary_leaves_out() -> None:
    """RULING R61"""
    for option in SPECIALS:
        assert find_option(State(FULL), option.key) is True
        assert find_option(State(QUICK), option.key) is False
        assert find_option(State(QUICK, options={option.key: True}), option.key) is True
