"""Who may sit at a table again: the table of ways back, for guests and accounts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from characters.models import Character
from combat.audience.rights import viewer_of
from combat.models import Campaign, Encounter, ProgramToken, Seat, ShareLink
from combat.play.campaigns.campaigns import bring_party, create_in_campaign
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.codes import show_code, spell
from combat.sharing.links import end_seat, make_link, revoke
from combat.sharing.programs import find_token, make_token
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import enter, invite
from tests.combat.evenings import make_hero
from tests.combat.pages.campaigns.test_two_evenings import (
    begin_evening,
    find_heroes,
    find_next,
    join_as_guest,
)
from tests.combat.visit import SLUG


@dataclass
class Evening:
    """A campaign's first fight with one player, and the links that were made before anybody was removed."""

    gm: Client
    fight: Encounter
    address: str
    person: Client
    older: dict[str, str] = field(default_factory=dict)

    @property
    def seat(self) -> Seat:
        """The player's newest seat."""
        return Seat.objects.latest("created")

    def play_on(self) -> Encounter:
        """End the fight and begin the next with the same people; that is the one at hand now."""
        submit(self.fight.pk, Submission("start"))
        submit(self.fight.pk, Submission("end_fight"))
        self.fight = find_next(self.gm.post("/encounters/new/", {"after": self.fight.pk})["Location"])
        return self.fight


def come_as_guest(address: str) -> Client:
    return join_as_guest(address)


def come_with_account(address: str) -> Client:
    client, person = Client(), User.objects.create_user("ben")
    client.force_login(person)
    hero = make_hero(person, "Zoe", SLUG)
    assert client.post(address, {"combatant": f"own:{hero.pk}"}).status_code == 302
    return client


WHO: dict[str, Callable[[str], Client]] = {"guest": come_as_guest, "account": come_with_account}


@pytest.fixture(params=WHO)
def evening(request: pytest.FixtureRequest, gm_client: Client, campaign: Campaign) -> Evening:
    fight, address = begin_evening(campaign, SLUG)
    older = {"another link": invite(fight), "a spectator's link": invite(fight, ShareLink.WATCH)}
    return Evening(gm_client, fight, address, WHO[request.param](address), older)


def is_in(evening: Evening) -> bool:
    """Whether they have a seat; a fight that is still prepared tells them to wait (403)."""
    return evening.person.get(f"/encounters/{evening.fight.pk}/").status_code in (200, 403)


def find_ways_in(evening: Evening) -> list[str]:
    """The addresses and codes made before now by which this person gets a seat."""
    link = evening.fight.links.filter(kind=ShareLink.PLAY).earliest("created")
    ways = {"the link": evening.address, "its code": f"/join/{spell(show_code(link))}/", **evening.older}
    found = []
    for name, address in ways.items():
        if name == "its code":
            opened = evening.person.post("/join/", {"code": address.split("/")[2]})["Location"]
        else:
            opened = address
        assert Client().get(opened).status_code == 200, "others still come by it"
        if enter(evening.person, opened).status_code == 302 and is_in(evening):
            found.append(name)
    return found


def test_whom_the_gm_removed_comes_by_nothing_made_before(evening: Evening) -> None:
    assert is_in(evening)
    end_seat(evening.seat)
    assert not is_in(evening)
    assert find_ways_in(evening) == []


def test_whom_the_gm_removed_stays_out_of_the_next_fight(evening: Evening) -> None:
    end_seat(evening.seat)
    second = evening.play_on()
    assert len(find_heroes(second)) == 1, "the character comes, for the GM"
    assert not second.seats.exists()
    assert not is_in(evening)
    answer = evening.person.get(evening.address)
    assert (answer.status_code, "removed your seat" in answer.content.decode()) == (410, True)


def test_who_came_with_the_party_and_was_removed_stays_out(evening: Evening) -> None:
    """Their seat came without a link: that says nothing of how it ended."""
    second, came_by = evening.play_on(), evening.address
    assert is_in(evening)
    evening.address, evening.older = invite(second), {"a spectator's link": invite(second, ShareLink.WATCH)}
    end_seat(evening.seat)
    page = evening.person.get(f"/encounters/{second.pk}/")
    assert (page.status_code, "removed your seat" in page.content.decode()) == (410, True)
    assert find_ways_in(evening) == []
    first = evening.person.get(came_by)
    assert (first.status_code, first["Location"]) == (302, f"/encounters/{second.pk - 1}/"), "no further"
    third = evening.play_on()
    assert not third.seats.exists()
    assert not is_in(evening)


