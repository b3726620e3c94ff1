"""The declaration of the game: everything the core needs to know of it."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.declaration.book import Book, Demos, Imports, load_people_names, load_ready_fights
from combat.rules.core.declaration.characters import Characters, SharedTrack, Track
from combat.rules.core.declaration.improvising import load_improvising
from combat.rules.core.declaration.parts import (
    Aboard,
    Actions,
    AfterCare,
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

from .actions import ACTIONS, find_pressing, find_unusual
from .body.drugs import find_due
from .body.machines import blur_parts
from .body.moving import MOVER, end_out_of_reach
from .body.states import keep_state, other_outcomes
from .book.options import FULL, SETTINGS, options_of
from .book.tables import PHYSICAL, ROUND_SECONDS, SQUARE_METERS
from .care.hazards import give_points, take_points
from .characters.conditions import KINDS, OUT
from .characters.foreign import ITEM_READERS, READERS
from .characters.goods import CATALOGUE
from .characters.machinery import can_fight, can_harm
from .characters.one_line_npc import LINES, OTHER_NAMES
from .characters.sheet import find_blocks, find_health, make_combatant
from .characters.sheet_record import Sheet
from .characters.skill_names import find_lacks, train
from .characters.values import find_least, find_nature, owns_track
from .demo import make_demo, make_road_demo
from .fight.aim import find_rings
from .fight.grapple import settle_holds
from .move.movement import check_way
from .printed import print_tables
from .sheet.creation import PLAN
from .sheet.wording import describe_combatant, make_figure
from .tactics.plans import find_candidates, find_mends, suggest
from .time import INTERLUDES, pass_rounds
from .turn import initiative, rounds
from .turn.improvised import ACTING, COSTS
from .turn.rounds import resolve_count
from .turn.tasks import describe_condition
from .vehicles.collisions import find_top_speed, set_off
from .vehicles.crew import count_places, step_out, take_free_seat
from .vehicles.driving import find_course
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

IMPROVISING = load_improvising(Path(__file__).parent, PLAN.checks["check"], COSTS, ACTING)
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
    mover=MOVER,
    pools=POOLS,
    round_seconds=ROUND_SECONDS,
    enter=initiative.enter,
    after_change=settle_holds,
    resolve_count=resolve_count,
    end_fight=rounds.end_fight,
    after_moves=end_out_of_reach,
    passing=Passing(after_time=pass_rounds, find_due=find_due, interludes=INTERLUDES),
    reseat=initiative.reseat,
    keeps_turn=("delaying",),
)
ABOARD = Aboard(
    count_places=count_places,
    seat=take_free_seat,
    step_out=step_out,
    find_top_speed=find_top_speed,
    set_off=set_off,
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
        example="4 pirates with auto pistol and cudgel, 1 sniper; 2 assassins (allies)",
        lines=LINES,
        readers=READERS,
        items=ITEM_READERS,
        item_names=OTHER_NAMES,
        people_names=load_people_names(Path(__file__).parent),
        train=train,
        find_lacks=find_lacks,
    ),
    fights=load_ready_fights(Path(__file__).parent),
)
TACTICS = Tactics(
    suggest=suggest,
    can_harm=can_harm,
    find_candidates=find_candidates,
    find_mends=find_mends,
    handling=Handling(
        field="weapon",
        draw="ready",
        put_away="put_away",
        drop="drop",
        reload="reload",
        stand="stance",
        standing={"stance": "standing"},
        low=("prone", "crouched"),
    ),
    other_outcomes=other_outcomes,
    blur=blur_parts,
)
LOOK = Look(
    find_nature=find_nature,
    accent="rose",
    emblem="M3 19h18M4 16 3 6l5 4 4-7 4 7 5-4-1 10z",
    gist="2d6, cover, hard choices",
    appearance=lambda it: "drone" if it.sheet.get("drone") else str(it.sheet.get("kind", "person")),
    figure=make_figure,
    vehicle=draw_vehicle,
    heading=find_course,
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
        keep_state=keep_state,
        improvising=IMPROVISING,
        aboard=ABOARD,
        after_care=AfterCare("tend", "doctor"),
    ),
    book=BOOK,
    tactics=TACTICS,
    look=LOOK,
    demo=Demos((make_demo, make_road_demo)),
)
