"""The declaration of the game, and of what stands on it: what the core needs to know of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from combat.rules.core.state.state import Combatant
from combat.rules.core.system import Pool, System, Toll, Track

from .actions.index import ACTIONS
from .body.blur import blur_parts
from .body.states import find_fates
from .book.options import FULL, SETTINGS, options_of
from .book.tables import PHYSICAL, ROUND_SECONDS, SQUARE_METRES
from .care.hazards import give_points, take_points
from .fight.grapple import settle_holds
from .fight.moments import take_effect
from .fight.rings import find_rings
from .pages.briefs import BRIEFS
from .pages.creation import PLAN
from .pages.demo import make_demo
from .pages.demo_road import make_road_demo
from .pages.figures import make_figure
from .pages.printed import print_tables
from .pages.wording import describe_fighter
from .people.blocks import find_blocks, offers_block
from .people.catalogue import CATALOGUE
from .people.conditions import KINDS
from .people.foreign import ITEM_READERS, READERS
from .people.lines import LINES
from .people.machinery import STATIONS, can_fight
from .people.sheet import find_health, make_combatant
from .people.sheet_record import Sheet
from .people.values import owns_track
from .tactics.plans import suggest
from .tactics.suggestions import find_candidates
from .turn import initiative, opening
from .turn.tasks import describe_condition
from .vehicles.gunnery import find_guns
from .vehicles.repairs import RIGGED
from .world.bands import describe_way, measure_places
from .world.cover import look
from .world.economy import MINOR, SIGNIFICANT
from .world.scene import COVER_CHOICES, LIGHT_CHOICES, TERRAIN_CHOICES, WALL_CHOICES

TRACKS = (
    Track("end", "Endurance", 0),
    Track("str", "Strength", 0),
    Track("dex", "Dexterity", 0),
    Track("int", "Intelligence", 0),
    Track("edu", "Education", 0),
    Track("soc", "Social Standing", 0),
    Track("hull", "Hull", 0),
    Track("structure", "Structure", 0),
    Track("armor", "Armor", 0),
)
TOLL = Toll("points", "Physical points", PHYSICAL, take_points, give_points)
POOLS = (
    Pool(MINOR, "Minor action", 1, "CE-ROUND-02"),
    Pool(SIGNIFICANT, "Significant action", 1, "CE-ROUND-02"),
)


def make_system(slug: str, **more: Any) -> System:
    """The game under this short name, with its own defaults; `more` is what else it has of its own."""
    declared: dict[str, Any] = {
        "folder": Path(__file__).parent,
        "sheet": Sheet,
        "actions": {action.name: action for action in ACTIONS},
        "options": options_of(slug),
        "settings": SETTINGS,
        "pools": POOLS,
        "tracks": TRACKS,
        "conditions": KINDS,
        "covers": COVER_CHOICES,
        "wall_covers": WALL_CHOICES,
        "look": look,
        "rings": find_rings,
        "cell_metres": SQUARE_METRES,
        "lights": LIGHT_CHOICES,
        "terrains": TERRAIN_CHOICES,
        "round_seconds": ROUND_SECONDS,
        "make_combatant": make_combatant,
        "find_blocks": find_blocks,
        "health": find_health,
        "briefs": BRIEFS,
        "facts_of": describe_fighter,
        "settle": settle_holds,
        "enter": initiative.enter,
        "suggest": suggest,
        "suggestions": find_candidates,
        "reseat": initiative.reseat,
        "toll": TOLL,
        "befalls": find_fates,
        "about": describe_condition,
        "lent": find_guns,
        "keeps_turn": ("delaying",),
        "told_otherwise": frozenset({RIGGED}),
        "figure": make_figure,
        "owns_track": owns_track,
        "take_effect": take_effect,
        "close_fight": opening.close_fight,
        "describe_way": describe_way,
        "measure": measure_places,
        "stations": STATIONS,
        "stands": can_fight,
        "blur": blur_parts,
        "tables": print_tables,
        "sheets": PLAN,
        "catalogue": CATALOGUE,
        "lines": LINES,
        "readers": READERS,
        "item_readers": ITEM_READERS,
        "offers_block": offers_block,
        "accent": "rose",
        "likeness": find_likeness,
        "emblem": "M3 19h18M4 16 3 6l5 4 4-7 4 7 5-4-1 10z",
    }
    return System(slug=slug, **(declared | more))


def find_likeness(fighter: Combatant) -> str:
    """What a fighter looks like: its kind of sheet, and drones for themselves."""
    return "drone" if fighter.sheet.get("drone") else str(fighter.sheet.get("kind", "person"))


SYSTEM = make_system(FULL, name="Cepheus", demo=make_demo, more_demos=(make_road_demo,))
