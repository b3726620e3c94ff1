"""The declaration of the game: everything the core needs to know of it."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.declaration.actions import Actions
from combat.rules.core.declaration.book import Book, Imports, load_people_names, load_ready_fights
from combat.rules.core.declaration.characters import Characters, SharedTrack, Track
from combat.rules.core.declaration.demo import Demos
from combat.rules.core.declaration.look import Look
from combat.rules.core.declaration.space import Space, Zones
from combat.rules.core.declaration.system import System
from combat.rules.core.declaration.tactics import Tactics
from combat.rules.core.declaration.turn import Passing, Pool, Turn

from .actions import ACTIONS, find_pressing, find_unusual
from .body.drugs import find_due
from .body.moving import end_out_of_reach
from .body.parts import blur_parts
from .body.states import other_outcomes
from .book.options import FULL, SETTINGS, options_of
from .book.tables import PHYSICAL, ROUND_SECONDS, SQUARE_METERS
from .care.hazards import give_points, take_points
from .characters.blocks import find_blocks
from .characters.conditions import KINDS, OUT
from .characters.foreign import ITEM_READERS, READERS
from .characters.goods.catalogue import CATALOGUE
from .characters.machinery import can_fight
from .characters.one_line_npc import LINES, OTHER_NAMES
from .characters.sheet import find_health, make_combatant
from .characters.sheet_record import Sheet
from .characters.values import find_least, owns_track
from .demo import make_demo, make_road_demo
from .fight.aim import find_rings
from .fight.grapple import settle_holds
from .move.movement import check_way
from .printed import print_tables
from .sheet.creation import PLAN
from .sheet.figures import make_figure
from .sheet.wording import describe_combatant
from .tactics.plans import find_candidates, suggest
from .time import INTERLUDES, pass_rounds
from .turn import initiative, opening
from .turn.rounds import resolve_count
from .turn.tasks import describe_condition
from .vehicles.figure import draw_vehicle, find_chase
from .vehicles.gunnery import find_guns
from .vehicles.repairs import RIGGED
from .world.bands import describe_far, describe_way, measure_places
from .world.cover import look
from .world.economy import MINOR, SIGNIFICANT
from .world.scene import (
    COVER_CHOICES,
    LIGHT_CHOICES,
    TERRAIN_CHOICES,
    TERRAIN_OPTIONS,
    WALL_CHOICES,
    WEIGHTLESS,
)

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
POINTS = SharedTrack("points", "Physical points", PHYSICAL, harm=take_points, heal=give_points)
POOLS = (
    Pool(MINOR, "Minor action", 1, "CE-ROUND-02"),
    Pool(SIGNIFICANT, "Significant action", 1, "CE-ROUND-02", main=True),
)


CHARACTERS = Characters(
    sheet=Sheet,
    make_combatant=make_combatant,
    health=find_health,
    facts_of=describe_combatant,
    tracks=TRACKS,
    owns_track=owns_track,
    shared_track=POINTS,
    conditions=KINDS,
    own_conditions=KINDS.own,
    can_fight=can_fight,
    borrowed_items=find_guns,
)
TURN = Turn(
    pools=POOLS,
    round_seconds=ROUND_SECONDS,
    enter=initiative.enter,
    after_change=settle_holds,
    resolve_count=resolve_count,
    end_fight=opening.end_fight,
    after_moves=end_out_of_reach,
    passing=Passing(after_time=pass_rounds, find_due=find_due, interludes=INTERLUDES),
    reseat=initiative.reseat,
    keeps_turn=("delaying",),
)
SPACE = Space(
    covers=COVER_CHOICES,
    wall_covers=WALL_CHOICES,
    lights=LIGHT_CHOICES,
    terrains=TERRAIN_CHOICES,
    doors=True,
    cell_meters=SQUARE_METERS,
    measure=measure_places,
    sight=look,
    rings=find_rings,
    zones=Zones(
        describe_way=describe_way,
        describe_far=describe_far,
        check_way=check_way,
        terrain_options=TERRAIN_OPTIONS,
        weightless=WEIGHTLESS,
    ),
)
BOOK = Book(
    options=options_of(FULL),
    settings=SETTINGS,
    tables=print_tables,
    find_blocks=find_blocks,
    sheets=PLAN,
    catalogue=CATALOGUE,
    imports=Imports(
        lines=LINES,
        readers=READERS,
        items=ITEM_READERS,
        item_names=OTHER_NAMES,
        people_names=load_people_names(Path(__file__).parent),
    ),
    fights=load_ready_fights(Path(__file__).parent),
)
TACTICS = Tactics(
    suggest=suggest, find_candidates=find_candidates, other_outcomes=other_outcomes, blur=blur_parts
)
LOOK = Look(
    accent="rose",
    emblem="M3 19h18M4 16 3 6l5 4 4-7 4 7 5-4-1 10z",
    gist="2d6, cover, hard choices",
    appearance=lambda it: "drone" if it.sheet.get("drone") else str(it.sheet.get("kind", "person")),
    figure=make_figure,
    vehicle=draw_vehicle,
    chase=find_chase,
    about=describe_condition,
    silent_rules=frozenset({RIGGED}),
    silent_lines=frozenset({"log.stands", "why.death"}),  # the end of lying or crouching, the death
)

SYSTEM = System(
    slug=FULL,
    name="Cepheus",
    folder=Path(__file__).parent,
    characters=CHARACTERS,
    turn=TURN,
    space=SPACE,
    actions=Actions(
        by_name=ACTIONS,
        find_unusual=find_unusual,
        find_pressing=find_pressing,
        out=OUT,
        find_least=find_least,
    ),
    book=BOOK,
    tactics=TACTICS,
    look=LOOK,
    demo=Demos((make_demo, make_road_demo)),
)
