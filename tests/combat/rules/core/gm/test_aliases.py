"""Aliases: what the state holds, what everyone reads, and the reveal."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from combat.rules.core.gm.aliases import real_face, real_name, show_real_names
from combat.rules.core.state import events as e
from combat.rules.core.state.state import FACE, REVEALED, Alias
from tests.combat.rules import tiny
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage

VEY, HOOD = "Captain Vey", "Hooded figure"


@pytest.fixture
def stage() -> Stage:
    """Captain Vey, who has a face of their own and an alias with another."""
    stage = Stage(tiny.SYSTEM)
    stage.do("join", block="brawler", name=VEY)
    stage.do("arrange", targets=["f1"], face="captain")
    stage.do("alias", target="f1", alias=f" {HOOD} ", face="stranger")
    return stage


def test_state_has_the_alias_wherever_a_name_is_looked_for(stage: Stage) -> None:
    vey = stage["f1"]
    assert (vey.name, vey.marks[FACE], vey.alias) == (HOOD, "stranger", Alias(HOOD, VEY, "captain"))
    assert (real_name(vey), real_face(vey)) == (VEY, "captain")
    shown = show_real_names(stage.state)["f1"]
    assert (shown.name, shown.marks[FACE]) == (VEY, "captain")
    assert stage.audiences() == {e.GM_ONLY}, "nobody else learns that there is an alias"


def test_sheet_joins_under_its_alias_unless_a_player_has_it(stage: Stage) -> None:
    sheet = {**stage["f1"].sheet, "alias": "the captain"}
    stage.do("join", sheet=sheet, name="Vox", count=2)
    assert stage.audiences() == {e.EVERYONE, e.GM_ONLY}
    assert [(stage[who].name, real_name(stage[who])) for who in ("f2", "f3")] == [
        ("the captain 1", "Vox 1"),
        ("the captain 2", "Vox 2"),
    ]
    assert "alias" not in stage["f2"].sheet
    stage.do("join", sheet=sheet, name="Vox", pc=True)
    assert (stage["f4"].name, stage["f4"].alias) == ("Vox", UNSET)


def test_a_state_without_aliases_is_the_same_object(stage: Stage) -> None:
    stage.do("alias", target="f1")
    assert show_real_names(stage.state) is stage.state


def test_the_reveal_gives_name_and_face_back_and_is_for_everyone(stage: Stage) -> None:
    stage.do("alias", target="f1")
    vey = stage["f1"]
    assert (vey.name, vey.marks[FACE], vey.alias, vey.marks[REVEALED]) == (VEY, "captain", UNSET, HOOD)
    assert stage.audiences() == {e.EVERYONE}
    assert read_log(stage)[-1] == f"{HOOD} is {VEY}."


def test_the_reveal_of_someone_hidden_is_not_for_everyone(stage: Stage) -> None:
    stage.do("hide", target="f1")
    stage.do("alias", target="f1")
    assert e.EVERYONE not in stage.audiences()


def test_a_new_name_is_the_real_one_and_a_secret(stage: Stage) -> None:
    stage.do("rename", target="f1", name="Admiral Vey")
    assert (stage["f1"].name, real_name(stage["f1"])) == (HOOD, "Admiral Vey")
    assert stage.audiences() == {e.GM_ONLY}
    stage.do("rename", target="f1", side="strays")
    assert (stage["f1"].name, stage["f1"].side, real_name(stage["f1"])) == (HOOD, "strays", "Admiral Vey")


def test_another_face_is_the_real_one(stage: Stage) -> None:
    stage.do("arrange", targets=["f1"], face="pilot")
    assert (stage["f1"].marks[FACE], real_face(stage["f1"])) == ("stranger", "pilot")


def test_new_alias_keeps_the_first_face_unless_another_is_given(stage: Stage) -> None:
    stage.do("alias", target="f1", alias="Masked figure")
    assert (stage["f1"].name, stage["f1"].marks[FACE]) == ("Masked figure", "stranger")
    stage.do("alias", target="f1", alias="Masked figure", face="")
    assert FACE not in stage["f1"].marks


def test_several_get_numbers_and_are_revealed_together(stage: Stage) -> None:
    stage.do("join", block="brawler", name="Lieutenant Oz")
    stage.do("arrange", targets=["f1", "f2"], alias="Shadow")
    assert [stage[who].name for who in ("f1", "f2")] == ["Shadow 1", "Shadow 2"]
    stage.do("arrange", targets=["f1", "f2"], alias="")
    assert [stage[who].name for who in ("f1", "f2")] == [VEY, "Lieutenant Oz"]


def test_a_copy_has_an_alias_too(stage: Stage) -> None:
    stage.do("duplicate", target="f1")
    assert (stage["f2"].name, real_name(stage["f2"])) == (f"{HOOD} 2", f"{VEY} 2")


def test_who_joins_with_the_real_name_of_another_gets_no_number(stage: Stage) -> None:
    stage.do("join", block="brawler", name=VEY)
    assert stage["f2"].name == VEY


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        ({"alias": HOOD}, "not_allowed", f"{HOOD} is the alias already: enter another name or face."),
        ({"alias": VEY}, "bad_value", f"{VEY} is the real name: enter another one as the alias."),
        ({"alias": "x" * 61}, "bad_value", "A name has 1 to 60 characters."),
        ({"alias": "Shadow", "face": "<b>"}, "bad_value", "There is no such face: choose one from the list."),
    ],
)
def test_wrong_alias_or_face_is_refused_with_the_reason(
    stage: Stage, fields: dict[str, str], code: str, message: str
) -> None:
    refused = stage.refused("alias", target="f1", **fields)
    assert (refused.code, refused.message) == (code, message)


def test_player_characters_have_no_alias_and_nothing_to_reveal(stage: Stage) -> None:
    stage.do("join", block="brawler", name="Zara", pc=True)
    said = "Zara is a player character: only NPCs have an alias."
    assert stage.refused("alias", target="f2", alias=HOOD).message == said
    assert stage.refused("alias", target="f2").message == "Zara has no alias: enter one."
