"""The tables of the chapter for its rulebook page, made from the data of the rules."""

from __future__ import annotations

from combat.rules.core.basics.words import capitalized
from combat.rules.core.book.printed import (
    BookTable,
    listed,
    make_ruled_table,
    make_table,
    signed,
    table_of_actions,
    table_of_conditions,
    table_of_things,
)
from combat.rules.core.space import Scene
from combat.rules.core.state.state import State

from .actions import ACTIONS
from .book import tables
from .book.options import SETTINGS
from .book.tables import Hint
from .care.healing import FIRST_AID_DICE, FIRST_AID_TN
from .characters.catalogue import CATALOGUE
from .characters.conditions import KINDS
from .characters.sheet import ATTRIBUTES, describe_abilities, make_combatant
from .environment import action_terms, attack_terms, find_around, halving_causes, speed_changes
from .fight.attack import INJURIES
from .hazards.electricity import ARC_DICE, TOUCH_DICE
from .hazards.exposure import TEMPERATURE_DICE, VACUUM_DICE
from .hazards.falling import MAX_FALL_DICE, METERS_PER_DIE
from .hazards.ground import FIRE_DICE
from .move.climbing import Climb, find_climb_target
from .move.cost import LOW_OBSTACLE_M
from .time.clock import CARES
from .time.treatment import TREATMENTS

CHARACTERS = "Tables for characters"
OPPONENTS = "Tables for opponents"
SURROUNDINGS = ("gravity", "weather", "water")
MEDICINE = "Healing and Recovery > Medical Treatment"


def print_tables() -> tuple[BookTable, ...]:
    """Every table, in the order in which its section shows it."""
    return (
        *_movement_tables(),
        *_attack_tables(),
        *_health_tables(),
        *_hazard_tables(),
        *_character_tables(),
        _tiers(),
        _blocks(),
    )


# ---------------------------------------------------------------- moving and acting


def _movement_tables() -> tuple[BookTable, ...]:
    return (
        _terrain(),
        _obstacles(),
        _cover(),
        _concealment(),
        table_of_actions(ACTIONS.values(), "COS-ACT-01"),
        make_table(
            "target-numbers",
            "Target numbers",
            "COS-ACT-03",
            columns="Difficulty | Target number",
            rows=((word.capitalize(), tn) for word, tn in tables.TARGET_NUMBERS.items()),
        ),
    )


def _terrain() -> BookTable:
    grounds = [ground for ground in tables.TERRAIN.values() if ground.rule]
    rows = ((row.tag.capitalize(), row.difficult, row.hazardous, row.rule) for row in grounds)
    return make_ruled_table(
        "terrain", "Ground", "COS-TERR-01", columns="Ground | Difficult | Hazardous", rows=rows
    )


def _obstacles() -> BookTable:
    """Low, medium and high obstacles, with the target numbers of a climb."""
    climbs = (
        Climb(obstacle="medium", metres=2),
        Climb(obstacle="high", metres=4),
        Climb(obstacle="high", metres=6),
    )
    medium, high, higher = (find_climb_target(State("cosmos"), climb)[1] for climb in climbs)
    over = f"a free action, or {LOW_OBSTACLE_M} m of a move; a Move Action to stay on top"
    rows = [
        ("Low", "1", over, "", "COS-TERR-09"),
        ("Medium", "2", "Move Action", medium, "COS-TERR-11"),
        ("High", "3 or more", "Standard Action", high, "COS-TERR-13"),
    ]
    note = f"High: {high} up to 4 m, {signed(higher - high)} for each further 2 m, or as the GM says."
    heads = "Obstacle | Height, m | Crossing it takes | Athletics, target number"
    return make_ruled_table("obstacles", "Obstacles", "COS-TERR-09", columns=heads, rows=rows, note=note)


def _cover() -> BookTable:
    levels = [level for level in tables.COVER.values() if level.rule]
    rows = [
        (
            level.name.capitalize(),
            "no direct attack" if level.total else signed(level.value),
            _given_by(level.name, tables.COVER_OBJECTS),
            level.rule,
        )
        for level in levels
    ]
    return make_ruled_table("cover", "Cover", "COS-COVER-01", columns="Cover | Defense | Given by", rows=rows)


