"""Robots and vehicles of a user's own: their form, their sheet, its printout, and their fighting."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.creation import builder
from characters.creation.creation_view import view_creation
from characters.models import Character
from characters.services.character_service import create
from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.book import tables
from combat.rules.cepheus.sheet.creation import PLAN
from tests.combat.rules.cepheus.sheet.test_creation import NEW, form, made
from tests.combat.rules.cepheus.vehicles.garage import Garage
from tests.combat.rules.cepheus.vehicles.test_gunnery import labels
from tests.combat.visit import read
from tests.typed import sure

POINTS = {"attributes__hull": "4", "attributes__structure": "3", "attributes__armor": "6"}
ARMED = {"chosen__weapon_1": "autocannon_tl_6", "chosen__mount_1": "rear"}


def own(kind: str, **more: Any) -> dict[str, Any]:
    """The sheet of a user's own machine, made free-form."""
    return made(form("free", chosen__kind=kind, **POINTS, **more))


# ---------------------------------------------------------------- vehicles


def test_own_vehicle_mounts_weapons_each_in_its_direction() -> None:
    armed = own("vehicle", **ARMED, chosen__weapon_2="triple_laser")
    assert armed["mounts"] == [
        {"weapon": "autocannon_tl_6", "mount": "rear"},
        {"weapon": "triple_laser", "mount": "turret"},
    ]
    assert own("vehicle")["mounts"] == []
    view = view_creation(form("free", chosen__kind="vehicle", chosen__weapon_1="triple_laser"))
    asked = [row.selection.key for row in view.selections]
    assert "mount_1" in asked
    assert "mount_2" not in asked  # nothing is mounted there


@pytest.mark.rule("CE-VEH-07")
def test_vehicle_of_ones_own_is_as_easy_to_hit_as_most() -> None:
    stage, sheet = Garage(), own("vehicle")
    car = stage.add("Car", "enemies", (0, 20), sheet, pc=True)
    foe = stage.foe(weapons=["rifle"])
    stage.begin(foe)
    assert labels(stage, foe, car, stage.item(foe, "rifle").id)["term.vehicle_size"] == 1
    assert own("vehicle", attributes__size_vehicle="-1")["size_dm"] == -1


@pytest.mark.parametrize("mount", ["ring", "fixed", "left"])
def test_mounted_weapon_that_nobody_changed_stays_as_it_is(mount: str) -> None:
    sheet = {**own("vehicle"), "mounts": [{"weapon": "triple_laser", "mount": mount}] * 3}
    assert PLAN.write(sheet, PLAN.read(sheet)) == sheet


def test_form_of_a_vehicle_asks_for_no_skills_and_no_money() -> None:
    found = form(chosen__kind="vehicle", item=["weapon:rifle"])
    view = view_creation(found)
    assert (view.packages, view.skills, view.has_limits) == ((), (), False)
    assert found.purse is None
    assert builder.can_buy(
        found, next(e for e in sure(SYSTEM.book.catalogue).find_entries() if e.id == "rifle")
    )
    assert made(found)["credits"] == 0
    assert form().purse is not None


@pytest.mark.rule("CE-VLOC-33", "CE-VLOC-38")
def test_machine_of_ones_own_says_what_it_is_built_with() -> None:
    car = own("vehicle", chosen__systems_vehicle="no_sensors")
    robot = own("robot", chosen__systems_robot="neither", attributes__limb_count="2")
    assert (car["lacks"], own("vehicle")["lacks"]) == (["sensors"], [])
    assert (robot["lacks"], robot["limbs"]) == (["sensors", "computer"], 2)
    for sheet in (car, robot):
        assert PLAN.write(sheet, PLAN.read(sheet)) == sheet


# ---------------------------------------------------------------- robots


def test_robot_of_ones_own_strikes_with_its_limbs() -> None:
    sheet = own("robot", attributes__limbs="3", attributes__size_robot="1")
    assert (sheet["natural_attacks"], sheet["size_dm"], sheet["drone"]) == (
        [{"name": "Limbs", "damage": "3d6"}],
        1,
        False,
    )
    assert own("robot", attributes__limbs="0")["natural_attacks"] == []


def test_drone_of_ones_own_has_no_mind() -> None:
    sheet = own("robot", chosen__control="drone")
    assert sheet["drone"]
    assert set(sheet["attributes"]) == {"str", "dex", "hull", "structure", "armor"}
    asked = {
        row.stat.key for row in view_creation(form(chosen__kind="robot", chosen__control="drone")).attributes
    }
    assert "int" not in asked
    assert "int" in own("robot")["attributes"]


# ---------------------------------------------------------------- wrong numbers


@pytest.mark.parametrize(
    ("field", "typed", "says"),
    [
        ("hull", "lots", "Hull must be a whole number, not “lots”"),
        ("structure", "0", "Structure can be 1 to 999, not 0."),
        ("armor", "-3", "Armor can be 0 to 99, not −3."),
        ("speed_kph", "12.5", "Speed, km/h must be a whole number"),
        ("agility", "40", "Agility can be −9 to 9, not 40."),
        ("size_vehicle", "7", "DM to hit the vehicle can be −6 to 6, not 7."),
    ],
)
@pytest.mark.django_db
def test_wrong_vehicle_number_is_refused_with_what_would_do(
    gm_client: Client, field: str, typed: str, says: str
) -> None:
    data = {"game": SYSTEM.slug, "way": "free", "chosen-kind": "vehicle", "name": "Rig", "create": "1"}
    answer = gm_client.post(NEW, {**data, f"attributes-{field}": typed})
    assert answer.status_code == 422
    assert says in read(answer).one("p", class_="alert").text
    assert not Character.objects.exists()
    assert gm_client.post(NEW, data).status_code == 302


