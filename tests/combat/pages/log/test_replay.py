"""A fight step by step: the map and card of a step, the track, and how a browser plays it."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Error, Route, expect
from playwright.sync_api import Page as Browser
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit, undo
from tests.browser import SIZES, find_barriers, find_overflow
from tests.combat.audience.secrets import GHOST, make_fight
from tests.combat.cast import Cast, come
from tests.combat.markup import Page
from tests.combat.visit import DEMO, PIRATE, PISTOL, ZARA, load, read, roll_fives

START = len(DEMO.setup) + 1  # the step that begins the fight


def replay_of(client: Client, pk: int, step: str = "") -> Page:
    answer = client.get(f"/encounters/{pk}/log/", {"step": step})
    assert answer.status_code == 200, (answer.status_code, answer.headers, answer.wsgi_request.user)
    return read(answer)


def cells(page: Page) -> list[tuple[str, str, str]]:
    """The turns of the track: where they lead, whose they are, and their marks."""
    found = []
    for link in page.all("a", inside=page.one("ol", class_="track-rounds")):
        marks = [one["aria-label"] for one in page.all("svg", inside=link) if "turn-mark" in one["class"]]
        found.append((link["href"], link["title"], " ".join(marks)))
    return found


def test_replay_opens_at_the_beginning_of_the_fight(gm_client: Client, over: Encounter) -> None:
    page = read(gm_client.get(f"/encounters/{over.pk}/log/"))
    assert "?step" in {link["href"] for link in page.all("a") if link.text == "Step by step"}
    assert f"Step {START} of {over.steps}, round 1" in replay_of(gm_client, over.pk).one(id="h-step").text


def test_track_has_a_cell_for_each_turn_with_its_marks(gm_client: Client, over: Encounter) -> None:
    page = replay_of(gm_client, over.pk, str(START + 1))
    first, last = cells(page)[1:4], cells(page)[-3:]
    assert first == [
        (f"?step={START}", "Zara", "hit"),
        (f"?step={START + 2}", "Pirate", "miss"),
        (f"?step={START + 4}", "Marcus", "critical"),
    ]
    assert [marks for _, _, marks in last] == ["hit fall", "", "aid"]
    links = page.all("a", inside=page.one("ol", class_="track-rounds"))
    assert [link["title"] for link in links if "aria-current" in link.attrs] == ["Zara"]
    shown = [a for a in page.all("a", inside=page.one("ol", class_="follow")) if "aria-current" in a.attrs]
    assert shown
    assert "Zara attacks Pirate" in shown[0].text


def test_step_shows_its_dice_and_whom_it_struck_on_the_map(gm_client: Client, over: Encounter) -> None:
    page = replay_of(gm_client, over.pk, str(START + 1))
    card = page.one("article", class_="result").text
    assert "Zara attacks Pirate" in card
    assert "hit" in card.lower()
    assert len(page.all("g", class_="step-strike")) == 1
    assert not page.all("g", class_="step-way")
    moved = replay_of(gm_client, over.pk, str(START + 5))
    assert len(moved.all("g", class_="step-way")) == 1


def test_branch_is_offered_to_those_who_may(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}))
    for role, offered in (("gm", 1), ("player", 1), ("watcher", 0)):
        page = replay_of(cast[role], started.pk, "2")
        offers = [form for form in page.all("form") if form.text == "Branch off here"]
        assert len(offers) == offered, role
        for form in offers:
            sent = {**dict(page.fields(form)), "do": "begin"}
            answer = cast[role].post(form["action"], sent)
            assert (answer.status_code, "/whatif/1/" in answer["Location"]) == (303, True), role


def test_undone_step_is_on_the_track_but_no_step_of_players(
    cast: Cast, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    roll_fives(monkeypatch)
    before = replay_of(cast.player, started.pk).one(id="h-step").text
    submit(started.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}))
    undo(started.pk, by="gm")
    page = replay_of(cast.player, started.pk)
    assert page.one(id="h-step").text == before
    assert cells(page)[-1][2] == "undone"
    assert "Zara attacks Pirate" in page.one("ol", class_="follow").text
    assert "undone" in page.one("ol", class_="follow").text


def test_rounds_far_away_are_links_without_turns(gm_client: Client, started: Encounter) -> None:
    for _ in range(24):
        submit(started.pk, Submission("next_turn", {}))
    page = replay_of(gm_client, started.pk)
    track = page.one("ol", class_="track-rounds")
    assert "Go there: round 9" in track.text
    far = next(a for a in page.all("a", inside=track) if "round 9" in a.text)
    there = read(gm_client.get(f"/encounters/{started.pk}/log/{far['href']}"))
    assert "round 9" in there.one(id="h-step").text


@pytest.mark.slow
def test_replay_of_someone_unseen_has_no_trace_of_them(gm: User) -> None:
    fight = make_fight(gm, secret=True)
    watcher = come(fight.encounter, ShareLink.WATCH, "Wim")
    steps = int(re.findall(r"of (\d+)", replay_of(watcher, fight.pk, "0").one(id="h-step").text)[0])
    for step in range(steps + 1):
        page = replay_of(watcher, fight.pk, str(step)).html
        assert GHOST not in page
        assert not re.search(rf"\b{fight.ghost}\b", page)
    gm_client = Client()
    gm_client.force_login(gm)
    assert GHOST in replay_of(gm_client, fight.pk, str(load(fight.pk).steps)).html


@pytest.mark.slow
def test_replay_plays_and_listens_to_keys(
    visitor: Browser, live_server: LiveServer, over: Encounter, complaints: list[str]
) -> None:
    visitor.goto(f"{live_server.url}/encounters/{over.pk}/log/?step")
    head = visitor.locator("#h-step")
    expect(head).to_contain_text(f"Step {START} of")
    visitor.keyboard.press("ArrowRight")
    expect(head).to_contain_text(f"Step {START + 1} of")
    visitor.keyboard.press("ArrowLeft")
    expect(head).to_contain_text(f"Step {START} of")
    visitor.get_by_role("button", name="4×").click()
    visitor.get_by_role("button", name="Play").click()
    expect(head).to_contain_text(f"Step {START + 3} of")
    visitor.get_by_role("button", name="Pause").click()
    expect(visitor.get_by_role("button", name="Play")).to_be_visible()
    visitor.keyboard.press("End")
    expect(head).to_contain_text(f"Step {over.steps} of")
    visitor.keyboard.press("Home")
    expect(head).to_contain_text("Step 0 of")
    visitor.locator("h1").click()
    visitor.keyboard.press("Space")
    expect(visitor.get_by_role("button", name="Pause")).to_be_visible()
    expect(head).to_contain_text("Step 1 of")
    for size in SIZES.values():
        visitor.set_viewport_size(size)
        assert find_overflow(visitor) == []
    assert find_barriers(visitor) == []
    assert complaints == []


@pytest.mark.slow
def test_newest_key_of_a_replay_counts(visitor: Browser, live_server: LiveServer, over: Encounter) -> None:
    """End is pressed while the next step is still on its way."""
    visitor.goto(f"{live_server.url}/encounters/{over.pk}/log/?step")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)
        for one in held if len(held) > 1 else ():
            with suppress(Error):  # of a request that the browser has given up
                one.continue_()

    visitor.route("**/log/?step=*", hold)
    visitor.keyboard.press("ArrowRight")
    visitor.keyboard.press("End")
    expect(visitor.locator("#h-step")).to_contain_text(f"Step {over.steps} of")


@pytest.mark.slow
def test_log_is_filtered_in_place(
    visitor: Browser, live_server: LiveServer, over: Encounter, complaints: list[str]
) -> None:
    visitor.goto(f"{live_server.url}/encounters/{over.pk}/log/")
    visitor.evaluate("document.body.dataset.stays = 'yes'")
    visitor.get_by_role("link", name="Attacks", exact=True).click()
    expect(visitor.get_by_text("Marcus moves 5 m to Crates.")).to_have_count(0)
    expect(visitor.get_by_role("link", name="Attacks", exact=True)).to_have_attribute("aria-current", "true")
    assert visitor.url.endswith("?show=attacks")
    assert visitor.evaluate("document.body.dataset.stays") == "yes", "no new page"
    for size in SIZES.values():
        visitor.set_viewport_size(size)
        assert find_overflow(visitor) == []
    assert find_barriers(visitor) == []
    assert complaints == []
