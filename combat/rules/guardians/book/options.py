"""Table options of the game, each with its ruling, default and reason; and its scene conditions."""

from __future__ import annotations

from typing import Any

from combat.rules.core.state.state import State
from combat.rules.core.system import Setting, TableOption

YES_NO = ("yes", "no")
ON_OFF = ("on", "off")

ROLLS = (
    TableOption(
        "success",
        "A roll succeeds",
        "at_or_under",
        ("at_or_under", "strictly_under"),
        "R1",
        "At or under, 11 ranks are exactly 55 in a hundred.",
        labels=("at or under the chance", "only under the chance"),
    ),
    TableOption(
        "untrained_ranks",
        "Ranks in a skill nobody taught",
        0,
        (0, "half_coordination"),
        "R2",
        "Without ranks nothing succeeds, so nobody fires a weapon they do not know.",
        number=(0, 10),
        labels=("none", "half of Coordination"),
    ),
    TableOption(
        "chance_clamp",
        "Chances are kept",
        "none",
        ("none", "5_to_95"),
        "R36",
        "With limits even the hopeless may be lucky and the best may slip.",
        labels=("as they are", "between 5 and 95"),
    ),
)

DEFENSES = (
    TableOption(
        "defense_rule",
        "A defense works",
        "any_success",
        ("any_success", "match_margin"),
        "R3",
        "Any success is quick; by margin good attackers are harder to ward off.",
        labels=("by any success", "by as good a margin as the attack"),
    ),
    TableOption(
        "free_defenses_per_round",
        "Defenses that cost nothing, a round",
        "every_attack",
        ("every_attack", 1, 2),
        "R4",
        "A number makes it worth while to gang up, and the extra defensive action stronger.",
        labels=("against every attack", "one", "two"),
    ),
    TableOption(
        "parry_and_unarmed_block_vs_missiles",
        "Parrying and bare-handed blocking meet arrows and shots",
        "yes",
        YES_NO,
        "R4",
        "Heroes bat bullets aside; without it only dodging and shields help.",
    ),
    TableOption(
        "prone_melee_defense",
        "Ranks of the prone in defense hand to hand",
        0,
        (0, -2, -4),
        "R22",
        "The page gives the prone a bonus against missiles and nothing against blades.",
    ),
    TableOption(
        "stunned_may_defend",
        "The stunned may defend",
        "no",
        ("no", "yes"),
        "R21",
        "No action of any kind is taken to mean no defense either.",
    ),
)

TURNS = (
    TableOption(
        "initiative_each",
        "Initiative is rolled",
        "round",
        ("round", "encounter"),
        "R6",
        "Each round is by the page and livelier; once is quicker.",
        labels=("each round", "once a fight"),
    ),
    TableOption(
        "npc_initiative",
        "Opponents roll initiative",
        "each",
        ("each", "group"),
        "R6",
        "A group of the same side acts on one roll, each with their own Coordination.",
        labels=("each for themselves", "one roll a side"),
    ),
    TableOption(
        "hold_interrupts",
        "A held action comes",
        "between_actions",
        ("between_actions", "may_preempt_declared_action"),
        "R8",
        "Interrupting lets the holder act before what was just declared.",
        labels=("between the actions of others", "also before a declared action"),
    ),
    TableOption(
        "draw_weapon",
        "Drawing a weapon",
        "non_combat",
        ("non_combat", "free_once"),
        "R9",
        "As an action it costs the whole round.",
        labels=("is the round's action", "is free once a round"),
    ),
    TableOption(
        "half_move_rounding",
        "Half a move",
        "down",
        ("down", "exact"),
        "R10",
        "Exact keeps half yards.",
        labels=("is rounded down", "keeps half yards"),
    ),
    TableOption(
        "crawl_yards",
        "Yards a crawl covers",
        1,
        (1, 2, 3),
        "R22",
        "The page lets nobody move lying down; a yard keeps them from being stuck.",
        number=(0, 10),
    ),
)

