"""Ready characters: legal in their game, armed, and a character in two taps, also without scripts."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from characters.creation import builder
from characters.creation.creation_view import choose_name, find_ready, view_creation
from characters.creation.steps import find_fields, view_wizard
from characters.faces import FACES, KEYS, fits
from characters.games import find_problems, plan_of
from characters.models import Character
from combat.rules import find_system
from tests.combat.rules.every_game.facts.figures import find_stray_numbers
from tests.combat.rules.games import WITH_ARCHETYPES
from tests.combat.visit import read

NEW = "/characters/new/"
STATIC = Path(__file__).parents[3] / "static"


@pytest.mark.parametrize("slug", WITH_ARCHETYPES)
def test_every_archetype_is_a_legal_character_of_its_game(slug: str) -> None:
    """Its numbers are those of the game's creation, its points spent, its gear paid, a weapon in hand."""
    system = find_system(slug)
    plan = plan_of(system)
    archetypes = plan.creation.archetypes
    assert len({one.id for one in archetypes}) == len(archetypes)
    known = {stat.key for stat in (*plan.attributes, *plan.skills)}
    for one in archetypes:
        made = builder.begin_as(system, one, one.names[0])
        view = view_creation(made)
        assert (view.obstacles, view.unspent) == ((), ()), one.id
        assert {*one.attributes, *one.skills} <= known, one.id
        assert not find_stray_numbers(plan, one), one.id
        assert all(builder.find_item(system, item) for item in one.items), one.id
        _, sheet = builder.finish(made)
        assert find_problems(system, sheet) == ()
        assert [item for item in sheet["items"] if item.get("place") == "held"], one.id
        assert {*one.looks} <= KEYS
        assert len({*one.looks}) == len(one.looks) >= 2
        assert len(set(one.names)) == len(one.names) >= 3
        assert not view_wizard(view, "who").open, one.id
    for ready in find_ready(system):
        assert ready.skills, ready.archetype.id
        assert ready.gear, ready.archetype.id


def test_archetypes_and_faces_differ() -> None:
    assert len(FACES) >= 20
    assert len(KEYS) == len(FACES)
    drawn = (STATIC / "img" / "faces.svg").read_text()
    assert all(f'<symbol id="{face.key}"' in drawn for face in FACES)


@pytest.mark.django_db
def test_archetype_is_a_character_in_two_taps_without_scripts(ana_client: Client) -> None:
    page = read(ana_client.get(NEW, {"game": "cepheus"}))
    first = page.fields(page.one("form", id="maker"))
    picked = read(ana_client.post(NEW, {**first, "pick": "marine"}))
    assert picked.one("button", id="pick-marine")["aria-pressed"] == "true"
    fields = picked.fields(picked.one("form", id="maker"))
    answer = ana_client.post(NEW, {**fields, "create": "1"})
    made = Character.objects.get()
    assert answer["Location"] == f"/characters/{made.pk}/"
    assert made.face in ("marine", "rifleman", "trooper")
    assert fits(made.face, made.name)
    assert made.name in plan_of(find_system("cepheus")).creation.archetypes[0].names
    assert made.sheet["skills"]["slug_rifle"] == 2
    assert made.sheet["credits"] == 2000 - 760
    assert f"#{made.face}" in ana_client.get(answer["Location"]).content.decode()


@pytest.mark.django_db
def test_steps_keep_everything_and_half_done_is_kept(ana_client: Client) -> None:
    first = {"game": "cosmos", "way": "guided", "at": "who", "pick": "medic", "name": "Rhea Own"}
    page = read(ana_client.post(NEW, first))
    fields = page.fields(page.one("form", id="maker"))
    assert fields["name"] == "Rhea Own"  # a name of one's own stays
    for step in ("body", "skills", "gear", "done"):
        answer = ana_client.post(NEW, {**fields, "go": step})
        assert answer.status_code == 302
        page = read(ana_client.get(answer["Location"]))
        assert page.one("button", id=f"step-{step}")["aria-current"] == "step"
        fields = page.fields(page.one("form", id="maker"))
    whole = builder.begin_as(find_system("cosmos"), plan_of(find_system("cosmos")).creation.archetypes[2], "")
    assert {key: value for key, value in fields.items() if "-" in key} == {
        key: value for key, value in find_fields(whole) if "-" in key
    }
    later = read(ana_client.get(NEW, {"game": "cosmos"}))
    link = next(link for link in later.all("a") if link.text == "Continue")
    again = read(ana_client.get(NEW + link["href"]))
    assert again.one("button", id="step-done")["aria-current"] == "step"
    assert "Rhea Own" in again.one("main").text
    assert ana_client.post(NEW, {**fields, "create": "anyway"}).status_code == 302
    assert not [link for link in read(ana_client.get(NEW)).all("a") if link.text == "Continue"]
    ana_client.post(NEW, {**fields, "go": "gear"})
    forgotten = ana_client.post(NEW, {"game": "cosmos", "forget": "1"})
    assert forgotten["Location"] == f"{NEW}?game=cosmos"
    assert not [link for link in read(ana_client.get(NEW)).all("a") if link.text == "Continue"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"attributes-MIG": "many", "go": "skills"}, "Might"),
        ({"name": "X", "create": "anyway", "attributes-MIG": "8", "attributes-COO": "8"}, "2 too many"),
        ({"name": " ", "create": "anyway"}, "A name needs 1 to 60 characters."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_goes_on(
    ana_client: Client, sent: dict[str, str], said: str
) -> None:
    answer = ana_client.post(NEW, {"game": "cosmos", "way": "guided", "at": "body", **sent})
    assert answer.status_code == 422
    assert said in read(answer).one("main").text
    assert not Character.objects.exists()


@pytest.mark.django_db
def test_hostile_fields_make_a_page_and_no_faces(ana_client: Client) -> None:
    sent = {"way": "guided", "at": "<b>", "ready": "<b>", "face": "../x", "pick": "nobody", "go": "<b>"}
    page = ana_client.get(NEW, sent)
    assert page.status_code == 200
    assert "../x" not in page.content.decode()
    answer = ana_client.post(NEW, sent)
    assert read(ana_client.get(answer["Location"])).one("button", id="step-who")["aria-current"] == "step"


def test_names_are_given_once() -> None:
    one = plan_of(find_system("cosmos")).creation.archetypes[0]
    assert choose_name(one, ()) == one.names[0]
    assert choose_name(one, one.names[:1]) == one.names[1]
    assert choose_name(one, one.names) == f"{one.names[0]} 2"


@pytest.mark.django_db
def test_picture_that_is_none_is_refused_and_nothing_is_made(ana_client: Client) -> None:
    wrong = SimpleUploadedFile("me.svg", b"<svg/>", "image/svg+xml")
    sent = {"game": "cosmos", "way": "guided", "at": "done", "name": "Rhea", "create": "anyway"}
    answer = ana_client.post(NEW, {**sent, "picture": wrong})
    assert (answer.status_code, Character.objects.exists()) == (422, False)
    out = BytesIO()
    Image.new("RGB", (30, 30), "teal").save(out, "PNG")
    right = SimpleUploadedFile("me.png", out.getvalue(), "image/png")
    assert ana_client.post(NEW, {**sent, "picture": right}).status_code == 302
    assert Character.objects.get().portrait
