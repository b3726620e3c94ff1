"""The hints of a first fight: who gets them, and that nobody sees one twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from characters.models import SeenHint
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from combat.sharing.viewer_context import ALL_ACTIONS, COOKIE, HINTS, KEYS
from tests.browser import find_barriers, find_overflow
from tests.combat.cast import Cast
from tests.combat.visit import begun, roll_fives, state_of

# What can be pressed or typed into in the window, by its name
CONTROLS = """() => [...document.querySelectorAll(
  "a[href], button, input:not([type=hidden]), select, textarea, summary, label[for]")].filter((e) => {
    const { width, height, top, bottom, left, right } = e.getBoundingClientRect();
    const isIn = width > 2 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    if (!isIn || e.closest(".vh, .skip, .tip")) return false;
    if (!e.checkVisibility({ visibilityProperty: true })) return false;
    const at = document.elementFromPoint(left + width / 2, Math.min(innerHeight - 1, top + height / 2));
    return at && (e.contains(at) || at.contains(e));
  }).map((e) => (e.ariaLabel || e.textContent).trim().slice(0, 30))"""
SIX = 6  # people of a first fight: a party and who stands against it
TEXTS = Path(settings.ROOT) / "templates" / "help" / "hints"


def find_left(client: Client, encounter: Encounter) -> list[str]:
    html = client.get(f"/encounters/{encounter.pk}/").content.decode()
    found = re.search(r'data-hints="([^"]*)"', html)
    return found[1].split() if found else []


@pytest.mark.parametrize("role", HINTS)
def test_every_hint_has_its_words(role: str) -> None:
    assert (
        tuple(re.findall(r'data-hint="([\w-]+)"', (TEXTS / f"{role}.html").read_text("utf-8"))) == HINTS[role]
    )


def test_hints_are_for_those_who_act(cast: Cast, started: Encounter) -> None:
    assert find_left(cast.gm, started) == find_left(cast.co_gm, started) == list(HINTS["gm"])
    assert find_left(cast.player, started) == list(HINTS["player"])
    assert find_left(cast.watcher, started) == []


@pytest.mark.parametrize("role", ["gm", "player"])
def test_seen_hint_never_comes_back(cast: Cast, started: Encounter, role: str) -> None:
    """For the GM in any browser; a guest's browser remembers it."""
    client, (first, *others) = cast[role], HINTS[role]
    assert client.post("/help/hints/", {"seen": first}).status_code == 204
    assert client.post("/help/hints/", {"seen": first}).status_code == 204
    assert find_left(client, started) == others
    if role == "gm":
        again = Client()
        again.force_login(started.owner)
        assert find_left(again, started) == others
    else:
        assert not SeenHint.objects.exists()
        assert find_left(cast.other, started) == [first, *others]
    client.post("/help/hints/", {"seen": role})
    assert find_left(client, started) == []
    assert client.post("/help/hints/", {"do": "again"}).status_code == 303
    assert find_left(client, started) == [first, *others]


def is_folded(client: Client, encounter: Encounter) -> bool:
    return " is-first" in client.get(f"/encounters/{encounter.pk}/").content.decode()


@pytest.mark.parametrize("role", ["gm", "player"])
def test_all_actions_stay_open_once_opened(cast: Cast, started: Encounter, role: str) -> None:
    """Of this person alone; who skips the hints keeps the fold."""
    client = cast[role]
    assert is_folded(client, started)
    assert not is_folded(cast.watcher, started)
    client.post("/help/hints/", {"seen": role})
    assert is_folded(client, started)
    assert client.post("/help/hints/", {"seen": ALL_ACTIONS}).status_code == 204
    assert not is_folded(client, started)
    assert is_folded(cast.other, started)


def test_a_first_fight_shows_few_controls(
    live_server: LiveServer, visitor: Browser, started: Encounter
) -> None:
    """Fewer than 25 in the first window; one tap opens the rest, also on the next page."""
    page = visitor
    page.context.clear_cookies(name=COOKIE)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    assert 8 < len(page.evaluate(CONTROLS)) < 25, page.evaluate(CONTROLS)
    expect(page.locator("#bar-actions > [popovertarget]")).to_be_hidden()
    with page.expect_response("**/help/hints/"):
        page.get_by_role("button", name="All actions").click()
    for _ in range(2):
        expect(page.locator("#bar-actions > [popovertarget]")).to_be_visible()
        expect(page.get_by_role("button", name="All actions")).to_be_hidden()
        assert len(page.evaluate(CONTROLS)) > 30
        page.reload()


SIDEWAYS = (
    "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#combatants'))"
)


