"""An improvised act in two real browsers, a phone and the GM's, from the words to the result."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from combat.models import ShareLink
from combat.play.improvising import read_wishes
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.declaration.book import CORRECT_OWN
from combat.rules.core.gm.improvising import MAX_WORDS
from combat.rules.core.state.state import present
from tests.browser import find_barriers, find_overflow, sign_in, skip_hints
from tests.combat.cast import come
from tests.combat.pages.table.test_wishes import newest
from tests.combat.visit import begun, load, state_of

pytestmark = pytest.mark.slow
WIDE = 1000  # below it, pages have tabs
CHIP = ".effect-chip:has([name='works.harm.on'])"


@pytest.mark.parametrize(("slug", "steps"), [("cosmos", 8), ("cepheus", 6)])
def test_words_on_a_phone_become_a_result(
    live_server: LiveServer,
    visitor: Page,
    new_context: CreateContextCallback,
    gm: User,
    complaints: list[str],
    slug: str,
    steps: int,
) -> None:
    fight = begun(gm, slug, steps=steps)
    state, here = state_of(fight.pk), f"{live_server.url}/encounters/{fight.pk}/"
    hero = state[state.active]
    foe = next(one for one in present(state) if one.side != hero.side)
    context = new_context(viewport={"width": 390, "height": 844})
    sign_in(context, live_server, come(fight, ShareLink.PLAY, "Pia", hero.id))
    phone, taps = context.new_page(), {"player": 0, "gm": 0}

    def tap(page: Page, who: str, place: str) -> None:
        page.locator(place).click()
        taps[who] += 1

    open_all(visitor, phone, here)
    tap(phone, "player", ".else > summary")
    type_words(phone, f"I swing on the cable and land on {foe.name}")
    expect(phone.locator("#wish-understood mark")).to_have_text(["swing", foe.name])
    expect(phone.locator("#wish-new .whom-one[data-is-found]")).to_contain_text(foe.name)
    tap(phone, "player", "#wish-new [value=ask_wish]")
    expect(phone.locator("#my-wish")).to_contain_text("The GM is reading")
    phone.locator("#my-wish a", has_text="Change words").click()
    expect(phone.locator("#wish-words")).to_be_visible()
    visitor.reload()
    wish = visitor.locator("#wishes .wish")
    expect(wish.locator("mark")).to_have_text(["swing", foe.name])
    expect(visitor.locator(f"#row-{hero.id} .row-wants")).to_be_visible()
    assert find_barriers(visitor, within="#wishes") == []
    visitor.keyboard.press("o")
    expect(visitor.locator("#ruling")).to_be_visible()
    assert find_barriers(visitor, within="#ruling") == []
    try_chips(visitor)
    tap(visitor, "gm", "#ruling .grade >> nth=0")
    tap(visitor, "gm", "#ruling [value=offer_wish]")
    expect(visitor.locator("#ruling")).to_have_count(0)
    phone.reload()
    expect(phone.locator("#my-wish")).to_contain_text("If it works")
    assert find_barriers(phone, within="#my-wish") == []
    assert find_overflow(phone) == []
    tap(phone, "player", "#my-wish .btn-primary")
    expect(phone.locator("#turn-result .said")).to_contain_text("I swing on the cable")
    visitor.reload()
    expect(visitor.locator("#turn-result .said")).to_contain_text("I swing on the cable")
    expect(visitor.locator("#wishes .wish")).to_have_count(0)
    assert max(taps.values()) <= 4
    before, acted = state, state_of(fight.pk)
    assert acted.combatants != before.combatants
    visitor.locator("#bar-undo [value=undo]").click()
    expect(visitor.locator("#turn-result .said")).to_have_count(0)
    assert state_of(fight.pk).combatants == before.combatants
    assert load(fight.pk).steps > fight.steps
    look_at_figures(visitor, phone, fight.pk, foe.id)
    assert complaints == []


def type_words(phone: Page, words: str) -> None:
    """Words, after so many that the form says how many are left."""
    letters = phone.locator("#wish-words-letters")
    phone.locator("#wish-words").fill("x" * (MAX_WORDS - 7))
    expect(letters).to_have_text("7 left")
    phone.locator("#wish-words").fill(words)
    expect(letters).to_have_text(f"{len(words)} of {MAX_WORDS}")
    assert find_barriers(phone, within="#wish-new") == []


def try_chips(visitor: Page) -> None:
    """A chip adds its fields, filled in, and takes them away again."""
    chip, dice = (visitor.locator(f"#ruling {place}") for place in (CHIP, "[name='works.harm.dice']"))
    expect(dice).to_be_hidden()
    chip.click()
    expect(dice).to_be_visible()
    assert dice.input_value()
    assert find_barriers(visitor, within="#ruling") == []
    chip.click()
    expect(dice).to_be_hidden()


def open_all(visitor: Page, phone: Page, here: str) -> None:
    for page in (visitor, phone):
        skip_hints(page.context)
        page.goto(here)


def look_at_figures(visitor: Page, phone: Page, pk: int, who: str) -> None:
    """The GM corrects a figure from the menu of a row; a player opens the form of their own and shuts it."""
    steps = load(pk).steps
    visitor.locator(f"#menu-{who} > summary").click()
    visitor.locator(f"#menu-{who} a", has_text="Figures").click()
    field = visitor.locator(".figures input >> nth=1")
    field.fill(str(int(field.input_value()) + 1))
    visitor.locator("#fig-traits > summary, #fig-tags > summary").click()
    first = visitor.locator(":is(#fig-traits, #fig-tags) .pick >> nth=0")
    trait = first.locator("input").get_attribute("value")
    first.locator("label").click()
    assert find_barriers(visitor, within="#row-window") == []
    visitor.locator("#row-window [value=correct]").click()
    expect(visitor.locator("#row-window .figures")).to_have_count(0)
    assert load(pk).steps == steps + 1
    sheet = state_of(pk)[who].sheet
    assert trait in (*sheet.get("traits", ()), *sheet.get("tags", ()))
    submit(pk, Submission("set_option", {"key": CORRECT_OWN, "value": True}))
    phone.reload()
    phone.locator(".own-figures a").click()
    expect(phone.locator("#row-window .figures")).to_be_visible()
    assert find_overflow(phone) == []
    phone.locator("#row-window a", has_text="Close").click()
    expect(phone.locator("#row-window .figures")).to_have_count(0)


@pytest.mark.parametrize("arrange", ["numbers", "map"])
def test_form_of_a_ruling_shows_both_endings_at_once(
    live_server: LiveServer, visitor: Page, gm: User, arrange: str
) -> None:
    """Beside the numbers it is as wide as over the map; whom an effect hits is one line that scrolls."""
    fight = begun(gm, "cosmos", steps=6)
    hero = state_of(fight.pk).active
    data = {"do": "ask_wish", "combatant": hero, "words": "I swing on the cable and land on the Pirate"}
    come(fight, ShareLink.PLAY, "Pia", hero).post(f"/encounters/{fight.pk}/", data)
    visitor.set_viewport_size({"width": 1440, "height": 900})
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/?wish={newest(fight.pk)}")
    visitor.evaluate("arrange => { document.documentElement.dataset.arrange = arrange; }", arrange)
    for words in ("If it works", "If it fails"):
        expect(visitor.locator("#ruling .fate-box > legend", has_text=words)).to_be_in_viewport(ratio=1)
    everyone = visitor.locator("#effect-works-condition .hits").get_by_text("everyone in Bay floor")
    everyone.click()
    expect(everyone).to_be_in_viewport(ratio=1)
    expect(everyone.get_by_role("radio")).to_be_checked()
    assert find_overflow(visitor) == []


@pytest.mark.parametrize("width", [1440, 390])
def test_the_gm_chooses_on_the_card_what_was_left_open(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str], width: int
) -> None:
    """The answers of an asked wish fit on a desk and on a phone, and one tap offers one of them."""
    fight = begun(gm, "cosmos", steps=8)
    state, here = state_of(fight.pk), f"{live_server.url}/encounters/{fight.pk}/"
    hero, foe = state.active, next(one for one in present(state) if one.side != state[state.active].side)
    seat = come(fight, ShareLink.PLAY, "Pia", hero)
    words = f"I shout at {foe.name} to give up"
    seat.post(f"/encounters/{fight.pk}/", {"do": "ask_wish", "combatant": hero, "words": words})
    visitor.set_viewport_size({"width": width, "height": 844})
    skip_hints(visitor.context)
    visitor.goto(here)
    if width < WIDE:
        visitor.locator("label[for=tab-log]", has_text="wants something").click()
    wish = visitor.locator("#wishes .wish")
    expect(wish.locator("[name=choice]")).to_have_count(3)
    expect(wish.locator(".keeps")).to_be_visible()
    expect(wish.locator(".why")).to_have_text("What follows is yours to choose.")
    expect(wish.locator(".cost-note")).to_contain_text("Costs: Standard")
    expect(wish.locator(".keeps")).to_contain_text("Stays as")
    assert find_barriers(visitor, within="#wishes") == []
    assert find_overflow(visitor) == []
    wish.locator(".keeps input").uncheck()
    wish.locator("[name=choice]", has_text="They hesitate").click()
    expect(wish).to_contain_text("Offered: Social")
    (offered,) = read_wishes(load(fight.pk)).open
    assert [effect["kind"] for effect in offered.offer["works"]] == ["points"]
    assert "keep" not in offered.offer
    assert complaints == []
