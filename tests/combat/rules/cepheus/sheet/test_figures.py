"""A combatant drawn by its characteristics: the text of each, and the offers of a tap."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.sheet.wording import make_figure
from combat.rules.core.declaration.parts import FINE, HURT, OUT, Figure
from tests.combat.rules.cepheus.figures import ADA, CepheusStage, lone


def draw(stage: CepheusStage) -> Figure:
    figure = make_figure(stage.state, stage[ADA])
    assert figure is not None
    return figure


@pytest.mark.rule("CE-DMG-10")
def test_each_physical_characteristic_is_a_part() -> None:
    stage = lone()
    stage.wounded(ADA, 7, 4, 0)
    found = {part.key: (part.now, part.most, part.level, part.word) for part in draw(stage).parts}
    assert found == {
        "str": (7, 7, FINE, "part.whole"),
        "dex": (4, 7, HURT, "part.damaged"),
        "end": (0, 7, OUT, "part.at_zero"),
    }
    assert [part.text for part in draw(stage).parts] == ["DM +0", "DM −1", "DM −2"]


def test_only_what_is_damaged_can_be_treated() -> None:
    stage = lone()
    stage.wounded(ADA, 7, 4, 7)
    assert [bool(part.actions) for part in draw(stage).parts] == [False, True, False]


@pytest.mark.rule("CE-MENT-01")
def test_a_mind_is_drawn_once_it_is_damaged() -> None:
    stage = lone()
    stage.set_track(ADA, edu=3)
    assert [part.key for part in draw(stage).parts] == ["str", "dex", "end", "edu"]


def test_nobody_treats_the_dead() -> None:
    stage = lone()
    stage.wounded(ADA, 7, 4, 7)
    stage.give(ADA, "dead")
    assert not draw(stage).parts[1].actions


def test_a_figure_shows_full_dms_where_wounds_lower_none() -> None:
    stage = lone()
    stage.wounded(ADA, 7, 4, 7)
    stage.edit(ADA, marks={**stage[ADA].marks, "full_dms": True})
    assert [part.text for part in draw(stage).parts] == ["DM +0", "DM +0", "DM +0"]
