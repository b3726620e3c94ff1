"""Field medicine, surgery, radiation, nano-medicine, regeneration: rolls, tools and limits."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from combat.rules.core.state.state import Until
from combat.rules.cosmos.time.treatment import find_treatable
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.stage import Die, Given

HOUR, DAY = 3600, 86_400
EIGHT, SEVEN = (4, 4), (4, 3)


def ward(
    hp: int = 50,
    facility: str = "facility",
    gear: tuple[str, ...] = ("medical_kit",),
    patient: dict[str, object] | None = None,
    attributes: dict[str, int] | None = None,
    skills: dict[str, int] | None = None,
    **options: object,
) -> tuple[CosmosStage, str, str]:
    """A healer (Intellect 4, Medicine 4) and a patient with this many HP, between fights."""
    stage = CosmosStage(**options)
    healer = stage.hero("Ada", gear=list(gear), skills=skills or {"Medicine": 4}, attributes=attributes)
    cy = stage.hero("Cy", at=(1, 0), **(patient or {}))
    stage.set_track(cy, hp=hp)
    stage.do("set_setting", key="facility", value=facility)
    return stage, healer, cy


def treat(stage: CosmosStage, by: str, target: str, method: str, *dice: Die, **fields: Any) -> None:
    stage.do("treat", by=by, target=target, method=method, dice=dice, **fields)


# ---------------------------------------------------------------- first aid


@pytest.mark.rule("COS-MED-01", "COS-MED-05")
def test_first_aid_between_fights_reaches_everyone_who_needs_it() -> None:
    stage, ada, cy = ward(gear=("first_aid_kit",), facility="none")
    stage.do("place", target=cy, x=50, y=0)
    stage.give(cy, "bleeding")
    treat(stage, ada, cy, "first_aid", (1, 1))  # 2 + 4 + 2 + 2: too little
    assert stage.has(cy, "bleeding")
    treat(stage, ada, cy, "first_aid", EIGHT, 3)
    assert (stage.hp(cy), stage.has(cy, "bleeding")) == (53, False)
    stage.do("rest", kind="night")
    words = stage.refused("treat", by=cy, target=ada, method="first_aid").message
    assert words == "Ada needs no first aid: choose someone who does."
    stage.begin(ada)
    words = stage.refused("treat", by=ada, target=cy, method="first_aid").message
    assert words == "In rounds, first aid is an action: choose it on the healer's turn."


# ---------------------------------------------------------------- field medicine


@pytest.mark.rule("COS-MED-08", "COS-MED-05")
def test_field_medicines_2d6_replace_the_1d6_of_first_aid() -> None:
    stage, ada, cy = ward()
    treat(stage, ada, cy, "field", EIGHT, (4, 3))
    stage.begin(ada)
    stage.do("first_aid", ada, target=cy, dice=[EIGHT])
    assert stage.hp(cy) == 57


@pytest.mark.rule("COS-MED-09")
@pytest.mark.parametrize(
    ("pick", "left"), [(0, ["fatigued"]), (1, ["blinded"]), (None, ["blinded", "fatigued"])]
)
def test_the_healer_picks_one_condition(pick: int | None, left: list[str]) -> None:
    stage, ada, cy = ward()
    stage.give(cy, "blinded")
    stage.give(cy, "fatigued")
    chosen = "none" if pick is None else stage[cy].conditions[pick].id
    treat(stage, ada, cy, "field", EIGHT, chosen, (1, 1))
    assert [c.kind for c in stage[cy].conditions] == left


@pytest.mark.rule("COS-MED-09", "COS-MED-13")
def test_field_medicine_does_not_mend_injuries() -> None:
    stage, ada, cy = ward()
    stage.give(cy, "injury")
    treat(stage, ada, cy, "field", EIGHT, (1, 1))
    assert stage.has(cy, "injury")


@pytest.mark.rule("COS-MED-10")
def test_without_a_medical_kit_it_is_refused() -> None:
    stage, ada, cy = ward(gear=("first_aid_kit",))
    refused = stage.refused("treat", by=ada, target=cy, method="field")
    assert (refused.code, "medical kit" in refused.message) == ("not_allowed", True)


@pytest.mark.rule("COS-MED-08")
def test_field_medicine_is_once_per_patient_and_encounter() -> None:
    stage, ada, cy = ward()
    treat(stage, ada, cy, "field", SEVEN)  # a failure does not count
    treat(stage, ada, cy, "field", EIGHT, (1, 1))
    stage.wait(2 * DAY)
    assert stage.refused("treat", by=ada, target=cy, method="field").code == "no_budget"


@pytest.mark.rule("COS-MED-06")
def test_in_rounds_only_where_the_table_plays_so() -> None:
    stage, ada, cy = ward()
    stage.begin(ada)
    assert "10 minutes" in stage.obstacle("field_medicine", ada)
    assert stage.refused("treat", by=ada, target=cy, method="field").code == "not_allowed"
    stage, ada, cy = ward(field_medicine_in_rounds=True)
    stage.begin(ada)
    stage.do("field_medicine", ada, target=cy, dice=[EIGHT, (4, 3)])
    assert (stage.hp(cy), stage[ada].budget["standard"]) == (57, 0)


def test_field_medicine_in_rounds_needs_reach_and_shows_its_sum() -> None:
    stage, ada, cy = ward(field_medicine_in_rounds=True)
    stage.begin(ada)
    shown = stage.preview("field_medicine", ada, target=cy)
    assert [term.value for term in shown.against] == [14]
    stage.place(cy, 5, 0)
    assert stage.refused("field_medicine", ada, target=cy).code == "out_of_range"


# ---------------------------------------------------------------- surgery


@pytest.mark.rule("COS-MED-11", "COS-MED-12")
@pytest.mark.parametrize(("dice", "hp"), [([EIGHT, (4, 3, 5)], 62), ([SEVEN], 50)])
def test_surgery_needs_17_and_restores_3d6(dice: Given, hp: int) -> None:
    stage, ada, cy = ward(attributes={"INT": 6}, skills={"Medicine": 6})
    treat(stage, ada, cy, "surgery", *dice)
    check = stage.check("Medicine")
    assert (check.total, check.against) == (17 if hp == 62 else 16, 17)
    assert stage.hp(cy) == hp


@pytest.mark.rule("COS-MED-13")
def test_surgery_repairs_injuries() -> None:
    stage, ada, cy = ward()
    stage.give(cy, "injury")
    treat(stage, ada, cy, "surgery", (6, 5), (1, 1, 1))
    assert not stage.has(cy, "injury")


@pytest.mark.rule("COS-MED-13", "COS-MED-16", "COS-STATE-18", "COS-DEATH-09")
@pytest.mark.parametrize(("method", "dice"), [("surgery", ((9, 9), (1, 1, 1))), ("regeneration", ())])
@pytest.mark.parametrize("plight", ["bleeding", "faint"])
def test_larger_treatments_do_what_first_aid_does(
    method: str, dice: tuple[tuple[int, ...], ...], plight: str
) -> None:
    stage, ada, cy = ward(hp=5, facility="ward")
    stage.give(cy, "bleeding" if plight == "bleeding" else "unconscious", marks={"cause": "Critical"})
    treat(stage, ada, cy, method, *dice)
    assert {held.kind for held in stage[cy].conditions} <= {"helpless"}


@pytest.mark.rule("COS-MED-11", "COS-DEATH-09")
def test_surgery_stabilizes_even_those_who_stay_below_0_hp() -> None:
    stage, ada, cy = ward(hp=5)
    stage.do("adjust", target=cy, track="hp", to=-5)
    treat(stage, ada, cy, "surgery", (9, 9), (1, 1, 1))
    assert (stage.hp(cy), stage.has(cy, "dying"), stage.has(cy, "stable")) == (-2, False, True)


@pytest.mark.rule("COS-MED-16", "COS-DEATH-09", "COS-DEATH-10")
def test_tank_takes_the_dying_but_not_while_others_bleed() -> None:
    stage, ada, cy = ward(hp=5, facility="ward")
    stage.do("adjust", target=cy, track="hp", to=-5)
    stage.give(ada, "bleeding")
    why = "Ada is bleeding: treat them or play in rounds first."
    assert stage.refused("treat", by=ada, target=cy, method="regeneration").message == why
    stage.edit(ada, conditions=())
    treat(stage, ada, cy, "regeneration", hours=1)
    assert (stage.hp(cy), stage[cy].conditions) == (5, ())


@pytest.mark.rule("COS-MED-09", "COS-DEATH-10")
@pytest.mark.parametrize(("hp", "offered"), [(-2, []), (5, ["unconscious"])])
def test_field_medicine_ends_no_faint_below_1_hp(hp: int, offered: list[str]) -> None:
    stage, _, cy = ward(hp=hp)
    stage.give(cy, "unconscious")
    assert [held.kind for held in find_treatable(stage[cy])] == offered


@pytest.mark.rule("COS-MED-15", "COS-COND-21")
def test_the_patient_under_the_knife_lets_go() -> None:
    stage, ada, cy = ward()
    bo = stage.foe(at=(2, 0))
    stage.give(bo, "grappled", by=cy)
    treat(stage, ada, cy, "surgery", (1, 2))
    assert not stage.has(bo, "grappled")


@pytest.mark.rule("COS-MED-17")
@pytest.mark.parametrize(
    ("method", "fields", "why"),
    [
        ("nano", {"points": 1000}, "A dose heals 1 to 999 points, or all of them with 0."),
        ("regeneration", {"hours": 0}, "Regenerate 1 to 240 hours."),
        ("regeneration", {"hours": 241}, "Regenerate 1 to 240 hours."),
    ],
)
def test_strange_treatments_are_refused(method: str, fields: dict[str, Any], why: str) -> None:
    stage, ada, cy = ward(facility="ward", gear=("nano_dose",))
    assert stage.refused("treat", by=ada, target=cy, method=method, **fields).message == why


@pytest.mark.rule("COS-MED-15")
def test_the_patient_is_helpless_for_two_hours() -> None:
    stage, ada, cy = ward()
    treat(stage, ada, cy, "surgery", SEVEN)
    assert stage.has(cy, "helpless")
    assert stage.derived(cy, "Defense").value == 0
    stage.do("pass_time", minutes=119)
    assert stage.has(cy, "helpless")
    stage.do("pass_time", minutes=1)
    assert not stage.has(cy, "helpless")


@pytest.mark.rule("COS-MED-12")
def test_surgery_is_once_a_day_even_if_it_fails() -> None:
    stage, ada, cy = ward()
    stage.wait(3 * DAY)
    treat(stage, ada, cy, "surgery", SEVEN)
    stage.wait(DAY - 1)
    assert stage.refused("treat", by=ada, target=cy, method="surgery").code == "no_budget"
    stage.wait(1)
    treat(stage, ada, cy, "surgery", SEVEN)


@pytest.mark.rule("COS-MED-11")
def test_nobody_operates_without_medicine_or_on_oneself() -> None:
    stage, ada, cy = ward(skills={"Medicine": 0})
    assert "Medicine 1" in stage.refused("treat", by=ada, target=cy, method="surgery").message
    stage, ada, cy = ward(skills={"Medicine": 1})
    treat(stage, ada, cy, "surgery", SEVEN)
    stage, ada, _ = ward()
    assert stage.refused("treat", by=ada, target=ada, method="surgery").code == "bad_target"


# ---------------------------------------------------------------- radiation


@pytest.mark.rule("COS-HAZ-17")
@pytest.mark.parametrize(("dice", "treated"), [(EIGHT, True), (SEVEN, False)])
def test_medicine_makes_the_harm_of_radiation_ordinary(dice: tuple[int, int], treated: bool) -> None:
    stage, ada, cy = ward(hp=93)
    stage.give(cy, "irradiated", level=3)
    treat(stage, ada, cy, "radiation", dice)
    assert stage.check("Medicine").against == 14
    stage.do("rest", kind="full", days=5, who=[cy])
    assert stage.hp(cy) == (96 if treated else 93)


@pytest.mark.rule("COS-HAZ-17")
def test_radiation_is_treated_in_a_facility_and_if_there_is_harm() -> None:
    stage, ada, cy = ward(facility="none")
    assert stage.refused("treat", by=ada, target=cy, method="radiation").code == "not_allowed"
    stage, ada, cy = ward()
    assert stage.refused("treat", by=ada, target=cy, method="radiation").code == "bad_target"


# ---------------------------------------------------------------- advanced medicine


@pytest.mark.rule("COS-MED-16")
@pytest.mark.parametrize(("hp", "hours", "after"), [(40, 3, 70), (90, 3, 96)])
def test_regeneration_restores_ten_an_hour(hp: int, hours: int, after: int) -> None:
    stage, ada, cy = ward(hp=hp)
    treat(stage, ada, cy, "regeneration", hours=hours)
    assert (stage.hp(cy), stage.state.clock) == (after, hours * 3600)


@pytest.mark.rule("COS-MED-17")
@pytest.mark.parametrize(("points", "after"), [(0, 96), (30, 50)])
def test_a_nano_dose_heals_at_once_to_full_or_as_the_gm_says(points: int, after: int) -> None:
    stage, ada, cy = ward(hp=20, gear=("nano_dose",))
    treat(stage, ada, cy, "nano", points=points)
    assert stage.hp(cy) == after
    assert stage.told(e.ItemLost)
    assert stage.refused("treat", by=ada, target=cy, method="nano").code == "not_allowed"


@pytest.mark.rule("COS-MED-17")
def test_a_nano_dose_works_in_a_fight_too() -> None:
    stage, ada, cy = ward(hp=-3, gear=("nano_dose",))
    for kind in ("dying", "unconscious"):
        stage.give(cy, kind)
    stage.begin(ada)
    treat(stage, ada, cy, "nano")
    assert (stage.hp(cy), stage.has(cy, "unconscious"), stage.has(cy, "stable")) == (96, False, False)


@pytest.mark.rule("COS-MED-19")
@pytest.mark.parametrize(
    ("era", "known"), [("Industrial", False), ("Advanced", False), ("Stellar", True), ("Cosmic", True)]
)
def test_advanced_medicine_depends_on_the_era(era: str, known: bool) -> None:
    stage, ada, cy = ward(gear=("nano_dose",), era=era)
    options = {o.value: o.refused for o in stage.form("treat")["method"].options}
    assert (options["nano"] == "", options["regeneration"] == "", options["surgery"]) == (known, known, "")
    if not known:
        for method in ("nano", "regeneration"):
            assert "Stellar era" in stage.refused("treat", by=ada, target=cy, method=method).message


def test_a_species_gift_heals_another_once_a_day() -> None:
    stage, ada, cy = ward()
    assert stage.refused("treat", by=ada, target=cy, method="gift").code == "not_allowed"
    gifted = {"heal_other": "1d6", "heal_other_hours": 1}
    stage.edit(ada, sheet={**stage[ada].sheet, "abilities": gifted})
    stage.wait(3 * DAY)
    begun = stage.state.clock
    treat(stage, ada, cy, "gift", (5,))
    assert stage.hp(cy) == 55
    assert stage.state.clock == begun + HOUR
    stage.wait(DAY - HOUR - 1)
    assert stage.refused("treat", by=ada, target=cy, method="gift").code == "no_budget"
    stage.wait(1)
    treat(stage, ada, cy, "gift", (5,))


def test_hour_of_a_gift_passes_for_all_and_only_if_nobody_bleeds() -> None:
    """RULING R20: as in a regeneration tank; field medicine and surgery leave the clock to the GM."""
    stage, ada, cy = ward(gear=("medical_kit",))
    stage.edit(ada, sheet={**stage[ada].sheet, "abilities": {"heal_other": "1d6", "heal_other_hours": 2}})
    stage.give(ada, "bleeding")
    assert "is bleeding" in stage.refused("treat", by=ada, target=cy, method="gift").message
    stage.edit(ada, conditions=())
    stage.give(ada, "blinded", until=Until(ada, "end"))
    stage.give(cy, "bleeding")
    begun = stage.state.clock
    treat(stage, ada, cy, "field", EIGHT, (1, 1))
    assert stage.state.clock == begun
    treat(stage, ada, cy, "gift", (5,))
    assert stage.state.clock == begun + 2 * HOUR
    assert not stage.has(ada, "blinded")


def test_bodies_of_crystal_are_mended_with_tech() -> None:
    stage, ada, cy = ward(patient={"abilities": {"healed_by_skill": "Tech"}}, skills={"Tech": 4})
    treat(stage, ada, cy, "field", EIGHT, (4, 3))
    assert stage.check("Tech").total == 14


@pytest.mark.parametrize("method", ["field", "surgery", "nano"])
def test_the_dead_and_the_helpless_treat_and_are_treated_no_more(method: str) -> None:
    stage, ada, cy = ward(gear=("medical_kit", "nano_dose"))
    stage.give(ada, "unconscious")
    assert stage.refused("treat", by=ada, target=cy, method=method).code == "bad_target"
    stage, ada, cy = ward(gear=("medical_kit", "nano_dose"))
    stage.give(cy, "dead")
    assert stage.refused("treat", by=ada, target=cy, method=method).code == "bad_target"
