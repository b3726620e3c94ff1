"""Making people, robots and vehicles: by dice, points, one word or one line; and their sheets."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from characters.creation import builder
from characters.creation.creation_view import view_creation
from characters.gear.item_service import add_to
from characters.models import Character
from characters.services.character_service import create
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.book import tables
from combat.rules.cepheus.characters.sheet import check_sheet
from combat.rules.cepheus.sheet.creation import PLAN, POINTS
from combat.rules.core.sheets.sheets import Draft, blank_draft, find_departures, find_faults
from combat.rules.core.state.state import present
from tests.combat.visit import read, state_of
from tests.typed import sure

NEW = "/characters/new/"
CATALOGUE = sure(SYSTEM.book.catalogue)


def form(way: str = "guided", **more: Any) -> builder.CharacterBuilder:
    """The builder's result for a form."""
    data = QueryDict(mutable=True)
    for name, value in {"game": SYSTEM.slug, "way": way, **more}.items():
        data.setlist(name.replace("__", "-"), value if isinstance(value, list) else [str(value)])
    return builder.read(SYSTEM, way == "guided", data)


def made(found: builder.CharacterBuilder) -> dict[str, Any]:
    """The sheet of a form, checked for errors."""
    sheet = builder.make_sheet(found)
    check_sheet(sheet)
    return sheet


def chosen(**more: str) -> Draft:
    draft = blank_draft(PLAN)
    return msgspec.structs.replace(draft, chosen={**draft.chosen, **more})


# ---------------------------------------------------------------- people


def test_profile_typed_again_fills_the_characteristics() -> None:
    found = form(profile="777A87", profile__was="777777")
    assert sure(view_creation(found).profile)[1] == "777A87"
    assert made(found)["attributes"] == {"str": 7, "dex": 7, "end": 7, "int": 10, "edu": 8, "soc": 7}


def test_six_digit_profile_says_there_is_no_psionic_strength() -> None:
    assert made(form(profile="777777B", profile__was="777777"))["attributes"]["psi"] == 11
    found = form(profile="777A87", profile__was="777777B", attributes__psi="11")
    assert "psi" not in made(found)["attributes"]


def test_profile_as_it_stood_leaves_steps_alone() -> None:
    found = form(profile="777777", profile__was="777777", attributes__str="9")
    assert made(found)["attributes"]["str"] == 9


def test_profile_that_cannot_be_read_is_told_and_changes_nothing() -> None:
    data = QueryDict("way=guided&profile=777I77&profile-was=777777&attributes-str=9")
    assert "“I” is no digit" in sure(builder.find_misread(SYSTEM, data)).message
    assert builder.read(SYSTEM, True, data).draft.attributes["str"] == 9


def test_guided_profile_stays_within_what_two_dice_can_show() -> None:
    assert made(form(profile="F1777A", profile__was="777777"))["attributes"]["str"] == 12
    assert made(form("free", profile="F1777A", profile__was="777777"))["attributes"]["str"] == 15


def test_app_rolls_two_dice_for_each_characteristic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "throw", lambda notation: (6, 5))
    view = view_creation(form(chosen__method="dice", throw="1"))
    assert view.throws == ("2d6",)
    assert made(view.builder)["attributes"] == dict.fromkeys(tables.SCORES, 11)
    assert view.obstacles == ()


def test_nothing_is_rolled_where_points_are_bought() -> None:
    view = view_creation(form(chosen__method="points", throw="1"))
    assert view.throws == ()
    assert [(budget.spent, budget.most) for budget in view.budgets] == [(42, POINTS)]


@pytest.mark.parametrize("key", tables.spreads())
def test_ready_arrays_cost_all_points_and_no_more(key: str) -> None:
    view = view_creation(form(chosen__method="points", array=key))
    assert view.budgets[0].left == 0
    assert view.obstacles == ()


def test_skills_step_over_what_lies_between_untrained_and_0() -> None:
    assert form(step="skills-recon+").draft.skills["recon"] == 0
    assert form(skills__recon="0", step="skills-recon-").draft.skills["recon"] == -3
    assert form(skills__recon="-1").draft.skills["recon"] == -3
    assert made(form(skills__recon="-3"))["skills"] == {}


def test_magazines_are_spares_of_the_gun_they_fit() -> None:
    items = made(form(item=["ammo:ammo_rifle", "weapon:rifle", "ammo:ammo_rifle", "ammo:ammo_revolver"]))[
        "items"
    ]
    assert [(item["entry"], item.get("spares", 0)) for item in items] == [("rifle", 2), ("ammo_revolver", 0)]


