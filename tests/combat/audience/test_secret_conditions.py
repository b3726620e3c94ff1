"""Conditions that only the GM sees, by pairs of worlds: one without it, and one with it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.http import QueryDict

from combat.audience.secrecy import mask_refusal
from combat.audience.viewer import Viewer
from combat.models import Encounter
from combat.pages.programs.reading import offer, see, show_odds
from combat.pages.programs.shapes import Wanted
from combat.pages.table.shapes import view_table
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.errors import Refused
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import Cast
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, load, roll_fives

NAME = "Xylocurse"
EYES = (Viewer(), Viewer("seat", frozenset((ZARA,))), Viewer("seat", frozenset((MARCUS,))))
SHOT: dict[str, Any] = {"target": PIRATE, "weapon": PISTOL}


def curse(encounter: Encounter, who: str, **fields: Any) -> None:
    """Give someone a condition that only the GM sees."""
    made = {"name": NAME, "note": "Xylonote", "secret": True, **fields}
    submit(encounter.pk, Submission("define_condition", made))
    own = ViewerContext(load(encounter.pk), Viewer("gm")).full_state.all_own_conditions[-1].id
    submit(encounter.pk, Submission("give_condition", {"target": who, "kind": own}))


def look(encounter: Encounter, viewer: Viewer) -> str:
    """What someone reads: the table, and as a program the state, the actions and the odds of a shot."""
    context = ViewerContext(load(encounter.pk), viewer)
    told = [str(view_table(context)), str(see(context, QueryDict()))]
    if viewer.plays(ZARA):
        told += [str(offer(context, QueryDict(f"combatant={ZARA}")))]
        told += [str(show_odds(context, Wanted("attack", ZARA, SHOT)))]
    return re.sub(r"'\d+\.\d+[^']*'", "", " ".join(told))


def test_one_without_effects_makes_no_difference(cast: Cast, started: Encounter) -> None:
    before = [look(started, viewer) for viewer in EYES]
    stamps = load(started.pk).public, load(started.pk).seated
    curse(started, ZARA)
    curse(started, PIRATE, name="Xylobrand")
    assert [look(started, viewer) for viewer in EYES] == before
    assert (load(started.pk).public, load(started.pk).seated) == stamps
    assert NAME in cast.gm.get(f"/encounters/{started.pk}/").content.decode()


@pytest.mark.parametrize("whose", [ZARA, PIRATE])
def test_effects_show_as_a_total_without_their_source(
    cast: Cast, started: Encounter, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    roll_fives(monkeypatch)
    viewer = EYES[1]
    number = "attack" if whose == ZARA else "defense"
    before = show_odds(ViewerContext(load(started.pk), viewer), Wanted("attack", ZARA, SHOT))
    curse(started, whose, changes={number: -3})
    after = show_odds(ViewerContext(load(started.pk), viewer), Wanted("attack", ZARA, SHOT))
    assert after.chance != before.chance
    terms = [one for one in (*after.terms, *after.against) if one.value == -3]
    assert [one.label for one in terms] == ["something unseen (table condition)"]
    submit(started.pk, Submission("attack", {"actor": ZARA, **SHOT}))
    assert "Xylo" not in look(started, viewer)
    address = f"/encounters/{started.pk}/"
    for role in ("player", "other", "watcher"):
        for page in ("", "log/", "report/", f"?combatant={ZARA}"):
            assert "Xylo" not in cast[role].get(f"{address}{page}").content.decode(), (role, page)
    assert "unseen" in cast.player.get(address).content.decode()
    assert NAME in cast.gm.get(address).content.decode()


def test_refusal_does_not_name_it(started: Encounter) -> None:
    curse(started, ZARA)
    state = ViewerContext(load(started.pk), Viewer("gm")).full_state
    told = mask_refusal(Refused("not_allowed", f"{NAME}: no Standard Action this turn."), state, EYES[1])
    assert told.message == "something unseen: no Standard Action this turn."
