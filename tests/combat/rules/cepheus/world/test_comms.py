"""Links within a unit, and the causes that cut each kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from combat.display.forms.fields import ActionForm
from combat.rules.cepheus.characters.goods import make_gear
from combat.rules.cepheus.turn.initiative import LINKS, is_linked, is_reached
from combat.rules.core.state import events as e
from tests.combat.rules.cepheus.figures import ADA, BO, CY, CepheusStage

GEAR = {
    "hardlink": "hardlink_wire",
    "radio": "personal_communicator",
    "laser": "laser_communicator",
    "maser": "maser_communicator",
    "meson": "meson_communicator",
}


def unit(kind: str, **settings: str) -> CepheusStage:
    """Ada, Bo and Cy of one side in a line, 10 m apart, linked by these means; Ada commands and acts."""
    stage = CepheusStage()
    for place, name in enumerate(("Ada", "Bo", "Cy")):
        stage.hero(name, at=(10 * place, 0), gear=[GEAR[kind]] if kind in GEAR else [])
    for key, value in settings.items():
        stage.do("set_setting", key=key, value=value)
    stage.do("mark_commander", target=ADA)
    stage.begin(ADA, BO, CY)
    if kind != "direct":
        stage.do("use_link", ADA, kinds=[kind], unit=True)
    return stage


def linked(stage: CepheusStage, one: str = ADA, other: str = CY) -> bool:
    return is_linked(stage.state, one, other)


@pytest.mark.rule("CE-COMMS-01", "CE-COMMS-04")
def test_there_are_six_kinds_of_links_each_but_signals_with_gear() -> None:
    assert set(LINKS) == {"direct", *GEAR}
    stage = unit("radio")
    assert stage.refused("use_link", ADA, kinds=["laser"]).code == "not_allowed"
    assert stage.refused("use_link", ADA, kinds=["telepathy"]).code == "bad_value"
    stage.do("use_link", BO, kinds=["direct"])
    assert not linked(stage, ADA, BO)
    assert linked(stage, ADA, CY)


@pytest.mark.rule("CE-COMMS-04")
@pytest.mark.parametrize("kind", GEAR)
def test_gear_offers_the_link_it_is_made_for_beside_signals(kind: str) -> None:
    stage = unit(kind)
    means = {f.name: f for f in stage.system.action("use_link").find_fields(stage.state, ADA)}["kinds"]
    assert [option.value for option in means.options] == ["direct", kind]
    assert linked(stage)


@pytest.mark.rule("CE-COMMS-04", "CE-COMMS-07", "CE-COMMS-08")
def test_user_of_several_means_is_linked_while_one_of_them_works() -> None:
    stage = unit("radio")
    for who in (ADA, CY):
        stage.edit(who, items=(*stage[who].items, make_gear(GEAR["laser"])))
    stage.do("use_link", ADA, kinds=["radio", "laser"], unit=True)
    said = stage.told(e.Said)
    assert [(each.who, stage.system.draw(each.args["means"])) for each in said] == [
        (ADA, "radio and laser"),
        (CY, "radio and laser"),
    ]  # Bo has a radio only, and uses that already
    fields = stage.system.action("use_link").find_fields(stage.state, ADA)
    shown = str(ActionForm(fields, stage.state.system)["kinds"])
    assert shown.count("checked") == 2
    stage.do("set_setting", key="radio", value="jammed")
    assert linked(stage)  # by laser
    assert not linked(stage, ADA, BO)
    stage.do("set_setting", key="smoke", value="smoke")
    assert not linked(stage)
    stage.do("set_setting", key="radio", value="free")
    assert linked(stage)
    stage.edit(CY, items=())  # the gear is gone
    assert not linked(stage)


@pytest.mark.rule("CE-COMMS-04")
def test_no_means_at_all_is_refused() -> None:
    refused = unit("radio").refused("use_link", ADA, kinds=[])
    assert refused.message == "No means is chosen: choose one or more of Voice and hand signals, Radio."


@pytest.mark.rule("CE-COMMS-05")
def test_the_gm_says_who_is_in_earshot_or_sight() -> None:
    stage = unit("direct")
    assert linked(stage)
    fields = stage.system.action("set_contact").find_fields(stage.state, "")
    assert [(field.name, field.kind) for field in fields] == [("target", "target"), ("contact", "flag")]
    stage.do("set_contact", target=CY, contact=False)
    assert not linked(stage)
    assert not linked(stage, CY, ADA)
    assert stage.refused("set_contact", target=CY, contact=False).code == "not_allowed"
    stage.do("set_contact", target=CY, contact=True)
    assert linked(stage)


@pytest.mark.rule("CE-COMMS-07")
def test_the_surroundings_may_cut_radio_as_the_gm_says() -> None:
    stage = unit("radio")
    stage.do("set_contact", target=CY, contact=False)
    assert not linked(stage)
    assert linked(stage, ADA, BO)


BREAKS: dict[str, Callable[[CepheusStage], object]] = {
    "jamming": lambda stage: stage.do("set_setting", key="radio", value="jammed"),
    "a wall": lambda stage: stage.zone("wall", x=15, y=-5, width=1, depth=10, terrain=["wall"]),
    "aerosol": lambda stage: stage.zone("cloud", x=9, y=-5, width=2, depth=10, terrain=["aerosol"]),
}


@pytest.mark.parametrize(
    ("kind", "cut_by"),
    [
        pytest.param("hardlink", (), marks=pytest.mark.rule("CE-COMMS-06")),
        pytest.param("radio", ("jamming",), marks=pytest.mark.rule("CE-COMMS-07")),
        pytest.param("laser", ("a wall", "aerosol"), marks=pytest.mark.rule("CE-COMMS-08")),
        pytest.param("maser", ("a wall",), marks=pytest.mark.rule("CE-COMMS-10")),
        pytest.param("meson", (), marks=pytest.mark.rule("CE-COMMS-11")),
    ],
)
@pytest.mark.parametrize("cause", BREAKS)
def test_each_kind_of_link_has_its_own_causes_that_cut_it(
    kind: str, cut_by: tuple[str, ...], cause: str
) -> None:
    stage = unit(kind)
    assert linked(stage)
    BREAKS[cause](stage)
    assert linked(stage) is (cause not in cut_by)


@pytest.mark.rule("CE-COMMS-09")
def test_a_beam_may_run_over_a_friend_in_sight() -> None:
    stage = unit("laser")
    stage.zone("wall", x=9, y=-5, width=2, depth=4, terrain=["wall"])
    stage.edit(BO, at=type(stage[BO].at)(10, 20))
    assert linked(stage)
    stage.zone("block", x=9, y=-1, width=2, depth=2, terrain=["wall"])
    assert linked(stage)
    stage.give(BO, "unconscious")
    assert not linked(stage)


@pytest.mark.rule("CE-COMMS-08", "CE-COMMS-09")
def test_beam_runs_over_nobody_without_a_laser_and_over_no_enemy() -> None:
    stage = unit("laser")
    stage.zone("wall", x=9, y=-5, width=2, depth=6, terrain=["wall"])
    stage.edit(BO, at=type(stage[BO].at)(10, 20))
    assert linked(stage)
    laser = stage[BO].items
    stage.edit(BO, items=(), marks={})
    assert not linked(stage)
    stage.edit(BO, items=laser, side="enemies")
    assert not linked(stage)


def planned(kind: str) -> CepheusStage:
    """The same in a fight where the commander's plan gives everyone 2 points."""
    stage = CepheusStage()
    for place, name in enumerate(("Ada", "Bo", "Cy")):
        skills = {"tactics": 3} if name == "Ada" else {}
        stage.hero(name, at=(10 * place, 0), gear=[GEAR[kind]], skills=skills)
    stage.do("mark_commander", target=ADA)
    stage.do("start", tactics=True, dice=[(4, 4), (4, 3), (3, 3), (4, 3)])
    return stage