def _concealment() -> BookTable:
    levels = [level for level in tables.CONCEALMENT.values() if level.rule]
    hints = {
        **{f"{light} zones": hint for light, hint in tables.LIGHT_LEVELS.items()},
        **tables.CONCEALING_THINGS,
    }
    rows = [
        (row.name.capitalize(), signed(row.value), _given_by(row.name, hints), row.total, row.rule)
        for row in levels
    ]
    heads = "Concealment | Attack roll | Given by | Place must be guessed"
    return make_ruled_table("concealment", "Concealment", "COS-COVER-06", columns=heads, rows=rows)


def _given_by(level: str, hints: dict[str, Hint]) -> str:
    return listed(what for what, hint in hints.items() if hint.level == level)


# ---------------------------------------------------------------- attacks


def _attack_tables() -> tuple[BookTable, ...]:
    return (
        table_of_things(CATALOGUE, "weapon", "COS-ATK-03"),
        _traits(),
        _ranges(),
        make_table(
            "bands",
            "Range bands",
            "COS-ATK-09",
            columns="Band | Up to, m",
            rows=tables.RANGE_BANDS_M.items(),
        ),
        _situations(),
        make_ruled_table(
            "critical-effects",
            "Critical effects",
            "COS-CRIT-02",
            columns="1d10 | Effect",
            rows=(
                ("\N{EN DASH}".join(map(str, row.faces)), capitalized(row.label), row.rule)
                for row in tables.CRITICAL_EFFECTS
            ),
        ),
        make_table(
            "injuries",
            "Severe injuries",
            "COS-CRIT-07",
            columns="Injury | What it does",
            rows=((injury.label, capitalized(injury.detail)) for injury in INJURIES),
        ),
    )


def _traits() -> BookTable:
    rows = ((trait.name, capitalized(trait.effect)) for trait in tables.traits().values())
    return make_table(
        "traits", "Traits of weapons and armor", "COS-ATK-03", columns="Trait | Effect", rows=rows
    )


def _ranges() -> BookTable:
    rows = ((f"up to {step.times} ×", signed(step.modifier), step.rule) for step in tables.RANGE_STEPS)
    heads = "Distance, in listed ranges | Attack roll"
    return make_ruled_table("ranges", "Shots by distance", "COS-ATK-09", columns=heads, rows=rows)


def _situations() -> BookTable:
    rows = (
        (capitalized(row.label), signed(row.value), row.side.capitalize(), row.rule)
        for row in tables.SITUATIONS.values()
    )
    note = "Modifiers that count in Defense never count in the roll too."
    heads = "Situation | Attack roll | Counted in"
    return make_ruled_table("situations", "Situations", "COS-MOD-01", columns=heads, rows=rows, note=note)


# ---------------------------------------------------------------- health, armor, healing


def _health_tables() -> tuple[BookTable, ...]:
    return (
        _health_states(),
        _armor_classes(),
        table_of_things(CATALOGUE, "armor", "COS-ARMOR-01"),
        table_of_things(CATALOGUE, "shield", "COS-ARMOR-01"),
        _natural_armor(),
        table_of_conditions(KINDS.values(), "COS-COND-01", section="Conditions and Status Effects"),
        make_ruled_table(
            "rest",
            "Rest",
            "COS-HEAL-01",
            columns="Rest and care | HP a day",
            rows=((care.label.split(":")[0], care.points, care.rule) for care in CARES.values()),
        ),
        _treatments(),
        table_of_things(CATALOGUE, "medical", "COS-MED-01", section=MEDICINE),
        table_of_things(CATALOGUE, "drug", "COS-DRUG-01"),
    )


def _health_states() -> BookTable:
    rows = []
    for state in tables.HEALTH_STATES:
        bound = state.lower_bound
        share = f"{bound} or more" if bound else "more than 0" if bound is not None else "0 HP or less"
        rows.append((state.name, share, signed(state.action_penalty), _movement(state), state.rule))
    heads = "State | From, % of maximum HP | All actions | Movement"
    return make_ruled_table("health-states", "Health states", "COS-STATE-01", columns=heads, rows=rows)


def _movement(state: tables.HealthState) -> str:
    if state.halves_movement:
        return "halved"
    return f"{signed(state.speed_change)} m" if state.speed_change else ""


