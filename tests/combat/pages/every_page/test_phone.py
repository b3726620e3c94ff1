"""A turn on a phone: the result is in sight, and the page stays where its reader is."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page as Browser
from playwright.sync_api import Route, expect
from pytest_django.live_server_helper import LiveServer

from characters.games import find_game, plan_of
from characters.gear.catalogue import find_item
from characters.gear.item_service import add_to
from characters.gear.models import OwnItem
from characters.services import character_service
from combat.models import Encounter
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.sheets.sheets import blank_draft
from tests.browser import CUT, choose_tile, find_overflow, find_tile
from tests.combat.pages.every_page.test_demo_fight import come_to_rest
from tests.combat.visit import MARCUS, PIRATE, PISTOL, SLUG, ZARA, combatant, play, roll_fives, state_of
from tests.typed import sure


@pytest.fixture
def small(visitor: Browser) -> Browser:
    """A screen of 360 by 740, with no page yet."""
    visitor.set_viewport_size({"width": 360, "height": 740})
    return visitor


@pytest.fixture
def phone(small: Browser, address: str) -> Browser:
    """The table of a running fight."""
    small.goto(address)
    return small


def place(phone: Browser) -> int:
    """How far the page is scrolled, in pixels."""
    return int(phone.evaluate("scrollY"))


def roll(phone: Browser) -> None:
    """Press Roll in the form of the attack."""
    come_to_rest(phone)  # a button that is replaced cannot be scrolled to
    button = phone.locator("#form-attack [name=dice][value=app]")
    button.scroll_into_view_if_needed()
    button.press("Enter")  # a click would scroll away from under the banner of the lost connection


CHANGE_AT_ONCE = """value => document.addEventListener("htmx:afterSwap", () => {
    const field = document.querySelector(`#form-attack [name=weapon][value="${value}"]`);
    field.checked = true;
    field.dispatchEvent(new Event("change", {bubbles: true}));
}, {once: true})"""


def place_enemy(started: Encounter, x: float, y: float) -> None:
    submit(started.pk, Submission("place", {"target": PIRATE, "x": x, "y": y}, by="gm"))


def choose_weapon(phone: Browser, weapon: str) -> None:
    """Choose it in the open form, and wait until the odds and the button are those of now."""
    if phone.locator(f'#form-attack [name=weapon][value="{weapon}"]').is_checked():
        return
    with phone.expect_response(lambda one: "/odds/" in one.url):
        choose_tile(phone.locator("#form-attack"), "weapon", weapon)
    come_to_rest(phone)


def test_result_and_refusal_are_in_sight_and_the_page_stays(
    phone: Browser, address: str, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a form that changes the moment it appears gets its odds."""
    roll_fives(monkeypatch)
    at = state_of(started.pk)[PIRATE].at
    place_enemy(started, 500, 0)  # too far for any plan
    phone.goto(address)
    phone.evaluate(CHANGE_AT_ONCE, f"{ZARA}-3")
    phone.locator("#act-attack").click()
    expect(phone.locator("#form-attack")).to_be_in_viewport()
    expect(phone.locator("#problem")).to_contain_text("Out of reach")
    expect(phone.locator("#roll-app")).to_have_attribute("aria-disabled", "true")
    phone.locator("#form-attack #fold > summary").click()
    phone.locator("#house").scroll_into_view_if_needed()
    before = place(phone)
    phone.locator("#house").press("Enter")  # the server refuses it anyway
    expect(phone.locator("#notice")).to_contain_text("Out of reach")
    expect(phone.locator("#notice")).to_be_in_viewport(ratio=1)
    assert abs(place(phone) - before) < 300
    place_enemy(started, at.x, at.y)
    phone.goto(address)
    phone.locator("#act-attack").click()
    choose_weapon(phone, PISTOL)
    expect(phone.locator("#roll-app")).not_to_have_attribute("aria-disabled", "true")
    roll(phone)
    expect(phone.locator("article.result")).to_contain_text("attacks Pirate")
    expect(phone.locator(".result-word")).to_be_in_viewport(ratio=1)


