"""Figures corrected in a branch: as at the table, or refused in words; the fight knows nothing of it."""

from __future__ import annotations

import pytest

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.play.writing.verification import verify
from combat.rules.core.declaration.book import CORRECT_OWN
from tests.combat.cast import Cast
from tests.combat.pages.whatif.test_branches import Maker, said
from tests.combat.visit import PIRATE, ZARA, combatant, load, read, state_of

pytestmark = pytest.mark.usefixtures("fives")


def test_the_gm_corrects_anyone_in_a_branch_and_makes_it_real(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    before, maker = state_of(pk).combatants, Maker(cast.gm, pk).begin()
    for who in (PIRATE, ZARA):
        assert maker.page(combatant=who, row="figures").one(id="figures-follow")
        maker.do("correct", target=who, **{"skills.Combat": 8, "health": 30})
    assert state_of(pk).combatants == before
    address = f"{maker.here}real/"
    version = read(maker.client.get(address)).one("input", name="version")["value"]
    assert maker.client.post(address, {"version": version}).status_code == 303
    for who in (PIRATE, ZARA):
        assert combatant(pk, who).sheet["skills"]["Combat"] == 8
    verify(load(pk))


def test_players_correct_their_own_in_a_branch_if_allowed(cast: Cast, started: Encounter) -> None:
    pk, change = started.pk, {"skills.Combat": 8}
    maker = Maker(cast.player, pk).begin()
    refused = maker.post("correct_own", target=ZARA, **change)
    assert (refused.status_code, "ask the GM" in said(refused)) == (409, True)
    submit(pk, Submission("set_option", {"key": CORRECT_OWN, "value": True}))
    maker = Maker(cast.player, pk).begin()
    maker.do("correct_own", target=ZARA, **change)
    refused = maker.post("correct_own", target=PIRATE, **change)
    assert (refused.status_code, "ask the GM" in said(refused)) == (409, True)


def test_a_correction_that_cannot_be_says_why(cast: Cast, started: Encounter) -> None:
    maker = Maker(cast.gm, started.pk).begin()
    for who, change, words in (
        ("", {"skills.Combat": 8}, "not in this encounter"),
        ("f99", {"skills.Combat": 8}, "not in this encounter"),
        (PIRATE, {}, "change a figure first"),
        (PIRATE, {"skills.Combat": "many"}, "whole number"),
        (PIRATE, {"skills.Luck": 3}, "choose from the form"),
        (PIRATE, {"health": -5}, "1 to 9999"),
    ):
        answer = maker.post("correct", target=who, **change)
        assert answer.status_code in (404, 409, 422), (who, change)
        assert words in said(answer), said(answer)


def test_what_follows_there_is_said_before_it_is_done(cast: Cast, started: Encounter) -> None:
    """Of the figures as they are in the branch, which differ from those of the fight."""
    maker = Maker(cast.gm, started.pk).begin()
    might = combatant(started.pk, PIRATE).sheet["attributes"]["MIG"]
    form = maker.page(combatant=PIRATE, row="figures")
    asks = form.one("div", class_="figures")["hx-get"]
    assert asks.startswith(maker.here)
    maker.do("correct", target=PIRATE, **{"attributes.MIG": might + 1})
    said = {
        step: maker.client.get(asks, {"target": PIRATE, "attributes.MIG": might + step}).content.decode()
        for step in (0, 1)
    }
    assert "Follows:" in said[0]
    assert "HP" in said[0]
    assert "Follows:" not in said[1], "that is how it is there already"
    assert cast.player.get(asks, {"target": PIRATE, "attributes.MIG": might}).status_code == 404
