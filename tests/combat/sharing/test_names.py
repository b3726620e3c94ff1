"""Names at a table: no guest can pose as the GM, or as the owner of an account there."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, Seat, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import come, enter, invite
from tests.combat.visit import PIRATE, ZARA, load, read

SIGNUP = "/accounts/signup/"


def join_as(encounter: Encounter, name: str) -> tuple[int, str]:
    """A guest's result for a name: the status, and the warning."""
    answer = enter(Client(), invite(encounter), name)
    alerts = read(answer).all(class_="alert") if answer.status_code != 302 else []
    return answer.status_code, " ".join(alert.text for alert in alerts)


@pytest.fixture
def table(started: Encounter) -> Encounter:
    """A table run by Marian, with Paula's account at a seat, Cleo as co-GM, and a guest called Gus."""
    User.objects.filter(pk=started.owner_id).update(username="Marian")
    paula = Client()
    paula.force_login(User.objects.create_user("Paula"))
    enter(paula, invite(started), "")
    come(started, ShareLink.CO_GM, "Cleo")
    come(started, ShareLink.PLAY, "Gus")
    return load(started.pk)


TAKEN = (
    "Marian",
    "MARIAN",
    "Mar\u200bian",
    "Маriаn",
    "Marían",
    "Paula",
    "P.aula",
    "PAUIA",
    "Cleo",
    "C1eo",
    "GM",
    "Gus (GM)",
    "Game master",
)


@pytest.mark.slow
def test_guest_cannot_be_called_as_the_gm_or_an_account(table: Encounter) -> None:
    for name in TAKEN:
        status, said = join_as(table, name)
        assert status == 409, name
        assert "is taken at this table: choose another name." in said
        assert table.seats.filter(ended=None).count() == 3


def test_guest_may_have_any_other_name(table: Encounter) -> None:
    """Also the name of another guest, who may have lost their own seat."""
    for name in ("Mariana", "Paul", "Gus", "Zed", "李", "Анна"):
        assert join_as(table, name)[0] == 302, name


def test_name_of_an_account_that_has_left_is_free(table: Encounter) -> None:
    Seat.objects.filter(user__username="Paula").update(ended=table.created)
    assert join_as(table, "Paula")[0] == 302


@pytest.mark.parametrize("name", ["gm", "the_gm", "Marlan", "Marian", "MARIAN", "m-a-r-i-a-n", "Маriаn"])
def test_new_account_cannot_be_taken_for_another(table: Encounter, name: str) -> None:
    word = "seven purple moons"
    known = User.objects.count()
    form = {"username": name.replace("Marlan", "MarIan"), "password1": word, "password2": word}
    assert Client().post(SIGNUP, form).status_code == 200
    assert User.objects.count() == known


def test_new_account_with_a_name_of_its_own_is_made(table: Encounter) -> None:
    word = "seven purple moons"
    form = {"username": "Mariana", "password1": word, "password2": word}
    assert Client().post(SIGNUP, form).status_code == 302


def test_log_says_who_did_it_and_who_is_the_gm(table: Encounter, gm_client: Client) -> None:
    here = f"/encounters/{table.pk}/"
    player = come(table, ShareLink.PLAY, "Pia")
    Seat.objects.filter(name="Pia").update(combatants=[ZARA])
    player.post(here, {"do": "total_defense", "combatant": ZARA})
    gm_client.post(here, {"do": "adjust", "target": PIRATE, "track": "hp", "points": "1", "sign": "-"})
    for client in (player, gm_client):
        told = client.get(f"{here}log/").content.decode()
        assert "Marian (GM)" in told
        assert ">Pia<" in told
        assert "Pia (GM)" not in told
    assert list(load(table.pk).log.order_by("-number").values_list("by", flat=True)[:2]) == [
        "Marian (GM)",
        "Pia",
    ]


def test_long_name_of_a_gm_fits_into_the_log(table: Encounter, gm_client: Client) -> None:
    User.objects.filter(pk=table.owner_id).update(username="m" * 150)
    assert gm_client.post(f"/encounters/{table.pk}/", {"do": "autoplay"}).status_code in (303, 200)
    assert len(load(table.pk).log.latest("number").by) <= 150


def test_share_page_marks_who_runs_the_table_and_who_is_a_guest(table: Encounter, gm_client: Client) -> None:
    page = read(gm_client.get(f"/encounters/{table.pk}/share/"))
    rows = page.all("li", inside=page.one(id="people"))
    cells = [(page.all("b", inside=row), page.all("small", inside=row)) for row in rows]
    told = {name[0].text: small[0].text for name, small in cells if small}
    assert (told["Cleo"], told["Marian"]) == ("Co-GM GM · guest", "GM")
    assert ("guest" in told["Gus"], "guest" in told["Paula"]) == (True, False)


def test_door_without_a_page_signs_nobody(table: Encounter) -> None:
    submit(table.pk, Submission("note", {"text": "A remark."}, by="backup"))
    assert load(table.pk).log.latest("number").by == "backup"
