"""An action that a turn waits for leads the page, big, for those who may do it; nothing else does."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.display.shapes.table_shapes import MAX_BUTTONS, LeadView, find_lead, list_values, view_lead
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.commands import Action, Field
from combat.rules.core.declaration.parts import Actions
from combat.rules.core.declaration.system import System
from tests.browser import SIZES, sign_in
from tests.combat.cast import Cast, Place, gather
from tests.combat.visit import Visit, begun, load, read, state_of
from tests.typed import sure

WAITING = [s for s in SYSTEMS if any(a.first for a in find_system(s).actions.by_name.values())]


@dataclass
class Waiting:
    """A turn that waits for something."""

    pk: int
    system: System
    who: str
    action: Action


@pytest.fixture(params=WAITING)
def waiting(request: pytest.FixtureRequest, gm: User) -> Waiting:
    """The demo fight of a game whose turns wait for something, in its first turn."""
    system = find_system(request.param)
    pk = begun(gm, system.slug).pk
    action = next(action for action in system.actions.by_name.values() if action.first)
    return Waiting(pk, system, state_of(pk).active, action)


@pytest.fixture
def cast(waiting: Waiting) -> Cast:
    """The player has the combatant whose turn it is, the other player someone else."""
    others = (who for who, one in state_of(waiting.pk).combatants.items() if one.pc and who != waiting.who)
    return gather(load(waiting.pk), waiting.who, next(others))


def test_what_the_turn_waits_for_is_the_first_thing_of_it(cast: Cast, waiting: Waiting) -> None:
    """For those who may do it; for everybody else nothing leads."""
    for role in ("gm", "co_gm", "player"):
        page = Place(cast[role], waiting.pk).page()
        bands = page.all("p", class_="your-turn")
        body = [e for e in page.elements if e.is_in(page.one("div", class_="turn-body"))]
        shown = [e for e in body if "part" not in e["class"].split()]  # which frames the visible part
        inside = [e for e in shown if e not in bands and not any(e.is_in(band) for band in bands)]
        assert inside[0]["id"] == "lead", role
        assert waiting.action.label in page.one(id="lead").text
        assert not page.all(id=f"act-{waiting.action.name}"), "it stands there one time"
        keys = [one for one in page.elements if "a" in (one["data-key"], one["data-focus-key"])]
        assert [element.is_in(page.one(id="lead")) for element in keys] == [True]
    for role in ("other", "watcher"):
        assert not Place(cast[role], waiting.pk).page().all(id="lead"), role


@pytest.mark.slow
def test_leading_action_is_in_branches_too_with_one_form(cast: Cast, waiting: Waiting) -> None:
    table, query = f"/encounters/{waiting.pk}/", {"combatant": waiting.who, "do": waiting.action.name}
    for client in (cast.gm, cast.player):
        client.post(f"{table}whatif/", {"do": "begin", "step": "now"})
        branch = f"{table}whatif/1/"
        for here in (table, branch):
            page = read(client.get(here, query))
            assert page.one("form", id=f"form-{waiting.action.name}").is_in(page.one(id="lead"))
            ids = [element["id"] for element in page.elements if element["id"]]
            assert len(ids) == len(set(ids))
        page = read(client.get(branch))
        lead = page.one(id="lead")
        assert waiting.action.label in lead.text
        pressed, form = page.all("button", inside=lead)[-1], page.fields(page.one("form", inside=lead))
        answer = client.post(branch, {**form, pressed["name"]: pressed["value"]})
        assert (answer.status_code, bool(read(client.get(branch)).all(id="lead"))) == (303, False)


@pytest.mark.parametrize("htmx", [True, False])
def test_one_press_does_the_leading_action_and_the_page_goes_on(
    cast: Cast, waiting: Waiting, htmx: bool
) -> None:
    player = Place(cast.player, waiting.pk, htmx=htmx)
    page = player.page()
    form = next(form for form in page.all("form", inside=page.one(id="lead")))
    pressed = page.all("button", inside=form)[-1]
    posted = {**page.fields(form), pressed["name"]: pressed["value"]}
    kept = {name: value for name, value in posted.items() if name not in ("csrfmiddlewaretoken", "version")}
    player.do(kept.pop("do"), **kept)
    page = player.page()
    assert not page.all(id="lead")
    assert not page.all("p", class_="latest"), "the page shows what was chosen"
    assert waiting.action.label not in page.one("div", class_="turn-body").text, "it is done with"
    assert [element for element in page.elements if "a" in (element["data-key"], element["data-focus-key"])]


@pytest.mark.slow
def test_no_action_leads_in_questions_or_games_without_waiting(
    gm: User, gm_client: Client, waiting: Waiting
) -> None:
    others = [slug for slug in SYSTEMS if slug not in WAITING]
    for slug in others:
        pk = begun(gm, slug).pk
        assert not read(gm_client.get(f"/encounters/{pk}/")).all(id="lead")
    submit(waiting.pk, Submission("next_turn"))
    submit(waiting.pk, Submission("end_fight"))
    assert not Visit(gm_client, waiting.pk).page().all(id="lead")


def test_a_few_values_are_buttons_and_many_are_a_form() -> None:
    assert list_values(Field("n", "N", "number", low=0, high=3)) == tuple((n, n) for n in "0123")
    assert list_values(Field("n", "N", "number", low=0, high=MAX_BUTTONS)) == ()
    options = (Choice("a", "Fight"), Choice("b", "Flee"), Choice("c", "Fly", refused="no wings"))
    assert list_values(Field("how", "How", "choice", options)) == (("a", "Fight"), ("b", "Flee"))
    assert list_values(Field("why", "Why", "text")) == ()


def test_an_action_without_a_field_leads_as_a_link(waiting: Waiting) -> None:
    state = state_of(waiting.pk)
    bare = msgspec.structs.replace(waiting.action, find_fields=lambda state, actor: ())
    system = msgspec.structs.replace(waiting.system, actions=Actions(by_name={bare.name: bare}))
    assert find_lead(system, state, state[waiting.who]) == bare
    assert view_lead(bare, state, state[waiting.who]) == LeadView(bare.name, bare.label, bare.rule)


def test_leading_action_is_big_and_in_sight_at_once(
    live_server: LiveServer, page: Browser, transactional_db: None, cast: Cast, waiting: Waiting
) -> None:
    sign_in(page.context, live_server, cast.player)
    for size in SIZES.values():
        page.set_viewport_size(size)
        page.goto(f"{live_server.url}/encounters/{waiting.pk}/")
        buttons = page.locator("#lead button, #lead > a")
        expect(buttons.first).to_be_visible()
        for button in buttons.all():
            expect(button).to_be_in_viewport()
            box = sure(button.bounding_box())
            assert min(box["height"], box["width"]) >= 56
    page.keyboard.press("a")
    expect(page.locator("#lead [data-key=a]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#lead")).to_have_count(0)
    expect(page.locator("#turn .action-list").first).to_be_visible()
