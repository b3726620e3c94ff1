"""No one else learns what a GM does to those out of sight: in every game, for every action of a GM."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from combat.audience.changes import Audience, find_seen_audience
from combat.audience.map_fog import find_unknown
from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done
from combat.rules.core.gm.improvising import ACT
from combat.rules.core.space import Area, map_of, with_map
from combat.rules.core.state.state import State, encode, replace
from combat.rules.core.wording import describe_facts
from tests.combat.audience.unseen import (
    AREA,
    FAR,
    GHOST,
    HIDDEN,
    OF_RESERVES,
    REASON,
    WAITS,
    WAYS,
    do,
    find_commands,
    find_names,
    find_own_actions,
    find_own_commands,
    is_about,
    is_gift,
    make_ambush,
    make_world,
)
from tests.thinning import thin


def find_worlds() -> Iterator[Any]:
    """Each game's fight with someone out of sight in each way, and before it one who is hidden or waits.

    Preparation behind a fog or in an area is the same in every game, so only the first has it.
    """
    for slug, way, started in product(SYSTEMS, WAYS, (True, False)):
        if started or way in (HIDDEN, WAITS) or slug == FIRST:
            yield pytest.param(slug, way, started, marks=[pytest.mark.slow] * (slug != FIRST))


FIRST = next(iter(SYSTEMS))
every_world = pytest.mark.parametrize(("slug", "way", "started"), list(find_worlds()))


def read_lines(system: System, known: State, done: Done, viewer: Viewer) -> list[str]:
    """What someone reads about it in the log, knowing this of the fight."""
    names = {who: combatant.name for who, combatant in known.combatants.items()}
    return [line.text for line in describe_facts(system, viewer.select(done.facts), names)]


def look(state: State, viewer: Viewer) -> bytes:
    """All that someone may know of a fight."""
    return look_at(redact(state, viewer))


def look_at(known: State) -> bytes:
    """The bytes of a known state; conditions' numbers may have gaps, which all may know."""
    return re.sub(rb'"k\d+"', b'"k"', encode(known))


def watch(system: System, done: Done, viewer: Viewer) -> tuple[list[str], bytes]:
    """What someone reads about it in the log, and all that they may know afterwards."""
    known = redact(done.state, viewer)
    return read_lines(system, known, done, viewer), look_at(known)


def shows(after: State, before: State) -> bool:
    """Whether someone came into sight."""
    return bool(find_unknown(before, Viewer()) - find_unknown(after, Viewer()))


@pytest.mark.slow
@every_world
def test_what_the_gm_does_tells_nobody_of_the_unseen(slug: str, way: str, started: bool) -> None:
    """What concerns the unseen is told to nobody; all else reads as in a world where they are not."""
    system = find_system(slug)
    (state, ghost), (other, _) = (make_world(system, way, started, there) for there in (True, False))
    viewers = [Viewer(), *(Viewer("seat", frozenset((f.id,))) for f in other.combatants.values() if f.pc)]
    before = {viewer: look(state, viewer) for viewer in viewers}
    for viewer, known in before.items():
        assert known == look(other, viewer)
    tried = set()
    for name in find_names(system):
        for data, done in find_commands(system, state, ghost, name):
            if shows(done.state, state):
                continue
            if is_about(ghost, name, data):
                tried.add(name)
                check_untold(system, state, done, before, ghost, (name, data))
                continue
            twin = do(system, other, name, data)
            for viewer in before:
                assert watch(system, done, viewer) == watch(system, twin, viewer), f"{name} {data}"
    of_others = ("adjust", "give_condition", "remove", "duplicate", "rename", "hold_back")
    assert {"join", *(OF_RESERVES[1:] if way == WAITS else of_others)} <= tried


def acts_in_sight(ghost: str, name: str, data: dict[str, Any]) -> bool:
    """Whether someone in sight does what the GM rules, also to people out of sight."""
    return name == ACT and data.get("actor", "") not in ("", ghost)