@pytest.mark.rule("CE-COMMS-02", "CE-COMMS-07")
def test_plan_is_lost_by_the_end_of_the_turn_the_link_fails() -> None:
    stage = planned("radio")
    stage.do("use_link", ADA, kinds=["radio"], unit=True)
    assert [stage[who].initiative for who in (ADA, BO, CY)] == [10, 9, 8]
    stage.do("set_setting", key="radio", value="jammed")
    stage.do("next_turn")
    assert [stage[who].initiative for who in (ADA, BO, CY)] == [10, 7, 6]


@pytest.mark.rule("CE-COMMS-02", "CE-COMMS-03")
def test_plan_is_lost_with_other_means_and_back_with_the_same() -> None:
    stage = planned("radio")
    stage.do("use_link", CY, kinds=["radio"])
    assert [stage[who].initiative for who in (ADA, BO, CY)] == [10, 9, 6]
    for number in (2, 3):
        while stage.state.round < number:
            stage.do("next_turn")
        assert stage[CY].initiative == 6
    stage.do("use_link", CY, kinds=["direct"])
    assert stage[CY].initiative == 6
    while stage.state.round < 4:
        stage.do("next_turn")
    assert stage[CY].initiative == 8


@pytest.mark.rule("CE-COMMS-12")
def test_meson_link_is_down_for_a_mover_until_their_next_turn() -> None:
    stage = unit("meson")
    stage.do("move", ADA, to="0,3")
    assert not linked(stage)
    for _ in range(2):
        stage.do("next_turn")
        assert not linked(stage)
    stage.do("next_turn")
    assert linked(stage)


@pytest.mark.rule("CE-COMMS-01")
def test_commander_is_reached_and_a_table_may_play_without_links() -> None:
    stage = unit("direct")
    stage.do("set_contact", target=CY, contact=False)
    assert is_reached(stage.state, ADA)
    assert not is_reached(stage.state, CY)
    stage.do("set_option", key="use_comms", value=False)
    assert is_reached(stage.state, CY)
    assert "without communications" in stage.refused("set_contact", target=CY, contact=True).message
