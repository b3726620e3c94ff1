"""People as a gallery: filters, one chosen, how dangerous they are to the party, and adding them."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.services.character_service import create
from combat.models import Encounter, Pack, PackUse
from combat.pages.prep import odds_view
from combat.pages.prep.gallery import view_block
from combat.play.campaigns.campaigns import create_campaign
from combat.play.whatif import workers
from combat.play.whatif.forecast_jobs import Job
from combat.play.writing.encounter_service import create_encounter
from combat.rules import find_system
from combat.rules.core.odds.forecast import Ending
from combat.rules.core.space.plane import find_zone
from combat.rules.core.state.state import decode, present
from tests.combat.cast import Cast
from tests.combat.markup import Element, Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import SLUG, Visit, read, state_of, stored
from tests.typed import Answer

SYSTEM = find_system(SLUG)


def look(visit: Visit, **query: str) -> Page:
    return read(visit.client.get(f"{visit.here}prep/people/", query))


def type_in(visit: Visit, notes: str, **query: str) -> Page:
    """The gallery after something was typed in its line; with a query as a link there sends it."""
    address = f"{visit.here}prep/people/{f'?{urlencode(query)}' if query else ''}"
    return read(visit.client.post(address, {"notes": notes}, headers={"HX-Request": "true"}))


def press(visit: Visit, page: Page, do: str, **fields: str) -> Answer:
    """Send the form of the gallery by one of its buttons."""
    sent = {**page.fields(form_of(page)), "do": do, **fields}
    sent.pop("csrfmiddlewaretoken")
    return visit.client.post(f"{visit.here}prep/", sent)


def becomes(page: Page) -> list[str]:
    """What the line becomes, as it is shown before anyone joins."""
    return [
        " ".join(one.text.split())
        for one in page.all("ul", class_="becomes-who")
        for one in page.all("li", inside=one)
    ]


def names(page: Page) -> list[str]:
    return [one.text for one in page.all("a", class_="person-card")]


def form_of(page: Page) -> Element:
    """The form that adds people."""
    return page.one("form", id="people")


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
    found = type_in(room, "pirate captain")
    assert len(names(found)) == 1
    assert "Pirate captain" in found.one("h2", id="h-chosen").text
    assert "No one has these words" in type_in(room, "qzxw").one("main").text
    chosen = look(room, who="pirate", count="5", side="allies")
    assert press(room, chosen, "join")["Location"] == f"{room.here}prep/people/?who=pirate"
    assert [one.side for one in present(state_of(room.pk))] == ["allies"] * 5
    assert "5 allies" in look(room).one("footer", class_="ready-bar").text


def test_gallery_in_a_fight_says_the_round_and_order_of_turns(room: Visit, visit: Visit) -> None:
    state, page = state_of(visit.pk), look(visit)
    assert f"Round {state.round}" in page.one("header", class_="page-head").text
    order = page.one("ol", class_="fighting")
    assert [one.text for one in page.all("li", inside=order)] == [state[who].name for who in state.order]
    assert page.one("li", inside=order, class_="is-now").text == state[state.active].name
    assert not look(room).all("ol", class_="fighting")


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
    found = read(room.client.get(link["href"]))
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
    assert len({*begun}) == odds_view.AT_ONCE
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
def test_danger_counts_the_partys_wins_but_not_its_escapes(won: int, ran: int, level: str) -> None:
    endings = [
        *(Ending(("heroes",), 3, ()) for _ in range(won)),
        *(Ending(("heroes",), 3, (), escaped="heroes") for _ in range(ran)),
        *(Ending(("foes",), 3, ()) for _ in range(100 - won - ran)),
    ]
    told = odds_view._tell(Job("j", "s", SLUG, done=100, endings=endings), "heroes", 3)
    assert (told.percent, told.level) == (won, level)


def test_preview_of_a_block_says_what_the_rules_do_not_play() -> None:
    starshock = find_system("starshock")
    block = starshock.book.find_blocks()["mercurian"]
    lines = dict(view_block(starshock, block.id, block.name, block.tier, block.sheet).lines)
    assert lines["Notes"].endswith("; +1 on grapple checks; heals 1 per shift in direct sun")


def test_people_come_in_where_the_gm_says(visit: Visit) -> None:
    page = look(visit, who="pirate")
    zones, doors = state_of(visit.pk).scene.zones, page.all("input", name="zone")
    assert [one["value"] for one in doors] == ["", *(zone.id for zone in zones)]
    drawn = page.one("details", id="come-in")
    spots = [
        one["hx-post"].rpartition("zone=")[2] for one in page.all("g", inside=drawn) if "hx-post" in one.attrs
    ]
    assert spots == [zone.id for zone in zones], "a spot on the picture for each"
    before, last = set(state_of(visit.pk).combatants), zones[-1].id
    tapped = look(visit, who="pirate", zone=last)
    assert zones[-1].name in tapped.one("summary", inside=tapped.one("details", id="come-in")).text
    press(visit, tapped, "join")
    state = state_of(visit.pk)
    places = [find_zone(state.scene, state[key].at) for key in state.combatants if key not in before]
    assert [zone and zone.id for zone in places] == [last] * 3


def test_open_ground_asks_for_no_zone(room: Visit) -> None:
    page = look(room, who="pirate")
    assert not page.all("input", name="zone")
    assert page.all("input", name="hidden")


def test_line_shows_what_it_becomes_before_anyone_joins(room: Visit) -> None:
    before = stored(room.pk)
    notes = "1 pirate, 2 pirates with rifles; 1 captain (hidden)"
    page = type_in(room, notes)
    shown = becomes(page)
    assert len(shown) == 3
    assert shown[1].startswith("2 2 × Pirate")
    assert "hidden" in shown[2]
    assert names(page)[0].startswith("Pirate")
    assert page.one("button", class_="btn-large").text == "Add 4"
    assert stored(room.pk) == before
    answer = press(room, page, "people", notes=notes)
    assert answer["Location"] == f"{room.here}prep/people/"
    joined = present(state_of(room.pk))
    assert [one.hidden for one in joined] == [False, False, False, True]


def test_line_adds_only_what_was_shown_and_stays_in_the_gallery(room: Visit) -> None:
    page, before = type_in(room, "3 pirates"), stored(room.pk)
    answer = press(room, page, "people", notes="30 pirates")
    assert answer.status_code == 409
    again = read(answer)
    assert "The notes have changed" in again.one(id="messages").text
    assert again.one("input", id="people-notes")["value"] == "30 pirates"
    assert stored(room.pk) == before


def test_who_is_tapped_goes_before_what_the_line_says(room: Visit) -> None:
    """Words that name someone filter the cards; a tapped card is added, as many as are chosen."""
    assert becomes(type_in(room, "pirate"))
    page = type_in(room, "pirate", who="captain", count="1", side="enemies")
    assert not becomes(page)
    assert page.one("button", class_="btn-large").text == "Add 1 to enemies"
    assert len(names(page)) < len(names(look(room)))


def test_line_works_without_a_script_and_stands_in_no_address(room: Visit) -> None:
    page = look(room)
    answer = press(room, page, "read", notes="2 pirates")
    assert "pirates" not in answer["Location"]
    shown = read(room.client.get(answer["Location"]))
    assert shown.one("input", id="people-notes")["value"] == "2 pirates"
    assert len(becomes(shown)) == 1
    press(room, shown, "people")
    assert len(present(state_of(room.pk))) == 2
    assert not look(room).one("input", id="people-notes").attrs.get("value")


def test_part_that_is_not_understood_has_its_suggestions(room: Visit) -> None:
    page = type_in(room, "2 pirates, 3 troopers")
    chips = page.one("ul", class_="issue-chips")
    use = next(one["value"] for one in page.all("button", inside=chips, name="do"))
    shown = read(room.client.get(press(room, page, use, notes="2 pirates, 3 troopers")["Location"]))
    assert len(becomes(shown)) == 2


def test_what_is_left_of_the_line_stays_in_it(room: Visit) -> None:
    notes = "2 pirates. Nobody knows who sent them."
    answer = press(room, type_in(room, notes), "people", notes=notes)
    assert (
        read(room.client.get(answer["Location"])).one("input", id="people-notes")["value"]
        == "Nobody knows who sent them"
    )


def test_too_long_a_line_is_refused_where_it_was_typed(room: Visit) -> None:
    page, before = look(room), stored(room.pk)
    answer = press(room, page, "read", notes="pirates, " * 2_000)
    assert answer.status_code == 422
    assert "at most 10,000 characters" in read(answer).one(id="becomes").text
    assert stored(room.pk) == before


def test_reinforcements_lead_back_to_the_table(visit: Visit) -> None:
    page = look(visit, to="table")
    assert page.fields(form_of(page))["next"] == "table"
    back = {one["href"] for one in page.all("a") if one.text == "Back to the fight"}
    assert back == {visit.here}
    for do, notes in (("join", ""), ("people", "2 pirates")):
        shown = read(
            visit.client.post(
                f"{visit.here}prep/people/", {"notes": notes, "next": "table"}, headers={"HX-Request": "true"}
            )
        )
        before = len(present(state_of(visit.pk)))
        assert press(visit, shown, do, notes=notes)["Location"] == visit.here
        assert len(present(state_of(visit.pk))) > before
