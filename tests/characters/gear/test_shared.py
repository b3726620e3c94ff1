"""A table's private items: a GM shares them, people with a seat at their tables take them, no one else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from characters.gear.item_service import save_own, share
from characters.gear.models import OwnItem
from characters.models import Character
from characters.services import character_service
from combat.models import Encounter, Seat, ShareLink
from combat.play.writing.encounter_service import create_encounter
from combat.rules import find_system
from combat.sharing.links import end_seat, revoke
from tests.characters.conftest import SHEET, bare_of
from tests.combat.cast import come_by_account
from tests.typed import sure

SYSTEM = find_system("cosmos")
NAME = "Sunblade"
ROLES = ("gm", "player", "co_gm", "watcher", "stranger", "nobody")


@pytest.fixture
def blade(gm: User) -> OwnItem:
    """An item the GM made and shares."""
    knife = sure(sure(SYSTEM.book.catalogue).find_entry("weapon", "knife"))
    item = save_own(gm, SYSTEM, "weapon", {**knife.record, "name": NAME, "cost": 40})
    share(item, shared=True)
    return item


@pytest.fixture
def fight(gm: User) -> Encounter:
    """The GM's table."""
    return create_encounter(gm, "cosmos", "The alley")


@pytest.fixture
def cast(gm_client: Client, fight: Encounter, bob_client: Client, blade: OwnItem) -> dict[str, Client]:
    """Everyone, each with an account but the last."""
    return {
        "gm": gm_client,
        "player": come_by_account(fight, ShareLink.PLAY, "pia"),
        "co_gm": come_by_account(fight, ShareLink.CO_GM, "cleo"),
        "watcher": come_by_account(fight, ShareLink.WATCH, "wim"),
        "stranger": bob_client,
        "nobody": Client(),
    }


@pytest.fixture
def hero(cast: dict[str, Client]) -> Character:
    """The player's character."""
    return character_service.create(User.objects.get(username="pia"), "cosmos", "Pim", SHEET)


def find_finders(cast: dict[str, Client]) -> set[str]:
    """The people who find the item in the catalog."""
    pages = {role: cast[role].get("/gear/", {"q": NAME}).content.decode() for role in ROLES}
    return {role for role, page in pages.items() if f"{NAME}</a>" in bare_of(page)}


def ask_all(cast: dict[str, Client], path: str, post: bool = False) -> tuple[int, ...]:
    return tuple((cast[r].post(path) if post else cast[r].get(path)).status_code for r in ROLES)


def test_those_with_a_seat_see_it_and_whose_it_is(cast: dict[str, Client], blade: OwnItem) -> None:
    assert find_finders(cast) == {"gm", "player", "co_gm"}
    assert ask_all(cast, f"/gear/item/own-{blade.pk}/") == (200, 200, 200, 404, 404, 302)
    for path in (f"/gear/item/own-{blade.pk}/", f"/gear/?q={NAME}"):
        page = cast["player"].get(path).content.decode()
        assert '<span class="chip">gm&#x27;s</span>' in page or '<span class="chip">gm\'s</span>' in page
        assert f"/gear/own/{blade.pk}/" not in page
    assert "own, shared" in cast["gm"].get(f"/gear/?q={NAME}").content.decode()


def test_only_its_maker_changes_or_shares_it(cast: dict[str, Client], blade: OwnItem) -> None:
    here = f"/gear/own/{blade.pk}/"
    assert ask_all(cast, here) == (200, 404, 404, 404, 404, 302)
    for do in ("share", "keep", "delete", "save"):
        for role in ROLES[1:]:
            assert cast[role].post(here, {"do": do}).status_code in (404, 302, 410)
    blade.refresh_from_db()
    assert blade.shared


def test_shared_item_taken_by_a_player_stays_on_their_sheet(
    cast: dict[str, Client], blade: OwnItem, hero: Character
) -> None:
    take = f"/gear/item/own-{blade.pk}/add/"
    assert cast["player"].post(take, {"character": hero.pk}).status_code == 302
    cast["gm"].post(f"/gear/own/{blade.pk}/", {"do": "keep"})
    assert find_finders(cast) == {"gm"}
    assert cast["player"].post(take, {"character": hero.pk}).status_code == 404
    assert NAME in cast["player"].get(f"/characters/{hero.pk}/").content.decode()
    cast["gm"].post(f"/gear/own/{blade.pk}/", {"do": "delete"})
    items = Character.objects.get(pk=hero.pk).sheet["items"]
    assert [item["record"]["name"] for item in items if item.get("record")] == [NAME]


def test_people_without_a_seat_cannot_take_a_shared_item(cast: dict[str, Client], blade: OwnItem) -> None:
    for role, name in (("watcher", "wim"), ("stranger", "bob")):
        own = character_service.create(User.objects.get(username=name), "cosmos", "Own", SHEET)
        posted = {"character": own.pk}
        assert cast[role].post(f"/gear/item/own-{blade.pk}/add/", posted).status_code == 404
        compared = cast[role].get(f"/gear/compare/?pick=own-{blade.pk}&pick=cosmos-weapon-bow")
        assert NAME not in compared.content.decode()
        assert NAME not in cast[role].get(f"/gear/own/new/?from=own-{blade.pk}").content.decode()


def test_what_is_not_shared_is_nobodys(cast: dict[str, Client], blade: OwnItem) -> None:
    page = cast["gm"].post(f"/gear/own/{blade.pk}/", {"do": "keep"}, follow=True).content.decode()
    assert "no longer shared" in page
    assert find_finders(cast) == {"gm"}
    page = cast["gm"].post(f"/gear/own/{blade.pk}/", {"do": "share"}, follow=True).content.decode()
    assert "shared with your tables" in page
    assert find_finders(cast) == {"gm", "player", "co_gm"}


def lose_link(fight: Encounter) -> None:
    revoke(fight.links.get(kind=ShareLink.PLAY))


def lose_seat(fight: Encounter) -> None:
    end_seat(fight.seats.get(name="pia"))


def lose_time(fight: Encounter) -> None:
    fight.links.filter(kind=ShareLink.PLAY).update(expires=timezone.now() - timedelta(minutes=1))


def lose_table(fight: Encounter) -> None:
    Encounter.objects.filter(pk=fight.pk).update(archived=True)


@pytest.mark.slow
@pytest.mark.parametrize("lose", [lose_link, lose_seat, lose_time, lose_table])
def test_sharing_an_item_ends_with_the_seat(
    cast: dict[str, Client], fight: Encounter, lose: Callable[[Encounter], None]
) -> None:
    assert "player" in find_finders(cast)
    lose(fight)
    assert "player" not in find_finders(cast)


def test_several_seats_show_it_one_time(cast: dict[str, Client], gm: User, blade: OwnItem) -> None:
    second = create_encounter(gm, "cosmos", "The roof")
    person = User.objects.get(username="pia")
    Seat.objects.create(encounter=second, user=person, name="pia", kind=ShareLink.PLAY, digest="x")
    page = cast["player"].get("/gear/", {"q": NAME}).context["page"]
    assert [item.entry.name for item in page] == [NAME]


def test_catalogue_costs_as_many_queries_as_before(
    cast: dict[str, Client], gm: User, blade: OwnItem, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        share(save_own(gm, SYSTEM, "weapon", {**blade.record, "name": f"Blade {number}"}), shared=True)
    with django_assert_max_num_queries(5):  # session, person, items, own characters, where they played
        cast["player"].get("/gear/")
