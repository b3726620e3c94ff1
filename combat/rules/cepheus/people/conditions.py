"""The conditions of the game: what each does and what ends it.

Rooms above add what is theirs to `_KINDS`; the wounds of the parts of a machine are in vehicles/.
"""

from __future__ import annotations

from combat.rules.core.state.state import Condition, replace
from combat.rules.core.system import ConditionKind

OUT = ("unconscious", "disabled", "dead", "wreck", "destroyed")  # no turns, no actions
GIVEN_UP = ("bound", "surrendered")  # conscious, but out of the fight
HELPLESS = ("unconscious", "bound", "surrendered", "helpless", "slowed")  # RULING R36 R72 R94

# What can be wrong with vehicles and robots: see machinery.py
MACHINE_KINDS = (
    ("steered", "Steered", "The drone acts on its next turn.", "the end of that turn", "CE-VDMG-01"),
    ("set_up", "Set up by a stunt", "A DM on checks.", "the end of the next turn", "CE-VACT-17"),
    ("disabled", "Disabled", "The machine can do nothing.", "a repair in a workshop", "CE-VLOC-36"),
    ("powerless", "Without power", "Nothing works for a round.", "the end of the next round", "CE-VLOC-34"),
    ("shut_down", "Shut down", "The robot does nothing.", "the end of its rounds", "CE-VLOC-50"),
    (
        "drive_hit",
        "Drive hit",
        "1: speed −10%, control −1. 2: −25%, −2. 3: none.",
        "a repair",
        "CE-VLOC-22",
    ),
    ("weapon_hit", "Weapon hit", "1: −2 to use it. 2: destroyed.", "a repair", "CE-VLOC-27"),
    ("sensors_hit", "Sensors hit", "1: −2 to use them. 2: destroyed, blind.", "a repair", "CE-VLOC-30"),
    (
        "power_hit",
        "Power plant hit",
        "1: a round is lost. 2: half speed. 3: destroyed, disabled.",
        "a repair",
        "CE-VLOC-34",
    ),
    ("limb_hit", "Limb hit", "1: −2 to use it. 2: destroyed.", "a repair", "CE-VLOC-39"),
    ("computer_hit", "Computer hit", "1: off; a robot shuts down. 2: destroyed.", "a repair", "CE-VLOC-49"),
    ("hull_hit", "Hull hit", "The third destroys the vehicle.", "a repair", "CE-VLOC-12"),
    ("armor_hit", "Armor hit", "Each takes a point, the third all.", "a repair", "CE-VLOC-21"),
)

