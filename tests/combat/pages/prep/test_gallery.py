"""People as a gallery: filters, one chosen, how dangerous they are to the party, and adding them."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.services.character_service import create
from combat.models import Encounter, Pack, PackUse
from combat.pages.prep import danger
from combat.pages.prep.library import view_block
from combat.play.campaigns.campaigns import create_campaign
from combat.play.whatif import workers
from combat.play.whatif.forecast_jobs import Job
from combat.play.writing.encounter_service import create_encounter
from combat.rules import find_system
from combat.rules.core.odds.forecast import Ending
from combat.rules.core.state.state import decode, present
from tests.combat.cast import Cast
from tests.combat.markup import Element, Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import SLUG, Visit, read, state_of, stored

SYSTEM = find_system(SLUG)


def look(visit: Visit, **query: str) -> Page:
    return read(visit.client.get(f"{visit.here}prep/people/", query))


def names(page: Page) -> list[str]:
    return [one.text for one in page.all("a", class_="person-card")]


def form_of(page: Page) -> Element:
    """The form that adds the chosen one."""
    return next(one for one in page.all("form") if page.all("button", inside=one, value="join"))


@every_slug
def test_every_block_of_a_game_has_a_card_with_its_numbers(gm: User, gm_client: Client, slug: str) -> None:
    visit = Visit(gm_client, create_encounter(gm, slug, "Room").pk)
    page = look(visit)
    assert len(names(page)) >= 1
    assert page.one("h2", id="h-chosen").text
    assert page.one("button", value="join").text == "Add 3 to enemies"


@pytest.mark.parametrize(
    ("slug", "said"), [("cosmos", "HP 84"), ("cepheus", "Body 22"), ("starshock", "Damage 0 of 13")]
)
def test_card_names_its_numbers_as_the_table_does(gm: User, gm_client: Client, slug: str, said: str) -> None:
    visit = Visit(gm_client, create_encounter(gm, slug, "Room").pk)
    figures = look(visit).all("span", class_="figures")
    assert figures[0].text.startswith(f"{said} Armor")


def test_gallery_is_filtered_searched_and_adds_to_the_fight(room: Visit) -> None:
    assert len(names(look(room))) > len(names(look(room, kind="Elite"))) > 1
    found = look(room, q="pirate captain")
    assert len(names(found)) == 1
    assert "Pirate captain" in found.one("h2", id="h-chosen").text
    assert "No one has these words" in look(room, q="qzxw").one("main").text
    chosen = look(room, who="pirate", count="5", side="allies")
    posted = {**chosen.fields(form_of(chosen)), "do": "join"}
    posted.pop("csrfmiddlewaretoken")
    assert room.client.post(f"{room.here}prep/", posted)["Location"] == f"{room.here}prep/people/?who=pirate"
    assert [one.side for one in present(state_of(room.pk))] == ["allies"] * 5
    assert "5 allies" in look(room).one("footer", class_="ready-bar").text


def test_own_npcs_stand_first_and_those_of_others_are_not_there(room: Visit, gm: User) -> None:
    sheet = SYSTEM.book.find_blocks()["pirate"].sheet
    create(gm, SLUG, "Mother Saro", sheet, npc=True)
    create(User.objects.create(username="other"), SLUG, "Hidden Hand", sheet, npc=True)
    page = look(room)
    assert names(page)[0].startswith("Mother Saro yours")
    assert "Hidden Hand" not in page.one("main").text


def test_people_of_a_pack_are_a_filter_of_their_own(room: Visit, gm: User) -> None:
    sheet = SYSTEM.book.find_blocks()["pirate"].sheet
    create(gm, SLUG, "Mother Saro", sheet, npc=True)
    reaver = create(gm, SLUG, "Reaver", sheet, npc=True)
    pack = Pack.objects.create(owner=gm, name="Belt Reavers", digest="0", document=b"")
    campaign = create_campaign(gm, "The long haul")
    PackUse.objects.create(pack=pack, campaign=campaign, made={"npcs": [{}, {"pk": reaver.pk}]})
    page = look(room)
    (link,) = [one for one in page.all("a") if one.text.startswith("Belt Reavers")]
    found = read(room.client.get(f"{room.here}prep/people/{link['href']}"))
    assert [one.split()[:2] for one in names(found)] == [["Reaver", "pack"]]
    assert [one.split()[0] for one in names(look(room, source="own"))] == ["Mother"]


def test_danger_is_measured_only_on_demand_against_the_party(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[tuple[Any, ...]] = []

    def play(*job: Any) -> Future[Any]:
        begun.append(job)
        return Future()

    monkeypatch.setattr(workers, "submit", play)
    before = stored(visit.pk)
    page = look(visit, who="pirate")
    assert begun == []
    party = {one.side for one in present(state_of(visit.pk)) if one.pc}
    answer = visit.client.post(f"{visit.here}prep/people/?who=pirate", {"measure": "pirate"})
    assert answer["Location"] == f"{visit.here}prep/people/?who=pirate&count=3&side={page_side(page)}"
    played = present(decode(begun[-1][2]))
    own = [one for one in played if one.side in party]
    assert len(own) * 2 == len(played), "as many of them as the party has people"
    assert "Playing fights against your party" in look(visit, who="pirate").one("main").text
    assert stored(visit.pk) == before


def page_side(page: Page) -> str:
    return str(page.fields(form_of(page))["side"])


def test_only_a_few_are_measured_at_a_time(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[bytes] = []

    def play(*job: Any) -> Future[Any]:
        begun.append(job[2])
        return Future()

    monkeypatch.setattr(workers, "submit", play)
    address, htmx = f"{visit.here}prep/people/", {"HX-Request": "true"}
    part = visit.client.post(address, {"measure": "all"}, headers=htmx).content.decode()
    assert len({*begun}) == danger.AT_ONCE
    assert "hx-trigger" in part.split('id="gallery"')[1][:300]


def test_gallery_is_for_gms_alone(cast: Cast, started: Encounter) -> None:
    address = f"/encounters/{started.pk}/prep/people/"
    for client in (cast.player, cast.watcher, Client()):
        assert client.get(address).status_code in (302, 403, 404)
        assert client.post(address, {"measure": "all"}).status_code in (302, 403, 404)
    assert cast.co_gm.get(address).status_code == 200


@pytest.mark.parametrize(
    ("won", "ran", "level"),
    [(100, 0, "easy"), (80, 20, "easy"), (79, 21, "even"), (50, 0, "even"), (49, 0, "hard"), (20, 80, "hard"),
     (19, 0, "deadly"), (0, 100, "deadly")],
)  # fmt: skip
def test_danger_is_how_often_the_party_wins_and_not_how_often_it_gets_away(
    won: int, ran: int, level: str
) -> None:
    endings = [
        *(Ending(("heroes",), 3, ()) for _ in range(won)),
        *(Ending(("heroes",), 3, (), escaped="heroes") for _ in range(ran)),
        *(Ending(("foes",), 3, ()) for _ in range(100 - won - ran)),
    ]
    told = danger._tell(Job("j", "s", SLUG, done=100, endings=endings), "heroes", 3)
    assert (told.percent, told.level) == (won, level)


def test_preview_of_a_block_says_what_the_rules_do_not_play() -> None:
    starshock = find_system("starshock")
    block = starshock.book.find_blocks()["mercurian"]
    lines = dict(view_block(starshock, block.id, block.name, block.tier, block.sheet).lines)
    assert lines["Notes"].endswith("; +1 on grapple checks; heals 1 per shift in direct sun")
