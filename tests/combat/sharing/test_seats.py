"""Seats: their holders, their combatants, and how they change hands."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from characters.accounts.users import make_sign_in_link
from combat.audience.viewer import GM, Viewer
from combat.models import Encounter, Seat
from combat.pages.report.replay import export_text
from combat.play.writing.encounter_service import Submission, read_history, redo, submit, undo
from combat.play.writing.verification import read_step
from combat.rules import find_system
from combat.rules.core.engine.document import replay
from combat.rules.core.gm.standing_orders import STANDING
from combat.rules.core.state import events as e
from combat.sharing.codes import show_code, spell
from combat.sharing.links import assign, revoke
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import PASSWORD, Cast, Place, come, enter, invite, seat_named
from tests.combat.markup import Page
from tests.combat.sharing.test_links import NASTY
from tests.combat.visit import MARCUS, PIRATE, ZARA, load, read, state_of
from tests.typed import sure


def table_of(client: Client, pk: int) -> Page:
    """The table as a person sees it."""
    return read(client.get(f"/encounters/{pk}/"))


def can_act_for(client: Client, pk: int, who: str) -> bool:
    """Whether a person's page offers actions for a combatant."""
    page = table_of(client, pk)
    return any(f"combatant={who}&do=" in link["href"] for link in page.all("a", class_="action"))


def share(gm: Client, pk: int, do: str, **fields: object) -> int:
    """Post a form of the share page."""
    return gm.post(f"/encounters/{pk}/share/", {"do": do, **fields}).status_code


# ---- Playing ----


@pytest.mark.usefixtures("fives")  # a critical hit would ask them something first
def test_player_acts_for_their_own_combatant_on_its_turn(cast: Cast, started: Encounter) -> None:
    assert can_act_for(cast.player, started.pk, ZARA)
    assert "Your turn" in table_of(cast.player, started.pk).one(id="turn").text
    Place(cast.player, started.pk).act("attack", ZARA, target=PIRATE)
    assert state_of(started.pk).combatants[ZARA].budget["standard"] == 0


def test_player_does_not_act_for_others(cast: Cast, started: Encounter) -> None:
    for who in (MARCUS, PIRATE, "f99", ""):
        assert not can_act_for(cast.player, started.pk, MARCUS)
        words = Place(cast.player, started.pk).refused("total_defense", 409, combatant=who)
        assert words == "You don't control that combatant."


@pytest.mark.slow
def test_number_of_an_undone_combatant_is_never_used_again(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("join", {"block": "pirate", "name": "Mate"}))
    mate = list(state_of(started.pk).combatants)[-1]
    assert share(cast.gm, started.pk, "assign", combatant=mate, seat=seat_named("Pia").pk) == 302
    rule = next(iter(find_system(started.system).rulebook.rules))
    order = {"actor": mate, "rule_id": rule, "value": "always"}
    submit(started.pk, Submission("give_condition", {"target": ZARA, "kind": "frightened", "by": mate}))
    submit(started.pk, Submission("set_standing", order))
    for _ in range(3):
        undo(started.pk)
    submit(started.pk, Submission("join", {"block": "warlord", "name": "Mastermind", "hidden": True}))
    state = state_of(started.pk)
    boss = list(state.combatants)[-1]
    assert (state.combatants[boss].name, mate in state.combatants) == ("Mastermind", False)
    submit(started.pk, Submission("give_condition", {"target": ZARA, "kind": "frightened"}))
    fresh = state_of(started.pk).combatants
    struck = [f.event for row in started.log.filter(struck=True) for f in read_step(row).facts]
    taken = [event.condition.id for event in struck if isinstance(event, e.ConditionGained)]
    assert taken
    assert not {held.id for f in fresh.values() for held in f.conditions}.intersection(taken)
    assert not [key for key in fresh[boss].marks if key.startswith(STANDING)]
    started.refresh_from_db()
    told = export_text(ViewerContext(started, GM))
    assert ("Mate joins" in told, "Mastermind joins" in told) == (True, True)
    players = ViewerContext(started, Viewer(seats=frozenset([ZARA, mate])))
    assert "Mastermind" not in export_text(players)
    assert replay(read_history(started), find_system).ok
    assert seat_named("Pia").combatants == [ZARA, mate]
    assert "Mastermind" in cast.gm.get(f"/encounters/{started.pk}/").content.decode()
    for who in (mate, boss):
        page = cast.player.get(f"/encounters/{started.pk}/?combatant={who}").content.decode()
        assert "Mastermind" not in page
    assert not can_act_for(cast.player, started.pk, boss)


