"""The declaration of the game for the core."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from combat.rules.core.declaration.book import (
    Book,
    Demos,
    Imports,
    StatBlock,
    load_people_names,
    load_ready_fights,
)
from combat.rules.core.declaration.characters import Characters, Track
from combat.rules.core.declaration.improvising import load_improvising
from combat.rules.core.declaration.parts import (
    Actions,
    AfterCare,
    Handling,
    Look,
    Passing,
    Space,
    Tactics,
    Turn,
    Zones,
)
from combat.rules.core.declaration.system import System
from combat.rules.core.state.belongings import has_weapon
from combat.rules.core.state.state import Combatant

from .actions import ACTIONS
from .body.damage import OUT, after_change, find_least, keep_state, other_outcomes
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
from .characters.arming import find_lacks, train
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
from .fight.maneuvers import end_out_of_reach, find_pressing
from .fight.overwatch import RULE as OVERWATCH
from .fight.weapons import find_rings
from .move.movement import check_way
from .move.moving import MOVER
from .printed import print_tables
from .sheet import PLAN, describe_combatant
from .tactics import find_candidates, suggest
from .time.clock import INTERLUDES, expire, find_next_end
from .turn.improvised import ACTING, COSTS
from .turn.rounds import enter, reseat
from .world.heights import describe_way, measure
from .world.sight_lines import describe_far, look

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
# Names that people write instead of those of the catalogue
OTHER_NAMES = {
    "frag grenade": "fragmentation grenade",
    "grenade": "fragmentation grenade",
    "smg": "submachine gun",
    "medkit": "medical kit",
    "medikit": "medical kit",
    "powered armor": "power armor",
    "spacesuit": "void suit",
}


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
    mover=MOVER,
    pools=POOLS,
    round_seconds=ROUND_SECONDS,
    enter=enter,
    after_change=after_change,
    after_moves=end_out_of_reach,
    reseat=reseat,
    passing=Passing(
        after_time=lambda context, rounds: expire(context), find_due=find_next_end, interludes=INTERLUDES
    ),
    keeps_turn=("delaying",),
)
IMPROVISING = load_improvising(Path(__file__).parent, PLAN.checks["check"], COSTS, ACTING)
BOOK = Book(
    options=OPTIONS,
    settings=SETTINGS,
    tables=print_tables,
    find_blocks=lambda: {block.id: _stat_block(block) for block in npcs().values()},
    sheets=PLAN,
    catalogue=CATALOGUE,
    imports=Imports(
        example="4 pirates with club and knife, 1 sniper; 2 warlords (allies)",
        set_health=set_health,
        item_names=OTHER_NAMES,
        people_names=load_people_names(Path(__file__).parent),
        train=train,
        find_lacks=find_lacks,
    ),
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
        keep_state=keep_state,
        improvising=IMPROVISING,
        after_care=AfterCare("treat", "by", {"method": "first_aid"}),
    ),
    book=BOOK,
    tactics=Tactics(
        suggest=suggest,
        can_harm=has_weapon,
        find_candidates=find_candidates,
        handling=Handling(
            draw="draw", put_away="draw", drop="drop", reload="reload", stand="stand", low=("prone",)
        ),
        policy={OVERWATCH: "shoot"},
        other_outcomes=other_outcomes,
    ),
    look=LOOK,
    demo=Demos((make_demo, make_boarding)),
)
