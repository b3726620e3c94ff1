"""Making and changing a character in a real browser, wide and narrow; accessible, in both themes."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from itertools import cycle

import pytest
from django.contrib.auth.models import User
from django.test import Client
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from characters.creation.creation_view import find_ready, make_ready_sheet
from characters.display.sheet_view import view_sheet
from characters.models import Character
from characters.services import character_service
from combat.rules import SYSTEMS, find_system
from cosmos_site.base.pictures import PORTRAIT
from tests.browser import AXE, CUT, look, sign_in
from tests.typed import sure

Make = Callable[..., Character]
# Parts of a printed sheet that are wider than the column they stand in
PAST_ITS_COLUMN = """() => [...document.querySelectorAll(".paper-columns > section")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)"""
ADDRESSES = [
    "/characters/",
    "/characters/?q=nobody",
    "/characters/new/",
    "/characters/new/?way=free&attributes-MIG=10&skills-Combat=8",
    "/characters/import/",
    "/gear/own/import/",
    "/characters/{pk}/",
    "/characters/{pk}/?edit=attributes",
    "/characters/{pk}/?edit=about",
    "/characters/{pk}/?edit=portrait",
    "/characters/{pk}/?edit=item&item=i1",
    "/characters/{pk}/?roll=check&skill=Pilot&attribute=COO&at=s-pilot",
    "/characters/{pk}/print/",
    "/gear/?for={pk}",
    "/gear/item/cosmos-weapon-laser_pistol/",
    "/gear/compare/?pick=cosmos-weapon-pistol&pick=cosmos-weapon-bow&pick=cosmos-weapon-knife",
    "/gear/own/new/?from=cosmos-weapon-flash_grenade",
]


@pytest.fixture
def ana_page(live_server: LiveServer, page: Page, transactional_db: None, ana_client: Client) -> Page:
    sign_in(page.context, live_server, ana_client)
    return page


def find_barriers(page: Page) -> list[str]:
    """All barriers, however small."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE)
    violations = page.evaluate(
        "options => axe.run(options).then((found) => found.violations)", {"resultTypes": ["violations"]}
    )
    return [f"{v['id']}: {v['help']}: {v['nodes'][0]['html'][:120]}" for v in violations]


def is_too_wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


@pytest.mark.slow
def test_pages_have_no_barriers_and_fit(
    live_server: LiveServer, ana_page: Page, complaints: list[str], make: Make
) -> None:
    """Each wide and dark, or narrow and light, in turn; none is wider than a phone."""
    ana_page.add_init_script(AXE)
    zara = make("Zara", "Two\n\nparagraphs.", conditions=[{"kind": "fatigued"}], tracks={"hp": 30})
    for address, (size, theme) in zip(
        ADDRESSES, cycle((("wide", "dark"), ("narrow", "light"))), strict=False
    ):
        look(ana_page, size, theme)
        ana_page.goto(live_server.url + address.format(pk=zara.pk))
        assert find_barriers(ana_page) == [], address
        assert not is_too_wide(ana_page), (address, size)
        look(ana_page, "narrow", theme)
        assert not is_too_wide(ana_page), address
        assert complaints == [], address


