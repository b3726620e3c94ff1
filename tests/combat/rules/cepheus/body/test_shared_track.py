"""Points that the GM takes, shared by three characteristics; and their sum in the odds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, lone
from tests.typed import sure


@pytest.fixture
def stage() -> CepheusStage:
    stage = lone(weapons=["rifle"], skills={"slug_rifle": 1}, armor=["cloth"])
    stage.foe(at=(10, 0))
    return stage


def test_points_of_the_gm_are_divided_by_the_player_past_armor(stage: CepheusStage) -> None:
    stage.do("adjust", target=ADA, track="points", by=-10, dice=["dex"])
    assert stage.body(ADA) == (7, 4, 0)


@pytest.mark.rule("CE-INJ-07", "CE-INJ-08")
def test_points_come_back_where_the_player_likes(stage: CepheusStage) -> None:
    stage.wounded(ADA, 5, 5, 5)
    stage.do("adjust", target=ADA, track="points", by=3, dice=["str=1,dex=2"])
    assert stage.body(ADA) == (6, 7, 5)


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("str", "Strength"),
        ("dex", "Dexterity"),
        ("end", "Endurance"),
        ("int", "Intelligence"),
        ("edu", "Education"),
        ("soc", "Social Standing"),
    ],
)
def test_a_characteristic_goes_down_to_nothing(stage: CepheusStage, key: str, label: str) -> None:
    stage.do("adjust", target=ADA, track=key, to=0)
    assert stage[ADA].tracks[key] == 0
    refused = stage.refused("adjust", target=ADA, track=key, to=-1)
    assert refused.message == f"{label} does not go below 0."


def test_several_at_once(stage: CepheusStage) -> None:
    stage.do("adjust_each", targets=[ADA, BO], track="points", by=-9, dice=["str"])
    assert (stage.body(ADA), stage.body(BO)) == ((5, 7, 0), (5, 7, 0))


@pytest.mark.parametrize("fields", [{"to": 3}, {"by": 0}, {"by": 100_000}, {"by": -100_000}])
def test_only_points_to_lose_or_get_back(stage: CepheusStage, fields: dict[str, Any]) -> None:
    assert stage.refused("adjust", target=ADA, track="points", **fields).code == "bad_value"


def test_nobody_is_healed_who_is_whole(stage: CepheusStage) -> None:
    assert "not wounded" in stage.refused("adjust", target=ADA, track="points", by=3).message


def test_odds_add_up_what_is_lost_and_name_fates(stage: CepheusStage) -> None:
    stage.begin(ADA, BO)
    odds = stage.odds("attack", ADA, target=BO, weapon=stage.item(ADA, "rifle").id)
    (spread,) = odds.distributions
    assert (spread.who, spread.track) == (BO, "points")
    assert sum(chance for _, chance in spread.chances) == pytest.approx(1)
    # 7 or less above an Effect of 0 to 4 comes off Endurance alone, so the average is above 3D6
    assert spread.mean > 10.5 * sure(odds.headline).chance
    assert "Zed: Dead" in {measure.label for measure in odds.measures}
