"""People delete their own account: what goes with it, what stays with others, and who has to stay."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.test import Client
from zeal import zeal_ignore

from characters.accounts.users import find_host, make_gm
from characters.models import Character
from combat.audience.rights import grant_of
from combat.models import Campaign, Encounter, Note, Participation, Seat
from combat.play.campaigns.table_notes import OWN, save_note
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import read_history
from combat.rules.core.basics.errors import Refused
from combat.sharing import accounts
from tests.combat.cast import PASSWORD, enter, invite
from tests.combat.visit import read, refusal

PAGE = "/accounts/delete/"


@pytest.fixture
def rhea(gm: User) -> User:
    """A player with a password; the host is another person."""
    return User.objects.create_user("rhea", password=PASSWORD)


@pytest.fixture
def rheas(rhea: User) -> Client:
    """Their browser, where they have just confirmed that it is them."""
    client = Client()
    client.force_login(rhea)
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return client


@pytest.mark.slow
def test_what_one_owns_goes_and_what_others_have_stays(
    gm: User, gm_client: Client, rhea: User, rheas: Client
) -> None:
    theirs = Encounter.objects.get(pk=make_demo_fight(rhea, "cosmos").pk)
    Campaign.objects.create(owner=rhea, name="Rim")
    fight = Encounter.objects.get(pk=make_demo_fight(gm, "cosmos").pk)
    assert enter(rheas, invite(fight), combatant="f1").status_code == 302
    seat = Seat.objects.get(user=rhea)
    zara = Character.objects.create(owner=rhea, system="cosmos", name="Zara", sheet={})
    Participation.objects.create(encounter=fight, character=zara, combatant="f1")
    save_note(fight.pk, OWN, "I trust nobody.", 0, grant=grant_of(fight, seat))
    rheas.post(f"/encounters/{fight.pk}/", {"do": "note", "text": "Hm"})
    before = read_history(fight).steps
    page = read(rheas.get(PAGE))
    owned = page.all("li", inside=page.one("ul", class_="owned"))
    assert [one.text for one in owned] == ["1 encounter", "1 character", "1 campaign"]

    answer = rheas.post(PAGE, {"do": "delete", "typed": "rhea"}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "Your account is deleted, with everything it owned." in answer.content.decode()
    assert "_auth_user_id" not in rheas.session
    assert not User.objects.filter(username="rhea").exists()
    assert not Encounter.objects.filter(pk=theirs.pk).exists()
    assert [some.objects.count() for some in (Character, Campaign, Note)] == [0, 0, 0]
    assert read_history(Encounter.objects.get(pk=fight.pk)).steps == before
    left = Seat.objects.get(pk=seat.pk)
    assert (left.name, left.ended is not None) == ("rhea", True)
    for address in ("", "log/", "share/"):
        assert gm_client.get(f"/encounters/{fight.pk}/{address}").status_code == 200


def test_everything_can_be_downloaded_before(rhea: User, rheas: Client) -> None:
    make_demo_fight(rhea, "cosmos")
    with zeal_ignore():
        answer = rheas.post(PAGE, {"do": "download"})
    assert answer["Content-Disposition"] == 'attachment; filename="rhea.zip"'
    with ZipFile(BytesIO(b"".join(answer))) as archive:
        assert [name.split("/")[0] for name in archive.namelist()] == ["encounters"]
    answer.close()
    assert User.objects.filter(pk=rhea.pk).exists()


@pytest.mark.parametrize(
    "sent",
    [{"do": "delete"}, {"do": "delete", "typed": "gm"}, {"typed": "rhea"}, {"do": "x", "typed": "rhea"}],
)
def test_nothing_is_deleted_by_a_click(rhea: User, rheas: Client, sent: dict[str, str]) -> None:
    assert rheas.post(PAGE, sent).status_code == 422
    assert rheas.get(PAGE, {"do": "delete", "typed": "rhea"}).status_code == 200
    assert User.objects.filter(pk=rhea.pk).exists()


def test_password_is_asked_for_first(rhea: User) -> None:
    """A browser left open is not enough."""
    client = Client()
    client.force_login(rhea)
    for answer in (client.get(PAGE), client.post(PAGE, {"do": "delete", "typed": "rhea"})):
        assert answer["Location"].startswith("/accounts/reauthenticate/?next=")
    client.post("/accounts/reauthenticate/", {"password": "wrong", "next": PAGE})
    assert User.objects.filter(pk=rhea.pk).exists()


def test_only_gm_stays_and_is_told_why(gm: User, gm_client: Client) -> None:
    page = read(gm_client.get(PAGE)).one("main").text
    assert "You are the only GM of this site" in page
    assert "make_gm NAME" in page
    answer = gm_client.post(PAGE, {"do": "delete", "typed": "gm"})
    assert (answer.status_code, "Make another GM first" in refusal(answer)) == (409, True)
    second = make_gm("second")
    assert "After you, second does." in read(gm_client.get(PAGE)).one("main").text
    assert gm_client.post(PAGE, {"do": "delete", "typed": "gm"}).status_code == 302
    assert find_host() == second


def test_two_posts_at_once_delete_once(rhea: User) -> None:
    accounts.delete_own_account(rhea.pk, "rhea")
    accounts.delete_own_account(rhea.pk, "rhea")
    assert not User.objects.filter(username="rhea").exists()


def test_half_a_deletion_is_none(rhea: User, monkeypatch: pytest.MonkeyPatch) -> None:
    make_demo_fight(rhea, "cosmos")

    def fail(_: object) -> None:
        raise Refused("busy", "Try again.")

    monkeypatch.setattr(accounts, "leave_seat", fail)
    other = Encounter.objects.get(pk=make_demo_fight(User.objects.get(username="gm"), "cosmos").pk)
    Seat.objects.create(encounter=other, user=rhea, name="rhea", kind="play", digest="x")
    with pytest.raises(Refused):
        accounts.delete_own_account(rhea.pk, "rhea")
    assert Encounter.objects.filter(owner=rhea).count() == 1
