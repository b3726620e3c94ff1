"""The combatants in the tests of rounds and turns, and their readings."""

from __future__ import annotations

from typing import Any

from combat.rules.cepheus.world.order import change_initiative
from combat.rules.core.commands.context import RuleContext
from tests.combat.rules.cepheus.figures import ADA, BO, CY, CepheusStage


def fight(*totals: int, **options: Any) -> CepheusStage:
    """Ada, Bo and Zed, a foe 30 m away, with these sums for Initiative: 11, 7 and 4."""
    stage = CepheusStage(**options)
    stage.hero("Ada", "777777", skills={"mechanics": 2})
    stage.hero("Bo", "797777")
    stage.foe("Zed", at=(30, 0))
    rolled = totals or (11, 6, 4)
    stage.do("start", dice=[(total // 2, total - total // 2) for total in rolled])
    return stage


def turns(stage: CepheusStage, count: int) -> list[str]:
    """Those who have the next turns."""
    found = []
    for _ in range(count):
        found.append(stage[stage.state.active].name)
        stage.do("next_turn")
    return found


def three(*profiles: str, **options: Any) -> CepheusStage:
    """Ada, Bo and Zed, a foe, with these profiles."""
    stage = CepheusStage(**options)
    first, second, third = (*profiles, *("777777",) * 3)[:3]
    stage.hero("Ada", first)
    stage.hero("Bo", second)
    stage.foe("Zed", third)
    return stage


def scores(stage: CepheusStage) -> list[int | None]:
    return [stage[who].initiative for who in (ADA, BO, CY)]


def order(stage: CepheusStage) -> str:
    return " ".join(stage[who].name for who in stage.state.order)


def begin(stage: CepheusStage, *totals: int, **more: Any) -> None:
    """Roll Initiative with dice of these sums."""
    stage.do("start", dice=[(total // 2, total - total // 2) for total in totals], **more)


def to_round(stage: CepheusStage, number: int) -> None:
    """Let everyone pass until a round begins."""
    while stage.state.round < number:
        stage.do("next_turn", whole=True)


def lower(stage: CepheusStage, who: str, points: int) -> None:
    """Change someone's Initiative."""

    def change(context: RuleContext) -> None:
        change_initiative(context, who, points, "why.reacts", "CE-ROUND-10")

    stage.run(change)


def unit(tactics: int = 2, profile: str = "777977", **options: Any) -> CepheusStage:
    """Ada commands Bo and Di; Zed is against them."""
    stage = CepheusStage(**options)
    stage.hero("Ada", profile, skills={"tactics": tactics, "leadership": 1})
    stage.hero("Bo")
    stage.foe("Zed")
    stage.hero("Di")
    stage.do("mark_commander", target=ADA)
    return stage
