"""Fixtures of the tests of vehicles."""

from __future__ import annotations

import pytest

from tests.combat.rules.cepheus.vehicles.garage import Garage, Road


@pytest.fixture
def stage() -> Garage:
    """A garage without anything in it."""
    return Garage()


@pytest.fixture
def road() -> Road:
    """A car under way, with its driver."""
    return Road()
