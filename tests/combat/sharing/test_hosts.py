"""The GMs of a table read its characters' sheets; a setting lets them update the tracks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from characters.models import Character
from characters.services import character_service
from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, create_encounter, redo, submit, undo
from combat.sharing.links import revoke
from tests.combat.cast import come_by_account, keep_browsers
from tests.combat.kept import keep
from tests.combat.play.campaigns.test_roster import SHEET, SLUG
from tests.combat.visit import load, read

NOTES = "owes the Duke a ship"
ROLES = ("owner", "gm", "co_gm", "player", "watcher", "stranger", "nobody")
HTMX = {"HX-Request": "true"}
WOUND = {"do": "track", "track": "hp", "points": "−5"}


@pytest.fixture
def ana(db: None) -> User:
    """The player."""
    return User.objects.create_user("ana")


@pytest.fixture
def zoe(ana: User) -> Character:
    """Her character."""
    return character_service.create(ana, SLUG, "Zoe", SHEET, notes=NOTES)


@pytest.fixture
def fight(gm: User) -> Encounter:
    """The GM's encounter, with a thug in it."""
    return load(keep("alley", lambda: make_fight(gm)))


def make_fight(gm: User) -> int:
    encounter = create_encounter(gm, SLUG, "The alley")
    submit(encounter.pk, Submission("join", {"block": "street_thug"}))
    return encounter.pk


@pytest.fixture
def cast(gm_client: Client, zoe: Character, fight: Encounter) -> dict[str, Client]:
    """Everyone; the owner has added her character."""
    guests = keep_browsers("hosts", lambda: gather_guests(zoe, fight))
    return {role: {"gm": gm_client, **guests}[role] for role in ROLES}


def gather_guests(zoe: Character, fight: Encounter) -> dict[str, Client]:
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    found = {
        "owner": come_by_account(fight, ShareLink.PLAY, "ana"),
        "co_gm": come_by_account(fight, ShareLink.CO_GM, "cleo"),
        "player": come_by_account(fight, ShareLink.PLAY, "pia"),
        "watcher": come_by_account(fight, ShareLink.WATCH, "wim"),
        "stranger": stranger,
        "nobody": Client(),
    }
    found["owner"].post(f"/encounters/{fight.pk}/bring/", {"character": zoe.pk})
    return found


def allow(fight: Encounter, value: bool = True) -> None:
    """Set the table's option."""
    submit(fight.pk, Submission("set_option", {"key": "gm_keeps_tracks", "value": value}))


def ask_all(cast: dict[str, Client], path: str) -> tuple[int, ...]:
    return tuple(cast[role].get(path).status_code for role in ROLES)


def post_all(cast: dict[str, Client], path: str, **posted: str) -> tuple[int, ...]:
    return tuple(cast[role].post(path, posted).status_code for role in ROLES)


def hp_of(character: Character) -> int | None:
    found: int | None = Character.objects.get(pk=character.pk).sheet["tracks"].get("hp")
    return found


def test_who_runs_the_table_reads_the_sheet(cast: dict[str, Client], zoe: Character) -> None:
    here = f"/characters/{zoe.pk}/"
    assert ask_all(cast, here) == (200, 200, 200, 404, 404, 404, 302)
    assert ask_all(cast, f"{here}print/") == (200, 200, 200, 404, 404, 404, 302)
    assert ask_all(cast, f"{here}export/") == (200, 404, 404, 404, 404, 404, 302)
    for role in ("gm", "co_gm"):
        for path in (here, f"{here}print/", f"{here}?edit=notes", f"{here}?roll=save"):
            page = cast[role].get(path).content.decode()
            assert "Zoe" in page
            assert NOTES not in page
    assert NOTES in cast["owner"].get(here).content.decode()


def test_one_who_runs_the_table_reads_choices_as_the_owner_does(
    cast: dict[str, Client], zoe: Character
) -> None:
    Character.objects.filter(pk=zoe.pk).update(sheet={**zoe.sheet, "metres": 2})
    own, shown = (read(cast[who].get(f"/characters/{zoe.pk}/")) for who in ("owner", "gm"))
    assert "Size on the map 2 m" in shown.one("dl", class_="about").text
    assert shown.one("dl", class_="about").text == own.one("dl", class_="about").text


def test_without_the_setting_they_change_nothing(cast: dict[str, Client], zoe: Character) -> None:
    here = f"/characters/{zoe.pk}/"
    assert post_all(cast, here, **WOUND) == (302, 404, 404, 404, 404, 404, 302)
    assert hp_of(zoe) == 91
    assert 'name="points"' not in cast["gm"].get(here).content.decode()


