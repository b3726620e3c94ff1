"""Table options and scene conditions of the game, each with its ruling and default."""

from __future__ import annotations

from combat.rules.core.system import Setting, TableOption

from .tables import GRAVITIES

RATES = (0, 1, 2, 3)
OPTIONS = (
    TableOption(
        "turn_economy",
        "Actions in a turn",
        "declared_three",
        ("declared_three", "two_actions", "declared_three_by_rate"),
        "R1",
        labels=("three, declared", "two, chosen freely", "three, declared, by their rates"),
    ),
    TableOption(
        "declare_mode",
        "Declaring actions",
        "upfront",
        ("upfront", "running"),
        "R2",
        labels=("before the turn", "as they come"),
    ),
    TableOption(
        "table_order",
        "First round",
        "one_turn_each",
        ("one_turn_each", "head_start"),
        "R4",
        labels=("one turn each", "a head start for the early"),
    ),
    TableOption(
        "direction_flip",
        "Direction of play changes",
        "each_round",
        ("each_round", "never"),
        "R4",
        labels=("each round", "never"),
    ),
    TableOption(
        "initiative_skill",
        "Skill in initiative",
        "none",
        ("none", "gm_may_allow"),
        "R6",
        labels=("never", "with the GM's consent"),
    ),
    TableOption("rate_attack", "Rate: attack with one weapon", 1, RATES, "R7"),
    TableOption("rate_move", "Rate: Move", 0, RATES, "R7"),
    TableOption("rate_interact", "Rate: Interact, per object", 1, RATES, "R7"),
    TableOption("rate_assist", "Rate: Assist", 1, RATES, "R7"),
    TableOption("rate_defensive", "Rate: each defensive action", 1, RATES, "R7"),
    TableOption("rate_medicate", "Rate: medicine, per patient", 1, RATES, "R7"),
    TableOption("rate_challenge", "Rate: Skill Challenge", 1, RATES, "R7"),
    TableOption("rate_reload", "Rate: Reload", 1, RATES, "R7"),
    TableOption("rate_consumable", "Rate: Use a consumable", 0, RATES, "R7"),
    TableOption(
        "maneuver_rounding",
        "An odd point of excess",
        "down",
        ("down", "up"),
        "R8",
        labels=("rounds down", "rounds up"),
    ),
    TableOption(
        "criticals",
        "Two ones and two sixes",
        "flag_only",
        ("flag_only", "snake_eyes_miss_boxcars_hit"),
        "R10",
        labels=("only pointed out", "two ones miss, two sixes hit"),
    ),
    TableOption(
        "marginal_success",
        "Ties on checks",
        "off",
        ("off", "flag"),
        "R10",
        labels=("ignored", "pointed out"),
    ),
    TableOption(
        "maneuver_order",
        "Maneuvers come",
        "before_damage",
        ("before_damage", "after_knockout_check"),
        "R11",
        labels=("before damage", "after the knockout check"),
    ),
    TableOption("generic_maneuvers", "Maneuvers of any weapon", "off", ("off", "on"), "R12"),
    TableOption("two_handed", "Hands", "enforced", ("enforced", "ignored"), "R13"),
    TableOption(
        "stand_up",
        "Standing up",
        "action",
        ("action", "free_once"),
        "R15",
        labels=("takes an action", "free once a turn"),
    ),
    TableOption("map_melee_reach_m", "Melee reach on a map, m", 1, (1, 2, 5), "R17"),
    TableOption("thrown_lands", "Thrown weapons lie where they land", True, (), "R17"),
    TableOption(
        "max_range_zones",
        "Greatest range, zones",
        "none",
        ("none", 1, 2, 3, 4, 5, 6, 8, 10),
        "R18",
        number=(1, 20),
    ),
    TableOption(
        "range_rounding", "A begun 5 m", "down", ("down", "up"), "R19", labels=("not counted", "counted")
    ),
    TableOption("defence_stacking", "Block and Dodge add up", "no", ("no", "yes"), "R20"),
    TableOption(
        "free_move_crosses_zone",
        "Free Move crosses a border",
        "no",
        ("no", "once_per_round"),
        "R21",
        labels=("no", "once per round"),
    ),
    TableOption(
        "prone_crawl",
        "Crawling",
        "in_zone",
        ("in_zone", "none", "normal"),
        "R21",
        labels=("inside a zone", "not at all", "like any move"),
    ),
    TableOption("assist_stacks", "Several helpers add up", "no", ("no", "yes"), "R22"),
    TableOption(
        "rouse",
        "Rouse",
        "separate_action",
        ("separate_action", "merged"),
        "R23",
        labels=("a separate action", "part of treatment"),
    ),
    TableOption(
        "self_medicate",
        "Treating yourself",
        "minus_one",
        ("minus_one", "forbidden"),
        "R23",
        labels=("at −1", "not allowed"),
    ),
    TableOption(
        "no_kit",
        "Medicine without a kit",
        "minus_one",
        ("minus_one", "roll_three_keep_low_two"),
        "R24",
        labels=("at −1", "3 dice, the lowest 2 count"),
    ),
    TableOption(
        "npc_drop",
        "Opponents go down",
        "full_checks",
        ("full_checks", "at_15", "number"),
        "R25",
        labels=("by their checks", "at 15 damage", "at the damage below"),
    ),
    TableOption(
        "npc_drop_damage",
        "Damage they drop at",
        15,
        (5, 8, 10, 12, 15, 18, 20, 25, 30),
        "R25",
        number=(1, 60),
    ),
    TableOption(
        "wake_below_7",
        "Waking with 6 damage or less",
        "automatic",
        ("automatic", "roll"),
        "R26",
        labels=("automatically", "by a roll"),
    ),
    TableOption(
        "free_move_out_of_turn",
        "Free Move in the turns of others",
        "zones_only",
        ("zones_only", "always", "never"),
        "R28",
        labels=("only inside a zone", "always", "never"),
    ),
    TableOption(
        "armor_conversion",
        "A piece of armor raises",
        "flat",
        ("flat", "raises_one_attribute_before_max"),
        "R30",
    ),
    TableOption(
        "deliberate_drop",
        "A long drop on purpose",
        "full_damage",
        ("full_damage", "subtract_one_increment"),
        "R31",
    ),
    TableOption("unconscious_prone", "The unconscious fall prone", "yes", ("yes", "no"), "R32"),
    TableOption(
        "snake_eyes_in_coma",
        "Two ones on a coma check",
        "lethal_clause_only",
        ("lethal_clause_only", "always_fails"),
        "R33",
    ),
    TableOption("coma_natural_wake", "A good coma check wakes", "yes", ("yes", "no"), "R34"),
    TableOption(
        "extra_consumable", "A second consumable a day", "1d6_damage", ("1d6_damage", "forbidden"), "R37"
    ),
    TableOption(
        "leave_check_penalty", "Action Penalty on leaving a zone", "applies", ("applies", "ignored"), "R42"
    ),
    TableOption("free_attacks_per_round", "Free attacks in a round", "unlimited", ("unlimited", 1), "R43"),
    TableOption("map_leave_check", "Breaking away on a map", "off", ("off", "leaving_1m_of_hostile"), "R45"),
    TableOption("diagonal", "Diagonals on squares", "one", ("one", "five_ten_alternate"), "R45"),
    TableOption("luck", "Luck", "on", ("on", "off"), "R47"),
    TableOption(
        "luck_action_adds_penalty", "An action by luck adds to the penalty", "yes", ("yes", "no"), "R47"
    ),
)
DEFAULTS = {option.key: option.default for option in OPTIONS}

ZONES, SQUARES, HEXES = "zones", "squares", "hexes"
POSITIONING = (
    (ZONES, "Zones"),
    (SQUARES, "Map of 1 m squares"),
    (HEXES, "Map of 1 m hexes"),
)
SETTINGS = (
    Setting("positioning", "Positions", POSITIONING, ZONES, "SS-MAP-01"),
    Setting(
        "gravity",
        "Gravity",
        tuple((row.id, row.name) for row in GRAVITIES.values()),
        "mars_artigrav",
        "SS-FALL-05",
    ),
)