def gather(gm: User, slug: str, number: int, steps: int) -> Encounter:
    """A demo fight of a game after so many steps, with others of its first stat block to six in all."""
    fight = begun(gm, slug, number, steps)
    block = next(iter(find_system(slug).book.find_blocks()))
    if missing := SIX - len(state_of(fight.pk).combatants):
        submit(fight.pk, Submission("join", {"block": block, "count": missing}))
    return fight


def test_a_first_fight_of_six_shows_few_controls_in_every_game(
    live_server: LiveServer, visitor: Browser, gm: User
) -> None:
    """Before it begins and in its first turn; the key e still opens someone's health."""
    page = visitor
    page.context.clear_cookies(name=COOKIE)
    page.set_viewport_size({"width": 1440, "height": 900})
    demos = [(slug, number) for slug in SYSTEMS for number in range(len(find_system(slug).demo.make_all()))]
    for slug, number in demos:
        for steps in (0, 1):
            page.goto(f"{live_server.url}/encounters/{gather(gm, slug, number, steps).pk}/")
            found = page.evaluate(CONTROLS)
            assert 15 < len(found) < 25, f"{slug} {number} {steps} {found}"
            assert page.evaluate(SIDEWAYS) <= 0, f"{slug} {number} {steps}: the list scrolls sideways"
    page.locator("[data-row-main]").first.focus()
    page.keyboard.press("e")
    expect(page.locator(".row-card")).to_be_visible()


def test_the_ring_of_a_hint_leaves_what_follows_alone(
    live_server: LiveServer, visitor: Browser, prepared: Encounter
) -> None:
    page = visitor
    page.context.clear_cookies(name=COOKIE)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{live_server.url}/encounters/{prepared.pk}/")
    ring, fold = page.locator(".start-now.is-hinted"), page.locator("#surprise")
    expect(ring).to_be_visible()
    box, below = ring.bounding_box(), fold.bounding_box()
    assert box
    assert below
    assert below["y"] - box["y"] - box["height"] >= 9, "the ring is drawn 8 px around"


def test_a_first_fight_shows_few_controls_before_it_begins(
    live_server: LiveServer, visitor: Browser, prepared: Encounter
) -> None:
    """The dice for the turn order, the map and the people; the rest is one tap away."""
    page = visitor
    page.context.clear_cookies(name=COOKIE)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{live_server.url}/encounters/{prepared.pk}/")
    expect(page.get_by_role("button", name="Roll initiative")).to_be_in_viewport()
    assert 8 < len(page.evaluate(CONTROLS)) < 25, page.evaluate(CONTROLS)
    with page.expect_response("**/help/hints/"):
        page.get_by_role("button", name="All actions").click()
    expect(page.locator("#gm-actions")).to_be_visible()
    assert len(page.evaluate(CONTROLS)) > 30


def test_unknown_hint_is_not_stored(gm_client: Client) -> None:
    for seen in ["", "cake", "gm-", "gm-start.gm-act", "x" * 10_000]:
        assert gm_client.post("/help/hints/", {"seen": seen}).status_code == 404, seen[:20]
        assert not SeenHint.objects.exists(), seen[:20]


def test_odd_cookie_is_no_problem(cast: Cast, started: Encounter) -> None:
    cast.player.cookies["hints"] = "cake..player-act.\x7f"
    assert find_left(cast.player, started) == ["player-wait", "player-roll"]


def test_hints_guide_through_a_first_turn(
    live_server: LiveServer, visitor: Browser, prepared: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each goes when its thing is used, or by its buttons; a reloaded page shows none again."""
    roll_fives(monkeypatch)
    page = visitor
    page.context.clear_cookies(name=COOKIE)
    page.goto(f"{live_server.url}/encounters/{prepared.pk}/")
    tip = page.locator("#tip")
    expect(tip).to_contain_text("Hint 1 of 6")
    assert find_barriers(page, within="#tip") == []
    page.get_by_role("button", name="Roll initiative").click()
    expect(tip).to_contain_text("Hint 2 of 6")
    page.locator("#act-attack").click()
    expect(tip).to_contain_text("Hint 3 of 6")
    expect(page.locator(".is-hinted #roll-app")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    assert find_overflow(page) == []
    page.locator("#tip-next").press("Enter")
    expect(tip).to_have_count(0)
    page.locator("#roll-app").press("Enter")
    expect(tip).to_contain_text("Hint 4 of 6")
    page.reload()
    expect(tip).to_contain_text("Hint 4 of 6")
    with page.expect_response("**/help/hints/"):  # the note goes before the answer has come
        page.locator("#tip-all").press("Enter")
    expect(tip).to_have_count(0)
    assert {seen.key for seen in SeenHint.objects.all()} == {key for key in KEYS if key.startswith("gm")}
    page.reload()
    expect(page.locator("#h-turn")).to_be_visible()
    expect(tip).to_have_count(0)
