"""The conditions of the game: what each does and what ends it."""

from __future__ import annotations

from combat.rules.core.system import ConditionKind

_KINDS = (
    (
        "bleeding",
        "Bleeding",
        "1 damage per level at the start of each turn; armor does not help.",
        "Medicine TN 11, first aid; pressure holds it back",
        "COS-COND-01",
    ),
    (
        "blinded",
        "Blinded",
        "−4 to attacks, half movement, no Coordination in Defense.",
        "the end of the scene or field medicine",
        "COS-COND-05",
    ),
    (
        "deafened",
        "Deafened",
        "−2 Initiative; hears nothing; easy to sneak up on.",
        "the end of the scene or field medicine",
        "COS-COND-09",
    ),
    (
        "fatigued",
        "Fatigued",
        "−2 to physical actions, half movement, no sprint.",
        "a full night's rest",
        "COS-COND-13",
    ),
    (
        "frightened",
        "Frightened",
        "−2 to all actions; every move has to lead away from the source.",
        "rallying, the source gone, the end of the scene",
        "COS-COND-17",
    ),
    (
        "grappled",
        "Grappled",
        "No movement, −2 to all actions, only small weapons.",
        "breaking free, or the holder letting go",
        "COS-COND-21",
    ),
    (
        "pinned",
        "Pinned",
        "No Coordination in Defense; may only try to break free.",
        "breaking free",
        "COS-MANV-05",
    ),
    (
        "prone",
        "Prone",
        "−2 Defense against melee, +2 against ranged, half movement.",
        "standing up (Move Action)",
        "COS-COND-25",
    ),
    (
        "stunned",
        "Stunned",
        "The next turn has no Standard Action; −2 Defense.",
        "the end of the next turn",
        "COS-COND-30",
    ),
    (
        "unconscious",
        "Unconscious",
        "No actions, no Defense, helpless.",
        "1 HP, a quarter of the HP, or first aid",
        "COS-COND-34",
    ),
    ("helpless", "Helpless", "No Defense; can be finished off.", "the GM", "COS-COND-35"),
    (
        "dying",
        "Dying",
        "Death save each turn; a failure costs 1 HP.",
        "a save, stabilizing, or 1 HP",
        "COS-STATE-19",
    ),
    ("stable", "Stable", "Unconscious, but no longer dying.", "1 HP, or new damage", "COS-DEATH-09"),
    ("dead", "Dead", "Out of the fight for good.", "nothing", "COS-DEATH-11"),
    ("injury", "Severe injury", "−2 to physical actions.", "surgery", "COS-CRIT-07"),
    (
        "surprised",
        "Surprised",
        "Flat-footed: no Combat in Defense.",
        "the combatant's first turn",
        "COS-DEF-12",
    ),
    ("charging", "Charged", "−2 Defense.", "the start of the next turn", "COS-COMBO-05"),
    ("sprinting", "Sprinted", "−2 Defense.", "the start of the next turn", "COS-MOVE-07"),
    ("rough_going", "Difficult going", "−2 Defense.", "the start of the next turn", "COS-TERR-04"),
    (
        "total_defense",
        "Total Defense",
        "+4 Defense, no attacks.",
        "the start of the next turn",
        "COS-COMBO-11",
    ),
    (
        "reactive_defense",
        "Reactive Defense",
        "Half Combat again in Defense.",
        "the start of the next turn",
        "COS-DEF-10",
    ),
    (
        "retreating",
        "Facing the enemy",
        "Cannot be attacked from behind.",
        "the start of the next turn",
        "COS-COMBO-09",
    ),
    (
        "no_sprint",
        "No sprint",
        "No sprint after a fighting retreat.",
        "the end of the next turn",
        "COS-COMBO-08",
    ),
    (
        "quick_aim",
        "Quick aim",
        "+1 on the next ranged attack this turn.",
        "the next ranged attack",
        "COS-EX-07",
    ),
    (
        "off_guard",
        "Off guard",
        "−2 Defense against the next attack, after a fumble.",
        "the next attack, or the start of the next turn",
        "COS-ATK-02",
    ),
    ("quick_aimed", "Has aimed", "One quick aim per turn.", "the end of the turn", "COS-EX-07"),
    ("moved", "On the move", "No aimed shot this turn.", "the end of the turn", "COS-ACT-08"),
    ("pressed", "Wound pressed", "Bleeding is held back.", "the presser's next turn", "COS-COND-03"),
    ("steeled", "Steeled", "Acts normally in spite of fear.", "the end of the turn", "COS-COND-20"),
    ("delaying", "Delaying", "Will act later this round.", "stepping in", "COS-INIT-06"),
    (
        "tried_interrupt",
        "Tried to interrupt",
        "One interrupt per round.",
        "the end of their turn",
        "COS-INIT-07",
    ),
    (
        "overwatch",
        "On overwatch",
        "One shot ready for what an enemy does.",
        "the shot, or the start of the next turn",
        "COS-MANV-15",
    ),
    (
        "slowed",
        "Slowed",
        "Half movement.",
        "getting out of the cold, rest or field medicine",
        "COS-ENV-19",
    ),
    (
        "burning",
        "On fire",
        "1d6 damage at the start of each turn; only sealed or powered armor helps.",
        "stop, drop and roll",
        "COS-HAZ-05",
    ),
    (
        "airless",
        "Out of air",
        "Breath for as many rounds as Resolve, then 2d6 a round.",
        "air, or a suit that is on",
        "COS-ENV-13",
    ),
    (
        "last_breath",
        "Suffocating",
        "Dead at the end of the countdown; no death saves meanwhile.",
        "air, or a suit that is on",
        "COS-ENV-16",
    ),
    (
        "irradiated",
        "Irradiated",
        "So many HP do not come back by rest.",
        "Medicine TN 14 in a facility",
        "COS-HAZ-16",
    ),
    (
        "drug",
        "Drugged",
        "A drug is at work: its label says which.",
        "ten minutes by the clock",
        "COS-DRUG-01",
    ),
    ("addicted", "Addicted", "−1 to all actions a day after the last dose.", "the GM", "COS-DRUG-06"),
    (
        "drifting",
        "Drifting",
        "1 m at the end of each turn, no movement of their own.",
        "catching hold of a surface",
        "COS-ZG-05",
    ),
    (
        "braced",
        "Braced",
        "No drift after attacks in zero gravity.",
        "moving",
        "COS-ZG-09",
    ),
    ("concentrating", "Concentrating", "Keeps up concentration.", "letting go", "COS-ACT-20"),
)
# Bookkeeping of a turn: shown in the log and on the card, not as a chip of its own
QUIET = frozenset({"moved", "quick_aimed", "tried_interrupt"})
# What ends with the fighter it comes from: the feared, the holder, who presses on the wound
BOUND = frozenset({"frightened", "grappled", "pinned", "pressed"})
# What somebody did in a turn: it shapes the fight until a turn of theirs, and no other fight
OF_TURNS = (
    *("charging", "sprinting", "rough_going", "total_defense", "reactive_defense", "retreating", "no_sprint"),
    *("quick_aim", "quick_aimed", "off_guard", "moved", "steeled", "overwatch"),
)
TAKES = {"stunned": ("standard",)}  # COS-COND-31: the pools of a turn that a condition leaves empty

KINDS = {
    kind: ConditionKind(kind, label, text, ends, rule, kind not in QUIET, kind in BOUND, TAKES.get(kind, ()))
    for kind, label, text, ends, rule in _KINDS
}
