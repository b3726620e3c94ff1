"""Ready characters and stat blocks have the skill that each of their weapons asks for in its usual use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from characters.creation import builder
from characters.games import plan_of
from combat.rules import find_system
from combat.rules.cepheus.characters.machinery import find_skilled
from combat.rules.cepheus.characters.values import find_skill
from combat.rules.cepheus.fight.aim import MELEE_TYPES, find_weapon_skill
from combat.rules.cepheus.fight.weapons import read_arm
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import Combatant, Item, State
from combat.rules.cosmos.characters.sheet import skill
from combat.rules.starshock.book.tables import npcs
from combat.rules.starshock.characters.sheet import has_skill, read_weapon
from tests.combat.rules.games import WITH_ARCHETYPES
from tests.combat.rules.stage import Stage

# Those who have not learned their weapon, and why
UNTRAINED = {
    "bystander": "no fighter",
    "suicide_bomber": "nobody taught them to fight: they carry a charge",
    # Skills as their page has them; in Star Shock nobody is worse for lacking one
    **dict.fromkeys(
        ("smuggler", "black_market_broker", "hacker", "gang_leader", "strike_officer"),
        "the skills of their page",
    ),
}
Fits = Callable[[State, Combatant, Item], bool]


def fits_cosmos(state: State, combatant: Combatant, item: Item) -> bool:
    """Combat is the skill of all weapons."""
    return skill(combatant, "Combat") > 0


def fits_cepheus(state: State, combatant: Combatant, item: Item) -> bool:
    """Level 0 at least: without the skill, −3."""
    arm = read_arm(item)
    types = arm.range_types
    mode = "ranged" if set(types) - MELEE_TYPES - {"thrown"} else "melee"
    wanted = find_weapon_skill(combatant, arm, mode)
    return find_skill(find_skilled(state, combatant), wanted) >= 0


def fits_starshock(state: State, combatant: Combatant, item: Item) -> bool:
    """+1 with the skill."""
    weapon = read_weapon(item)
    return not weapon.skills or bool(has_skill(combatant, *weapon.skills))


def fits_guardians(state: State, combatant: Combatant, item: Item) -> bool:
    """Any ranks: a roll at 0 always fails."""
    return int(combatant.sheet["ranks"].get(item.data["skill"], 0)) > 0


FITS: dict[str, Fits] = {
    "cosmos": fits_cosmos,
    "cepheus": fits_cepheus,
    "cepheus_quick": fits_cepheus,
    "starshock": fits_starshock,
    "guardians": fits_guardians,
}


def enter(system: System, listed: set[str], **what: Any) -> tuple[State, Combatant, list[Item]]:
    """Someone in a fight of their own, with the weapons that their list names."""
    stage = Stage(system)
    stage.do("join", name="Ada", side="allies", **what)
    (combatant,) = stage.state.combatants.values()
    items = [item for item in combatant.items if item.kind == "weapon" and item.data.get("id") in listed]
    return stage.state, combatant, items


def find_archetypes(system: System) -> Iterator[tuple[str, State, Combatant, list[Item]]]:
    for one in plan_of(system).creation.archetypes:
        _, sheet = builder.finish(builder.begin_as(system, one, one.names[0]))
        listed = {name for kind, _, name in (item.partition(":") for item in one.items) if kind == "weapon"}
        yield one.id, *enter(system, listed, sheet=sheet)


def find_blocks(system: System) -> Iterator[tuple[str, State, Combatant, list[Item]]]:
    for key, block in system.book.find_blocks().items():
        yield key, *enter(system, set(block.sheet.get("weapons", ())), block=key)


@pytest.mark.parametrize("find", [find_archetypes, find_blocks])
@pytest.mark.parametrize("slug", FITS)
def test_weapons_of_the_ready_fit_a_skill_of_theirs(
    slug: str, find: Callable[[System], Iterator[tuple[str, State, Combatant, list[Item]]]]
) -> None:
    system, armed, unfit = find_system(slug), 0, list[tuple[str, str]]()
    for who, state, combatant, items in find(system):
        armed += bool(items)
        unfit += [(who, item.data["id"]) for item in items if not FITS[slug](state, combatant, item)]
    assert armed
    assert [(who, item) for who, item in unfit if who not in UNTRAINED] == []


def test_every_game_has_its_skills_here() -> None:
    assert set(FITS) == set(WITH_ARCHETYPES)


def test_npcs_limited_to_their_pages_skills_have_no_house_skills() -> None:
    rows = npcs()
    pages = [rows[who] for who, why in UNTRAINED.items() if why == "the skills of their page"]
    assert all(row.origin.startswith("game") and "skills" not in row.house_fields for row in pages)