_KINDS = (
    (
        "unconscious",
        "Unconscious",
        "No turns and no actions; helpless.",
        "an Endurance check after a minute",
        "CE-DMG-12",
    ),
    ("dead", "Dead", "No longer in play.", "nothing", "CE-DMG-13"),
    ("wreck", "Wreck", "The machine is scrap.", "its Structure is repaired in a workshop", "CE-VDMG-03"),
    ("destroyed", "Destroyed", "The machine has exploded.", "nothing", "CE-VDMG-03"),
    *MACHINE_KINDS,
    (
        "seriously_wounded",
        "Seriously wounded",
        "No minor action, 1.5 m a round.",
        "one whole physical characteristic",
        "CE-INJ-02",
    ),
    (
        "prone",
        "Prone",
        "No melee, no dodging; cover a step better; −2 on ranged attacks at them, Close 0, Personal +2.",
        "changing stance, a minor action",
        "CE-STANCE-09",
    ),
    (
        "crouched",
        "Crouched",
        "Half movement; cover one step better.",
        "changing stance, a minor action",
        "CE-STANCE-03",
    ),
    (
        "aiming",
        "Aiming",
        "+1 for each minor action on the next attack on that target, at most +6.",
        "that attack, or doing anything else",
        "CE-MINOR-03",
    ),
    (
        "aiming_kill",
        "Aiming for the kill",
        "+2 damage for each minor action on the next attack on that target, at most +6.",
        "that attack, being hit, or doing anything else",
        "CE-MINOR-07",
    ),
    ("reacted", "Has reacted", "−1 on skill checks for each reaction.", "the next round", "CE-REACT-03"),
    ("hastened", "Hastening", "Initiative +2, −1 on all checks.", "the end of the round", "CE-ROUND-15"),
    ("delaying", "Delaying", "Acts later in the round.", "acting", "CE-OTHER-11"),
    (
        "surprised",
        "Surprised",
        "Cannot react to attackers they are not aware of.",
        "the attacker's first action",
        "CE-REACT-07",
    ),
    ("unaware", "Unaware of someone", "No reactions to that one.", "the GM ends it", "CE-REACT-07"),
    ("suppressed", "Suppressed", "−1 on skill checks.", "the end of the next round", "CE-SUPP-06"),
    ("ducking", "Ducking", "Cannot be suppressed again.", "the end of a turn of their own", "CE-SUPP-09"),
    (
        "pinned",
        "Pinned by fire",
        "Loses the next significant action.",
        "the loss of that action",
        "CE-SUPP-06",
    ),
    ("fatigued", "Fatigued", "−2 on all checks; tired out again: unconscious.", "rest", "CE-FAT-02"),
    ("drugged", "Drug taken", "It does not work yet.", "its first effect", "CE-FAT-01"),
    (
        "combat_drug",
        "Combat drug",
        "Initiative +4, one free dodge a round, 2 points less of each wound.",
        "the tenth minute; then fatigued",
        "CE-FAT-01",
    ),
    (
        "metabolic_accelerator",
        "Metabolic accelerator",
        "Initiative +8, two free dodges a round.",
        "the tenth minute; then 2D6 damage and fatigued",
        "CE-FAT-01",
    ),
    (
        "antidote",
        "Antidote",
        "The next poison or disease does nothing.",
        "the next day, or that one",
        "CE-FAT-01",
    ),
    (
        "slowed",
        "Fast drug",
        "Time runs sixty times as fast for the others: no actions; helpless.",
        "the GM ends it",
        "CE-FAT-01",
    ),
    (
        "grappled",
        "Grappling",
        "No movement, no minor action, no reactions: only opposed checks of Natural Weapons.",
        "thrown, free, or let go by the winner of a check",
        "CE-GRAP-14",
    ),
    (
        "dived",
        "Dived for cover",
        "Loses the next significant action.",
        "the loss of that action",
        "CE-EXPL-06",
    ),
    (
        "extended_action",
        "Extended action",
        "Nothing else until it is done or given up.",
        "its last round, or giving it up",
        "CE-OTHER-06",
    ),
    (
        "cut_off",
        "Cut off",
        "Without the unit's Tactics bonus: no link to the commander.",
        "a link to the commander",
        "CE-COMMS-02",
    ),
    (
        "evading",
        "Evasive driving",
        "The Effect of the driver's check is a penalty on attacks at the vehicle and from it.",
        "the driver's next action",
        "CE-VACT-05",
    ),
    ("bound", "Bound", "Cannot act; helpless.", "the GM ends it", "CE-ATK-12"),
    ("surrendered", "Surrendered", "Does not fight on; helpless.", "the GM ends it", "CE-ATK-12"),
    (
        "helpless",
        "Helpless",
        "Cannot act: Intelligence or Education is gone.",
        "the first point of it",
        "CE-MENT-01",
    ),
)
QUIET: frozenset[str] = frozenset()  # bookkeeping of a turn, no chips of their own
BOUND = frozenset({"grappled", "unaware"})  # ends with the combatant it comes from
TAKES = {
    "seriously_wounded": ("minor",),
    "dived": ("significant",),
    "pinned": ("significant",),
    "grappled": ("minor",),
}

KINDS = {
    kind: ConditionKind(kind, label, text, ends, rule, kind not in QUIET, kind in BOUND, TAKES.get(kind, ()))
    for kind, label, text, ends, rule in _KINDS
}
SHORT_TEXTS = {  # of the quick rules: the first two hits on a part do nothing yet  [CS-VLOC-10]
    "drive_hit": "The third: it no longer moves.",
    "weapon_hit": "The third destroys it.",
    "sensors_hit": "The third destroys them: blind.",
}
SHORT_KINDS = KINDS | {key: replace(KINDS[key], text=text) for key, text in SHORT_TEXTS.items()}


def name_condition(held: Condition) -> str:
    """What a condition is called: the name somebody gave it, or that of its kind."""
    known = KINDS.get(held.kind)
    return known.label if known and held.label == f"condition.{held.kind}" else str(held.label)
