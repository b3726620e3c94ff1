"""What else knows rulings and corrected figures: branches, auto-play, forecasts, reports without names."""

from __future__ import annotations

import random

import pytest

from combat.models import Encounter
from combat.play import autopilot
from combat.play.after.anonymous import make_anonymous
from combat.play.whatif.branches import read_steps
from combat.play.writing.encounter_service import Submission, read_history, submit
from combat.play.writing.verification import verify
from combat.rules import find_system
from combat.rules.core.engine.document import replay
from combat.rules.core.gm.improvising import ACT
from combat.rules.core.odds.forecast import play_out
from tests.combat.cast import Cast
from tests.combat.pages.table.test_rulings import TILE, give_back, keep
from tests.combat.pages.table.test_wishes import RULED, SWING
from tests.combat.pages.whatif.test_branches import Maker
from tests.combat.visit import PIRATE, SLUG, ZARA, combatant, load, read, state_of

pytestmark = pytest.mark.usefixtures("fives")
FIGURES = {"target": PIRATE, "numbers": {"skills.Combat": 7, "attributes.MIG": 6}}


def test_player_tries_a_ruling_in_a_branch_and_gm_makes_one_real(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    keep(cast, pk, **{**RULED, "keep": "yes", "secret": "yes", "cost": ""})
    steps = load(pk).steps
    player = Maker(cast.player, pk).begin()
    page = " ".join(player.client.get(player.here).content.decode().split())
    assert f"{TILE} · ?" in page
    player.do("use_ruling", combatant=ZARA, ruling="r1", target=PIRATE)
    assert [step.name for step in read_steps(player.row)] == ["use_ruling"]
    assert "against 17" not in player.client.get(player.here).content.decode(), "the number is not there"
    assert player.post("correct_own", target=ZARA, **{"skills.Combat": 9}).status_code == 409
    assert load(pk).steps == steps
    maker = Maker(cast.gm, pk).begin()
    maker.do("use_ruling", combatant=ZARA, ruling="r1", target=PIRATE)
    maker.do("correct", target=PIRATE, **{"skills.Combat": 7})
    version = read(cast.gm.get(f"{maker.here}real/")).one("input", name="version")["value"]
    assert cast.gm.post(f"{maker.here}real/", {"version": version}).status_code == 303
    assert combatant(pk, PIRATE).sheet["skills"]["Combat"] == 7
    verify(load(pk))


def test_the_fight_goes_on_by_itself_and_in_a_forecast(cast: Cast, started: Encounter) -> None:
    pk, system = started.pk, find_system(SLUG)
    keep(cast, pk)
    submit(pk, Submission("correct", FIGURES))
    submit(pk, Submission("help_next", {"target": PIRATE, "points": 2}))
    ending = play_out(system, state_of(pk), random.Random(1))
    assert ending
    autopilot.autoplay(pk, everybody=True)
    submit(pk, Submission(system.actions.advance, {}))
    autopilot.autoplay(pk, everybody=True)
    assert combatant(pk, ZARA).all_rulings
    verify(load(pk))


def test_a_report_without_names_plays_it_again(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    keep(cast, pk)
    give_back(cast, pk)
    submit(pk, Submission("use_ruling", {"actor": ZARA, "ruling": "r1", "target": PIRATE}))
    submit(pk, Submission("correct", FIGURES))
    submit(pk, Submission(ACT, {"words": "The lights go out", "works": [{"kind": "words", "text": "Dark."}]}))
    submit(pk, Submission("drop_ruling", {"actor": ZARA, "ruling": "r1"}))
    found = make_anonymous(find_system(SLUG), read_history(load(pk)))
    assert not found.stopped
    verdict = replay(found.document, find_system)
    assert verdict.ok, verdict.summary
    told = str(found.document)
    for words in (SWING, "The lights go out", "Dark."):
        assert words not in told