def test_removed_person_is_not_let_in_by_another_tables_old_link(
    evening: Evening,
) -> None:
    """A table beside the first, in the same campaign."""
    second = evening.play_on()
    Seat.objects.filter(encounter=second).delete()
    address = invite(second)
    end_seat(evening.seat)
    assert enter(evening.person, address).status_code == 410


def test_new_link_readmits_someone_who_then_joins_the_next_fight(evening: Evening) -> None:
    end_seat(evening.seat)
    assert enter(evening.person, invite(evening.fight)).status_code == 302
    assert is_in(evening)
    if not evening.seat.user:
        Seat.objects.filter(pk=evening.seat.pk).update(combatants=[find_heroes(evening.fight)[0].id])
    second = evening.play_on()
    assert second.seats.count() == 1
    assert is_in(evening)


def test_revoked_link_keeps_out_whom_it_let_in(evening: Evening) -> None:
    link = evening.seat.link
    assert link
    revoke(link)
    second = evening.play_on()
    assert not second.seats.exists()
    assert not is_in(evening)


def test_party_brought_later_gives_no_seat_to_those_removed(evening: Evening, campaign: Campaign) -> None:
    """The list of the campaign's people in Prepare, after they had a seat there already."""
    end_seat(evening.seat)
    made = create_in_campaign(campaign, campaign.owner, SLUG, "Another")
    bring_party(made.pk, by="gm")
    assert len(find_heroes(made)) == 1
    assert not made.seats.exists()


def test_programs_of_a_removed_seat_end_and_do_not_come_back(evening: Evening) -> None:
    seat = evening.seat
    _, token = make_token(ViewerContext(evening.fight, viewer_of(seat), seat, seat.name), "Bot")
    assert find_token(f"Bearer {token}")
    end_seat(seat)
    assert find_token(f"Bearer {token}") is None
    assert enter(evening.person, invite(evening.fight)).status_code == 302
    assert find_token(f"Bearer {token}") is None
    assert ProgramToken.objects.count() == 1


def test_guest_who_was_removed_and_signs_in_stays_out(gm_client: Client, campaign: Campaign) -> None:
    """The account takes over the guest's characters, so the party would bring it back as their owner."""
    fight, address = begin_evening(campaign, SLUG)
    guest = join_as_guest(address)
    evening = Evening(gm_client, fight, address, guest)
    end_seat(evening.seat)
    said = {"username": "ana", "password1": "a-long-password-1", "password2": "a-long-password-1"}
    guest.post("/accounts/signup/", said)
    person = User.objects.get(username="ana")
    assert Character.objects.get().owner == person
    second = evening.play_on()
    assert not second.seats.exists()
    elsewhere = Client()
    elsewhere.force_login(person)
    assert elsewhere.get(address).status_code == 410
    assert enter(elsewhere, address).status_code == 410


# ---- Who may come back: nobody removed them ----


def test_who_left_comes_back_by_the_link(evening: Evening) -> None:
    evening.person.post(f"/encounters/{evening.fight.pk}/leave/")
    assert not is_in(evening)
    assert enter(evening.person, evening.address).status_code == 302
    assert is_in(evening)


def test_account_whose_link_has_expired_comes_with_the_party(gm_client: Client, campaign: Campaign) -> None:
    """The link was for one evening; nobody removed them."""
    fight, _ = begin_evening(campaign, SLUG)
    address = f"/join/{make_link(fight, ShareLink.PLAY, '', hours=4)[1]}/"
    evening = Evening(gm_client, fight, address, come_with_account(address))
    with time_machine.travel(timezone.now() + timedelta(hours=5)):
        assert not is_in(evening)
        person = User.objects.get(username="ben")
        evening.person.force_login(person)
        gm_client.force_login(campaign.owner)
        evening.play_on()
        assert is_in(evening)


def test_party_comes_back_to_a_seat_that_still_counts(gm_client: Client, campaign: Campaign) -> None:
    """A seat of an expired link is none: with it they would have their character and no way in."""
    fight, address = begin_evening(campaign, SLUG)
    evening = Evening(gm_client, fight, address, come_with_account(address))
    made = create_in_campaign(campaign, campaign.owner, SLUG, "Another")
    link, token = make_link(made, ShareLink.PLAY, "", hours=1)
    assert enter(evening.person, f"/join/{token}/").status_code == 302
    ShareLink.objects.filter(pk=link.pk).update(expires=timezone.now() - timedelta(hours=1))
    bring_party(made.pk, by="gm")
    evening.fight = made
    assert is_in(evening)
