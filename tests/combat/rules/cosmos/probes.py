"""What the game does in play with a record, so that another figure in it is noticed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import Answer, ChoiceRequest, Request, answer_choice, answer_roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.sheets.sheets import Draft
from combat.rules.cosmos.book.tables import Ability, Creation, DrugEffect, Limits, Species, Trait
from combat.rules.cosmos.characters.catalogue import count_hands, effect_columns
from combat.rules.cosmos.characters.sheet import find_abilities
from combat.rules.cosmos.dice import check_terms
from combat.rules.cosmos.hazards.protection import hazard_terms
from combat.rules.cosmos.sheet import find_budgets, make_plan
from tests.combat.rules.cosmos.figures import CosmosStage

HIT = (9, 9)  # no critical
SAVED = (5, 4)  # with Might or Coordination 5 just enough against 14


class Even:
    """Answers every roll with the same dice, and every question as usual."""

    def answer(self, context: RuleContext, request: Request) -> Answer:
        if isinstance(request, ChoiceRequest):
            return answer_choice(request, request.default, "gm")
        dice = parse_dice(request.dice)
        other = SAVED if dice.sides == 10 else (4,) * dice.count
        return answer_roll(request, HIT if request.rule == "COS-ATK-01" else other, "table")


def try_to(stage: CosmosStage, name: str, /, **fields: Any) -> Any:
    """The facts of a command, or the words of its refusal."""
    action = find_action(stage.system, name)
    try:
        done = run(stage.system, stage.state, action, command=read_command(action, fields), driver=Even())
    except Refused as refused:
        return refused.message
    assert isinstance(done, Done)
    stage.state = done.state
    return done.facts


# ---------------------------------------------------------------- traits


def arm(weapon: str, trait: Trait, might: int = 5) -> tuple[CosmosStage, str, str]:
    """A stage with a weapon that has this trait alone, at a table with one attack an action."""
    stage = CosmosStage(max_attacks=1)
    one = stage.hero(weapons=(weapon,), attributes={"MIG": might})
    other = stage.foe(at=(1, 0), weapons=())
    stage.change(one, weapon, traits=[trait.id], damage="2d6", radius_m=5)
    stage.begin()
    return stage, one, other


def strike(trait: Trait, **fields: Any) -> Any:
    """An attack with a pistol, the rounds it takes, and what the next two rounds allow."""
    stage, one, other = arm("pistol", trait)
    weapon = stage.weapon(one, "pistol")
    told = try_to(stage, "attack", actor=one, target=other, weapon=weapon, **fields)
    after = [find_sums(stage, one, other, wait=6) for _ in range(2)]
    return told, stage.item(one, "pistol").loaded, after


def find_sums(stage: CosmosStage, one: str, other: str, wait: int = 0) -> Any:
    """The sums of an attack so many seconds later, or why there is none."""
    stage.wait(wait)
    stage.turn(one)
    try:
        return stage.preview("attack", one, target=other, weapon=stage.weapon(one, "pistol"))
    except Refused as refused:
        return refused.message


def play_trait(trait: Trait) -> list[Any]:
    """What a weapon and armor with a trait of the book do."""
    manners: tuple[dict[str, Any], ...] = ({}, {"burst": True}, {"attacks": 3}, {"attacks": 4})
    strikes = [strike(trait, **manner) for manner in manners]
    users = [find_sums(*arm("pistol", trait, might)) for might in (2, 3, 4)]
    return [*strikes, *users, carry(trait), burst_over(trait), wear(trait)]


def carry(trait: Trait) -> Any:
    """How many hands the weapon takes, beside a shield in one."""
    stage = CosmosStage()
    one, other = stage.hero(weapons=("pistol",), shield="buckler"), stage.foe(at=(1, 0))
    stage.change(one, "pistol", traits=[trait.id])
    return count_hands(stage.item(one, "pistol")), find_sums(stage, one, other)


def burst_over(trait: Trait) -> Any:
    stage, one, other = arm("pistol", trait)
    return try_to(stage, "blast", actor=one, weapon=stage.weapon(one, "pistol"), at=f"near:{other}")


def wear(trait: Trait) -> Any:
    stage = CosmosStage()
    one = stage.hero(armor="light")
    stage.change(one, "light", traits=[trait.id])
    return hazard_terms(stage.state, stage[one], "toxic")


# ---------------------------------------------------------------- people


def make_character(_: Limits | Creation) -> Any:
    """The steps of a new character and its points."""
    plan = make_plan()
    draft = Draft(
        attributes={"INT": 7}, skills={"Combat": 3}, chosen={"species": "terran", "career": "military"}
    )
    return plan.attributes, plan.skills, plan.money, find_budgets(draft)


def heal_a_day(species: Species) -> Any:
    """A day of rest, and the gift of a species with the time it takes."""
    stage = CosmosStage()
    one = stage.hero(species=species.id, abilities=find_abilities(species))
    other = stage.hero("Cy", at=(1, 0))
    for who in (one, other):
        stage.set_track(who, hp=50)
    rested = try_to(stage, "rest", kind="full", days=1)
    gift = try_to(stage, "treat", by=one, target=other, method="gift")
    return rested, gift, stage.state.clock


def limit_own_drugs(_: DrugEffect) -> Any:
    """What the form of one's own drug allows."""
    return effect_columns()


def sneak(row: Ability) -> Any:
    """A check with the skill of an ability, in bright light and in darkness."""
    stage = CosmosStage()
    one = stage.hero(abilities={row.id: 2})
    sums = []
    for light in ("bright", "dark"):
        stage.do("set_setting", key="light", value=light)
        sums.append(check_terms(stage.state, stage[one], "COO", row.skill))
    return sums


PROBES: dict[str, Callable[[Any], Any]] = {
    "drug_effects": limit_own_drugs,
    "abilities": sneak,
    "traits": play_trait,
    "limits": make_character,
    "creation": make_character,
    "species": heal_a_day,
}
