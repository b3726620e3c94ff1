"""Trials of what each way to move asks: every_game/test_moving.py compares them with `moving.toml`.

Ada moves on a ship of two decks, by each way alone and again with a circumstance: prone, in the sights of a
watcher, into flames. What she is refused, pays or meets only then was asked.
"""

from __future__ import annotations

import re
from typing import Any

from combat.rules.core.basics.dice.requests import Answer, ChoiceRequest, Request, answer_choice, answer_roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.space import Point, on_ground
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.every_game.bounds import make_trials
from tests.combat.rules.every_game.test_walls import TABLES

ADA, BO, CY = "f1", "f2", "f3"
UP, HEIGHT = 24, 8
BETWEEN = {"way": "stairs", "ladder": "ladder", "lift": "lift"}
START = {"lid": (UP + 8, 6)}
GOALS = {
    "walk": (14, 6),
    "crawl": (8, 6),
    "sprint": (20, 6),
    "charge": (16, 6),
    "climb": (7, 6),
    "jump": (9, 6),
    "way": (UP + 4, 6),
    "ladder": (UP + 4, 6),
    "lift": (UP + 4, 6),
    "throw": (6, 6),
    "drift": (5, 6),
    "lid": (8, 6),
    "placed": (9, 6),
}


class Steady:
    """Rolls one less than the highest faces, shoots when asked, and notes who was asked."""

    tells = True

    def __init__(self) -> None:
        self.asked: list[str] = []

    def answer(self, context: RuleContext, request: Request) -> Answer:
        if isinstance(request, ChoiceRequest):
            self.asked.append(request.who)
            return answer_choice(request, request.options[0].value, "gm")
        many, sides = map(int, re.findall(r"\d+", request.dice)[:2])
        return answer_roll(request, (max(1, sides - 1),) * many, "app")


