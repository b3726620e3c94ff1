"""Days between fights: natural healing, medical care, minds; and the updated sheets."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.body.drugs import take_stim
from combat.rules.cepheus.body.hits import find_layers
from combat.rules.cepheus.body.states import fall_unconscious
from combat.rules.cepheus.care.treatment import count_age
from combat.rules.cepheus.time import care_for, care_terms
from combat.rules.core.aftermath import make_aftermath
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state import events as e
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, lone


def ward(profile: str = "777777", *body: int, **options: Any) -> CepheusStage:
    """Ada with these wounds; Bo is a doctor of Medicine 2."""
    stage = CepheusStage(**options)
    stage.hero("Ada", profile)
    stage.hero("Bo", skills={"medicine": 2})
    stage.wounded(ADA, *body)
    return stage


# ---------------------------------------------------------------- natural healing


def test_a_day_never_costs_points_where_the_table_plays_so() -> None:
    stage = ward("777777", 7, 7, 2, daily_healing_may_harm=False)
    stage.do("rest", kind="active", who=[ADA])
    assert stage.body(ADA) == (7, 7, 2)


@pytest.mark.rule("CE-HEAL-04", "CE-HEAL-05")
@pytest.mark.parametrize(("endurance", "dice"), [(9, []), (8, []), (5, ["str=1"])])
def test_the_seriously_wounded_regain_nothing_on_active_days(endurance: int, dice: list[str]) -> None:
    stage = ward("77A777", 6, 6, endurance, serious_wounds="first_aid_first")
    stage.do("rest", kind="active", who=[ADA], dice=dice)
    assert stage.body(ADA) == (6 - len(dice), 6, endurance)


@pytest.mark.rule("CE-HEAL-05")
def test_owner_chooses_what_a_day_costs_despite_endurance_first() -> None:
    stage = ward("777777", 6, 6, 4, damage_order="endurance_first")
    stage.do("rest", who=[ADA], dice=["dex=1"])
    assert stage.body(ADA) == (6, 5, 4)


@pytest.mark.rule("CE-MED-04", "CE-MED-05", "CE-HEAL-05")
def test_cost_of_a_day_or_stim_gives_no_new_first_aid_time() -> None:
    stage = ward("777777", 7, 7, 7)
    stage.hit(ADA, 7)
    assert count_age(stage.state, stage[ADA]) == 0
    stage.do("pass_time", minutes=30)
    stage.do("rest", kind="active", who=[ADA], dice=["str=1"])  # an Endurance DM of -2
    age = 30 * 60 + 86_400
    assert count_age(stage.state, stage[ADA]) == age
    stage.run(lambda context: take_stim(context, ADA, ADA), ["str=1"])
    assert count_age(stage.state, stage[ADA]) == age
    assert "too late" in stage.refused("tend", target=ADA, doctor=BO).message


def test_getting_worse_can_kill() -> None:
    stage = ward("777777", 0, 0, 1)
    stage.do("rest", who=[ADA], dice=[(6, 6)])  # a patient who wakes first does not live
    assert stage.has(ADA, "dead")


@pytest.mark.rule("CE-INJ-07", "CE-INJ-08")
def test_healed_points_go_where_the_player_likes() -> None:
    stage = ward("777777", 5, 5, 7)
    stage.do("rest", who=[ADA], dice=[3, "str=1,dex=2"])
    assert stage.body(ADA) == (6, 7, 7)


# ---------------------------------------------------------------- medical care


@pytest.mark.rule("CE-MED-14")
@pytest.mark.parametrize(
    ("profile", "medicine", "points"),
    [("F77777", 2, 4), ("F74777", 2, 3), ("F79777", 1, 4), ("F77777", None, 2)],
)
def test_care_is_two_the_patients_dm_and_the_doctors_medicine(
    profile: str, medicine: int | None, points: int
) -> None:
    stage = lone("Ada", profile)
    stage.hero("Bo", skills={} if medicine is None else {"medicine": medicine})
    care = care_terms(stage[ADA], stage[BO])
    assert add_up(care) == points


@pytest.mark.rule("CE-MED-15")
@pytest.mark.parametrize(
    ("medicine", "answers", "body"),
    [(2, [], (5, 7, 9)), (3, ["str=1"], (6, 7, 9)), (3, ["end=1"], (5, 7, 10))],
)
def test_care_is_divided_evenly(medicine: int, answers: list[str], body: tuple[int, ...]) -> None:
    stage = lone("Ada", "D7D777")
    stage.hero("Bo", skills={"medicine": medicine})
    stage.wounded(ADA, 3, 7, 7)
    stage.do("rest", who=[ADA], doctor=BO, hospital=True, dice=[1, "end=1", *answers])
    expected = tuple(body)
    assert stage.body(ADA) == (expected[0], 7, expected[2] + 1)


@pytest.mark.rule("CE-MED-11")
@pytest.mark.parametrize(
    ("profile", "body", "why"),
    [
        ("777777", (6, 6, 6), "Ada is seriously wounded: surgery comes first"),
        ("77B777", (5, 5, 9), "Ada is seriously wounded"),  # a day heals 1 point of 2
        ("777777", (7, 7, 7), "Nobody in this care is wounded"),
    ],
)
def test_care_that_helps_nobody_is_refused_before_a_day_passes(
    profile: str, body: tuple[int, ...], why: str
) -> None:
    stage = ward(profile, *body)
    assert why in stage.refused("rest", who=[ADA], doctor=BO, hospital=True).message
    assert stage.state.clock == 0


@pytest.mark.rule("CE-MED-11")
def test_no_care_for_the_seriously_wounded_beside_others() -> None:
    stage = ward("777777", 6, 6, 6)
    other = stage.hero("Cy")
    stage.wounded(other, 7, 7, 5)
    stage.do("rest", who=[ADA, other], doctor=BO, hospital=True, dice=[1])
    assert stage.body(ADA) == (6, 6, 6)
    assert "CE-MED-11" in stage.rules()
    assert stage.body(other) == (7, 7, 7)


@pytest.mark.rule("CE-MED-11", "CE-HEAL-04", "CE-MED-14")
def test_care_begins_on_the_day_a_characteristic_is_whole() -> None:
    stage = ward("77B777", 5, 5, 10)  # Endurance DM 1: the first day heals the last point of it
    stage.do("rest", days=1, who=[ADA], doctor=BO, hospital=True, dice=["end=1"])
    assert stage.body(ADA)[2] == 11
    assert "CE-MED-14" in stage.rules()


@pytest.mark.rule("CE-MED-14")
@pytest.mark.parametrize("kind", ["dead", "unconscious"])
def test_no_doctor_who_cannot_act(kind: str) -> None:
    stage = ward("777777", 6, 7, 7)
    stage.give(BO, kind)
    refused = stage.refused("rest", who=[ADA], doctor=BO, hospital=True)
    assert refused.message == "Bo cannot act: choose someone else who gives medical care."
    fields = {field.name: field for field in stage.system.action("rest").find_fields(stage.state, "")}
    assert [bool(option.refused) for option in fields["doctor"].options] == [False, False, True]


@pytest.mark.rule("CE-MED-14", "CE-MED-16")
def test_nobody_is_their_own_doctor() -> None:
    stage = ward("777777", 6, 7, 7)
    stage.set_track(BO, str=3)
    assert "themselves" in stage.refused("rest", who=[BO], doctor=BO, hospital=True).message
    stage.do("rest", doctor=BO, hospital=True, dice=[1, 1])  # everyone rests; Bo is in no one's care
    assert (stage.body(ADA)[0], stage.body(BO)[0]) == (7, 4)


@pytest.mark.rule("CE-MED-14")
def test_a_doctor_who_goes_down_meanwhile_cares_for_nobody() -> None:
    stage = ward("777777", 1, 7, 7)
    stage.run(lambda context: fall_unconscious(context, BO, "other", "CE-UNCON-01"))
    stage.run(lambda context: care_for(context, ADA, BO))
    assert stage.body(ADA)[0] == 1
    assert [x.key for x in stage.told(e.Said)] == ["log.no_doctor"]


@pytest.mark.rule("CE-MED-16", "CE-INJ-06", "CS-MED-10")
def test_care_needs_a_hospital_and_bed_rest() -> None:
    stage = ward("777777", 6, 7, 7)
    assert "hospital" in stage.refused("rest", who=[ADA], doctor=BO).message
    active = stage.refused("rest", kind="active", who=[ADA], doctor=BO, hospital=True)
    assert "bed rest" in active.message
    fields = {field.name: field for field in stage.system.action("rest").find_fields(stage.state, "")}
    assert fields["hospital"].kind == "flag"
    assert [option.value for option in fields["doctor"].options] == ["", ADA, BO]


# ---------------------------------------------------------------- minds, time


@pytest.mark.rule("CE-MENT-03")
def test_minds_heal_a_point_a_day() -> None:
    stage = ward("777877", 7, 7, 7)
    stage.set_track(ADA, int=5, edu=3)
    stage.do("rest", days=2, who=[ADA])
    assert (stage[ADA].tracks["int"], stage[ADA].tracks["edu"]) == (7, 5)
    stage.do("rest", days=3, who=[ADA])
    assert (stage[ADA].tracks["int"], stage[ADA].tracks["edu"]) == (8, 7)


@pytest.mark.rule("CE-FAT-03")
def test_rest_takes_fatigue_away_and_an_active_day_does_not() -> None:
    stage = ward("777777", 7, 7, 7)
    stage.do("exhaust", target=ADA)
    stage.do("rest", kind="active", who=[ADA])
    assert stage.has(ADA, "fatigued")
    stage.do("rest", who=[ADA])
    assert not stage.has(ADA, "fatigued")


def test_no_rest_in_a_fight() -> None:
    stage = ward("777777", 6, 7, 7)
    stage.begin(ADA, BO)
    assert "End the fight" in stage.refused("rest", days=1).message
    assert "End the fight" in stage.refused("pass_time", hours=1).message


@pytest.mark.parametrize(("fields", "code"), [({"days": 0}, "bad_value"), ({"days": 61}, "bad_value")])
def test_so_many_days(fields: dict[str, Any], code: str) -> None:
    assert ward("777777", 6, 7, 7).refused("rest", **fields).code == code


# ---------------------------------------------------------------- the sheet


def test_wounds_go_home_on_the_characteristics_they_are_in() -> None:
    stage = ward("777777", 6, 7, 2)
    stage.do("exhaust", target=ADA)
    home = make_aftermath(stage.system, stage[ADA])
    assert home.sheet["tracks"] == {"str": 6, "end": 2}
    assert [held["kind"] for held in home.sheet["conditions"]] == ["fatigued"]


def test_what_lasers_took_off_armor_goes_home_and_comes_along() -> None:
    stage = CepheusStage()
    things = [{"id": "a", "kind": "armor", "entry": "ablat", "place": "worn", "wear": {"ablated": 2}}]
    stage.hero(items=things)
    assert find_layers(stage[ADA], "laser") == (("Ablat", 6),)
    stage.hit(ADA, 3, kind="laser")
    home = make_aftermath(stage.system, stage[ADA])
    assert home.lines == ("Ablat, points lost against lasers: 2 → 3",)
    assert home.sheet["items"][0]["wear"] == {"ablated": 3}


# ---------------------------------------------------------------- slow drug


def test_a_day_with_slow_drug_heals_as_much_as_a_month() -> None:
    stage = ward("777777", 1, 7, 7)
    stage.do("rest", days=1, who=[ADA], hospital=True, slow=True, dice=[2, 3, 1])
    assert stage.body(ADA) == (7, 7, 7)
    assert stage.state.clock == 86_400, "it is a day all the same"


def test_slow_drug_does_nothing_that_a_month_would_not_do() -> None:
    stage = ward("777777", 1, 2, 6)
    stage.do("rest", days=1, who=[ADA], hospital=True, slow=True)
    assert stage.body(ADA) == (1, 2, 6), "seriously wounded, and an Endurance DM of 0"


@pytest.mark.parametrize("fields", [{}, {"hospital": True, "kind": "active"}])
def test_slow_drug_needs_a_hospital_and_full_rest(fields: dict[str, Any]) -> None:
    stage = ward("777777", 1, 2, 7)
    assert (
        "Slow drug needs a hospital" in stage.refused("rest", days=1, who=[ADA], slow=True, **fields).message
    )
