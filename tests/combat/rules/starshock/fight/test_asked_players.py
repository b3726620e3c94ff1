"""The free attack on a foe who breaks away: the players there get the question, and one answers for all."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from combat.audience.changes import read_pending
from combat.models import ShareLink
from combat.play.writing.encounter_service import Submission, answer, submit
from combat.play.writing.verification import read_step
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.demo import IMANI, OSLO, REVOLVER, THUG, VEGA
from combat.rules.starshock.move.ways import NOBODY
from tests.combat.cast import Cast, Place, come, gather
from tests.combat.visit import demo_fight, find_open, load, play, state_of
from tests.typed import sure

pytestmark = pytest.mark.rule("SS-ZONE-08")


@pytest.fixture
def fight(gm: User) -> int:
    """Vega and Oslo stand in the dock with a thug; Imani does not."""
    pk = demo_fight(gm, SYSTEM.slug).pk
    play(pk, SYSTEM.demo.make_first().script[:1])
    submit(pk, Submission("set_option", {"key": "free_move_crosses_zone", "value": "once_per_round"}))
    for who, x in ((VEGA, 1), (OSLO, 2), (THUG, 3), (IMANI, 12)):
        submit(pk, Submission("place", {"target": who, "x": x, "y": 2}))
    return pk


@pytest.fixture
def cast(fight: int) -> Cast:
    """Everyone there: the player has Vega, the other player Oslo."""
    return gather(load(fight), VEGA, OSLO)


def slip(pk: int) -> None:
    """The thug slips away and gets caught."""
    submit(pk, Submission("free_move", {"actor": THUG, "to": "zone:hold"}, typed=True))
    answer(pk, 0, faces=(1, 1))


def test_each_player_there_may_answer_and_nobody_else(cast: Cast, fight: int) -> None:
    slip(fight)
    third = come(load(fight), ShareLink.PLAY, "Tia", IMANI)
    for client in (cast.player, cast.other, cast.gm):
        prompt = Place(client, fight).page().one(id="prompt").text
        assert "Vega or Oslo: Who attacks" in prompt
        assert "no attack" in prompt
        assert "always answer" not in prompt, "nobody decides once and for all for the others"
    assert "Vega or Oslo decide" in Place(third, fight).page().one(id="prompt").text
    assert not Place(cast.watcher, fight).page().all(id="prompt")
    assert Place(third, fight).refused("answer", 409, question="0", value=NOBODY)
    assert find_open().exists()


@pytest.mark.parametrize("role", ["player", "other", "gm"])
def test_the_first_answer_counts_for_all(cast: Cast, fight: int, role: str) -> None:
    slip(fight)
    Place(cast[role], fight).do("answer", question="0", value=NOBODY)
    (choice,) = [a for a in read_step(sure(load(fight).log.last())).answers if a.kind == "choice"]
    assert choice.value == NOBODY
    for client in (cast.player, cast.other):
        assert not Place(client, fight).page().all(id="prompt")


def test_one_player_may_send_another_forward(cast: Cast, fight: int) -> None:
    slip(fight)
    Place(cast.other, fight).do("answer", question="0", value=f"{VEGA}/{REVOLVER}")
    assert sure(read_pending(load(fight))).name == "free_move"
    assert "Vega" in Place(cast.player, fight).page().one(id="prompt").text


def test_an_order_of_one_answers_nothing_for_the_others(cast: Cast, fight: int) -> None:
    order = {"combatant": VEGA, "rule_id": "SS-ZONE-08", "value": NOBODY}
    Place(cast.player, fight).do("set_standing", **order)
    slip(fight)
    assert find_open().exists()
    Place(cast.other, fight).do("answer", question="0", value=NOBODY, always="yes")
    assert "standing:SS-ZONE-08" not in state_of(fight).combatants[OSLO].marks
