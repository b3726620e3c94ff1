"""What a GM does in a wild fight."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from combat.rules.core.declaration.system import System
from combat.rules.core.gm.actions import GM_ACTIONS, SEAT_ACTIONS
from combat.rules.core.gm.figures import find_figures, find_numbers
from combat.rules.core.gm.loot import find_asks, find_holders
from combat.rules.core.space import map_of
from combat.rules.core.state.state import State, present

Chance: TypeAlias = random.Random
Submission: TypeAlias = tuple[str, dict[str, Any]]
MAX_COMBATANTS = 6
NUMBERS = [-10_000, -40, -5, -1, 0, 1, 2, 7, 40, 10_000]
METERS = ["0", "3.25", "12", "-7", "99999", "nan", "inf"]
Pick = Callable[[Chance, System, State], dict[str, Any]]


def pick_gm_submission(chance: Chance, system: System, state: State) -> Submission:
    """Something that the GM may want now."""
    name = chance.choice(list(GM_WISHES))
    if name in ("end_fight", "set_scene", "remove") and chance.random() < 0.6:
        name = "adjust"  # more of these would leave little to see
    if name in ("join", "duplicate") and len(present(state)) >= MAX_COMBATANTS:
        name = "remove"
    return name, {**GM_WISHES[name](chance, system, state), "reason": chance.choice(["", "by decree"])}


def pick_someone(chance: Chance, state: State) -> str:
    """Anyone, or someone who is not there."""
    everybody = list(state.combatants)
    return chance.choice(everybody) if everybody and chance.random() < 0.95 else "f0"


def _target(chance: Chance, system: System, state: State) -> dict[str, Any]:
    return {"target": pick_someone(chance, state)}


def _join(chance: Chance, system: System, state: State) -> dict[str, Any]:
    zones = [zone.id for zone in state.scene.zones]
    sides = sorted({combatant.side for combatant in present(state)})
    return {
        "block": chance.choice(list(system.book.find_blocks())),
        "name": chance.choice(["", "Kim", "Guard 1"]),
        "side": chance.choice([*sides, "enemies", "strays"]),
        "zone": chance.choice(["", *zones, *zones, "nowhere"]),
        "hidden": chance.random() < 0.5,
        "count": chance.choice([1, 1, 2, 0]),
        "group": chance.random() < 0.5,
    }


def _adjust(chance: Chance, system: System, state: State) -> dict[str, Any]:
    track = chance.choice([*(track.key for track in system.characters.tracks)] * 5 + ["luck"])
    how = "to" if chance.random() < 0.3 else "by"
    return {"target": pick_someone(chance, state), "track": track, how: chance.choice(NUMBERS)}


def _adjust_each(chance: Chance, system: System, state: State) -> dict[str, Any]:
    targets = [pick_someone(chance, state) for _ in range(chance.randrange(4))]
    return {"targets": targets, "track": system.characters.tracks[0].key, "by": chance.choice(NUMBERS)}


def _several(chance: Chance, system: System, state: State) -> dict[str, Any]:
    return {"targets": [pick_someone(chance, state) for _ in range(chance.randrange(4))]}


def _give(chance: Chance, system: System, state: State) -> dict[str, Any]:
    return {
        "target": pick_someone(chance, state),
        "kind": chance.choice(
            [*system.characters.conditions, *(one.id for one in state.all_own_conditions), "cursed"]
        ),
        "level": chance.choice([1, 1, 1, 2, 0]),
        "turns": chance.choice([0, 0, 1, 2, 101]),
        "by": chance.choice(["", pick_someone(chance, state)]),
    }


def _take(chance: Chance, system: System, state: State) -> dict[str, Any]:
    held = [(f.id, c.id) for f in present(state) for c in f.conditions]
    who, condition = chance.choice([*held, ("f1", "k0")])
    return {"target": who, "condition": condition}


def _place(chance: Chance, system: System, state: State) -> dict[str, Any]:
    zones = [zone.id for zone in state.scene.zones]
    where = {"x": chance.choice(METERS), "y": chance.choice(METERS)} if chance.random() < 0.5 else {}
    return {"target": pick_someone(chance, state), "zone": chance.choice(["", *zones]), **where}


def _budget(chance: Chance, system: System, state: State) -> dict[str, Any]:
    pool = chance.choice([*(pool.key for pool in system.turn.pools), "luck"])
    return {"target": pick_someone(chance, state), "pool": pool, "left": chance.choice([0, 1, 3, 21])}


def _option(chance: Chance, system: System, state: State) -> dict[str, Any]:
    option = chance.choice(system.book.all_options)
    values = [*map(str, option.choices or (True, False)), *map(str, option.number or ()), "nonsense"]
    return {"key": option.key, "value": chance.choice(values)}


def _setting(chance: Chance, system: System, state: State) -> dict[str, Any]:
    known = [(s.key, value) for s in system.book.settings for value, _ in s.choices]
    key, value = chance.choice([*known, ("mood", "calm")])
    return {"key": key, "value": value}


def _scene(chance: Chance, system: System, state: State) -> dict[str, Any]:
    mood = _setting(chance, system, state)
    words = {mood["key"]: mood["value"]} if chance.random() < 0.5 else {}
    zones = [_zone(chance, system, number) for number in range(chance.randrange(4))]
    return {"scene": {"name": "Here", "zones": zones, "settings": words}}


def _zone(chance: Chance, system: System, number: int) -> dict[str, Any]:
    return {
        "id": f"z{number}",
        "name": f"Zone {number}",
        "x": chance.choice([0, 5, 10]),
        "y": chance.choice([0, 5]),
        "width": chance.choice([4, 10]),
        "depth": chance.choice([4, 10.5, 10.5, 0]),
        "height": chance.choice([0, 0, 2]),
        "cover": chance.choice(["", *dict(system.space.covers)]),
        "light": chance.choice(["", *dict(system.space.lights)]),
        "terrain": chance.sample([*dict(system.space.terrains)] * 9 + ["lava"], 1),
    }


def _set_map(chance: Chance, system: System, state: State) -> dict[str, Any]:
    walls = [_wall(chance, system, f"w{number}") for number in range(chance.randrange(5))]
    lights = [
        {"id": "l1", "x": 3, "y": 3, "radius": 4, "kind": chance.choice(["", *dict(system.space.lights)])}
    ]
    return {"map": {"walls": walls, "lights": chance.choice([[], lights]), "fog": chance.random() < 0.3}}


def _wall(chance: Chance, system: System, name: str) -> dict[str, Any]:
    x, y, long = chance.choice([-3, 0.5, 4]), chance.choice([-2, 0.5, 5]), chance.choice([0, 1, 3, 8])
    kind = chance.choice(["wall", "wall", "door", "window", "fence"])
    door = {"secret": True} if kind == "door" and chance.random() < 0.3 else {}
    return {
        "id": name,
        "x1": x,
        "y1": y,
        "kind": kind,
        **door,
        **({"x2": x + long, "y2": y} if chance.random() < 0.5 else {"x2": x, "y2": y + long}),
        "cover": chance.choice(["full", "", *dict(system.space.wall_covers)]),
        "blocks_sight": kind in ("wall", "door"),
    }


def _change_map(chance: Chance, system: System, state: State) -> dict[str, Any]:
    things = [{"id": "c1", "name": "Crate", "x": chance.choice([1, 2.5]), "y": 1, "height": 1}]
    areas = [{"id": "a1", "x": 0, "y": 0, "width": 5, "depth": chance.choice([0, 5])}]
    return {
        "walls": [_wall(chance, system, "w1") for _ in range(chance.randrange(2))],
        "obstacles": things if chance.random() < 0.5 else [],
        "hidden": areas if chance.random() < 0.3 else [],
        "drop": [wall.id for wall in map_of(state.scene).walls[:1]] if chance.random() < 0.3 else [],
    }


def _set_door(chance: Chance, system: System, state: State) -> dict[str, Any]:
    doors = [wall.id for wall in map_of(state.scene).walls if wall.kind == "door"]
    return {
        "door": chance.choice([*doors, "w0"]),
        "open": chance.random() < 0.5,
        "locked": chance.random() < 0.3,
    }


def _with(field: str, *values: Any) -> Pick:
    return lambda chance, system, state: {
        "target": pick_someone(chance, state),
        field: chance.choice(values),
    }


def _reorder(chance: Chance, system: System, state: State) -> dict[str, Any]:
    return {"target": pick_someone(chance, state), "after": chance.choice(["", "f0", *state.order])}


def _arrange(chance: Chance, system: System, state: State) -> dict[str, Any]:
    zones = ["", "nowhere", *(zone.id for zone in state.scene.zones)]
    return {
        **_several(chance, system, state),
        "name": chance.choice(["", "Rook"]),
        "side": chance.choice(["", "allies", "enemies"]),
        "zone": chance.choice(zones),
        "hidden": chance.choice([None, True, False]),
        "face": chance.choice([None, "", "pilot", "No face"]),
    }


def _new_clock(chance: Chance, system: System, state: State) -> dict[str, Any]:
    shown = chance.choice(["all", "some", "gm"])
    return {
        "name": chance.choice(["Alarm", "Air", ""]),
        "size": chance.choice([2, 4, 12, 13]),
        "filled": chance.choice([0, 0, 1, 3]),
        "each_round": chance.choice([0, 1, 2]),
        "shown": shown,
        "who": [pick_someone(chance, state)] if shown == "some" else [],
        "veiled": chance.random() < 0.3,
        **(_act(chance, system, state) if chance.random() < 0.4 else {}),
    }


def _act(chance: Chance, system: System, state: State) -> dict[str, Any]:
    return {
        "acts": chance.choice(["start", "at", "after", "soon"]),
        "score": chance.choice([0, 5, 12]),
        "after": pick_someone(chance, state),
        "first": chance.choice([1, 1, 2, 0]),
        "every": chance.choice([0, 1, 2]),
        "note": chance.choice(["", "The floor shakes."]),
        "zone": chance.choice(["", "nowhere", *(zone.id for zone in state.scene.zones)]),
        "harm": chance.choice([0, 1, 7]),
        "condition": chance.choice(["", "odd", *system.characters.conditions]),
    }


def _clock(chance: Chance, system: System, state: State) -> dict[str, Any]:
    return {"clock": chance.choice([*(clock.id for clock in state.all_clocks), "c0"])}


def _new_counter(chance: Chance, system: System, state: State) -> dict[str, Any]:
    return {
        **_target(chance, system, state),
        "name": chance.choice(["Luck", "Charges", ""]),
        "most": chance.choice([1, 3, 21]),
        "left": chance.choice([None, 0, 2]),
        "refills": chance.choice(["hand", "round", "turn", "scene", "week"]),
        "shown": chance.choice(["all", "gm"]),
    }


def _counter(chance: Chance, system: System, state: State) -> dict[str, Any]:
    known = [(one.id, counter.id) for one in state.combatants.values() for counter in one.all_counters]
    who, counter = chance.choice([*known, ("f1", "n0")])
    return {"target": who, "counter": counter}


def _arrival(chance: Chance, system: System, state: State) -> dict[str, Any]:
    when = chance.choice(["hand", "round", "round", "clock", "door", "soon"])
    doors = [wall.id for wall in map_of(state.scene).walls if wall.kind == "door"]
    known = {"clock": [clock.id for clock in state.all_clocks], "door": doors}.get(when, [])
    zones = [zone.id for zone in state.scene.zones]
    where = [
        {"zone": chance.choice(["", *zones, "nowhere"])},
        {"edge": chance.choice(["north", "west", "up"])},
    ]
    return {
        "when": when,
        "at_round": state.round + chance.choice([0, 1, 1, 2]) if when == "round" else 0,
        "of": chance.choice([*known, "x0"]),
        **chance.choice([{}, *where, {"x": chance.choice(METERS), "y": chance.choice(METERS)}]),
    }


def _define(chance: Chance, system: System, state: State) -> dict[str, Any]:
    """A condition of the GM's own: new, or another definition of one that there is."""
    rules = system.characters.own_conditions
    own = _own(chance, system, state) if chance.random() < 0.3 else {}
    return {
        **own,
        "name": f"Curse {chance.randint(1, 99)}",
        "changes": {number: chance.randint(-3, 3) for number in rules.changes if chance.random() < 0.3},
        "effects": [effect for effect in rules.effects if chance.random() < 0.3],
        "turns": chance.choice([0, 0, 2]),
    }


