"""What doses and devices do to somebody: healing, harm, checks, and what lasts for a while."""

from __future__ import annotations

from ..core import events as e
from ..core.dice import Roll
from ..core.modifiers import Modifier, Modifiers
from ..core.state import Condition, Until, find_condition, has_condition, is_acting, replace
from ..core.table import Table, Then
from ..core.turns import gain, lift, lift_kinds
from . import tables
from .damage import Harm, Onward, fall_prone, fall_unconscious, go, heal, hurt, roll_points
from .records import CheckOr, Consumable
from .rolls import check_terms, pass_or_fail, roll_check
from .sheet import attribute, has_skill, is_conscious, is_immune
from .tables import SKILL_BONUS


def until_next_turn_ends(table: Table, who: str) -> Until:
    """[SS-BLIND-03] The end of somebody's next turn; the one under way is not the next.  RULING R39"""
    return Until(who, "end", 2 if is_acting(table.state, who) else 1)


def afflict(table: Table, who: str, kind: str, rule: str, by: str = "") -> None:
    """[SS-COND-01] [SS-COND-02] Give somebody a condition for as long as its source says."""
    fighter = table.state[who]
    if is_immune(fighter, kind) or has_condition(fighter, "dead"):
        return
    if kind == "prone":
        fall_prone(table, who, rule)
    elif kind == "unconscious":
        if is_conscious(fighter):
            fall_unconscious(table, who, rule)
    elif kind in ("maimed", "hindered"):
        gain(table, who, kind, rule=rule, by=by)
    else:
        _until_next_turn(table, who, kind, rule, by)


def _until_next_turn(table: Table, who: str, kind: str, rule: str, by: str) -> None:
    """RULING R39: again makes it last longer, never deeper."""
    until = until_next_turn_ends(table, who)
    held = find_condition(table.state[who], kind)
    if held is None:
        gain(table, who, kind, rule=rule, until=until, by=by)
    elif held.until and held.until.who == who and held.until.count < until.count:
        table.tell(e.ConditionChanged(who, replace(held, until=until)), rule)


def face_check(table: Table, who: str, check: CheckOr, rule: str, why: str) -> None:
    """A check of the victim, and what it gets when it fails or succeeds."""
    terms = check_terms(table.state, table.state[who], check.attribute, rule=rule)
    what = f"{check.attribute.capitalize()} check"
    result = roll_check(
        table,
        who,
        terms,
        check.difficulty,
        rule=rule,
        what=what,
        why=why,
        grade=pass_or_fail,
        again=check.attribute,
    )
    kind = check.success if result.good else check.fail
    if kind:
        afflict(table, who, kind, rule)


# ---------------------------------------------------------------- doses


def take_dose(
    table: Table, who: str, dose: Consumable, by: str, rule: str, onward: Onward = ()
) -> Then | None:
    """[SS-OTHER-24] All that a dose does to somebody."""
    if dose.heal != "0":
        _heal_by(table, who, dose, by, rule)
    if dose.check:
        face_check(table, who, dose.check, rule, dose.name)
    if dose.gives:
        start_lasting(table, who, dose.gives, rule, by)
    if dose.damage == "0":
        return go(onward)
    points, roll, terms = poison_points(table, who, dose, by, rule)
    return hurt(table, who, Harm(amount=points, why=dose.name, rule=rule, terms=terms, by=by), roll, onward)


def _heal_by(table: Table, who: str, dose: Consumable, by: str, rule: str) -> None:
    """[SS-OTHER-24] Healing, better in the hands of somebody with the skill."""
    points, roll = roll_points(table, by, dose.heal, rule, dose.name)
    skilled = SKILL_BONUS if dose.heal_skill and has_skill(table.state[by], dose.heal_skill) else 0
    heal(table, who, points + skilled, dose.name, rule, roll)