def _armor_classes() -> BookTable:
    classes = tables.ARMOR_CLASSES.values()
    rows = ((row.name, row.protection, signed(row.defense_penalty), row.protection_rule) for row in classes)
    heads = "Class | Protection | Defense"
    return make_ruled_table("armor-classes", "Classes of armor", "COS-ARMOR-01", columns=heads, rows=rows)


def _natural_armor() -> BookTable:
    armored = (row for row in tables.species().values() if row.abilities.natural_armor)
    rows = ((row.hide, row.abilities.natural_armor, row.name) for row in armored)
    return make_table(
        "natural-armor",
        "Natural armor",
        "COS-DMG-10",
        columns="Natural armor | Protection | Of whom",
        rows=rows,
    )


def _treatments() -> BookTable:
    rows = [("First aid", FIRST_AID_TN, FIRST_AID_DICE, "", "COS-MED-01")]
    for one in [treatment for treatment in TREATMENTS.values() if treatment.tn]:
        needs = [kit.name for kit in tables.medical_gear().values() if one.need in kit.enables]
        rows.append((one.label.split(" (")[0], one.tn, one.dice, ", ".join(needs), one.rule))
    heads = "Treatment | Medicine, target number | HP restored | With one of"
    return make_ruled_table(
        "treatments", "Treatments", "COS-MED-01", columns=heads, rows=rows, section=MEDICINE
    )


# ---------------------------------------------------------------- surroundings and hazards


def _hazard_tables() -> tuple[BookTable, ...]:
    return (
        _surroundings(),
        _perils(),
        _levels("radiation", "Radiation", "COS-HAZ-15"),
        _levels("toxic", "Toxic air", "COS-HAZ-18"),
        table_of_things(CATALOGUE, "suit", "COS-PROT-01"),
        table_of_things(CATALOGUE, "gear", "COS-PROT-01"),
    )


def _surroundings() -> BookTable:
    """The effects of scene conditions on a plain human, taken from the rules code."""
    rows = []
    for setting in SETTINGS:
        for value, label in setting.choices if setting.key in SURROUNDINGS else ():
            if value != setting.default:
                rows.append((f"{setting.label}: {label.lower()}", *_change(setting.key, value)))
    heads = (
        "Surroundings | Melee attacks | Ranged attacks | Physical actions | Speed, m | Movement | Concealment"
    )
    note = "For someone without training for zero gravity, boots or special abilities."
    where = "Conditions and Status Effects > Environmental Conditions"
    return make_table(
        "surroundings", "Surroundings", "COS-ATK-10", columns=heads, rows=rows, section=where, note=note
    )


def _change(key: str, value: str) -> tuple[str, ...]:
    human = make_combatant(
        "f1", "Human", "heroes", data={"attributes": dict.fromkeys(ATTRIBUTES, 3)}, options={}
    )
    state = State("cosmos", scene=Scene(settings={key: value}), combatants={human.id: human})
    concealed = find_around(state.scene, human.at).weather.concealment
    sums = (
        attack_terms(state, human, melee=True),
        attack_terms(state, human, melee=False),
        action_terms(state, human, physical=True),
        speed_changes(state, human),
    )
    return (
        *(signed(sum(term.value for term in terms)) for terms in sums),
        "halved" if halving_causes(state, human) else "",
        "" if concealed == "none" else concealed,
    )


def _perils() -> BookTable:
    rows = (
        ("Falling", f"1d6 for each {METERS_PER_DIE} m, at most {MAX_FALL_DICE}d6", "COS-HAZ-01"),
        ("Touching a live source", TOUCH_DICE, "COS-HAZ-09"),
        ("Electric arc", ARC_DICE, "COS-HAZ-11"),
        ("Fire", f"{FIRE_DICE} a round", "COS-HAZ-05"),
        ("Vacuum, out of breath", f"{VACUUM_DICE} a round", "COS-ENV-14"),
        ("Extreme heat", f"{TEMPERATURE_DICE} for a failed check", "COS-ENV-18"),
        ("Extreme cold", f"{TEMPERATURE_DICE} for a failed check", "COS-ENV-20"),
    )
    where = "Environmental Hazards > Common Hazards"
    return make_ruled_table(
        "perils", "Damage of hazards", "COS-HAZ-01", columns="Hazard | Damage", rows=rows, section=where
    )


