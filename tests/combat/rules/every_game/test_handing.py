"""Handing over in every game: nothing is doubled or lost, it has its price, and it goes home to sheets."""

from __future__ import annotations

import pytest

from combat.rules import SYSTEMS, find_system
from combat.rules.core.aftermath import make_aftermath
from combat.rules.core.commands.commands import find_refusal
from combat.rules.core.engine.engine import find_action
from combat.rules.core.gm.handing import COINS, SPARE
from combat.rules.core.gm.loot import MONEY, can_part
from combat.rules.core.sheets.sheets import blank_draft
from combat.rules.core.state.state import Combatant, Item, replace
from tests.combat.rules.stage import Stage

ADA, BO, CY = "f1", "f2", "f3"
games = pytest.mark.parametrize("slug", [slug for slug in SYSTEMS if find_system(slug).book.catalogue])


def find_record(slug: str) -> tuple[str, str]:
    """An entry of the catalogue that is no weapon, as the GM gives it."""
    catalogue = find_system(slug).book.catalogue
    assert catalogue
    entry = next(
        one for one in catalogue.find_entries() if one.kind not in ("weapon", "armor", "shield", "mount")
    )
    return f"{entry.kind}/{entry.id}", entry.name


def meet(slug: str) -> Stage:
    """Ada with three of a thing beside Bo, both allies, and Cy out of reach, on Ada's turn."""
    stage = Stage(slug)
    for name, x in (("here", 0), ("there", 90)) if slug == "starshock" else ():
        stage.zone(name, x=x - 2, y=-2, width=5, depth=5)
    plan = stage.system.book.sheets
    assert plan
    sheet = plan.write({}, blank_draft(plan))
    for name, x in (("Ada", 0), ("Bo", 1), ("Cy", 90)):
        stage.add(name, at=(x, 0), sheet={**sheet, "name": name})
    stage.begin(ADA, BO, CY)
    stage.do("give_item", target=ADA, entry=find_record(slug)[0], count=3)
    if stage.system.actions.by_name.get("declare"):
        stage.do("declare", ADA, actions=3)
    return stage


def piles(one: Combatant, name: str) -> list[int]:
    return [item.count for item in one.items if item.name == name]


@games
def test_a_part_of_a_pile_passes_for_the_price(slug: str) -> None:
    stage, (_, name) = meet(slug), find_record(slug)
    given = next(item for item in stage[ADA].items if item.name == name)
    before = stage[ADA].budget
    stage.do("pass_item", ADA, item=given.id, target=BO, count=2)
    assert (piles(stage[ADA], name), piles(stage[BO], name)) == ([1], [2])
    assert stage[ADA].budget != before
    assert stage.rules() & {find_action(stage.system, "pass_item").rule}
    stage.turn(ADA)
    if stage.system.actions.by_name.get("declare"):
        stage.edit(ADA, marks={})
        stage.do("declare", ADA, actions=3)
    stage.do("pass_item", ADA, item=given.id, target=BO)
    assert (piles(stage[ADA], name), piles(stage[BO], name)) == ([], [2, 1])


@games
def test_what_passed_goes_home_to_the_sheet_of_the_other(slug: str) -> None:
    stage, (_, name) = meet(slug), find_record(slug)
    given = next(item for item in stage[ADA].items if item.name == name)
    stage.do("pass_item", ADA, item=given.id, target=BO, count=1)
    home = make_aftermath(stage.system, stage[BO], dict(stage[BO].sheet))
    assert [change.label for change in home.changes if change.path[0] == "items"] == [name]


@games
def test_who_is_out_of_reach_or_on_the_other_side_gets_nothing(slug: str) -> None:
    stage = meet(slug)
    given = stage[ADA].items[-1].id
    assert stage.refused("pass_item", ADA, item=given, target=CY).code == "out_of_range"
    assert stage.refused("pass_item", ADA, item=given, target=ADA).code == "bad_target"
    assert "Hand over 1 to 3." in stage.refused("pass_item", ADA, item=given, target=BO, count=4).message
    assert stage.refused("pass_item", ADA, item=given, target=BO, count=0).code == "bad_value"
    stage.edit(CY, side="enemies")
    assert "not on your side" in stage.refused("pass_item", ADA, item=given, target=CY).message
    stage.edit(BO, side="enemies")
    assert stage.obstacle("pass_item", ADA) == "Nobody of your side is here."


@games
def test_the_form_opens_with_what_is_done(slug: str) -> None:
    stage = meet(slug)
    action = find_action(stage.system, "pass_item")
    assert find_refusal(action, stage.state, ADA) is None
    fields = {field.name: field.value for field in action.find_fields(stage.state, ADA)}
    assert fields["target"] == BO
    stage.do("pass_item", ADA, **{key: value for key, value in fields.items() if value != ""})


@games
def test_a_part_of_the_body_stays(slug: str) -> None:
    stage = meet(slug)
    fixed = [item for item in stage[ADA].items if not can_part(stage.system, item)]
    for item in fixed:
        assert "part of its owner" in stage.refused("pass_item", ADA, item=item.id, target=BO).message


@pytest.mark.parametrize("slug", ["cosmos", "starshock", "cepheus", "cepheus_quick"])
def test_money_passes_once(slug: str) -> None:
    stage = meet(slug)
    plan = stage.system.book.sheets
    assert plan
    assert plan.money
    for who in (ADA, BO):
        stage.edit(who, sheet={**stage[who].sheet, plan.money.key: 100})
    assert stage.refused("pass_item", ADA, item=COINS, target=BO, count=101).code == "bad_value"
    stage.do("pass_item", ADA, item=COINS, target=BO, count=30)
    assert (stage[ADA].marks[MONEY], stage[BO].marks[MONEY]) == (-30, 30)


def test_a_magazine_goes_to_who_has_the_same_rifle() -> None:
    stage = meet("cepheus")
    rifle = Item("r", "weapon", "Rifle", data={"id": "rifle"}, loaded=3, spares=2)
    stage.edit(ADA, items=(replace(rifle, id="f1-9"),))
    assert "has no Rifle" in stage.refused("pass_item", ADA, item=f"f1-9{SPARE}", target=BO).message
    stage.edit(BO, items=(replace(rifle, id="f2-9", spares=0),))
    stage.do("pass_item", ADA, item=f"f1-9{SPARE}", target=BO, count=2)
    assert [stage[who].items[0].spares for who in (ADA, BO)] == [0, 2]
