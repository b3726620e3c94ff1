"""The allies' color, and the marks that tell combatants of the same name apart."""

from __future__ import annotations

import pytest

from combat.audience.viewer import GM
from combat.display.combatants.tokens import find_tones
from combat.display.map.scene import view_scene
from combat.pages.table.rows import view_combatants
from combat.rules.core.state.state import State
from tests.combat.rules.cosmos.figures import CosmosStage


def make(*people: tuple[str, str, bool], at: tuple[float, float] = (0, 0)) -> CosmosStage:
    """Combatants by name, side, and whether a player has them."""
    stage = CosmosStage()
    for number, (name, side, pc) in enumerate(people, 1):
        stage.foe(name, at=(at[0] + number, at[1]))
        stage.edit(f"f{number}", name=name, side=side, pc=pc)
    return stage


@pytest.mark.parametrize(
    ("sides", "allies"),
    [
        (("enemies",), ""),
        (("pirates",), ""),
        (("allies",), "allies"),
        (("enemies", "allies"), "allies"),
        (("enemies", "marines"), "marines"),
        (("pirates", "marines"), "pirates"),
    ],
)
def test_enemies_are_not_drawn_as_allies_before_players_join(sides: tuple[str, ...], allies: str) -> None:
    stage = make(*((side, side, False) for side in sides))
    found = [side for side, tone in find_tones(stage.state).items() if tone == "is-ally"]
    assert found == ([allies] if allies else [])


def test_side_of_the_first_player_character_is_the_allies() -> None:
    assert find_tones(make(("Bo", "enemies", False), ("Ada", "crew", True)).state) == {
        "enemies": "is-foe",
        "crew": "is-ally",
    }


def find_badges(stage: CosmosStage, state: State) -> list[str]:
    return [row.look.badge for row in view_combatants(stage.system, state, GM).values()]


def test_two_of_one_name_on_a_side_have_numbers() -> None:
    stage = make(
        ("Bo", "enemies", False), ("Bo", "enemies", False), ("Bo", "allies", True), ("Cy", "enemies", False)
    )
    assert find_badges(stage, stage.state) == ["1", "2", "", ""]


def test_player_characters_have_names_even_on_a_crowded_map() -> None:
    people = [(f"Guard {n}", "enemies", False) for n in range(1, 8)]
    stage = make(*people[:4], ("Ada Lovelace", "allies", True), *people[4:], ("Bo", "allies", True))
    state = stage.state
    views = view_combatants(stage.system, state, GM)
    shown = {
        token.name: token.label for token in view_scene(stage.system, state, views).tokens if token.name_at
    }
    assert shown["Bo"] == "Bo"
    assert shown["Ada Lovelace"] in ("Ada Lovelace", "Ada")
