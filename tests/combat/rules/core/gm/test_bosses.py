"""Who leads the others: the GM says so, and only the GM knows."""

from __future__ import annotations

from combat.audience.secrecy import forget_orders, redact
from combat.audience.viewer import Viewer
from combat.rules.core.gm.bosses import BOSS, find_boss
from combat.rules.core.state.state import State, encode, present
from tests.combat.rules.stage import Stage

ADA, BO, CY = "f1", "f2", "f3"
HIDDEN_FROM = (Viewer(), Viewer(seats=frozenset((ADA,))))


def test_one_leads_until_another_does_or_nobody(duel: Stage) -> None:
    duel.do("set_boss", target=BO)
    assert find_boss(duel.state) == BO
    duel.do("set_boss", target=ADA)
    assert find_boss(duel.state) == ADA
    assert BOSS not in duel[BO].marks
    assert duel.refused("set_boss", target=ADA).message.endswith("is the boss already.")
    assert duel.refused("set_boss", target=BO, boss=False).message.endswith("is not the boss.")
    duel.do("set_boss", target=ADA, boss=False)
    assert find_boss(duel.state) == ""


def tell(stage: Stage, viewer: Viewer) -> State:
    """The state that someone may know."""
    return forget_orders(redact(stage.state, viewer), viewer)


def test_no_player_learns_who_leads(duel: Stage) -> None:
    before = [encode(tell(duel, viewer)) for viewer in HIDDEN_FROM]
    duel.do("set_boss", target=BO)
    assert [encode(tell(duel, viewer)) for viewer in HIDDEN_FROM] == before
    assert not any(viewer.select(duel.facts) for viewer in HIDDEN_FROM)


def test_boss_of_the_notes_joins_as_one_and_a_copy_is_none(duel: Stage) -> None:
    duel.do("end_fight")
    duel.do("join", block="brawler", name="Vex", boss=True)
    (boss,) = [one.id for one in present(duel.state) if one.name == "Vex"]
    assert find_boss(duel.state) == boss
    assert not any(viewer.select(f for f in duel.facts if "boss" in repr(f)) for viewer in HIDDEN_FROM)
    duel.do("duplicate", target=boss)
    assert find_boss(duel.state) == boss
    duel.do("remove", target=boss)
    assert find_boss(duel.state) == ""
