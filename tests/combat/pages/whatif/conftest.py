"""A GM's branch of a fight."""

import pytest
from django.test import Client

from combat.models import Encounter
from tests.combat.pages.whatif.test_branches import Maker


@pytest.fixture
def maker(gm_client: Client, started: Encounter) -> Maker:
    """The GM with a branch of Zara's first turn."""
    return Maker(gm_client, started.pk).begin()
