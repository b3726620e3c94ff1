"""Preparing in real browsers: rows dragged into order, handouts that appear automatically, the timer."""

from __future__ import annotations

import re
from concurrent.futures import Future
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.campaigns import handouts
from combat.play.campaigns.campaigns import create_campaign, move_encounter
from combat.play.demo import make_demo_fight
from combat.play.whatif import workers
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules.core.space.plane import find_zone
from combat.rules.core.state.state import present
from cosmos_site.base.pictures import HANDOUT, remake
from tests.browser import AXE, SIZES, check_looks, find_barriers, find_overflow, is_press, sign_in
from tests.combat.cast import gather, seat_named
from tests.combat.visit import DEMO, MARCUS, SLUG, ZARA, play, state_of
from tests.site.pictures import picture

pytestmark = pytest.mark.slow

PHONE: ViewportSize = {"width": 360, "height": 740}


def drag(page: Page, who: str, to: str) -> None:
    """Drag a row by its grip to another row's place."""
    page.locator(f"[data-order-id={to}]").scroll_into_view_if_needed()
    grip = page.locator(f"[data-order-id={who}] [data-grip]").bounding_box()
    goal = page.locator(f"[data-order-id={to}]").bounding_box()
    assert grip
    assert goal
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    page.mouse.move(goal["x"] + 5, goal["y"] + goal["height"] / 2, steps=5)
    page.mouse.move(
        goal["x"] + 5, goal["y"] + goal["height"] - 2 if goal["y"] > grip["y"] else goal["y"] + 2, steps=5
    )
    page.mouse.up()


def test_rows_are_dragged_into_order(
    live_server: LiveServer, visitor: Page, started: Encounter, complaints: list[str]
) -> None:
    visitor.set_viewport_size({"width": 1440, "height": 900})
    for place in ("", "prep/"):
        visitor.goto(f"{live_server.url}/encounters/{started.pk}/{place}")
        check_dragging(visitor, started, place)
    assert complaints == []


def check_dragging(page: Page, started: Encounter, place: str) -> None:
    """The last of three comes first."""
    order = state_of(started.pk).order
    wanted = [order[2], order[0], order[1]]
    rows = page.locator("[data-order-id]")
    with page.expect_response(is_press) as sent:
        drag(page, order[2], order[0])
    assert sent.value.status in (200, 303)
    page.wait_for_load_state("networkidle" if place else "load")
    expect(rows.first).to_have_attribute("data-order-id", wanted[0])
    page.reload()
    assert [row.get_attribute("data-order-id") for row in rows.all()][:3] == wanted
    assert list(state_of(started.pk).order) == wanted


def test_handout_comes_by_itself_and_goes_when_withdrawn(
    live_server: LiveServer, browser: Browser, started: Encounter, transactional_db: None
) -> None:
    cast = gather(started, ZARA, MARCUS)
    campaign = create_campaign(started.owner, "The long haul")
    move_encounter(started.pk, campaign)
    made = handouts.create_handout(campaign, "Map", "You are here", remake(picture(size=(300, 200)), HANDOUT))
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    sign_in(context, live_server, cast.player)
    page = context.new_page()
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    window = page.locator("dialog.handout-window")
    expect(window).to_have_count(0)
    handouts.show(started.pk, made.pk, [str(seat_named("Pia").pk)])
    page.evaluate("htmx.trigger(document.querySelector('#stream [data-live]'), 'again')")
    expect(window).to_be_visible()
    expect(window.get_by_text("You are here")).to_be_visible()
    assert window.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 300
    box = window.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert not find_barriers(page)
    window.get_by_role("button", name="Close").click()
    expect(window).to_be_hidden()
    page.reload()
    expect(page.locator("[data-handout]")).to_have_text("Map")
    expect(window).to_have_count(0)  # seen before: it stays in the list
    page.locator("[data-handout]").click()
    expect(window).to_be_visible()
    handouts.show(started.pk, made.pk, [])
    page.evaluate("htmx.trigger(document.querySelector('#stream [data-live]'), 'again')")
    expect(window).to_be_hidden()
    expect(page.locator("[data-handout]")).to_have_count(0)
    context.close()


