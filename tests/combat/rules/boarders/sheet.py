"""Pages: the demo fight, the opponents of the library, and what the page of a character needs."""

from __future__ import annotations

from functools import partial

from combat.rules.core.commands.commands import Command, Preview, adjusted
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.book import Demo, StatBlock, step, zone
from combat.rules.core.sheets.sheets import sheet_check
from combat.rules.core.state.state import State
from combat.rules.core.turn.simple_checks import preview_under, roll_under
from tests.combat.rules.boarders.characters import (
    CREATION,
    SCORES,
    describe_combatant,
    score_terms,
    summarize,
)


def check(key: str, context: RuleContext, command: Command) -> None:
    """Roll under a score from the sheet, outside a fight. [BRD-CHECK-01]"""
    terms = adjusted(command, score_terms(context.state[command.actor], key))
    roll_under(context, command.actor, terms, dice="3d6", rule="BRD-CHECK-01", what=f"term.{key}")


def preview_check(key: str, state: State, command: Command) -> Preview:
    """The number of such a roll."""
    return preview_under(adjusted(command, score_terms(state[command.actor], key)), "3d6")


CHECKS = {
    key: sheet_check(
        key, key.capitalize(), Command, partial(check, key), "BRD-CHECK-01", partial(preview_check, key)
    )
    for key in SCORES
}
PLAN = CREATION.make_plan(describe_combatant, summarize, checks=CHECKS)


def find_blocks() -> dict[str, StatBlock]:
    """The library of opponents."""
    raider = {"shoot": 9, "fight": 10, "nimble": 9, "hits": 8, "armor": 0, "grenades": 0}
    marine = {"shoot": 12, "fight": 11, "nimble": 11, "hits": 12, "armor": 2, "grenades": 1}
    return {
        "raider": StatBlock("raider", "Raider", "", "Shoot 9, 8 HP", raider),
        "marine": StatBlock("marine", "Marine", "", "Shoot 12, 12 HP, armor 2", marine),
    }


ADA, BEA, RAY, RIK = "f1", "f2", "f3", "f4"


def make_demo() -> Demo:
    """A boarding: what sets it up, and a script with the answers to every roll and question."""
    hold = zone("hold", "Hold", 0, 0, 12, 10)
    lock = zone("lock", "Airlock", 12, 0, 6, 10)
    ada = {"shoot": 12, "nimble": 11, "aid": 12, "hits": 12, "armor": 1, "grenades": 2}
    bea = {"fight": 13, "nimble": 12, "hits": 12, "armor": 2}
    return Demo(
        name="Through the airlock",
        setup=(
            step("set_scene", scene={"name": "The hold", "zones": [hold, lock]}),
            step("join", sheet=ada, name="Ada", side="allies", zone="hold", pc=True),
            step("join", sheet=bea, name="Bea", side="allies", zone="hold", pc=True),
            step("join", block="raider", name="Ray", zone="lock"),
            step("join", block="raider", name="Rik", zone="lock"),
        ),
        script=(
            step("start", (4,), (3,)),
            step("throw", (4, 4, 4), (3, 3, 3), (6, 6, 1), actor=ADA, at=f"near:{RAY}"),  # 6, and 12: down
            step("shoot", (3, 3, 3), (2, 3), actor=ADA, target=RAY),  # 9: hit; no reaction: stunned
            step("move", actor=BEA, to=f"near:{RAY}", far=True),
            step("next_turn", whole=True),
            step("end_fight", reason="They give up."),
        ),
    )
