"""Falls, electricity, lightning, and the rolls to find, avoid, endure and escape hazards."""

from __future__ import annotations

from typing import Literal

from ..core import events as e
from ..core.commands import Command, Field, Preview
from ..core.dice import Roll, parse_dice
from ..core.errors import Refused
from ..core.gm import GmCommand
from ..core.modifiers import Modifier, Modifiers, add_up
from ..core.requests import GM, Choice
from ..core.space import Point, distance, read_points, towards
from ..core.state import Combatant, State, has_condition, present, replace
from ..core.table import Table, Then
from ..core.turns import gain, spend
from .damage import armor_terms, count_damage, hurt, shield_terms, stun, worn_armor
from .environment import gravity_of, is_underwater, tags_at
from .exposure import endure, endure_terms, face_level, tire
from .protection import energy_terms
from .records import HazardLevel
from .rolls import DICE, check_terms, default_tn, roll_check, save, table_terms
from .sheet import ATTRIBUTES
from .tables import hazard_levels, skills

METRES_PER_DIE, MOST_FALL_DICE = 3, 20  # COS-HAZ-01, COS-HAZ-02
MOST_FALL_M = 10_000
TOUCH_DICE, ARC_DICE, ARC_M, ARC_HALF_M = "2d6", "3d6", 6, 0.75  # COS-HAZ-09, COS-HAZ-11
STUN_TN = 14  # RULING R45

Approach = Literal["detect", "avoid", "endure", "escape"]
APPROACHES = {  # the rule of each, and what it rolls
    "detect": ("COS-HAZ-22", "AWA", "Survival"),
    "avoid": ("COS-HAZ-23", "COO", "Athletics"),
    "endure": ("COS-HAZ-24", "", ""),
    "escape": ("COS-HAZ-25", "", ""),
}