def test_bought_magazine_goes_to_the_gun_on_the_sheet(gm: User) -> None:
    sheet = made(form(item=["weapon:rifle"], chosen__method="points"))
    person = create(gm, SYSTEM.slug, "Zed", sheet)
    pack = sure(CATALOGUE.find_entry("ammo", "ammo_rifle"))
    bought = add_to(person, pack, 3, pay=True)
    assert [(item["entry"], item.get("spares", 0)) for item in bought.sheet["items"]] == [("rifle", 3)]
    assert bought.sheet["credits"] == sheet["credits"] - 60
    shells = sure(CATALOGUE.find_entry("ammo", "ammo_shotgun_flechette"))
    assert [item["entry"] for item in add_to(bought, shells).sheet["items"]] == ["rifle", shells.id]


def test_packages_raise_skills_to_those_of_ready_people() -> None:
    skills = made(form(package="sniper", skills__recon="3"))["skills"]
    assert skills == {"slug_rifle": 3, "recon": 3, "athletics": 0}


# ---------------------------------------------------------------- machines


@pytest.mark.parametrize("key", [key for key, row in tables.vehicles().items() if row.structure])
def test_every_vehicle_of_the_catalogue_comes_with_its_numbers(key: str) -> None:
    sheet = made(form(chosen__kind="vehicle", chosen__model_vehicle=key))
    row = tables.vehicles()[key]
    assert sheet["attributes"] == {"hull": row.hull, "structure": row.structure, "armor": row.armor}
    assert (sheet["drives_by"], sheet["agility"], sheet["speed_kph"]) == (
        row.skill,
        row.agility,
        row.speed_kph,
    )
    assert [mount["weapon"] for mount in sheet["mounts"]] == [mount.weapon for mount in row.weapons]
    assert find_departures(PLAN, sheet) == ()
    assert PLAN.write(sheet, PLAN.read(sheet)) == sheet


@pytest.mark.parametrize("key", tables.robots())
def test_every_robot_of_the_catalogue_comes_with_its_numbers(key: str) -> None:
    sheet = made(form(chosen__kind="robot", chosen__model_robot=key))
    row = tables.robots()[key]
    assert sheet["attributes"]["structure"] == row.structure
    assert sheet["attributes"]["str"] == row.scores["str"]
    assert (sheet["drone"], sheet["skills"]) == (row.drone, row.skills)
    assert ("int" in sheet["attributes"]) != row.drone
    assert find_departures(PLAN, sheet) == ()
    assert PLAN.write(sheet, PLAN.read(sheet)) == sheet


def test_number_set_by_hand_stays_beside_a_model() -> None:
    found = form("free", chosen__kind="vehicle", chosen__model_vehicle="core_afv", attributes__armor="25")
    assert made(found)["attributes"] == {"hull": 5, "structure": 5, "armor": 25}


def test_vehicle_of_ones_own_has_its_own_numbers() -> None:
    own = {"attributes__hull": "4", "attributes__structure": "3", "attributes__speed_kph": "90"}
    sheet = made(
        form("free", chosen__kind="vehicle", chosen__body="open", chosen__drives_by="motorboats", **own)
    )
    assert sheet["attributes"] == {"hull": 4, "structure": 3, "armor": 0}
    assert (sheet["speed_kph"], sheet["open"], sheet["military"], sheet["drives_by"]) == (
        90,
        True,
        False,
        "motorboats",
    )


def test_form_shows_only_what_the_kind_has() -> None:
    vehicle = view_creation(form(chosen__kind="vehicle"))
    assert {row.stat.key for row in vehicle.attributes} >= {"hull", "structure", "armor", "speed_kph"}
    assert not {"str", "end"} & {row.stat.key for row in vehicle.attributes}
    assert vehicle.skills == ()
    assert vehicle.profile is None
    person = view_creation(form())
    assert [row.stat.key for row in person.attributes] == [*tables.SCORES, "psi"]
    assert [row.selection.key for row in person.selections] == ["kind", "method"]


def test_limits_of_new_characters_are_for_the_living() -> None:
    strong = msgspec.structs.replace(
        chosen(kind="robot"), attributes={**blank_draft(PLAN).attributes, "str": 30}
    )
    assert find_faults(PLAN, strong) == ()
    assert find_faults(PLAN, msgspec.structs.replace(strong, chosen=chosen().chosen)) != ()


# ---------------------------------------------------------------- pages


