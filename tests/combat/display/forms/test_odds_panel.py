"""What the odds panel shows first: allies in the blast, the form's subject, and sums that add up."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.display.forms.action_form import find_label
from combat.display.forms.odds_panel import OddsPanel, compute_odds, percents, view_distribution
from combat.rules.core.commands.commands import read_command
from combat.rules.core.odds.odds import Distribution
from combat.rules.core.state.state import State
from tests.combat.markup import Page
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.stage import Stage
from tests.combat.rules.starshock.figures import StarStage

ADA, BO, CY, DI, EVE = "f1", "f2", "f3", "f4", "f5"


def ask(stage: Stage, name: str, state: State | None = None, **fields: object) -> OddsPanel:
    action = stage.system.action(name)
    return compute_odds(
        stage.system, state or stage.state, action, read_command(action, {"actor": ADA, **fields})
    )


def grenade(hidden: str = "") -> CosmosStage:
    """Ada throws at Bo; ally Di and foe Cy stand beside them, and Eve, perhaps `hidden`, if on a side."""
    stage = CosmosStage()
    stage.hero("Ada", weapons=("pistol", "grenade"))
    stage.foe("Bo", at=(9, 0))
    stage.foe("Cy", at=(10, 1))
    stage.hero("Di", at=(10, 0))
    if hidden:
        stage.add("Eve", hidden, (9, 1), dict(stage[BO].sheet))
        stage.edit(EVE, hidden=True)
    stage.put(ADA, "grenade", "held")
    return stage.begin()


def throw(stage: CosmosStage, at: str = "near:f2", state: State | None = None) -> OddsPanel:
    return ask(stage, "blast", state, weapon=stage.weapon(ADA, "grenade"), at=at)


@pytest.mark.rule("COS-DMG-04")
def test_a_blast_is_about_enemies_that_fail_and_names_friends() -> None:
    found = throw(grenade())
    assert found.allies == "Di"
    assert found.headline is not None
    assert found.headline.label == "at least one enemy fails: Coordination save"
    assert found.headline.chance == pytest.approx(1 - 0.79**2)
    assert found.are_many
    by_name = {spread.title: float(spread.mean) for spread in found.distributions}
    dealt = float(found.dealt.removesuffix(" HP"))
    assert dealt == pytest.approx(by_name["Bo loses HP"] + by_name["Cy loses HP"], abs=0.11)


@pytest.mark.rule("COS-DMG-04")
def test_a_blast_among_namesakes_tells_them_apart() -> None:
    stage = grenade()
    stage.edit(CY, name="Bo")
    stage.edit(DI, name="Ada")
    found = throw(stage)
    assert found.allies == "Ada (2)"
    told = " ".join([*(spread.title for spread in found.distributions), *(m for m, _ in found.measures)])
    for words in ("Bo (1) loses HP", "Bo (2) loses HP", "(Bo, 1)", "(Bo, 2)"):
        assert words in told


@pytest.mark.rule("COS-DMG-04")
def test_a_blast_on_one_enemy_says_who_fails() -> None:
    stage = grenade()
    stage.place(CY, 40, 0)
    stage.place(DI, -9, 0)
    found = throw(stage)
    assert (found.allies, found.chance) == ("", "21")
    assert found.headline is not None
    assert found.headline.label == "Bo fails: Coordination save"


@pytest.mark.rule("COS-DMG-04")
def test_a_blast_among_friends_alone_names_oneself_first() -> None:
    stage = grenade()
    stage.place(DI, 1, 0)
    found = throw(stage, "near:f4")
    assert found.allies == "Ada, Di"
    assert found.headline is not None
    assert found.headline.label == "nobody fails: Coordination save"
    assert found.headline.chance == pytest.approx(0.79**2)
    assert not found.dealt


@pytest.mark.rule("COS-DMG-04", "COS-COVER-05")
def test_throw_stopped_by_a_wall_says_so_and_shows_no_chance() -> None:
    stage = grenade()
    assert find_label(stage.system, stage.system.action("blast"), throw(stage)) == "Roll · 38%"
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 2, "y1": -90, "x2": 2, "y2": 90}]})
    found = throw(stage)
    assert (found.preview.stopped, found.allies, found.chance) == ("A wall stops it on the way.", "Ada", "79")
    assert find_label(stage.system, stage.system.action("blast"), found) == "Roll"
    page = Page(
        render_to_string(
            "combat/forms/odds/odds_panel.html", {"odds_panel": found, "brief": True, "slug": "cosmos"}
        )
    )
    assert "A wall stops it on the way." in [one.text for one in page.all("p", class_="alert")]
    assert not page.all("p", page.one("details", id="odds-why"), class_="alert")


@pytest.mark.rule("COS-DMG-04")
def test_friends_are_named_where_the_odds_cannot_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("combat.rules.core.odds.enumeration.MAX_RUNS", 3)
    found = throw(grenade())
    assert found.problem.startswith("Too many")
    assert found.allies == "Di"


@pytest.mark.rule("COS-DMG-04")
@pytest.mark.parametrize("side", ["allies", "enemies"])
def test_the_hidden_inside_change_nothing_a_player_reads(side: str) -> None:
    stage, without = grenade(side), grenade()
    player = Viewer("seat", frozenset({ADA}))
    seen = throw(stage, state=redact(stage.state, player))
    assert seen == throw(without, state=redact(without.state, player))
    assert throw(stage) != seen


def test_a_device_that_catches_a_zone_names_friends() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock", gear=("flashpowder_packet",))
    stage.foe("Bo", zone="dock")
    stage.hero("Cy", zone="dock")
    stage.begin(ADA, BO, CY, actions=1)
    found = ask(stage, "use_device", item=stage.item(ADA, "flashpowder_packet").id, target=BO)
    assert found.allies == "Ada, Cy"
    assert found.headline is not None
    assert found.headline.label.startswith("Bo fails: ")
    measures = {m for m, _ in found.measures}
    assert any("(Bo)" in measure for measure in measures)


def test_an_attack_says_what_it_is_to_succeed_at() -> None:
    stage = grenade()
    found = ask(stage, "attack", weapon=stage.weapon(ADA, "pistol"), target=BO)
    assert found.headline is not None
    assert found.headline.label == "to succeed: attack"
    assert not found.allies
    assert [label for label, _ in found.measures][:3] == ["Hit", "Miss", "Critical"]


@pytest.mark.rule("SS-MANV-01")
def test_chances_of_one_kind_add_up_as_shown() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", "dagger", zone="dock")
    stage.foe("Bo", zone="dock")
    stage.begin(ADA, BO, actions=1)
    stage.hold(ADA, "dagger")
    found = ask(stage, "attack", weapon=stage.weapon(ADA, "dagger"), target=BO)
    sums: dict[str, float] = {}
    for label, chance in found.measures:
        kind = "maneuvers" if re.match(r"\d+ maneuvers? ", label) else label.partition(":")[1] or "attack"
        sums[kind] = sums.get(kind, 0) + float(chance)
    assert {"Hit", "Miss"} <= {label for label, _ in found.measures}, "nobody else is attacked"
    assert sums["attack"] == pytest.approx(100)
    assert sums["maneuvers"] == pytest.approx(100)


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=8))
def test_percents_add_up_and_only_certainty_is_whole(parts: list[int]) -> None:
    whole = sum(parts)
    shown = [float(text) for text in percents([part / whole for part in parts])]
    if len(parts) > 1:
        assert all(0 < points < 100 for points in shown)
    assert sum(shown) == pytest.approx(100)
    for part, points in zip(parts, shown, strict=True):
        assert abs(points - 100 * part / whole) <= 1


def test_what_may_cost_points_but_gains_on_average_is_a_gain() -> None:
    stage = grenade()
    spread = Distribution(BO, "hp", ((-12, 0.5), (4, 0.5)), -4.0)
    view = view_distribution(stage.system, stage.state, spread)
    assert (view.title, view.mean, view.low, view.high) == ("Bo gains HP", "4.0", -4, 12)


def test_bars_are_spoken_with_amounts_and_their_own_percents() -> None:
    stage = grenade()
    spread = Distribution(BO, "hp", ((0, 0.2), (4, 0.5), (9, 0.295), (12, 0.005)), 4.7)
    view = view_distribution(stage.system, stage.state, spread)
    assert view.words == "0: 20 percent; 4: 50 percent; 9: 30 percent; 12: 0.5 percent"
    gained = view_distribution(
        stage.system, stage.state, Distribution(BO, "hp", ((-3, 0.25), (0, 0.75)), -0.8)
    )
    assert gained.words == "0: 75 percent; 3: 25 percent"


@given(st.dictionaries(st.integers(0, 99), st.integers(1, 100), min_size=1, max_size=60))
def test_what_is_spoken_of_bars_is_what_they_show(parts: dict[int, int]) -> None:
    stage, whole = grenade(), sum(parts.values())
    chances = tuple((amount, part / whole) for amount, part in sorted(parts.items()))
    view = view_distribution(stage.system, stage.state, Distribution(BO, "hp", chances, 1.0))
    said = [tuple(map(float, words.removesuffix(" percent").split(": "))) for words in view.words.split("; ")]
    assert [amount for amount, _ in said] == [amount for amount, _ in chances][:40]
    for (_, points), (_, chance), bar in zip(said, chances, view.bars, strict=False):
        assert abs(points - 100 * chance) <= 0.5
        assert points == float(bar.percent)