class Voyage(CosmosStage):
    """Ada on her way; Bo and Cy are enemies, who stand apart unless the way needs them."""

    def __init__(self, way: str, *zones: dict[str, Any], **sheet: Any) -> None:
        super().__init__()
        self.way, self.driver, self.refusal = way, Steady(), ""
        self.hero(weapons=("club",), **sheet)
        self.foe(attributes={"MIG": 9}, weapons=("pistol", "club"))
        self.foe("Cy", weapons=("pistol", "club"))
        for who in (ADA, BO, CY):
            self.draw_all(who)
        self._build(zones)
        self.put_at(ADA, START.get(way, (4, 6)))
        self.put_at(BO, {"charge": (17, 6), "throw": (3, 6)}.get(way, (1, 12)))
        self.put_at(CY, (0, 12))
        self.begin(active=BO if way == "throw" else ADA)
        if way == "throw":
            self.give(ADA, "grappled", by=BO)
        elif way == "crawl":
            self.give(ADA, "prone")
        elif way == "drift":
            self.give(ADA, "drifting", marks={"x": 1000, "y": 0})

    def _build(self, zones: tuple[dict[str, Any], ...]) -> None:
        box: dict[str, Any] = {"y": -1, "width": 22, "depth": 14}
        ground = [{"id": "low", "name": "low", "x": -1, **box}]
        ground.append({"id": "high", "name": "high", "x": UP - 1, "height": HEIGHT, **box})
        block = {"id": "block", "name": "block", "x": 5.5, "y": 5, "width": 2.5, "depth": 2, "height": 2}
        ground += [block] if self.way == "climb" else []
        ground += [{"name": zone["id"], **zone} for zone in zones]
        gravity = {"gravity": "zero"} if self.way == "drift" else {}
        self.do("set_scene", scene={"zones": ground, "settings": gravity})
        decks = [{"id": f"d{n}", "name": f"d{n}", "x": n * UP - 1, **box} for n in (0, 1)]
        decks[1].update(height=HEIGHT, shift=UP)
        lid = {"id": "lid", "kind": "hatch", "x1": 4, "y1": 1, "x2": UP + 4, "y2": 1, "open": False}
        way = {"id": "way", "kind": BETWEEN.get(self.way, "stairs"), "x1": 4, "y1": 6, "x2": UP + 4, "y2": 6}
        self.do("set_map", map={"decks": decks, "ways": [{**lid, "hole": [UP + 7, 5, 3, 3]}, way]})

    def put_at(self, who: str, spot: tuple[float, ...]) -> None:
        """Put someone on the ground of a spot."""
        self.edit(who, at=on_ground(self.state.scene, Point(*spot)))

    def go(self) -> Voyage:
        """Move Ada by her way; a refusal is noted."""
        x, y = GOALS[self.way]
        to, club = f"{x},{y}", self.weapon(ADA, "club")
        moves: dict[str, tuple[str, str, dict[str, Any]]] = {
            "charge": ("charge", ADA, {"target": BO, "weapon": club}),
            "climb": ("climb", ADA, {"obstacle": "medium", "to": to}),
            "crawl": ("move", ADA, {"to": to}),
            "drift": ("next_turn", "", {}),
            "jump": ("jump", "", {"target": ADA, "metres": 5, "to": to}),
            "lid": ("set_door", "", {"door": "lid", "open": True}),
            "placed": ("place", "", {"target": ADA, "x": x, "y": y}),
            "sprint": ("sprint", ADA, {"to": to}),
            "throw": ("squeeze", BO, {"target": ADA, "effect": "throw"}),
            "walk": ("move", ADA, {"to": to}),
        }
        name, actor, fields = moves.get(self.way, ("way", ADA, {"way": "way"}))
        action = find_action(self.system, name)
        command = read_command(action, {**fields, **({"actor": actor} if actor else {})})
        try:
            done = run(self.system, self.state, action, command, self.driver)
        except Refused as refused:
            self.refusal = refused.message
            return self
        assert isinstance(done, Done)
        self.state, self.facts = done.state, done.facts
        return self

    @property
    def outcome(self) -> tuple[object, ...]:
        """Whether Ada may go, where she ends, and what is left of her turn."""
        return self.refusal, self[ADA].at, dict(self[ADA].budget)

    def is_hurt_by(self, why: str) -> bool:
        """Whether Ada lost Hit Points this way."""
        return any(told.who == ADA and told.why == why for told in self.told(e.TrackChanged))


def _differs(voyage: Voyage, plain: Voyage) -> bool:
    """Whether a voyage under a circumstance comes out otherwise than the plain one, which succeeds."""
    outcome = plain.go().outcome
    assert not plain.refusal, (plain.way, plain.refusal)
    assert (plain[ADA].at.x, plain[ADA].at.y) == GOALS[plain.way], plain[ADA].at
    return voyage.go().outcome != outcome


def _asks_stance(way: str) -> bool:
    voyage = Voyage("walk" if way == "crawl" else way)  # a crawl is the walk of those who are prone
    voyage.give(ADA, "prone")
    return _differs(voyage, Voyage(voyage.way))


def _asks_wounds(way: str) -> bool:
    """Injured, at 2 m less of a Speed that just suffices."""
    speed = {"crawl": 3, "climb": -3, "walk": 4, "sprint": 1, "charge": 1}.get(way, HEIGHT - 6)
    voyage = Voyage(way, abilities={"speed_base": speed})
    voyage.set_track(ADA, hp=40)
    return _differs(voyage, Voyage(way, abilities={"speed_base": speed}))


def _asks_arms(way: str) -> bool:
    voyage = Voyage(way)
    voyage.put(ADA, "club", "held")
    voyage.change(ADA, "club", traits=["two-handed"])
    return _differs(voyage, Voyage(way))


def _asks_holders(way: str) -> bool:
    voyage = Voyage(way)
    x, y = START.get(way, (4, 6))
    voyage.put_at(CY, (x, y + 1))
    voyage.give(ADA, "grappled", by=CY)
    return _differs(voyage, Voyage(way))


