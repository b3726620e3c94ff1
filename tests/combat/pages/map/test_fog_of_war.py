"""Fog of war: the GM lays and lifts fog, hides areas and reveals them, at the table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.space import BattleMap, map_of
from tests.browser import find_on_map
from tests.combat.cast import gather
from tests.combat.pages.map.test_map_sight import CRATE, WALL, set_map
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, load, read, refusal, state_of, stored


def now(pk: int) -> BattleMap:
    return map_of(state_of(pk).scene)


@pytest.mark.slow
def test_fog_is_lifted_and_laid_at_the_table(visit: Visit, bare: Encounter) -> None:
    """Players get nothing from behind the wall: not the pirate, not a byte of the crate."""
    cast = gather(bare, ZARA, MARCUS)
    visit.client = cast.gm
    set_map(visit.pk, walls=[WALL], obstacles=[{**CRATE, "x": 20.0, "name": "Strongbox"}])
    for client in (cast.player, cast.watcher):
        assert "thing" in client.get(visit.here).content.decode()
    visit.do("fog", fog="true", remembers="false")
    assert now(visit.pk).fog
    for client in (cast.player, cast.watcher):
        page = client.get(visit.here).content.decode()
        assert 'class="fog"' in page
        assert "Pirate at" not in page
        assert 'class="thing' not in page
    gm = visit.page()
    assert gm.one("path", class_="fog-sheer")["d"]
    visit.do("fog", fog="false", remembers="true")
    assert not now(visit.pk).fog


@pytest.mark.slow
def test_explored_places_stay_dimly(visit: Visit, bare: Encounter) -> None:
    cast = gather(bare, ZARA, MARCUS)
    visit.client = cast.gm
    set_map(visit.pk, walls=[{**WALL, "y2": 6.0}])
    visit.do("fog", fog="true", remembers="true")
    for who in (ZARA, MARCUS):
        submit(visit.pk, Submission("place", {"target": who, "x": 30, "y": 1}))
    assert read(cast.player.get(visit.here)).one("path", class_="fog-dim")["d"]
    visit.do("fog", fog="true", remembers="false")
    assert not read(cast.player.get(visit.here)).all("path", class_="fog-dim")


def test_area_is_hidden_and_revealed_at_the_table(visit: Visit, bare: Encounter) -> None:
    cast = gather(bare, ZARA, MARCUS)
    visit.client = cast.gm
    submit(visit.pk, Submission("place", {"target": PIRATE, "x": 14, "y": 2}))
    visit.do("hide_area", points="12,0; 16,4", name="Vault")
    drawn = f"{visit.here}?fold=board-plain"
    (area,) = now(visit.pk).hidden
    for client in (cast.player, cast.watcher):
        page = client.get(drawn).content.decode()
        assert "Pirate at" not in page
        assert "Vault" not in page
    visit.do("reveal_area", area=area.id)
    assert not now(visit.pk).hidden
    assert "Pirate at" in cast.watcher.get(drawn).content.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("do", "sent"),
    [
        ("fog", {"fog": "true", "remembers": "true"}),
        pytest.param("hide_area", {"points": "10,-4; 30,8", "name": "Vault"}, marks=pytest.mark.slow),
    ],
)
def test_what_is_secret_today_is_in_no_former_step(
    visit: Visit, bare: Encounter, do: str, sent: dict[str, str]
) -> None:
    """The scene is drawn before the fog is laid: neither the replay nor a branch goes back before that."""
    cast = gather(bare, ZARA, MARCUS)
    visit.client = cast.gm
    set_map(visit.pk, walls=[WALL], obstacles=[{**CRATE, "x": 20.0, "name": "Strongbox"}])
    submit(visit.pk, Submission("next_turn", {}))
    visit.do(do, **sent)
    replay, whatif = f"{visit.here}log/", f"{visit.here}whatif/"
    last = load(visit.pk).steps - 1
    secrets = ('d="M20 ', "Pirate at")  # the strongbox as it is drawn, and who is there
    assert secrets[0] in cast.gm.get(replay, {"step": last}).content.decode()
    for number, client in enumerate((cast.player, cast.watcher)):  # each step for one of them, in turn
        steps = [client.get(replay, {"step": step}) for step in range(number, last + 1, 2)]
        pages = [answer.content.decode() for answer in steps if 'id="replay"' in answer.content.decode()]
        assert len(pages) > 1
        assert all('class="map"' in page for page in pages[1:])
        assert not any(secret in page for page in pages for secret in secrets)
    links = read(cast.player.get(replay)).all("a")
    older = [a["href"].rpartition("=")[2] for a in links if a["href"].startswith(f"{whatif}?step=")]
    assert older
    for number, step in enumerate(older, 1):
        cast.player.post(whatif, {"do": "begin", "step": step})
        page = cast.player.get(f"{whatif}{number}/").content.decode()
        assert not any(secret in page for secret in secrets)


SENSELESS = [
    ("fog", {"fog": "false", "remembers": "true"}),
    ("hide_area", {"points": "here"}),
    ("hide_area", {"points": "1,1"}),
    ("reveal_area", {"area": "a9"}),
]


def test_senseless_changes_are_refused(visit: Visit) -> None:
    before = stored(visit.pk)
    for do, sent in SENSELESS:
        found = visit.post(do, **sent)
        assert found.status_code in (409, 422), (do, sent)
        assert refusal(found), (do, sent)
        assert stored(visit.pk) == before, (do, sent)


@pytest.mark.slow
def test_gm_hides_an_area_with_the_pointer(table: Browser, started: Encounter) -> None:
    table.get_by_role("button", name="Hide an area").click()
    table.mouse.move(*find_on_map(table, 20, 4))
    table.mouse.down()
    table.mouse.move(*find_on_map(table, 26, 10), steps=3)
    table.mouse.up()
    table.get_by_role("button", name="Places").click()
    table.locator("#map-secrets > summary").click()
    expect(table.get_by_role("button", name="Reveal")).to_have_count(1)
    (area,) = now(started.pk).hidden
    assert (round(area.x), round(area.y), round(area.width), round(area.depth)) == (20, 4, 6, 6)
    table.get_by_role("button", name="Reveal").click()
    expect(table.get_by_role("button", name="Reveal")).to_have_count(0)
