"""Values computed for a player tell nothing of others' orders, nor of what only the GM knows."""

from __future__ import annotations

import pytest

from combat.audience.secrecy import forget_orders
from combat.audience.viewer import GM, Viewer
from combat.display.forms.action_form import open_form
from combat.models import Encounter
from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.fight.attacks.suppression import find_unshakeable
from combat.rules.core.commands.commands import read_command
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.state.state import encode
from combat.sharing.viewer_context import ViewerContext
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.typed import sure

ADAS, BOS, WATCHER = Viewer("seat", frozenset((ADA,))), Viewer("seat", frozenset((BO,))), Viewer()


@pytest.fixture
def stage() -> RangeStage:
    """Ada shoots at Bo, who always dodges."""
    stage = duel(ready=True)
    stage.do("set_standing", BO, rule_id="CE-REACT-01", value="dodge")
    return stage


@pytest.mark.parametrize(("viewer", "chance"), [(GM, 10), (BOS, 10), (ADAS, 15), (WATCHER, 15)])
def test_odds_rest_on_the_orders_that_someone_may_know_of(
    stage: RangeStage, viewer: Viewer, chance: int
) -> None:
    action = SYSTEM.action("attack")
    command = read_command(action, {"actor": ADA, "target": BO, "weapon": f"{ADA}-w1"})
    found = find_odds(SYSTEM, forget_orders(stage.state, viewer), action, command)
    assert found.headline
    assert found.headline.chance == pytest.approx(chance / 36)


@pytest.mark.parametrize(("viewer", "known"), [(GM, True), (ADAS, False), (WATCHER, False)])
def test_what_the_gm_alone_says_of_someone_is_forgotten(viewer: Viewer, known: bool) -> None:
    stage = duel()
    stage.do("set_nerve", target=BO, nerve="zealot")
    state = forget_orders(stage.state, viewer)
    assert bool(find_unshakeable(state, state[BO])) is known


def test_nothing_changes_where_there_is_nothing_to_forget(stage: RangeStage) -> None:
    assert forget_orders(stage.state, GM) is stage.state
    assert forget_orders(stage.state, BOS) is stage.state
    assert forget_orders(duel().state, ADAS).combatants == duel().state.combatants


@pytest.mark.parametrize(("viewer", "chance"), [(GM, "28"), (ADAS, "42")])
def test_the_form_of_an_attack_says_so_on_the_page(stage: RangeStage, viewer: Viewer, chance: str) -> None:
    encounter = Encounter(pk=1, name="Duel", system=SYSTEM.slug, state=encode(stage.state))
    fields = {"target": BO, "weapon": f"{ADA}-w1"}
    form = open_form(ViewerContext(encounter, viewer), SYSTEM.action("attack"), ADA, fields, False)
    assert sure(form.odds_panel).chance == chance
