"""Tables of pairs: condition and action, barrier and action, ground and move.

They are made from a game's declarations, so a new condition, action or terrain is included at once. A game
gives a small scene and tells how to prepare its actions there (`tests/combat/rules/<game>/pairs.py`). The
tables are stored beside it, in words that a person can check against the rules.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Field, find_first_value, find_refusal, read_command
from combat.rules.core.declaration.characters import make_condition
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.space import Point, find_zone
from combat.rules.core.state.state import replace
from tests.combat.rules.every_game.pairs.pair_lines import Line, differ, fold, tell_facts
from tests.combat.rules.stage import Stage

ADA, BO = "f1", "f2"
GATE = {"id": "d", "kind": "door", "x1": -0.5, "y1": -0.5, "x2": 0.5, "y2": -0.5}
FOLDER = Path(__file__).parents[2]
MAX_LINES = 500  # of a table for people
Ready = Callable[[Stage], dict[str, Any] | None]
Change = Callable[[Stage], object]
Table = Mapping[str, tuple[Line, ...]]


def as_it_is(stage: Stage) -> dict[str, Any] | None:
    """Prepare nothing."""
    return None


def name_point(stage: Stage, x: float) -> str:
    """A place on the line from west to east, as commands name it."""
    return f"{x:g},0"


def gate(stage: Stage, **more: Any) -> dict[str, Any]:
    """Shut a door north of Ada."""
    stage.do("set_map", map={"walls": [GATE], **more})
    return {"door": "d"}


def stairs(stage: Stage, **more: Any) -> dict[str, Any]:
    """Lead stairs from beside Ada to another deck."""
    decks = [
        {"id": "low", "name": "Low", "x": -60, "y": -60, "width": 120, "depth": 120},
        {
            "id": "high",
            "name": "High",
            "x": 70,
            "y": -60,
            "width": 120,
            "depth": 120,
            "height": 3,
            "shift": 130,
        },
    ]
    way = {"id": "up", "kind": "stairs", "x1": 0, "y1": 0.5, "x2": 130, "y2": 0.5}
    stage.do("set_map", map={"decks": decks, "ways": [way], **more})
    return {"way": "up"}


def waiting(stage: Stage) -> None:
    """Let Ada delay, and Bo act."""
    stage.do("delay", ADA)


def bo_acts(stage: Stage) -> None:
    stage.turn(BO)


def set_scene(key: str, value: str) -> Change:
    """Change a setting of the scene."""
    return lambda stage: stage.do("set_setting", key=key, value=value)


class Try(msgspec.Struct, frozen=True):
    """One way to take an action. `ready` sets the stage and returns fields of its command.

    Other fields are as the form opens, aimed at Bo.
    """

    action: str
    ready: Ready = as_it_is
    way: str = ""

    @property
    def name(self) -> str:
        """Its name in the tables."""
        return f"{self.action} ({self.way})" if self.way else self.action


class Pairs(msgspec.Struct, frozen=True):
    """A game's contribution to its tables.

    `make` sets up Ada (f1) on her turn and Bo (f2), an enemy, one square east of her. `tries` are the actions
    that need more than their opening form. `moves` are ways to take a move: the stage says how, and the table
    fills the field "to". `give` applies conditions that are more than their kind, `between` lists further
    barriers between two people, `grounds` further kinds of ground besides terrains and settings, `counted`
    further ways in which the game counts distances. `name_place`
    writes a place, given in meters east, as the game's commands do. `square` is the side of a square if it is
    not the usual one.
    """

    system: System
    make: Callable[[], Stage]
    tries: tuple[Try, ...] = ()
    moves: tuple[Try, ...] = ()
    give: Mapping[str, Callable[[Stage, str], None]] = {}
    between: Mapping[str, Change] = {}
    grounds: Mapping[str, Change] = {}
    counted: Mapping[str, Change] = {}
    name_place: Callable[[Stage, float], str] = name_point
    square: float = 0.0

    @property
    def cell(self) -> float:
        """The side of a square in meters."""
        return self.square or self.system.space.cell_meters

    def find_tries(self) -> Iterator[Try]:
        """Every action of a seat, in one or more ways."""
        for action in self.system.actions.by_name.values():
            if action.who == "seat":
                own = [way for way in self.tries if way.action == action.name]
                yield from own or [Try(action.name)]


class Trial(msgspec.Struct, frozen=True):
    """A command on a prepared stage."""

    stage: Stage
    action: Action
    data: dict[str, Any]


def load_pairs(folder: str) -> Pairs:
    """The contribution of the game in this folder."""
    found: Pairs = importlib.import_module(f"tests.combat.rules.{folder}.pairs").PAIRS
    return found


def find_file(folder: str, table: str) -> Path:
    """The path of a game's table."""
    return FOLDER / folder / "tables" / f"{table}.txt"


