"""A word to the GM or to one player: in the log of those alone, and in no export of others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from combat.audience.rights import find_viewer, grant_of
from combat.audience.viewer import Viewer
from combat.display.shapes.table_shapes import WordsView
from combat.models import Encounter, Seat, ShareLink
from combat.pages.table.rows import view_known
from combat.pages.table.words_view import view_words
from combat.play.writing.encounter_service import Submission, read_history, redo, submit, undo
from combat.play.writing.verification import read_step
from combat.rules import find_system
from combat.rules.core.engine.document import replay
from combat.sharing.links import assign, make_link
from combat.sharing.viewer_context import ViewerContext
from tests.browser import find_barriers, find_overflow, sign_in, skip_hints
from tests.combat.audience.test_unseen_pages import ALL, find_differences, read_all
from tests.combat.cast import Cast, come, seat_named
from tests.combat.pages.programs.asking import make_program
from tests.combat.together import at_once
from tests.combat.visit import MARCUS, PIRATE, PISTOL, ZARA, begun, load, refusal, state_of, stored

TRAP = "Door 3 is trapped"
PHONE: ViewportSize = {"width": 390, "height": 844}


def say(to: str, text: str = TRAP, who: str = ZARA) -> dict[str, str]:
    return {"do": "send_word", "combatant": who, "to": to, "text": text}


def readers(cast: Cast, pk: int, text: str = TRAP) -> set[str]:
    """Who reads these words at the table, in the log or in an export."""
    found = set()
    for role in ("gm", "co_gm", "player", "other", "watcher"):
        pages = [
            cast[role].get(f"/encounters/{pk}/{page}").content.decode() for page in ("", "log/", "export/")
        ]
        if any(text in page for page in pages):
            found.add(role)
    return found


@pytest.mark.parametrize(
    ("to", "who"),
    [
        ("gm", {"gm", "co_gm", "player"}),
        (MARCUS, {"gm", "co_gm", "player", "other"}),
        ("side", {"gm", "co_gm", "player", "other"}),
        ("all", {"gm", "co_gm", "player", "other", "watcher"}),
    ],
)
def test_words_are_read_by_those_whom_they_are_for(
    cast: Cast, started: Encounter, to: str, who: set[str]
) -> None:
    """Whose turn it is does not matter, and it takes nothing."""
    budget = state_of(started.pk)[MARCUS].budget
    assert cast.player.post(f"/encounters/{started.pk}/", say(to)).status_code == 303
    assert readers(cast, started.pk) == who
    assert cast.other.post(f"/encounters/{started.pk}/", say(to, "Understood", MARCUS)).status_code in (
        303,
        422,
    )
    assert state_of(started.pk)[MARCUS].budget == budget
    submit(started.pk, Submission("end_fight"))
    assert replay(read_history(load(started.pk)), find_system).ok


def test_the_gm_answers_one_player(cast: Cast, started: Encounter) -> None:
    cast.player.post(f"/encounters/{started.pk}/", say("gm"))
    assert "only to you" in cast.gm.get(f"/encounters/{started.pk}/").content.decode()
    assert cast.gm.post(f"/encounters/{started.pk}/", say(ZARA, "He does", "")).status_code == 303
    assert readers(cast, started.pk, "He does") == {"gm", "co_gm", "player"}
    assert "only to you" in cast.player.get(f"/encounters/{started.pk}/").content.decode()
    assert "only to you" not in cast.gm.get(f"/encounters/{started.pk}/").content.decode(), "it is answered"


def test_nobody_writes_for_another_or_to_nobody(cast: Cast, started: Encounter) -> None:
    here, before = f"/encounters/{started.pk}/", stored(started.pk)
    for role, status in (("watcher", 403), ("revoked", 410), ("stranger", 404)):
        assert cast[role].post(here, say("gm")).status_code == status, role
        assert 'value="send_word"' not in cast[role].get(here).content.decode()
    assert refusal(cast.player.post(here, say("gm", who=MARCUS))) == "You don't control that combatant."
    for wrong in (say(PIRATE), say("f99"), say(""), say("gm", " "), say("gm", "x" * 301)):
        assert cast.player.post(here, wrong).status_code == 422, wrong
    assert cast.gm.post(here, say(PIRATE, who="")).status_code == 422
    assert cast.player.post(here, {"do": "gm_word", "target": MARCUS, "text": TRAP}).status_code == 403
    assert stored(started.pk) == before


@pytest.mark.slow
def test_no_byte_of_others_differs_after_a_word_to_the_gm(cast: Cast, started: Encounter) -> None:
    """The player has written already: their own pages may differ, nobody else's."""
    _, token = make_link(started, ShareLink.WATCH, "overlay")
    others = {role: pages for role, pages in ALL.items() if role != "player"}
    before = read_all(cast, started.pk, token, others)
    assert cast.player.post(f"/encounters/{started.pk}/", say("gm")).status_code == 303
    assert TRAP in cast.player.get(f"/encounters/{started.pk}/").content.decode()
    assert not find_differences(before, read_all(cast, started.pk, token, others))
    undo(started.pk)
    assert not readers(cast, started.pk) - {"gm", "co_gm", "player"}
    redo(started.pk)
    assert not find_differences(before, read_all(cast, started.pk, token, others))


