"""The map of the preparation: people put on it, start areas moved, what house rules do to the forecast."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.pages.map.shape_forms import OwnSceneForm
from combat.pages.prep.placing import _is_enemy
from combat.play.scenes.imported import find_picture, keep_picture, lay_picture
from combat.play.whatif import workers
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import find_system
from combat.rules.core.state.state import decode, present
from cosmos_site.base.pictures import SCENE, remake
from tests.combat.pages.prep.test_prep import done, open_prep, prep, send
from tests.combat.visit import PIRATE, SLUG, Visit, load, state_of, stored
from tests.site.pictures import picture


def test_people_are_put_on_the_map_and_around_a_place(visit: Visit) -> None:
    who = [one.id for one in present(state_of(visit.pk))][:2]
    assert send(visit, "place", targets=",".join(who), x="6", y="-3.5").endswith("#prep")
    first, second = (state_of(visit.pk).combatants[one].at for one in who)
    assert (first.x, first.y) == (6, -3.5)
    assert first != second
    assert abs(first.x - second.x) + abs(first.y - second.y) < 8


@pytest.mark.parametrize(
    "fields", [{"x": "6"}, {"x": "nan", "y": "1"}, {"x": "1e9", "y": "1"}, {"targets": "f99"}]
)
def test_nobody_is_put_at_a_place_that_is_none(visit: Visit, fields: dict[str, str]) -> None:
    before = stored(visit.pk)
    sent = {"targets": PIRATE, **({"x": "1", "y": "1"} if "targets" in fields else {}), **fields}
    assert prep(visit, "place", **sent).status_code in (409, 422)
    assert stored(visit.pk) == before


def test_start_area_is_moved_and_its_side_with_it(room: Visit) -> None:
    room.client.post(f"{room.here}scene/", {"do": "ready", "ready": "docking_bay", "next": "prep"})
    done(room, "join", block="pirate_example", count="2", side="enemies")
    page = open_prep(room)
    areas = [one for one in page.all("g") if one["data-start"]]
    assert [one["class"] for one in areas] == ["start is-ally", "start is-foe"] or len(areas) == 2
    foes = next(one for one in areas if "enemies" in one["aria-label"])
    x, y = map(float, foes["data-at"].split())
    send(room, "start_area", start=foes["data-start"], x=str(x - 2), y=str(y))
    start = (state_of(room.pk).scene.starts or ())[int(foes["data-start"])]
    assert (start.x, start.y) == (x - 2, y)
    assert prep(room, "start_area", start="9", x="0", y="0").status_code == 422
    submit(room.pk, Submission("join", {"block": "pirate_example", "side": "allies"}))
    send(room, "start")
    assert prep(room, "start_area", start="0", x="0", y="0").status_code == 409


def test_forecast_says_what_house_rules_change(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[Any, ...]] = []

    def play(*job: Any) -> Future[Any]:
        begun.append(job)
        return Future()

    monkeypatch.setattr(workers, "submit", play)
    submit(visit.pk, Submission("set_option", {"key": "fumbles", "value": True}))
    submit(visit.pk, Submission("set_option", {"key": "minion_hp", "value": 35}))
    address, htmx = f"{visit.here}prep/odds/?rules=attacks", {"HX-Request": "true"}
    assert "Playing the fight by the book" in visit.client.post(address, headers=htmx).content.decode()
    played = decode(begun[-1][2])
    assert played.options == {"minion_hp": 35}, "only the rules of this topic are the book's"
    assert state_of(visit.pk).options["fumbles"] is True
    assert visit.client.post(f"{visit.here}prep/odds/?rules=nonsense", headers=htmx).status_code == 404


@pytest.mark.parametrize(
    ("side", "is_enemy"), [("foes", True), ("smugglers", True), ("heroes", False), ("neutral", False)]
)
def test_nearest_enemy_is_nobody_on_a_neutral_side(room: Visit, side: str, is_enemy: bool) -> None:
    submit(room.pk, Submission("join", {"block": "pirate_example", "side": "heroes"}))
    submit(room.pk, Submission("join", {"block": "pirate_example", "side": side}))
    hero, other = present(state_of(room.pk))
    assert _is_enemy(("neutral",), hero, other) is is_enemy
    assert _is_enemy(("neutral",), other, hero) is is_enemy


def test_place_says_how_far_the_nearest_enemy_is_and_if_seen(room: Visit) -> None:
    room.client.post(f"{room.here}scene/", {"do": "ready", "ready": "docking_ring", "next": "prep"})
    done(room, "join", block="pirate_example", count="1", side="enemies")
    address = f"{room.here}prep/sight/"
    alone = room.client.get(address, {"who": "f1", "x": "3", "y": "3"}).json()
    assert alone == {"place": "Customs"}
    submit(room.pk, Submission("join", {"block": "pirate_example", "name": "Zara", "side": "allies"}))
    hero, foe = (
        next(o for o in present(state_of(room.pk)) if o.side == side) for side in ("allies", "enemies")
    )
    submit(room.pk, Submission("place", {"target": foe.id, "x": 30, "y": 10}))
    before = stored(room.pk)
    near, hidden = (
        room.client.get(address, {"who": hero.id, "x": x, "y": y}).json()
        for x, y in (("28", "10"), ("3", "3"))
    )
    assert (near["to"], near["seen"]) == (foe.id, True)
    assert near["words"].startswith("2 m to ")
    assert near["words"].endswith("in sight")
    assert hidden["seen"] is False
    assert stored(room.pk) == before, "it only looks"
    for wrong in (
        {"who": "f99", "x": "1", "y": "1"},
        {"who": hero.id, "x": "nan", "y": "1"},
        {"who": hero.id},
    ):
        assert room.client.get(address, wrong).status_code == 422
    assert Client().get(address, {"who": hero.id, "x": "1", "y": "1"}).status_code in (302, 404)


def test_own_scenes_of_other_encounters_bring_their_picture(room: Visit, gm: User) -> None:
    group, htmx = f"{room.here}prep/scenes/?group=Yours", {"HX-Request": "true"}
    assert "stand here" in room.client.get(group, headers=htmx).content.decode()
    other = create_encounter(gm, SLUG, "Cellar")
    sent = {"do": "draw", "kind": "zone", "points": "0,0; 10,6", "name": "Vault"}
    assert room.client.post(f"/encounters/{other.pk}/scene/", sent).status_code == 303
    kept = keep_picture(other, remake(picture(size=(300, 200)), SCENE))
    scene = lay_picture(state_of(other.pk).scene, kept)
    submit(other.pk, Submission("set_scene", {"scene": msgspec.to_builtins(scene)}))
    assert "Cellar" in room.client.get(group, headers=htmx).content.decode()
    use = {"do": "own", "number": str(other.pk), "next": "prep"}
    assert room.client.post(f"{room.here}scene/", use).status_code == 303
    taken = state_of(room.pk).scene
    assert [zone.name for zone in taken.zones] == ["Vault"]
    assert find_picture(load(room.pk), kept.digest)
    foreign = create_encounter(User.objects.create_user("Else"), SLUG, "Not yours")
    assert OwnSceneForm(find_system(SLUG), {"number": "1"}).is_valid(), "the first encounter has that number"
    for number in (foreign.pk, room.pk, 9_999, 0, "x"):
        refused = room.client.post(f"{room.here}scene/", {**use, "number": str(number)})
        assert refused.status_code == 422, number
    assert state_of(room.pk).scene == taken
