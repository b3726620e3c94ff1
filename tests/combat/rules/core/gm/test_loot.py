"""What is left after a fight: handed out, shared, asked for, left behind."""

from __future__ import annotations

import pytest

from combat.audience.viewer import Viewer
from combat.rules.core.gm.loot import count_money, find_asks, find_holders, find_open
from combat.rules.core.state.state import Combatant, replace
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage

ZARA = Viewer("seat", frozenset({"f1"}))


@pytest.fixture
def field() -> Stage:
    """Zara (f1) and Okoro (f2) stand after a fight; a soldier (f3) is dead, a pirate (f4) fled nowhere."""
    stage = Stage("cosmos")
    for name in ("Zara", "Okoro"):
        who = stage.add(name, block="zara_chen", pc=True)
        stage.edit(who, sheet={**stage[who].sheet, "credits": 100})
    stage.add("Guard", side="enemies", block="soldier")
    stage.add("Captain", side="enemies", block="pirate_captain")
    stage.edit("f3", sheet={**stage["f3"].sheet, "credits": 41})
    for kind in ("unconscious", "dead"):
        stage.give("f3", kind)
    stage.state = replace(stage.state, phase="over", round=3)
    return stage


def holdings(stage: Stage) -> dict[str, list[str]]:
    """What every holder has, by name."""
    return {one.id: [item.name for item in one.items] for one in find_holders(stage.system, stage.state)}


def open_things(stage: Stage) -> list[str]:
    return [item.name for items in find_open(stage.system, stage.state).values() for item in items]


def find_thing(one: Combatant, name: str) -> str:
    return next(item.id for item in one.items if item.name == name)


def test_only_the_fallen_have_something_to_take(field: Stage) -> None:
    assert list(holdings(field)) == ["f3"]
    assert "Assault rifle" in holdings(field)["f3"]
    assert "Unarmed strike" not in holdings(field)["f3"]
    field.give("f1", "unconscious")
    assert list(holdings(field)) == ["f3"], "a player character who lives keeps their things"


def test_things_are_handed_out_and_undone(field: Stage) -> None:
    before, rifle = field.state, find_thing(field["f3"], "Assault rifle")
    field.do("hand_out", holder="f3", items=[rifle], to="f1")
    assert read_log(field) == ["Zara gets Guard's Assault rifle."]
    assert field["f1"].items[-1].place == "carried"
    assert "Assault rifle" not in holdings(field)["f3"]
    assert field.refused("hand_out", holder="f3", items=[rifle], to="f2").message == (
        "Zara has Assault rifle now."
    )
    assert before != field.state


def test_pile_is_shared_evenly_and_nothing_is_doubled(field: Stage) -> None:
    grenade = find_thing(field["f3"], "Fragmentation grenade")
    items = tuple(replace(i, count=5) if i.id == grenade else i for i in field["f3"].items)
    field.edit("f3", items=items)
    field.do("hand_out", holder="f3", items=[grenade], to="all")
    counts = [i.count for who in ("f1", "f2") for i in field[who].items if i.name == "Fragmentation grenade"]
    assert counts == [3, 2]
    assert "Fragmentation grenade" not in holdings(field)["f3"]
    ids = [item.id for one in field.state.combatants.values() for item in one.items]
    assert len(ids) == len(set(ids))


def test_what_lies_on_the_ground_goes_to_someone(field: Stage) -> None:
    (sword,) = [item for item in field["f4"].items if item.name == "Rapier"]
    field.state = replace(field.state, ground=(replace(sword, place="ground", at=field["f4"].at),))
    field.edit("f4", items=tuple(item for item in field["f4"].items if item.id != sword.id))
    assert holdings(field)[""] == ["Rapier"]
    field.do("hand_out", items=[sword.id], to="f2")
    assert (field.state.ground, field["f2"].items[-1].at) == ((), None)
    assert read_log(field) == ["Okoro gets Rapier."]