def test_form_of_the_attack(phone: Browser, address: str, started: Encounter) -> None:
    phone.locator("#act-attack").click()
    expect(phone.locator("#roll-app"), "the roll is in sight").to_be_in_viewport(ratio=1)
    check_width_of_choices(phone)
    at = state_of(started.pk)[PIRATE].at
    place_enemy(started, 500, 0)  # too far for any plan
    phone.goto(address)
    phone.locator("#act-attack").click()
    choose_weapon(phone, f"{ZARA}-3")
    check_reason_in_sight(phone)
    place_enemy(started, at.x, at.y)
    phone.goto(address)
    phone.locator("#act-attack").click()
    for width, height in ((390, 844), (375, 553), (320, 568), (844, 390), (740, 360), (180, 370)):
        phone.set_viewport_size({"width": width, "height": height})
        come_to_rest(phone)
        phone.locator(".action-form").scroll_into_view_if_needed()
        check_low_window(phone)
    phone.set_viewport_size({"width": 360, "height": 740})
    phone.goto(address)
    check_roll_that_the_map_chooses(phone)


def check_low_window(phone: Browser) -> None:
    """The roll and its chance are in sight, above the tabs, wherever the form is read."""
    button = phone.locator("#roll-app")
    for _ in range(3):
        expect(button).to_contain_text(re.compile(r"Roll · \d+%"))
        expect(button).to_be_in_viewport(ratio=1)
        assert phone.evaluate(IS_ON_TOP), phone.viewport_size
        phone.mouse.wheel(0, 60)


IS_ON_TOP = """() => {
  const button = document.querySelector("#roll-app");
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const at = (y) => document.elementFromPoint((left + right) / 2, y);
  return [top + 4, bottom - 4].every((y) => button.contains(at(y)));
}"""


def check_width_of_choices(phone: Browser) -> None:
    """Targets and weapons have the width of the form, and no word of them is cut off."""
    for tiles in phone.locator("#form-attack .tiles").all():
        assert sure(tiles.bounding_box())["width"] > 280
    assert phone.evaluate(CUT, "#form-attack .tile-one") == []
    wide = "(one) => one.scrollWidth > one.clientWidth"
    assert not any(one.evaluate(wide) for one in phone.locator("#form-attack .tile-one").all())


def check_reason_in_sight(phone: Browser) -> None:
    """A roll that cannot be gives its reason instead."""
    come_to_rest(phone)
    button = phone.locator("#roll-app[aria-disabled=true]")
    button.scroll_into_view_if_needed()
    button.click(force=True)  # looks and acts unavailable, but can be pressed
    expect(phone.locator("#problem"), "the reason is in sight").to_be_in_viewport(ratio=1)
    expect(phone.locator("#live"), "the reason is read out").to_contain_text("Out of reach")
    expect(phone.locator("#notice"), "nothing was sent").to_have_count(0)
    assert phone.locator("#act-attack").get_attribute("aria-expanded") == "true"


def check_roll_that_the_map_chooses(phone: Browser) -> None:
    """It is one press away."""
    phone.locator("#act-attack").click()
    phone.locator("label[for=tab-scene]").click()
    choice = phone.locator(".map-choice")
    expect(choice).to_contain_text("Pirate")
    phone.locator(f"[data-token={MARCUS}] > .mark").click()
    expect(choice).to_contain_text("Marcus")
    expect(choice.get_by_role("button", name="Roll")).to_be_visible()
    choice.get_by_text("Options").click()
    expect(phone.locator("#form-attack .tiles-people")).to_be_in_viewport()
    expect(find_tile(phone, "target")).to_have_value(MARCUS)
    phone.set_viewport_size({"width": 1440, "height": 900})
    expect(choice).to_be_hidden()


READ = """() => [...document.querySelectorAll("#h-turn, #turn-state, #turn-offer, .columns")]
  .map((one) => Math.round(one.getBoundingClientRect().top))
  .concat(innerWidth < 1024 ? [] : document.querySelector(".columns").offsetHeight)"""