@pytest.mark.parametrize("role", ["player", "watcher"])
def test_handout_waits_for_the_open_one_but_not_on_a_projector(
    live_server: LiveServer, browser: Browser, started: Encounter, transactional_db: None, role: str
) -> None:
    cast = gather(started, ZARA, MARCUS)
    campaign = create_campaign(started.owner, "The long haul")
    move_encounter(started.pk, campaign)
    made = [handouts.create_handout(campaign, name, "text", None) for name in ("Map", "Letter", "Key")]
    size = PHONE if role == "player" else SIZES["wide"]
    context = browser.new_context(viewport=size, reduced_motion="reduce")
    sign_in(context, live_server, cast[role])
    page = context.new_page()
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    window = page.locator("dialog.handout-window h2")
    for one in made:
        handouts.show(started.pk, one.pk, [handouts.EVERYBODY])
        page.evaluate("htmx.trigger(document.querySelector('#stream [data-live]'), 'again')")
        expect(page.locator("[data-handout]").first).to_have_text(one.title)
        expect(window).to_have_text(one.title if role == "watcher" else "Map")
    for following in ("Letter", "Key") if role == "player" else ():
        page.locator("dialog.handout-window").get_by_role("button", name="Close").click()
        expect(window).to_have_text(following)
    page.locator("dialog.handout-window").get_by_role("button", name="Close").click()
    expect(window).to_be_hidden()
    context.close()


def test_timer_counts_and_says_when_the_time_is_up(
    live_server: LiveServer, visitor: Page, started: Encounter, complaints: list[str]
) -> None:
    submit(started.pk, Submission("set_option", {"key": "turn_seconds", "value": 3600}))
    page = visitor
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    expect(page.locator("[data-timer-text]")).to_contain_text("left")
    Encounter.objects.filter(pk=started.pk).update(turn_began=timezone.now() - timedelta(hours=2))
    page.reload()
    expect(page.locator("[data-timer]")).to_have_class("timer is-up")
    expect(page.locator("[data-timer-text]")).to_contain_text("time is up")
    assert complaints == []


def test_pages_of_preparing_are_open_to_everybody(
    live_server: LiveServer, visitor: Page, started: Encounter
) -> None:
    page, campaign = visitor, create_campaign(started.owner, "The long haul")
    move_encounter(started.pk, campaign)
    made = handouts.create_handout(campaign, "Map", "You are here", remake(picture(), HANDOUT))
    submit(started.pk, Submission("join", {"block": "pirate_example", "count": 3, "group": True}))
    page.add_init_script(AXE)
    for address in (
        f"/campaigns/{campaign.pk}/",
        f"/campaigns/{campaign.pk}/handouts/{made.pk}/",
        f"/campaigns/{campaign.pk}/rules/cosmos/",
        f"/encounters/{started.pk}/handouts/",
        f"/encounters/{started.pk}/prep/",
    ):
        check_looks(page, live_server.url + address, is_measured=str(made.pk) not in address.split("/"))


def test_chosen_person_and_button_stay_in_the_phones_window(
    live_server: LiveServer, visitor: Page, gm: User
) -> None:
    """The heading stays in one line above the list."""
    room, page = create_encounter(gm, SLUG, "Ambush"), visitor
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/encounters/{room.pk}/prep/people/")
    heading = page.get_by_role("heading", name="Add people").bounding_box()
    assert heading
    assert heading["height"] < 48
    add = page.get_by_role("button", name=re.compile("^Add 3 to"))
    expect(add).to_be_in_viewport()
    page.locator(".gallery-cards .person-card").last.click()
    expect(page.locator(".gallery-cards .person-card").last).to_have_attribute("aria-current", "true")
    expect(add).to_be_in_viewport()
    assert find_overflow(page) == []


def test_line_of_reinforcements_shows_whom_it_brings_and_where(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str]
) -> None:
    fight, page = make_demo_fight(gm, SLUG), visitor
    play(fight.pk, DEMO.script[:2])
    before = set(state_of(fight.pk).combatants)
    zone = state_of(fight.pk).scene.zones[-1]
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/encounters/{fight.pk}/prep/people/?to=table")
    page.get_by_label("Who joins?").press_sequentially("1 pirate, 2 pirates with rifles")
    expect(page.locator(".becomes-who > li")).to_have_count(2)
    expect(page.locator(".person-card").first).to_contain_text("Pirate")
    add = page.get_by_role("button", name=re.compile("^Add 3"))
    expect(add).to_be_in_viewport(ratio=1)
    assert not [
        row
        for row in page.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
        if "pirates" in row
    ]
    page.locator("#come-in > summary").click()
    page.locator(".come-map g[hx-post]").last.click()
    expect(page.get_by_role("radio", name=zone.name)).to_be_checked()
    expect(add).to_have_text(f"Add 3 in {zone.name}")
    expect(add).to_be_in_viewport(ratio=1)
    assert find_overflow(page) == []
    assert not find_barriers(page)
    page.get_by_label("Who joins?").press("Enter")
    expect(page).to_have_url(f"{live_server.url}/encounters/{fight.pk}/")
    state = state_of(fight.pk)
    new = [state[key] for key in state.combatants if key not in before]
    assert [one.name.split()[0] for one in new] == ["Pirate"] * 3
    assert {found.id for one in new if (found := find_zone(state.scene, one.at))} == {zone.id}
    assert complaints == []


