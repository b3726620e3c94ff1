"""The demo of every game on two pages, the GM's and the players', through the forms that these pages show.

The steps of the script, with dice rolled on a real table: each roll is typed, and each choice made, on the
page of the person who plays the combatant, if it has something new. Two demos are played in browsers too, a
laptop and a phone: together they have every kind of question and button. There, a step takes clicks if it has
a kind of form, field or question that no step before it, in either of them, had on that page.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Locator, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from characters.accounts.users import make_sign_in_link
from combat.models import Encounter, Seat, ShareLink
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import answer as answer_directly
from combat.play.writing.encounter_service import read_state
from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.book import Demo, DemoStep
from combat.rules.core.state.state import State, present
from combat.sharing.links import assign, make_link
from tests.browser import choose_tile
from tests.combat.cast import come
from tests.combat.markup import Element
from tests.combat.markup import Page as Markup
from tests.combat.rules.stage import Stage
from tests.combat.visit import Visit, play_step, questions, read, refusal, state_of
from tests.typed import as_a

USE_DICE = re.compile("^Use th")  # this die, or these
PHONE: ViewportSize = {"width": 360, "height": 740}


DEMOS = [(slug, number) for slug in SYSTEMS for number in range(len(find_system(slug).demo.make_all()))]
IN_BROWSERS = ["starshock", "cepheus"]  # sides that act as one, points to divide
HEADLINES = {"starshock": "Victory", "cepheus": "The fight is over"}  # in the second, both sides stand


def find_demo(slug: str, number: int) -> Demo:
    """One of the demo fights."""
    return as_a(find_system(slug).demo.make_all()[number], Demo)


# ---- In browsers ----


@dataclass
class Two:
    """The GM's page and that of the players' phone, which holds the player characters."""

    gm: Page
    phone: Page
    url: str
    own: frozenset[str]
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    newest: Page | None = None

    def page_of(self, who: str) -> Page:
        """The page of the person who plays a combatant."""
        return self.phone if who in self.own else self.gm

    def open(self, who: str, is_shown: bool) -> Page:
        """The newest table with a combatant, on the page of the person who plays it.

        The test server has no live stream, so the page that did nothing last is reloaded.
        """
        page = self.page_of(who)
        if not is_shown or page is not self.newest:
            page.goto(f"{self.url}?combatant={who}")
        self.newest = page
        return page


@pytest.fixture
def pages(
    live_server: LiveServer, page: Page, new_context: CreateContextCallback, transactional_db: None, gm: User
) -> list[Page]:
    """The laptop of the GM, who has followed the link to sign in, and a player's phone."""
    page.goto(f"{live_server.url}/sign-in/{make_sign_in_link(gm)}/")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    return [page, new_context(viewport=PHONE, is_mobile=True, has_touch=True).new_page()]


def sit_down(pages: list[Page], base: str, fight: Encounter) -> Two:
    """The GM at the table, with "dice are rolled at the table" set, and the phone that has joined."""
    page, phone = pages
    url = f"{base}/encounters/{fight.pk}/"
    page.goto(f"{url}prep/")
    page.locator("#options-table > summary").click()
    page.locator("#rule-typed_dice").get_by_text("yes", exact=True).click()
    page.get_by_role("button", name="Save options").click()
    page.goto(url)
    _, token = make_link(fight, ShareLink.PLAY, "")
    own = [combatant.id for combatant in present(read_state(fight)) if combatant.pc]
    phone.goto(f"{base}/join/{token}/")
    phone.get_by_label("Your name").fill("Pia")
    phone.locator(f'label:has([name="combatant"][value="{own[0]}"])').click()
    phone.get_by_role("button", name="Join").click()
    for who in own[1:]:
        assign(fight, [who], Seat.objects.get(encounter=fight))
    return Two(page, phone, url, frozenset(own))


def version(page: Page) -> str:
    """The encounter's stamp on the page."""
    return page.locator("#table").get_attribute("data-version") or ""


