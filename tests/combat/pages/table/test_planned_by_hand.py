"""A plan on a phone, from a tap while others act to the attack in one tap, and a target that is down."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from combat.models import ShareLink
from combat.play.improvising import read_wishes
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.state.state import is_acting, present
from tests.browser import find_barriers, find_overflow, sign_in, skip_hints
from tests.combat.cast import come
from tests.combat.pages.table.test_planned import pass_to
from tests.combat.visit import begun, load, state_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("slug", "steps"), [("cosmos", 3), ("cepheus", 3)])
def test_a_plan_on_a_phone_takes_two_taps_and_one_in_the_turn(
    live_server: LiveServer,
    new_context: CreateContextCallback,
    gm: User,
    complaints: list[str],
    slug: str,
    steps: int,
) -> None:
    fight = begun(gm, slug, steps=steps)
    hero = next(
        one for one in present(state_of(fight.pk)) if one.pc and not is_acting(state_of(fight.pk), one.id)
    )
    context = new_context(viewport={"width": 390, "height": 844})
    sign_in(context, live_server, come(fight, ShareLink.PLAY, "Pia", hero.id))
    phone, taps = context.new_page(), 0
    skip_hints(context)
    phone.goto(f"{live_server.url}/encounters/{fight.pk}/")
    wait(phone)
    for place in ("#my-plans > .btn", "#planning [value=keep_plan]"):
        phone.locator(place).click()
        taps += 1
        wait(phone)
    expect(phone.locator("#my-plans .planned")).to_contain_text("Attack")
    assert (taps, len(read_wishes(load(fight.pk)).plans)) == (2, 1)
    assert not find_overflow(phone)
    assert not find_barriers(phone)
    pass_to(fight.pk, hero.id)
    phone.reload()
    button = phone.locator("#my-plans .planned-way")
    expect(button).to_have_class("btn planned-way btn-primary")
    expect(phone.locator("#turn .btn-primary:visible")).to_have_count(1)
    assert not find_overflow(phone)
    assert not find_barriers(phone)
    before = load(fight.pk).steps
    button.click()
    expect(phone.locator(".planned-now")).to_have_count(0)
    done = load(fight.pk)
    assert done.open_command or done.log.filter(number__gt=before, name="attack").exists()
    assert not complaints


@pytest.mark.parametrize("slug", ["cosmos", "starshock"])
def test_a_target_that_is_down_is_replaced_by_a_face(
    live_server: LiveServer, new_context: CreateContextCallback, gm: User, complaints: list[str], slug: str
) -> None:
    fight = begun(gm, slug, steps=3)
    state = state_of(fight.pk)
    hero = next(one for one in present(state) if one.pc and not is_acting(state, one.id))
    if slug == "cosmos":
        side = next(one.side for one in present(state) if one.side != hero.side)
        submit(fight.pk, Submission("join", {"name": "Raider", "side": side, "block": "street_thug"}))
    player = come(fight, ShareLink.PLAY, "Pia", hero.id)
    context = new_context(viewport={"width": 390, "height": 844})
    sign_in(context, live_server, player)
    phone = context.new_page()
    skip_hints(context)
    phone.goto(f"{live_server.url}/encounters/{fight.pk}/?plan={hero.id}")
    wait(phone)
    phone.locator("#planning .tile-one:first-child").click()
    phone.locator("#planning [value=keep_plan]").click()
    expect(phone.locator("#my-plans .planned")).to_be_visible()
    (plan,) = read_wishes(load(fight.pk)).plans
    track, by = ("damage", 500) if slug == "starshock" else ("hp", -500)
    known = [one.key for one in find_system(slug).characters.tracks]
    submit(
        fight.pk,
        Submission(
            "adjust", {"target": plan.target, "track": track if track in known else known[0], "by": by}
        ),
    )
    pass_to(fight.pk, hero.id)
    phone.reload()
    expect(phone.locator(".planned-now h3")).to_contain_text("is down")
    ways = phone.locator(".planned-way")
    expect(ways.first).to_have_class("btn planned-way btn-primary")
    assert ways.count() >= 1
    expect(ways.first.locator(".mark")).to_be_visible()
    assert not find_overflow(phone)
    ways.first.click()
    expect(phone.locator(".planned-now")).to_have_count(0)
    assert load(fight.pk).open_command or not read_wishes(load(fight.pk)).plans
    assert not complaints


def wait(page: Page) -> None:
    """Wait until the page counts what is pressed."""
    expect(page.locator("#table[data-fresh]")).to_have_count(0)