def test_combatant_that_is_back_by_redo_is_its_players_still(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("join", {"block": "pirate", "name": "Mate"}))
    share(cast.gm, started.pk, "assign", combatant="f4", seat=seat_named("Pia").pk)
    undo(started.pk)
    redo(started.pk)
    assert seat_named("Pia").combatants == [ZARA, "f4"]
    assert can_act_for(cast.player, started.pk, ZARA)


def test_player_ends_their_own_turn_and_no_other(cast: Cast, started: Encounter) -> None:
    assert cast.other.post(f"/encounters/{started.pk}/", {"do": "next_turn"}).status_code == 403
    assert state_of(started.pk).active == ZARA
    Place(cast.player, started.pk).do("next_turn")
    assert state_of(started.pk).active == PIRATE
    assert cast.player.post(f"/encounters/{started.pk}/", {"do": "next_turn"}).status_code == 403


def test_watcher_has_no_controls(cast: Cast, started: Encounter) -> None:
    page = table_of(cast.watcher, started.pk)
    assert page.all(id="turn") == []
    forms = [form["action"] for form in page.all("form", method="post")]
    assert [f for f in forms if f.startswith("/encounters/")] == [f"/encounters/{started.pk}/leave/"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NASTY)
def test_name_of_a_guest_is_only_text(gm_client: Client, started: Encounter, name: str) -> None:
    guest = come(started, "play", name, ZARA)
    page = read(gm_client.get(f"/encounters/{started.pk}/share/"))
    assert name in [cell.text for cell in page.all("b", inside=page.one(id="people"))]
    assert name in [option.text for option in page.all("option")]
    assert f"Leave the seat of {name}" in [b.text for b in table_of(guest, started.pk).all("button")]
    Place(guest, started.pk).do("next_turn")
    log = gm_client.get(f"/encounters/{started.pk}/log/").content.decode()
    assert name not in log or "<" not in name


# ---- Leaving and being removed ----


def test_leaving_gives_the_seat_up(cast: Cast, started: Encounter) -> None:
    assert cast.player.post(f"/encounters/{started.pk}/leave/")["Location"] == "/"
    assert f"You left {started.name}." in cast.player.get("/").content.decode()
    assert cast.player.get(f"/encounters/{started.pk}/").status_code == 302
    assert seat_named("Pia").ended
    assert "Zara" in Client().get(invite(started)).content.decode()


@pytest.mark.parametrize(
    ("uses", "said"),
    [
        (0, "Its link brings you back."),
        (2, "Its link brings you back."),
        (1, "Its link is used up: ask the GM for another."),
    ],
)
@pytest.mark.parametrize("has_account", [False, True])
def test_leaving_promises_only_a_link_that_opens(
    started: Encounter, uses: int, said: str, has_account: bool
) -> None:
    client, address = Client(), invite(started, uses=uses)
    if has_account:
        client.force_login(User.objects.create_user("ada"))
    enter(client, address)
    client.post(f"/encounters/{started.pk}/leave/")
    assert f"You left {started.name}. {said}" in client.get("/").content.decode()
    assert (client.get(address).status_code == 200) == ("back" in said)


def test_leaving_by_account_gives_the_seat_up_on_every_device(started: Encounter) -> None:
    person, here, there = User.objects.create_user("ada"), Client(), Client()
    for client in (here, there):
        client.force_login(person)
    address = invite(started)
    enter(here, address)
    assert there.get(f"/encounters/{started.pk}/").status_code == 200
    there.post(f"/encounters/{started.pk}/leave/")
    assert here.get(f"/encounters/{started.pk}/").status_code == 410
    assert "Open its link again" in said_to(here, started)
    assert enter(here, address).status_code == 302