def settle(page: Page, press: Locator) -> None:
    """Press a button that changes the table, and wait until the page shows the change.

    What another has just changed cannot be pressed for a moment.
    """
    before = version(page)
    expect(page.locator("#table[data-fresh]")).to_have_count(0)
    press.click()
    is_new = "old => document.querySelector('#table')?.dataset.version !== old"
    page.wait_for_function(is_new, arg=before, polling=50)
    come_to_rest(page)


def come_to_rest(page: Page) -> None:
    """Wait until htmx has answers and has settled its swaps: last it moves the focus."""
    expect(page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)


def type_faces(fields: Locator, faces: tuple[int, ...]) -> None:
    """Type the dice, one field after the other."""
    expect(fields).to_have_count(len(faces))
    for place, face in enumerate(faces):
        fields.nth(place).fill(str(face))


def answer(page: Page, given: tuple[int, ...] | str) -> None:
    """Answer the first open question: dice by their fields, a choice by its button."""
    prompt = page.locator("#prompt")
    if isinstance(given, str) and "=" in given:  # points to divide
        form = prompt.locator("form[id^=question]").first
        for field in form.locator("input[name^=part-]").all():
            field.fill("0")
        for part in given.split(","):
            key, points = part.split("=")
            form.locator(f'[name="part-{key}"]').fill(points)
        settle(page, form.locator('button:not([type="button"])').last)
        return
    if isinstance(given, str):
        form = prompt.locator("form[id^=question]").first
        look = form.locator(f'.answers label:has([value="{given}"])')
        if look.count():
            look.click()
        settle(page, form.locator(f'button[name="value"][value="{given}"]'))
        return
    type_faces(prompt.locator(".dice-roll").first.locator("input[data-die]"), given)
    settle(page, prompt.get_by_role("button", name=USE_DICE))


def fill_form(form: Locator, command: dict[str, Any]) -> None:
    """Fill an action's form from the command; the rest stays as the scene suggests."""
    fold = form.locator("#fold")
    if fold.count() and fold.get_attribute("open") is None:
        fold.locator("summary").click()
    for name, value in command.items():
        if name in ("actor",):
            continue
        field = form.locator(f'[name="{name}"]:not([type=hidden])')
        if field.and_(form.locator("[data-tile]")).count():
            choose_tile(form, name, str(value))
        elif name == "to" and re.match(r"-?\d", str(value)):
            form.locator('[name="to-free"]').fill(str(value))
        elif field.evaluate("e => e.type") == "checkbox":
            field.set_checked(bool(value))
        elif field.evaluate("e => e.tagName") == "SELECT":
            field.select_option(str(value))
        else:
            field.fill(str(value))
    if "far" not in command and form.locator('[name="far"]:not([type=hidden])').count():
        form.locator('[name="far"]:not([type=hidden])').uncheck()


def act(page: Page, step: DemoStep) -> None:
    """Do an action of the shown combatant through its form; type the first dice into it."""
    for given in begin_action(page, step):
        answer(page, given)


def begin_action(page: Page, step: DemoStep) -> tuple[tuple[int, ...] | str, ...]:
    """Send the form of an action; return the answers still to be asked for."""
    lead = page.locator(f'#lead form:has([name="do"][value="{step.name}"])')
    if lead.count():  # what the turn waits for: one button for each value
        (value,) = (value for name, value in step.command.items() if name != "actor")
        settle(page, lead.locator(f'button[value="{value}"]'))
        return step.answers
    every = page.locator(".all-actions > label")
    if every.is_visible() and not page.locator("#all-actions").is_checked():
        every.click()
    button, turn = page.locator(f"#act-{step.name}"), page.locator(".tabs label[for=tab-turn]")
    leads = button.get_attribute("data-leads") is not None and turn.is_visible()
    button.click()
    form = page.locator(f"#form-{step.name}")
    form.wait_for(state="attached")
    come_to_rest(page)
    if leads and not form.is_visible():  # a phone shows on its map where that can lead
        turn.click()
    form.wait_for()
    come_to_rest(page)
    fill_form(form, step.command)
    expect(page.locator(f"#form-{step.name}[data-changed]")).to_have_count(0)  # its odds have come
    if not step.answers:
        settle(page, form.locator('.cluster button[name="dice"][value="app"]'))
        return ()
    first, *rest = step.answers
    if isinstance(first, str):  # someone is asked before any roll
        settle(page, form.get_by_role("button", name="I rolled…"))
        return step.answers
    form.locator("summary", has_text="I rolled…").click()
    type_faces(form.locator("input[data-die]"), first)
    settle(page, form.get_by_role("button", name=USE_DICE))
    return tuple(rest)