def _own(chance: Chance, system: System, state: State) -> dict[str, Any]:
    return {"own": chance.choice([*(one.id for one in state.all_own_conditions), "o99"])}


def _reserve(chance: Chance, system: System, state: State) -> dict[str, Any]:
    return {"reserve": chance.choice([*(one.id for one in state.all_reserves), "r0"])}


def _loot(chance: Chance, system: System, state: State) -> dict[str, Any]:
    """Items of someone, mostly fallen, or of the scene."""
    holders = [one.id for one in find_holders(system, state)]
    holder = chance.choice([*holders * 4, "", pick_someone(chance, state)])
    there = state.combatants[holder].items if holder in state.combatants else state.ground
    return {"holder": holder, "items": [chance.choice([*(item.id for item in there), "f0-1"])]}


def _share(chance: Chance, system: System, state: State) -> dict[str, Any]:
    return {
        "holder": chance.choice(["", "", pick_someone(chance, state)]),
        "amount": chance.choice([None, 0, 1, 7, 1000]),
        "to": [pick_someone(chance, state) for _ in range(chance.choice([0, 1, 2, 2]))],
    }


def _decline(chance: Chance, system: System, state: State) -> dict[str, Any]:
    asks = [{"target": one.id, "item": item} for one, item in find_asks(state)]
    return chance.choice([*asks, {"target": pick_someone(chance, state), "item": "f1-1"}])