# ---------------------------------------------------------------- sheets and printouts


@pytest.fixture
def rig(gm: User) -> Character:
    return create(
        gm, SYSTEM.slug, "Rig", own("vehicle", attributes__speed_kph="120", attributes__crew="2", **ARMED)
    )


@pytest.mark.django_db
def test_sheet_of_a_vehicle_shows_its_own_numbers_and_no_body(gm_client: Client, rig: Character) -> None:
    page = read(gm_client.get(f"/characters/{rig.pk}/"))
    tracks = [field["value"] for field in page.all("input", name="track")[:3]]
    assert tracks == ["hull", "structure", "armor"]
    words = page.one("main").text
    assert "Each round at top speed 200 m" in words
    assert "credits" not in words
    assert "Skills" not in words
    assert "Any check" not in words
    refused = gm_client.post(f"/characters/{rig.pk}/", {"do": "track", "track": "end", "points": "−1"})
    assert refused.status_code == 422


@pytest.mark.django_db
def test_paper_of_a_vehicle_says_each_figure_once(gm_client: Client, rig: Character) -> None:
    words, conditions = (
        read(gm_client.get(f"/characters/{rig.pk}/print/")).one("article").text.split("Conditions")
    )
    assert "Drive hit" in conditions
    for label in ("Hull", "Structure", "Armor", "Speed", "Crew", "Agility"):
        assert len(re.findall(rf"\b{label}\b", words)) == 1, label
    assert "Autocannon-TL 6 of 2" in words
    assert "credits" not in words
    assert "Gear" not in words


@pytest.mark.django_db
def test_paper_of_a_person_says_each_figure_once(gm_client: Client, gm: User) -> None:
    zed = create(gm, SYSTEM.slug, "Zed", {"attributes": dict.fromkeys(tables.SCORES, 7), "credits": 50})
    words = read(gm_client.get(f"/characters/{zed.pk}/print/")).one("article").text
    assert words.count("Strength of 7") == 1
    assert words.count("Strength") == 1  # and no Psionic Strength of 0
    assert words.count("Intelligence") == 1
    assert "777777 · Cepheus" in words
    assert "50 credits" in words


@pytest.mark.django_db
@pytest.mark.parametrize(("model", "words"), [("", "None"), ("core_afv", "AFV")])
def test_long_list_of_models_is_folded_and_says_which_is_chosen(
    gm_client: Client, model: str, words: str
) -> None:
    sent = {
        "game": SYSTEM.slug,
        "way": "guided",
        "at": "body",
        "chosen-kind": "vehicle",
        "chosen-model_vehicle": model,
    }
    page = read(gm_client.get("/characters/new/", sent))
    fold = page.one("details", id="choice-model_vehicle")
    count = len(page.all("label", inside=fold, class_="tile")) - 1  # without none
    assert "open" not in fold.attrs
    assert page.one("summary", inside=fold).text == f"{words} {count} to choose from"
    assert not page.all("details", id="choice-kind")


@pytest.mark.django_db
def test_untrained_skills_of_a_new_character_have_a_true_minus(gm_client: Client) -> None:
    page = read(gm_client.get(NEW, {"game": SYSTEM.slug, "way": "free"}))
    assert page.one("input", name="skills-admin")["value"] == "−3"


@pytest.mark.django_db
def test_many_points_of_a_body_are_folded_on_its_sheet(gm_client: Client, gm: User) -> None:
    zed = create(gm, SYSTEM.slug, "Zed", {"attributes": dict.fromkeys(tables.SCORES, 7)})
    page = read(gm_client.get(f"/characters/{zed.pk}/"))
    fold = page.one("details", id="tracks")
    assert page.one("summary", inside=fold).text == "Change points"
    assert len(page.all("form", inside=fold, class_="change")) == len(tables.SCORES)


@pytest.mark.django_db
def test_psionic_strength_is_shown_if_present_and_can_be_given(gm_client: Client, gm: User) -> None:
    for score, times in ((0, 0), (6, 1)):
        scores = {**dict.fromkeys(tables.SCORES, 7), tables.PSIONIC: score}
        here = f"/characters/{create(gm, SYSTEM.slug, 'Zed', {'attributes': scores}).pk}/"
        for page in ("", "print/"):
            shown = read(gm_client.get(f"{here}{page}")).one("main").text
            raises = shown.count(
                f"Psionic Strength {score} → {score + 1}"
            )  # experience does, where there is some
            assert shown.count(f"Psionic Strength {score}") - raises == times
            assert raises == (times if page == "" else 0)
        assert "Psionic Strength" in read(gm_client.get(f"{here}?edit=attributes")).one("main").text


@pytest.mark.django_db
def test_paper_of_a_catalogue_vehicle_says_what_its_model_brings(gm_client: Client, gm: User) -> None:
    afv = create(gm, SYSTEM.slug, "Afv", made(form(chosen__kind="vehicle", chosen__model_vehicle="core_afv")))
    words = read(gm_client.get(f"/characters/{afv.pk}/print/")).one("article").text
    assert "AFV. Closed, military; Driven by Tracked Vehicle; Triple Laser, turret" in words
