"""How foes are is told as the table has it: two numbers with the same word look alike, whatever is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User

from combat.models import Encounter
from combat.panels import enter_room, open_form, suggest
from combat.rules import SYSTEMS, find_system
from combat.rules.core.commands import Action
from combat.rules.core.state import Combatant, State, encode, is_acting, replace
from combat.rules.core.system import System
from combat.secrecy import find_veiled, veil, veil_health
from combat.shapes import Viewer
from tests.combat.rules.core.wild import Chance, play, wild_fights
from tests.combat.web.desk import PIRATE, ZARA

from .secrets import SYSTEM, make_fight
from .test_hidden import draw

MOST_TRIED = 6  # actions of each moment


@pytest.mark.django_db
@pytest.mark.parametrize("slug", SYSTEMS)
@wild_fights
def test_no_wild_fight_tells_more_of_a_foes_health_than_its_word(slug: str, seed: int, length: int) -> None:
    """Neither rows nor forms, sums, odds, advice or what would help; each time some of them are tried."""
    system, chance = find_system(slug), Chance(seed)
    for log, _ in play(system, seed, length):
        state = log.state
        me = next((f for f in state.combatants.values() if is_acting(state, f.id) and not f.gone), None)
        if me is None or me.hidden or state.phase != "fight" or chance.random() < 0.8:
            continue
        viewer = Viewer("seat", frozenset((me.id,)))
        actions = [action for action in system.actions.values() if action.who != "gm"]
        tried = chance.sample(actions, MOST_TRIED)
        for twin in [*find_twins(system, state, viewer, chance)][:1]:
            shown, also = (read(system, each, viewer, me.id, tried) for each in (state, twin))
            assert shown.keys() == also.keys()
            for where, text in shown.items():
                assert text == also[where], where


def find_twins(system: System, state: State, viewer: Viewer, chance: Chance) -> Iterator[State]:
    """The same fight with another number behind what is shown of a foe."""
    track = system.tracks[0].key
    for fighter in state.combatants.values():
        if fighter.id not in find_veiled(system, state, viewer) or fighter.hidden:
            continue
        numbers = range(system.health(fighter).most + 1)
        others = (replace(fighter, tracks={**fighter.tracks, track: number}) for number in numbers)
        seen = look_at(system, state, fighter, viewer)
        alike = [
            other for other in others if other != fighter and look_at(system, state, other, viewer) == seen
        ]
        if alike:
            yield replace(state, combatants={**state.combatants, fighter.id: chance.choice(alike)})


def look_at(system: System, state: State, fighter: Combatant, viewer: Viewer) -> tuple[Any, ...]:
    """What is seen of somebody's health, and whether they lie down."""
    health = system.health(fighter)
    return veil_health(system, state, fighter, viewer, health), health.out, health.dead


def read(system: System, state: State, viewer: Viewer, me: str, tried: list[Action]) -> dict[str, Any]:
    """The table, what is advised, and what one's own fighter could do to anybody, with sums and odds."""
    encounter = Encounter(pk=1, name="Wild", system=system.slug, state=encode(state))
    room = enter_room(encounter, viewer)
    found: dict[str, Any] = {"table": draw(system, state, [], viewer)}
    advice = suggest(room, me)
    found["advice"] = (
        advice["advice"],
        msgspec.to_builtins(advice["open"].reckoning) if "open" in advice else "",
    )
    for action in tried:
        found |= read_action(room, action, me)
    return found


def read_action(room: Any, action: Action, me: str) -> dict[str, Any]:
    """The forms of one action, one for each it can be aimed at."""
    try:
        action.find_obstacle(room.state, me)
    except Exception as refused:  # noqa: BLE001 - whatever is said has to be the same
        return {action.name: str(refused)}
    first = open_form(room, action, me, {}, False)
    found: dict[str, Any] = {action.name: describe(first)}
    for target in sorted(first.targets):
        found[f"{action.name} {target}"] = describe(open_form(room, action, me, {"target": target}, False))
    return found


def describe(form: Any) -> tuple[str, Any]:
    """Everything the page shows of an open form."""
    return str(form.form), msgspec.to_builtins(form.reckoning)


# ---- What the numbers are reckoned with ----


def test_foes_are_reckoned_as_badly_off_as_they_look(gm: User) -> None:
    """A foe of 96 points that is hurt a little counts as at the worse end of its word; one's own never."""
    fight = make_fight(gm, secret=False, notes=0, health="word")
    state, viewer = fight.state, Viewer("seat", frozenset((ZARA,)))
    health = SYSTEM.health(state.combatants[PIRATE])
    blurred = veil(SYSTEM, state, viewer).combatants
    now = SYSTEM.health(blurred[PIRATE])
    assert (now.word, now.level) == (health.word, health.level)
    assert now.now < health.now
    worse = replace(blurred[PIRATE], tracks={SYSTEM.tracks[0].key: now.now - 1})
    assert SYSTEM.health(worse).word != health.word
    assert blurred[ZARA] == state.combatants[ZARA]
    assert veil(SYSTEM, state, Viewer("gm")) is state
