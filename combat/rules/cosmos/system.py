"""The declaration of the game: what the core needs to know of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from ..core.system import Pool, StatBlock, System, Track
from . import turn
from .catalogue import ACTIONS, FLOW
from .catalogue_world import TURN, WORLD
from .conditions import KINDS
from .creation import PLAN
from .damage import settle
from .demo import make_demo
from .helps import find_candidates
from .options import OPTIONS, SETTINGS
from .printed import print_tables
from .records import SpeciesAbilities
from .sheet import Sheet, find_health, make_combatant
from .shelf import CATALOGUE
from .tables import (
    CONCEALING_THINGS,
    COVER,
    COVER_OBJECTS,
    LIGHT_LEVELS,
    ROUND_SECONDS,
    TERRAIN,
    npcs,
    species,
    weapons,
)
from .tactics import answer_policy, suggest
from .wording import describe_fighter


def find_blocks() -> dict[str, StatBlock]:
    """The library of opponents: every stat block as a sheet."""
    return {block.id: _stat_block(block) for block in npcs().values()}


def _stat_block(block: Any) -> StatBlock:
    names = [weapons()[weapon].name for weapon in block.weapons]
    hp = 40 + 8 * block.attributes["MIG"] + 4 * block.attributes["RES"]
    summary = f"{block.hp} HP, Defense {block.defense}; {', '.join(names)}"
    return StatBlock(block.id, block.name, block.tier, summary, _block_sheet(block, block.hp - hp))


def _block_sheet(block: Any, extra_hp: int) -> dict[str, Any]:
    return {
        "name": block.name,
        "attributes": dict(block.attributes),
        "skills": dict(block.skills),
        "species": block.species,
        "size": block.size,
        "abilities": _abilities(block, extra_hp),
        "natural_armor": _natural_armor(block),
        "armor": block.armor,
        "shield": block.shield,
        "weapons": list(block.weapons),
        "gear": list(block.gear),
        "immune": list(block.immune),
        "tier": block.tier,
    }


def _abilities(block: Any, extra_hp: int) -> dict[str, Any]:
    """What the species adds, and the HP by which the printed block differs from the formula."""
    known = species().get(block.species)
    plain = msgspec.to_builtins(SpeciesAbilities())
    abilities = msgspec.to_builtins(known.abilities) if known else {}
    changed = {key: value for key, value in abilities.items() if value != plain[key]}
    changed.pop("hp", None)
    return {**changed, "hp": extra_hp} if extra_hp else changed


def _natural_armor(block: Any) -> int:
    return int(block.protection) if block.armor == "none" else 0


SYSTEM = System(
    slug="cosmos",
    name="Cosmos Engine",
    folder=Path(__file__).parent,
    sheet=Sheet,
    actions={action.name: action for action in (*ACTIONS, *TURN, *FLOW, *WORLD)},
    options=OPTIONS,
    settings=SETTINGS,
    pools=(
        Pool("standard", "Standard", 1, "COS-ACT-02"),
        Pool("move", "Move", 1, "COS-ACT-08"),
        Pool("quick", "Quick", 3, "COS-ACT-14"),
    ),
    tracks=(Track("hp", "HP"),),
    conditions=KINDS,
    covers=tuple((name, name.capitalize()) for name in COVER),
    lights=tuple((name, name.capitalize()) for name in LIGHT_LEVELS),
    terrains=tuple((tag, tag.capitalize()) for tag in (*TERRAIN, *COVER_OBJECTS, *CONCEALING_THINGS)),
    round_seconds=ROUND_SECONDS,
    make_combatant=make_combatant,
    find_blocks=find_blocks,
    health=find_health,
    facts_of=describe_fighter,
    settle=settle,
    enter=turn.enter,
    reseat=turn.reseat,
    policy=answer_policy,
    suggest=suggest,
    demo=make_demo,
    helps=find_candidates,
    tables=print_tables,
    sheets=PLAN,
    catalogue=CATALOGUE,
)
