"""The table of this game in a real browser: accessible, in both themes, wide and narrow."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.starshock import SYSTEM
from tests.browser import TABS, check_looks
from tests.combat.visit import play

pytestmark = pytest.mark.slow

SCRIPT = SYSTEM.demo.make_first().script
TO_THE_GM = [n for n, step in enumerate(SCRIPT) if step.name == "next_turn"][1] + 1


LOOKS = ((0, "", ("Turn", "Combatants")), (2, "?combatant=f1&do=attack", ("Turn",)), (TO_THE_GM, "", TABS))


def test_pages_have_no_barriers_and_fit(live_server: LiveServer, visitor: Page, gm: User) -> None:
    """Before the fight, with the form of an attack, and in the turn of all of the GM's."""
    fight, before = make_demo_fight(gm, SYSTEM.slug), 0
    for steps, query, tabs in LOOKS:
        play(fight.pk, SCRIPT[before:steps])
        check_looks(visitor, f"{live_server.url}/encounters/{fight.pk}/{query}", tabs)
        before = steps


def test_the_map_has_no_barriers_and_fits(live_server: LiveServer, visitor: Page, gm: User) -> None:
    fight = make_demo_fight(gm, SYSTEM.slug)
    submit(fight.pk, Submission("set_setting", {"key": "positioning", "value": "squares"}))
    play(fight.pk, SCRIPT[:2])
    check_looks(visitor, f"{live_server.url}/encounters/{fight.pk}/?combatant=f1&do=move", ("Turn", "Scene"))
