"""The waiting room: who is here, who is ready, and what the GM shows."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext

from combat.audience.rights import viewer_of
from combat.models import Encounter, Seat, ShareLink
from combat.pages.table.waiting_view import MAX_PEOPLE
from combat.play.campaigns.campaigns import create_campaign, move_encounter
from combat.play.campaigns.handouts import create_handout, show
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.errors import Refused
from combat.sharing.links import assign, end_seat
from combat.sharing.viewer_context import ViewerContext
from combat.sharing.waiting_room import say_ready
from tests.combat.cast import Cast, Place, come, gather, invite, seat_named
from tests.combat.markup import Element, Page
from tests.combat.visit import DEMO, MARCUS, PIRATE, ZARA, Visit, load, play, read, stored


@pytest.fixture
def waiting(prepared: Encounter) -> Cast:
    """Everyone before the fight: Pia has Zara, Otto Marcus."""
    return gather(prepared, ZARA, MARCUS)


def table_of(client: Client, pk: int) -> Page:
    """The table as a person sees it."""
    return read(client.get(f"/encounters/{pk}/"))


def find_party(page: Page) -> list[Element]:
    """The people of the waiting room."""
    return [one for place in page.all("ul", class_="room-party") for one in page.all("li", inside=place)]


def say(client: Client, pk: int, ready: str) -> int:
    """Press the button."""
    return client.post(f"/encounters/{pk}/", {"do": "say_ready", "ready": ready}).status_code


def test_people_at_the_table_see_who_is_here(waiting: Cast, prepared: Encounter) -> None:
    seen = {
        role: [one.text for one in find_party(table_of(waiting[role], prepared.pk))]
        for role in ("gm", "co_gm", "player", "other", "watcher")
    }
    assert seen["player"] == ["Zara you , not ready", "Marcus Otto , not ready"]
    assert seen["other"] == ["Marcus you , not ready", "Zara Pia , not ready"]
    assert seen["gm"] == seen["co_gm"] == ["Zara Pia , not ready", "Marcus Otto , not ready"]
    assert seen["watcher"] == []


@pytest.mark.slow
def test_player_is_ready_and_takes_it_back(waiting: Cast, prepared: Encounter) -> None:
    before = stored(prepared.pk)[1:]
    for ready, words in (("1", "1 of 2 ready"), ("0", "0 of 2 ready")):
        assert say(waiting.player, prepared.pk, ready) == 303
        assert seat_named("Pia").ready == (ready == "1")
        for role in ("gm", "co_gm", "player", "other"):
            page = table_of(waiting[role], prepared.pk)
            assert page.one("p", class_="room-count").text == words
        assert words in " ".join(
            p.text for p in read(waiting.gm.get(f"/encounters/{prepared.pk}/prep/")).all("p")
        )
        button = table_of(waiting.player, prepared.pk).one("button", id="ready")
        assert (button["aria-pressed"], button["value"]) == (
            ("true", "0") if ready == "1" else ("false", "1")
        )
    assert stored(prepared.pk)[1:] == before, "no fight's log knows of it"


def test_all_are_ready_is_said_to_the_gm(waiting: Cast, prepared: Encounter) -> None:
    say(waiting.player, prepared.pk, "1")
    assert "All players are ready" not in waiting.gm.get(f"/encounters/{prepared.pk}/").content.decode()
    say(waiting.other, prepared.pk, "1")
    assert "All players are ready" in waiting.gm.get(f"/encounters/{prepared.pk}/").content.decode()


def test_readiness_tells_seats_and_gm_once_and_nobody_else(waiting: Cast, prepared: Encounter) -> None:
    before = load(prepared.pk)
    for _ in range(2):
        say(waiting.player, prepared.pk, "1")
    now = load(prepared.pk)
    assert (now.version, now.seated, now.public) == (before.version + 1, before.seated + 1, before.public)


@pytest.mark.parametrize("word", ["", "yes", "2"])
def test_button_without_an_answer_is_refused(waiting: Cast, prepared: Encounter, word: str) -> None:
    words = Place(waiting.player, prepared.pk).refused("say_ready", 422, ready=word)
    assert words.startswith("Say whether you are ready")


def test_gm_is_never_ready_or_not(waiting: Cast, prepared: Encounter) -> None:
    words = Visit(waiting.gm, prepared.pk).refused("say_ready", 409, ready="1")
    assert words == "Only players do that: the GM starts when they like."
    assert say(waiting.watcher, prepared.pk, "1") == 403
    assert say(waiting.stranger, prepared.pk, "1") == 404


def test_fight_that_has_started_asks_nobody(waiting: Cast, prepared: Encounter) -> None:
    say(waiting.player, prepared.pk, "1")
    play(prepared.pk, DEMO.script[:1])
    assert not table_of(waiting.player, prepared.pk).all("button", id="ready")
    words = Place(waiting.player, prepared.pk).refused("say_ready", 409, ready="0")
    assert words == "The fight has started: there is nothing to be ready for."


def test_seat_that_was_removed_meanwhile_is_refused(waiting: Cast, prepared: Encounter) -> None:
    seat = seat_named("Pia")
    context = ViewerContext(load(prepared.pk), viewer_of(seat), seat, seat.name)
    end_seat(seat)
    with pytest.raises(Refused) as refused:
        say_ready(context, QueryDict("ready=1"))
    assert refused.value.code == "stale"
    assert not seat_named("Pia").ready
    assert say(waiting.player, prepared.pk, "1") == 410
    assert [one.text for one in find_party(table_of(waiting.other, prepared.pk))] == [
        "Marcus you , not ready"
    ]


# ---- Who is listed ----


def test_who_comes_and_goes_shows_at_once_before_the_fight(waiting: Cast, prepared: Encounter) -> None:
    before = load(prepared.pk)
    guest = come(prepared, ShareLink.PLAY, "Ben")
    assert load(prepared.pk).seated == before.seated + 1
    assert "Ben no character , not ready" in [
        one.text for one in find_party(table_of(waiting.gm, prepared.pk))
    ]
    guest.post(f"/encounters/{prepared.pk}/leave/")
    assert load(prepared.pk).seated == before.seated + 2
    come(prepared, ShareLink.WATCH, "Wes")
    assert load(prepared.pk).seated == before.seated + 2
    assert load(prepared.pk).public == before.public


def test_coming_during_a_fight_makes_nobodys_page_outdated(started: Encounter) -> None:
    come(started, ShareLink.PLAY, "Ben", ZARA)
    assert load(started.pk).version == started.version


def test_only_the_gm_learns_who_plays_one_of_their_combatants(waiting: Cast, prepared: Encounter) -> None:
    assign(load(prepared.pk), [PIRATE], seat_named("Otto"))
    assert "Marcus" in find_party(table_of(waiting.player, prepared.pk))[1].text
    assign(load(prepared.pk), [MARCUS], None)
    told = [one.text for one in find_party(table_of(waiting.gm, prepared.pk))]
    assert "Otto no character , not ready" not in told
    assert find_party(table_of(waiting.player, prepared.pk))[1].text == "Otto no character , not ready"
    submit(prepared.pk, Submission("hide", {"target": ZARA}))
    assert "Zara" in find_party(table_of(waiting.gm, prepared.pk))[0].text
    assert find_party(table_of(waiting.other, prepared.pk))[1].text == "Pia no character , not ready"


def test_two_hundred_seats_are_counted_and_the_first_ones_listed(waiting: Cast, prepared: Encounter) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as found:
            table_of(waiting.player, prepared.pk)
        return len(found)

    few = count()
    seats = [Seat(encounter=prepared, name=f"Guest {n}", kind="play", digest=str(n)) for n in range(200)]
    Seat.objects.bulk_create(seats)
    page = table_of(waiting.player, prepared.pk)
    assert len(find_party(page)) == MAX_PEOPLE
    assert find_party(page)[0].text.startswith("Zara you")
    assert f"and {202 - MAX_PEOPLE} more" in page.html
    assert page.one("p", class_="room-count").text == "0 of 202 ready"
    assert count() <= few


@pytest.mark.slow
def test_player_without_a_character_sees_in_a_fight_who_is_here(started: Encounter, guest: Client) -> None:
    cast = gather(started, ZARA, MARCUS)
    come_back = come(started, ShareLink.PLAY, "Ben")
    party = [one.text for one in find_party(table_of(come_back, started.pk))]
    assert party == ["Ben you", "Zara Pia", "Marcus Otto"]
    assert not find_party(table_of(cast.player, started.pk))
    assert not find_party(table_of(cast.gm, started.pk))


# ---- What is shown, and faces ----


@pytest.mark.slow
def test_room_shows_the_newest_handout_that_is_for_the_player(
    gm: User, waiting: Cast, prepared: Encounter
) -> None:
    campaign = create_campaign(gm, "The long haul")
    move_encounter(prepared.pk, campaign)
    poster = create_handout(campaign, "Wanted poster", "**Rook**, alive", None)
    show(prepared.pk, poster.pk, [str(seat_named("Pia").pk)])
    section = table_of(waiting.player, prepared.pk).one("section", class_="room-showing")
    assert section.text == "gm shows Wanted poster Rook, alive Open handout"
    assert "Rook, alive" not in table_of(waiting.other, prepared.pk).html


@pytest.mark.slow
def test_player_changes_their_face_before_the_fight(waiting: Cast, prepared: Encounter) -> None:
    place = Place(waiting.player, prepared.pk)
    before = load(prepared.pk).public
    place.do("change_face", face="envoy")
    assert load(prepared.pk).public == before + 1, "everybody sees the token"
    assert "faces.svg#envoy" in table_of(waiting.watcher, prepared.pk).html
    assert place.refused("change_face", 422, face="cat").startswith("There is no such face")
    place.do("change_face", face="")
    assert "faces.svg#envoy" not in table_of(waiting.watcher, prepared.pk).html


def test_page_without_javascript_comes_back_to_the_table(prepared: Encounter, guest: Client) -> None:
    guest.post(invite(prepared), {"name": "Ada", "combatant": ZARA})
    page = table_of(guest, prepared.pk)
    form = page.one("form", class_="room-ready")
    button = page.one("button", inside=form)
    answer = guest.post(form["action"], page.fields(form) | {button["name"]: button["value"]})
    assert (answer.status_code, answer["Location"]) == (303, f"/encounters/{prepared.pk}/")
    assert Seat.objects.get().ready