# A late answer ends the banner, unless the device itself says that it is offline
LOSE_CONNECTION = """() => {
  Object.defineProperty(navigator, "onLine", { get: () => false });
  dispatchEvent(new Event("offline"));
}"""


def test_banners_move_nothing_that_is_read(small: Browser, address: str) -> None:
    """A refusal and a lost connection appear below everything, above the tabs of a phone."""
    for width in (360, 720, 1024, 1440):
        small.set_viewport_size({"width": width, "height": 740})
        small.goto(address)
        check_banners(small, width)


def check_banners(page: Browser, width: int) -> None:
    page.locator("#act-attack").click()
    page.locator("#form-attack #fold > summary").click()
    page.locator("#house").fill("many")
    page.locator("#house").evaluate("(field) => field.scrollIntoView({ block: 'center' })")  # above the roll
    before = page.evaluate(READ)
    page.locator("#house").press("Enter")
    notice = page.locator("#notice")
    expect(notice, f"{width} px").to_contain_text("must be a whole number")
    expect(notice, f"{width} px").to_be_in_viewport(ratio=1)
    assert page.evaluate(READ) == before, f"the refusal, {width} px"
    page.evaluate(LOSE_CONNECTION)
    expect(page.locator("#banner"), f"{width} px").to_be_in_viewport(ratio=1)
    assert page.evaluate(READ) == before, f"the lost connection, {width} px"
    turn, notice, banner = page.evaluate(
        "['#turn', '#notice', '#banner'].map((n) => document.querySelector(n).getBoundingClientRect())"
    )
    for one in (notice, banner):
        assert width < 1024 or one["right"] <= turn["left"], f"it covers something of the turn, {width} px"
    assert width < 1024 or notice["bottom"] <= banner["top"], f"the one covers the other, {width} px"


def test_place_of_the_page(phone: Browser, started: Encounter) -> None:
    """What others do leaves it where it is read; only another turn is read from its beginning."""
    check_place_when_others_act(phone, started)
    phone.reload()
    check_beginning_of_a_turn(phone)
    submit(started.pk, Submission("next_turn"))
    submit(started.pk, Submission("next_turn"))
    phone.reload()
    check_places_of_tabs(phone, started)


def scroll_down(phone: Browser) -> int:
    """Read the last actions; return how far down that is."""
    phone.locator("#later, .action-list").last.scroll_into_view_if_needed()
    found = place(phone)
    assert found > 500
    return found


def check_place_when_others_act(phone: Browser, started: Encounter) -> None:
    before = scroll_down(phone)
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -3}))
    submit(
        started.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, faces=(1, 2))
    )
    phone.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(phone.locator("article.result")).to_contain_text("attacks Pirate")
    # Fewer actions are left, so the page may now end above that place.
    end = "document.documentElement.scrollHeight - innerHeight"
    assert phone.evaluate(f"before => scrollY - Math.min(before, {end})", before) == 0


def check_beginning_of_a_turn(phone: Browser) -> None:
    scroll_down(phone)
    phone.get_by_role("button", name="Next turn").first.click()
    expect(phone.locator("#h-turn")).to_contain_text("Pirate")
    expect(phone.locator("#h-turn")).to_be_in_viewport()
    expect(phone.locator(".vitals")).to_be_in_viewport()


def check_places_of_tabs(phone: Browser, started: Encounter) -> None:
    """Each tab keeps its own until the turn changes."""

    def show(tab: str) -> None:
        phone.locator(f"label[for=tab-{tab}]").click()
        phone.evaluate("() => new Promise(done => requestAnimationFrame(() => done(true)))")

    read = scroll_down(phone)
    show("scene")
    expect(phone.locator("#h-scene")).to_be_in_viewport(ratio=1)
    show("turn")
    assert place(phone) == read
    show("log")
    submit(started.pk, Submission("next_turn"))
    phone.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(phone.locator("#h-turn")).to_contain_text("Pirate")
    show("turn")
    expect(phone.locator("#h-turn")).to_be_in_viewport(ratio=1)