GAMES = tuple(sorted(path.parent.name for path in FOLDER.glob("*/pairs.py")))


# ---------------------------------------------------------------- trials


class Middling(random.Random):
    """Dice around the middle, in turn, so that an opposed roll has a winner."""

    def __init__(self) -> None:
        super().__init__(0)
        self.shares = cycle((0.45, 0.45, 0.6))

    def random(self) -> float:
        return next(self.shares)


def prepare(pairs: Pairs, way: Try) -> Trial:
    """The stage for an action, and its command."""
    stage = pairs.make()
    given = way.ready(stage) or {}
    action = find_action(pairs.system, way.action)
    fields = action.find_fields(stage.state, ADA)
    data: dict[str, Any] = {field.name: find_first_value(field) for field in fields if field.value}
    names = {field.name: field for field in fields}
    if "target" in names and any(option.value == BO for option in names["target"].options):
        data["target"] = BO
    return Trial(stage, action, {"actor": ADA, **data, **given})


def try_it(trial: Trial, changes: Iterable[Change] = ()) -> str:
    """The result after these changes: "yes", or the refusal; and where the form says something else."""
    stage = copy_of(trial.stage)
    for change in changes:
        change(stage)
    refusal = _find_refused(stage, trial)
    greyed = _find_greyed(stage, trial)
    if refusal and not greyed:
        return f"{refusal} [its form offers it]"
    if greyed and not refusal:
        return f"yes [its form greys it: {greyed}]"
    return refusal or "yes"


def copy_of(stage: Stage) -> Stage:
    """A separate stage in the same state."""
    made = object.__new__(type(stage))
    made.__dict__.update(stage.__dict__)
    return made


def act(stage: Stage, action: Action, data: dict[str, Any]) -> Done:
    """Take an action with average dice."""
    command = read_command(action, data)
    done = run(stage.system, stage.state, action, command, AutoDriver(Middling()))
    assert isinstance(done, Done)
    return done


def _find_refused(stage: Stage, trial: Trial) -> str:
    try:
        act(stage, trial.action, trial.data)
    except Refused as refused:
        return refused.message
    return ""


def _find_greyed(stage: Stage, trial: Trial) -> str:
    """Why the page would not offer this: the action or a choice is grayed out."""
    if refusal := find_refusal(trial.action, stage.state, ADA):
        return refusal.message
    for field in trial.action.find_fields(stage.state, ADA):
        if reason := _find_field_refusal(field, trial.data.get(field.name)):
            return reason
    return ""


def _find_field_refusal(field: Field, value: Any) -> str:
    if not value or not isinstance(value, str) or field.kind in ("number", "text", "flag", "faces"):
        return ""
    known = next((option for option in field.options if option.value == value), None)
    if known is None:
        return "" if field.kind == "place" else f"{field.name} is not among its choices"
    return known.refused


def tell_terms(trial: Trial, changes: Iterable[Change] = ()) -> tuple[str, ...]:
    """The terms of the form's sums, by key."""
    stage = copy_of(trial.stage)
    for change in changes:
        change(stage)
    if trial.action.preview is None:
        return ()
    try:
        preview = trial.action.preview(stage.state, read_command(trial.action, trial.data))
    except Refused:
        return ()
    own = [f"{_key(term.label)} {term.value:+}" for term in preview.modifiers]
    against = [f"against: {_key(term.label)} {term.value:+}" for term in preview.against]
    return (*own, *against)


def _key(label: Any) -> str:
    return str(getattr(label, "key", label))


# ---------------------------------------------------------------- conditions


def give(pairs: Pairs, kind: str, who: str, stage: Stage) -> None:
    """Give a combatant a condition whose source is the other one."""
    if kind in pairs.give:
        pairs.give[kind](stage, who)
        return
    other = BO if who == ADA else ADA
    made = make_condition(stage.state, pairs.system.characters.conditions[kind], by=other)
    stage.edit(who, conditions=(*stage[who].conditions, made))
    stage.state = replace(stage.state, made=stage.state.made + 1)


