"""Pages: the demo fight, the opponents of the library, and what the page of a character needs."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.commands.commands import Command, Preview
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.book import Demo, StatBlock, step, zone
from combat.rules.core.sheets.sheets import sheet_check
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State
from tests.combat.rules.tiny.characters import CREATION, describe_combatant, summarize


def check(context: RuleContext, command: Command) -> None:
    """Roll 1d6 + Skill from the sheet, outside a fight. [TINY-STR-01]"""
    terms = check_terms(context.state, command)
    roll = context.roll("1d6", by=command.actor, rule="TINY-STR-01", why="check.skill")
    total = roll.total + add_up(terms)
    context.emit(e.Checked(command.actor, "check.skill", roll, terms, total, str(total)), "TINY-STR-01")


def check_terms(state: State, command: Command) -> Modifiers:
    """What is added to the die of such a roll."""
    return (Modifier("term.skill", int(state[command.actor].sheet["skill"]), "TINY-STR-01"),)


def preview_check(state: State, command: Command) -> Preview:
    """The sum of such a roll."""
    return Preview(check_terms(state, command), dice="1d6")


CHECK = sheet_check("check", "Skill", Command, check, "TINY-STR-01", preview_check)
PLAN = CREATION.make_plan(describe_combatant, summarize, checks={"check": CHECK})


def find_blocks() -> dict[str, StatBlock]:
    """The library of opponents."""
    return {
        "brawler": StatBlock("brawler", "Brawler", "", "Skill 1, 6 HP", {"skill": 1, "hits": 6}),
        "master": StatBlock("master", "Master", "", "Skill 4, 12 HP", {"skill": 4, "hits": 12}),
    }


ADA, BO, CY = "f1", "f2", "f3"


def make_demo() -> Demo:
    """The duel: what sets it up, and a script with the answers to every roll and question."""
    yard = zone("yard", "Yard", 0, 0, 10, 10)
    wall = zone("wall", "Wall", 10, 0, 2, 10, height=1)
    return Demo(
        name="A duel in the yard",
        setup=(
            step("set_scene", scene={"name": "The yard", "zones": [yard, wall]}),
            step("join", sheet={"skill": 3, "hits": 8}, name="Ada", side="allies", zone="yard", pc=True),
            step("join", block="brawler", name="Bo", zone="yard"),
            step("join", block="brawler", name="Cy", zone="wall"),
        ),
        script=(
            step("start", (4,), (5,), (1,)),  # 7, 6, 2
            step("move", actor=ADA, to=f"near:{BO}", far=True),
            step("strike", (4,), (1,), (1,), actor=ADA, target=BO, strikes=2),  # 6, a wound of 1, 3
            step("next_turn"),
            step("guard", actor=BO),
            step("next_turn"),
            step("move", actor=CY, to=f"near:{ADA}", far=True),
            step("next_turn"),
            step("strike", (5,), "parry", (2,), (4,), actor=ADA, target=BO),  # 8, 2, a wound of 4
            step("next_turn"),
            step("set_setting", key="ground", value="slippery"),
            step("wait", actor=BO),
            step("next_turn"),
            step("next_turn"),
            step("scare", "back", "stand", (1,), actor=ADA),
            step("end_fight", reason="Enough for today."),
        ),
    )
