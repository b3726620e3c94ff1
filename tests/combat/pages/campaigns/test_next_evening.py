"""The next evening: set by the GM, answered by the party, read by calendars."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from characters.guests import Guest
from characters.models import Character
from combat.models import Campaign, CampaignCalendar, EveningAnswer, GameEvening
from combat.pages.campaigns.next_evening_view import ZONES
from combat.play.campaigns import next_evening
from combat.play.campaigns.calendar_file import escape, fold
from combat.rules.core.basics.errors import Refused
from tests.combat.pages.campaigns.test_chest import ben, client_of, kim, make_person, nia, zara

__all__ = ("ben", "kim", "nia", "zara")
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
EVENING = {
    "do": "set",
    "seen": "",
    "day": "2026-12-05",
    "at": "19:00",
    "minutes": "240",
    "zone": "Europe/Berlin",
    "place": "Ana's, 3rd floor; left",
    "note": "Bring snacks\r\nand dice",
}
LINE = re.compile(r"([A-Z-]+)(;[^:]*)?:(.*)")
UNESCAPED = {"\\n": "\n", "\\,": ",", "\\;": ";", "\\\\": "\\"}


@pytest.fixture(autouse=True)
def clock() -> Any:
    with time_machine.travel(NOW, tick=False) as moving:
        yield moving


@pytest.fixture
def place(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.pk}/next/"


@pytest.fixture
def evening(gm_client: Client, place: str) -> GameEvening:
    assert gm_client.post(place, EVENING).status_code == 303
    return GameEvening.objects.get()


def look(client: Client, where: str) -> str:
    answer = client.get(where)
    assert answer.status_code == 200
    return answer.content.decode()


def say(evening: GameEvening, reply: str, note: str = "") -> dict[str, str]:
    return {"do": reply, "note": note, "seen": next_evening.mark(evening)}


def read_calendar(raw: bytes) -> list[dict[str, str]]:
    """The events of a calendar file, read strictly: CRLF, folded at 75 octets, escaped."""
    lines = raw.split(b"\r\n")
    assert lines.pop() == b""
    assert all(len(line) <= 75 and b"\n" not in line and b"\r" not in line for line in lines)
    whole = raw.decode().replace("\r\n ", "").split("\r\n")[:-1]
    assert (whole[0], whole[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    assert {"VERSION:2.0", "METHOD:PUBLISH"} <= set(whole)
    assert any(line.startswith("PRODID:") for line in whole)
    events: list[dict[str, str]] = []
    for line in whole:
        found = LINE.fullmatch(line)
        assert found, line
        if line == "BEGIN:VEVENT":
            events.append({})
        elif events:
            value = re.sub(r"\\[n,;\\]", lambda sign: UNESCAPED[sign[0]], found[3])
            events[-1].setdefault(found[1], value)
    return events


# ---------------------------------------------------------------- setting it


def test_the_gm_sets_the_evening_by_their_own_clock(evening: GameEvening, campaign: Campaign) -> None:
    assert evening.starts == datetime(2026, 12, 5, 18, tzinfo=UTC)
    assert evening.ends == datetime(2026, 12, 5, 22, tzinfo=UTC)
    assert (evening.place, evening.note) == ("Ana's, 3rd floor; left", "Bring snacks\nand dice")
    assert (evening.zone, evening.changes) == ("Europe/Berlin", 0)


def test_what_was_set_stands_on_the_campaign_and_its_page(
    evening: GameEvening, gm_client: Client, place: str, zara: Character, nia: User
) -> None:
    for client, where in (
        (gm_client, place.removesuffix("next/")),
        (gm_client, place),
        (client_of(nia), "/"),
    ):
        page = look(client, where)
        assert "Saturday 5 December, 19:00" in page
        assert "19:00 in Europe/Berlin" in page
        assert "3rd floor" in page
    assert "Bring snacks<br>and dice" in look(client_of(nia), place)
    form = look(gm_client, place)
    assert 'value="2026-12-05"' in form
    assert 'value="19:00"' in form


def test_the_form_begins_with_the_day_of_the_next_fight(
    gm_client: Client, campaign: Campaign, place: str
) -> None:
    page = look(gm_client, place)
    assert 'value="2026' not in page
    assert 'data-own-zone=""' in page
    gm_client.post(place.removesuffix("next/"), {"do": "encounter", "system": "cosmos", "name": "Bridge"})
    campaign.encounters.update(planned="2026-12-12")
    assert 'value="2026-12-12"' in look(gm_client, place)
    campaign.encounters.update(planned="2026-11-29")
    assert 'value="2026-11-29"' not in look(gm_client, place)


def test_the_form_begins_with_the_last_place_but_not_its_note(
    evening: GameEvening, gm_client: Client, place: str
) -> None:
    evening.starts -= timedelta(days=7)
    evening.save()
    page = look(gm_client, place)
    assert 'value="Ana&#x27;s, 3rd floor; left"' in page
    assert "Bring snacks" not in page
    assert "data-own-zone" not in page


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"day": "2026-11-29"}, "That is past: choose a later time."),
        ({"day": "2026-11-28"}, "That is past: choose a day from today on."),
        ({"day": "0001-01-01"}, "That is past"),
        ({"day": "2026-11-30", "at": "12:59"}, "That is past: choose a later time."),
        ({"day": "2026-11-30", "at": "13:00"}, "That is past: choose a later time."),
        ({"day": "9999-12-31"}, "more than 2 years ahead"),
        ({"day": "2028-12-01"}, "more than 2 years ahead"),
        ({"day": "soon"}, "A day, such as 2026-12-05."),
        ({"day": ""}, "A day, such as 2026-12-05."),
        ({"at": "25:00"}, "A time, such as 19:00."),
        ({"at": ""}, "A time, such as 19:00."),
        ({"day": "2027-03-28", "at": "02:30"}, "The clocks skip that time there"),
        ({"zone": "Mars/Olympus"}, "Name a time zone, such as Europe/Berlin or UTC."),
        ({"zone": "../../etc/passwd"}, "Name a time zone"),
        ({"zone": "/etc/passwd"}, "Name a time zone"),
        ({"zone": "Europe"}, "Name a time zone"),
        ({"zone": ""}, "required"),
        ({"zone": "x" * 10_000}, "Name a time zone"),
        ({"minutes": "7"}, "Choose how long from the list."),
        ({"minutes": ""}, "Choose how long from the list."),
        ({"place": "x" * 201}, "A place has at most 200 characters"),
        ({"place": "x" * 10_000}, "A place has at most 200 characters"),
        ({"note": "x" * 10_000}, "A note can have at most 500 characters."),
        ({"place": "\0"}, "Null characters are not allowed."),
    ],
)
def test_bad_input_is_refused_and_stays_typed(
    gm_client: Client, place: str, wrong: dict[str, str], words: str
) -> None:
    answer = gm_client.post(place, {**EVENING, **wrong})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert "snacks" in answer.content.decode() or "note" in wrong
    assert not GameEvening.objects.exists()
    assert not CampaignCalendar.objects.exists()


@pytest.mark.parametrize(
    "right",
    [{"day": "2026-11-30", "at": "13:01"}, {"day": "2028-11-30"}, {"place": "x" * 200}, {"minutes": "720"}],
)
def test_the_bounds_themselves_are_taken(gm_client: Client, place: str, right: dict[str, str]) -> None:
    assert gm_client.post(place, {**EVENING, **right}).status_code == 303


def test_every_zone_that_is_offered_exists() -> None:
    assert [next_evening.clean_zone(name) for name in ZONES] == list(ZONES)


def test_a_day_that_is_still_today_elsewhere_is_not_past(gm_client: Client, place: str) -> None:
    with time_machine.travel(datetime(2026, 12, 1, 2, tzinfo=UTC), tick=False):
        late = {**EVENING, "day": "2026-11-30", "at": "20:00", "zone": "America/New_York"}
        assert gm_client.post(place, late).status_code == 422
        assert gm_client.post(place, {**late, "at": "22:00"}).status_code == 303


def test_a_change_keeps_the_evening_and_asks_again(
    evening: GameEvening, gm_client: Client, place: str, zara: Character, nia: User
) -> None:
    player = client_of(nia)
    player.post(place, say(evening, "coming"))
    seen = next_evening.mark(evening)
    gm_client.post(place, {**EVENING, "seen": seen, "place": "Bo's"})
    assert '<b class="evening-reply is-coming">Coming</b>' in look(player, place)
    assert gm_client.post(place, {**EVENING, "seen": seen}).status_code == 409
    changed = GameEvening.objects.get()
    assert (changed.uid, changed.changes, changed.place) == (evening.uid, 1, "Bo's")
    gm_client.post(place, {**EVENING, "seen": next_evening.mark(changed), "at": "20:00"})
    page = look(player, place)
    assert "Coming, before it moved" in page
    assert "answer again" in page
    assert 'aria-pressed="true"' not in page
    assert "<b>1</b> not answered" in page
    assert 'aria-pressed="true"' not in look(player, "/")


def test_an_old_page_sets_no_second_evening(evening: GameEvening, gm_client: Client, place: str) -> None:
    answer = gm_client.post(place, {**EVENING, "place": "Bo's"})
    assert answer.status_code == 409
    assert "The evening changed meanwhile" in answer.content.decode()
    assert GameEvening.objects.get().place == evening.place


def test_withdrawn_evening_is_off_pages_and_canceled_in_calendar(
    evening: GameEvening, gm_client: Client, place: str, campaign: Campaign, zara: Character, nia: User
) -> None:
    assert gm_client.post(place, {"do": "withdraw", "seen": "1-7"}).status_code == 409
    assert next_evening.find_next(campaign)
    assert gm_client.post(place, say(evening, "withdraw")).status_code == 303
    assert next_evening.find_next(campaign) is None
    assert gm_client.post(place, say(evening, "withdraw")).status_code == 409
    assert client_of(nia).post(place, say(evening, "coming")).status_code == 409
    assert "No evening is set." in look(client_of(nia), place)
    assert "Saturday 5 December" not in look(client_of(nia), "/")
    assert client_of(nia).get(place + "evening.ics").status_code == 404
    (event,) = read_calendar(Client().get(find_address(campaign)).content)
    assert (event["STATUS"], event["SEQUENCE"]) == ("CANCELLED", "1")
    gm_client.post(place, EVENING)
    assert GameEvening.objects.count() == 2
    assert next_evening.find_past(campaign) == []


def test_an_evening_folds_when_it_is_over(
    evening: GameEvening, gm_client: Client, place: str, campaign: Campaign, clock: Any
) -> None:
    clock.move_to(evening.ends - timedelta(seconds=1))
    assert next_evening.find_next(campaign) == evening
    assert next_evening.find_past(campaign) == []
    clock.move_to(evening.ends)
    assert next_evening.find_next(campaign) is None
    assert next_evening.find_past(campaign) == [evening]
    assert "Past evenings" in look(gm_client, place)


# ---------------------------------------------------------------- who comes


def test_the_party_answers_in_one_tap_and_all_read_it(
    evening: GameEvening, gm_client: Client, place: str, zara: Character, ben: Character, nia: User, kim: User
) -> None:
    make_person(zara.campaigns.get().campaign, nia, "Yak")
    assert client_of(nia).post(place, say(evening, "maybe", "from 20:00")).status_code == 303
    client_of(nia).post(place, say(evening, "coming", "from 20:00"))
    assert EveningAnswer.objects.count() == 1
    for client in (gm_client, client_of(kim), client_of(nia)):
        page = look(client, place)
        rows = page.partition('class="evening-who"')[2].partition("</ul>")[0]
        assert re.findall(r"<b>(kim|nia)", rows) == ["kim", "nia"]
        assert "Yak, Zara" in rows
        assert "“from 20:00”" in rows
        assert "Coming" in rows
        assert "<b>1</b> coming" in page
        assert "<b>1</b> not answered" in page
    assert "nia (you)" in look(client_of(nia), place)
    assert "<b>1</b> coming" in look(gm_client, place.removesuffix("next/"))
    assert re.search(r'value="coming" aria-pressed="true"', look(client_of(nia), "/"))
    assert not re.search(r'aria-pressed="true"', look(client_of(kim), "/"))


def test_the_gms_own_character_is_not_asked(
    evening: GameEvening, gm: User, gm_client: Client, place: str, campaign: Campaign
) -> None:
    make_person(campaign, gm, "Own")
    assert gm_client.post(place, say(evening, "coming")).status_code == 409
    page = look(gm_client, place)
    assert "Nobody plays in this campaign yet" in page
    assert 'value="coming"' not in page + look(gm_client, "/")
    assert "Who comes" in look(gm_client, "/")


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ({"do": "coming", "note": "x" * 121}, 422, "A remark has at most 120 characters"),
        ({"do": "never"}, 422, "no such action"),
        ({"do": "coming", "seen": "9-0"}, 409, "read it again, then answer"),
        ({"do": "coming", "seen": ""}, 409, "read it again, then answer"),
        ({"do": "withdraw"}, 409, "Only the GM"),
        ({"do": "renew"}, 409, "Only the GM"),
        ({**EVENING, "day": "2026-12-24"}, 422, "no such action"),
    ],
)
def test_what_a_player_may_not_send_changes_nothing(
    evening: GameEvening,
    place: str,
    zara: Character,
    nia: User,
    asked: dict[str, str],
    status: int,
    words: str,
) -> None:
    known = CampaignCalendar.objects.get().digest
    answer = client_of(nia).post(place, {"seen": next_evening.mark(evening), **asked})
    assert answer.status_code == status
    assert words in answer.content.decode()
    assert not EveningAnswer.objects.exists()
    assert GameEvening.objects.get().starts == evening.starts
    assert GameEvening.objects.get().withdrawn is None
    assert CampaignCalendar.objects.get().digest == known


def test_a_remark_may_fill_its_field(evening: GameEvening, place: str, zara: Character, nia: User) -> None:
    assert client_of(nia).post(place, say(evening, "cannot", "x" * 120)).status_code == 303


def test_people_outside_the_party_find_nothing(
    evening: GameEvening, place: str, zara: Character, kim: User, nia: User
) -> None:
    for client, status in ((client_of(kim), 404), (Client(), 302)):
        assert client.get(place).status_code == status
        assert client.get(place + "evening.ics").status_code == status
        assert client.post(place, say(evening, "coming")).status_code == status
    zara.campaigns.all().delete()
    assert client_of(nia).get(place).status_code == 404
    assert "Saturday 5 December" not in look(client_of(nia), "/")


def test_the_answer_of_a_guests_character_stays_with_it(
    evening: GameEvening, campaign: Campaign, zara: Character, nia: User
) -> None:
    """A guest who has an account later is asked once, and their row has the account's name."""
    EveningAnswer.objects.create(evening=evening, character=zara, reply="coming", starts=evening.starts)
    (row,) = next_evening.list_comers(campaign, evening, nia)
    assert (row.name, row.answer and row.answer.reply, row.is_me) == ("nia", "coming", True)
    next_evening.answer(campaign, nia, "cannot", "", next_evening.mark(evening))
    (kept,) = EveningAnswer.objects.all()
    assert (kept.user, kept.character, kept.reply) == (nia, None, "cannot")