def _levels(hazard: str, title: str, rule: str) -> BookTable:
    levels = [level for level in tables.hazard_levels().values() if level.hazard == hazard]
    rows = (
        (
            level.level.capitalize(),
            ATTRIBUTES[level.save],
            level.tn,
            f"each {level.interval}",
            "" if level.damage == "0" else level.damage,
            " or ".join(word for word in (level.condition, level.or_condition) if word),
        )
        for level in levels
    )
    heads = "Level | Save | Target number | How often | Damage | Condition"
    return make_table(f"levels-{hazard}", title, rule, columns=heads, rows=rows)


# ---------------------------------------------------------------- people


def _character_tables() -> tuple[BookTable, ...]:
    return (
        _attributes(),
        _skills(),
        _species(),
        _prices(),
        make_table(
            "arrays",
            "Ready attributes",
            "COS-ATK-01",
            columns=f"Kind | {' | '.join(ATTRIBUTES.values())}",
            rows=(
                (row.name, *(getattr(row, key) for key in ATTRIBUTES))
                for row in tables.attribute_arrays().values()
            ),
            section=CHARACTERS,
        ),
        make_table(
            "packages",
            "Ready skills",
            "COS-ACT-03",
            columns="Background | Skills",
            rows=(
                (row.name, listed(f"{name} {level}" for name, level in row.skills.items()))
                for row in tables.skill_packages().values()
            ),
            section=CHARACTERS,
        ),
    )


def _attributes() -> BookTable:
    rows = (
        (row.name, row.id, row.min, row.creation_max, row.max, capitalized(row.save_against))
        for row in tables.attributes().values()
    )
    heads = "Attribute | Short | Lowest | Highest at creation | Highest | A save with it is to"
    return make_table("attributes", "Attributes", "COS-ATK-01", columns=heads, rows=rows, section=CHARACTERS)


def _skills() -> BookTable:
    rows = (
        (
            row.name,
            listed(ATTRIBUTES[key] for key in row.linked),
            row.group.capitalize(),
            capitalized(row.uses),
        )
        for row in tables.skills().values()
    )
    heads = "Skill | Usual attributes | Group | Used for"
    return make_table("skills", "Skills", "COS-ACT-03", columns=heads, rows=rows, section=CHARACTERS)


def _species() -> BookTable:
    rows = (
        (
            row.name,
            row.size.capitalize(),
            listed(f"{ATTRIBUTES[key]} {signed(value)}" for key, value in row.attribute_mods.items()),
            listed(describe_abilities(row)),
        )
        for row in tables.species().values()
    )
    heads = "Species | Size | Attributes | Abilities"
    return make_table("species", "Species", "COS-MOVE-01", columns=heads, rows=rows, section=CHARACTERS)


def _prices() -> BookTable:
    plan = tables.creation()
    values = sorted({*plan.attribute_cost, *plan.skill_cost})
    rows = ((value, plan.attribute_cost.get(value, ""), plan.skill_cost.get(value, "")) for value in values)
    note = f"{plan.attribute_points} points for attributes, {plan.skill_points} for skills."
    heads = "Value | As an attribute, points | As a skill, points"
    return make_table(
        "prices", "Prices at creation", "COS-ATK-01", columns=heads, rows=rows, section=CHARACTERS, note=note
    )


def _tiers() -> BookTable:
    rows = (
        (
            row.name,
            _span(row.attribute_min, row.attribute_max),
            _span(row.skill_min, row.skill_max),
            _span(row.hp_min, row.hp_max),
            _span(row.defense_min, row.defense_max),
        )
        for row in tables.npc_tiers().values()
    )
    heads = "Tier | Attributes | Skills | HP | Defense"
    return make_table("tiers", "Tiers of opponents", "COS-HP-01", columns=heads, rows=rows, section=OPPONENTS)


def _blocks() -> BookTable:
    rows = (
        (
            block.name,
            block.tier,
            block.hp,
            block.defense,
            block.speed,
            block.protection,
            ", ".join(tables.weapons()[weapon].name for weapon in block.weapons),
        )
        for block in tables.npcs().values()
    )
    heads = "Opponent | Tier | HP | Defense | Speed, m | Protection | Weapons"
    return make_table("blocks", "Stat blocks", "COS-HP-01", columns=heads, rows=rows, section=OPPONENTS)


def _span(low: int, high: int) -> str:
    return f"{low}\N{EN DASH}{high}"
