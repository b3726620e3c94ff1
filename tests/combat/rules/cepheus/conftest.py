"""Tests of rules that the quick rules restate run twice: by the full rules and by the quick ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.quick import SYSTEM as QUICK
from tests.combat.rules.cepheus import figures

OWN = QUICK.rulebook.rules.values()
RESTATED = {rule_id for rule in OWN for rule_id in rule.restates}
REPLACED = {rule_id for rule in OWN for rule_id in rule.replaces}


@pytest.fixture(autouse=True)
def played(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have stages without a system of their own play by the full or the quick rules."""
    figures.PLAYED = getattr(request, "param", SYSTEM)
    yield
    figures.PLAYED = SYSTEM


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test of restated rules by both, unless it shows something that the quick rules lack."""
    shown = {rule for mark in metafunc.definition.iter_markers("rule") for rule in mark.args}
    full_only = metafunc.definition.get_closest_marker("full_rules")
    if shown & RESTATED and not shown & REPLACED and not full_only:
        metafunc.parametrize("played", [SYSTEM, QUICK], ids=["full", "quick"], indirect=True)
