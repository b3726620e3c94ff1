"""The GM's decisions for several at once: groups that join as one, leave, hide and act together."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.gm.decisions import GROUP
from combat.rules.core.space import plan_distance
from combat.rules.core.state import events as e
from combat.rules.core.state.state import present
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage


def join_brawlers(stage: Stage, count: int = 3, **more: Any) -> list[str]:
    """Let Brawlers join the fight as a group; return their ids."""
    before = set(stage.state.combatants)
    stage.do("join", block="brawler", count=count, group=True, dice=[(3,)] * count, **more)
    return [combatant.id for combatant in present(stage.state) if combatant.id not in before]


def find_group(stage: Stage, who: str) -> list[str]:
    """Who of the group of a combatant is still here."""
    mark = stage[who].marks.get(GROUP)
    return [one.id for one in present(stage.state) if mark and one.marks.get(GROUP) == mark]


def test_a_group_joins_numbered_and_stays_one(duel: Stage) -> None:
    ids = join_brawlers(duel)
    assert [duel[who].name for who in ids] == ["Brawler 1", "Brawler 2", "Brawler 3"]
    assert find_group(duel, ids[1]) == ids
    others = join_brawlers(duel, 2)
    assert find_group(duel, others[0]) == others
    duel.do("remove", target=ids[0])
    assert find_group(duel, ids[1]) == ids[1:]


def test_one_alone_or_several_without_the_word_are_no_group(duel: Stage) -> None:
    (alone,) = join_brawlers(duel, 1)
    duel.do("join", block="master", count=2, dice=[(3,), (3,)])
    assert find_group(duel, alone) == []
    assert not any(find_group(duel, one.id) for one in present(duel.state))


def test_several_leave_in_one_step(duel: Stage) -> None:
    ids = join_brawlers(duel)
    duel.do("remove_each", targets=[*ids, ids[0]], reason="they flee")
    assert [combatant.id for combatant in present(duel.state)] == ["f1", "f2", "f3"]
    assert read_log(duel)[:2] == ["GM: they flee.", "Brawler 1 leaves the encounter."]


def test_hiding_several_passes_over_who_is_hidden(duel: Stage) -> None:
    ids = join_brawlers(duel)
    duel.do("hide", target=ids[0])
    duel.do("hide_each", targets=ids)
    assert all(duel[who].hidden for who in ids)
    assert duel.refused("hide_each", targets=ids).message == "They are all hidden already."
    duel.do("hide_each", targets=ids, hidden=False)
    assert not any(duel[who].hidden for who in ids)


def test_several_are_put_at_a_place_and_around_it(duel: Stage) -> None:
    ids = join_brawlers(duel)
    duel.do("place_each", targets=ids, x=12, y=7)
    places = [duel[who].at for who in ids]
    assert (places[0].x, places[0].y) == (12, 7)
    assert len(set(places)) == 3
    assert all(plan_distance(places[0], at) <= 5 for at in places)
    assert duel.refused("place_each", targets=ids, x=1e9, y=0).code == "bad_value"


def test_gather_puts_them_behind_the_first_of_them(duel: Stage) -> None:
    duel.do("gather", targets=["f3", "f1"])
    assert duel.state.order == ("f1", "f3", "f2")
    assert read_log(duel) == ["GM: Ada moves in the turn order."]
    refused = duel.refused("gather", targets=["f1", "f3"])
    assert refused.message == "They follow one another already."
    assert duel.refused("gather", targets=["f1"]).code == "not_allowed"


def test_gathering_the_hidden_is_the_gms_secret(duel: Stage) -> None:
    duel.edit("f1", hidden=True)
    duel.do("gather", targets=["f1", "f3"])
    assert e.EVERYONE not in {fact.to for fact in duel.facts}


@pytest.mark.parametrize("name", ["remove_each", "hide_each", "gather"])
def test_nobody_or_someone_unknown_is_refused_without_change(duel: Stage, name: str) -> None:
    before = duel.state
    assert duel.refused(name, targets=[]).message == "Select combatants first."
    assert duel.refused(name, targets=["f2", "f9"]).code == "unknown"
    assert duel.state == before


def test_arrange_changes_only_what_is_said(duel: Stage) -> None:
    ids = join_brawlers(duel)
    before = {who: duel[who] for who in ids}
    duel.do("arrange", targets=ids, side="Blue", face="pilot")
    assert {(duel[who].side, duel[who].marks["face"]) for who in ids} == {("Blue", "pilot")}
    kept = [(duel[who].name, duel[who].at, duel[who].hidden) for who in ids]
    assert kept == [(one.name, one.at, one.hidden) for one in before.values()]
    refused = duel.refused("arrange", targets=ids, side="Blue", face="pilot")
    assert refused.message.startswith("Nothing would change")
    duel.do("arrange", targets=ids[:1], name="Rook", hidden=True, face="")
    first, second, _ = (duel[who] for who in ids)
    assert (first.name, first.hidden, "face" in first.marks) == ("Rook", True, False)
    assert (second.name, second.hidden, second.marks["face"]) == ("Brawler 2", False, "pilot")


@pytest.mark.parametrize(
    "said", [{"face": "No face"}, {"name": "x" * 61}, {"side": "x" * 61}, {"targets": ["f99"]}]
)
def test_arrange_refuses_nonsense(duel: Stage, said: dict[str, Any]) -> None:
    before = duel.state
    duel.refused("arrange", **{"targets": ["f1"], **said})
    assert duel.state == before