def test_refusal_of_a_row_is_in_sight_under_the_other_tab(small: Browser, address: str) -> None:
    small.goto(f"{address}?row=damage&combatant={ZARA}")
    small.locator(".tabs label").nth(1).click()
    small.locator("#row-by").fill("3,5")
    small.locator("#row-by").press("Enter")
    notice = small.locator("#notice")
    expect(notice).to_contain_text("Points must be a whole number, not “3,5”")
    small.mouse.wheel(0, 2000)
    expect(notice).to_be_in_viewport(ratio=1)


def test_what_the_map_chooses_is_done_below_it(phone: Browser, started: Encounter) -> None:
    """On a phone the form is behind another tab than the map: its button is below the map too."""
    before, choice = combatant(started.pk, ZARA).at, phone.locator(".map-choice")
    phone.locator("label[for=tab-scene]").click()
    expect(choice).to_have_count(0)
    phone.get_by_role("link", name="Move here").first.click()
    expect(choice).to_contain_text("Bay floor")
    phone.locator("a:has(> .cell)").nth(20).dispatch_event("click")
    expect(choice).to_contain_text(" m of ")
    choice.get_by_role("button", name=re.compile(r"Move \d")).click()
    expect(choice).to_have_count(0)
    assert combatant(started.pk, ZARA).at != before


BELOW_THE_HEAD = """() => document.querySelector("#prompt").getBoundingClientRect().top
    >= document.querySelector(".turn-head").getBoundingClientRect().bottom"""