def flow(two: Two, step: DemoStep, state: State) -> None:
    """Begin the fight, go to the next turn, or end it."""
    system = find_system(state.system)
    page = two.open("" if step.name == "end_fight" else state.active, is_shown=False)
    name = "End turn" if page is two.phone else "Next turn"
    if step.name == system.actions.start:
        name = "I rolled…"
    elif step.name == "end_fight":
        name = "End fight"
    elif step.command.get("whole"):
        name = "End side's turn"
    button = page.get_by_role("button", name=name)
    if step.name == "end_fight" and not button.count():  # nobody is out: it stands in the menu
        page.locator("[popovertarget=bar-more]").click()
    if page.locator("#turn-head [data-ask]:not([data-ask=''])").count():
        button.last.click()  # asks once
    settle(page, button.last)  # the end is also on offer above the turn


def play(two: Two, step: DemoStep, fight: Encounter) -> None:
    """Do a step of the script; those who play the combatants answer."""
    state, actor, left = state_of(fight.pk), step.command.get("actor", ""), step.answers
    system = find_system(state.system)
    if actor:
        left = begin_action(two.open(actor, is_shown=actor == state.active), step)
    elif step.name in (system.actions.start, system.actions.advance, "end_fight"):
        flow(two, step, state)
    elif step.name not in system.actions.by_name:  # what the GM of any game may do has pages of its own
        play_step(fight.pk, step)
        two.newest = None
    else:
        page = two.open("", is_shown=False)
        page.locator("#gm-actions > summary").click()
        left = begin_action(page, step)
    for given in left:
        request = questions(fight.pk)[0]
        two.asked["phone" if request.who in two.own else "laptop", request.rule] += 1
        answer(two.open(request.who, is_shown=True), given)


def find_parts(own: frozenset[str], step: DemoStep, first: bool) -> set[tuple[Any, ...]]:
    """The kinds of a step's clicks: form, fields and questions, on the page that shows them.

    Args:
        first: Whether the turn waits for this action, so that buttons stand for its form.
    """
    place, given = step.command.get("actor") in own, step.answers
    form = step.name if "actor" not in step.command else "first" if first else "action"
    fields = {(form, "to" if name == "to" else type(value).__name__) for name, value in step.command.items()}
    asked = {(place, number == 0, kind_of_answer(one)) for number, one in enumerate(given)}
    return {(form, place), *fields, *asked}


def kind_of_answer(given: tuple[int, ...] | str) -> str:
    """What the form of a question has: a field for each die or each part, or a button for each choice."""
    if not isinstance(given, str):
        return "dice"
    return "points" if "=" in given else "choice"


def golden(slug: str, demo: Demo) -> Stage:
    """The same script through the engine alone."""
    stage = Stage(slug)
    for step in (*demo.setup, *demo.script):
        stage.do(step.name, dice=step.answers, **step.command)
    return stage


def check_end(fight: Encounter, demo: Demo) -> None:
    """The fight ended as it does through the engine alone."""
    state, wanted = state_of(fight.pk), golden(fight.system, demo).state
    assert {w: f.tracks for w, f in state.combatants.items()} == {
        w: f.tracks for w, f in wanted.combatants.items()
    }
    assert state.combatants == wanted.combatants
    assert (state.round, state.phase, state.ground) == (wanted.round, wanted.phase, wanted.ground)