def test_a_guest_answers_for_each_of_their_characters(
    evening: GameEvening, campaign: Campaign, zara: Character, ben: Character, nia: User
) -> None:
    Character.objects.update(owner=None)

    def keep(made: Sequence[Character]) -> None:
        raise NotImplementedError

    pim = Guest("Pim", frozenset({zara.pk}), keep)
    assert next_evening.find_evenings(pim) == [evening]
    assert next_evening.find_my_answer(evening, pim) is None
    next_evening.answer(campaign, pim, "maybe", "a", next_evening.mark(evening))
    next_evening.answer(campaign, pim, "coming", "b", next_evening.mark(evening))
    said = EveningAnswer.objects.get()
    assert (said.user, said.character, said.reply, said.note) == (None, zara, "coming", "b")
    assert next_evening.find_my_answer(evening, pim) == said
    assert next_evening.find_my_answer(evening, Guest("Kim", frozenset({ben.pk}), keep)) is None
    rows = next_evening.list_comers(campaign, evening, pim)
    assert [(one.name, one.characters, one.answer, one.is_me) for one in rows] == [
        ("Ben", (), None, False),
        ("Zara", (), said, True),
    ]
    with pytest.raises(Refused, match="Only the players"):
        next_evening.answer(campaign, Guest("x", frozenset(), keep), "maybe", "", next_evening.mark(evening))


