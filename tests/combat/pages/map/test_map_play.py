"""A fight on a battle map in a browser, by mouse and by finger, from the map's file to the grenade."""

from __future__ import annotations

import json

from playwright.sync_api import FilePayload, expect
from playwright.sync_api import Page as Browser

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import find_tile
from tests.combat.pages.map.drawing.test_drawing_by_hand import sheet, tap
from tests.combat.pages.map.test_fog_of_war import now
from tests.combat.pages.map.test_map_sight import CRATE, set_map
from tests.combat.play.scenes.test_uvtt import make_file
from tests.combat.visit import MARCUS, PIRATE, ZARA, combatant, state_of

__all__ = ["sheet"]


def test_file_of_a_mapping_program_brings_walls_doors_and_lamps(sheet: Browser, started: Encounter) -> None:
    file: FilePayload = {
        "name": "room.dd2vtt",
        "mimeType": "application/json",
        "buffer": json.dumps(make_file()).encode(),
    }
    sheet.locator("summary", has_text="Map of another program").click()
    sheet.locator("#map-file").set_input_files([file])
    sheet.get_by_role("button", name="Import map").click()
    expect(sheet.locator("g.door")).to_have_count(1)
    expect(sheet.locator("path.wall-window")).to_have_count(1)
    expect(sheet.locator(".lamp")).to_have_count(1)
    expect(sheet.locator("image")).to_have_count(1)
    assert now(started.pk).picture is not None


def test_shot_takes_the_cover_that_the_map_gives(table: Browser, started: Encounter) -> None:
    set_map(started.pk, obstacles=[CRATE])
    table.goto(f"{table.url}?combatant={ZARA}&do=attack&target={MARCUS}")
    tap(table, 14, 2)
    expect(find_tile(table, "target")).to_have_value(PIRATE)
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
