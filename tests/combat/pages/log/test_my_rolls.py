"""A player's own last rolls: what they were for, how the dice fell, and the same again where that can be."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from combat.audience.viewer import Viewer
from combat.models import Encounter, ShareLink
from combat.pages.log import my_rolls
from combat.play.writing.encounter_service import Submission, redo, submit, undo
from combat.play.writing.verification import read_step
from combat.rules import find_system
from combat.rules.core.state.state import is_acting
from combat.sharing.links import open_combatants
from combat.sharing.viewer_context import ViewerContext
from tests.browser import find_barriers, find_overflow, sign_in, skip_hints
from tests.combat.cast import Cast, come
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, begun, load, play, read, state_of

pytestmark = pytest.mark.usefixtures("fives")
PHONE: ViewportSize = {"width": 390, "height": 844}
MINE = "log/?who=mine&show=rolls"
SHOT = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}


def shoot(pk: int) -> None:
    """Zara shoots at the pirate; each die shows a five."""
    assert not submit(pk, Submission("attack", SHOT)).waiting


def go_round(pk: int) -> None:
    """Let everyone have a turn, until it is Zara's again."""
    submit(pk, Submission("next_turn"))
    while not is_acting(state_of(pk), ZARA):
        submit(pk, Submission("next_turn"))


def read_rolls(cast: Cast, role: str, pk: int) -> str:
    found = read(cast[role].get(f"/encounters/{pk}/{MINE}")).all("section", class_="my-rolls")
    return found[0].text if found else ""


def find_again(cast: Cast, pk: int) -> list[str]:
    page = read(cast.player.get(f"/encounters/{pk}/{MINE}"))
    return [a["href"] for a in page.all("a") if a.text.startswith("Again")]


def test_a_player_reads_their_own_rolls_and_what_dice_come_to(cast: Cast, started: Encounter) -> None:
    """Two fives are 10, where 2d10 come to 11; initiative is another handful."""
    shoot(started.pk)
    go_round(started.pk)
    shoot(started.pk)
    text = read_rolls(cast, "player", started.pk)
    assert "Zara attacks Pirate" in text
    assert "−1 a roll: 10 on average with 2d10, 11 expected (2)" in text
    assert "Marcus" not in text
    assert "Zara" not in read_rolls(cast, "other", started.pk)
    for role in ("gm", "co_gm", "watcher"):
        assert not read_rolls(cast, role, started.pk), role


def test_again_opens_the_form_with_the_chance_of_now(cast: Cast, started: Encounter) -> None:
    shoot(started.pk)
    here = f"/encounters/{started.pk}/"
    assert not find_again(cast, started.pk), "the action of this turn is spent"
    go_round(started.pk)
    links = find_again(cast, started.pk)
    assert links == [f"{here}?combatant={ZARA}&do=attack&target={PIRATE}&weapon={PISTOL}"]
    form = read(cast.player.get(links[0])).one("form", id="form-attack")
    assert "%" in form.text
    submit(started.pk, Submission("next_turn"))
    assert not find_again(cast, started.pk), "it is not their turn"


def test_an_undone_roll_is_none_of_them(cast: Cast, started: Encounter) -> None:
    shoot(started.pk)
    undo(started.pk)
    assert "attacks" not in read_rolls(cast, "player", started.pk)
    redo(started.pk)
    assert "attacks" in read_rolls(cast, "player", started.pk)


def test_secret_steps_change_no_byte_of_them(cast: Cast, started: Encounter) -> None:
    """Two worlds: in one of them the GM rolled in secret, and someone came whom nobody sees."""
    shoot(started.pk)
    before = read_rolls(cast, "player", started.pk)
    for name, fields in (
        ("gm_roll", {"term": "2d10", "secret": True}),
        ("join", {"block": "street_thug", "hidden": True}),
    ):
        submit(started.pk, Submission(name, fields))
    assert read_rolls(cast, "player", started.pk) == before


@pytest.mark.parametrize("slug", ["cosmos", "cepheus"])
def test_my_rolls_are_one_tap_from_the_dice_on_a_phone(
    live_server: LiveServer, page: Page, gm: User, new_context: CreateContextCallback, slug: str
) -> None:
    """Roll dice, then My rolls."""
    fight = begun(gm, slug)
    who = open_combatants(fight)[0].id
    seated = new_context()
    sign_in(seated, live_server, come(fight, ShareLink.PLAY, "Pia", who))
    skip_hints(seated)
    phone = seated.new_page()
    phone.set_viewport_size(PHONE)
    play(fight.pk, find_system(slug).demo.make_first().script[1:5])
    phone.goto(f"{live_server.url}/encounters/{fight.pk}/")
    phone.locator("#dice > summary").click()
    phone.locator("#dice").get_by_role("link", name="My rolls").click()
    expect(phone.locator(".my-rolls")).to_be_visible()
    assert find_barriers(phone, ".my-rolls") == []
    assert find_overflow(phone) == []


def look_as(pk: int, *seats: str, role: str = "seat") -> ViewerContext:
    return ViewerContext(load(pk), Viewer(role, frozenset(seats)), None)


def test_again_is_offered_only_where_the_same_can_be_done_now(started: Encounter) -> None:
    pk = started.pk
    shoot(pk)
    go_round(pk)
    step = read_step(load(pk).log.filter(name="attack").get())

    def find(context: ViewerContext, name: str = "attack", **fields: str) -> str:
        command = {key: value for key, value in {**step.command, **fields}.items() if value}
        return my_rolls._find_again(context, replace(step, name=name, command=command))

    zara, own = look_as(pk, ZARA), f"/encounters/{pk}/?combatant={ZARA}&do=attack"
    assert find(zara) == f"{own}&target={PIRATE}&weapon={PISTOL}"
    assert find(zara, weapon="") == f"{own}&target={PIRATE}"
    assert find(zara, target="") == f"{own}&weapon={PISTOL}"
    assert find(zara, target="f99") == find(zara, weapon="f1-99") == find(zara, target=PISTOL) == ""
    assert find(zara, "cake") == find(zara, "adjust") == find(zara, actor=MARCUS) == ""
    assert find(look_as(pk, MARCUS)) == find(look_as(pk, "f99"), actor="f99") == ""
    assert find(look_as(pk, ZARA, MARCUS), actor=MARCUS, weapon="") == "", "it is not his turn"
    submit(pk, Submission("pause", {}))
    assert find(look_as(pk, ZARA)) == ""
    submit(pk, Submission("resume", {}))
    assert find(look_as(pk, ZARA))
    assert submit(pk, Submission("attack", SHOT, typed=True)).waiting
    assert find(look_as(pk, ZARA)) == "", "dice are out"


def test_the_newest_rolls_are_shown_to_those_who_play(
    started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        shoot(started.pk)
        go_round(started.pk)
    whole = my_rolls.view_my_rolls(look_as(started.pk, ZARA))
    assert whole
    assert len(whole.rolls) > 3
    for most in (1, 2, 3):
        monkeypatch.setattr(my_rolls, "MOST", most)
        shown = my_rolls.view_my_rolls(look_as(started.pk, ZARA))
        assert shown
        assert [one.rolled for one in shown.rolls] == [one.rolled for one in whole.rolls[:most]]
    for context in (look_as(started.pk), look_as(started.pk, ZARA, role="spectator")):
        assert my_rolls.view_my_rolls(context) is None
