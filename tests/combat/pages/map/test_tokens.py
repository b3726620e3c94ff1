"""Tokens: their looks, and portraits only for those who may see whose they are."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from msgspec.structs import replace

from characters.faces import split_name
from characters.services import character_service
from combat.display.combatants.tokens import Look
from combat.display.plane.callouts import Callout
from combat.display.shapes.scene_shapes import Token
from combat.models import Encounter
from combat.play.campaigns.roster import bring
from combat.play.writing.encounter_service import Submission, read_state, submit
from tests.combat.cast import Cast
from tests.combat.markup import Page
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, Visit, read, refusal, stored

DIGEST = "portrait-of-ada"
SIX = ("PRE", "RES", "INT", "MIG", "AWA", "COO")
SHEET = {"name": "Ada", "attributes": dict.fromkeys(SIX, 3)}


@pytest.fixture
def portrayed(started: Encounter, gm: User) -> str:
    """Add a combatant with a portrait to the running fight; return their id."""
    one = character_service.create(gm, SLUG, "Ada", SHEET)
    character_service.keep_portrait(one.pk, DIGEST, b"RIFF", by="gm")
    bring(started, gm, str(one.pk), side="", zone="", by="gm")
    started.refresh_from_db()
    return next(f.id for f in read_state(started).combatants.values() if f.name == "Ada")


@pytest.mark.slow
def test_portrait_is_for_those_who_may_see_whose_it_is(
    cast: Cast, started: Encounter, portrayed: str
) -> None:
    here = f"/encounters/{started.pk}/portraits/{DIGEST}.webp"
    everybody = (cast.gm, cast.player, cast.other, cast.watcher)
    for client in everybody:
        answer = client.get(here)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/webp")
        assert here in client.get(f"/encounters/{started.pk}/").text
    assert cast.stranger.get(here).status_code == 404
    submit(started.pk, Submission("hide", {"target": portrayed, "hidden": True}))
    assert cast.gm.get(here).status_code == 200
    for client in everybody[1:]:
        assert client.get(here).status_code == 404
        assert DIGEST not in client.get(f"/encounters/{started.pk}/").text


def test_a_picture_of_nobody_at_the_table_is_not_given_out(cast: Cast, started: Encounter, gm: User) -> None:
    one = character_service.create(gm, SLUG, "Eve", SHEET)
    character_service.keep_portrait(one.pk, DIGEST, b"RIFF", by="gm")
    assert cast.player.get(f"/encounters/{started.pk}/portraits/{DIGEST}.webp").status_code == 404


def test_no_form_says_whose_sheet_a_combatant_has(cast: Cast, started: Encounter, gm: User) -> None:
    """A co-GM would otherwise see the portraits of the owner's other sheets, one by one."""
    docker = character_service.create(gm, SLUG, "Docker", SHEET, npc=True)
    character_service.keep_portrait(docker.pk, DIGEST, b"RIFF", by="gm")
    before = stored(started.pk)
    for role in ["gm", "co_gm"]:
        for source in (f"npc:{docker.pk}", f"character:{docker.pk}"):
            fields = {"do": "join", "block": "pirate_example", "source": source}
            answer = cast[role].post(f"/encounters/{started.pk}/", fields)
            assert (answer.status_code, stored(started.pk)) == (422, before), role
            assert "This form has no field “source”" in refusal(answer), role
        assert cast[role].get(f"/encounters/{started.pk}/portraits/{DIGEST}.webp").status_code == 404, role


def test_copies_carry_their_number_and_look_alike(visit: Visit) -> None:
    submit(visit.pk, Submission("join", {"block": "pirate_example", "count": 3}))
    page = visit.page()
    rows = [row for row in page.all("li", class_="row") if row["id"] not in ("row-f1", "row-f2", "row-f3")]
    marks = [page.all("svg", inside=row, class_="mark")[0] for row in rows]
    busts = {page.one("use", inside=mark)["href"].partition("#")[2] for mark in marks}
    numbers = [page.one("text", inside=mark).text for mark in marks if page.all("text", inside=mark)]
    assert len(busts) == 1
    assert len(rows) == 3
    assert len(numbers) == len(set(numbers)) >= 2


def test_the_fallen_lie_down(visit: Visit) -> None:
    visit.do("adjust", target="f2", track="hp", points=500, sign="-")
    page = read(visit.client.get(visit.here))
    row = page.one("li", id="row-f2")
    assert "is-down" in page.all("svg", inside=row, class_="mark")[0]["class"]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Pirate 3", ("Pirate", "3")),
        ("Zara", ("Zara", "")),
        ("Unit 2024", ("Unit 2024", "")),
        ("7", ("7", "")),
    ],
)
def test_a_number_behind_a_name_is_its_badge(name: str, parts: tuple[str, str]) -> None:
    assert split_name(name) == parts


def links(page: Page) -> dict[str, str]:
    """The links of the map's tokens; those without a link have a name and no address."""
    found = {}
    for token in page.all("g", class_="token"):
        around = token.parents[-1]
        assert around["aria-label"]
        assert around.tag == "a" or around["role"] == "img"
        found[token["data-token"]] = around["href"]
    return found


def test_tokens_lead_only_where_something_opens_for_who_looks(cast: Cast, started: Encounter) -> None:
    here = f"/encounters/{started.pk}/"
    assert links(read(cast.gm.get(here))) == {w: f"?combatant={w}" for w in (ZARA, PIRATE, MARCUS)}
    own = f"?combatant={ZARA}"
    assert links(read(cast.player.get(here))) == {ZARA: own, PIRATE: "", MARCUS: ""}
    assert not any(links(read(cast.watcher.get(here))).values())
    aiming = links(read(cast.player.get(f"{here}?combatant={ZARA}&do=attack")))
    assert aiming == {who: f"{own}&do=attack&target={who}" for who in (PIRATE, MARCUS)} | {ZARA: own}


def draw_token(token: Token, *, looks_on: bool) -> str:
    shown = {"token": token, "looks_on": looks_on, "scene": {"unit": "m"}}
    return render_to_string("combat/map/tokens/map_token.html", shown)


def test_token_stands_at_its_place_with_its_name_at_any_scale() -> None:
    look, near = Look("is-ally", face="scout"), Callout("A", 0.5, 1)
    token = Token("f1", "Ada", 1, 2, True, False, (1, 2), look, opens=True, label="Ada", near=near)
    here = draw_token(token, looks_on=False)
    there = draw_token(replace(token, spot=(3.5, -2), scale=2, near_scale=3), looks_on=False)
    assert 'transform="translate(1 2) scale(1)"' in here
    assert 'transform="translate(3.5 -2) scale(2)"' in there
    assert 'transform="scale(1.5)">A<' in there
    assert "?combatant=f1" in there
    assert "?combatant" not in draw_token(token, looks_on=True)