def _improvise(chance: Chance, system: System, state: State) -> dict[str, Any]:
    """An act with any check, cost and endings of the game, and now and then with something it lacks."""
    rules = system.actions.improvising
    actor = chance.choice([state.active, pick_someone(chance, state), ""])
    act: dict[str, Any] = {"actor": actor, "words": chance.choice(["I kick the crate.", "", "x" * 201])}
    if rules and actor and chance.random() < 0.8:
        deed = chance.choice(list(rules.figures.deeds.values()))
        grade = chance.choice([*(step.value for step in rules.figures.grades), "odd"])
        act["check"] = [*map(list, deed.items()), [rules.figures.grade, grade]]
        act["cost"] = chance.choice(["", *(cost.key for cost in rules.costs), "luck"])
        if chance.random() < 0.3:
            act |= {"opposed": pick_someone(chance, state), "counter": act["check"]}
    act["works"] = [_effect(chance, system, state) for _ in range(chance.randrange(3))]
    act["fails"] = [_effect(chance, system, state) for _ in range(chance.randrange(3))]
    act |= {"keep": chance.choice(["", "Kick", "x" * 61]), "hides": chance.random() < 0.3}
    return {**act, "secret": chance.random() < 0.3}


def pick_figures(chance: Chance, system: System, state: State) -> dict[str, Any]:
    """Figures of anyone, some out of their bounds, and some that they do not have."""
    numbers = {"skills.juggling": 1} if chance.random() < 0.1 else {}
    items: dict[str, dict[str, Any]] = {}
    for one in chance.sample(present(state), min(1, len(present(state)))):
        for part, stat, value in chance.sample(
            find_numbers(system, one), min(3, len(find_numbers(system, one)))
        ):
            numbers[f"{part}.{stat.key}"] = value + chance.choice([1, -1, 0, 40])
        for item in one.items[:1]:
            figures = find_figures(system, item)
            items[item.id] = {column.key: value for column, value in figures[:1]}
    return {"numbers": numbers, "items": items, "health": chance.choice([0, 0, 0, 1, 60, -3])}


