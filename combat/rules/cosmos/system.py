"""The declaration of the game for the core."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from combat.rules.core.declaration.actions import Actions
from combat.rules.core.declaration.book import Book, Imports, StatBlock, load_people_names, load_ready_fights
from combat.rules.core.declaration.characters import Characters, Track
from combat.rules.core.declaration.demo import Demos
from combat.rules.core.declaration.look import Look
from combat.rules.core.declaration.space import Space, Zones
from combat.rules.core.declaration.system import System
from combat.rules.core.declaration.tactics import Tactics
from combat.rules.core.declaration.turn import Passing, Turn
from combat.rules.core.state.state import Combatant

from .actions import ACTIONS
from .body.damage import after_change
from .body.revival import OUT, find_least, other_outcomes
from .book.options import OPTIONS, POOLS, SETTINGS
from .book.tables import (
    CONCEALING_THINGS,
    COVER,
    COVER_OBJECTS,
    LIGHT_LEVELS,
    ROUND_SECONDS,
    TERRAIN,
    creatures,
    npcs,
    species,
    weapons,
)
from .characters.catalogue import CATALOGUE
from .characters.conditions import KINDS
from .characters.sheet import (
    USES,
    Sheet,
    find_abilities,
    find_health,
    is_conscious,
    make_combatant,
    max_hp,
    set_health,
)
from .demo import make_boarding, make_demo
from .fight.holds import end_out_of_reach, find_pressing
from .fight.overwatch import RULE as OVERWATCH
from .fight.weapons import find_rings
from .hazards.ground import arrive
from .move.movement import check_way
from .printed import print_tables
from .sheet.creation import PLAN
from .sheet.wording import describe_combatant
from .tactics.plans import find_candidates, suggest
from .time.clock import expire, find_next_end
from .time.downtime import INTERLUDES
from .turn import initiative
from .world.heights import describe_way, measure
from .world.reach import describe_far
from .world.sight_lines import look


def _stat_block(block: Any) -> StatBlock:
    names = [weapons()[weapon].name for weapon in block.weapons]
    hp = 40 + 8 * block.attributes["MIG"] + 4 * block.attributes["RES"]
    summary = f"{block.hp} HP, Defense {block.defense}; {', '.join(names)}"
    return StatBlock(
        block.id, block.name, block.tier, summary=summary, sheet=_block_sheet(block, block.hp - hp)
    )


def _block_sheet(block: Any, extra_hp: int) -> dict[str, Any]:
    return {
        "name": block.name,
        "attributes": dict(block.attributes),
        "skills": dict(block.skills),
        "species": block.species,
        "size": block.size,
        "abilities": _abilities(block, extra_hp),
        "natural_armor": int(block.protection) if block.armor == "none" else 0,
        "armor": block.armor,
        "shield": block.shield,
        "weapons": list(block.weapons),
        "gear": list(block.gear),
        "immune": list(block.immune),
        "tier": block.tier,
    }


def _abilities(block: Any, extra_hp: int) -> dict[str, Any]:
    """The abilities of the species, and the HP by which the printed block differs from the formula."""
    known = species().get(block.species)
    changed = find_abilities(known) if known else {}
    changed.pop("hp", None)
    return {**changed, "hp": extra_hp} if extra_hp else changed


def find_appearance(combatant: Combatant) -> str:
    """The look of a combatant: that of its species; an unknown one is an alien."""
    name = str(combatant.sheet.get("species", ""))
    row = species().get(name) or creatures().get(name)
    return row.look if row else "alien"


CHARACTERS = Characters(
    sheet=Sheet,
    make_combatant=make_combatant,
    health=find_health,
    can_fight=lambda state, combatant: is_conscious(combatant),
    facts_of=describe_combatant,
    tracks=(Track("hp", "HP", most=lambda state, combatant: max_hp(combatant)),),
    conditions=KINDS,
    own_conditions=KINDS.own,
    uses=USES,
)
TURNS = Turn(
    pools=POOLS,
    round_seconds=ROUND_SECONDS,
    enter=initiative.enter,
    after_change=after_change,
    after_moves=end_out_of_reach,
    reseat=initiative.reseat,
    arrive=arrive,
    passing=Passing(
        after_time=lambda context, rounds: expire(context), find_due=find_next_end, interludes=INTERLUDES
    ),
    keeps_turn=("delaying",),
)
SPACE = Space(
    covers=tuple((name, name.capitalize()) for name in COVER),
    wall_covers=(("light", "Light"), ("heavy", "Heavy")),
    lights=tuple((name, name.capitalize()) for name in LIGHT_LEVELS),
    terrains=tuple((tag, tag.capitalize()) for tag in (*TERRAIN, *COVER_OBJECTS, *CONCEALING_THINGS)),
    doors=True,
    measure=measure,
    sight=look,
    rings=find_rings,
    zones=Zones(
        describe_way=describe_way, describe_far=describe_far, check_way=check_way, weightless="zero-g"
    ),
)
BOOK = Book(
    options=OPTIONS,
    settings=SETTINGS,
    tables=print_tables,
    find_blocks=lambda: {block.id: _stat_block(block) for block in npcs().values()},
    sheets=PLAN,
    catalogue=CATALOGUE,
    imports=Imports(set_health=set_health, people_names=load_people_names(Path(__file__).parent)),
    fights=load_ready_fights(Path(__file__).parent),
)
LOOK = Look(
    accent="teal",
    emblem="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM2.5 15.5C5 20 19 11 21.5 8.5",
    gist="2d10 and Hit Points",
    appearance=find_appearance,
    silent_lines=frozenset({"why.dead"}),
)

SYSTEM = System(
    slug="cosmos",
    name="Cosmos Engine",
    folder=Path(__file__).parent,
    characters=CHARACTERS,
    turn=TURNS,
    space=SPACE,
    actions=Actions(
        by_name=ACTIONS,
        find_unusual=lambda state, combatant: frozenset({"draw"}),
        find_pressing=find_pressing,
        out=OUT,
        find_least=find_least,
    ),
    book=BOOK,
    tactics=Tactics(
        suggest=suggest,
        find_candidates=find_candidates,
        policy={OVERWATCH: "shoot"},
        other_outcomes=other_outcomes,
    ),
    look=LOOK,
    demo=Demos((make_demo, make_boarding)),
)
