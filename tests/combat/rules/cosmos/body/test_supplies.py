"""Kits, patches, bandages, doses and spare magazines: their effects and limits."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.aftermath import make_aftermath
from combat.rules.core.state.state import replace
from tests.combat.rules.cosmos.figures import CosmosStage, lone, sheet, words
from tests.combat.rules.cosmos.plights import next_turn_of


def bedside(*gear: str, hp: int = 50, **more: Any) -> tuple[CosmosStage, str, str]:
    """Ada, Medicine 4, with this gear on her turn; Al beside her."""
    stage = CosmosStage(**more)
    ada = stage.hero(skills={"Medicine": 4}, gear=gear)
    al = stage.hero("Al", (1, 0))
    stage.set_track(al, hp=hp)
    stage.begin()
    return stage, ada, al


def use(stage: CosmosStage, who: str, entry: str, target: str) -> None:
    stage.do("apply", who, item=stage.item(who, entry).id, target=target)


def has_item(stage: CosmosStage, who: str, entry: str) -> bool:
    """Whether a combatant still has an item of this catalog entry."""
    return any(item.data.get("id") == entry for item in stage[who].items)


# ---------------------------------------------------------------- kits


@pytest.mark.rule("COS-DEATH-08", "COS-MED-01")
@pytest.mark.parametrize(("kit", "uses"), [("first_aid_kit", 10), ("healers_kit", 5), ("medical_kit", 10)])
def test_each_try_takes_a_use_of_the_kit_until_it_is_empty(kit: str, uses: int) -> None:
    stage, ada, al = bedside(kit)
    for left in range(uses, 0, -1):
        shown = stage.preview("first_aid", ada, target=al).modifiers
        assert stage.item(ada, kit).name in {words(term.label) for term in shown}, left
        stage.do("first_aid", ada, target=al, dice=[(1, 1)])
        assert has_item(stage, ada, kit) == (left > 1)
        stage.turn(ada)
    assert [words(term.label) for term in stage.preview("first_aid", ada, target=al).modifiers] == [
        "Intellect",
        "Half Medicine",
    ]


@pytest.mark.rule("COS-DEATH-08")
def test_a_kit_whose_uses_are_spent_helps_no_more() -> None:
    stage, ada, al = bedside("first_aid_kit")
    kit = stage.item(ada, "first_aid_kit")
    with_kit = stage.preview("first_aid", ada, target=al).modifiers
    stage.mark(ada, "first_aid_kit", used=10)
    assert kit.name in {words(term.label) for term in with_kit}
    bare = stage.preview("first_aid", ada, target=al).modifiers
    assert kit.name not in {words(term.label) for term in bare}


@pytest.mark.rule("COS-DEATH-08")
def test_a_second_kit_is_opened_when_the_first_is_empty() -> None:
    stage, ada, al = bedside("healers_kit")
    stage.mark(ada, "healers_kit", used=4)
    items = tuple(replace(i, count=2) if i.data["id"] == "healers_kit" else i for i in stage[ada].items)
    stage.edit(ada, items=items)
    stage.do("first_aid", ada, target=al, dice=[(1, 1)])
    kit = stage.item(ada, "healers_kit")
    assert (kit.count, kit.marks) == (1, {})


@pytest.mark.rule("COS-DEATH-08")
def test_first_aid_spares_the_medical_kit_if_another_kit_will_do() -> None:
    stage, ada, al = bedside("medical_kit", "first_aid_kit")
    stage.do("first_aid", ada, target=al, dice=[(1, 1)])
    assert stage.item(ada, "first_aid_kit").marks == {"used": 1}
    assert stage.item(ada, "medical_kit").marks == {}


@pytest.mark.rule("COS-MED-10")
def test_field_medicine_takes_a_use_and_an_empty_kit_is_useless() -> None:
    stage, ada, al = bedside("medical_kit", field_medicine_in_rounds=True)
    stage.mark(ada, "medical_kit", used=9)
    stage.do("field_medicine", ada, target=al, dice=[(4, 3)])
    assert not has_item(stage, ada, "medical_kit")
    stage.turn(ada)
    assert "needs a medical kit" in stage.refused("field_medicine", ada, target=al).message


@pytest.mark.rule("COS-DEATH-08", "COS-PROT-01")
def test_what_is_used_up_goes_home_with_the_sheet() -> None:
    stage = CosmosStage()
    kit = {"id": "i1", "kind": "medical", "entry": "first_aid_kit"}
    cy = stage.add("Cy", sheet=sheet(weapons=(), items=[kit]))
    stage.begin()
    stage.do("first_aid", cy, target=cy, dice=[(1, 1)])
    after = make_aftermath(stage.system, stage[cy])
    assert after.sheet["items"][0]["wear"] == {"used": 1}
    assert after.lines == ("First aid kit, uses gone: 0 → 1",)
    fresh = CosmosStage()
    again = fresh.add("Cy", sheet=after.sheet)
    assert fresh.item(again, "first_aid_kit").marks == {"used": 1}


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        ({"entry": "first_aid_kit"}, "First aid kit"),
        ({"record": {"name": "Leech jar"}}, "Leech jar"),
        ({"entry": "snake_oil"}, "snake_oil"),
    ],
)
def test_what_is_gone_is_named_on_the_way_home(thing: dict[str, Any], name: str) -> None:
    """By the catalogue, as a thing of their own, or by an entry that is not there any more."""
    stage = CosmosStage()
    kit = {"id": "i1", "kind": "medical"}
    cy = stage.add("Cy", sheet=sheet(weapons=(), items=[{**kit, "entry": "medical_kit"}]))
    stage.edit(cy, items=())
    after = make_aftermath(stage.system, stage[cy], sheet(weapons=(), items=[{**kit, **thing}]))
    assert after.lines == (f"{name}: yours → gone",)


# ---------------------------------------------------------------- bandages


@pytest.mark.rule("COS-COND-03")
def test_a_bandage_holds_back_bleeding_without_a_roll_or_a_hand() -> None:
    stage, ada, al = bedside("pressure_bandage")
    stage.give(al, "bleeding", level=2)
    use(stage, ada, "pressure_bandage", al)
    assert stage[ada].budget == {"standard": 1, "move": 0, "quick": 3}
    assert not has_item(stage, ada, "pressure_bandage")
    stage.place(ada, 30, 0)
    for _ in range(3):
        next_turn_of(stage, al)
        assert stage.hp(al) == 50
        stage.do("next_turn")


@pytest.mark.rule("COS-COND-03", "COS-COND-04")
def test_a_new_wound_bleeds_beside_the_bandage() -> None:
    stage, ada, al = bedside("pressure_bandage")
    stage.give(al, "bleeding", level=2)
    use(stage, ada, "pressure_bandage", al)
    stage.edit(
        al, conditions=tuple(replace(c, level=3) if c.kind == "bleeding" else c for c in stage[al].conditions)
    )
    next_turn_of(stage, al)
    assert stage.hp(al) == 49


@pytest.mark.rule("COS-COND-03")
def test_a_bandage_stays_when_someone_presses_as_well() -> None:
    stage, ada, al = bedside("pressure_bandage")
    stage.give(al, "bleeding")
    use(stage, ada, "pressure_bandage", al)
    stage.turn(ada)
    stage.do("press", ada, target=al)
    stage.turn(ada)
    stage.do("press", ada, target=al)
    assert [words(held.label) for held in stage[al].conditions] == ["Bleeding", "Bandaged", "Wound pressed"]


@pytest.mark.rule("COS-COND-03")
def test_time_may_pass_over_a_bandaged_wound_only() -> None:
    stage, ada, al = bedside("pressure_bandage")
    stage.give(al, "bleeding")
    assert "Al is bleeding" in stage.refused("pass_time", minutes=5).message
    use(stage, ada, "pressure_bandage", al)
    stage.do("pass_time", minutes=5)
    assert stage.hp(al) == 50


# ---------------------------------------------------------------- patches and doses


@pytest.mark.rule("COS-MED-03", "COS-DEATH-09")
def test_a_worn_patch_stabilizes_who_drops_one_time() -> None:
    stage, ada = lone(gear=("auto_stabilizer",))
    stage.begin()
    stage.do("adjust", target=ada, track="hp", to=-3)
    assert (stage.has(ada, "stable"), stage.has(ada, "dying"), stage.has(ada, "unconscious")) == (
        True,
        False,
        True,
    )
    assert not has_item(stage, ada, "auto_stabilizer")
    stage.do("adjust", target=ada, track="hp", by=-1)
    assert (stage.has(ada, "stable"), stage.has(ada, "dying")) == (False, True)


@pytest.mark.rule("COS-DEATH-11")
def test_a_patch_saves_nobody_from_instant_death() -> None:
    stage, ada = lone(gear=("auto_stabilizer",))
    stage.begin()
    stage.do("adjust", target=ada, track="hp", to=-6)
    assert stage.has(ada, "dead")
    assert has_item(stage, ada, "auto_stabilizer")


@pytest.mark.rule("COS-MED-03")
def test_a_patch_is_put_on_a_dying_comrade() -> None:
    stage, ada, al = bedside("auto_stabilizer", hp=-2)
    assert stage.refused("apply", ada, item=stage.item(ada, "auto_stabilizer").id, target=ada).message == (
        "Ada is not dying."
    )
    stage.give(al, "dying")
    use(stage, ada, "auto_stabilizer", al)
    assert (stage.has(al, "stable"), stage.has(al, "dying"), stage.hp(al)) == (True, False, -2)


@pytest.mark.rule("COS-MED-17", "COS-MED-19")
def test_a_dose_heals_at_once_in_a_fight_where_the_era_knows_it() -> None:
    stage, ada, al = bedside("nano_dose", hp=20)
    use(stage, ada, "nano_dose", al)
    assert stage.hp(al) == 96
    assert stage[ada].budget == {"standard": 1, "move": 0, "quick": 3}
    stage, ada, al = bedside("nano_dose", era="Industrial")
    refused = stage.refused("apply", ada, item=stage.item(ada, "nano_dose").id, target=al)
    assert refused.message == "Nano-medicine dose belongs to the Stellar era."


@pytest.mark.rule("COS-COND-03")
def test_what_does_nothing_by_itself_is_refused() -> None:
    stage, ada, al = bedside("first_aid_kit", "pressure_bandage")
    assert (
        stage.refused("apply", ada, item=stage.item(ada, "first_aid_kit").id, target=al).code == "bad_value"
    )
    bandage = stage.item(ada, "pressure_bandage").id
    assert stage.refused("apply", ada, item=bandage, target=al).message == "Al does not bleed."
    stage.place(al, 5, 0)
    assert stage.refused("apply", ada, item=bandage, target=al).code == "out_of_range"
    assert [option.label for option in stage.form("apply", ada)["item"].options] == ["Pressure bandage"]
    stage.turn(al)
    assert stage.obstacle("apply", al) == "Al carries no bandage, patch or dose."


# ---------------------------------------------------------------- magazines


@pytest.mark.rule("COS-ACT-13", "COS-ATK-11")
def test_a_carried_magazine_refills_what_takes_one() -> None:
    stage, ada = lone(weapons=("pistol", "bow"), gear=("spare_magazine",), spares=0)
    stage.draw_all(ada)
    stage.begin()
    for entry in ("pistol", "bow"):
        item = stage.item(ada, entry)
        items = tuple(replace(i, loaded=0, spares=0) if i.id == item.id else i for i in stage[ada].items)
        stage.edit(ada, items=items)
    assert "No spare magazine" in stage.refused("reload", ada, item=stage.item(ada, "bow").id).message
    stage.do("reload", ada, item=stage.item(ada, "pistol").id)
    assert stage.item(ada, "pistol").loaded == 15
    assert not has_item(stage, ada, "spare_magazine")