def _asks_fear(way: str) -> bool:
    voyage = Voyage(way)
    x, y = GOALS[way]
    voyage.put_at(CY, (x + 1, y + 1))
    voyage.give(ADA, "frightened", by=CY)
    return _differs(voyage, Voyage(way))


def _asks_watchers(way: str) -> bool:
    """A way between decks is watched at its foot and at its top."""
    places = [(1, 12)] if way not in BETWEEN else [(1, 12), (UP + 1, 12)]
    asked = []
    for place in places:
        voyage = Voyage(way)
        voyage.put_at(CY, place)
        marks = {"weapon": voyage.weapon(CY, "pistol"), "trigger": "a move", "when": "move", "zone": ""}
        voyage.give(CY, "overwatch", marks=marks)
        asked.append(CY in voyage.go().driver.asked)
    assert len(set(asked)) == 1, f"{way}: only at one end"
    return asked[0]


def _asks_hazards(way: str) -> bool:
    """Fire where the move ends; at a way between decks also where it begins."""
    x, y = GOALS[way]
    burned = []
    for fx, fy in {GOALS[way], (4, 6) if way in BETWEEN else (x, y)}:
        fire = {"id": "fire", "x": fx - 0.6, "y": fy - 0.6, "width": 1.2, "depth": 1.2, "terrain": ["fire"]}
        height = HEIGHT if fx > UP else 2 if way == "climb" else 0
        burned.append(Voyage(way, {**fire, "height": height}).go().is_hurt_by("why.fire"))
    assert len(set(burned)) == 1, f"{way}: only at one end"
    return burned[0]


def _asks_terrain(way: str) -> bool:
    """Rubble on the way; at a way between decks around its foot, then around its top."""
    places = (
        [(4, 6), (UP + 4, 6)]
        if way in BETWEEN
        else [(8, 6) if way not in ("climb", "throw", "drift") else (5, 6)]
    )
    asked = []
    for x, y in places:
        rubble = {"id": "rubble", "x": x - 1, "y": y - 1, "width": 2, "depth": 2, "terrain": ["rubble"]}
        voyage = Voyage(way, {**rubble, "height": HEIGHT if x > UP else 0}).go()
        asked.append(bool(voyage.refusal) or (voyage.has(ADA, "rough_going") and way != "drift"))
    assert len(set(asked)) == 1, f"{way}: only at one end"
    return asked[0]


def _asks_edges(way: str) -> bool:
    """A block of 2 m across the way; to climb, it is one of 3 m."""
    edge = {"id": "edge", "x": 5.5, "y": -1, "width": 2, "depth": 14, "height": 3 if way == "climb" else 2}
    edge = {**edge, "x": 4.6} if way == "throw" else edge
    return _differs(Voyage(way, edge), Voyage(way))


def _asks_falls(way: str) -> bool:
    """The move leads down by 4 m or more."""
    ledge = {"id": "ledge", "x": 2, "y": -1, "width": 2.6, "depth": 14, "height": 4}
    if way == "drift":
        ledge["terrain"] = ["zero-g"]
    voyage = Voyage(way, *([] if way in BETWEEN or way == "lid" else [ledge]))
    voyage.state = replace(voyage.state, scene=replace(voyage.state.scene, settings={}))
    if way in BETWEEN:
        voyage.put_at(ADA, GOALS[way])
    return voyage.go().is_hurt_by("why.fall")


def _asks_landing(way: str) -> bool:
    voyage = Voyage(way)
    voyage.put_at(CY, GOALS[way])
    return _differs(voyage, Voyage(way))


TRIALS = {
    "stance": _asks_stance,
    "wounds": _asks_wounds,
    "arms": _asks_arms,
    "holders": _asks_holders,
    "fear": _asks_fear,
    "watchers": _asks_watchers,
    "hazards": _asks_hazards,
    "terrain": _asks_terrain,
    "edges": _asks_edges,
    "falls": _asks_falls,
    "landing": _asks_landing,
    **make_trials(TABLES["cosmos"].make),
}
