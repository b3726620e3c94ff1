"""The conditions of the game: what each does and what ends it."""

from __future__ import annotations

from combat.rules.core.state.state import Combatant, Condition
from combat.rules.core.system import ConditionKind

OUT = ("unconscious", "exhausted", "dead")  # no turns, no actions, no defense
STOPPED = ("stunned", "terrified", "surprised")  # awake, but without actions

_KINDS = (
    (
        "stunned",
        "Stunned",
        "No action of any kind, and no defense unless the table allows it.",
        "the end of the next round",
        "CG-STUN-01",
    ),
    (
        "prone",
        "Prone",
        "Must get up before any other combat action; +4 ranks on defense against thrown and missile weapons.",
        "getting up, a combat action",
        "CG-PRONE-01",
    ),
    (
        "unconscious",
        "Unconscious",
        "No actions and no defense; lies prone.",
        "time or First Aid; from a head wound, healing",
        "CG-LOC-10",
    ),
    (
        "disabled",
        "Limb disabled",
        "The limb cannot be used: an arm drops what it holds, a leg halves movement.",
        "healing the limb above half",
        "CG-LIMB-01",
    ),
    (
        "destroyed",
        "Limb destroyed",
        "The limb is crushed, severed or otherwise beyond repair.",
        "magical healing",
        "CG-LIMB-03",
    ),
    (
        "bleeding",
        "Bleeding",
        "Dies when as many minutes have passed as they have Health ranks.",
        "First Aid on that limb",
        "CG-BLEED-01",
    ),
    (
        "torso_wound",
        "Torso wound",
        "\N{MINUS SIGN}5 ranks on all Attributes, Aspects and Skills; painkillers make it \N{MINUS SIGN}3.",
        "healing the torso above half",
        "CG-TORSO-01",
    ),
    (
        "painkillers",
        "Painkillers",
        "A torso wound takes 3 ranks instead of 5, or what the item says.",
        "its time running out",
        "CG-TORSO-03",
    ),
    (
        "exhausted",
        "Exhausted",
        "No movement, actions or defense until rested.",
        "a minute of rest for each point of Fatigue",
        "CG-FAT-04",
    ),
    ("holding", "Holding action", "May act at any later count.", "acting, or being stunned", "CG-ACT-06"),
    (
        "extra_defense",
        "Extra defense",
        "A second defense roll against one successful attack.",
        "that roll, or the end of the round",
        "CG-ACT-04",
    ),
    (
        "frightened",
        "Frightened",
        "\N{MINUS SIGN}2 ranks on all rolls.",
        "three rounds",
        "CG-REF-02",
    ),
    (
        "terrified",
        "Terrified",
        "Loses the next action; defends as usual.",
        "the round of that action",
        "CG-REF-02",
    ),
    ("surprised", "Surprised", "No action and no defense.", "the end of round 1", "CG-REF-03"),
    ("dead", "Dead", "No longer in play.", "nothing", "CG-HEAD-02"),
)
KINDS = {row[0]: ConditionKind(*row) for row in _KINDS}


def find_on_part(fighter: Combatant, kind: str, part: str) -> Condition | None:
    """The condition of this kind that a part of the body has."""
    return next((c for c in fighter.conditions if c.kind == kind and c.marks.get("part") == part), None)


def is_on_part(fighter: Combatant, kind: str, part: str) -> bool:
    """Whether a part of the body has a condition of this kind."""
    return find_on_part(fighter, kind, part) is not None