def test_with_the_setting_they_keep_the_tracks(
    cast: dict[str, Client], zoe: Character, fight: Encounter
) -> None:
    allow(fight)
    here = f"/characters/{zoe.pk}/"
    assert post_all(cast, here, **WOUND) == (302, 302, 302, 404, 404, 404, 302)
    assert hp_of(zoe) == 81
    page = cast["owner"].get(here).content.decode()
    assert [change.by for change in zoe.changes.all()[:3]] == ["cleo", "gm", "ana"]
    assert "and change health, ammunition and conditions." in page
    cast["owner"].post(here, {"do": "undo"})
    assert hp_of(zoe) == 86


@pytest.mark.parametrize(
    ("do", "typed", "found"),
    [
        ("add_condition", {"kind": "bleeding"}, {"conditions": ["bleeding"]}),
        ("ammunition", {"loaded": "3", "spares": "0"}, {"loaded": 3, "spares": None}),
        ("reload", {"item": "gun"}, {"loaded": 15, "spares": None}),
    ],
)
def test_conditions_and_ammunition_are_tracks(
    cast: dict[str, Client],
    zoe: Character,
    fight: Encounter,
    do: str,
    typed: dict[str, str],
    found: dict[str, object],
) -> None:
    allow(fight)
    character_service.change(zoe.pk, "Fired", sheet={**SHEET, "items": [{**SHEET["items"][0], "loaded": 9}]})
    page = read(cast["gm"].get(f"/characters/{zoe.pk}/"))
    buttons = page.all("button", name="do", value=do)
    posted = page.fields(buttons[0].parents[-2]) if do == "ammunition" else {}
    done = cast["gm"].post(f"/characters/{zoe.pk}/", {**posted, "do": do, **typed}, headers=HTMX)
    assert done.status_code == 200, done.content.decode()
    sheet = Character.objects.get(pk=zoe.pk).sheet
    kinds = {"conditions": [held["kind"] for held in sheet["conditions"]]}
    assert {key: (sheet["items"][0] | kinds).get(key) for key in found} == found


def test_refused_rounds_say_at_their_field_what_is_possible(
    cast: dict[str, Client], zoe: Character, fight: Encounter
) -> None:
    allow(fight)
    posted = {"do": "ammunition", "item": "gun", "loaded": "99", "spares": "1"}
    refused = cast["gm"].post(f"/characters/{zoe.pk}/", posted, headers=HTMX)
    assert refused.status_code == 422
    assert "Must be 0 to 15." in read(refused).one("ul", id="gun-loaded_error").text
    assert Character.objects.get(pk=zoe.pk).sheet["items"][0]["loaded"] == 15


@pytest.mark.parametrize(
    "posted",
    [
        {"do": "about", "name": "Zed", "chosen-species": "", "chosen-career": ""},
        {"do": "attributes", **dict.fromkeys(("PRE", "RES", "INT", "MIG", "AWA", "COO"), "9")},
        {"do": "money", "money": "5"},
        {"do": "notes", "notes": "mine now"},
        {"do": "item", "item": "gun", "count": "2", "loaded": "15", "spares": "1"},
        {"do": "drop", "item": "gun"},
        {"do": "stow", "item": "gun"},
        {"do": "undo"},
        {"do": "redo"},
        {"do": "roll", "roll": "save", "attribute": "MIG"},
        {"do": "duplicate"},
        {"do": "archive"},
        {"do": "delete"},
        {"do": "nonsense"},
        {},
    ],
    ids=lambda posted: posted.get("do", "nothing"),
)
def test_nothing_but_tracks_is_theirs(
    cast: dict[str, Client], zoe: Character, fight: Encounter, posted: dict[str, str]
) -> None:
    allow(fight)
    before = Character.objects.filter(pk=zoe.pk).values().get()
    assert cast["gm"].post(f"/characters/{zoe.pk}/", posted).status_code in (403, 422)
    assert Character.objects.filter(pk=zoe.pk).values().get() == before
    assert Character.objects.count() == 1
    assert not zoe.rolls.exists()


def test_portrait_is_shown_and_not_changed(cast: dict[str, Client], zoe: Character, fight: Encounter) -> None:
    allow(fight)
    character_service.keep_portrait(zoe.pk, "abc", b"x", by="ana")
    assert ask_all(cast, f"/characters/{zoe.pk}/portrait/abc.webp") == (200, 200, 200, 404, 404, 404, 302)
    assert cast["gm"].post(f"/characters/{zoe.pk}/portrait/", {"remove": "1"}).status_code == 404