def _bring(chance: Chance, system: System, state: State) -> dict[str, Any]:
    """Rulings of anyone for anyone."""
    known = [msgspec.to_builtins(one) for who in present(state) for one in who.all_rulings]
    odd = {"id": "r1", "name": chance.choice(["Kick", ""]), "check": [["skill", "odd"]]}
    return {"rulings": {pick_someone(chance, state): [chance.choice([*known, odd])]}}


def _effect(chance: Chance, system: System, state: State) -> dict[str, Any]:
    who = [pick_someone(chance, state) for _ in range(chance.choice([0, 1, 1, 2]))]
    items = [item.id for one in present(state) for item in one.items]
    keys = {
        "condition": [*system.characters.conditions, "cursed"],
        "place": ["", *(zone.id for zone in state.scene.zones)],
        "item": [*items, "f1-1"],
        "door": [*(wall.id for wall in map_of(state.scene).walls), "w0"],
        "clock": [*(clock.id for clock in state.all_clocks), "c0"],
        "counter": ["n1"],
        "side": ["allies", "strays", ""],
        "leaves": ["", "surrenders"],
    }
    kind = chance.choice([*keys, "harm", "points", "words"])
    return {
        "kind": kind,
        "who": who,
        "key": chance.choice(keys.get(kind, [""])),
        "to": chance.choice(["", pick_someone(chance, state)]),
        "dice": chance.choice(["1d6", "3", "2d10+1", "lots", ""]),
        "n": chance.choice([0, 1, -2, 99]),
        "turns": chance.choice([0, 1, 2]),
        "text": chance.choice(["", "It creaks."]),
    }