@pytest.mark.slow
def test_word_between_two_changes_no_byte_for_a_third_player(cast: Cast, started: Encounter) -> None:
    """Two worlds: in one of them Pia wrote to Otto. Tess, with a seat, and Wim, who watches, see the same."""
    submit(started.pk, Submission("join", {"block": "soldier", "name": "Tess's", "side": "allies"}))
    third = next(one.id for one in state_of(started.pk).combatants.values() if one.name == "Tess's")
    tess = come(started, ShareLink.PLAY, "Tess")
    assign(started, [third], seat_named("Tess"))
    table = replace(cast, revoked=tess)
    _, token = make_link(started, ShareLink.WATCH, "overlay")
    others = {"revoked": ALL["player"], "watcher": ALL["watcher"]}
    before = read_all(table, started.pk, token, others)
    assert cast.player.post(f"/encounters/{started.pk}/", say(MARCUS)).status_code == 303
    assert readers(cast, started.pk) == {"gm", "co_gm", "player", "other"}
    assert not find_differences(before, read_all(table, started.pk, token, others))
    undo(started.pk)
    assert not find_differences(before, read_all(table, started.pk, token, others))


def test_two_words_at_once_are_both_said(transactional_db: None, gm: User) -> None:
    fight = begun(gm)
    pia, otto = come(fight, ShareLink.PLAY, "Pia", ZARA), come(fight, ShareLink.PLAY, "Otto", MARCUS)
    here = f"/encounters/{fight.pk}/"
    posts = [(pia, say("gm", "The first word")), (otto, say("all", "The second word", MARCUS))]
    statuses = at_once(*[lambda who=who, word=word: who.post(here, word).status_code for who, word in posts])
    assert statuses == [303, 303]
    steps = [read_step(row) for row in load(fight.pk).log.filter(name="send_word")]
    assert sorted(str(step.command["text"]) for step in steps) == ["The first word", "The second word"]
    submit(fight.pk, Submission("end_fight"))
    assert replay(read_history(load(fight.pk)), find_system).ok


def test_a_program_says_a_word_for_its_player_alone(cast: Cast, started: Encounter) -> None:
    bot = make_program(started, seat_named("Pia"))
    bot.act("send_word", ZARA, to=MARCUS, text=TRAP)
    assert readers(cast, started.pk) == {"gm", "co_gm", "player", "other"}
    assert bot.act("send_word", MARCUS, 422, to="gm", text=TRAP)["code"]
    assert bot.act("send_word", ZARA, 422, to="gm", text="")["problem"]
    make_program(started).act("gm_word", target=MARCUS, text="Let them")
    assert readers(cast, started.pk, "Let them") == {"gm", "co_gm", "other"}


def test_words_get_between_no_answers_of_an_open_action(cast: Cast, started: Encounter) -> None:
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    assert submit(started.pk, Submission("attack", attack, typed=True)).waiting
    assert cast.other.post(f"/encounters/{started.pk}/", say("gm", who=MARCUS)).status_code == 303
    assert load(started.pk).open_command