def test_question_is_read_from_its_beginning(
    small: Browser, live_server: LiveServer, gm: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_demo_fight(gm, "starshock")
    play(made.pk, find_system("starshock").demo.make_first().script[:2])
    roll_fives(monkeypatch)
    small.goto(f"{live_server.url}/encounters/{made.pk}/")
    small.locator("#act-attack").click()
    come_to_rest(small)
    small.locator("#form-attack #fold > summary").click()
    small.locator("#house-why").scroll_into_view_if_needed()
    small.locator("#roll-app").press("Enter")
    expect(small.locator("#prompt")).to_contain_text("Which maneuver?")
    come_to_rest(small)
    assert small.evaluate(BELOW_THE_HEAD)


def test_long_words_of_an_attacker_stay_whole_beside_the_odds(
    small: Browser, live_server: LiveServer, gm: User
) -> None:
    made = make_demo_fight(gm, "cepheus_quick")
    submit(made.pk, Submission("start"))
    state = state_of(made.pk)
    actor = state[state.active]
    target = next(each for each in state.combatants.values() if each.side != actor.side)
    submit(made.pk, Submission("rename", {"target": actor.id, "name": "Oberst von Überreiter"}))
    attack = {"actor": actor.id, "target": target.id, "weapon": actor.items[0].id}
    submit(made.pk, Submission("attack", attack))
    small.goto(f"{live_server.url}/encounters/{made.pk}/")
    expect(small.locator(".threat")).to_contain_text("Überreiter")
    assert small.evaluate(CUT, ".threat b") == []
    assert find_overflow(small) == []


LONG = "W" * 60


def lengthen(fight: Encounter) -> None:
    """Give everything a name of one word of the greatest length."""
    Encounter.objects.filter(pk=fight.pk).update(name="E" * 100)
    zones = [
        {"id": zone, "name": letter * 60, "x": x, "y": 0, "width": 30, "depth": 20}
        for zone, letter, x in (("z", "W", 0), ("y", "M", 30))
    ]
    submit(fight.pk, Submission("set_scene", {"scene": {"zones": zones}}))
    for who, letter in ((ZARA, "W"), ("f2", "M")):
        submit(fight.pk, Submission("rename", {"target": who, "name": letter * 60, "side": LONG}))
    submit(fight.pk, Submission("give_condition", {"target": ZARA, "kind": "prone", "reason": "R" * 200}))
    submit(fight.pk, Submission("note", {"text": "N" * 300}))


PREPARATION = "prep/?edit=z"
PLACES = ("?do=attack", PREPARATION, "?row=rename&combatant=f2", "?row=damage&combatant=f2")


def test_name_of_one_long_word_makes_no_page_wider(small: Browser, address: str, started: Encounter) -> None:
    lengthen(started)
    for here in (*PLACES, "log/", "share/", "forecast/"):
        small.goto(address + here)
        panels = small.locator(".tabs label")
        for number in range(panels.count()):
            panels.nth(number).click()
            assert small.evaluate("document.documentElement.scrollWidth") == 360, (here, find_overflow(small))
        assert small.evaluate("document.documentElement.scrollWidth") == 360, (here, find_overflow(small))
        if here == PREPARATION:
            check_widths(small, 320, 768, 1024, 1440)
            small.set_viewport_size({"width": 360, "height": 740})


def test_long_words_of_a_name_stay_whole_beside_the_buttons(
    small: Browser, address: str, started: Encounter
) -> None:
    submit(started.pk, Submission("rename", {"target": ZARA, "name": "Kommandantin Übermüller"}))
    small.goto(address)
    for width in (320, 390, 430):
        small.set_viewport_size({"width": width, "height": 740})
        expect(small.locator("#h-turn")).to_have_text("Kommandantin Übermüller")
        assert small.evaluate(CUT, "#h-turn") == [], width
    small.set_viewport_size({"width": 360, "height": 300})  # above a keyboard on the screen
    assert find_overflow(small) == []


def test_long_names_fit_into_their_rows_at_home(small: Browser, live_server: LiveServer, gm: User) -> None:
    for number in range(3):
        create_encounter(gm, SLUG, f"The night train to the outermost ring, and what waits behind {number}")
    small.goto(live_server.url)
    expect(small.locator(".next li")).to_have_count(2)
    assert not small.evaluate(
        "[...document.querySelectorAll('.next li')].some((row) => row.scrollHeight > row.clientHeight + 1)"
    )


def check_widths(page: Browser, *widths: int) -> None:
    """In none of these windows is the page wider than the window."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") == width, (page.url, find_overflow(page))


def test_attack_form_is_no_wider_with_letters_twice_as_large(
    small: Browser, live_server: LiveServer, gm: User
) -> None:
    opened = 0
    for slug in SYSTEMS:
        made = make_demo_fight(gm, slug)
        submit(made.pk, Submission(find_system(slug).actions.start, {}))
        small.goto(f"{live_server.url}/encounters/{made.pk}/")
        attack = small.locator("a.action[href*='do=attack']")
        if attack.count():
            attack.first.click()
            small.evaluate("document.documentElement.style.fontSize = '200%'")
            expect(small.locator(".odds-main")).to_be_visible()
            assert find_overflow(small) == [], slug
            opened += 1
    assert opened > 1


def test_long_names_make_no_sheet_wider(small: Browser, live_server: LiveServer, gm: User) -> None:
    system = find_game(SLUG)
    assert system.book.catalogue is not None
    plan, entry = plan_of(system), next(e for e in system.book.catalogue.find_entries() if e.kind == "weapon")
    sheet = plan.write({}, blank_draft(plan))
    made = character_service.create(gm, SLUG, LONG, sheet, "N" * 500)
    own = OwnItem.objects.create(owner=gm, system=SLUG, kind="weapon", record={**entry.record, "name": LONG})
    thing = sure(find_item(gm, f"own-{own.pk}"))
    add_to(made, thing.entry)
    for address in (f"/characters/{made.pk}/", "/characters/", "/gear/?own=1", f"/gear/item/own-{own.pk}/"):
        small.goto(f"{live_server.url}{address}")
        assert small.evaluate("document.documentElement.scrollWidth") == 360, address


def test_adding_combatants_keeps_the_place_and_what_was_said(small: Browser, address: str) -> None:
    small.goto(f"{address}prep/#zone")  # an old anchor in the address does not scroll the page away
    small.locator("label[for=prep-tab-people]").click()
    small.locator("#add-fold > summary").click()
    small.locator("#find").press_sequentially("worked")
    expect(small.locator("#join-block option")).to_have_count(1)
    small.locator("#join-new_side").fill("boarders")
    small.locator("#join-add").scroll_into_view_if_needed()
    small.locator("#join-add").press("Enter")
    expect(small.locator("#messages")).to_contain_text("Added to boarders: Pirate of the worked example.")
    expect(small.locator("#messages .alert")).to_be_in_viewport(ratio=1)
    expect(small.locator("#join-add")).to_be_focused()
    expect(small.locator("#join-add")).to_be_in_viewport()
    expect(small.locator("#join-side")).to_have_value("boarders")
    expect(small.locator("#find")).to_have_value("worked")


def test_press_on_a_page_that_changes_meanwhile_is_told_of(small: Browser, address: str) -> None:
    """The answers to two presses in a row come late: the second is refused, and the refusal is not lost."""
    late: list[Route] = []
    small.goto(address)
    small.route("**/encounters/*/", lambda route: late.append(route) if len(late) < 2 else route.continue_())
    for who in (PIRATE, MARCUS):
        small.locator(f"#menu-{who} button[value=surrender]").evaluate("button => button.click()")
    small.wait_for_function("() => document.querySelectorAll('form[data-busy]').length === 2")
    answers = [route.fetch() for route in late]
    assert [answer.status for answer in answers] == [200, 409]
    for route, answer in zip(late, answers, strict=True):
        route.fulfill(response=answer)
    expect(small.locator("#notice")).to_be_visible()
    expect(small.locator("#log")).to_contain_text("Pirate surrenders.")


def test_dice_of_several_are_typed_in_one_go(small: Browser, address: str, started: Encounter) -> None:
    started.refresh_from_db()
    submit(started.pk, Submission("end_fight", {}))
    submit(started.pk, Submission("start", {}, typed=True))
    small.goto(address)
    fields = small.locator("#rolls [data-die]")
    expect(fields).to_have_count(3)
    expect(fields.nth(0)).to_be_focused()
    fields.nth(0).press_sequentially("9")
    expect(fields.nth(1)).to_be_focused()
    fields.nth(1).press_sequentially("8")
    small.locator("#rolls [data-dice-submit]").press("Enter")
    expect(fields).to_have_count(1)
    expect(fields.nth(0)).to_be_focused()
    small.get_by_role("button", name="Roll").press("Enter")
    expect(small.locator("#prompt")).to_have_count(0)


def test_mess_is_mended_with_few_taps(small: Browser, address: str, started: Encounter) -> None:
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -30}))
    small.goto(address)
    taps: list[str] = []

    def tap(place: str) -> None:
        small.locator(place).first.click()
        taps.append(place)

    small.locator("label", has_text="Log").last.click()
    tap("a.correction")
    expect(small.locator("#row-correction")).to_be_focused()
    small.keyboard.type("12")  # over the old number, which is selected
    tap("form.row-form .btn-primary")
    expect(small.locator(f"#row-{PIRATE}")).to_contain_text("68 / 80")
    assert len(taps) == 2
    expect(small.locator("#log"), "the window leaves the log where it is").to_be_visible()
    small.locator("label[for=tab-combatants]").click()
    taps.clear()
    tap(f"#menu-{PIRATE} > summary")
    tap(f"#menu-{PIRATE} a[href*=condition]")
    tap("label[for=row-kind-blinded]")
    tap("label[for=row-turns-3]")
    tap("form.row-form button[value=give_condition]")
    expect(small.locator("form.row-form")).to_have_count(0)
    expect(small.locator(f"#row-{PIRATE}")).to_contain_text("Blinded")
    assert len(taps) == 5
    tap(f"#menu-{PIRATE} > summary")
    tap(f"#menu-{PIRATE} button[value=surrender]")
    expect(small.locator("#log")).to_contain_text("Pirate surrenders.")
    small.keyboard.press("p")
    expect(small.locator(".paused")).to_be_in_viewport()
    assert find_overflow(small) == []
