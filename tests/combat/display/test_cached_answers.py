"""Nothing that is cached is stale: answers in a wild fight that the GM keeps changing, and afresh."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from inspect import signature
from itertools import cycle, islice
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.models import Encounter
from combat.pages.table.shapes import view_table
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import forget
from combat.rules.core.commands.commands import Action, Field, find_first_value, find_reasons, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.state.state import State, is_acting, present
from combat.sharing.viewer_context import ViewerContext
from tests.combat.rules.every_game.wild.wild import Log, pick_submission
from tests.combat.rules.every_game.wild.wild_gm import GM_WISHES, pick_gm_submission
from tests.thinning import thin

SEED, CHANGES = 1, 40  # of the fight
BASES, TWINS = 3, 8  # states of it, and GM's changes tried in each: over all of them each at least once
WISHES = (
    *("give_condition", "place", "adjust", "resize", "set_setting", "set_option", "set_map", "set_scene"),
    *("wear", "give_condition", "place", "change_map", "set_door", "take_condition", "adjust_each", "remove"),
    *("hide", "surrender", "rename", "give_budget", "wear", "place"),
)
KEPT = ("combat.rules.core.book.", "combat.rules.core.basics.")  # caches of files and of types: constants
OPTIONS = 2  # tried of each field but targets, which are all tried
MOST = 300  # looks of one panel of odds
PLACES = ("held", "worn", "carried")
Answers = dict[str, bytes]
LOOKERS = {"gm": Viewer("gm"), "player": Viewer("seat", frozenset(["f1"])), "spectator": Viewer()}


def find_caches() -> list[Any]:
    """The `lru_cache` of each function of the rules that takes something."""
    rules = [module for name, module in sys.modules.items() if name.startswith("combat.rules.")]
    found = {id(one): one for module in rules for one in vars(module).values() if hasattr(one, "cache_clear")}
    return [
        one for one in found.values() if signature(one).parameters and not one.__module__.startswith(KEPT)
    ]


def play(system: System, seed: int) -> Iterator[State]:
    """The states of a wild fight; every other change is the GM's."""
    log, chance = Log(system), random.Random(seed)
    for step in system.demo.make_first().setup:
        log.do(step.name, dict(step.command), chance)
    log.do(system.actions.start, {}, chance)
    for number in range(CHANGES):
        wish = pick_gm_submission(chance, system, log.state) if number % 2 else None
        try:
            log.do(*(wish or pick_submission(chance, system, log.state)), chance)
        except Refused:
            continue
        yield log.state


def vary(system: System, base: State, chance: random.Random, wishes: Iterator[str]) -> Iterator[State]:
    """The same state with one thing changed by the GM, such as where someone stands, or by wear."""
    for name in islice(wishes, TWINS):
        try:
            if name == "wear":
                yield wear(base, chance)
            else:
                yield Log(system, base).do(name, GM_WISHES[name](chance, system, base), chance).state
        except Refused:
            continue


def wear(base: State, chance: random.Random) -> State:
    """Someone's things in other places, some of them empty."""
    one = chance.choice(list(present(base)))
    items = tuple(
        replace(item, place=chance.choice(PLACES), loaded=item.loaded and chance.choice((0, item.loaded)))
        for item in one.items
    )
    return replace(base, combatants={**base.combatants, one.id: replace(one, items=items)})


def ask(system: System, state: State, begin: Callable[[], None]) -> Answers:
    """What pages and plans ask about a state; `begin` is called before those about each combatant."""
    found = {f"page of {who}": view(system, state, viewer) for who, viewer in LOOKERS.items()}
    actions = tuple(system.actions.by_name.values())
    for one in present(state):
        begin()
        reasons = find_reasons(actions, state, one.id)
        found[f"reasons of {one.id}"] = tell(reasons)
        found[f"health of {one.id}"] = tell(system.characters.health(one))
        found[f"facts of {one.id}"] = tell(system.characters.facts_of(state, one))
        if is_acting(state, one.id):
            found[f"plan of {one.id}"] = tell(attempt(partial(system.tactics.suggest, state, one.id)))
        open_now = [action for action, reason in zip(actions, reasons, strict=True) if not reason]
        for action in open_now:
            fields = action.find_fields(state, one.id)
            found[f"form of {action.name} for {one.id}"] = tell(fields)
            for number, command in enumerate(fill(action, fields, one.id)):
                found[f"sum {number} of {action.name} for {one.id}"] = weigh(system, state, action, command)
    return found


def view(system: System, state: State, viewer: Viewer) -> bytes:
    """What a viewer's page shows, and the state it knows."""
    encounter = Encounter(pk=1, name="Wild", system=system.slug)
    context = ViewerContext(encounter, viewer, decoded=state)
    context.__dict__["known_state"] = known = redact(state, viewer)
    return tell((known, view_table(context, steps=())))


def fill(action: Action, fields: tuple[Field, ...], who: str) -> Iterator[dict[str, Any]]:
    """Commands from a form: as it opens, then with other options of one field."""
    first = {field.name: value for field in fields if (value := find_first_value(field))}
    yield {"actor": who} | first
    for field in fields:
        if field.kind in ("target", "choice"):
            others = [option.value for option in field.options if option.value != field.value]
            for value in others if field.kind == "target" else others[:OPTIONS]:
                yield {"actor": who} | first | {field.name: value}


def weigh(system: System, state: State, action: Action, data: dict[str, Any]) -> bytes:
    """The sum of a command, and its odds with all that it does."""
    found = attempt(partial(read_command, action, data))
    if isinstance(found, str):
        return found.encode()
    preview = attempt(partial(action.preview, state, found)) if action.preview else ""
    looks = iter(range(MOST))
    odds = partial(find_odds, system, state, action, found, lambda: next(looks, None) is None)
    return tell((preview, attempt(odds) if preview else ""))


def attempt(find: partial[Any]) -> Any:
    """An answer, or why there is none."""
    try:
        return find()
    except Refused as refused:
        return refused.message
    except TooMany:
        return "too many"


def tell(answer: Any) -> bytes:
    """An answer to be compared."""
    return msgspec.msgpack.encode(answer, enc_hook=repr, order="deterministic")


def differ(one: Answers, other: Answers) -> Iterable[str]:
    """The questions with other answers."""
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]


@pytest.mark.django_db
@pytest.mark.parametrize("slug", thin(SYSTEMS, "starshock"))
def test_what_is_cached_is_as_if_it_were_worked_out_now(slug: str) -> None:
    """First all caches stay warm over a fight and its twins; then each state is asked about with none."""
    system, caches, chance = find_system(slug), find_caches(), random.Random(SEED)
    assert caches
    states = [state for state in play(system, SEED) if state.phase == "fight" and state.active]
    assert len(states) > CHANGES / 4
    bases = chance.sample(states, BASES)
    wishes = cycle(WISHES)
    asked = [twin for base in bases for twin in (base, *vary(system, base, chance, wishes))]
    warm = [ask(system, state, lambda: None) for state in asked]

    def begin() -> None:
        forget()
        for cache in caches:
            cache.cache_clear()

    for number, (state, known) in enumerate(zip(asked, warm, strict=True)):
        begin()
        assert not differ(known, ask(system, state, begin)), f"stale in state {number}"
