"""What a skill check is for, as someone typed it, stands wherever its roll is shown, in every game."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.commands.commands import find_first_value
from tests.combat.cast import come
from tests.combat.visit import begun, read, state_of

WORDS = "find the hatch"
# The action of each game that rolls a skill, and the field for what it is for
CHECKS = {
    "cosmos": ("skill", "why"),
    "cepheus": ("check", "why"),
    "starshock": ("check", "why"),
    "guardians": ("call_roll", "reason"),
}


def check(pk: int, slug: str, who: str) -> None:
    """Someone rolls for something, as the form of the action proposes it."""
    name, field = CHECKS[slug]
    state, action = state_of(pk), find_system(slug).actions.by_name[name]
    fields = action.find_fields(state, who)
    given: dict[str, Any] = {one.name: find_first_value(one) for one in fields if one.value not in ("", None)}
    whose = {"target": who} if action.who == "gm" else {"actor": who}
    submit(pk, Submission(name, {**given, **whose, field: WORDS}))


@pytest.mark.slow
@pytest.mark.parametrize("slug", CHECKS)
def test_what_a_check_is_for_is_said_wherever_it_is_shown(gm: User, gm_client: Client, slug: str) -> None:
    fight = begun(gm, slug)
    pk, state, here = fight.pk, state_of(fight.pk), f"/encounters/{fight.pk}/"
    heroes = [one.id for one in state.combatants.values() if one.pc]
    who = state.active if state.active in heroes else heroes[0]
    if slug == "starshock":
        submit(pk, Submission("declare", {"actor": state.active, "actions": 1}))
    people = {"GM": gm_client, "player": come(fight, ShareLink.PLAY, "Pia", who)}
    check(pk, slug, who)
    told: dict[str, str] = {}
    for name, client in people.items():
        page = read(client.get(here))
        told[f"{name}: result"] = page.one(id="turn").text
        told[f"{name}: log at the table"] = page.one(id="log-lines").text
        for path in ("log/", "dice/"):
            told[f"{name}: {path}"] = read(client.get(here + path)).one("main").text
    submit(pk, Submission("end_fight", {}))
    for name, client in people.items():
        told[f"{name}: report"] = read(client.get(f"{here}report/")).one("main").text
    assert [place for place, text in told.items() if WORDS not in text] == []