@pytest.mark.slow
def test_two_demo_fights_are_played_to_the_end_with_typed_dice(
    live_server: LiveServer, pages: list[Page], gm: User
) -> None:
    clicked = set[tuple[Any, ...]]()
    for slug in IN_BROWSERS:
        demo, fight = find_demo(slug, 0), make_demo_fight(gm, slug)
        two = sit_down(pages, live_server.url, fight)
        if slug == IN_BROWSERS[-1]:
            for page in pages:
                page.emulate_media(reduced_motion="no-preference")  # most people allow motion
        play_new_parts(two, demo, fight, clicked)
        assert {where for where, _ in two.asked} == {"phone", "laptop"}, slug
        two.gm.goto(two.url)
        expect(two.gm.get_by_role("heading", name=f"{HEADLINES[slug]}: ")).to_be_visible()
        check_end(fight, demo)
        two.gm.goto(f"{two.url}log/?verify")
        expect(two.gm.get_by_text("Verified", exact=True)).to_be_visible()


def play_new_parts(two: Two, demo: Demo, fight: Encounter, clicked: set[tuple[Any, ...]]) -> None:
    """Play a demo, by clicks where a step has parts that were not clicked, to which they are added."""
    actions = find_system(fight.system).actions.by_name
    for step in demo.script:
        first = step.name in actions and actions[step.name].first
        if (parts := find_parts(two.own, step, first)) <= clicked:
            play_step(fight.pk, step)
            two.newest = None
        else:
            play(two, step, fight)
        clicked |= parts


# ---- Through the forms alone ----


def press(visit: Visit, button: Element, path: str = "", **typed: Any) -> None:
    """Send the form of a button on the table, or on a page below it, with what is typed into its fields."""
    page = button.page
    inside = [one for one in button.parents if one.tag == "form"]
    form = page.one("form", id=button["form"]) if button["form"] else inside[-1]
    assert "disabled" not in button.attrs, button.text
    found = visit.client.post(
        visit.here + path, {**page.fields(form), **typed, button["name"]: button["value"]}
    )
    assert found.status_code == 303, refusal(found)


def find_button(page: Markup, words: str, inside: Element | None = None) -> Element:
    """The last button with these words."""
    return [one for one in page.all("button", inside=inside) if one.text.startswith(words)][-1]


def type_into(page: Markup, form: Element, command: dict[str, Any]) -> dict[str, Any]:
    """The fields of an action's form that the command changes; the rest stays as the scene suggests."""
    typed: dict[str, Any] = {}
    for name, value in command.items():
        if name == "actor":
            continue
        field = next(one for one in page.all(inside=form, name=name) if one["type"] != "hidden")
        if name == "to" and re.match(r"-?\d", str(value)):
            typed["to-free"] = str(value)
        elif field["type"] == "checkbox":
            typed[name] = [field.attrs.get("value", "on")] if value else []
        else:
            offered = [one.attrs.get("value", one.text) for one in page.all("option", inside=field)]
            assert not offered or str(value) in offered, (name, value, offered)
            typed[name] = str(value)
    return typed if "far" in command else typed | {"far": []}


def send_form(visit: Visit, step: DemoStep, actor: str) -> tuple[tuple[int, ...] | str, ...]:
    """Send the form of an action, with the first dice; return the answers still to be asked for."""
    page = visit.page(do=step.name, combatant=actor)
    leading = [form for lead in page.all(id="lead") for form in page.all("form", inside=lead)]
    if (
        leading and page.fields(leading[0])["do"] == step.name
    ):  # what the turn waits for: a button for each value
        (value,) = (value for name, value in step.command.items() if name != "actor")
        press(visit, page.one("button", inside=leading[0], value=str(value)))
        return step.answers
    form = page.one("form", id=f"form-{step.name}")
    typed = type_into(page, form, step.command)
    if not step.answers:
        press(visit, page.one("button", inside=form, name="dice", value="app"), **typed)
        return ()
    first, *rest = step.answers
    faces = {} if isinstance(first, str) else {f"face-{n}": str(face) for n, face in enumerate(first, 1)}
    press(visit, page.all("button", inside=form, name="dice", value="table")[-1], **typed, **faces)
    return tuple(rest) if faces else step.answers


