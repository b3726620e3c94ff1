"""The declaration of the game: what the core needs to know of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from combat.rules.core.space.sight import POINT_COVERS
from combat.rules.core.state.state import Combatant, replace
from combat.rules.core.system import Pool, Seating, StatBlock, System, Track

from .actions.index import ACTIONS, FLOW, RULINGS
from .body.damage import settle
from .book.blurbs import BLURBS
from .book.options import OPTIONS, SETTINGS
from .book.records import NpcBlock
from .book.tables import (
    ATTACKS_PER_TURN,
    GROUNDS,
    MAX_DECLARED,
    POOL_METRES,
    ROUND_SECONDS,
    ZONE_METRES,
    npcs,
    weapons,
)
from .fight.rings import find_rings
from .pages.briefs import BRIEFS
from .pages.creation import PLAN
from .pages.demo import make_demo
from .pages.printed import print_tables
from .pages.wording import describe_fighter
from .people.catalogue import CATALOGUE
from .people.conditions import KINDS
from .people.sheet import Sheet, find_health, make_combatant
from .people.uses import find_uses
from .tactics.plans import suggest
from .tactics.suggestions import find_candidates
from .turn import rounds as turn
from .turn.seating_order import find_seats, find_way
from .world.lines import look
from .world.place import NEUTRAL, describe_way, has_hexes, measure, warn_of_zones


def find_blocks() -> dict[str, StatBlock]:
    """The library of opponents: every stat block as a sheet."""
    return {block.id: _stat_block(block) for block in npcs().values()}


def _stat_block(block: NpcBlock) -> StatBlock:
    names = dict.fromkeys(weapons()[weapon].name for weapon in block.weapons)
    summary = f"Armor {block.armor}, Resistance {block.resistance}; {', '.join(names)}"
    return StatBlock(block.id, block.name, block.group, summary, _block_sheet(block))


def _block_sheet(block: NpcBlock) -> dict[str, Any]:
    return {
        "name": block.name,
        "attributes": dict(block.attributes),
        "skills": list(block.skills),
        "weapons": list(block.weapons),
        "gear": list(block.items),
        "wears": block.wears,
        "natural_armor": block.natural_armor,
        "natural_resistance": block.natural_resistance,
        "immune": list(block.immune),
        "notes": list(block.notes),
    }


def find_likeness(fighter: Combatant) -> str:
    """What a fighter looks like: whoever has a hide or shell of their own is an alien."""
    return "alien" if fighter.sheet.get("natural_armor") or fighter.sheet.get("immune") else "person"


SYSTEM = System(
    slug="starshock",
    name="Star Shock",
    accent="lime",
    likeness=find_likeness,
    emblem="M13.5 2 5 13.5h6L9.5 22 19 10h-6.5z",
    folder=Path(__file__).parent,
    sheet=Sheet,
    actions={a.name: replace(a, text=BLURBS[a.name]) for a in (*ACTIONS, *FLOW, *RULINGS)},
    options=OPTIONS,
    settings=SETTINGS,
    pools=(
        Pool("actions", "Action", MAX_DECLARED, "SS-ACT-02"),
        Pool("attacks", "Attack", ATTACKS_PER_TURN, "SS-TURN-02"),
        Pool("metres", "Meter", POOL_METRES, "SS-MAP-06"),
    ),
    tracks=(Track("damage", "damage", 0, rises=True), Track("luck", "luck", 0)),
    conditions=KINDS,
    covers=(),
    wall_covers=POINT_COVERS,
    look=look,
    rings=find_rings,
    lights=(),
    terrains=tuple((row.id, row.name) for row in GROUNDS.values()),
    round_seconds=ROUND_SECONDS,
    make_combatant=make_combatant,
    find_blocks=find_blocks,
    health=find_health,
    briefs=BRIEFS,
    facts_of=describe_fighter,
    settle=settle,
    enter=turn.enter,
    suggest=suggest,
    demo=make_demo,
    suggestions=find_candidates,
    reseat=turn.reseat,
    seating=Seating("Clockwise from the GM", "seat", find_seats, find_way, "SS-INIT-04"),
    tables=print_tables,
    sheets=PLAN,
    catalogue=CATALOGUE,
    falls=("goes down", "stays conscious"),
    warn_scene=warn_of_zones,
    describe_way=describe_way,
    measure=measure,
    has_hexes=has_hexes,
    zone_metres=ZONE_METRES,
    uses=find_uses(),
    neutral=(NEUTRAL,),
    link_rule="SS-ZONE-05",
    property_rule="SS-ZONE-11",
)
