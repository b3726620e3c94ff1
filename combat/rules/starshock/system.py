"""The declaration of the game: everything the core needs to know about it."""

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
    Handling,
    Look,
    Passing,
    Pool,
    Seating,
    Space,
    Tactics,
    Turn,
    Zones,
)
from combat.rules.core.declaration.system import System
from combat.rules.core.space.rays.sight import POINT_COVERS
from combat.rules.core.state.belongings import has_weapon
from combat.rules.core.state.state import Combatant, replace

from .actions import ACTIONS
from .body.damage import after_change, find_bearable
from .book.options import OPTIONS, SETTINGS, SQUARES
from .book.tables import (
    ATTACKS_PER_TURN,
    GROUNDS,
    MAX_DECLARED,
    POOL_METERS,
    ROUND_SECONDS,
    ZONE_METERS,
    NpcBlock,
    npcs,
    weapons,
)
from .characters.catalogue import CATALOGUE
from .characters.conditions import KINDS, OUT
from .characters.sheet import Sheet, find_health, find_least, find_uses, is_conscious, make_combatant
from .demo import make_demo
from .fight.aim import find_rings
from .move.mover import MOVER
from .printed import print_tables
from .sheet import PLAN, describe_combatant
from .tactics import find_candidates, find_mends, suggest
from .time import INTERLUDES
from .turn import rounds as turn
from .turn.checks import roll_made_up
from .turn.improvised import ACTING, COSTS
from .turn.rounds import find_seats, find_way
from .world.economy import find_most_actions
from .world.place import NEUTRAL, describe_distance, describe_way, has_hexes, measure, warn_of_zones
from .world.sight_lines import look

TURN = Turn(
    mover=MOVER,
    pools=(
        Pool("actions", "Action", MAX_DECLARED, "SS-ACT-02", find_most=find_most_actions, main=True),
        Pool("attacks", "Attack", ATTACKS_PER_TURN, "SS-TURN-02"),
        Pool("metres", "Meter", POOL_METERS, "SS-MAP-06"),
    ),
    round_seconds=ROUND_SECONDS,
    enter=turn.enter,
    after_change=after_change,
    passing=Passing(interludes=INTERLUDES),
    reseat=turn.reseat,
    seating=Seating("Clockwise from the GM", "seat", find_seats, find_way=find_way, rule="SS-INIT-04"),
)
ZONES = Zones(
    side=ZONE_METERS,
    describe_way=describe_way,
    describe_far=describe_distance,
    find_warnings=warn_of_zones,
    link_rule="SS-ZONE-05",
    property_rule="SS-ZONE-11",
    drawn_settings={"positioning": SQUARES},  # their rooms are larger than a zone: SS-ZONE-03
)
SPACE = Space(
    wall_covers=POINT_COVERS,
    terrains=tuple((row.id, row.name) for row in GROUNDS.values()),
    doors=True,
    has_hexes=has_hexes,
    measure=measure,
    sight=look,
    rings=find_rings,
    zones=ZONES,
)
TACTICS = Tactics(
    suggest=suggest,
    can_harm=has_weapon,
    find_candidates=find_candidates,
    find_mends=find_mends,
    handling=Handling(exchange="change_items", reload="reload", stand="stand_up", low=("prone",)),
    neutral=(NEUTRAL,),
    falls=("goes down", "stays conscious"),
)


def _stat_block(block: NpcBlock) -> StatBlock:
    names = dict.fromkeys(weapons()[weapon].name for weapon in block.weapons)
    points = f"Armor {block.armor}, Resistance {block.resistance}"
    summary = "; ".join((points, ", ".join(names), *block.notes))
    return StatBlock(block.id, block.name, block.group, summary=summary, sheet=_block_sheet(block))


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


IMPROVISING = load_improvising(
    Path(__file__).parent, replace(PLAN.checks["check"], run=roll_made_up), COSTS, ACTING
)


def find_appearance(combatant: Combatant) -> str:
    """The look of a combatant: anyone with a natural hide or shell is an alien."""
    return "alien" if combatant.sheet.get("natural_armor") or combatant.sheet.get("immune") else "person"


CHARACTERS = Characters(
    sheet=Sheet,
    make_combatant=make_combatant,
    health=find_health,
    can_fight=lambda state, combatant: is_conscious(combatant),
    facts_of=describe_combatant,
    tracks=(Track("damage", "damage", 0, rises=True, most=find_bearable), Track("luck", "luck", 0)),
    conditions=KINDS,
    own_conditions=KINDS.own,
    uses=find_uses(),
)
BOOK = Book(
    options=OPTIONS,
    settings=SETTINGS,
    tables=print_tables,
    find_blocks=lambda: {block.id: _stat_block(block) for block in npcs().values()},
    sheets=PLAN,
    catalogue=CATALOGUE,
    imports=Imports(
        example="4 pickpockets with dagger and simple poison, 1 smuggler; 2 enforcers (allies)",
        item_names={
            "pistol": "tesla pistol",
            "revolver": "titanium revolver",
            "rifle": "beam rifle",
            "club": "baton",
            "knife": "dagger",
        },
        people_names=load_people_names(Path(__file__).parent),
    ),
    fights=load_ready_fights(Path(__file__).parent),
)

SYSTEM = System(
    slug="starshock",
    name="Star Shock",
    folder=Path(__file__).parent,
    characters=CHARACTERS,
    turn=TURN,
    space=SPACE,
    actions=Actions(
        by_name=ACTIONS,
        out=OUT,
        find_least=find_least,
        improvising=IMPROVISING,
    ),
    book=BOOK,
    tactics=TACTICS,
    look=Look(
        accent="lime",
        emblem="M13.5 2 5 13.5h6L9.5 22 19 10h-6.5z",
        gist="Declare, act, pull maneuvers",
        appearance=find_appearance,
        # Checks and conditions tell how a target fares, the order which way the turns go
        silent_lines=frozenset({"log.stands", "log.awake", "log.direction", "why.coma", "why.death"}),
    ),
    demo=Demos((make_demo,)),
)
