"""What happened to a player's own while they did not look: never more than their log says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from combat.audience.rights import find_viewer, grant_of
from combat.display.shapes.table_shapes import Missed
from combat.models import Encounter, Seat, ShareLink, StoredStep
from combat.pages.table import missed_view
from combat.pages.table.missed_view import Looks
from combat.pages.table.rows import view_known
from combat.play.writing.encounter_service import Submission, redo, submit, undo
from combat.rules import SYSTEMS, find_system
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND
from combat.sharing.links import open_combatants
from combat.sharing.viewer_context import ViewerContext
from tests.browser import find_barriers, find_overflow, sign_in, skip_hints
from tests.combat.cast import Cast, come
from tests.combat.markup import Element
from tests.combat.visit import MARCUS, PIRATE, ZARA, begun, load, play, read, state_of

PHONE: ViewportSize = {"width": 390, "height": 844}
NEVER = "pk.1.1.0"  # a browser that looked away before the fight began


@pytest.fixture(autouse=True)
def soon_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missed_view, "AWAY", 45_000)


def age(pk: int, minutes: int) -> None:
    """Let the steps of just now have happened so many minutes ago, to people who had their seats then."""
    now = timezone.now()
    Seat.objects.filter(encounter=pk).update(created=now - timedelta(hours=1))
    recent = StoredStep.objects.filter(encounter=pk, created__gt=now - timedelta(minutes=1))
    recent.update(created=now - timedelta(minutes=minutes))


def hurt(pk: int, who: str, points: int) -> None:
    submit(pk, Submission("adjust", {"target": who, "track": "hp", "by": -points}))


def find_card(client: Client, pk: int) -> Element | None:
    cards = read(client.get(f"/encounters/{pk}/")).all("details", class_="missed")
    assert len(cards) < 2
    return cards[0] if cards else None


def look_and_sleep(cast: Cast, pk: int) -> None:
    """Let everyone look, and nobody for the next ten minutes."""
    age(pk, 10)
    for client in (cast.player, cast.other):
        assert find_card(client, pk) is None


def test_a_player_who_was_away_reads_what_happened_to_their_own(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    look_and_sleep(cast, pk)
    hurt(pk, ZARA, 5)
    submit(pk, Submission("give_condition", {"target": ZARA, "kind": "prone"}))
    hurt(pk, PIRATE, 3)
    age(pk, 6)
    card = find_card(cast.player, pk)
    assert card is not None
    assert "open" in card.attrs
    assert "−5 HP" in card.text
    assert "prone" in card.text.casefold()
    assert "4 min" in card.text
    assert "Pirate" not in card.text
    assert find_card(cast.other, pk) is None, "nothing happened to Marcus"
    for role in ("gm", "watcher"):
        assert find_card(cast[role], pk) is None, role
    assert cast.player.post(f"/encounters/{pk}/", {"do": "looked"}).status_code == 303
    folded = find_card(cast.player, pk)
    assert folded is not None
    assert "open" not in folded.attrs
    assert "Got it" not in folded.text
    submit(pk, Submission("next_turn"))
    while state_of(pk).active != ZARA:
        submit(pk, Submission("next_turn"))
    assert find_card(cast.player, pk) is None, "their own turn has begun"


def test_a_page_that_is_awake_has_no_card(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    look_and_sleep(cast, pk)
    hurt(pk, ZARA, 5)
    assert find_card(cast.player, pk) is None
    age(pk, 6)
    hurt(pk, ZARA, 2)
    assert find_card(cast.player, pk) is None, "they saw the first one as it came"


def test_what_is_not_read_yet_grows_and_what_is_undone_goes(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    look_and_sleep(cast, pk)
    hurt(pk, ZARA, 5)
    age(pk, 6)
    first = find_card(cast.player, pk)
    assert first is not None
    assert "−5 HP" in first.text
    hurt(pk, ZARA, 4)
    second = find_card(cast.player, pk)
    assert second is not None
    assert "−9 HP" in second.text
    undo(pk)
    undo(pk)
    assert find_card(cast.player, pk) is None
    redo(pk)
    again = find_card(cast.player, pk)
    assert again is not None
    assert "−5 HP" in again.text


def test_what_someone_does_counts_as_having_read(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    look_and_sleep(cast, pk)
    hurt(pk, ZARA, 5)
    age(pk, 6)
    word = {"do": "send_word", "combatant": ZARA, "to": "gm", "text": "Wait"}
    assert cast.player.post(f"/encounters/{pk}/", word).status_code == 303
    unread = find_card(cast.player, pk)
    assert unread is not None
    assert "open" in unread.attrs, "the page had not shown it yet"
    assert cast.player.post(f"/encounters/{pk}/", word).status_code == 303
    card = find_card(cast.player, pk)
    assert card is not None
    assert "open" not in card.attrs


def test_nobody_else_says_that_they_have_read(cast: Cast, started: Encounter) -> None:
    here = f"/encounters/{started.pk}/"
    assert cast.watcher.post(here, {"do": "looked"}).status_code == 403
    assert cast.stranger.post(here, {"do": "looked"}).status_code == 404
    assert cast.gm.post(here, {"do": "looked"}).status_code == 303
    for wrong in ("", "x", "1.2", f"{started.pk}.-1.9.a", "9.1.1.0"):
        cast.player.cookies["looked"] = wrong
        assert find_card(cast.player, started.pk) is None, wrong


def test_secret_steps_change_no_byte_of_the_card(cast: Cast, started: Encounter) -> None:
    """Two worlds: in one of them the GM rolled, noted and hid things meanwhile."""
    pk = started.pk
    look_and_sleep(cast, pk)
    before = cast.player.cookies["looked"].value
    hurt(pk, ZARA, 5)
    age(pk, 6)
    plain = find_card(cast.player, pk)
    cast.player.cookies["looked"] = before
    for name, fields in (
        ("gm_roll", {"term": "2d10", "secret": True}),
        ("note", {"text": "Zara is marked.", "secret": True}),
        ("join", {"block": "street_thug", "hidden": True}),
    ):
        submit(pk, Submission(name, fields))
    age(pk, 3)
    assert plain is not None
    secret = find_card(cast.player, pk)
    assert secret is not None
    assert secret.text == plain.text


def test_an_attacker_out_of_sight_is_not_named(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    submit(pk, Submission("next_turn"))
    while state_of(pk).active != PIRATE:
        submit(pk, Submission("next_turn"))
    submit(pk, Submission("hide", {"target": PIRATE, "hidden": True}))
    look_and_sleep(cast, pk)
    weapon = next(one.id for one in state_of(pk)[PIRATE].items if one.loaded)
    submit(pk, Submission("draw", {"actor": PIRATE, "item": weapon}))
    submit(pk, Submission("attack", {"actor": PIRATE, "target": ZARA, "weapon": weapon}))
    hurt(pk, ZARA, 5)
    age(pk, 6)
    card = find_card(cast.player, pk)
    assert card is not None
    assert "Pirate" not in card.text


def find_health(pk: int, who: str) -> float:
    """The health of a hero, from 0 to 1."""
    state = state_of(pk)
    return find_system(state.system).find_health(state, state[who]).share


@pytest.mark.slow
@pytest.mark.parametrize("slug", SYSTEMS)
def test_the_card_says_nothing_that_the_log_does_not_say(gm: User, slug: str) -> None:
    fight = begun(gm, slug)
    heroes = [one.id for one in open_combatants(fight)]
    players = [come(fight, ShareLink.PLAY, f"Pia {who}", who) for who in heroes[:2]]
    told = harmed = 0
    script = find_system(slug).demo.make_first().script[1:]
    for begin in range(0, len(script), 4):
        before = [find_health(fight.pk, who) for who in heroes]
        play(fight.pk, script[begin : begin + 4])
        harmed += state_of(fight.pk).phase == "fight" and before != [
            find_health(fight.pk, who) for who in heroes
        ]
        age(fight.pk, 5)
        for player in players:
            player.cookies["looked"] = NEVER.replace("pk", str(fight.pk))
            page = read(player.get(f"/encounters/{fight.pk}/"))
            log = read(player.get(f"/encounters/{fight.pk}/log/")).one(id="main").text
            for line in page.all("p", class_="missed-line"):
                words = line.text.partition(": ")[2] if page.all("b", inside=line) else line.text
                assert words in log, (slug, words)
                told += 1
    assert bool(told) >= bool(harmed)


@pytest.mark.parametrize("slug", ["cosmos", "cepheus"])
def test_a_phone_that_slept_shows_it_first_and_one_tap_folds_it(
    live_server: LiveServer, page: Page, gm: User, new_context: CreateContextCallback, slug: str
) -> None:
    fight = begun(gm, slug)
    who = next(one.id for one in state_of(fight.pk).combatants.values() if one.pc)
    track = find_system(slug).characters.tracks[0].key
    seated = new_context()
    sign_in(seated, live_server, come(fight, ShareLink.PLAY, "Pia", who))
    skip_hints(seated)
    phone = seated.new_page()
    phone.set_viewport_size(PHONE)
    age(fight.pk, 10)
    phone.goto(f"{live_server.url}/encounters/{fight.pk}/")
    expect(phone.locator(".missed")).to_have_count(0)
    phone.goto("about:blank")
    submit(fight.pk, Submission("adjust", {"target": who, "track": track, "by": -3}))
    age(fight.pk, 6)
    phone.goto(f"{live_server.url}/encounters/{fight.pk}/")
    card = phone.locator(".missed[open]")
    expect(card).to_contain_text("−3")
    expect(card).to_be_in_viewport(ratio=1)
    assert find_barriers(phone, "#turn-call") == []
    assert find_overflow(phone) == []
    card.get_by_role("button", name="Got it").click()
    expect(phone.locator(".missed:not([open])")).to_contain_text("−3")
    phone.reload()
    expect(phone.locator(".missed:not([open])")).to_contain_text("−3")


@pytest.mark.parametrize(
    ("kept", "looks"),
    [
        ("8.1.2.3", (1, 2, 3)),
        ("8.1.x.-3", (1, 0, 0)),
        ("7.1.2.3", ()),  # of another encounter
        ("8.1.2", ()),
        ("8.1.2.3.4", ()),
        ("8", ()),
        ("", ()),
    ],
)
def test_browser_looks_back_only_at_what_it_kept_of_this_fight(kept: str, looks: tuple[int, ...]) -> None:
    request = RequestFactory(headers={"cookie": f"{missed_view.COOKIE}={kept}"}).get("/encounters/8/")
    assert missed_view.read_looks(request, 8) == missed_view.Looks(*looks)


# ---------------------------------------------------------------- by the clock, step by step


def harm(who: str, points: int = 5, *, track: str = "hp", word: str = "") -> e.TrackChanged:
    return e.TrackChanged(who, track, 50, 50 - points, word=word)


Happened = tuple[int, tuple[e.Event, ...]]  # when, in seconds, and what


def look_at(
    fight: Encounter, monkeypatch: pytest.MonkeyPatch, steps: list[Happened], looks: Looks, now: float
) -> tuple[Missed | None, Looks]:
    """What Zara's player missed of steps, the newest first; all times in seconds."""
    made = [missed_view._Step(1000 * at, PIRATE, tuple(map(e.Fact, events))) for at, events in steps]
    monkeypatch.setattr(missed_view, "_find_steps", lambda context, rows: iter(made))
    seat = Seat.objects.get(name="Pia")
    context = ViewerContext(load(fight.pk), find_viewer(fight, grant_of(fight, seat)), seat)
    known = Looks(*(1000 * at for at in looks))
    card, then = missed_view.look(context, (), view_known(context), known, datetime.fromtimestamp(now, UTC))
    return card, Looks(*(at // 1000 for at in then))


BEGUN, OTHERS = e.TurnStarted(ZARA, {}), e.TurnStarted(MARCUS, {})


@pytest.mark.parametrize(
    ("steps", "looks", "now", "then", "is_read"),
    [
        ([(100, (harm(ZARA),))], Looks(), 900, Looks(100), None),
        ([(100, (harm(ZARA),))], Looks(50), 145, Looks(100), None),
        ([(100, (harm(ZARA),))], Looks(50), 145.001, Looks(100, 50), False),
        ([(140, (harm(ZARA),)), (100, (OTHERS,))], Looks(50), 146, Looks(140, 50), False),
        ([(140, (OTHERS,)), (100, (harm(ZARA),))], Looks(100), 900, Looks(140), None),
        ([(100, (harm(MARCUS),))], Looks(50), 900, Looks(100), None),
        ([(100, (harm(ZARA),))], Looks(100), 900, Looks(100), None),
        ([(100, (harm(ZARA),))], Looks(120), 900, Looks(120), None),
        ([(100, (harm(ZARA),))], Looks(100, 50), 900, Looks(100, 50), False),
        ([(300, (harm(ZARA),)), (100, (harm(ZARA),))], Looks(100, 50), 900, Looks(300, 50), False),
        ([(100, (harm(ZARA),))], Looks(100, 50, 100), 900, Looks(100, 50, 100), True),
        ([(300, (harm(ZARA),)), (100, (harm(ZARA),))], Looks(100, 50, 100), 900, Looks(300, 100), False),
        ([(300, (harm(MARCUS),)), (100, (harm(ZARA),))], Looks(100, 50, 100), 900, Looks(300, 50, 100), True),
        ([(300, (OTHERS,)), (100, (harm(ZARA),))], Looks(100, 50, 100), 900, Looks(300, 50, 100), True),
        ([(300, (BEGUN,)), (100, (harm(ZARA),))], Looks(100, 50, 100), 900, Looks(300), None),
        ([(100, (BEGUN, harm(ZARA)))], Looks(100, 50, 100), 900, Looks(100, 50, 100), True),
        ([(300, (BEGUN,)), (100, (harm(ZARA),))], Looks(100, 50), 900, Looks(300, 50), False),
        ([], Looks(100, 50), 900, Looks(100), None),
    ],
)
def test_a_card_comes_of_what_came_while_they_were_away(
    cast: Cast,
    started: Encounter,
    monkeypatch: pytest.MonkeyPatch,
    steps: list[Happened],
    looks: Looks,
    now: float,
    then: Looks,
    is_read: bool | None,
) -> None:
    card, found = look_at(started, monkeypatch, steps, looks, now)
    assert (found, card.is_read if card else None) == (then, is_read)


def test_a_card_sums_up_the_time_the_turns_and_the_changes(
    cast: Cast, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    before: list[Happened] = [(50, (harm(ZARA, 30), BEGUN))]
    steps: list[Happened] = [
        (230, (harm(ZARA, -2), OTHERS)),
        (200, (harm(MARCUS, 7), harm(ZARA, 1, word="hurt"), e.TurnStarted(PIRATE, {}))),
        (100, (harm(ZARA, 9),)),
    ]
    card, _ = look_at(started, monkeypatch, [*steps, *before], Looks(230, 50), 900)
    assert card
    (zara,) = card.people
    assert (card.minutes, card.turns, card.goes_back) == (3, 2, False)
    assert (zara.changes, len(zara.told), zara.earlier) == ((("HP", "−7"),), 3, 0)
    assert {line.by for line in zara.told} == {"Pirate"}
    assert "41" in zara.told[0].words, "the oldest first"
    card, _ = look_at(started, monkeypatch, [*steps, *before], Looks(230, 50, 100), 900)
    assert card
    assert (card.minutes, card.turns, card.people[0].changes) == (0, 0, (("HP", "−9"),))
    card, _ = look_at(started, monkeypatch, steps, Looks(230, 50), 900)
    assert card
    assert card.goes_back
    many: list[Happened] = [(400 - n, (harm(ZARA, n % 2 or -1),)) for n in range(10)]
    card, _ = look_at(started, monkeypatch, many, Looks(400, 50), 900)
    assert card
    assert (card.people[0].changes, len(card.people[0].told), card.people[0].earlier) == ((), 8, 2)


def test_what_was_read_stays_read(cast: Cast, started: Encounter) -> None:
    assert Looks(9, 5).note_read() == Looks(9, 5, 9)
    assert Looks(9, 5, 7).note_read() == Looks(9, 5, 7)
    assert Looks(9).note_read() == Looks(9)


def test_only_commands_that_stand_and_are_told_now_count(monkeypatch: pytest.MonkeyPatch) -> None:
    at = datetime.fromtimestamp(7, UTC)
    steps = ((1, COMMAND, False), (2, COMMAND, True), (3, "undo", False), (4, COMMAND, False))
    rows: Any = [
        SimpleNamespace(number=n, kind=kind, struck=is_struck, created=at) for n, kind, is_struck in steps
    ]
    context: Any = SimpleNamespace(
        viewer=None,
        system=find_system("cosmos"),
        known_state=SimpleNamespace(combatants={}),
        told_lately=SimpleNamespace(steps={4}),
    )
    monkeypatch.setattr(missed_view, "names_of", lambda state: {})
    monkeypatch.setattr(missed_view, "read_whole", lambda context, row: row.number)
    monkeypatch.setattr(
        missed_view, "tell_step", lambda number, *_: SimpleNamespace(actor=f"f{number}", facts=())
    )
    assert list(missed_view._find_steps(context, rows)) == [missed_view._Step(7000, "f1", ())]