def leave_undone(fight: Encounter) -> None:
    undo(fight.pk)


def leave_removed(fight: Encounter) -> None:
    submit(fight.pk, Submission("remove", {"target": "f2"}))


def leave_archived(fight: Encounter) -> None:
    Encounter.objects.filter(pk=fight.pk).update(archived=True)


def leave_replaced(fight: Encounter) -> None:
    """Another character gets the number that this one had."""
    undo(fight.pk)
    submit(fight.pk, Submission("join", {"block": "street_thug"}))


@pytest.mark.parametrize("leave", [leave_undone, leave_removed, leave_archived, leave_replaced])
def test_reading_a_sheet_ends_when_its_character_leaves_the_seat(
    cast: dict[str, Client], zoe: Character, fight: Encounter, leave: Callable[[Encounter], None]
) -> None:
    here = f"/characters/{zoe.pk}/"
    assert cast["gm"].get(here).status_code == 200
    leave(fight)
    assert ask_all(cast, here) == (200, 404, 404, 404, 404, 404, 302)
    assert "Who else can read this" not in cast["owner"].get(here).content.decode()


def test_who_comes_back_is_read_again(cast: dict[str, Client], zoe: Character, fight: Encounter) -> None:
    undo(fight.pk)
    redo(fight.pk)
    assert cast["gm"].get(f"/characters/{zoe.pk}/").status_code == 200


def test_helper_whose_link_is_revoked_reads_no_more(
    cast: dict[str, Client], zoe: Character, fight: Encounter
) -> None:
    revoke(fight.links.get(kind=ShareLink.CO_GM))
    assert cast["co_gm"].get(f"/characters/{zoe.pk}/").status_code == 404


def test_gm_cannot_say_that_a_character_sits(gm_client: Client, zoe: Character, fight: Encounter) -> None:
    """Only its owner adds a character: a combatant that claims to be it opens nothing."""
    here = f"/encounters/{fight.pk}/"
    gm_client.post(here, {"do": "join", "block": "street_thug", "source": f"character:{zoe.pk}"})
    assert gm_client.get(f"/characters/{zoe.pk}/").status_code == 404


def test_owner_is_told_who_reads(cast: dict[str, Client], zoe: Character, fight: Encounter) -> None:
    page = cast["owner"].get(f"/characters/{zoe.pk}/").content.decode()
    assert "Who else can read this" in page
    assert "but not change it." in page
    assert page.count(", GM of") == 2
    assert "The alley" in page


def test_table_leads_the_gm_to_the_sheet(cast: dict[str, Client], zoe: Character, fight: Encounter) -> None:
    link = f'href="/characters/{zoe.pk}/"'
    for role in ROLES[:5]:
        page = cast[role].get(f"/encounters/{fight.pk}/").content.decode()
        assert (link in page) == (role in ("gm", "co_gm")), role


def test_sheet_that_is_deleted_or_not_the_gms_to_read_is_no_link(
    cast: dict[str, Client], zoe: Character, fight: Encounter
) -> None:
    link = f'href="/characters/{zoe.pk}/"'
    copy = cast["gm"].post(f"/encounters/{fight.pk}/prep/", {"do": "copy"})["Location"]
    assert "Zoe" in cast["gm"].get(copy.replace("prep/", "")).content.decode()
    assert link not in cast["gm"].get(copy.replace("prep/", "")).content.decode()
    character_service.delete(zoe)
    assert link not in cast["gm"].get(f"/encounters/{fight.pk}/").content.decode()
    character_service.restore(zoe)
    assert link in cast["gm"].get(f"/encounters/{fight.pk}/").content.decode()


def test_bring_address_opened_by_hand_leads_to_the_choice_page(
    cast: dict[str, Client], fight: Encounter
) -> None:
    here = f"/encounters/{fight.pk}/"
    for role, there in (("gm", f"{here}prep/"), ("owner", here), ("watcher", here)):
        answer = cast[role].get(f"{here}bring/", follow=True)
        assert answer.redirect_chain == [(there, 302)]
        assert "Choose a character here to bring in." in answer.content.decode()


def test_sheet_costs_a_fixed_number_of_queries(
    cast: dict[str, Client], zoe: Character, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for role in ("gm", "owner"):
        cast[role].get(f"/characters/{zoe.pk}/")  # the content types, once
        with django_assert_max_num_queries(
            10
        ):  # session, person, character, where it sits, who helps, where it may go, what is offered, the rest
            cast[role].get(f"/characters/{zoe.pk}/")