def said_to(client: Client, started: Encounter) -> str:
    """The message of its page to a person whose seat has ended."""
    answer = client.get(f"/encounters/{started.pk}/")
    assert answer.status_code == 410
    return answer.content.decode()


def test_removing_a_seat_asks_first(cast: Cast, started: Encounter) -> None:
    page = read(cast.gm.get(f"/encounters/{started.pk}/share/"))
    buttons = page.all("button", name="do", value="end")
    assert buttons
    for button in buttons:
        assert [each.tag for each in button.parents].count("details") == 1, "a fold says what it does"


def test_gm_ends_a_seat(cast: Cast, started: Encounter) -> None:
    assert share(cast.gm, started.pk, "end", seat=seat_named("Pia").pk) == 302
    assert "The GM removed your seat. Ask for a new link." in said_to(cast.player, started)
    assert cast.other.get(f"/encounters/{started.pk}/").status_code == 200
    assert share(cast.gm, started.pk, "end", seat=seat_named("Pia").pk) == 409


@pytest.mark.parametrize("has_account", [False, True])
def test_whom_the_gm_removed_needs_another_link(cast: Cast, started: Encounter, has_account: bool) -> None:
    address, ada, elsewhere = invite(started), Client(), Client()
    if has_account:
        for client in (ada, elsewhere):
            client.force_login(User.objects.get_or_create(username="Ada")[0])
    enter(ada, address)
    dialog = read(cast.gm.get(f"/encounters/{started.pk}/share/")).one(
        "li", id=f"seat-of-{seat_named('Ada').pk}"
    )
    assert "revoke it to keep everyone out" in dialog.text
    share(cast.gm, started.pk, "end", seat=seat_named("Ada").pk)
    ada.post(f"/encounters/{started.pk}/leave/")  # with the button of a page opened before
    for client in (ada, elsewhere) if has_account else (ada,):
        for answer in (client.get(address), enter(client, address)):
            assert answer.status_code == 410
            assert "The GM removed your seat. Ask for a new link." in answer.content.decode()
    assert seat_named("Ada").ended
    assert enter(Client(), address, "Bo").status_code == 302, "the link serves others"
    assert enter(ada, invite(started), "Anna").status_code == 302
    assert ada.get(f"/encounters/{started.pk}/").status_code == 200
    if has_account:
        assert ada.get(address)["Location"] == f"/encounters/{started.pk}/"


def test_whom_the_gm_removed_comes_by_no_code_of_the_link(cast: Cast, started: Encounter) -> None:
    link = sure(seat_named("Pia").link)
    code = spell(show_code(link))
    share(cast.gm, started.pk, "end", seat=seat_named("Pia").pk)
    assert cast.player.post("/join/", {"code": code}, follow=True).status_code == 410


@pytest.mark.parametrize("has_account", [False, True])
def test_link_brings_back_who_left_or_changed_seats(started: Encounter, has_account: bool) -> None:
    address, ada = invite(started), Client()
    if has_account:
        ada.force_login(User.objects.create_user("Ada"))
    for wanted in (ZARA, MARCUS, ZARA):
        assert enter(ada, address, combatant=wanted).status_code == 302
    ada.post(f"/encounters/{started.pk}/leave/")
    assert ada.get(address).status_code == 200
    assert enter(ada, address).status_code == 302


def test_gm_sees_who_is_here(cast: Cast, started: Encounter) -> None:
    cast.player.get(f"/encounters/{started.pk}/")
    with time_machine.travel(timezone.now() + timedelta(minutes=10), tick=False):
        cast.other.get(f"/encounters/{started.pk}/")
        page = read(cast.gm.get(f"/encounters/{started.pk}/share/"))
    rows = {
        page.all("b", inside=row)[0].text: row
        for row in page.all("li", inside=page.one("ul", class_="people"))
    }
    assert {"Pia", "Otto", "Wim", "Cleo"} <= set(rows)
    assert "Rex" not in rows
    assert [name for name, row in rows.items() if page.all(inside=row, class_="is-here")] == ["Otto"]
    assert "away 10 min" in rows["Pia"].text