def test_the_home_page_shows_the_first_evening_of_each_campaign(
    evening: GameEvening, campaign: Campaign, zara: Character, nia: User, gm: User
) -> None:
    for days in (1, 3):
        GameEvening.objects.create(
            campaign=campaign, starts=NOW + timedelta(days=days), zone="UTC", uid=f"other {days}"
        )
    found = next_evening.find_evenings(nia)
    assert [one.uid for one in found] == ["other 1"]
    assert next_evening.find_evenings(gm) == found
    Campaign.objects.update(archived=True)
    assert next_evening.find_evenings(nia) == []


# ---------------------------------------------------------------- calendars


def find_address(campaign: Campaign) -> str:
    return f"/calendar/{next_evening.find_token(campaign)}/evenings.ics"


def test_the_calendar_file_says_when_where_and_nothing_else(
    evening: GameEvening, campaign: Campaign, place: str, zara: Character, nia: User
) -> None:
    campaign.name = "Ölsardinen, 100 % haltbar; aus dem Land der längsten Namen für Kampagnen \\o/"
    campaign.notes = "The butler did it"
    campaign.save()
    client_of(nia).post(place, say(evening, "coming", "late"))
    for answer in (client_of(nia).get(place + "evening.ics"), Client().get(find_address(campaign))):
        assert answer.status_code == 200
        assert answer["Content-Type"] == "text/calendar; charset=utf-8"
        assert answer["Cache-Control"] == "private, no-store"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Disposition"] == 'attachment; filename="next-evening.ics"'
        assert not answer.cookies
        (event,) = read_calendar(answer.content)
        assert event == {
            "UID": f"{evening.uid}@cosmos-table",
            "DTSTAMP": "20261130T120000Z",
            "DTSTART": "20261205T180000Z",
            "DTEND": "20261205T220000Z",
            "SEQUENCE": "0",
            "SUMMARY": campaign.name,
            "LOCATION": "Ana's, 3rd floor; left",
            "URL": f"http://testserver{place}",
            "STATUS": "CONFIRMED",
            "END": "VEVENT",
        }
        for secret in (b"butler", b"snacks", b"late", b"nia", b"Zara"):
            assert secret not in answer.content


