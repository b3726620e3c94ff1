"""What Boarders declares."""

from __future__ import annotations

from combat.rules.core.declaration.book import Book, Demos, Imports
from combat.rules.core.declaration.characters import Characters, Track
from combat.rules.core.declaration.parts import Actions, Look, Pool, Space, Tactics, Turn
from combat.rules.core.declaration.system import System
from tests.combat.rules.boarders.actions import ACTIONS
from tests.combat.rules.boarders.body import after_change
from tests.combat.rules.boarders.characters import (
    KINDS,
    Sheet,
    describe_combatant,
    find_health,
    make_combatant,
)
from tests.combat.rules.boarders.sheet import PLAN, find_blocks, make_demo
from tests.combat.rules.boarders.tactics import suggest
from tests.combat.rules.boarders.turn import TURNS
from tests.combat.rules.boarders.world import FOLDER, MOVER, OPTIONS

CHARACTERS = Characters(
    sheet=Sheet,
    make_combatant=make_combatant,
    health=find_health,
    facts_of=describe_combatant,
    tracks=(Track("hits", "HP", 0), Track("grenades", "Grenades", 0, tells_health=False)),
    conditions=KINDS,
)
TURN = Turn(
    mover=MOVER,
    pools=(Pool("act", "action", 2, "BRD-TURN-02"),),
    round_seconds=6,
    enter=TURNS.enter,
    after_change=after_change,
)
BOOK = Book(
    options=OPTIONS,
    find_blocks=find_blocks,
    sheets=PLAN,
    imports=Imports(
        example="4 raiders, 1 marine; 2 marines (allies)",
        set_health=lambda sheet, most: {**sheet, "hits": most},
    ),
)

SYSTEM = System(
    slug="boarders",
    name="Boarders",
    folder=FOLDER,
    characters=CHARACTERS,
    turn=TURN,
    space=Space(doors=True),
    actions=Actions(
        by_name=ACTIONS,
        attack="shoot",
        out=("down",),
        find_least=lambda combatant: {"hits": max(1, combatant.tracks["hits"])},
    ),
    book=BOOK,
    tactics=Tactics(suggest=suggest),
    look=Look(accent=200, emblem="M4 20 20 4M4 4l16 16", gist="Sides, grenades and reactions, made up"),
    demo=Demos((make_demo,)),
)