def hold_first(page: Page) -> Callable[[], None]:
    """Hold the next answer of the maker back; what is returned waits for its request and lets it go."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    def let_go() -> None:
        while not held:
            page.wait_for_timeout(20)
        held[0].continue_()

    page.route(re.compile(r"/characters/new/\?"), hold)
    return let_go


@pytest.mark.slow
def test_what_is_typed_while_the_numbers_come_again_stays(live_server: LiveServer, ana_page: Page) -> None:
    ana_page.goto(f"{live_server.url}/characters/new/?at=body")
    budget = ana_page.locator(".step-budget")
    expect(budget).to_contain_text("30 of 30 left")
    let_go = hold_first(ana_page)
    ana_page.get_by_role("textbox", name="Might").fill("4")
    ana_page.get_by_role("textbox", name="Presence").press("Control+a")
    ana_page.keyboard.type("5")
    let_go()
    expect(budget).to_contain_text("24 of 30 left")
    expect(ana_page.get_by_role("textbox", name="Might")).to_have_value("4")
    expect(ana_page.get_by_role("textbox", name="Presence")).to_have_value("5")


def test_name_typed_while_a_face_is_chosen_stands_everywhere(live_server: LiveServer, ana_page: Page) -> None:
    ana_page.goto(f"{live_server.url}/characters/new/?way=guided&at=done&name=Zara")
    let_go = hold_first(ana_page)
    ana_page.get_by_role("radio", name="Courier").check(force=True)
    ana_page.get_by_label("Character name").fill("Ada")
    let_go()
    expect(ana_page.locator(".wizard-bar use")).to_have_attribute("href", re.compile("#courier$"))
    expect(ana_page.get_by_label("Character name")).to_have_value("Ada")
    expect(ana_page.locator("#step-who small")).to_have_text("Ada")


STEPS = ["who", "body", "skills", "gear", "done"]
TWO_SCREENS = 2 * 844  # pixels of a phone


def check_steps(page: Page) -> None:
    """No step has barriers, is too wide, or over two screens of a phone."""
    for step, theme in zip(STEPS, cycle(("dark", "light")), strict=False):
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        page.locator(f"#step-{step}").click()
        expect(page.locator(f"#step-{step}")).to_have_attribute("aria-current", "step")
        assert page.evaluate("document.documentElement.scrollHeight") <= TWO_SCREENS, step
        assert find_barriers(page) == [], f"{step}, {theme}"
        page.set_viewport_size({"width": 360, "height": 740})
        assert not is_too_wide(page), step
        page.set_viewport_size({"width": 390, "height": 844})


@pytest.mark.slow
def test_character_of_ones_own_is_made_step_by_step_on_a_phone(
    live_server: LiveServer, ana_page: Page, complaints: list[str]
) -> None:
    """From an archetype, with leaving and coming back; no step has barriers or is over two screens."""
    page = ana_page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/characters/new/?game=cosmos")
    page.get_by_role("button", name="Pilot Flies anything").click()
    expect(page.get_by_role("button", name="Create", exact=False)).to_be_in_viewport()
    page.get_by_label("Character name").fill("Zara Quill")
    page.get_by_role("button", name="Change").click()
    budget = page.locator(".step-budget")
    expect(budget).to_contain_text("0 of 30 left")
    page.get_by_role("button", name="Might less").click()
    expect(budget).to_contain_text("2 of 30 left")
    assert page.evaluate("document.activeElement.id") == "attributes-mig-less"  # focus stays
    page.get_by_role("button", name="Skills ›").click()

    page.get_by_role("button", name="Social less").click()
    expect(budget).to_contain_text("2 of 30 left")
    page.get_by_role("searchbox", name="Find a skill").fill("athl")
    add = page.get_by_role("button", name="Athletics +")
    add.click()
    expect(budget).to_contain_text("1 of 30 left")
    expect(page.get_by_role("textbox", name="Athletics")).to_have_value("1")
    expect(page.get_by_role("searchbox", name="Find a skill")).to_have_value("athl")
    expect(page.get_by_role("button", name="Survival +")).to_be_hidden()

    page.goto(f"{live_server.url}/rules/")
    page.goto(f"{live_server.url}/characters/new/?game=cosmos")
    page.get_by_role("link", name="Continue").click()
    expect(budget).to_contain_text("1 of 30 left")
    page.reload()
    expect(page.get_by_role("textbox", name="Athletics")).to_have_value("1")
    page.get_by_role("button", name="Gear ›").click()
    expect(page.get_by_text("8,130 of 10,000 left")).to_be_visible()
    page.get_by_role("searchbox", name="Find gear").fill("rapier")
    page.get_by_role("button", name="Add Rapier").click()
    expect(page.locator(".bought")).to_contain_text("Rapier")
    page.get_by_role("button", name="Done ›").click()
    page.get_by_role("radio", name="Courier").check(force=True)
    expect(page.locator(".wizard-bar use")).to_have_attribute("href", re.compile("#courier$"))
    page.go_back()
    expect(page.locator(".bought")).to_contain_text("Rapier")
    page.get_by_role("button", name="Done ›").click()

    check_steps(page)
    page.get_by_role("radio", name="Courier").check(force=True)
    expect(page.locator(".wizard-bar use")).to_have_attribute("href", re.compile("#courier$"))
    for name in ("Ada", "Zara Quill"):
        page.get_by_label("Character name").fill(name)
        expect(page.locator("#step-who small")).to_have_text(name)
    page.get_by_role("button", name="Create Zara Quill").click()
    expect(page.get_by_role("heading", name="Zara Quill")).to_be_visible()
    made = Character.objects.get()
    assert (made.face, made.sheet["attributes"]["MIG"], made.sheet["credits"]) == ("courier", 4, 8040)
    assert (made.sheet["skills"]["Athletics"], made.sheet["skills"]["Social"]) == (1, 1)
    assert complaints == []


def test_four_different_items_stay_in_the_order_they_were_bought(
    live_server: LiveServer, ana_page: Page, complaints: list[str]
) -> None:
    """Hidden fields, all with the same name, hold what was bought."""
    page = ana_page
    page.goto(f"{live_server.url}/characters/new/?game=cosmos&way=free&money=1000000")
    wanted, bought, names = page.get_by_label("Item to add"), page.locator(".bought b"), []
    for number, value in enumerate(find_four(page), 1):
        wanted.select_option(value)
        names.append(wanted.locator("option:checked").inner_text().partition(",")[0])
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.locator(".bought li")).to_have_count(number)
        page.get_by_label("Character name").fill(f"Buyer {number}")
    expect(bought).to_have_text(names)
    held = page.locator("input[name=item]").evaluate_all("fields => fields.map((field) => field.value)")
    assert len(set(held)) == 4
    page.reload()
    expect(bought).to_have_text(names)
    assert complaints == []


def test_buttons_pressed_quickly_all_count(
    live_server: LiveServer, ana_page: Page, complaints: list[str]
) -> None:
    """Each press counts from the result of the one before it."""
    page = ana_page
    page.goto(f"{live_server.url}/characters/new/?way=free&money=1000000")
    page.evaluate("for (let n = 0; n < 3; n++) document.getElementById('attributes-mig-more').click()")
    expect(page.get_by_role("textbox", name="Might")).to_have_value("6")
    for value in find_four(page):
        page.evaluate(QUICK_ADD, value)
    expect(page.locator(".bought li")).to_have_count(4)
    names = page.locator(".bought b").all_inner_texts()
    assert len(set(names)) == 4
    assert complaints == []


QUICK_ADD = """value => {
    document.getElementById("wanted").value = value;
    document.querySelector("button[name=add]").click();
}"""


def find_four(page: Page) -> list[str]:
    """Four different items that may be bought."""
    found = page.locator("#wanted option:enabled").evaluate_all("all => all.map((option) => option.value)")
    return list(dict.fromkeys(found))[:4]


def see_docked_roll(page: Page) -> None:
    """The button of the open form of Pilot stays in sight, and says the chance of the form as it stands."""
    expect(page.locator("#roll-s-pilot")).to_be_in_viewport(ratio=1)
    page.evaluate("scrollTo(0, document.querySelector('#roll-form').offsetTop - 250)")
    expect(page.locator("#roll-s-pilot"), "the button is docked").to_be_in_viewport(ratio=1)
    chance = page.locator("#odds-panel .big").inner_text()
    expect(page.locator("#roll-s-pilot")).to_contain_text(f"· {chance}")
    page.locator("#roll-tn").fill("20")
    expect(page.locator("#odds-panel .big")).not_to_have_text(chance)
    expect(page.locator("#roll-s-pilot")).to_contain_text(page.locator("#odds-panel .big").inner_text())
    page.locator("#roll-tn").fill("14")
    expect(page.locator("#odds-panel .big")).to_have_text(chance)


def test_wide_sheet_has_attack_cards_and_six_attributes_in_a_row(
    live_server: LiveServer, ana_page: Page, make: Make
) -> None:
    """Totals stand side by side, the largest things of their cards; each still opens its sum with one tap."""
    zara, page = make("Zara"), ana_page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{live_server.url}/characters/{zara.pk}/")
    totals = page.locator("#attacks > .attacks .att-total > summary")
    assert totals.count() > 1
    tops = {round(sure(one.bounding_box())["y"]) for one in totals.all()}
    assert len(tops) == 1
    stats = [sure(one.bounding_box()) for one in page.locator("#attributes .stat").all()]
    assert (len(stats), len({round(box["y"]) for box in stats})) == (6, 1)
    totals.first.click()
    expect(page.locator("#attacks .att-total[open] .mods")).to_be_in_viewport(ratio=1)
    assert not is_too_wide(page)


@pytest.mark.parametrize("slug", [slug for slug in SYSTEMS if find_ready(find_system(slug))])
def test_drawers_of_a_wide_sheet_say_what_is_in_them(
    live_server: LiveServer, ana_page: Page, ana: User, slug: str
) -> None:
    """The portrait, the attacks and what wards are the page; a drawer opens with one tap and stays so."""
    system = find_system(slug)
    made = character_service.create(
        ana, slug, "Ana", make_ready_sheet(system, find_ready(system)[0].archetype)
    )
    view, page = view_sheet(system, made), ana_page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{live_server.url}/characters/{made.pk}/")
    skills, gear, story = (page.locator(f"#drawer-{part}") for part in ("skills", "gear", "story"))
    best = view.best_skills[0]
    assert best.best
    expect(skills.locator(".peek")).to_contain_text(f"{best.stat.label} {best.best.shown}")
    expect(gear.locator(".peek")).to_contain_text(view.had[0])
    expect(story.locator(".peek")).to_contain_text(made.summary)
    tops = [sure(one.bounding_box())["y"] for one in (page.locator("#numbers"), skills, gear, story)]
    assert tops == sorted(tops)
    assert tops[-1] < 900
    expect(page.locator("#gear")).to_be_hidden()
    gear.locator("> summary").click()
    expect(page.locator("#gear")).to_be_visible()
    page.reload()
    expect(page.locator("#gear")).to_be_visible()
    assert not is_too_wide(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("label[for=part-story]").click()
    expect(page.locator("#history")).to_be_visible()  # no drawer on a phone
    expect(page.locator("#gear")).to_be_hidden()


def test_sheet_is_changed_in_place(
    live_server: LiveServer, ana_page: Page, complaints: list[str], make: Make
) -> None:
    """Its numbers in a wide window, its rolls in a narrow one."""
    zara, page = make("Zara"), ana_page
    page.set_viewport_size({"width": 1440, "height": 800})
    page.goto(f"{live_server.url}/characters/{zara.pk}/")
    page.evaluate("window.samepage = true")

    page.get_by_role("link", name="Edit attributes").click()
    page.get_by_role("textbox", name="Might").fill("6")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#history")).to_contain_text("Might 3 → 6")
    expect(page.locator(".facts").first).to_contain_text("104")  # Max HP
    expect(page.locator("#live")).to_have_text("Might 3 → 6.")

    page.locator("#drawer-gear > summary").click()
    page.get_by_role("button", name=re.compile("Worn.*Plate armor")).click()
    expect(page.locator("#history")).to_contain_text("Worn: Plate armor")
    page.get_by_role("button", name="Reload Pistol").click()
    expect(page.locator("#item-i1")).to_contain_text("15 of 15")

    page.get_by_role("button", name="HP: one less").click()
    expect(page.locator("#health")).to_contain_text("103 / 104")
    page.locator("#now-hp").fill("104")
    page.locator("#now-hp").press("Enter")
    expect(page.locator("#health")).to_contain_text("104 / 104")
    page.locator("#now-hp").fill("-60")
    expect(page.locator("#reads-hp")).to_have_text("Loses 60: HP 104 → 44, Injured")
    page.locator("#set-hp").click()
    expect(page.locator("#health")).to_contain_text("44 / 104")
    assert not is_too_wide(page)

    page.set_viewport_size({"width": 360, "height": 800})
    page.get_by_text("Skills", exact=True).first.click()
    page.locator(".skill", has_text="Pilot").locator("a").click()
    expect(page.locator("#odds-panel")).to_contain_text("to succeed")
    see_docked_roll(page)
    page.locator("#dice-roll > summary").click()
    expect(page.locator("#face-1")).to_be_focused()
    page.keyboard.type("73")  # a field per die, the focus hops
    page.get_by_role("button", name="Use these").click()
    expect(page.locator("#rolls")).to_contain_text(re.compile(r"Zara rolls Pilot \(1\d vs TN 14"))

    expect(page.locator("#told-roll")).to_contain_text("vs TN 14")  # beside its question
    page.locator(".skill", has_text="Combat").locator("a").click()
    expect(page.locator("button#roll-s-combat")).to_be_focused()  # a second Enter rolls
    page.keyboard.press("Enter")
    expect(page.locator("#told-roll")).to_contain_text("Zara rolls Combat")
    expect(page.locator("a#roll-s-combat")).to_be_focused()

    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#health")).to_contain_text("104 / 104")
    assert page.evaluate("window.samepage")  # no reload on the way
    assert not is_too_wide(page)
    assert complaints == []


def find_shift(page: Page, press: str, done: str) -> float:
    """How far a pressed button moves in the window, in pixels, once the answer is there."""
    button = page.get_by_role("button", name=re.compile(press))
    button.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    button.click()
    expect(page.locator(done)).to_be_visible()
    page.wait_for_timeout(200)  # the browser adjusts its scroll anchor
    return float(page.evaluate("scrollY") - before)


def test_page_stays_where_one_reads(live_server: LiveServer, ana_page: Page, make: Make) -> None:
    zara, page = make("Zara", items=[{"id": "i1", "kind": "weapon", "entry": "knife"}]), ana_page
    page.set_viewport_size({"width": 1440, "height": 500})
    page.goto(f"{live_server.url}/characters/new/?way=free")
    assert find_shift(page, "Combat more", "input[name=skills-Combat][value='1']") == 0
    page.set_viewport_size({"width": 360, "height": 500})
    page.goto(f"{live_server.url}/characters/{zara.pk}/?part=gear")
    assert find_shift(page, "In hand.*Knife", "#place-i1-held[aria-pressed=true]") == 0
    expect(page.locator("#place-i1-held")).to_be_focused()


def test_picture_is_uploaded_and_shown(
    live_server: LiveServer, ana_page: Page, complaints: list[str], make: Make
) -> None:
    zara, page, out = make("Zara"), ana_page, BytesIO()
    Image.new("RGB", (300, 300), "teal").save(out, "PNG")
    page.goto(f"{live_server.url}/characters/{zara.pk}/?edit=portrait")
    page.get_by_label("Picture").set_input_files(
        {"name": "me.png", "mimeType": "image/png", "buffer": out.getvalue()}
    )
    page.get_by_role("button", name="Save portrait").click()
    picture = page.locator("img.portrait")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 300
    expect(page.locator("#messages progress"), "it was sent").to_have_count(0)
    assert complaints == []


def test_picture_of_a_camera_is_made_smaller_before_it_is_sent(
    live_server: LiveServer, ana_page: Page, make: Make
) -> None:
    zara, page, out = make("Zara"), ana_page, BytesIO()
    Image.effect_noise((2400, 1200), 90).save(out, "JPEG", quality=95)
    assert len(out.getvalue()) > PORTRAIT.max_bytes
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/characters/{zara.pk}/?edit=portrait")
    page.get_by_label("Picture").set_input_files(
        {"name": "me.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}
    )
    page.get_by_role("button", name="Save portrait").click()
    expect(page.locator("img.portrait")).to_be_visible()
    page.goto(f"{live_server.url}/characters/{zara.pk}/?edit=portrait")
    page.get_by_label("Picture").set_input_files(
        {"name": "me.jpg", "mimeType": "image/jpeg", "buffer": b"x" * 2_900_000}
    )
    page.get_by_role("button", name="Save portrait").click()
    expect(page.locator(".errors", has_text="at most 2 MB")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("slug", [slug for slug in SYSTEMS if find_ready(find_system(slug))])
def test_first_screen_of_a_phone_shows_health_armor_and_attacks(
    live_server: LiveServer, ana_page: Page, ana: User, slug: str
) -> None:
    system = find_system(slug)
    sheet = make_ready_sheet(system, find_ready(system)[0].archetype)
    made = character_service.create(ana, slug, "Ana Sokolov", sheet)
    ana_page.set_viewport_size({"width": 390, "height": 844})
    ana_page.goto(f"{live_server.url}/characters/{made.pk}/")
    for part in (".sheet-head", "#health", "#numbers", ".att >> nth=0"):
        box = ana_page.locator(part).bounding_box()
        assert box
        assert box["y"] + box["height"] <= 780, part
    assert ana_page.evaluate("document.documentElement.scrollHeight") < 2500
    labels = "#numbers dt, .stat-name, .att-name b"
    assert ana_page.evaluate(CUT, labels) == []
    ana_page.set_viewport_size({"width": 1440, "height": 900})
    assert ana_page.evaluate(CUT, labels) == []
    ana_page.set_viewport_size({"width": 390, "height": 844})
    ana_page.evaluate("document.documentElement.style.fontSize = '200%'")
    for tab in ana_page.locator(".sheet-parts label").all():
        tab.click()
        assert not is_too_wide(ana_page), tab.inner_text()


def test_fold_of_a_sheet_stays_as_it_was_left(live_server: LiveServer, ana_page: Page, make: Make) -> None:
    ana_page.goto(f"{live_server.url}/characters/{make('Zara').pk}/")
    duplicate = ana_page.get_by_role("button", name="Duplicate")
    expect(duplicate).to_be_hidden()
    ana_page.locator("#drawer-story > summary").click()
    ana_page.locator("#keep > summary").click()
    ana_page.reload()
    expect(duplicate).to_be_visible()


def test_stranger_follows_a_shared_sheet_until_it_is_revoked(
    live_server: LiveServer, ana_page: Page, complaints: list[str], browser: Browser, make: Make
) -> None:
    zara = make("Zara")
    ana_page.goto(f"{live_server.url}/characters/{zara.pk}/")
    ana_page.get_by_role("link", name="Share read-only").click()  # opens what is folded
    ana_page.get_by_role("button", name="Create read-only link").click()
    address = ana_page.get_by_label("Read-only link").input_value()
    stranger = browser.new_context(viewport={"width": 390, "height": 800})
    page = stranger.new_page()
    page.clock.install()
    page.goto(live_server.url + address[address.index("/v/") :])
    page.get_by_text("Skills", exact=True).first.click()
    page.locator("#untrained > summary").click()
    ana_page.get_by_role("button", name="HP: one less").click()
    expect(ana_page.locator("#health")).to_contain_text("79 / 80")
    page.clock.fast_forward(4_000)  # it asks so often
    expect(page.locator("#health")).to_contain_text("79 / 80")
    expect(page.locator("#untrained")).to_have_attribute("open", "")  # what one reads stays open
    assert find_barriers(page) == []
    assert not is_too_wide(page)
    assert stranger.cookies() == []
    ana_page.get_by_role("button", name="Revoke").click()
    expect(ana_page.get_by_role("button", name="Revoke")).to_have_count(0)
    page.clock.fast_forward(4_000)
    expect(page.locator("#sheet")).to_contain_text("This link shows nothing")
    stranger.close()
    assert complaints == []


def test_sheet_prints_on_one_page(live_server: LiveServer, ana_page: Page, make: Make) -> None:
    items = [{"id": f"i{n}", "kind": "weapon", "entry": "laser_rifle", "loaded": 40} for n in range(60)]
    skills = dict.fromkeys(
        ("Combat", "Athletics", "Medicine", "Tech", "Survival", "Social", "Stealth", "Pilot"), 3
    )
    zara = make("Zara of the very long name indeed", "Notes and notes. " * 400, items=items, skills=skills)
    ana_page.goto(f"{live_server.url}/characters/{zara.pk}/print/")
    for paper in ("A4", "Letter"):
        pdf = ana_page.pdf(format=paper)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1, paper
    plain = make("Plain", "# Debts\n- Owes Vex three favors.").pk
    ana_page.goto(f"{live_server.url}/characters/{plain}/")
    pdf = ana_page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1, "the page of the sheet"
    ana_page.emulate_media(media="print")
    for pressed in (".sheet-parts", ".change", ".carried-acts", ".bump button", ".sheet-acts", "#keep"):
        expect(ana_page.locator(pressed).first).to_be_hidden()
    expect(ana_page.get_by_text("Owes Vex")).to_be_visible()


def test_ready_characters_print_whole_on_one_page(live_server: LiveServer, ana_page: Page, ana: User) -> None:
    """Untrained skills spread over the columns, nothing is cut, and the type is small beside much."""
    notes = "# People\nSaro owes us.\n\n- Dock 7\n- Dock 9\n\n# Plans\nThe vault."
    firsts = [(system, ready) for system in map(find_system, SYSTEMS) for ready in find_ready(system)[:1]]
    assert len(firsts) > 1
    for system, ready in firsts:
        one = character_service.create(
            ana, system.slug, "Ada", sheet=make_ready_sheet(system, ready.archetype), notes=notes
        )
        ana_page.goto(f"{live_server.url}/characters/{one.pk}/print/")
        ana_page.emulate_media(media="screen")
        ana_page.set_viewport_size({"width": 390, "height": 844})
        assert ana_page.evaluate(PAST_ITS_COLUMN) == [], system.slug
        ana_page.emulate_media(media="print")
        ana_page.set_viewport_size({"width": 710, "height": 960})  # what a printer leaves of A4
        assert ana_page.evaluate(PAST_ITS_COLUMN) == [], system.slug
        for part in (".paper", ".paper-notes"):
            assert ana_page.locator(part).evaluate("one => getComputedStyle(one).overflowY") == "visible"
        for paper in ("A4", "Letter"):
            pdf = ana_page.pdf(format=paper)
            assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1, (system.slug, paper)


def test_gear_is_searched_as_one_types_and_taken(
    live_server: LiveServer, ana_page: Page, complaints: list[str], make: Make
) -> None:
    zara, page, asked = make("Zara"), ana_page, []
    page.on("request", lambda request: asked.append(request.url) if "q=laser" in request.url else None)
    page.goto(f"{live_server.url}/gear/?for={zara.pk}")
    page.get_by_label("Search").fill("laser pis")
    expect(page.locator("#found .gear-list tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Take Laser pistol").click()
    expect(page.locator("#told")).to_contain_text("Zara has Laser pistol now.")
    assert len(asked) == 1, "a search as the field is left takes the list away under the pointer"
    expect(page.get_by_label("Search")).to_have_value("laser pis")
    page.get_by_role("button", name="Buy Laser pistol").click()
    expect(page.locator("#told")).to_contain_text("costs 1,000, you have 500 credits")
    assert Character.objects.get().sheet["items"][-1]["entry"] == "laser_pistol"
    assert complaints == []


def test_two_items_are_compared_in_the_hands_of_whom_one_chooses(
    live_server: LiveServer, ana_page: Page, make: Make
) -> None:
    """The choice keeps what is compared and whose card is open, and stays in the address."""
    zara, page = make("Zara"), ana_page
    make("Ulla", skills={})
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{live_server.url}/gear/?game=cosmos&kind=weapon")
    versus, card = page.locator(".gear-versus"), page.locator("#shown")
    for name in ("Club", "Sword"):
        page.locator(".gear-pick", has=page.get_by_label(f"Compare {name}", exact=True)).click()
    expect(versus).to_contain_text("In the hands of Ulla")  # the newer one: nobody has played yet
    page.get_by_role("link", name="Rapier").click()
    expect(card).to_contain_text("Rapier")
    expect(card).to_contain_text("In the hands of Ulla")
    page.get_by_label("In the hands of", exact=True).select_option("Zara")
    expect(versus).to_contain_text("In the hands of Zara")
    expect(versus).to_contain_text("Sword")
    expect(card).to_contain_text("Rapier")
    expect(card).to_contain_text("In the hands of Zara")
    assert f"hands={zara.pk}" in page.url
    page.reload()
    expect(versus).to_contain_text("In the hands of Zara")
    expect(page.locator("[name=pick]:checked")).to_have_count(2)
    versus.get_by_role("button", name="Clear").click()
    expect(versus).to_have_count(0)
    expect(page.locator("[name=pick]:checked")).to_have_count(0)
    expect(page.get_by_label("In the hands of", exact=True)).to_have_value(str(zara.pk))