# ---- Whose combatant is whose ----


def test_gm_assigns_and_takes_over(cast: Cast, started: Encounter) -> None:
    otto = seat_named("Otto")
    assert share(cast.gm, started.pk, "assign", combatant=ZARA, seat=otto.pk) == 302
    assert not can_act_for(cast.player, started.pk, ZARA)
    assert can_act_for(cast.other, started.pk, ZARA)
    assert seat_named("Otto").combatants == [MARCUS, ZARA]
    assert share(cast.gm, started.pk, "assign", combatant=ZARA, seat="") == 302
    assert not can_act_for(cast.other, started.pk, ZARA)
    assert can_act_for(cast.gm, started.pk, ZARA)


def test_gm_may_hand_out_any_combatant(cast: Cast, started: Encounter) -> None:
    share(cast.gm, started.pk, "assign", combatant=PIRATE, seat=seat_named("Pia").pk)
    Place(cast.player, started.pk).do("next_turn")
    assert can_act_for(cast.player, started.pk, PIRATE)


def test_gm_hands_out_several_at_once(cast: Cast, started: Encounter) -> None:
    share(cast.gm, started.pk, "assign", combatant=[MARCUS, PIRATE], seat=seat_named("Pia").pk)
    assert seat_named("Pia").combatants == [ZARA, MARCUS, PIRATE]
    assert seat_named("Otto").combatants == []
    share(cast.gm, started.pk, "assign", combatant=[ZARA, PIRATE], seat="")
    assert seat_named("Pia").combatants == [MARCUS]


def test_of_several_with_one_unknown_nobody_is_handed_out(cast: Cast, started: Encounter) -> None:
    assert share(cast.gm, started.pk, "assign", combatant=[PIRATE, "f99"], seat=seat_named("Pia").pk) == 409
    assert seat_named("Pia").combatants == [ZARA]


def test_list_is_of_player_characters_and_whom_players_have(cast: Cast, started: Encounter) -> None:
    """The GM's other combatants are folded away; a link from the table for one of them opens its name."""

    def read_list(query: str = "") -> tuple[set[str], set[str], set[str]]:
        page = read(cast.gm.get(f"/encounters/{started.pk}/share/{query}"))
        boxes = page.all("input", name="combatant")
        folded = page.all("input", page.one("details", id="others"), name="combatant")
        ticked = {box["value"] for box in boxes if "checked" in box.attrs}
        return {box["value"] for box in boxes}, {box["value"] for box in folded}, ticked

    submit(started.pk, Submission("join", {"block": "street_thug", "count": 2}, by="gm"))
    assert read_list() == ({ZARA, PIRATE, MARCUS, "f4", "f5"}, {PIRATE, "f4", "f5"}, set())
    share(cast.gm, started.pk, "assign", combatant="f4", seat=seat_named("Pia").pk)
    assert read_list()[1] == {PIRATE, "f5"}
    assert read_list(f"?hand={PIRATE}")[1:] == ({"f5"}, {PIRATE})


def test_assigning_twice_changes_nothing(cast: Cast, started: Encounter) -> None:
    for _ in range(2):
        assign(load(started.pk), [MARCUS], seat_named("Pia"))
    assert seat_named("Pia").combatants == [ZARA, MARCUS]
    assert seat_named("Otto").combatants == []


@pytest.mark.parametrize("name", ["Wim", "Cleo", "Rex"])
def test_only_players_get_combatants(cast: Cast, started: Encounter, name: str) -> None:
    share(cast.gm, started.pk, "assign", combatant=PIRATE, seat=seat_named(name).pk)
    assert seat_named(name).combatants == []