def test_an_evening_without_a_place_has_no_line_for_it(
    gm_client: Client, place: str, campaign: Campaign
) -> None:
    gm_client.post(place, {**EVENING, "place": ""})
    (event,) = read_calendar(gm_client.get(place + "evening.ics").content)
    assert "LOCATION" not in event


def test_a_new_address_ends_the_old_one(
    evening: GameEvening, campaign: Campaign, gm_client: Client, place: str, zara: Character, nia: User
) -> None:
    old = find_address(campaign)
    for client in (gm_client, client_of(nia)):
        assert f"http://testserver{old}" in look(client, place)
    gm_client.post(place, {"do": "renew"})
    new = find_address(campaign)
    assert new != old
    assert (Client().get(old).status_code, Client().get(new).status_code) == (404, 200)
    assert Client().post(new).status_code == 405
    for wrong in ("x", new.split("/")[2].swapcase()):
        assert Client().get(f"/calendar/{wrong}/evenings.ics").status_code == 404
    gm_client.post(place, {**EVENING, "seen": next_evening.mark(evening), "place": "Bo's"})
    assert find_address(campaign) == new


def test_two_campaigns_have_different_addresses(campaign: Campaign, gm: User) -> None:
    other = Campaign.objects.create(owner=gm, name="Other")
    for one in (campaign, other):
        next_evening.renew_address(one)
    assert find_address(campaign) != find_address(other)
    found = next_evening.find_calendar(next_evening.find_token(other))
    assert found == other


