"""A fight on a battle map in a browser, by mouse and by finger, from the map's file to the grenade."""

from __future__ import annotations

import json

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import FilePayload, expect
from playwright.sync_api import Page as Browser
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import sign_in
from tests.combat.cast import gather
from tests.combat.play.scenes.test_uvtt import make_file
from tests.combat.views.map.drawing.test_drawing_by_hand import sheet, tap
from tests.combat.views.map.test_fog_of_war import now
from tests.combat.views.map.test_map_moves import carry, spot_of
from tests.combat.views.map.test_map_sight import CRATE, set_map
from tests.combat.visit import MARCUS, PIRATE, ZARA, combatant, load, state_of

__all__ = ["sheet"]
ROOM = [{"id": "w1", "x1": 20.0, "y1": -2.0, "x2": 20.0, "y2": 12.0}]


def test_file_of_a_mapping_program_brings_walls_doors_and_lamps(sheet: Browser, started: Encounter) -> None:
    file: FilePayload = {
        "name": "room.dd2vtt",
        "mimeType": "application/json",
        "buffer": json.dumps(make_file()).encode(),
    }
    sheet.locator("#map-file").set_input_files([file])
    sheet.get_by_role("button", name="Import map").click()
    expect(sheet.locator("g.door")).to_have_count(1)
    expect(sheet.locator("path.wall-window")).to_have_count(1)
    expect(sheet.locator(".lamp")).to_have_count(1)
    expect(sheet.locator("image")).to_have_count(1)
    assert now(started.pk).picture is not None


def test_way_leads_round_a_wall(table: Browser, started: Encounter) -> None:
    """Straight on it is 4 m; around the end of the wall it costs more."""
    set_map(started.pk, walls=[{"id": "w1", "x1": 6.0, "y1": -5.0, "x2": 6.0, "y2": 4.5}])
    table.reload()
    carry(table, ZARA, 8, 2)
    words = table.locator(".carry-words").last
    expect(words).to_contain_text("Move: ")
    assert float((words.text_content() or "").removeprefix("Move: ").split(" m")[0]) > 5
    table.mouse.up()
    expect(table.locator("#log")).to_contain_text("Zara moves")
    assert combatant(started.pk, ZARA).at.x == 8


def test_shot_takes_the_cover_that_the_map_gives(table: Browser, started: Encounter) -> None:
    set_map(started.pk, obstacles=[CRATE])
    table.goto(f"{table.url}?combatant={ZARA}&do=attack&target={MARCUS}")
    tap(table, 14, 2)
    expect(table.locator("#do-target")).to_have_value(PIRATE)
    expect(table.locator("#odds-panel")).to_contain_text("16 of 16 lines cross the crate")
    expect(table.locator(".map-tip")).to_contain_text("Heavy cover")
    table.locator("#roll-app").click()
    done = table.locator("article.result").filter(has_text=" attacks ")
    expect(done.or_(table.locator(".prompt")).first).to_be_visible()


def test_grenade_is_thrown_at_a_place(table: Browser, started: Encounter) -> None:
    """Those inside are named before any roll, allies first."""
    side = combatant(started.pk, ZARA).side
    submit(started.pk, Submission("join", {"block": "soldier", "name": "Gus", "side": side}))
    submit(started.pk, Submission("set_option", {"key": "grenades_at_hand", "value": "true"}))
    (gus,) = [who for who, one in state_of(started.pk).combatants.items() if one.name == "Gus"]
    for who, x in ((gus, 4), (PIRATE, 13), (ZARA, 15), (MARCUS, 30)):
        submit(started.pk, Submission("place", {"target": who, "x": x, "y": 6}))
    while state_of(started.pk).active != gus:
        submit(started.pk, Submission("next_turn", {}))
    table.goto(f"{table.url}?combatant={gus}&do=blast")
    tap(table, 14, 6)
    expect(table.locator("[name=at-free]")).to_have_value("14,6")
    expect(table.locator("[data-area-words]")).to_have_text(
        "Allies in the blast: Zara. In the blast: Pirate."
    )
    expect(table.locator(".area-shape")).not_to_have_count(0)
    expect(table.locator(".area-inside.is-ally")).to_have_count(1)


def test_watcher_never_receives_the_hidden_room(
    live_server: LiveServer, browser: Chromium, transactional_db: None, bare: Encounter
) -> None:
    """Every byte that arrives: the page, its parts, the answers to the pointer."""
    submit(bare.pk, Submission("place", {"target": PIRATE, "x": 25, "y": 5}))
    hidden = {"id": "a1", "x": 20.5, "y": -1.0, "width": 12.0, "depth": 12.0, "name": "Vault"}
    submit(
        bare.pk,
        Submission("change_map", {"walls": ROOM, "obstacles": [{**CRATE, "x": 24.0}], "hidden": [hidden]}),
    )
    cast, came = gather(bare, ZARA, MARCUS), []
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
    sign_in(context, live_server, cast.watcher)
    page = context.new_page()
    page.on("response", lambda one: came.append(one))
    page.goto(f"{live_server.url}/encounters/{bare.pk}/")
    expect(page.locator("[data-token]")).to_have_count(2)
    told = page.content() + "".join(one.text() for one in came if "/encounters/" in one.url)
    for secret in ("Vault", "Pirate at", f'data-token="{PIRATE}"', 'class="thing'):
        assert secret not in told, secret
    context.close()


def test_finger_carries_a_token_round_the_wall(table: Browser, started: Encounter) -> None:
    set_map(started.pk, walls=[{"id": "w1", "x1": 6.0, "y1": -5.0, "x2": 6.0, "y2": 4.5}])
    table.reload()
    box = table.locator(f'[data-combatant="{ZARA}"] .token > .mark').bounding_box()
    assert box
    finger = table.context.new_cdp_session(table)
    goal = spot_of(table, 8, 2)
    spots = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), (goal[0] - 9, goal[1]), goal]
    for kind, spot in zip(("touchStart", "touchMove", "touchMove"), spots, strict=True):
        points = [{"x": spot[0], "y": spot[1], "id": 1}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(table.locator(".carry-words").last).to_contain_text("Move: ")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(table.locator("#log")).to_contain_text("Zara moves")
    assert load(started.pk).version
    assert combatant(started.pk, ZARA).at.x == 8
