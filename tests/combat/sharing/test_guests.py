"""Guests who make characters: without an account, kept with the seat, and permanent with an account."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from characters.gear.catalogue import find_item
from characters.gear.item_service import save_own, share
from characters.models import Character
from characters.services import character_service
from combat.models import Encounter, GuestSheet, Seat, ShareLink
from combat.play.campaigns.roster import JOINS_LATE
from combat.play.writing.encounter_service import Submission, cancel, create_encounter, read_state, submit
from combat.sharing import guests
from combat.sharing.links import make_link, revoke
from tests.combat.cast import PASSWORD, come, enter, invite, seat_named
from tests.combat.visit import SLUG, load, read
from tests.typed import Answer, sure

NEW = "/characters/new/"
NAME = "Heist at Ceres Lock"


@pytest.fixture
def heist(gm: User) -> Encounter:
    """A table that waits for its characters."""
    encounter = create_encounter(gm, SLUG, NAME)
    submit(encounter.pk, Submission("join", {"block": "street_thug"}))
    return encounter


def make(client: Client, encounter: Encounter, name: str = "Kael", **fields: str) -> Answer:
    """Create a character for a table, guided and with the defaults."""
    posted = {"game": SLUG, "way": "guided", "name": name, "for": encounter.pk, "create": "anyway"}
    return client.post(NEW, posted | fields)


def make_aside(client: Client, encounter: Encounter) -> Answer:
    """Create a character that does not join: its player has somebody at the table then."""
    Seat.objects.update(combatants=["f1"])
    made = make(client, encounter)
    Seat.objects.update(combatants=[])
    return made


def sheet_of(answer: Answer) -> int:
    """The number of the character just made."""
    assert answer.status_code == 302, answer.content.decode()
    return Character.objects.latest("pk").pk


def named(encounter: Encounter, name: str) -> Any:
    return next(f for f in read_state(load(encounter.pk)).combatants.values() if f.name == name)


def sign_up(client: Client, name: str) -> User:
    """Make an account in this browser."""
    posted = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", posted).status_code == 302
    return User.objects.get(username=name)


# ---- Making one, and bringing it ----


def test_guest_makes_a_character_on_the_spot_and_it_joins(heist: Encounter, guest: Client) -> None:
    address = invite(heist)
    assert read(guest.get(address)).one("input", value="new")
    came = enter(guest, address, "Ada", "new")
    assert came["Location"] == f"{NEW}?for={heist.pk}"
    page = guest.get(came["Location"])
    assert read(page).one("input", name="for")["value"] == str(heist.pk)
    assert NAME in page.content.decode()
    made = make(guest, heist)
    assert made["Location"] == f"/encounters/{heist.pk}/"
    kael = named(heist, "Kael")
    assert (kael.pc, seat_named("Ada").combatants) == (True, [kael.id])
    sheet = read(guest.get(f"/characters/{sheet_of(made)}/?for={heist.pk}"))
    assert not sheet.all("button", name="character")  # it is there
    character = Character.objects.get()
    assert (character.owner, character.changes.get().by) == (None, "Ada")


def test_second_character_of_a_guest_joins_when_they_bring_it(heist: Encounter, guest: Client) -> None:
    enter(guest, invite(heist), "Ada", "new")
    make(guest, heist)
    made = make(guest, heist, "Vela")
    assert made["Location"] == f"/characters/{sheet_of(made)}/?for={heist.pk}"
    button = read(guest.get(made["Location"])).one("button", name="character")
    assert button.text == f"Bring Vela to {NAME}"
    answer = guest.post(f"/encounters/{heist.pk}/bring/", {"character": button["value"]})
    assert answer["Location"] == f"/encounters/{heist.pk}/"
    assert seat_named("Ada").combatants == [named(heist, "Kael").id, named(heist, "Vela").id]


def test_character_made_while_an_action_waits_joins_after_it(heist: Encounter, guest: Client) -> None:
    enter(guest, invite(heist), "Ada", "new")
    submit(heist.pk, Submission("start", {}, typed=True))
    made = make(guest, heist)
    assert made["Location"] == f"/encounters/{heist.pk}/"
    assert JOINS_LATE in guest.get(made["Location"]).content.decode()
    assert seat_named("Ada").combatants == []
    cancel(heist.pk)
    assert seat_named("Ada").combatants == [named(heist, "Kael").id]


def test_guest_joins_with_a_ready_character_in_two_taps(heist: Encounter, guest: Client) -> None:
    """Their own face is that of the character; the next one with the same archetype has another name."""
    address = invite(heist)
    offered = [field["value"] for field in read(guest.get(address)).all("input", name="combatant")]
    ready = [word for word in offered if word.startswith("ready:")]
    assert len(ready) >= 6
    came = guest.post(address, {"name": "Ada", "combatant": ready[0], "face": "mystic"})
    assert came["Location"] == f"/encounters/{heist.pk}/"
    made = Character.objects.get()
    assert (made.owner, made.face) == (None, "mystic")
    combatant = named(heist, made.name)
    assert (combatant.pc, seat_named("Ada").combatants) == (True, [combatant.id])
    assert guest.get(f"/characters/{made.pk}/").status_code == 200
    guest.post(address, {"name": "Ada", "combatant": ready[0]})  # sent twice
    assert Character.objects.count() == 1
    other = Client()
    assert enter(other, invite(heist), "Bo", ready[0])["Location"] == f"/encounters/{heist.pk}/"
    assert Character.objects.exclude(pk=made.pk).get().name != made.name
    watching = Client()
    gone = watching.post(invite(heist), {"name": "Cy", "combatant": "ready:nobody"})
    assert (gone.status_code, Seat.objects.filter(name="Cy").exists()) == (422, False)


def test_someone_with_an_account_joins_with_a_ready_character(heist: Encounter) -> None:
    ana, client = User.objects.create_user("ana"), Client()
    client.force_login(ana)
    enter(client, invite(heist), combatant="ready:medic")
    made = Character.objects.get()
    assert (made.owner, made.face, made.system) == (ana, "medic", SLUG)
    assert seat_named("ana").combatants == [named(heist, made.name).id]


@pytest.mark.slow
def test_the_table_leads_to_the_sheet_of_whose_character_it_is(heist: Encounter, guest: Client) -> None:
    def leads(client: Client) -> list[str]:
        page = read(client.get(f"/encounters/{heist.pk}/"))
        return [
            link["href"]
            for link in page.all("a", inside=page.one(id="turn"))
            if link.text == "Character sheet"
        ]

    enter(guest, invite(heist), "Ada")
    address = f"/characters/{sheet_of(make(guest, heist))}/?for={heist.pk}"
    guest.post(f"/encounters/{heist.pk}/bring/", {"character": Character.objects.get().pk})
    other = come(heist, ShareLink.PLAY, "Bo")
    assert (leads(guest), leads(other)) == ([address], [])
    submit(heist.pk, Submission("start", {}))
    assert leads(guest) == [address]
    back = [
        link["href"] for link in read(guest.get(address)).all("a") if link.text.startswith("Back to table")
    ]
    assert back == [f"/encounters/{heist.pk}/"]
    Seat.objects.filter(name__in=("Ada", "Bo")).update(combatants=[named(heist, "Kael").id])
    assert leads(other) == [], "the GM gave Bo the combatant: the sheet is Ada's"


@pytest.mark.slow
def test_the_table_asks_once_whose_all_the_sheets_are(heist: Encounter, guest: Client) -> None:
    def count() -> int:
        table = f"/encounters/{heist.pk}/"
        guest.get(table)
        with CaptureQueriesContext(connection) as asked:
            guest.get(table)
        return len(asked)

    enter(guest, invite(heist), "Ada")
    numbers = []
    for _ in range(3):
        pk = sheet_of(make(guest, heist))
        guest.post(f"/encounters/{heist.pk}/bring/", {"character": pk})
        numbers.append(count())
    assert len(seat_named("Ada").combatants) == len(numbers)
    assert len(set(numbers)) == 1, f"queries with 1, 2 and 3 combatants of their own: {numbers}"


def test_guest_makes_characters_of_the_tables_game_only(heist: Encounter, guest: Client) -> None:
    enter(guest, invite(heist))
    sheet_of(make(guest, heist, game="starshock"))
    assert Character.objects.get().system == SLUG


def test_table_offers_a_player_without_a_character_to_make_one(heist: Encounter, guest: Client) -> None:
    enter(guest, invite(heist))
    table = f"/encounters/{heist.pk}/"
    assert read(guest.get(table)).one("a", href=f"{NEW}?for={heist.pk}").text == "Create character"
    pk = sheet_of(make_aside(guest, heist))
    assert f'<option value="{pk}">Kael</option>' in guest.get(table).content.decode()
    guest.post(f"{table}bring/", {"character": pk})
    assert not read(guest.get(table)).all("a", href=f"{NEW}?for={heist.pk}")


def test_account_holders_sheet_leads_back_to_the_table_too(heist: Encounter) -> None:
    client = Client()
    client.force_login(User.objects.create_user("ana"))
    enter(client, invite(heist), combatant="new")
    made = make_aside(client, heist)
    page = read(client.get(made["Location"]))
    assert page.one("button", name="character").text == f"Bring Kael to {NAME}"
    assert Character.objects.get().owner is not None
    assert not GuestSheet.objects.exists()


def test_sheet_leads_to_its_characters_fight_and_folds_others(gm: User, heist: Encounter) -> None:
    client = Client()
    client.force_login(User.objects.create_user("ana"))
    enter(client, invite(heist), combatant="new")
    made = make(client, heist)
    submit(heist.pk, Submission("start", {}))
    for name in ("Later", "Latest"):
        enter(client, invite(create_encounter(gm, SLUG, name)))
    page = read(client.get(f"/characters/{sheet_of(made)}/"))
    box = page.one("div", class_="to-table")
    back = page.all("a", inside=box)[0]
    assert back.text == f"Back to table of {NAME}"
    assert page.all("a", href=f"/encounters/{heist.pk}/home/")
    fold = page.one("details", inside=box)
    assert [button.text for button in page.all("button", inside=fold)] == [
        "Bring Kael to Latest",
        "Bring Kael to Later",
    ]


def test_sheet_the_gm_makes_for_their_table_leads_back_to_it(heist: Encounter, gm_client: Client) -> None:
    made = make(gm_client, heist)
    assert f"Bring Kael to {NAME}" in gm_client.get(made["Location"]).content.decode()
    assert NAME not in gm_client.get(f"/characters/{sheet_of(made)}/").content.decode()


def test_sheet_leads_to_no_table_that_is_not_ones_own(heist: Encounter) -> None:
    client = Client()
    client.force_login(User.objects.create_user("ana"))
    made = make(client, heist)
    assert made["Location"] == f"/characters/{sheet_of(made)}/"
    assert NAME not in client.get(f"{made['Location']}?for={heist.pk}").content.decode()
    assert NAME not in client.get(f"{NEW}?for={heist.pk}").content.decode()


# ---- What belongs to them ----


@pytest.mark.slow
def test_guest_keeps_the_sheet_as_an_owner_does(heist: Encounter, guest: Client) -> None:
    enter(guest, invite(heist))
    here = f"/characters/{sheet_of(make(guest, heist))}/"
    for page in ("", "print/", "export/", "?edit=notes", "odds/?roll=save"):
        assert guest.get(f"{here}{page}").status_code == 200, page
    assert guest.post(here, {"do": "notes", "notes": "owes the Duke a ship"}).status_code == 302
    assert guest.post(here, {"do": "undo"}).status_code == 302
    listed = guest.get("/characters/").content.decode()
    assert "Kael" in listed
    assert "/characters/import/" not in listed
    assert guest.post(here, {"do": "delete"}).status_code == 302
    assert guest.post(f"{here}restore/").status_code == 302
    assert guest.get(here).status_code == 200


@pytest.fixture
def others(heist: Encounter, gm_client: Client) -> dict[str, Client]:
    """Everybody else."""
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    seats = (("play", "Otto"), ("watch", "Wim"), ("co-gm", "Cleo"))
    seated = {kind: come(heist, kind, name) for kind, name in seats}
    return {**seated, "gm": gm_client, "stranger": stranger, "nobody": Client()}


def test_nobody_else_has_a_guests_sheet(heist: Encounter, guest: Client, others: dict[str, Client]) -> None:
    enter(guest, invite(heist))
    pk = sheet_of(make_aside(guest, heist))
    here = f"/characters/{pk}/"
    for kind, other in others.items():
        for answer in (other.get(here), other.post(here, {"do": "delete"}), other.get(f"{here}export/")):
            assert answer.status_code in (302, 404, 410), kind
            assert "Kael" not in answer.content.decode(), kind
        other.post(f"/encounters/{heist.pk}/bring/", {"character": pk})
    assert len(read_state(load(heist.pk)).combatants) == 1
    assert Character.objects.get().deleted_at is None


def test_nobody_else_buys_gear_for_a_guests_character(
    heist: Encounter, guest: Client, others: dict[str, Client]
) -> None:
    """The GM reads the sheet of a character that has joined, and buys nothing for it either."""
    enter(guest, invite(heist))
    pk = sheet_of(make(guest, heist))
    before = things_of(pk)
    revoke(ShareLink.objects.get(seats__name="Ada"))
    for kind, other in {**others, "former": guest}.items():
        wanted = 302 if kind in ("watch", "co-gm", "former", "nobody") else 404
        assert other.post(ADD, {"character": pk}).status_code == wanted, kind
        assert b"Gear for" not in other.get(f"/gear/?for={pk}").content, kind
    assert things_of(pk) == before


@pytest.mark.parametrize("kind", ["watch", "co-gm"])
def test_who_only_watches_or_helps_makes_none(heist: Encounter, kind: str) -> None:
    client = come(heist, kind, "Wim")
    assert make(client, heist)["Location"].startswith("/accounts/login/")
    assert not Character.objects.exists()


def test_gm_reads_what_a_guest_has_brought(heist: Encounter, guest: Client, gm_client: Client) -> None:
    enter(guest, invite(heist))
    pk = sheet_of(make(guest, heist))
    guest.post(f"/encounters/{heist.pk}/bring/", {"character": pk})
    page = " ".join(gm_client.get(f"/characters/{pk}/").content.decode().split())
    assert "This is a guest's character" in page
    assert "No trained skills." in page
    assert gm_client.post(f"/characters/{pk}/", {"do": "delete"}).status_code == 404


def test_guest_takes_home_what_the_fight_left(heist: Encounter, guest: Client) -> None:
    enter(guest, invite(heist))
    pk = sheet_of(make(guest, heist))
    guest.post(f"/encounters/{heist.pk}/bring/", {"character": pk})
    submit(heist.pk, Submission("adjust", {"target": named(heist, "Kael").id, "track": "hp", "by": -10}))
    home = f"/encounters/{heist.pk}/home/"
    boxes = read(guest.get(home)).all("input", name=f"change-{pk}")
    assert boxes
    found = guest.post(home, {"sheet": pk, f"change-{pk}": [box["value"] for box in boxes]})
    assert found.status_code == 303
    assert Character.objects.get().sheet["tracks"]["hp"]


# ---- Keeping it with an account ----


def test_sheet_becomes_that_of_the_account_made_from_the_seat(heist: Encounter, guest: Client) -> None:
    enter(guest, invite(heist))
    here = f"/characters/{sheet_of(make_aside(guest, heist))}/"
    assert f'href="/accounts/signup/?next={here}"' in guest.get(here).content.decode()
    ada = sign_up(guest, "ada")
    assert Character.objects.get().owner == ada
    assert not GuestSheet.objects.exists()
    page = guest.get(here).content.decode()
    assert "Create an account" not in page
    assert f"Bring Kael to {NAME}" in page


def test_sheet_becomes_that_of_the_account_signed_in_to(heist: Encounter, guest: Client) -> None:
    ada = User.objects.create_user("ada", password=PASSWORD)
    enter(guest, invite(heist), "Guest")
    make(guest, heist)
    guest.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert Character.objects.get().owner == ada
    assert guest.get(f"/characters/{Character.objects.get().pk}/").status_code == 200


@pytest.mark.parametrize("how", ["revoked", "seen out", "left"])
def test_what_was_made_at_a_seat_that_has_ended_is_not_lost(
    heist: Encounter, guest: Client, gm_client: Client, how: str
) -> None:
    """Away from the table it has no page; a fresh link, or an account, brings it back."""
    link, token = make_link(heist, ShareLink.PLAY, "")
    enter(guest, f"/join/{token}/")
    pk = sheet_of(make(guest, heist))
    guest.post(f"/encounters/{heist.pk}/bring/", {"character": pk})
    if how == "revoked":
        revoke(link)
    elif how == "seen out":
        gm_client.post(f"/encounters/{heist.pk}/share/", {"do": "end", "seat": Seat.objects.get().pk})
    else:
        guest.post(f"/encounters/{heist.pk}/leave/")
    assert guest.get(f"/characters/{pk}/")["Location"].startswith("/accounts/login/")
    assert named(heist, "Kael")  # the GM has lost no one
    assert gm_client.get(f"/characters/{pk}/").status_code == 200
    enter(guest, invite(heist))
    assert guest.get(f"/characters/{pk}/").status_code == 200
    seat = Seat.objects.get(ended=None)
    guest.post(f"/encounters/{heist.pk}/leave/")
    assert seat.sheets.get().character_id == pk
    assert sign_up(guest, "ada") == Character.objects.get().owner


def test_sheet_moves_to_the_other_device_with_the_seat(
    heist: Encounter, guest: Client, gm_client: Client
) -> None:
    enter(guest, invite(heist))
    here = f"/characters/{sheet_of(make(guest, heist))}/"
    phone, (_, token) = Client(), make_link(heist, "play", "phone", uses=1, moves=Seat.objects.get())
    (button,) = [one.text for one in read(phone.get(f"/join/{token}/")).all("button", data_join_button="")]
    assert button == "Play on here"
    enter(phone, f"/join/{token}/")
    assert phone.get(here).status_code == 200
    assert guest.get(here).status_code == 302
    sign_up(guest, "old")
    assert Character.objects.get().owner is None
    assert sign_up(phone, "ada") == Character.objects.get().owner


# ---- Limits ----


@pytest.mark.slow
def test_guest_makes_no_more_than_a_few_also_by_deleting(heist: Encounter, guest: Client) -> None:
    enter(guest, invite(heist))
    for number in range(guests.MAX_SHEETS):
        pk = sheet_of(make(guest, heist, f"Kael {number}"))
        guest.post(f"/characters/{pk}/", {"do": "delete"})
    answer = make(guest, heist)
    assert answer.status_code == 409
    assert "create an account" in answer.content.decode()
    pk = Character.objects.earliest("pk").pk
    guest.post(f"/characters/{pk}/restore/")
    guest.post(f"/characters/{pk}/", {"do": "duplicate"})
    assert Character.objects.count() == guests.MAX_SHEETS


@pytest.mark.slow
def test_guests_of_a_table_make_no_more_than_it_bears(
    heist: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Characters from a revoked link do not count: so the GM makes room."""
    monkeypatch.setattr(guests, "MAX_AT_TABLE", 2)
    link, token = make_link(heist, ShareLink.PLAY, "")
    crowd = [Client(), Client(), Client()]
    for number, client in enumerate(crowd):
        enter(client, f"/join/{token}/", f"Ada {number}")
    assert [make(client, heist).status_code for client in crowd] == [302, 302, 409]
    revoke(link)
    enter(crowd[2], invite(heist))
    assert make(crowd[2], heist).status_code == 302


