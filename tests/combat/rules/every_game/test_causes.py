"""Refusals name the cause, not its consequence: every action of every game under every condition."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.commands import Action, find_refusal
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.space import Point
from combat.rules.core.state.state import Combatant, Item, replace
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.games import every_game, find_game, set_up
from tests.combat.rules.stage import Stage
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage


def own_actions(system: System) -> list[Action]:
    return [action for action in system.actions.by_name.values() if action.who != "gm"]


def reasons(stage: Stage, who: str) -> dict[str, str]:
    """Why each action is refused to a combatant, by its name."""
    found = {action.name: find_refusal(action, stage.state, who) for action in own_actions(stage.system)}
    return {name: refused.message for name, refused in found.items() if refused}


def under_way(system: System) -> tuple[Stage, str]:
    stage = set_up(system)
    stage.begin()
    return stage, stage.state.active


def spend_all(stage: Stage, who: str) -> None:
    stage.edit(who, budget=dict.fromkeys(stage[who].budget, 0))


@every_game
def test_the_cause_stays_the_reason_when_the_budget_is_empty(system: System) -> None:
    for kind in system.characters.conditions:
        stage, who = under_way(system)
        usual = reasons(stage, who)
        stage.give(who, kind, by=next(w for w in stage.state.combatants if w != who))
        cause = {name: why for name, why in reasons(stage, who).items() if usual.get(name) != why}
        spend_all(stage, who)
        empty = reasons(stage, who)
        assert {name: empty.get(name) for name in cause} == cause, (
            f"Under {kind} an empty budget hides the cause: put the check of the budget last in actions.py"
        )


@every_game
def test_every_refusal_is_a_sentence_of_its_own(system: System) -> None:
    for kind in ("", *system.characters.conditions):
        stage, who = under_way(system)
        if kind:
            stage.give(who, kind)
        spend_all(stage, who)
        for why in reasons(stage, who).values():
            assert why.endswith("."), why
            assert why[:1].isupper(), why
            assert len(why.split()) <= 17, why


def _bars(system: System, combatant: Combatant) -> bool:
    return system.characters.health(combatant).is_out


@every_game
def test_who_is_out_hears_that_first_whoever_acts(system: System) -> None:
    for kind in system.characters.conditions:
        stage, who = under_way(system)
        stage.give(who, kind)
        if not _bars(system, stage[who]):
            continue
        own = reasons(stage, who)
        other = next(w for w in stage.state.combatants if w != who)
        stage.turn(other)
        assert {name: reasons(stage, who)[name] for name in own} == own
        assert not any("turn" in why for why in own.values()), kind


WITHOUT_THINGS = {
    "cosmos": {
        "draw": "There is nothing to draw.",
        "reload": "Nothing here takes rounds.",
        "overwatch": "There is nothing to shoot with.",
    },
    "starshock": {
        "use_consumable": "There is nothing to take or give.",
        "use_device": "There is no device to use.",
        "reload": "Nothing here takes rounds.",
    },
    "guardians": {
        "draw": "There is nothing to draw.",
        "put_away": "The hands are empty.",
        "let_go": "The hands are empty.",
    },
    "cepheus": {"reload": "Nothing here takes rounds.", "drop": "The hands are empty."},
}


@pytest.mark.parametrize("slug", WITHOUT_THINGS)
def test_what_takes_a_thing_is_refused_to_those_who_have_none(slug: str) -> None:
    stage, who = under_way(find_game(slug))
    stage.edit(who, items=())
    stage.state = replace(stage.state, ground=())
    says = WITHOUT_THINGS[slug]
    assert {name: stage.obstacle(name, who) for name in says} == says


# ---------------------------------------------------------------- one test per cause


def cosmos(*weapons: str) -> CosmosStage:
    stage = CosmosStage()
    stage.hero("Ada", weapons=weapons or ("pistol",))
    stage.foe("Bo", at=(1, 0))
    return stage.begin()


@pytest.mark.rule("COS-COND-31")
def test_the_stunned_hear_that_the_stun_took_their_action() -> None:
    stage = cosmos()
    stage.give(ADA, "stunned")
    stage.edit(ADA, budget={"standard": 0, "move": 1, "quick": 3})
    for name in ("attack", "first_aid", "full_move", "overwatch"):
        assert stage.obstacle(name, ADA) == "Stunned: no Standard Action this turn."
    assert not stage.obstacle("move", ADA)
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"))
    assert (refused.code, refused.message) == ("not_allowed", "Stunned: no Standard Action this turn.")


@pytest.mark.rule("COS-ACT-10")
def test_a_fallen_weapon_is_refused_with_where_it_lies() -> None:
    stage = cosmos("pistol")
    pistol = stage.weapon(ADA, "pistol")
    stage.do("drop", ADA, item=pistol)
    stage.place(ADA, 0, 4)
    says = "Pistol lies on the ground 4 m away: pick it up first."
    for name, more in (("attack", {"target": BO, "weapon": pistol}), ("reload", {"item": pistol})):
        assert stage.refused(name, ADA, **more).message == says
    offered = {option.value: option.refused for option in stage.form("attack", ADA)["weapon"].options}
    assert offered[pistol] == says
    lying = stage.form("pick_up", ADA)["item"].options
    assert [option.refused for option in lying] == ["Out of reach: Pistol lies 4 m away."]
    assert stage.refused("attack", BO, target=ADA, weapon=pistol).code == "not_your_turn"


@pytest.mark.rule("COS-ACT-10")
def test_what_someone_else_lost_is_not_told_of() -> None:
    stage = cosmos("pistol")
    pistol = stage.weapon(ADA, "pistol")
    stage.do("drop", ADA, item=pistol)
    stage.turn(BO)
    refused = stage.refused("attack", BO, target=ADA, weapon=pistol)
    assert (refused.code, refused.message) == ("unknown", "Bo does not have that item.")
    assert pistol not in {option.value for option in stage.form("attack", BO)["weapon"].options}


@pytest.mark.rule("COS-ATK-11")
def test_a_form_greys_an_empty_weapon() -> None:
    stage = cosmos("pistol")
    stage.edit(ADA, items=tuple(_emptied(item) for item in stage[ADA].items))
    offered = {option.value: option.refused for option in stage.form("attack", ADA)["weapon"].options}
    assert offered[stage.weapon(ADA, "pistol")] == "Pistol is empty: reload it (Move Action)."


def _emptied(item: Item) -> Item:
    return replace(item, loaded=0) if item.loaded else item


def star(actions: int | None) -> StarStage:
    stage = StarStage("dock", "hold")
    stage.hero("Ada", "dagger", "needle_gun", zone="dock")
    stage.foe("Bo", zone="dock")
    stage.hero("Cy", zone="dock")
    return stage.begin(ADA, BO, CY, actions=actions)


@pytest.mark.rule("SS-ACT-03")
def test_none_declared_is_told_apart_from_none_left() -> None:
    stage = star(0)
    assert stage.obstacle("move", ADA) == "No action declared for this turn; Move takes one."
    stage = star(1)
    stage.do("block", ADA)
    assert stage.obstacle("move", ADA) == "No action left this turn; Move takes one."


@pytest.mark.rule("SS-ATK-01")
def test_a_weapon_in_another_zone_is_refused_with_how_far() -> None:
    stage = star(3)
    stage.hold(ADA, "dagger")
    dagger = stage.item(ADA, "dagger")
    stage.edit(ADA, items=tuple(item for item in stage[ADA].items if item.id != dagger.id))
    stage.state = replace(stage.state, ground=(replace(dagger, at=Point(*stage.spot("hold"))),))
    says = "Dagger lies on the ground 1 zone away: pick it up first."
    assert stage.refused("attack", ADA, target=BO, weapon=dagger.id).message == says
    action = find_action(stage.system, "attack")
    (weapon,) = [field for field in action.find_fields(stage.state, ADA) if field.name == "weapon"]
    assert says in {option.refused for option in weapon.options}


# ---------------------------------------------------------------- items, wherever they are

PLACES = ("held", "carried", "worn", "ground")
with_things = pytest.mark.parametrize(
    "make", [lambda: cosmos("pistol", "club", "grenade"), lambda: star(3)], ids=["cosmos", "starshock"]
)


def things_of(stage: Stage, who: str) -> list[Item]:
    """The items that can be lost: not parts of the body."""
    return [i for i in stage[who].items if i.kind == "weapon" and "natural" not in i.data.get("traits", ())]


def put_things(stage: Stage, who: str, place: str, empty: bool) -> tuple[str, ...]:
    """Put all weapons of a combatant somewhere; on the ground that is 4 m off. Return their ids."""
    things = things_of(stage, who)
    moved = [replace(_emptied(i) if empty else i, place=place) for i in things]
    rest = tuple(i for i in stage[who].items if i not in things)
    if place == "ground":
        at = replace(stage[who].at, x=stage[who].at.x + 4)
        stage.state = replace(stage.state, ground=tuple(replace(i, at=at) for i in moved))
        moved = []
    stage.edit(who, items=(*moved, *rest))
    return tuple(i.id for i in things)


@with_things
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("empty", [False, True])
def test_every_choice_greyed_in_a_form_says_why_in_a_sentence(make: Any, place: str, empty: bool) -> None:
    stage = make()
    put_things(stage, ADA, place, empty)
    for action in own_actions(stage.system):
        for field in action.find_fields(stage.state, ADA):
            for option in field.options:
                assert not option.refused or option.refused.endswith((".", " is dead")), option.refused
                assert "does not have that item" not in option.refused


@with_things
def test_every_action_with_a_fallen_thing_says_where_it_lies(make: Any) -> None:
    stage = make()
    fallen = put_things(stage, ADA, "ground", empty=False)
    seen = set()
    for action in own_actions(stage.system):
        named = {"weapon", "item"} & set(action.type.__struct_fields__)
        if not named or action.name == "pick_up" or find_refusal(action, stage.state, ADA):
            continue
        data = {
            "at": f"near:{BO}",
            "to": f"near:{BO}",
            "target": BO,
            "what": "x",
            **dict.fromkeys(named, fallen[0]),
        }
        fits = {name: value for name, value in data.items() if name in action.type.__struct_fields__}
        says = stage.refused(action.name, ADA, **fits).message
        assert " lies on the ground " in says, action.name
        seen.add(action.name)
    assert {"attack", "reload"} <= seen