TERMS = ("2d6+3", "d100", "20d6-5", "101d6", "lots")  # of free dice; the last two are refused
GM_WISHES: dict[str, Pick] = {
    "join": _join,
    "resize": _with("metres", 0, 3, 4.5, 99),
    "rename": _with("name", "Robin", "", "x" * 61),
    "alias": _with("alias", "Hooded figure", "", "x" * 61),
    "remove": _target,
    "duplicate": _target,
    "adjust": _adjust,
    "adjust_each": _adjust_each,
    "give_condition": _give,
    "take_condition": _take,
    "define_condition": _define,
    "drop_condition": _own,
    "surrender": _target,
    "fight_on": _target,
    "revive": _target,
    "place": _place,
    "hide": _with("hidden", True, False),
    "set_boss": _with("boss", True, False),
    "reorder": _reorder,
    "remove_each": _several,
    "hide_each": lambda chance, system, state: {
        **_several(chance, system, state),
        "hidden": chance.random() < 0.5,
    },
    "arrange": _arrange,
    "gather": _several,
    "join_squad": _several,
    "split_squad": _target,
    "place_each": lambda chance, system, state: {
        **_several(chance, system, state),
        "x": chance.choice(METERS),
        "y": chance.choice(METERS),
    },
    "place_by_side": lambda chance, system, state: {},
    "set_initiative": _with("score", 3, 12, 99_999),
    "give_budget": _budget,
    "set_option": _option,
    "move_rules": lambda chance, system, state: {"to": chance.choice([1, 2, 3])},
    "set_setting": _setting,
    "set_scene": _scene,
    "set_map": _set_map,
    "change_map": _change_map,
    "set_door": _set_door,
    "start_clock": _new_clock,
    "tick_clock": lambda chance, system, state: {
        **_clock(chance, system, state),
        "by": chance.choice([1, 1, 2, -1]),
    },
    "change_clock": lambda chance, system, state: {
        **_clock(chance, system, state),
        **_new_clock(chance, system, state),
    },
    "remove_clock": _clock,
    "start_counter": _new_counter,
    "tick_counter": lambda chance, system, state: {
        **_counter(chance, system, state),
        "by": chance.choice([-1, -1, 1]),
    },
    "change_counter": lambda chance, system, state: {
        **_new_counter(chance, system, state),
        **_counter(chance, system, state),
    },
    "remove_counter": _counter,
    "hold_back": lambda chance, system, state: {
        **_several(chance, system, state),
        **_arrival(chance, system, state),
    },
    "arrive": _reserve,
    "change_arrival": lambda chance, system, state: {
        **_reserve(chance, system, state),
        **_arrival(chance, system, state),
    },
    "drop_reserve": _reserve,
    "hand_out": lambda chance, system, state: {
        **_loot(chance, system, state),
        "to": chance.choice(["all", pick_someone(chance, state)]),
    },
    "give_item": _with("entry", "weapon/club", "gear/medkit", "x", ""),
    "leave_items": _loot,
    "share_money": _share,
    "improvise": _improvise,
    "help_next": _with("points", 2, -2, 0, 99),
    "answer_wish": _with("words", "I shout.", "x" * 201),
    "bring_rulings": _bring,
    "correct": lambda chance, system, state: {
        **_target(chance, system, state),
        **pick_figures(chance, system, state),
    },
    "search": _target,
    "decline_ask": _decline,
    "gm_word": lambda chance, system, state: {
        "target": pick_someone(chance, state),
        "text": chance.choice(["", "Now.", "x" * 301]),
    },
    "gm_roll": lambda chance, system, state: {"term": chance.choice(TERMS), "secret": chance.random() < 0.5},
    "note": lambda chance, system, state: {"text": chance.choice(["", "Mind the gap."])},
    "play_on": lambda chance, system, state: {},
    "close_fight": lambda chance, system, state: {},
    "pause": lambda chance, system, state: {},
    "resume": lambda chance, system, state: {},
    "end_fight": lambda chance, system, state: {},
}
ODD = ", ".join(GM_ACTIONS.keys() ^ GM_WISHES.keys())
assert not ODD, f"wild fights try what the GM can do: GM_WISHES has a row too few or too many, {ODD}"
TRIED = {
    "set_standing",
    "give_word",
    "ask_for",
    "roll_dice",
    "send_word",
    "spend_counter",
    "use_ruling",
    "drop_ruling",
    "correct_own",
}
assert set(SEAT_ACTIONS) == TRIED, "combatants can do something that no wild fight tries"