@pytest.fixture
def person(gm: User) -> Character:
    sheet = {"attributes": dict.fromkeys(tables.SCORES, 7), "skills": {"recon": 1}, "tracks": {"end": 2}}
    return create(gm, SYSTEM.slug, "Zed", sheet)


def test_damage_is_shown_on_the_characteristic_itself(gm_client: Client, person: Character) -> None:
    page = read(gm_client.get(f"/characters/{person.pk}/"))
    stats = {item.text.split()[0]: item.text for item in page.all("li", class_="stat")}
    assert "2 of 7" in stats["Endurance"]
    assert "of 7" not in stats["Strength"]
    assert person.summary == "777777"  # the profile is that of the whole body


def test_check_from_the_sheet_adds_skill_and_dm(gm_client: Client, person: Character) -> None:
    asked = {"roll": "check", "skill": "recon", "characteristic": "end", "difficulty": "difficult"}
    page = read(gm_client.get(f"/characters/{person.pk}/", asked))
    assert "8%" in page.one("main").text  # 1 for Recon, −2 for Endurance 2, −2: 11 or more
    rolled = gm_client.post(f"/characters/{person.pk}/", {**asked, "do": "roll", "dice": "app"})
    assert rolled.status_code == 302
    assert person.rolls.get().lines[0]["total"] <= 12 + 1 - 2 - 2


def test_new_character_is_filled_in_from_one_line(gm_client: Client) -> None:
    line = "Guard 868774 Gun Combat-1 Melee-0 rifle, cloth"
    data = {"game": SYSTEM.slug, "way": "guided", "at": "body", "line": line, "fill": "1"}
    page = read(gm_client.post(NEW, data))
    assert page.one("input", name="name")["value"] == "Guard"
    assert page.one("input", id="profile")["value"] == "868774"
    assert page.one("input", name="skills-slug_rifle")["value"] == "1"
    gm_client.post(NEW, {**data, "line": "", "name": "Guard", "create": "1"})
    wrong = gm_client.post(NEW, {**data, "line": "Guard 868774 riffle"})
    assert "perhaps Rifle" in wrong.content.decode()


@pytest.fixture
def room(gm: User) -> Encounter:
    return create_encounter(gm, SYSTEM.slug, "Ambush")


def test_combatants_join_from_lines_and_faulty_ones_stay(gm_client: Client, room: Encounter) -> None:
    lines = "Guard 868774 Gun Combat-1 Melee-0 rifle, cloth\n\nThug 877564 Melee-1 cudgel\nBad 868774 riffle"
    prep = f"/encounters/{room.pk}/prep/"
    shown = read(gm_client.post(prep, {"do": "read", "notes": lines}))
    assert "perhaps Rifle" in shown.one("div", id="understood").text
    seen = shown.one("input", name="seen")["value"]
    done = gm_client.post(prep, {"do": "people", "notes": lines, "seen": seen, "side": "enemies"})
    assert done.status_code == 303
    combatants = present(state_of(room.pk))
    assert [(f.name, f.side) for f in combatants] == [("Guard", "enemies"), ("Thug", "enemies")]
    assert [item.name for item in combatants[1].items] == ["Cudgel", "Unarmed Strike"]
    assert "notes=" not in done["Location"]
    again = read(gm_client.get(done["Location"]))
    assert again.one("textarea", name="notes").text.strip() == "Bad 868774 riffle"


def test_later_vehicles_are_offered_where_the_table_uses_them(gm_client: Client, room: Encounter) -> None:
    """RULING R57"""
    prep = f"/encounters/{room.pk}/prep/"
    usual = read(gm_client.get(prep)).one("select", id="join-block").text
    assert "AFV" in usual
    assert "Grav Tank" not in usual
    submit(room.pk, Submission("set_option", {"key": "design_vehicles", "value": True}))
    assert "Grav Tank" in read(gm_client.get(prep)).one("select", id="join-block").text


@pytest.mark.django_db
def test_numbers_beside_the_form_have_real_minus_signs(gm_client: Client) -> None:
    page = " ".join(
        gm_client.get(f"{NEW}?game={SYSTEM.slug}&way=free&profile=222777&profile-was=777777")
        .content.decode()
        .split()
    )
    assert page.count("<summary> \N{MINUS SIGN}2 </summary>") == 3
    assert "<dt>Str DM</dt> <dd> <details" in page
    assert "<dt>Int DM</dt> <dd> <details" in page
    low = " ".join(
        gm_client.get(f"{NEW}?game={SYSTEM.slug}&way=free&profile=777277&profile-was=777777")
        .content.decode()
        .split()
    )
    assert "<summary> \N{MINUS SIGN}2 </summary>" in low
