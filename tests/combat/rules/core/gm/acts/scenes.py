"""A scene for what people type: the same people, zones and doors in every game."""

from __future__ import annotations

from functools import cache

from combat.play.notes.glossary import make_glossary
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.verbs import Understood, name_everyone, understand
from combat.rules.core.space import BattleMap, Point, Scene, Wall, Zone
from combat.rules.core.space.plane import with_map
from combat.rules.core.state.state import State, replace
from tests.combat.rules.games import GAMES

ME, FRIEND, FOE, CAPTAIN, ROBOT = "ash", "nia", "korr", "veil", "robot"
PEOPLE = (
    (ME, "Ash Petrov", "allies"),
    (FRIEND, "Nia Okoro", "allies"),
    ("brask", "Brask", "allies"),
    (FOE, "Korr", "enemies"),
    (CAPTAIN, "Captain Sula Veil", "enemies"),
    (ROBOT, "Cargo Robot", "enemies"),
    ("goon1", "Goon 1", "enemies"),
    ("goon2", "Goon 2", "enemies"),
    ("guard", "Security Guard", "enemies"),
)
ZONES = ("Hangar", "Gantry", "Control room", "Bar")
DOORS = ("Blast door", "Service hatch")
NAMES = {"foe": "Korr", "friend": "Nia", "door": "service hatch", "zone": "gantry"}
RULED = [slug for slug, game in GAMES.items() if game.actions.improvising]


@cache
def make_scene(slug: str) -> tuple[System, State]:
    """The game, and a fight in its first round in which Ash acts; everybody holds the same weapon."""
    system = GAMES[slug]
    zones = tuple(Zone(f"z{n}", name, 10.0 * n, 0, 10, 10) for n, name in enumerate(ZONES))
    walls = tuple(
        Wall(f"d{n}", 5.0 + 10 * n, 10, 6.5 + 10 * n, 10, kind="door", name=name)
        for n, name in enumerate(DOORS)
    )
    scene = with_map(Scene("Hangar", zones), BattleMap(walls=walls))
    sources = make_glossary(system, system.begin(), "allies").sources.values()
    sheet = dict(next(one.sheet for one in sources if one.sheet.get("weapons")))
    made = {
        key: replace(
            system.characters.make_combatant(key, name, side, sheet, {}),
            at=Point(2.0 + n, 3),
            initiative=20 - n,
        )
        for n, (key, name, side) in enumerate(PEOPLE)
    }
    fight = replace(
        system.begin(), scene=scene, combatants=made, phase="fight", round=1, order=tuple(made), active=ME
    )
    return system, fight


def read_words(slug: str, words: str, about: str = "") -> Understood:
    """What Ash's words mean in a game."""
    system, state = make_scene(slug)
    return understand(system, state, ME, words.format(**NAMES), name_everyone(state), about)