class Fall(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody falls so many metres onto hard ground, water or something soft."""

    target: str
    metres: int
    landing: Literal["hard", "water", "soft"] = "hard"


class Shock(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Electricity: a touch of `target`, the water it is in, or an arc from a place to another.

    `start` and `to` are near:FIGHTER or "x,y" in metres.
    """

    kind: Literal["touch", "water", "arc"] = "touch"
    target: str = ""
    start: str = ""
    to: str = ""


class Lightning(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A strike at random among `targets`, or among all."""

    targets: tuple[str, ...] = ()


class Navigate(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A roll about a hazard. Escaping needs an attribute and may name a skill; `tn` 0: as usual."""

    approach: Approach
    attribute: str = ""
    skill: str = ""
    tn: int = 0


class HazardCheck(Navigate, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same, asked by the GM of anybody at any time."""

    target: str
    reason: str = ""


class Expose(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One check against the surroundings now, whatever the clock says.

    `tn` and `damage` take the place of the figures of the level.
    """

    target: str
    hazard: Literal["radiation", "toxic", "heat", "cold", "gravity"]
    level: str = ""
    tn: int = 0
    damage: str = ""


# ---------------------------------------------------------------- falling


def count_fall_dice(state: State, fighter: Combatant, metres: int, landing: str = "hard") -> int:
    """[COS-HAZ-01] 1d6 per 3 m, [COS-HAZ-02] 20 at most, [COS-HAZ-04] half onto water or soft ground.

    [COS-ENV-03] None in zero gravity.  RULING R44.
    """
    if gravity_of(state, fighter) == "zero":
        return 0
    dice = min(MOST_FALL_DICE, metres // METRES_PER_DIE)
    return dice // 2 if landing != "hard" else dice


def fall(table: Table, command: Fall) -> Then | None:
    """[COS-HAZ-03] A Coordination save for half; then gravity has its say.  RULING R44."""
    fighter = table.state[command.target]
    if not 1 <= command.metres <= MOST_FALL_M:
        raise Refused("bad_value", f"A fall is 1 to {MOST_FALL_M} m.")
    dice = count_fall_dice(table.state, fighter, command.metres, command.landing)
    table.tell(e.Said(f"{{who}} falls {command.metres} m.", fighter.id), "COS-HAZ-01")
    if dice:
        return Then(_catch_oneself, fighter.id, dice)
    if gravity_of(table.state, fighter) == "zero":
        table.tell(e.Said("Nothing falls in zero gravity."), "COS-ENV-03")
    return None


def _catch_oneself(table: Table, who: str, dice: int) -> Then:
    good = save(table, who, "COO", default_tn(table.state), "COS-HAZ-03", "land well")
    return Then(_land, who, dice, good)


def _land(table: Table, who: str, dice: int, good: bool) -> None:
    """Armor does not help; who is hurt lies prone.  RULING R44."""
    notation = f"{dice}d6"
    roll = table.roll(notation, by=who, rule="COS-HAZ-01", why="fall")
    terms = fall_terms(table.state, table.state[who], notation, roll.total, good)
    lost = hurt(table, who, add_up(terms), why="fall", rule="COS-HAZ-01", terms=terms, roll=roll)
    if lost and not has_condition(table.state[who], "prone"):
        gain(table, who, "prone", rule="COS-HAZ-01")


def fall_terms(state: State, fighter: Combatant, notation: str, rolled: int, good: bool) -> Modifiers:
    """[COS-HAZ-03] Half after a save; [COS-ENV-07] half in low and [COS-ENV-11] double in high gravity."""
    terms, gravity = [Modifier(f"Fall {notation}", rolled, "COS-HAZ-01")], gravity_of(state, fighter)
    if good:
        terms.append(Modifier("Save: half", rolled // 2 - rolled, "COS-HAZ-03"))
    now = add_up(terms)
    if gravity == "low":
        terms.append(Modifier("Low gravity: half", now // 2 - now, "COS-ENV-07"))
    elif gravity == "high":
        terms.append(Modifier("High gravity: double", now, "COS-ENV-11"))
    return tuple(terms)


# ---------------------------------------------------------------- electricity


def shock(table: Table, command: Shock) -> Then:
    """[COS-HAZ-09] A touch deals 2d6, [COS-HAZ-11] an arc 3d6 to all in a line of 6 m.  RULING R45."""
    hit = find_shocked(table.state, command)
    if not hit:
        raise Refused("bad_target", "Nobody is in the way of that arc.")
    arc = command.kind == "arc"
    return Then(_discharge, hit, ARC_DICE if arc else TOUCH_DICE, "COS-HAZ-11" if arc else "COS-HAZ-09")


def find_shocked(state: State, command: Shock) -> tuple[str, ...]:
    """Whom the current reaches."""
    if command.kind == "arc":
        start, goal = find_place(state, command.start), find_place(state, command.to)
        return find_in_line(state, start, goal)
    victim = state[command.target]
    if command.kind == "touch":
        return (victim.id,)
    if not _is_wet(state, victim):
        raise Refused("bad_target", f"{victim.name} is not in the water.")
    return _find_in_pool(state, victim)


def find_place(state: State, words: str) -> Point:
    """A place from near:FIGHTER or "x,y" in metres."""
    kind, _, who = words.partition(":")
    return state[who].at if kind == "near" else read_points(words)[0]


def find_in_line(state: State, start: Point, goal: Point) -> tuple[str, ...]:
    """[COS-HAZ-11] Everybody on the first 6 m of a line, not whoever stands at its start."""
    if distance(start, goal) < 0.01:
        raise Refused("bad_value", "Give the arc a direction.")
    whole = distance(start, goal)
    scale = ARC_M / whole
    end = Point(start.x + (goal.x - start.x) * scale, start.y + (goal.y - start.y) * scale)
    steps = [towards(start, end, ARC_M * n / 24) for n in range(1, 25)]
    living = (f for f in present(state) if not has_condition(f, "dead") and distance(f.at, start) > 0.01)
    return tuple(f.id for f in living if min(distance(f.at, step) for step in steps) <= ARC_HALF_M)


def _is_wet(state: State, fighter: Combatant) -> bool:
    return "water" in tags_at(state, fighter.at) or is_underwater(state, fighter.at)


def _find_in_pool(state: State, victim: Combatant) -> tuple[str, ...]:
    """[COS-HAZ-12] Everybody in the same water counts as touching."""
    zones = [z for z in state.scene.zones if {"water", "underwater"} & set(z.terrain)]
    here = {z.id for z in zones if _lies_in(z, victim.at)}
    wet = [f for f in present(state) if _is_wet(state, f) and not has_condition(f, "dead")]
    if not here:
        return tuple(f.id for f in wet)
    return tuple(f.id for f in wet if here & {z.id for z in zones if _lies_in(z, f.at)})


def _lies_in(zone: object, place: Point) -> bool:
    x, y, w, d = (getattr(zone, key) for key in ("x", "y", "width", "depth"))
    return bool(x <= place.x <= x + w and y <= place.y <= y + d)


def _discharge(table: Table, hit: tuple[str, ...], dice: str, rule: str) -> Then:
    roll = table.roll(dice, by=GM, rule=rule, why="electricity")
    return Then(_electrocute, hit, roll)


def _electrocute(table: Table, left: tuple[str, ...], roll: Roll) -> Then | None:
    """[COS-HAZ-10] A touch stuns too; a Might save avoids that alone.  RULING R45."""
    who, rest = left[0], left[1:]
    electrify(table, who, roll)
    touched = roll.rule == "COS-HAZ-09" and not has_condition(table.state[who], "dead")
    if touched:
        plus = energy_terms(table.state[who], "energy")
        if not save(table, who, "MIG", STUN_TN, "COS-HAZ-10", "not stunned", plus):
            stun(table, who)
    return Then(_electrocute, rest, roll) if rest else None


def electrify(table: Table, who: str, roll: Roll) -> None:
    """The damage of a current through one body."""
    armor = electric_armor(table.state, table.state[who])
    terms = (Modifier(f"Electricity {roll.dice}", roll.total, roll.rule), *armor)
    lost = count_damage(table.state, roll.total, armor)
    hurt(table, who, lost, why="electricity", rule=roll.rule, terms=terms, roll=roll)


def electric_armor(state: State, fighter: Combatant) -> Modifiers:
    """[COS-HAZ-13] Armor against electricity: metal is no help at all.  RULING R45."""
    worn = worn_armor(fighter)
    if worn is None or "metal" not in worn.data["traits"]:
        return armor_terms(state, fighter, "energy")
    return (Modifier(f"{worn.name} is metal", 0, "COS-HAZ-13"), *shield_terms(fighter))


def strike_lightning(table: Table, command: Lightning) -> Then:
    """[COS-XENV-08] Lightning hits somebody at random for 3d6, as an arc.  RULING R48."""
    names = command.targets or tuple(f.id for f in present(table.state))
    chosen = [table.state[who] for who in dict.fromkeys(names)]
    living = tuple(f.id for f in chosen if not has_condition(f, "dead"))
    if not living:
        raise Refused("bad_target", "There is nobody left to strike.")
    return Then(_strike_one, living)


def _strike_one(table: Table, living: tuple[str, ...]) -> Then:
    roll = table.roll(
        f"1d{len(living)}", by=GM, rule="COS-XENV-08", why="whom lightning strikes", look="faces"
    )
    who = living[roll.total - 1]
    table.tell(e.Said("Lightning strikes {who}.", who), "COS-XENV-08")
    return Then(_discharge, (who,), ARC_DICE, "COS-XENV-08")


# ---------------------------------------------------------------- finding, avoiding, enduring, escaping


def navigate_terms(state: State, fighter: Combatant, command: Navigate) -> Modifiers:
    """[COS-HAZ-22] [COS-HAZ-23] [COS-HAZ-24] [COS-HAZ-25] What a roll about a hazard adds.

    RULING R5: half the skill.
    """
    rule, key, skill_name = APPROACHES[command.approach]
    if command.approach == "endure":
        terms = endure_terms(state, fighter)
    else:
        key, skill_name = key or command.attribute, skill_name or command.skill
        terms = check_terms(state, fighter, key, skill_name, rule)
    return (*terms, *table_terms(command, rule))


def check_navigate(command: Navigate) -> None:
    """Refuse an escape without an attribute, unknown skills and impossible numbers."""
    if command.approach == "escape" and command.attribute not in ATTRIBUTES:
        raise Refused("bad_value", "Escaping depends on the hazard: choose the attribute it takes.")
    if command.skill and command.skill not in skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    if not (command.tn == 0 or 2 <= command.tn <= 60):
        raise Refused("bad_value", "A target number is 2 to 60.")


def navigate(table: Table, command: Navigate) -> Then:
    """[COS-ACT-03] In a fight, a full use of a skill: a Standard Action."""
    check_navigate(command)
    spend(table, command.actor, {"standard": 1}, "Full skill use", "COS-ACT-03")
    return Then(_find_way, command.actor, command)


def check_hazard(table: Table, command: HazardCheck) -> Then:
    """The GM asks for the roll; it costs nothing."""
    check_navigate(command)
    return Then(_find_way, table.state[command.target].id, command)


def _find_way(table: Table, who: str, command: Navigate) -> None:
    terms = navigate_terms(table.state, table.state[who], command)
    tn = command.tn or default_tn(table.state)
    rule = APPROACHES[command.approach][0]
    roll_check(table, who, terms, tn, rule, f"{command.approach} a hazard", "")


def preview_navigate(state: State, command: Navigate) -> Preview:
    """The sums of the roll."""
    check_navigate(command)
    tn, rule = command.tn or default_tn(state), APPROACHES[command.approach][0]
    terms = navigate_terms(state, state[command.actor], command)
    return Preview(terms, (Modifier("Target number", tn, rule),), "TN", DICE)


def navigate_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a roll about a hazard."""
    approaches = (
        Choice("detect", "Detect: Awareness and Survival"),
        Choice("avoid", "Avoid: Coordination and Athletics"),
        Choice("endure", "Endure: Might or Resolve, and Survival"),
        Choice("escape", "Escape: as the hazard says"),
    )
    attributes = (Choice("", "–"), *(Choice(key, name) for key, name in ATTRIBUTES.items()))
    known = (Choice("", "none"), *(Choice(name, name) for name in sorted(skills())))
    return (
        Field("approach", "What for", "choice", approaches, "detect", rule="COS-HAZ-22"),
        Field("attribute", "Attribute to escape", "choice", attributes, "", required=False),
        Field("skill", "Skill to escape", "choice", known, "", required=False),
        Field("tn", "Target number (0: 14)", "number", value="0", low=0, high=60, required=False),
    )


# ---------------------------------------------------------------- a check right now


def expose(table: Table, command: Expose) -> Then | None:
    """One check against surroundings by the GM's word.  RULING R43: its figures may be others."""
    who = table.state[command.target].id
    if command.hazard == "gravity":
        tire(table, who)
        return None
    if command.hazard in ("heat", "cold"):
        return Then(endure, who, command.hazard)
    return Then(face_level, who, find_figures(command))


def find_figures(command: Expose) -> HazardLevel:
    """The level of the table, with the GM's own figures in it."""
    level = hazard_levels().get(f"{command.hazard}_{command.level}")
    if level is None:
        names = [lv.level for lv in hazard_levels().values() if lv.hazard == command.hazard]
        raise Refused("bad_value", f"Levels of {command.hazard}: {', '.join(names)}.")
    if not 0 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60.")
    return replace(level, tn=command.tn or level.tn, damage=_read_dice(command.damage) or level.damage)


def _read_dice(words: str) -> str:
    if not words:
        return ""
    try:
        dice = parse_dice(words)
    except ValueError:
        raise Refused("bad_value", "Write damage like 2d6 or 1d10+2.") from None
    return str(dice)
