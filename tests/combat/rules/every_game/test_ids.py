"""Every id of every command is looked up: one of nothing, or of something else, is refused."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, TypeAlias

import pytest
from msgspec.structs import FieldInfo

from combat.rules import find_system
from combat.rules.core.basics.data import find_fields
from combat.rules.core.basics.errors import Refused
from combat.rules.core.book.examples import load_examples
from combat.rules.core.commands.commands import (
    NAMED,
    Action,
    command_data,
    find_first_value,
    read_command,
)
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.engine.playing import Answers, Playing
from combat.rules.core.gm.actions import GM_ACTIONS, SEAT_ACTIONS
from combat.rules.core.state.state import State
from tests.combat.rules.every_game.wild.wild import Whim
from tests.combat.rules.games import GAMES, every_game, lack, play_demo

# Fields with ids or keys that the procedure looks up when it takes the thing
OF_ITEMS = frozenset(("draw", "dose", "item", "items", "load", "stow", "weapon"))
OF_THINGS = frozenset(
    (
        *("block", "clock", "condition", "counter", "door", "drop", "drug", "entry", "hazard", "key", "kind"),
        *("chosen", "numbers", "ruling", "rulings", "traits"),
        *("check", "cost", "inside", "own", "part", "pool", "reserve", "site", "thing", "track", "way"),
    )
)
# Places, and what counts only beside another field: without it they may be anything, and nothing fails
SOMETIMES = frozenset(("at", "firers", "of", "other", "player", "start", "to"))
# What else is written in a command: words for the log, one of a few words, what is drawn or stored
WORDS = frozenset(
    (
        *("action", "acts", "alias", "amount", "arc", "attribute", "band", "because", "becomes", "changes"),
        *("characteristic", "cover", "damage", "difficulty", "edge", "effects", "face", "fate"),
        *(
            "how",
            "keep",
            "kinds",
            "level",
            "name",
            "nerve",
            "note",
            "per",
            "reason",
            "record",
            "refills",
            "roll",
        ),
        *("rule_id", "seed", "sheet", "shown", "side", "sign", "skill", "source", "stance", "takes", "term"),
        *("text", "trigger", "unit", "using", "value", "what", "when", "why", "word", "words"),
    )
)
# What belongs to the owner of the encounter: who may name it, tests/combat/audience asks
OF_OWNERS = frozenset({"handout"})
LONG = "x" * 5000
Case: TypeAlias = tuple[State, dict[str, Any]]


def list_actions(system: System) -> dict[str, Action]:
    """Every action of a fight of this game."""
    return {**GM_ACTIONS, **SEAT_ACTIONS, **system.actions.by_name}


def holds_words(field: FieldInfo) -> bool:
    """Whether a field of a command can hold a word."""
    return "str" in str(field.type)


def find_cases(system: System) -> dict[str, list[Case]]:
    """Some commands of each action, with the state before: of examples and demo fights, and as forms open."""
    found: dict[str, dict[object, Case]] = defaultdict(dict)

    def add(state: State, name: str, data: dict[str, Any]) -> None:
        alike = (frozenset(data), id(state.scene), state.phase)
        if len(found[name]) < 8:
            found[name].setdefault(alike, (state, data))

    examples = load_examples(system.folder)
    for example in examples.example:
        playing = Playing(system, examples.usual, example)
        for deed in example.do:
            action, command = playing.read(deed)
            add(playing.state, action.name, command_data(command))
            try:
                playing.act(deed, Answers(playing.find_answers(deed)))
            except Refused:
                continue
    for demo in system.demo.make_all():
        last = system.begin()
        for moment in play_demo(system, (*demo.setup, *demo.script)):
            add(moment.before, moment.step.name, dict(moment.step.command))
            last = moment.after
        for name, action in list_actions(system).items():
            for actor in [""] if action.who == "gm" else list(last.combatants)[:2]:
                add(last, name, fill(action, last, actor))
    return {name: [*cases.values()] for name, cases in found.items()}


def fill(action: Action, state: State, actor: str) -> dict[str, Any]:
    """The fields of a form as it opens, and something in every other that a command needs."""
    data: dict[str, Any] = {"actor": actor} if actor else {}
    try:
        fields = action.find_fields(state, actor)
    except Refused:
        fields = ()
    data |= {field.name: value for field in fields if (value := find_first_value(field))}
    for field in find_fields(action.type):
        if field.required and field.name not in data:
            word = "f1" if holds_words(field) else "1"
            data[field.name] = [word] if "tuple" in str(field.type) else word
    return data


def find_strange(state: State, field: FieldInfo) -> Iterator[Any]:
    """What no one means: ids of nothing, ids of something else, an empty one, one that is very long."""
    item = next((item.id for one in state.combatants.values() for item in one.items), "i1")
    zone = next((zone.id for zone in state.scene.zones), "z1")
    wrong = {"f99", item, zone, LONG, "near:f99", "nan,1", "f99/x", ""}
    wrong -= {zone} if field.name == "zone" else {item} if field.name in OF_ITEMS else set()
    for one in sorted(wrong):
        yield from ([one], ["f1", one]) if "tuple" in str(field.type) else (one,)


def try_command(system: System, action: Action, state: State, data: dict[str, Any]) -> bool:
    """Whether a command is done, or waits; not if it is refused. Its preview and its area are asked too."""
    try:
        command = read_command(action, data, state)
        for ask in (action.preview, action.find_caught, action.find_area):
            try:
                if ask:
                    ask(state, command)
            except Refused:
                continue
        return bool(run(system, state, action, command, Whim(random.Random(1))))
    except Refused:
        return False


def find_named_fields(among: Collection[str] = ()) -> set[tuple[str, str]]:
    """The actions of all games with their fields that can hold a word, or with those `among` them alone."""
    return {
        (name, field.name)
        for system in GAMES.values()
        for name, action in list_actions(system).items()
        for field in find_fields(action.type)
        if holds_words(field) and (not among or field.name in among)
    }


@every_game
def test_ids_of_nothing_are_refused(system: System) -> None:
    taken, done = [], set()
    for name, cases in find_cases(system).items():
        action = find_action(system, name)
        for state, data in cases:
            works = try_command(system, action, state, data)
            done |= {name} if works else set()
            for field in filter(holds_words, find_fields(action.type)):
                if field.name in WORDS | OF_OWNERS:
                    continue
                for strange in find_strange(state, field):
                    wanted = {**data, field.name: strange}
                    if strange == data.get(field.name) or is_free(field, strange):
                        try_command(system, action, state, wanted)
                    elif try_command(system, action, state, wanted):
                        taken.append(f"{name}: {field.name} = {str(strange)[:30]}")
    assert not taken, lack(system, f"takes ids of nothing: {'; '.join(sorted({*taken}))}")
    assert len(done) > len(list_actions(system)) / 4, "too few of these commands can be done at all"


def is_free(field: FieldInfo, value: Any) -> bool:
    """Whether a command may be done with this value: then it only must not fail."""
    empty = value == "" or (isinstance(value, list) and "" in value)
    return field.name in SOMETIMES or (empty and not (field.required and field.name in NAMED))


def test_every_field_with_a_word_says_who_looks_it_up() -> None:
    """A new field of a command: is it an id? Then list it in NAMED of core/commands/commands.py, or here."""
    known = NAMED.keys() | OF_ITEMS | OF_THINGS | OF_OWNERS | SOMETIMES | WORDS
    every = {field for _, field in find_named_fields()}
    assert every <= known, f"what do these name? {', '.join(sorted(every - known))}"


@pytest.mark.parametrize("target", ["f99", "", LONG, "f1-1"])
def test_no_ram_is_ruled_on_for_what_is_not_there(target: str) -> None:
    system = find_system("cepheus")
    action = find_action(system, "rule_ram")
    demo = system.demo.make_all()[1]
    *_, last = play_demo(system, demo.setup)
    with pytest.raises(Refused, match="not in this encounter"):
        run(system, last.after, action, read_command(action, {"target": target}), Whim(random.Random(1)))
    fine = read_command(action, {"target": next(iter(last.after.combatants))})
    assert isinstance(run(system, last.after, action, fine, Whim(random.Random(1))), Done)