def test_character_of_a_table_that_is_removed_goes_with_it(
    heist: Encounter, guest: Client, gm_client: Client
) -> None:
    enter(guest, invite(heist))
    make(guest, heist)
    gm_client.post(f"/encounters/{heist.pk}/prep/", {"do": "delete", "confirm": NAME})
    assert Character.objects.get().deleted_at
    assert character_service.purge() == 0  # a month later it is deleted
    assert guest.get("/characters/").status_code == 302


# ---- Gear for them ----

PISTOL = "cosmos-weapon-pistol"
ADD = f"/gear/item/{PISTOL}/add/"


def things_of(pk: int) -> list[dict[str, Any]]:
    """The items on a character's sheet."""
    return list(Character.objects.get(pk=pk).sheet["items"])


def test_guest_buys_gear_for_their_own_character(heist: Encounter, guest: Client) -> None:
    """As for accounts: from the sheet to the catalog, and back with less money."""
    enter(guest, invite(heist))
    pk = sheet_of(make(guest, heist))
    Character.objects.filter(pk=pk).update(
        sheet={**Character.objects.get(pk=pk).sheet, "items": [], "credits": 100_000}
    )
    assert f"/gear/?for={pk}" in guest.get(f"/characters/{pk}/").content.decode()
    page = guest.get(f"/gear/?for={pk}&q=pistol").content.decode()
    assert ADD in page
    for word in ("Create an item", "Import items", "Only my items", "Create variant"):
        assert word not in page
    assert "Create variant" not in guest.get(f"/gear/item/{PISTOL}/?for={pk}").content.decode()
    assert guest.post(ADD, {"character": pk, "pay": "1"}).status_code == 302
    (change, *_) = Character.objects.get(pk=pk).changes.order_by("-number")
    assert change.what.startswith("Bought ")
    assert change.by == "Ada"
    assert len(things_of(pk)) == 1


def test_guest_sees_nobodys_own_items(heist: Encounter, guest: Client, gm: User, gm_client: Client) -> None:
    """The GM shares them with the accounts at the table."""
    model = sure(find_item(gm, PISTOL))
    item = save_own(gm, model.system, "weapon", {**model.entry.record, "name": "Heirloom"})
    share(item, shared=True)
    assert b"Heirloom" in gm_client.get("/gear/?own").content
    enter(guest, invite(heist))
    assert b"Heirloom" not in guest.get("/gear/?own").content
    assert b"Heirloom" not in guest.get("/gear/?q=heirloom").content.replace(b'value="heirloom"', b"")
    assert guest.get(f"/gear/item/own-{item.pk}/").status_code == 404
    assert guest.get("/gear/own/new/").status_code == 302
