"""First aid and surgery."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters.values import is_seriously_wounded
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, lone

EIGHT = (4, 4)


def infirmary(medicine: int = 2, profile: str = "777797", **options: Any) -> CepheusStage:
    """Ada has this Medicine and Education 9; Bo is to be treated, beside her."""
    stage = CepheusStage(**options)
    stage.hero("Ada", profile, skills={"medicine": medicine})
    stage.hero("Bo", at=(1, 0))
    return stage.begin(ADA, BO)


def injure(stage: CepheusStage, who: str, *body: int, ago: int = 0) -> None:
    """Wounds made this many seconds ago: Strength, Dexterity, Endurance now."""
    stage.wounded(who, *body)
    stage.edit(who, marks={**stage[who].marks, "hurt_at": stage.state.clock})
    stage.state = replace(stage.state, clock=stage.state.clock + ago)


# ---------------------------------------------------------------- first aid


@pytest.mark.rule("CE-MED-03", "CE-INJ-08")
@pytest.mark.full_rules
def test_more_than_there_is_room_for_is_refused() -> None:
    stage = infirmary(2)
    injure(stage, BO, 6, 5, 2)
    refused = stage.refused("first_aid", ADA, target=BO, dice=[EIGHT, "str=2,end=4"])
    assert "Strength takes 1 at most" in refused.message


@pytest.mark.rule("CE-MED-04", "CE-MED-05", "CS-MED-01")
@pytest.mark.parametrize(
    ("seconds", "points", "options"),
    [(300, 6, {}), (301, 3, {}), (3600, 3, {}), (9000, 6, {"treatment_time_limits": False})],
)
def test_late_first_aid_is_worth_half_where_the_table_plays_so(
    seconds: int, points: int, options: dict[str, Any]
) -> None:
    stage = infirmary(2, **options)
    injure(stage, BO, 7, 7, 0, ago=seconds)
    stage.do("first_aid", ADA, target=BO, dice=[EIGHT])
    assert stage.body(BO) == (7, 7, points)


@pytest.mark.rule("CE-MED-04")
@pytest.mark.parametrize(("seconds", "body"), [(300, (7, 7, 7)), (301, (7, 7, 6))])
def test_the_five_minutes_count_from_the_last_wound(seconds: int, body: tuple[int, int, int]) -> None:
    stage = infirmary(2)
    stage.state = replace(stage.state, clock=5000)
    stage.hit(BO, 4)
    stage.state = replace(stage.state, clock=5000 + seconds)
    stage.do("first_aid", ADA, target=BO, dice=[EIGHT])
    assert stage.body(BO) == body


@pytest.mark.rule("CE-MED-07")
def test_patient_made_whole_in_one_score_needs_no_surgery() -> None:
    stage = infirmary(2)
    injure(stage, BO, 6, 3, 3)
    stage.do("first_aid", ADA, target=BO, dice=[EIGHT, "str=1,dex=3,end=2"])
    assert not is_seriously_wounded(stage[BO])
    assert "CE-MED-07" not in stage.rules()


@pytest.mark.rule("CE-MED-02")
@pytest.mark.full_rules
def test_once_for_each_patient() -> None:
    stage = infirmary()
    injure(stage, BO, 7, 7, 0)
    stage.do("first_aid", ADA, target=BO, dice=[(1, 1)])
    assert (stage.body(BO), stage[ADA].budget["significant"]) == ((7, 7, 0), 0)
    stage.turn(ADA)
    assert "has had first aid" in stage.refused("first_aid", ADA, target=BO).message
    stage.hit(BO, 1, "str=1")  # in the same incident
    assert "has had first aid" in stage.refused("first_aid", ADA, target=BO).message


@pytest.mark.rule("CE-MED-02")
@pytest.mark.parametrize(("seconds", "helps"), [(3600, False), (3601, True)])
@pytest.mark.full_rules
def test_a_wound_more_than_an_hour_later_is_another_incident(seconds: int, helps: bool) -> None:
    """RULING R39"""
    stage = infirmary()
    injure(stage, BO, 7, 7, 0)
    stage.do("first_aid", ADA, target=BO, dice=[(1, 1)])
    stage.turn(ADA)
    stage.state = replace(stage.state, clock=stage.state.clock + seconds)
    stage.hit(BO, 3, "str=3")
    if helps:
        stage.do("first_aid", ADA, target=BO, dice=[(3, 2)])
        assert "first_aid" in stage[BO].marks
    else:
        assert "has had first aid" in stage.refused("first_aid", ADA, target=BO).message


@pytest.mark.rule("CE-MED-02")
def test_a_day_does_not_bring_first_aid_back_for_the_same_wounds() -> None:
    stage = infirmary()
    injure(stage, BO, 1, 7, 7)
    stage.do("first_aid", ADA, target=BO, dice=[(1, 1)])
    stage.do("end_fight")
    stage.do("rest", kind="active", who=[BO])
    assert "first_aid" in stage[BO].marks
    stage.do("rest", kind="active", days=5, who=[BO])
    assert stage.body(BO) == (7, 7, 7)
    assert "first_aid" not in stage[BO].marks


def test_out_of_reach() -> None:
    stage = infirmary()
    injure(stage, BO, 7, 7, 0)
    stage.edit(BO, at=replace(stage[BO].at, x=20.0))
    assert stage.refused("first_aid", ADA, target=BO).code == "out_of_range"


def test_the_unhurt_need_none() -> None:
    stage = infirmary()
    assert "No one here is wounded" in stage.refused("first_aid", ADA, target=BO).message
    injure(stage, ADA, 7, 7, 0)
    assert "Bo is not wounded" in stage.refused("first_aid", ADA, target=BO).message


@pytest.mark.rule("CE-MED-02")
def test_after_the_fight_it_takes_minutes() -> None:
    stage = infirmary()
    injure(stage, BO, 7, 7, 0)
    stage.do("end_fight")
    stage.do("tend", target=BO, doctor=ADA, dice=[EIGHT, 4])
    assert stage.body(BO) == (7, 7, 6)
    assert [told.seconds for told in stage.told(e.TimePassed)] == [240]


# ---------------------------------------------------------------- surgery


def theatre(medicine: int = 2, **options: Any) -> CepheusStage:
    """Bo is seriously wounded; the fight is over."""
    stage = infirmary(medicine, "777777", **options)
    injure(stage, BO, 3, 3, 3)
    stage.do("end_fight")
    return stage


@pytest.mark.rule("CE-MED-08", "CS-HEAL-04", "CS-MED-07")
def test_surgery_that_just_succeeds_heals_nothing_but_counts() -> None:
    stage = theatre(serious_wounds="surgery_first")
    stage.do("surgery", target=BO, doctor=ADA, hospital=True, dice=[(3, 3)])
    assert (stage.check("check.surgery").total, stage.body(BO)) == (8, (3, 3, 3))
    stage.do("tend", target=BO, doctor=ADA, dice=[EIGHT, "end=4", 1])
    assert stage.body(BO) == (3, 3, 7)


@pytest.mark.rule("CE-MED-10", "CS-MED-05")
def test_surgery_needs_a_hospital() -> None:
    stage = theatre()
    assert "hospital" in stage.refused("surgery", target=BO, doctor=ADA).message
    fields = stage.system.action("surgery").find_fields(stage.state, "")
    assert [field.kind for field in fields if field.name == "hospital"] == ["flag"]


@pytest.mark.rule("CE-MED-08")
def test_surgery_once_a_day() -> None:
    stage = theatre(0)
    stage.do("surgery", target=BO, doctor=ADA, hospital=True, dice=[EIGHT])
    assert "today" in stage.refused("surgery", target=BO, doctor=ADA, hospital=True).message


def test_no_surgery_in_a_fight() -> None:
    stage = infirmary()
    injure(stage, BO, 3, 3, 3)
    assert "End the fight" in stage.refused("surgery", target=BO, doctor=ADA, hospital=True).message


@pytest.mark.rule("CS-HEAL-04")
def test_surgery_comes_first_where_the_table_plays_so() -> None:
    stage = infirmary(2, "777777", serious_wounds="surgery_first")
    injure(stage, BO, 3, 3, 3)
    assert "surgery comes before" in stage.refused("first_aid", ADA, target=BO).message
    stage.do("end_fight")
    stage.do("surgery", target=BO, doctor=ADA, hospital=True, dice=[(3, 4), "end=2"])
    stage.do("tend", target=BO, doctor=ADA, dice=[EIGHT, "end=2,str=2", 1])
    assert stage.body(BO) == (5, 3, 7)


@pytest.mark.rule("CE-MED-02", "CE-MED-08")
def test_the_forms_begin_with_the_best_who_is_whole() -> None:
    stage = lone("Ada", skills={"medicine": 1})
    stage.hero("Bo")
    expert = stage.hero("Cy", skills={"medicine": 3})

    def helper(action: str) -> str:
        fields = stage.system.action(action).find_fields(stage.state, "")
        return next(field.value for field in fields if field.name == "doctor")

    assert helper("tend") == helper("surgery") == expert
    injure(stage, expert, 3, 5, 2)
    assert helper("tend") == ADA


# ---------------------------------------------------------------- sums


@pytest.mark.rule("CE-MED-06")
@pytest.mark.parametrize(("patient", "total"), [(ADA, 1 - 2), (BO, 1)])
def test_the_form_of_first_aid_has_its_sums(patient: str, total: int) -> None:
    stage = infirmary(1, "777777")
    injure(stage, patient, 7, 7, 3)
    assert add_up(stage.preview("first_aid", ADA, target=patient).modifiers) == total


@pytest.mark.rule("CE-MED-06", "CE-MED-13")
@pytest.mark.parametrize(
    ("name", "doctor", "total"),
    [("tend", ADA, 2), ("surgery", ADA, 2), ("tend", BO, -5), ("surgery", BO, -7)],
)
def test_forms_of_care_have_the_sums_and_the_gms_word_counts(name: str, doctor: str, total: int) -> None:
    """Bo, who is hurt, has no Medicine; self-treatment is harder."""
    stage = theatre()
    fields: dict[str, Any] = {
        "target": BO,
        "doctor": doctor,
        **({"hospital": True} if name == "surgery" else {}),
    }
    assert add_up(stage.preview(name, "", **fields).modifiers) == total
    dice: list[Any] = [(4, 3) if doctor == ADA else (6, 6)]
    dice += [2] if name == "tend" else ["end=3,str=1"] if doctor == BO else []  # minutes; surgery that failed
    stage.do(name, **fields, adjust=-1, dice=dice)
    assert stage.check().total == total - 1 + (7 if doctor == ADA else 12)


# ---------------------------------------------------------------- robots


@pytest.mark.rule("CE-MED-02", "CE-MED-08")
def test_an_autodoc_gives_first_aid_and_operates() -> None:
    """Medicine 2 and Education 12, DM +2."""
    stage = theatre(1)
    block = stage.system.book.find_blocks()["autodoc"]
    doc = stage.add("Doc", "allies", (0, 0), dict(block.sheet), pc=True)
    injure(stage, BO, 6, 6, 1)
    forms = {name: stage.system.action(name).find_fields(stage.state, ADA) for name in ("tend", "surgery")}
    for fields in forms.values():
        (doctor,) = [field for field in fields if field.name == "doctor"]
        assert doctor.value == doc
    stage.do("surgery", target=BO, doctor=doc, hospital=True, dice=[EIGHT])
    assert stage.check().total == 8 + 2 + 2
    assert stage.body(BO) == (7, 7, 7)
    injure(stage, BO, 7, 7, 1)
    stage.do("tend", target=BO, doctor=doc, dice=[EIGHT, 3])
    assert stage.body(BO) == (7, 7, 7)