def give_answer(visit: Visit, given: tuple[int, ...] | str) -> None:
    """Answer the first open question: dice by their fields, a choice by its button."""
    page = visit.page()
    if not isinstance(given, str):
        row = page.all(class_="dice-roll", inside=page.one(id="prompt"))[0]
        fields = [one["name"] for one in page.all("input", inside=row) if "data-die" in one.attrs]
        typed = dict(zip(fields, map(str, given), strict=True))
        return press(visit, find_button(page, "Use th", inside=page.one(id="prompt")), **typed)
    form = next(one for one in page.all("form") if one["id"].startswith("question"))
    if "=" not in given:
        return press(visit, page.all("button", inside=form, name="value", value=given)[0])
    parts = {one["name"]: "0" for one in page.all("input", inside=form) if one["name"].startswith("part-")}
    divided = {f"part-{key}": points for key, points in (part.split("=") for part in given.split(","))}
    assert set(divided) <= set(parts)
    return press(visit, page.one("button", inside=form, name="value"), **parts | divided)


@dataclass
class Forms:
    """The tables of the GM and of the player whose combatants are `own`, and the answers given there."""

    gm: Visit
    player: Visit
    own: frozenset[str]
    given: set[tuple[Any, ...]] = field(default_factory=set)

    def of(self, who: str) -> Visit:
        """The table of the person who plays a combatant."""
        return self.player if who in self.own else self.gm

    def answer(self, given: tuple[int, ...] | str) -> None:
        """Answer the first open question, by its form if no such answer to its rule was given there."""
        request = questions(self.gm.pk)[0]
        kind = (request.rule, request.who in self.own, given if isinstance(given, str) else len(given))
        if kind not in self.given:
            give_answer(self.of(request.who), given)
        elif isinstance(given, str):
            answer_directly(self.gm.pk, 0, value=given, by="gm")
        else:
            answer_directly(self.gm.pk, 0, faces=given, by="gm")
        self.given.add(kind)


def send(forms: Forms, step: DemoStep, state: State) -> None:
    """Do a step of the script by the page of the person who plays its combatant."""
    system, actor, left = find_system(state.system), step.command.get("actor", ""), step.answers
    name = "Next turn" if state.active not in forms.own else "End turn"
    if actor:
        left = send_form(forms.of(actor), step, actor)
    elif step.name == system.actions.start:
        press(forms.gm, find_button(forms.gm.page(), "I rolled…"))
    elif step.name == "end_fight":
        press(forms.gm, find_button(forms.gm.page(), "End fight"))
    elif step.name == system.actions.advance:
        table = forms.of(state.active)
        if step.command.get("whole"):
            table, name = forms.gm, "End side's turn"
        press(table, find_button(table.page(combatant=state.active), name))
    elif step.name not in system.actions.by_name:  # what the GM of any game may do has pages of its own
        play_step(forms.gm.pk, step)
    else:
        left = send_form(forms.gm, step, "")
    for given in left:
        forms.answer(given)


def find_sent(own: frozenset[str], step: DemoStep) -> set[tuple[Any, ...]]:
    """What a step sends: its form, from whose page, with which fields, and each choice or number of dice."""
    place, answers = step.command.get("actor") in own, enumerate(step.answers)
    return {
        (step.name, place),
        *((step.name, name) for name in step.command),
        *((step.name, n, given if isinstance(given, str) else len(given)) for n, given in answers),
    }


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "number"), DEMOS)
def test_demo_fight_is_played_to_its_end_by_its_forms(
    gm: User, gm_client: Client, slug: str, number: int
) -> None:
    demo, fight = find_demo(slug, number), make_demo_fight(gm, slug, number)
    own = frozenset(one.id for one in present(read_state(fight)) if one.pc)
    table = Visit(gm_client, fight.pk, htmx=False)
    press(
        table,
        find_button(read(table.get("prep/", open="table")), "Save options"),
        "prep/",
        **{"option-typed_dice": "on"},
    )
    phone = Visit(come(fight, ShareLink.PLAY, "Pia", sorted(own)[0]), fight.pk, htmx=False)
    assign(fight, sorted(own), Seat.objects.get())
    sent, forms = set[tuple[Any, ...]](), Forms(table, phone, own)
    for step in demo.script:
        if (parts := find_sent(own, step)) <= sent:
            play_step(fight.pk, step)
        else:
            send(forms, step, state_of(fight.pk))
        sent |= parts
    check_end(fight, demo)
    assert "Verified" in table.get("log/", verify="").content.decode()
