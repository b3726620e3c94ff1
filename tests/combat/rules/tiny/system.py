"""What Tiny Duel declares."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.declaration.book import Book, Demos, Imports, Setting, load_options
from combat.rules.core.declaration.characters import Characters, Track
from combat.rules.core.declaration.parts import Actions, Look, Pool, Space, Tactics, Turn
from combat.rules.core.declaration.system import System
from tests.combat.rules.tiny.actions import ACTIONS
from tests.combat.rules.tiny.body import after_change
from tests.combat.rules.tiny.characters import KINDS, Sheet, describe_combatant, find_health, make_combatant
from tests.combat.rules.tiny.sheet import PLAN, find_blocks, make_demo
from tests.combat.rules.tiny.tactics import suggest
from tests.combat.rules.tiny.turn import TURNS
from tests.combat.rules.tiny.world import MOVER

FOLDER = Path(__file__).parent
GROUNDS = (("dry", "Dry"), ("slippery", "Slippery"))

CHARACTERS = Characters(
    sheet=Sheet,
    make_combatant=make_combatant,
    health=find_health,
    facts_of=describe_combatant,
    tracks=(Track("hits", "HP", 0),),
    conditions=KINDS,
)
TURN = Turn(
    mover=MOVER,
    pools=(Pool("act", "act", 1, "TINY-TURN-02"), Pool("step", "step", 1, "TINY-TURN-02")),
    round_seconds=10,
    enter=TURNS.enter,
    after_change=after_change,
)
BOOK = Book(
    options=load_options(FOLDER / "options.toml"),
    settings=(Setting("ground", "Ground", GROUNDS, "dry", "TINY-MOVE-02"),),
    find_blocks=find_blocks,
    sheets=PLAN,
    imports=Imports(
        example="4 brawlers, 1 master; 2 brawlers (allies)",
        set_health=lambda sheet, most: {**sheet, "hits": most},
    ),
)

SYSTEM = System(
    slug="tiny",
    name="Tiny Duel",
    folder=FOLDER,
    characters=CHARACTERS,
    turn=TURN,
    space=Space(doors=True),
    actions=Actions(
        by_name=ACTIONS,
        attack="strike",
        out=("down",),
        find_least=lambda combatant: {"hits": max(1, combatant.tracks["hits"])},
    ),
    book=BOOK,
    tactics=Tactics(suggest=suggest),
    look=Look(accent=30, emblem="M4 20 20 4M4 4l16 16", gist="One rule, made up"),
    demo=Demos((make_demo,)),
)