@pytest.mark.parametrize("slug", ["cosmos", "cepheus"])
def test_a_word_is_four_taps_on_a_phone(
    live_server: LiveServer, visitor: Page, gm: User, new_context: CreateContextCallback, slug: str
) -> None:
    """A word to someone, whom, the words, Say; the GM has the slip, and answers in three."""
    fight = begun(gm, slug)
    who = next(one.id for one in state_of(fight.pk).combatants.values() if one.pc)
    seated = new_context()
    sign_in(seated, live_server, come(fight, ShareLink.PLAY, "Pia", who))
    skip_hints(seated)
    phone = seated.new_page()
    phone.set_viewport_size(PHONE)
    phone.goto(f"{live_server.url}/encounters/{fight.pk}/")
    phone.locator(".word > summary").click()
    phone.locator(".word label", has_text="GM").click()
    phone.locator(".word textarea").fill(TRAP)
    assert find_barriers(phone, "#words") == []
    assert find_overflow(phone) == []
    phone.locator(".word button", has_text="Say").click()
    expect(phone.locator("#log-lines")).to_contain_text(TRAP)
    skip_hints(visitor.context)
    visitor.set_viewport_size(PHONE)
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/")
    expect(visitor.locator(".slip")).to_contain_text(TRAP)
    visitor.locator(".word > summary").click()
    visitor.locator(".word textarea").fill("He does")
    visitor.locator(".word button", has_text="Say").click()
    expect(visitor.locator(".word textarea"), "the form is a fresh one").to_have_value("")
    phone.reload()
    expect(phone.locator(".slip")).to_contain_text("He does")


# ---------------------------------------------------------------- whom one writes to, and what one got


def look_as(pk: int, name: str) -> ViewerContext:
    """The table as it is for a seat, or for the GM without one."""
    seat = Seat.objects.filter(name=name).first()
    viewer = find_viewer(load(pk), grant_of(load(pk), seat)) if seat else Viewer("gm")
    return ViewerContext(load(pk), viewer, seat)


def find_view(context: ViewerContext) -> WordsView | None:
    return view_words(context, context.encounter.log.order_by("-number"), view_known(context))


def slips(pk: int) -> list[tuple[str, str, str] | None]:
    """What the GM and both players got last: who wrote it, the words, and where an answer goes."""
    views = [find_view(look_as(pk, name)) for name in ("GM", "Pia", "Otto")]
    found = [view.slip if view else None for view in views]
    return [(one.name, one.words, one.to) if one else None for one in found]


def test_whom_each_can_write_to(cast: Cast, started: Encounter) -> None:
    def hearers(context: ViewerContext) -> tuple[list[str], list[str]] | None:
        view = find_view(context)
        return ([one.to for one in view.hearers], [who for who, _ in view.writers]) if view else None

    pk, table = started.pk, ["all", "side", "gm"]
    assert hearers(look_as(pk, "GM")) == ([ZARA, MARCUS], [])
    assert hearers(look_as(pk, "Pia")) == ([*table, MARCUS], [ZARA])
    assert hearers(look_as(pk, "Otto")) == ([*table, ZARA], [MARCUS])
    watcher = ViewerContext(load(pk), Viewer("spectator", frozenset({ZARA})), None)
    assert hearers(watcher) is None
    for name in ("GM", "Pia"):
        assert hearers(replace(look_as(pk, name), decoded=state_of(pk))) is None
    Seat.objects.filter(name="Otto").update(combatants=[])
    Seat.objects.filter(name="Pia").update(combatants=[ZARA, MARCUS])
    assert hearers(look_as(pk, "Otto")) is None
    assert hearers(look_as(pk, "Pia")) == (table, [ZARA, MARCUS])


def test_the_newest_word_lies_there_until_it_is_answered(cast: Cast, started: Encounter) -> None:
    """Of each word: who got it for themselves. What is for a side or for all is in the log alone."""
    pk = started.pk
    from_gm, mark = ("The GM", "Yes", "gm"), []
    assert slips(pk) == [None, None, None]
    for client, fields, found in (
        (cast.player, say("gm"), [("Zara", TRAP, ZARA), None, None]),
        (cast.player, say("all", "Hello"), [("Zara", TRAP, ZARA), None, None]),
        (cast.gm, say(MARCUS, "Yes", ""), [None, None, from_gm]),
        (cast.player, say(MARCUS, "Wait"), [None, None, ("Zara", "Wait", ZARA)]),
        (cast.gm, say(ZARA, "Yes", ""), [None, from_gm, ("Zara", "Wait", ZARA)]),
        (cast.other, say("side", "Now", MARCUS), [None, from_gm, None]),
        (cast.other, say(ZARA, "Go", MARCUS), [None, ("Marcus", "Go", MARCUS), None]),
        (cast.other, say("gm", "Done", MARCUS), [("Marcus", "Done", MARCUS), ("Marcus", "Go", MARCUS), None]),
    ):
        assert client.post(f"/encounters/{pk}/", fields).status_code == 303
        assert slips(pk) == found, fields
        view = find_view(look_as(pk, "GM"))
        mark.append(view.mark if view else "")
    assert len({*mark}) == 4, "a word to the GM or of them makes the form a fresh one"
    undo(pk)
    assert slips(pk) == [None, ("Marcus", "Go", MARCUS), None]
