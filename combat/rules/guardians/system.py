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
    WEAPON,
    Actions,
    Handling,
    Look,
    Passing,
    Pool,
    Space,
    Tactics,
    Turn,
    Zones,
)
from combat.rules.core.declaration.system import System
from combat.rules.core.state.belongings import has_weapon
from combat.rules.core.state.state import Combatant

from .actions.every_action import ACTIONS
from .body.moving import MOVER
from .body.resolve import other_outcomes, resolve_count
from .body.wounds import after_change
from .book.options import OPTIONS, SETTINGS
from .book.tables import (
    ACTION,
    HEAD,
    LIMBS,
    PLACES,
    ROUND_SECONDS,
    TORSO,
    UNARMED,
    YARDS,
    ZONE_YARDS,
    NpcBlock,
    armors,
    locations,
    npcs,
    weapons,
)
from .characters.arming import find_lacks, train
from .characters.catalogue import CATALOGUE
from .characters.conditions import KINDS, OUT
from .characters.sheet import Sheet, find_health, is_conscious, make_combatant
from .characters.values import count_mp, find_least, keep_state
from .demo import make_demo
from .fight.attack import find_rings
from .move import check_way
from .printed import print_tables
from .sheet import PLAN, describe_combatant, make_figure
from .tactics import find_candidates, suggest
from .time import INTERLUDES, end_fight
from .turn import rounds as turn
from .turn.improvised import ACTING, COSTS
from .world.reach import NEUTRAL, describe_distance, describe_way, look, measure

IMPROVISING = load_improvising(Path(__file__).parent, PLAN.checks["check"], COSTS, ACTING)
TURN = Turn(
    mover=MOVER,
    pools=(Pool(ACTION, "Action", 1, "CG-ACT-02", main=True), Pool(YARDS, "Yard", 0, "CG-MOVE-01")),
    round_seconds=ROUND_SECONDS,
    enter=turn.enter,
    after_change=after_change,
    resolve_count=resolve_count,
    end_fight=end_fight,
    passing=Passing(interludes=INTERLUDES),
    reseat=turn.reseat,
    keeps_turn=("holding",),
)
SPACE = Space(
    wall_covers=(("minus_1", "−1 rank"), ("minus_2", "−2 ranks"), ("minus_3", "−3 ranks")),
    doors=True,
    unit="yd",
    measure=measure,
    sight=look,
    rings=find_rings,
    zones=Zones(
        side=ZONE_YARDS, describe_way=describe_way, describe_far=describe_distance, check_way=check_way
    ),
)
TACTICS = Tactics(
    suggest=suggest,
    can_harm=has_weapon,
    find_candidates=find_candidates,
    handling=Handling(draw="draw", put_away="put_away", drop="let_go", stand="stand_up", low=("prone",)),
    neutral=(NEUTRAL,),
    falls=("goes down", ""),
    other_outcomes=other_outcomes,
)


def _stat_block(block: NpcBlock) -> StatBlock:
    names = ", ".join(weapons()[weapon].name for weapon in block.weapons)
    armor = f"; {armors()[block.armor].name}" if block.armor else ""
    health, tough = block.attributes["health"], block.attributes["toughness"]
    summary = f"Health {health}, Toughness {tough}; {names}{armor}"
    return StatBlock(block.id, block.name, block.group, summary=summary, sheet=_block_sheet(block))


def _block_sheet(block: NpcBlock) -> dict[str, Any]:
    """A stat block as a sheet, with Mortality Points only where Health gives others.  RULING R20"""
    health = block.attributes["health"]
    points = block.mortality.items()
    typed = {place: number for place, number in points if number != count_mp(health, place)}
    return {
        "name": block.name,
        "ranks": {**block.attributes, **block.skills},
        "mortality": typed,
        "initiative": block.trait_initiative,
        "weapons": list(block.weapons),
        "wears": [block.armor] if block.armor else [],
        "shields": [block.shield] if block.shield else [],
    }


def _make_tracks() -> tuple[Track, ...]:
    """The tracks: Mortality Points, the torso's first as they show health; Toughness and Fatigue."""
    parts = (TORSO, HEAD, *LIMBS)
    assert set(parts) == set(PLACES)
    points = (Track(f"mp.{place}", f"{locations()[place].name} MP", 0) for place in parts)
    return (*points, Track("toughness", "Toughness", 0), Track("fatigue", "Fatigue", 0, rises=True))


def find_appearance(combatant: Combatant) -> str:
    """The look of a combatant: anyone armed with nothing but parts of the body is an animal."""
    own = (item for item in combatant.sheet.get("items", ()) if item.get("kind") == WEAPON)
    named = {*combatant.sheet.get("weapons", ()), *(item.get("entry", "") for item in own)} - {UNARMED}
    armed = any(name not in weapons() or weapons()[name].hands for name in named)
    return "animal" if named and not armed else "person"


CHARACTERS = Characters(
    sheet=Sheet,
    make_combatant=make_combatant,
    health=find_health,
    can_fight=lambda state, combatant: is_conscious(combatant),
    facts_of=describe_combatant,
    tracks=_make_tracks(),
    conditions=KINDS,
    own_conditions=KINDS.own,
)
BOOK = Book(
    options=OPTIONS,
    settings=SETTINGS,
    tables=print_tables,
    find_blocks=lambda: {block.id: _stat_block(block) for block in npcs().values()},
    sheets=PLAN,
    catalogue=CATALOGUE,
    imports=Imports(
        example="4 soldiers with club and leather jacket, 1 sniper; 2 street thugs (allies)",
        item_names={
            "pistol": "light pistol",
            "rifle": "assault rifle",
            "sword": "long sword",
            "bat": "club",
            "vest": "kevlar vest",
        },
        people_names=load_people_names(Path(__file__).parent),
        train=train,
        find_lacks=find_lacks,
    ),
    fights=load_ready_fights(Path(__file__).parent),
)
LOOK = Look(
    accent="violet",
    emblem="M12 2 4 5v6c0 5 3.5 8.5 8 11 4.5-2.5 8-6 8-11V5z",
    gist="d12 and hit locations",
    appearance=find_appearance,
    figure=make_figure,
    silent_lines=frozenset({"why.destroyed", "why.death"}),  # the loss of the limb or the death tells it
)

SYSTEM = System(
    slug="guardians",
    name="Cosmic Guardians",
    folder=Path(__file__).parent,
    characters=CHARACTERS,
    turn=TURN,
    space=SPACE,
    actions=Actions(
        by_name=ACTIONS,
        find_unusual=lambda state, combatant: frozenset({"put_away"}),
        out=OUT,
        find_least=find_least,
        keep_state=keep_state,
        improvising=IMPROVISING,
    ),
    book=BOOK,
    tactics=TACTICS,
    look=LOOK,
    demo=Demos((make_demo,)),
)