HITS = (
    TableOption(
        "d12_one",
        "A 1 for the location is",
        "head",
        ("head", "reroll", "no_effect", "gm"),
        "R11",
        "The table of the page has no 1, and no line for the head.",
        labels=("the head", "rolled again", "nothing", "up to the GM"),
    ),
    TableOption(
        "d6_table",
        "The extremity struck on a 7",
        "as_d12_rows",
        ("as_d12_rows", "limbs_only_reroll_1_and_4"),
        "R12",
        "Six parts fit a d6; the other way spares head and torso.",
        labels=("any of the six parts", "limbs only"),
    ),
    TableOption(
        "seven_damage",
        "A 7 does damage",
        "old_armor_then_zero",
        ("old_armor_then_zero", "zero_then_damage", "no_damage"),
        "R13",
        "Armor that still counts for this blow makes a 7 milder.",
        labels=("before armor falls", "after armor fell", "not at all"),
    ),
    TableOption(
        "no_armor_means",
        "Toughness falls where armor is missing",
        "at_location",
        ("at_location", "anywhere"),
        "R14",
        "With anywhere, a helmet alone keeps Toughness safe.",
        labels=("on the part struck", "on the whole body"),
    ),
    TableOption(
        "toughness_recovers",
        "Lost Toughness comes back",
        "end_of_encounter",
        ("end_of_encounter", "next_day", "per_minute"),
        "R14",
        "Temporarily, says the page, and no more.",
        labels=("when the fight ends", "the next day", "a rank a minute"),
    ),
    TableOption(
        "result_8",
        "An 8 means",
        "gm_choice",
        ("gm_choice", "both", "prone", "stunned", "d6"),
        "R16",
        "A fixed result saves a question at every eighth blow.",
        labels=("the GM's choice", "prone and stunned", "prone", "stunned", "a d6: 2, 2 or both"),
    ),
    TableOption(
        "knockout_rounds",
        "A knock-out lasts, rounds",
        10,
        (10, "1d10", "until_end"),
        "R17",
        "The page gives no length; ten rounds are a minute.",
        number=(1, 100),
        labels=("10", "1d10", "to the end of the fight"),
    ),
    TableOption(
        "knockout_resist",
        "A roll against being knocked out",
        "none",
        ("none", "toughness_roll", "health_roll"),
        "R17",
        "The page gives none, so one blow in twelve ends a fight.",
        labels=("none", "Toughness", "Health"),
    ),
    TableOption(
        "result_10_12",
        "A 10 or 12 means",
        "gm_choice",
        ("gm_choice", "automatic_suggestion"),
        "R18",
        "Automatic: the shield breaks, else the weapon is lost, else nothing more.",
        labels=("the GM's choice", "what would be suggested"),
    ),
)

DAMAGE = (
    TableOption(
        "soak",
        "Armor and Toughness",
        "both",
        ("both", "armor_else_toughness", "higher"),
        "R19",
        "Both together make armor and Toughness worth having at once.",
        labels=("both count", "armor where there is any, else Toughness", "the higher counts"),
    ),
    TableOption(
        "attribute_damage",
        "Ranks added to damage",
        "full_ranks",
        ("full_ranks", "half_ranks", "none"),
        "R19",
        "Change it together with the next one: equal opponents then cancel out.",
        labels=("all of Body or Coordination", "half of them", "none"),
    ),
    TableOption(
        "toughness_soak",
        "Toughness takes off damage",
        "full_ranks",
        ("full_ranks", "half_ranks", "none"),
        "R19",
        "Change it together with the one before.",
        labels=("by all ranks", "by half of them", "not at all"),
    ),
    TableOption(
        "range_penalty",
        "Ranks for range",
        "off",
        ("off", "minus_2_per_step"),
        "R35",
        "The pages with ranges are missing; steps are those of the weapon.",
        labels=("none", "−2 for each step beyond the first"),
    ),
)

MORTALITY = tuple(
    TableOption(key, label, default, (100, 150, 200), "R20", helps, number=(10, 500))
    for key, label, default, helps in (
        ("mortality_head", "Mortality Points of the head, % of Health", 100, "One blow in twelve finds it."),
        ("mortality_torso", "Mortality Points of the torso, % of Health", 200, "Struck most often."),
        (
            "mortality_arm",
            "Mortality Points of an arm, % of Health",
            100,
            "Half of it lost disables the arm.",
        ),
        ("mortality_leg", "Mortality Points of a leg, % of Health", 150, "Rounded up."),
    )
)