def test_players_see_what_is_held_until_someone_is_searched(field: Stage) -> None:
    assert "Assault rifle" in open_things(field)
    assert "First aid kit" not in open_things(field)
    field.do("search", target="f3")
    assert "First aid kit" in open_things(field)
    field.refused("search", target="f3")
    field.refused("search", target="f1")


def test_players_ask_and_the_gm_decides(field: Stage) -> None:
    rifle, kit = (find_thing(field["f3"], name) for name in ("Assault rifle", "First aid kit"))
    for actor in ("f1", "f2"):
        field.do("ask_for", actor=actor, item=rifle)
    assert read_log(field) == ["Okoro asks for Assault rifle."]
    field.refused("ask_for", actor="f1", item=rifle)
    assert field.refused("ask_for", actor="f1", item=kit).code == "unknown", "nobody knows of it"
    field.do("hand_out", holder="f3", items=[rifle], to="f2")
    assert list(find_asks(field.state)) == []
    assert "Okoro has that now" in field.refused("ask_for", actor="f1", item=rifle).message


def test_gm_declines_and_players_take_back(field: Stage) -> None:
    rifle = find_thing(field["f3"], "Assault rifle")
    for actor in ("f1", "f2"):
        field.do("ask_for", actor=actor, item=rifle)
    field.do("decline_ask", target="f1", item=rifle)
    assert read_log(field) == ["Zara does not get Assault rifle."]
    field.do("ask_for", actor="f2", item=rifle, want=False)
    assert list(find_asks(field.state)) == []
    field.refused("decline_ask", target="f1", item=rifle)
    field.state = replace(field.state, phase="fight")
    field.refused("ask_for", actor="f1", item=rifle)


def test_what_is_left_behind_is_offered_to_nobody(field: Stage) -> None:
    rifle, kit = (find_thing(field["f3"], name) for name in ("Assault rifle", "First aid kit"))
    field.do("ask_for", actor="f1", item=rifle)
    facts = field.do("leave_items", holder="f3", items=[rifle, kit])
    assert "First aid kit" not in str(ZARA.select(facts)), "they have never seen it"
    assert read_log(field) == ["Assault rifle is left behind."]
    assert "Assault rifle" not in open_things(field)
    assert list(find_asks(field.state)) == []
    field.refused("leave_items", holder="f3", items=[rifle])
    field.do("hand_out", holder="f3", items=[rifle], to="f1")
    assert list(field.state.marks) == [f"left:{kit}"]


def test_money_is_shared_to_the_last_credit(field: Stage) -> None:
    field.do("share_money", holder="f3", to=["f1", "f2"])
    assert [count_money(field.system, field[who]) for who in ("f1", "f2", "f3")] == [121, 120, 0]
    assert read_log(field)[0] == "Zara gets 21 credits from Guard."
    field.do("share_money", amount=7, to=["f2"])
    assert count_money(field.system, field["f2"]) == 127
    for wrong in ({}, {"amount": 0}, {"holder": "f3"}, {"holder": "f3", "amount": 42}, {"amount": 10**10}):
        field.refused("share_money", to=["f1"], **wrong)
    said = field.refused("share_money", to=["f1"], amount=10**10).message
    assert said == "Share 1 to 1,000,000 credits.", "as much as a command may say"
    field.refused("share_money", amount=5, to=[])
    field.do("share_money", amount=1, to=["f1"])
    assert read_log(field)[0] == "Zara gets 1 credit."


def test_nothing_tells_of_someone_hidden(field: Stage) -> None:
    field.do("hide", target="f3")
    rifle = find_thing(field["f3"], "Assault rifle")
    assert open_things(field) == []
    assert field.refused("ask_for", actor="f1", item=rifle).code == "unknown"
    facts = field.do("hand_out", holder="f3", items=[rifle], to="f1")
    told = str(ZARA.select(facts))
    assert "Assault rifle" in told
    assert "f3" not in told
    assert "Guard" not in told
    assert read_log(field) == ["Zara gets Assault rifle."]


def test_game_without_money_shares_none() -> None:
    stage = Stage("guardians")
    stage.add("Ada", block="soldier", pc=True)
    assert "counts no money" in stage.refused("share_money", amount=5, to=["f1"]).message