def check_untold(
    system: System,
    state: State,
    done: Done,
    before: dict[Viewer, bytes],
    ghost: str,
    command: tuple[str, dict[str, Any]],
) -> None:
    """Check that what was done to the unseen is told to nobody; `before` is what each knew."""
    name, data = command
    told = f"{name} {data}"
    passes = (done.state.clock, done.state.phase) != (state.clock, state.phase)
    gift = is_gift(ghost, name, data) or acts_in_sight(ghost, name, data)
    for viewer, known in before.items():
        lines, after = watch(system, done, viewer)
        assert not re.search(f"omeone|{GHOST}|{REASON}", " ".join(lines)), f"{told}: {lines}"
        if passes:
            continue  # time passes for all, and an ending fight ends for all
        if gift:  # who gets or does something is told, but not of whom or to whom
            assert not re.search(rf"\b{ghost}\b", str(viewer.select(done.facts))), f"{told}: {lines}"
            continue
        assert not viewer.select(done.facts), f"{told}: {lines}"
        assert after == known, told
    if not (passes or gift):
        assert find_seen_audience(state, done.state) == Audience(), told


def test_copy_of_the_unseen_is_unseen_even_at_a_place_in_sight() -> None:
    system = find_system("cosmos")
    state, ghost = make_world(system, AREA, started=True)
    small = (Area("dark", FAR.x - 0.6, FAR.y - 0.6, 1.2, 1.2),)
    state = replace(state, scene=with_map(state.scene, replace(map_of(state.scene), hidden=small)))
    state = do(system, state, "place", {"target": ghost, "x": FAR.x, "y": FAR.y}).state
    done = do(system, state, "duplicate", {"target": ghost})
    (copy,) = done.state.combatants.keys() - state.combatants.keys()
    assert done.state[copy].hidden
    assert not Viewer().select(done.facts)
    assert look(done.state, Viewer()) == look(state, Viewer())


@pytest.mark.parametrize("way", [HIDDEN, AREA])
@pytest.mark.parametrize("slug", thin(SYSTEMS, "cosmos"))
def test_own_action_beside_the_unseen_does_and_reads_the_same(slug: str, way: str) -> None:
    """A player's own action tells nothing of someone beside them whom the GM conceals."""
    system = find_system(slug)
    (state, who), (other, _) = (make_ambush(system, way, there) for there in (True, False))
    viewers = [Viewer(), Viewer("seat", frozenset((who,)))]
    tried = set()
    for name, data, twin in find_own_commands(system, other, who):
        tried.add(name)
        done = do(system, state, name, data)
        for viewer in viewers:
            assert watch(system, done, viewer) == watch(system, twin, viewer), f"{name} {data}"
    assert len(tried) > min(3, len(find_own_actions(system)) // 2), "too little can be done here"


@pytest.mark.parametrize("way", [HIDDEN, AREA])
@pytest.mark.parametrize("slug", thin(SYSTEMS, "cosmos"))
def test_own_suggestion_beside_the_unseen_is_the_same(slug: str, way: str) -> None:
    system = find_system(slug)
    (state, who), (other, _) = (make_ambush(system, way, there) for there in (True, False))
    assert system.tactics.suggest(state, who) == system.tactics.suggest(other, who)


@pytest.mark.parametrize("way", [HIDDEN, AREA])
@pytest.mark.parametrize("slug", thin(SYSTEMS, "cosmos"))
def test_place_in_a_zone_where_the_unseen_stand_is_the_same(slug: str, way: str) -> None:
    system = find_system(slug)
    (state, who), (other, _) = (make_ambush(system, way, there) for there in (True, False))
    for zone in other.scene.zones:
        placed = [
            do(system, each, "place", {"target": who, "zone": zone.id}).state for each in (state, other)
        ]
        if all(who in system.find_unknown(each) for each in placed):
            continue  # out of sight in both worlds, they make way for others there
        assert placed[0][who].at == placed[1][who].at, zone.id