@pytest.mark.parametrize(
    "fields", [{"combatant": "f99", "seat": ""}, {"combatant": ZARA, "seat": "²"}, {"combatant": ""}]
)
def test_impossible_assignment_is_refused(cast: Cast, started: Encounter, fields: dict[str, str]) -> None:
    assert share(cast.gm, started.pk, "assign", **fields) == 409
    assert seat_named("Pia").combatants == [ZARA]


def test_assignment_is_news_for_those_at_seats_only(cast: Cast, started: Encounter) -> None:
    before = load(started.pk)
    assign(before, [PIRATE], seat_named("Pia"))
    now = load(started.pk)
    assert now.stamp(is_gm=False) == before.stamp(is_gm=False)
    assert now.stamp(is_gm=False, is_seated=True) != before.stamp(is_gm=False, is_seated=True)


@pytest.mark.parametrize("who", [PIRATE, "f99", "f1-1", "\0"])
def test_only_open_player_characters_can_be_taken(started: Encounter, guest: Client, who: str) -> None:
    assert enter(guest, invite(started), "Bo", who).status_code == 409
    assert not Seat.objects.exists()


# ---- Coming again ----


def test_opening_the_same_link_again_always_keeps_the_seat(started: Encounter, guest: Client) -> None:
    address = invite(started, uses=2)
    enter(guest, address, "Ada", ZARA)
    for name in ("Ada", "Bo", "Ada"):
        assert enter(guest, address, name).status_code == 302
    (seat,) = Seat.objects.all()
    assert (seat.name, seat.combatants, seat.link and seat.link.uses_left) == ("Ada", [ZARA], 1)
    assert can_act_for(guest, started.pk, ZARA)


def test_other_kind_of_link_replaces_the_seat(started: Encounter, guest: Client) -> None:
    enter(guest, invite(started, "watch"), "Ada")
    enter(guest, invite(started), "Ada", ZARA)
    assert [seat.kind for seat in Seat.objects.filter(ended=None)] == ["play"]
    assert can_act_for(guest, started.pk, ZARA)
    enter(guest, invite(started, "watch"), "Ada")
    assert [seat.kind for seat in Seat.objects.filter(ended=None)] == ["watch"]
    assert not can_act_for(guest, started.pk, ZARA)


def test_who_has_a_seat_is_told_what_another_link_would_cost(started: Encounter, guest: Client) -> None:
    watch, warning = invite(started, "watch"), "Joining by this link gives up that seat."
    assert warning not in guest.get(watch).content.decode()
    enter(guest, invite(started), "Ada", ZARA)
    page = read(guest.get(watch)).one(class_="alert").text
    assert "as Ada, with a character of your own to play" in page
    assert warning in page
    assert can_act_for(guest, started.pk, ZARA), "looking at the page gives nothing up"


def test_taking_another_character_leaves_the_first_free(started: Encounter, guest: Client) -> None:
    enter(guest, invite(started), "Ada", ZARA)
    enter(guest, invite(started), "Ada", MARCUS)
    assert [seat.combatants for seat in Seat.objects.filter(ended=None)] == [[MARCUS]]


# ---- To another device ----


def move_link(gm: Client, pk: int, name: str) -> str:
    """The address that moves someone's seat to another device."""
    page = gm.post(f"/encounters/{pk}/share/", {"do": "move", "seat": seat_named(name).pk}, follow=True)
    return read(page).one("input", id="asked-1")["value"].removeprefix("http://testserver")


@pytest.mark.slow
def test_seat_moves_to_another_device_and_the_old_one_is_out(cast: Cast, started: Encounter) -> None:
    address, phone = move_link(cast.gm, started.pk, "Pia"), Client()
    offered = phone.get(address).content.decode()
    assert "seat of Pia" in offered
    assert "Play on here" in offered
    assert can_act_for(cast.player, started.pk, ZARA)  # until the phone follows it
    assert enter(phone, address).status_code == 302
    assert can_act_for(phone, started.pk, ZARA)
    assert "Your seat is no longer on this device." in said_to(cast.player, started)
    assert seat_named("Pia").name == "Pia"
    assert enter(Client(), address).status_code == 404  # it works once