STATES = (
    TableOption(
        "fatigue_first_point",
        "The first point of Fatigue comes",
        "sixth_round",
        ("sixth_round", "end_of_fifth"),
        "R23",
        "More than five rounds, says the page, and also every five.",
        labels=("with the sixth round in a row", "at the end of the fifth"),
    ),
    TableOption(
        "defense_counts_as_physical",
        "A round with nothing but defense tires",
        "no",
        ("no", "yes"),
        "R23",
        "Defending is no action of one's own.",
    ),
    TableOption(
        "exhaustion_ends",
        "Exhaustion ends",
        "at_zero",
        ("at_zero", "below_health"),
        "R24",
        "A minute for every point, says the page: all of them.",
        labels=("when all Fatigue is gone", "with the first point rested off"),
    ),
    TableOption(
        "bleeding_from",
        "Limbs that bleed",
        "destroyed",
        ("destroyed", "disabled_or_destroyed"),
        "R27",
        "With both, half a limb lost may kill.",
        labels=("destroyed", "disabled or destroyed"),
    ),
    TableOption(
        "torso_penalty_scope",
        "A torn torso lowers",
        "all_ranks",
        ("all_ranks", "rolls_only"),
        "R30",
        "All ranks: damage, soak and running too.",
        labels=("all ranks", "rolls alone"),
    ),
    TableOption(
        "torso_death_irrevocable",
        "Death by the torso is for ever",
        "yes",
        YES_NO,
        "R30",
        "Likewise dead, says the page, which for the head means beyond magic.",
    ),
    TableOption(
        "painkiller_rounds",
        "Painkillers last, rounds",
        600,
        (100, 600, 3600),
        "R31",
        "600 rounds are an hour.",
        number=(1, 14_400),
    ),
    TableOption(
        "healing_per_day",
        "Mortality Points a day of rest gives each part",
        1,
        (0, 1, 2, 3),
        "R37",
        "The page names no natural healing.",
        number=(0, 100),
    ),
)

MISSING = (
    TableOption("fear", "Fear rolls", "on", ON_OFF, "R32", "The GM calls for them; the page is missing."),
    TableOption(
        "fear_ranks",
        "Ranks the frightened lose",
        -2,
        (-1, -2, -3, -4),
        "R32",
        "On every roll.",
        number=(-20, 0),
    ),
    TableOption(
        "fear_rounds",
        "Rounds fear lasts",
        3,
        (1, 2, 3, 5, 10),
        "R32",
        "The present one is the first of them.",
        number=(1, 100),
    ),
    TableOption(
        "surprise", "Surprise rolls", "on", ON_OFF, "R33", "The GM says at the start who may be surprised."
    ),
    TableOption(
        "called_shots", "Called shots", "on", ON_OFF, "R34", "A named part costs ranks and spares the d12."
    ),
    TableOption(
        "called_torso", "Called shot at the torso, ranks", -2, (0, -2, -4), "R34", "Large.", number=(-20, 0)
    ),
    TableOption(
        "called_limb", "Called shot at a limb, ranks", -4, (-2, -4, -6), "R34", "Small.", number=(-20, 0)
    ),
    TableOption(
        "called_head", "Called shot at the head, ranks", -6, (-4, -6, -8), "R34", "It kills.", number=(-20, 0)
    ),
)

OPTIONS = (*ROLLS, *DEFENSES, *TURNS, *HITS, *DAMAGE, *MORTALITY, *STATES, *MISSING)

FOOTING = (
    ("100", "Good ground (whole move)"),
    ("75", "Rough ground (¾ of a move)"),
    ("50", "Mud, rubble (half a move)"),
    ("25", "Deep water, ice (¼ of a move)"),
)
SETTINGS = (Setting("footing", "Footing", FOOTING, "100", "CG-MOVE-02"),)
_DEFAULTS = {option.key: option.default for option in OPTIONS}


def find_option(state: State, key: str) -> Any:
    """The value of a table option in this encounter, or the game's default."""
    return state.options.get(key, _DEFAULTS[key])


def find_footing(state: State) -> int:
    """[CG-MOVE-02] What is left of a move on this ground, in percent, as the GM says.  RULING R10"""
    return int(state.scene.settings.get("footing", FOOTING[0][0]))