def test_phone_head_takes_one_row_and_covers_nothing_when_open(
    live_server: LiveServer, visitor: Page, gm: User
) -> None:
    room, page = create_encounter(gm, SLUG, "Ambush"), visitor
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/encounters/{room.pk}/prep/")
    head, tabs = page.locator(".prep-head"), page.locator(".prep-tabs")

    def measure(part: Locator) -> tuple[float, float]:
        box = part.bounding_box()
        assert box
        return box["y"], box["y"] + box["height"]

    top, bottom = measure(head)
    assert bottom - top < 72, "one row of controls as high as a finger needs, and its edges"
    notes = page.get_by_role("link", name="Notes", exact=True)
    expect(notes).to_be_hidden()
    page.locator(".head-more").click()
    expect(notes).to_be_visible()
    assert measure(notes)[1] <= measure(tabs)[0], "the row lies above the tabs, not over them"
    assert find_overflow(page) == []


def test_notes_become_a_fight_on_a_phone(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "submit", lambda *job: Future())  # the forecast goes on without an end
    room, page = create_encounter(gm, SLUG, "Ambush"), visitor
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/encounters/{room.pk}/prep/")
    notes, understood = page.get_by_label("Type or paste your notes"), page.locator("#understood")
    notes.fill("3 troopers, 1 captain; 2 security drones (allies). Nobody knows who sent them.")
    expect(understood.locator(".block-list > li")).to_have_count(2)
    understood.get_by_role("button", name="Riot trooper").click()
    expect(understood.locator(".block-list > li")).to_have_count(3)
    expect(notes).to_have_value(re.compile("^3 Riot trooper, 1 captain"))
    assert not find_barriers(page)
    understood.get_by_role("button", name="Add 4 enemies, 2 allies").click()
    expect(page.locator(".cast-list > li")).to_have_count(3)
    expect(notes).to_have_value("Nobody knows who sent them")
    expect(page.locator("#prep-odds")).to_contain_text("Playing the fight")
    page.get_by_role("link", name="Change Riot trooper").click()
    form = page.locator(".cast-form")
    form.get_by_label("Face").select_option("trooper")
    form.get_by_role("button", name="Save").click()
    expect(page.locator(".cast-list use[href$='#trooper']").first).to_be_attached()
    page.locator("#several-fold > summary").click()
    page.locator(".cast-list .check label").first.click()  # allies are first
    page.locator("#several").get_by_label("Seen by players").select_option("yes")
    page.get_by_role("button", name="Apply to selected").click()
    expect(page.locator(".cast-side.is-ally .side-head")).to_contain_text("2 hidden")
    assert not find_barriers(page)
    assert not find_overflow(page)
    assert complaints == []
    assert [one.hidden for one in present(state_of(room.pk))] == [False] * 4 + [True] * 2


def test_new_encounter_reads_notes_as_typed_and_tells_no_address(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str]
) -> None:
    """A suggestion works at once, while the change of the field that it leaves is still read."""
    asked: list[str] = []
    visitor.on("request", lambda request: asked.append(request.url))
    visitor.set_viewport_size({"width": 390, "height": 844})
    visitor.goto(f"{live_server.url}/encounters/new/?system=cepheus")
    notes, read = visitor.locator("#start-notes"), visitor.locator("#start-read")
    notes.fill(
        "4 thugs and 2 pirates, all with gauss rifles. 4 guards, two with shotguns; Vexa (boss), pirate"
    )
    expect(read).to_contain_text("Gauss Rifle: −3, no skill.")
    expect(read).to_contain_text("boss")
    read.get_by_role("button", name="Add Slug Rifle 0").first.click()
    expect(notes).to_have_value(re.compile(r"4 thugs.*Slug Rifle 0"))
    expect(read.locator(".block-list > li")).to_have_count(5)
    assert not [url for url in asked if "thugs" in url]
    assert not find_overflow(visitor)
    assert complaints == []


def test_leaving_a_page_that_waits_for_an_answer_is_no_error(live_server: LiveServer, visitor: Page) -> None:
    """The fixture of the browser fails at any error in its console."""
    visitor.goto(f"{live_server.url}/encounters/new/")
    visitor.route("**/*", lambda route: None if "hx-request" in route.request.headers else route.continue_())
    with visitor.expect_request(lambda request: "hx-request" in request.headers):
        visitor.locator("[name=notes]").fill("1 pirate")
    visitor.goto(f"{live_server.url}/help/")
    expect(visitor.locator("h1")).to_be_visible()