def test_seat_of_an_account_moves_to_who_takes_it(started: Encounter, gm_client: Client) -> None:
    person, old, new = User.objects.create_user("ada"), Client(), Client()
    old.force_login(person)
    enter(old, invite(started), "", ZARA)
    enter(new, move_link(gm_client, started.pk, "ada"))
    assert can_act_for(new, started.pk, ZARA)
    assert "Your seat is no longer on this device." in said_to(old, started)


def test_link_to_another_device_ends_with_the_seat(cast: Cast, started: Encounter) -> None:
    address = move_link(cast.gm, started.pk, "Pia")
    link = sure(seat_named("Pia").link)
    revoke(link)
    assert Client().get(address).status_code == 404
    assert enter(Client(), address).status_code == 404
    other = move_link(cast.gm, started.pk, "Otto")
    cast.other.post(f"/encounters/{started.pk}/leave/")
    assert enter(Client(), other).status_code == 404


def test_newer_link_to_another_device_ends_the_older(cast: Cast, started: Encounter) -> None:
    first, second = (move_link(cast.gm, started.pk, "Pia") for _ in range(2))
    assert enter(Client(), first).status_code == 404
    assert enter(Client(), second).status_code == 302


# ---- To an account ----


def sign_up(client: Client) -> None:
    form = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", form).status_code == 302


def sign_in(client: Client) -> None:
    User.objects.create_user("ada", password=PASSWORD)
    assert client.post("/accounts/login/", {"login": "ada", "password": PASSWORD}).status_code == 302


def sign_in_by_link(client: Client) -> None:
    token = make_sign_in_link(User.objects.create_user("ada"))
    assert client.post(f"/sign-in/{token}/").status_code == 302


@pytest.mark.parametrize("way", [sign_up, sign_in, sign_in_by_link])
def test_guest_who_gets_an_account_keeps_the_combatants(
    started: Encounter, guest: Client, way: object
) -> None:
    enter(guest, invite(started), "Pia", ZARA)
    assert callable(way)
    way(guest)
    person = User.objects.get(username="ada")
    seat = seat_named("Pia")
    assert (seat.user, seat.combatants) == (person, [ZARA])
    assert can_act_for(guest, started.pk, ZARA)
    elsewhere = Client()
    elsewhere.force_login(person)
    assert can_act_for(elsewhere, started.pk, ZARA)
    guest.post("/accounts/logout/")
    assert guest.get(f"/encounters/{started.pk}/").status_code == 302
    assert can_act_for(elsewhere, started.pk, ZARA)


def test_account_takes_no_seat_that_has_ended_or_is_anothers(cast: Cast, started: Encounter) -> None:
    Seat.objects.filter(name="Rex").update(removed=False)
    sign_up(cast.revoked)
    assert seat_named("Rex").user is None
    assert cast.revoked.get(f"/encounters/{started.pk}/").status_code == 410
    Seat.objects.filter(name="Pia").update(user=started.owner)
    session = cast.player.session
    assert session["seats"]
    cast.player.force_login(User.objects.get(username="stranger"))
    assert seat_named("Pia").user == started.owner


# ---- The way back to a table ----


def test_guest_signs_in_and_comes_back_to_the_table(cast: Cast, started: Encounter) -> None:
    here = f"/encounters/{started.pk}/"
    link = read(cast.player.get(here)).one("a", href=f"/accounts/login/?next={here}")
    assert link.text == "Sign in"
    form = {"username": "pia", "password1": PASSWORD, "password2": PASSWORD, "next": here}
    assert cast.player.post("/accounts/signup/", form)["Location"] == here
    assert seat_named("Pia").user == User.objects.get(username="pia")


def test_player_without_a_combatant_is_told_how_to_get_one(started: Encounter) -> None:
    phone = Client()
    phone.post(invite(started), {"name": "Pia", "combatant": ""})
    page = table_of(phone, started.pk)
    assert "Ask the GM for one" in page.one(id="turn").text
    assert not page.all("a", class_="action")
