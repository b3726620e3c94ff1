"""The declaration of the game: what the core needs to know of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from combat.rules.core.state.state import Combatant, replace
from combat.rules.core.system import Pool, StatBlock, System, Track

from .actions.index import ACTIONS, FLOW, RULINGS
from .body.happen import find_fates, take_effect
from .body.harm import settle
from .book.options import OPTIONS, SETTINGS
from .book.records import NpcBlock
from .book.tables import (
    ACTION,
    HEAD,
    LIMBS,
    PLACES,
    ROUND_SECONDS,
    TORSO,
    YARDS,
    ZONE_YARDS,
    armors,
    locations,
    npcs,
    weapons,
)
from .fight.defense import DEFENDED
from .fight.rings import find_rings
from .pages.blurbs import BLURBS
from .pages.briefs import BRIEFS
from .pages.creation import PLAN
from .pages.demo import make_demo
from .pages.figures import make_figure
from .pages.printed import print_tables
from .pages.wording import describe_fighter
from .people.catalogue import CATALOGUE
from .people.conditions import KINDS
from .people.sheet import Sheet, find_health, make_combatant
from .people.values import count_mp
from .tactics.plans import suggest
from .tactics.suggestions import find_candidates
from .time.downtime import close_fight
from .turn import rounds as turn
from .world.lines import look
from .world.place import NEUTRAL, describe_way, measure


def find_blocks() -> dict[str, StatBlock]:
    """The library of opponents: every stat block as a sheet."""
    return {block.id: _stat_block(block) for block in npcs().values()}


def _stat_block(block: NpcBlock) -> StatBlock:
    names = ", ".join(weapons()[weapon].name for weapon in block.weapons)
    armor = f"; {armors()[block.armor].name}" if block.armor else ""
    health, tough = block.attributes["health"], block.attributes["toughness"]
    summary = f"Health {health}, Toughness {tough}; {names}{armor}"
    return StatBlock(block.id, block.name, block.group, summary, _block_sheet(block))


def _block_sheet(block: NpcBlock) -> dict[str, Any]:
    """A stat block as a sheet; its points stand there only where Health gives others.  RULING R20"""
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
    """Mortality Points, those of the torso first, as health is told by it; Toughness and Fatigue."""
    parts = (TORSO, HEAD, *LIMBS)
    assert set(parts) == set(PLACES)
    points = (Track(f"mp.{place}", f"{locations()[place].name} MP", 0) for place in parts)
    return (*points, Track("toughness", "Toughness", 0), Track("fatigue", "Fatigue", 0, rises=True))


def find_likeness(fighter: Combatant) -> str:
    """What a fighter looks like: whoever has nothing but claws or fangs is an animal."""
    return "animal" if tuple(fighter.sheet.get("weapons", ())) == ("claws",) else "person"


SYSTEM = System(
    slug="guardians",
    name="Cosmic Guardians",
    accent="violet",
    likeness=find_likeness,
    emblem="M12 2 4 5v6c0 5 3.5 8.5 8 11 4.5-2.5 8-6 8-11V5z",
    folder=Path(__file__).parent,
    sheet=Sheet,
    actions={a.name: replace(a, text=BLURBS[a.name]) for a in (*ACTIONS, *FLOW, *RULINGS)},
    options=OPTIONS,
    settings=SETTINGS,
    pools=(Pool(ACTION, "Action", 1, "CG-ACT-02"), Pool(YARDS, "Yard", 0, "CG-MOVE-01")),
    tracks=_make_tracks(),
    conditions=KINDS,
    covers=(),
    wall_covers=(("minus_1", "−1 rank"), ("minus_2", "−2 ranks"), ("minus_3", "−3 ranks")),
    look=look,
    rings=find_rings,
    lights=(),
    terrains=(),
    round_seconds=ROUND_SECONDS,
    make_combatant=make_combatant,
    find_blocks=find_blocks,
    health=find_health,
    defended=DEFENDED,
    briefs=BRIEFS,
    facts_of=describe_fighter,
    settle=settle,
    keeps_turn=("holding",),
    enter=turn.enter,
    suggest=suggest,
    demo=make_demo,
    suggestions=find_candidates,
    reseat=turn.reseat,
    tables=print_tables,
    sheets=PLAN,
    catalogue=CATALOGUE,
    falls=("goes down", ""),
    describe_way=describe_way,
    measure=measure,
    unit="yd",
    zone_metres=ZONE_YARDS,
    neutral=(NEUTRAL,),
    figure=make_figure,
    take_effect=take_effect,
    close_fight=close_fight,
    befalls=find_fates,
)