def find_conditions(pairs: Pairs) -> Table:
    """Each condition with each action, of the actor and of their target; no line without a difference."""
    trials = {way.name: prepare(pairs, way) for way in pairs.find_tries()}
    plain = {name: try_it(trial) for name, trial in trials.items()}
    terms = {name: tell_terms(trial) for name, trial in trials.items()}
    made = {"without any": fold({name: text for name, text in plain.items() if text != "yes"}, plain)}
    aimed = {name: trial for name, trial in trials.items() if trial.data.get("target") == BO}
    for who, some in ((ADA, trials), (BO, aimed)):
        for kind in pairs.system.characters.conditions:
            change = partial(give, pairs, kind, who)
            found = {name: _compare(trial, change, plain[name], terms[name]) for name, trial in some.items()}
            changed = {name: text for name, text in found.items() if text}
            made[f"{kind} ({'who acts' if who == ADA else 'target'})"] = fold(changed, some)
    return made


def _compare(trial: Trial, change: Change, plain: str, terms: tuple[str, ...]) -> str:
    text = try_it(trial, [change])
    if text != plain:
        return text
    return differ(terms, tell_terms(trial, [change])) if text.startswith("yes") else ""


# ---------------------------------------------------------------- barriers


def _wall(pairs: Pairs, stage: Stage, **more: Any) -> None:
    x = pairs.cell / 2
    wall = {"id": "w", "x1": x, "y1": -20, "x2": x, "y2": 20, **more}
    stage.do("set_map", map={"walls": [wall], "cell": pairs.square})


def _obstacle(pairs: Pairs, stage: Stage, **more: Any) -> None:
    """A crate fills the squares between the two."""
    _away(pairs, 2, stage)
    half = pairs.cell / 2
    thing = {"id": "o", "name": "Crate", "x": half, "y": -20, "width": 2 * half, "depth": 40}
    stage.do("set_map", map={"obstacles": [{**thing, **more}], "cell": pairs.square})


def _away(pairs: Pairs, squares: float, stage: Stage) -> None:
    """Move Bo, and all items on the ground, this many squares from Ada."""
    there = Point(pairs.cell * squares, 0)
    stage.edit(BO, at=there)
    stage.state = replace(stage.state, ground=tuple(replace(item, at=there) for item in stage.state.ground))


def _hide(stage: Stage) -> None:
    stage.edit(BO, hidden=True)


def find_betweens(pairs: Pairs) -> dict[str, Change]:
    """All that can be between two people, by name."""
    wall, thing = partial(partial, _wall, pairs), partial(partial, _obstacle, pairs)
    return {
        "nothing": lambda stage: None,
        "wall": wall(),
        "shut door": wall(kind="door"),
        "locked door": wall(kind="door", locked=True),
        "open door": wall(kind="door", open=True),
        "window": wall(kind="window", cover="", blocks_sight=False),
        "fence": wall(kind="fence", cover="", blocks_sight=False),
        "curtain": wall(cover="", blocks_way=False),
        "a crate of full cover 2 squares away": thing(height=3, cover="full", blocks_sight=True),
        "a low crate 2 squares away": thing(height=0.5),
        **{f"{n} squares away": partial(_away, pairs, n) for n in (2, 3, 30)},
        "hidden": _hide,
        **pairs.between,
    }


def find_barriers(pairs: Pairs) -> Table:
    """Each barrier between two people with each action that reaches for a person or an item."""
    made: dict[str, tuple[Line, ...]] = {}
    betweens = find_betweens(pairs)
    for way in pairs.find_tries():
        trial = prepare(pairs, way)
        if _reaches(trial):
            terms = tell_terms(trial)
            found = {name: _try_past(trial, change, terms) for name, change in betweens.items()}
            made[way.name] = fold(found, found)
    return _join_equal(made)


def _try_past(trial: Trial, change: Change, terms: tuple[str, ...]) -> str:
    """The result across a barrier, with the terms that it changes."""
    text = try_it(trial, [change])
    changed = differ(terms, tell_terms(trial, [change])) if text.startswith("yes") else ""
    return f"{text} ({changed})" if changed else text


def _reaches(trial: Trial) -> bool:
    items = {item.id for item in trial.stage.state.ground}
    return trial.data.get("target") == BO or bool(items & set(map(str, trial.data.values())))


def _join_equal(made: Table) -> Table:
    """Entries with equal lines, as one."""
    names: dict[tuple[Line, ...], list[str]] = {}
    for name, lines in made.items():
        names.setdefault(lines, []).append(name)
    return {", ".join(several): lines for lines, several in names.items()}