def test_an_address_of_another_secret_key_is_not_shown(
    evening: GameEvening, campaign: Campaign, gm_client: Client, place: str
) -> None:
    CampaignCalendar.objects.update(nonce="other")
    assert next_evening.find_token(campaign) == ""
    page = look(gm_client, place)
    assert "No address works now." in page
    assert "New address" in page


def test_the_calendar_keeps_the_newest_evenings(evening: GameEvening, campaign: Campaign) -> None:
    for days in range(25):
        GameEvening.objects.create(
            campaign=campaign, starts=NOW - timedelta(days=days), zone="UTC", uid=f"u{days}"
        )
    events = read_calendar(Client().get(find_address(campaign)).content)
    assert [event["UID"] for event in events] == [
        f"{uid}@cosmos-table" for uid in (evening.uid, *(f"u{days}" for days in range(19)))
    ]


def test_no_sign_ends_a_value_or_a_line() -> None:
    assert escape("a\\b;c,d\r\ne\rf\ng\x07") == "a\\\\b\\;c\\,d\\ne\\nf\\ng"
    assert fold("x" * 75) == "x" * 75
    assert fold("x" * 76) == "x" * 75 + "\r\n x"
    assert fold("x" * 74 + "ü") == "x" * 74 + "\r\n ü"
    assert fold("x" * 75 + "y" * 75) == "x" * 75 + "\r\n " + "y" * 74 + "\r\n y"
