"""What a token shows: a face, its side, its state, and signs of its conditions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from characters.faces import KEYS, LISTED, NATURES, OTHERS, PLAYED, SEXES, SIGNS, STRANGE, find_faces, fits
from combat.audience.viewer import GM, Viewer
from combat.display.combatants.tokens import HIDDEN, Look, assign_faces, find_marks
from combat.pages.table.rows import view_combatants
from combat.rules.core.declaration.parts import SHAPES, list_marks, load_kinds
from combat.rules.core.state.state import Condition, replace
from tests.combat.rules.cosmos.figures import CosmosStage

IMAGES = Path("static/img")


def find_symbols(name: str) -> set[str]:
    return set(re.findall(r'<symbol id="([\w-]+)"', (IMAGES / name).read_text()))


@pytest.fixture
def stage() -> CosmosStage:
    """A pirate, and Ada, whom a player has."""
    stage = CosmosStage()
    stage.hero("Ada", at=(0, 0))
    stage.foe("Pirate", at=(5, 0))
    stage.edit("f1", pc=True, name="Ada")
    return stage


def look_at(stage: CosmosStage, who: str, viewer: Viewer = GM) -> Look:
    return view_combatants(stage.system, stage.state, viewer)[who].look


def suffer(stage: CosmosStage, who: str, *kinds: str) -> None:
    held = tuple(Condition(f"k{n}", kind, f"condition.{kind}") for n, kind in enumerate(kinds))
    stage.edit(who, conditions=held)


def test_every_sign_is_drawn() -> None:
    assert find_symbols("faces.svg") == KEYS
    signs = {sign for signs in SIGNS.values() for sign in signs}
    assert {*signs, *SHAPES, HIDDEN} == find_symbols("tokens.svg")
    assert set(list_marks()) <= set(load_kinds())


def test_quiet_condition_leaves_no_mark(stage: CosmosStage) -> None:
    plain = look_at(stage, "f2")
    quiet = [kind for kind, known in stage.system.characters.conditions.items() if not known.for_gm]
    assert "quick_aimed" in quiet
    for kind in quiet:
        suffer(stage, "f2", kind)
        assert look_at(stage, "f2") == plain, kind
    suffer(stage, "f2", "quick_aim", "quick_aimed")
    assert look_at(stage, "f2").marks == ("aim",), "the same sign, if the condition is told"


def test_twenty_faces_and_none_of_both_sides() -> None:
    played, others = (*PLAYED[0], *PLAYED[1]), (*OTHERS[0], *OTHERS[1])
    assert len({*played, *others}) == len(played) + len(others) >= 20
    assert {*played, *others} <= KEYS


@pytest.mark.parametrize("nature", [*STRANGE])
def test_strange_looks_are_of_their_nature_and_all_are_used(nature: str) -> None:
    looks = [look for group in STRANGE[nature] for look in group]
    assert sorted(looks) == sorted(look for look, of in NATURES.items() if of == nature)


def test_the_same_name_always_has_the_same_face(stage: CosmosStage) -> None:
    assert find_faces("Bo", "person", pc=False) == find_faces("Bo", "person", pc=False)
    assert find_faces("Unit", "robot", pc=False)[0] == "robot"
    for number in range(1, 4):
        stage.foe("Thug", at=(number, 3))
        stage.edit(f"f{number + 2}", name=f"Thug {number}")
    assert len({look_at(stage, f"f{n}").face for n in (3, 4, 5)}) == 1


def test_a_name_that_says_what_someone_is_picks_the_face() -> None:
    assert find_faces("Dock Guard", "person", pc=False)[0] == "guard"
    assert find_faces("Captain Vex", "person", pc=True)[0] == "captain"


@pytest.mark.parametrize(
    ("name", "sex"),
    [("Marit", "woman"), ("Dr. Marit Vance", "woman"), ("Otis", "man"), ("Mrs. Okoro", "woman"), ("Vex", "")],
)
@pytest.mark.parametrize("pc", [True, False])
def test_faces_fit_names(name: str, sex: str, pc: bool) -> None:
    able = find_faces(name, "person", pc=pc)
    assert {SEXES[face] for face in able} == ({"", sex} if sex else {"", "woman", "man"})
    assert len(able) == len(set(able))
    if pc and not sex:
        assert SEXES[able[0]] == ""


def test_what_a_name_says_somebody_is_does_not_make_her_bearded() -> None:
    assert find_faces("Medic", "person", pc=True)[0] == "medic"
    assert "medic" not in find_faces("Medic Marit", "person", pc=True)
    assert not fits("medic", "Marit")
    assert fits("medic", "Kxz")


def test_names_say_one_thing() -> None:
    assert not set(LISTED["woman"].split()) & set(LISTED["man"].split())


def test_each_name_has_its_own_face_while_there_are_enough(stage: CosmosStage) -> None:
    people = [*PLAYED[0], *PLAYED[1], *OTHERS[0], *OTHERS[1]]
    for number in range(3, 1 + len(people)):
        stage.foe(f"Foe {chr(60 + number)}", at=(number, 3))
        stage.edit(f"f{number}", name=f"Foe {chr(62 + number)}")
    stage.edit("f1", name="Vex")  # whom every face fits
    faces = [look_at(stage, who).face for who in stage.state.combatants]
    assert len(set(faces)) == len(faces)


def test_the_hidden_take_no_face_from_those_whom_players_see(stage: CosmosStage) -> None:
    stage.foe("Thug", at=(3, 3))
    alone = look_at(stage, "f3").face
    for number in range(4, 12):
        stage.foe("Other", at=(number, 3))
        stage.edit(f"f{number}", name=f"Shade {chr(60 + number)}", hidden=True)
    stage.edit("f2", hidden=True)
    seen = {who: one for who, one in stage.state.combatants.items() if not one.hidden}
    known = replace(stage.state, combatants=seen)
    assert view_combatants(stage.system, known, Viewer())["f3"].look.face == look_at(stage, "f3").face
    assert alone in KEYS


def test_a_face_that_a_sheet_or_a_player_has_is_nobody_elses(stage: CosmosStage) -> None:
    usual = assign_faces(stage.system, stage.state)
    given = {"f1": usual["f2"]}
    faces = assign_faces(stage.system, stage.state, given)
    assert faces["f1"] == usual["f2"] != faces["f2"]
    stage.edit("f1", hidden=True)
    assert assign_faces(stage.system, stage.state, given)["f2"] == usual["f2"], "the hidden come last"


def test_sides_differ_in_shape() -> None:
    outlines = [Look(tone).outline for tone in ("is-ally", "is-foe", "is-neutral", "")]
    assert outlines == ["round", "diamond", "hexagon", "diamond"]


def test_two_most_urgent_conditions_are_signs_and_others_a_plus(stage: CosmosStage) -> None:
    suffer(stage, "f2", "prone")
    assert look_at(stage, "f2").marks == ("prone",)
    assert look_at(stage, "f2").prone
    suffer(stage, "f2", "blinded", "prone", "bleeding")
    assert look_at(stage, "f2").marks == ("bleeding", "prone")
    assert look_at(stage, "f2").more


def test_who_is_dead_is_drawn_unlike_who_is_down(stage: CosmosStage) -> None:
    suffer(stage, "f2", "unconscious")
    stage.edit("f2", tracks={**stage["f2"].tracks, "hp": 0})
    assert (look_at(stage, "f2").down, look_at(stage, "f2").dead) == (True, False)
    suffer(stage, "f2", "dead")
    assert (look_at(stage, "f2").down, look_at(stage, "f2").dead) == (True, True)


def test_the_gm_sees_at_a_glance_who_is_hidden(stage: CosmosStage) -> None:
    stage.edit("f2", hidden=True)
    assert look_at(stage, "f2").marks == (HIDDEN,)
    assert look_at(stage, "f2").hidden


def test_conditions_of_turn_order_are_no_signs() -> None:
    assert find_marks(["wait", "talk", "dead"], hidden=False) == ()