# ---------------------------------------------------------------- ground

PLAIN_GROUND = "plain"
PLAIN = 30  # squares of plain ground before and after
WAYS = {"into": (0, 3), "across": (0, 6), "out of": (3, 6), "inside": (3, 4)}  # squares from where to where


def find_grounds(pairs: Pairs) -> dict[str, Change]:
    """All kinds of ground, by name: terrains, zones of light, settings of the scene."""
    system = pairs.system
    terrains = {key: partial(_lay, pairs, terrain=[key]) for key, _ in system.space.terrains}
    settings = {
        f"{setting.key}: {value}": partial(_set, pairs, setting.key, value)
        for setting in system.book.settings
        for value, _ in setting.choices
        if value != setting.default
    }
    return {PLAIN_GROUND: partial(_lay, pairs), **terrains, **settings, **pairs.grounds}


def _lay(pairs: Pairs, stage: Stage, **fields: Any) -> None:
    """Plain ground before and after, and three squares of this kind between."""
    edges = {"before": (1.5 - PLAIN, PLAIN), "there": (1.5, 3), "after": (4.5, PLAIN)}
    zones = [
        {"id": name, "name": name, "x": x * pairs.cell, "width": wide * pairs.cell, "y": -20, "depth": 40}
        for name, (x, wide) in edges.items()
    ]
    zones[1] |= fields
    stage.do("set_scene", scene={"zones": zones, "settings": dict(stage.state.scene.settings)})


def name_zone(stage: Stage, x: float) -> str:
    """The zone of a place on the line from west to east, as commands name it."""
    found = find_zone(stage.state.scene, Point(x, 0))
    return f"zone:{found.id}" if found else name_point(stage, x)


def _set(pairs: Pairs, key: str, value: str, stage: Stage) -> None:
    _lay(pairs, stage)
    stage.do("set_setting", key=key, value=value)


def find_moves(pairs: Pairs) -> Table:
    """Each kind of ground with each move: into, across, out of and inside it; and a turn that ends there."""
    found = {name: _try_ground(pairs, change) for name, change in find_grounds(pairs).items()}
    plain = found.pop(PLAIN_GROUND)
    changes = {
        name: {way: text for way, text in texts.items() if text != plain[way]}
        for name, texts in found.items()
    }
    made = {name: fold(texts, plain) for name, texts in changes.items()}
    return {PLAIN_GROUND: fold(plain, plain), **made}


def _try_ground(pairs: Pairs, change: Change) -> dict[str, str]:
    found: dict[str, str] = {}
    for way in pairs.moves:
        for word, (start, goal) in WAYS.items():
            found[f"{way.name} {word}"] = _try_move(pairs, way, change, start, goal)
    found["turn ends there"] = _end_turn(pairs, change)
    return found


def _stand(pairs: Pairs, change: Change, squares: float) -> Stage:
    stage = pairs.make()
    stage.edit(BO, at=Point(0, 15 * pairs.cell))
    change(stage)
    stage.edit(ADA, at=Point(pairs.cell * squares, 0))
    return stage


def _try_move(pairs: Pairs, way: Try, change: Change, start: float, goal: float) -> str:
    stage = _stand(pairs, change, start)
    given = way.ready(stage) or {}
    action = find_action(pairs.system, way.action)
    data = {"actor": ADA, **given}
    if "to" in action.type.__struct_fields__:
        data.setdefault("to", pairs.name_place(stage, pairs.cell * goal))
    return _tell(stage, action, data)


def _end_turn(pairs: Pairs, change: Change) -> str:
    stage = _stand(pairs, change, 3)
    texts = []
    for _ in range(2):  # Ada's turn ends, Bo's ends and hers begins
        action = find_action(pairs.system, pairs.system.actions.advance)
        done = act(stage, action, {})
        texts.append(tell_facts(done.facts, ADA))
        stage.state = done.state
    return "; ".join(filter(None, texts)) or "nothing"


def _tell(stage: Stage, action: Action, data: dict[str, Any]) -> str:
    try:
        return tell_facts(act(stage, action, data).facts, ADA)
    except Refused as refused:
        return f"no: {refused.message}"


TABLES: Mapping[str, Callable[[Pairs], Table]] = {
    "conditions": find_conditions,
    "barriers": find_barriers,
    "ground": find_moves,
}