def poison_points(
    table: Table, who: str, dose: Consumable, by: str, rule: str
) -> tuple[int, Roll | None, Modifiers]:
    """The damage of a poison, less what the victim's attribute takes off; never below 0."""
    points, roll = roll_points(table, by, dose.damage, rule, dose.name)
    terms = [Modifier(dose.name, points, rule)]
    if dose.minus:
        terms.append(Modifier(dose.minus.capitalize(), -attribute(table.state[who], dose.minus), rule))
    return max(0, sum(term.value for term in terms)), roll, tuple(terms)


# ---------------------------------------------------------------- what lasts


def start_lasting(table: Table, who: str, kind: str, rule: str, by: str = "") -> None:
    """Begin what a dose leaves behind; the same again starts its time anew."""
    row = tables.lasting()[kind]
    lift_kinds(table, who, kind, why="anew", rule=rule)
    marks: dict[str, int] = {}
    if row.vision:
        terms = check_terms(table.state, table.state[who], "prs", rule=rule)
        vision = roll_check(table, who, terms, tables.DIFFICULTY, rule=rule, what="vision", again="prs")
        marks["strength"] = max(0, vision.margin + tables.DIFFICULTY)
    if row.burns:
        marks["turns"] = table.roll("1d6", by=who, rule=rule, why=f"turns of {row.name.lower()}").total
    until = Until(who, "start", row.rounds) if row.rounds else None
    gain(table, who, kind, rule=rule, until=until, by=by, marks=marks)


def finish_lasting(table: Table, who: str, held: Condition, onward: Onward = ()) -> Then | None:
    """What comes when something lasting has run out: healing, the crash, or the end of a vision."""
    row = tables.lasting()[held.kind]
    if row.heals_after != "0":
        points, roll = roll_points(table, who, row.heals_after, held.rule, row.name)
        heal(table, who, points, row.name, held.rule, roll)
    if row.afterwards:
        start_lasting(table, who, row.afterwards, held.rule)
    if row.vision:
        strength = int(held.marks.get("strength", 0))
        harm = Harm(amount=strength, why=row.name, rule=held.rule)
        return hurt(table, who, harm, None, (_end_vision, who, onward))
    return go(onward)


def _end_vision(table: Table, who: str, onward: Onward) -> Then | None:
    if is_conscious(table.state[who]):
        fall_unconscious(table, who, "SS-OTHER-24")
    return go(onward)


def tend_bandage(table: Table, who: str) -> None:
    """A symbiotic bandage heals a point each turn while 2d6 fall below the damage; else it is spent."""
    held = find_condition(table.state[who], "bandage")
    if held is None:
        return
    if has_condition(table.state[who], "dead"):
        lift(table, who, held, "dead", "SS-OTHER-24")
        return
    damage = table.state[who].tracks["damage"]
    roll = table.roll("2d6", by=who, rule="SS-OTHER-24", why="symbiotic bandage", cuts=(damage,))
    works = roll.total < damage
    word = "heals" if works else "used up"
    table.tell(e.Checked(who, "bandage", roll, (), roll.total, word, None, good=works), "SS-OTHER-24")
    if works:
        heal(table, who, tables.lasting()["bandage"].heals_each_turn, "symbiotic bandage", "SS-OTHER-24")
    else:
        lift(table, who, held, "used up", "SS-OTHER-24")


def burn(table: Table, who: str, times: int = 1, onward: Onward = ()) -> Then | None:
    """Leviathan bile: 1 damage for each physical action or metre."""
    if not has_condition(table.state[who], "bile") or times < 1:
        return go(onward)
    return hurt(table, who, Harm(amount=times, why="leviathan bile", rule="SS-OTHER-24"), None, onward)


def fade_bile(table: Table, who: str) -> None:
    """Bile grows weaker by a turn at the end of each turn without damage."""
    held, hurt_now = find_condition(table.state[who], "bile"), table.state[who].marks.get("hurt_this_turn")
    if hurt_now:
        table.tell(e.Marked(who, "hurt_this_turn", None), to=e.GM_ONLY)
    if held is None or hurt_now:
        return
    turns = int(held.marks.get("turns", 1)) - 1
    if turns < 1:
        lift(table, who, held, "it has run out", held.rule)
        return
    table.tell(e.ConditionChanged(who, replace(held, marks={**held.marks, "turns": turns})), held.rule)
