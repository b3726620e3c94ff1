"""Ready scenes, laid out in a fight of any game."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.play.scenes.ready import ReadyScene, find_ready_scenes
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import find_system
from combat.rules.core.gm.spots import STEP, find_spots
from combat.rules.core.space import find_zone, map_of
from combat.rules.core.state.state import present
from tests.combat.rules.games import every_slug
from tests.combat.visit import PIRATE, Visit, load, refusal, state_of

from .test_drawing import done, draw
from .test_drawing import visit as visit


def test_ready_scene_is_laid_out_in_one_step_for_every_game(visit: Visit) -> None:
    for key in ["asteroid_base", "docking_bay", "ship_deck", "street"]:
        steps = load(visit.pk).steps
        drawn = done(visit, "ready", ready=key)
        scene = state_of(visit.pk).scene
        assert load(visit.pk).steps == steps + 1, key
        assert drawn.walls, key
        assert drawn.obstacles, key
        assert len(scene.zones) >= 3, key
        assert all(wall.name for wall in drawn.walls if wall.kind == "door"), key
        assert all(wall.cover in ("", "full") for wall in drawn.walls), "covers that every game has"


@every_slug
def test_things_of_a_ready_scene_give_the_games_least_cover(gm: User, gm_client: Client, slug: str) -> None:
    visit = Visit(gm_client, create_encounter(gm, slug, "Dock").pk)
    things = done(visit, "ready", ready="docking_bay").obstacles
    covers = find_system(slug).space.wall_covers
    assert {thing.cover for thing in things} == {covers[0][0] if covers else ""}


@pytest.mark.parametrize("ready", find_ready_scenes(), ids=lambda ready: ready.key)
def test_first_to_join_a_ready_scenes_zone_stand_by_its_things(ready: ReadyScene) -> None:
    things = map_of(ready.scene).obstacles
    for zone in ready.scene.zones:
        spots = find_spots(zone, STEP)[:5]
        inside = [
            (zone.name, thing.name)
            for spot in spots
            for thing in things
            if thing.x < spot.x < thing.x + thing.width and thing.y < spot.y < thing.y + thing.depth
        ]
        assert not inside


def test_person_outside_a_ready_scene_is_put_in_and_undo_reverts(visit: Visit) -> None:
    submit(visit.pk, Submission("place", {"target": PIRATE, "x": 90, "y": 9}))
    before = state_of(visit.pk)
    visit.client.post(f"{visit.here}scene/", {"do": "ready", "ready": "street"})
    state = state_of(visit.pk)
    assert all(find_zone(state.scene, one.at) for one in present(state))
    visit.client.post(f"{visit.here}scene/", {"do": "undo"})
    assert state_of(visit.pk) == before


def test_unknown_ready_scene_is_refused(visit: Visit) -> None:
    assert "choose one from the list" in refusal(draw(visit, "ready", ready="../secret"))
