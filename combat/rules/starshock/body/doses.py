"""The effects of doses and devices: healing, harm, checks, and lasting effects."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import (
    Condition,
    Until,
    find_condition,
    has_condition,
    is_acting,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_condition, remove_conditions

from ..book import tables
from ..book.tables import SKILL_BONUS, CheckOr, Consumable
from ..characters.conditions import KINDS, find_burning, lasting_of
from ..characters.sheet import TERMS, attribute, has_skill, is_conscious, is_immune
from ..dice import check_terms, only_total, pass_or_fail, roll_check
from .damage import Harm, Onward, fall_prone, fall_unconscious, go, heal, hurt, roll_points


def afflict(context: RuleContext, who: str, kind: str, rule: str, by: str = "") -> None:
    """Give someone a condition for as long as its source says. [SS-COND-01] [SS-COND-02]"""
    combatant = context.state[who]
    if is_immune(combatant, kind) or has_condition(combatant, "dead"):
        return
    row = KINDS[kind]
    if row.begins:
        BEGINS[row.begins](context, who, kind, rule)
    elif row.until:
        _until_next_turn(context, who, kind, rule=rule, by=by)
    else:
        add_condition(context, who, kind, rule=rule, by=by)


def _until_next_turn(context: RuleContext, who: str, kind: str, rule: str, by: str) -> None:
    """RULING R39: A repeated condition lasts longer, but gets no worse; a turn in progress is not the next.
    [SS-BLIND-03]"""
    until = Until(who, "end", 2 if is_acting(context.state, who) else 1)
    held = find_condition(context.state[who], kind)
    if held is None:
        add_condition(context, who, kind, rule=rule, until=until, by=by)
    elif held.until and held.until.who == who and held.until.count < until.count:
        context.emit(e.ConditionChanged(who, replace(held, until=until)), rule)


def face_check(context: RuleContext, who: str, check: CheckOr, rule: str, why: Label) -> None:
    """Roll the victim's check, and give the condition for failure or success."""
    terms = check_terms(context.state, context.state[who], check.attribute, rule=rule)
    what = say("check.of", what=TERMS[check.attribute])
    result = roll_check(
        context,
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
        afflict(context, who, kind, rule)


# ---------------------------------------------------------------- doses


def take_dose(
    context: RuleContext, who: str, dose: Consumable, by: str, rule: str, onward: Onward = ()
) -> Then | None:
    """Apply all effects of a dose. [SS-OTHER-24]"""
    if dose.heal != "0":
        _heal_by(context, who, dose, by=by, rule=rule)
    if dose.check:
        face_check(context, who, dose.check, rule=rule, why=dose.name)
    if dose.gives:
        start_lasting(context, who, dose.gives, rule=rule, by=by)
    if dose.damage == "0":
        return go(onward)
    points, roll, terms = poison_points(context, who, dose, by=by, rule=rule)
    return hurt(
        context,
        who,
        Harm(amount=points, why=dose.name, rule=rule, terms=terms, by=by),
        roll=roll,
        onward=onward,
    )


def _heal_by(context: RuleContext, who: str, dose: Consumable, by: str, rule: str) -> None:
    """Heal, by more if the user has the skill. [SS-OTHER-24]"""
    points, roll = roll_points(context, by, dose.heal, rule=rule, why=dose.name)
    skilled = SKILL_BONUS if dose.heal_skill and has_skill(context.state[by], dose.heal_skill) else 0
    heal(context, who, points + skilled, why=dose.name, rule=rule, roll=roll)


def poison_points(
    context: RuleContext, who: str, dose: Consumable, by: str, rule: str
) -> tuple[int, Roll | None, Modifiers]:
    """The damage of a poison, less the victim's attribute; never below 0."""
    points, roll = roll_points(context, by, dose.damage, rule=rule, why=dose.name)
    terms = [Modifier(dose.name, points, rule)]
    if dose.minus:
        terms.append(Modifier(TERMS[dose.minus], -attribute(context.state[who], dose.minus), rule))
    return max(0, sum(term.value for term in terms)), roll, tuple(terms)


# ---------------------------------------------------------------- lasting effects


def start_lasting(context: RuleContext, who: str, kind: str, rule: str, by: str = "") -> None:
    """Begin the lasting effect of a dose; a second dose restarts its time."""
    row = tables.lasting()[kind]
    remove_conditions(context, who, kind, why="why.renewed", rule=rule)
    marks: dict[str, int] = {}
    if row.vision:
        terms = check_terms(context.state, context.state[who], "prs", rule=rule)
        vision = roll_check(
            context, who, terms, None, rule=rule, what="check.vision", again="prs", grade=only_total
        )
        marks["strength"] = max(0, vision.margin)
    if row.burns:
        marks["turns"] = context.roll(
            "1d6", by=who, rule=rule, why=say("roll.turns", what=f"condition.{kind}")
        ).total
    until = Until(who, "start", row.rounds) if row.rounds else None
    add_condition(context, who, kind, rule=rule, until=until, by=by, marks=marks)


def finish_lasting(context: RuleContext, who: str, held: Condition) -> Then | None:
    """Apply the end of a lasting effect: healing, the crash, or the end of a vision."""
    row = tables.lasting()[held.kind]
    if row.heals_after != "0":
        points, roll = roll_points(context, who, row.heals_after, rule=held.rule, why=held.label)
        heal(context, who, points, why=held.label, rule=held.rule, roll=roll)
    if row.afterwards:
        start_lasting(context, who, row.afterwards, held.rule)
    if row.vision:
        strength = int(held.marks.get("strength", 0))
        harm = Harm(amount=strength, why=held.label, rule=held.rule)
        return hurt(context, who, harm, roll=None, onward=(_end_vision, who))
    return None


def _end_vision(context: RuleContext, who: str) -> None:
    if is_conscious(context.state[who]):
        fall_unconscious(context, who, "SS-OTHER-24")


def heal_each_turn(context: RuleContext, who: str) -> None:
    """Heal by what heals each turn while 2d6 stay below the damage; then it is spent. [SS-OTHER-24]"""
    for held, row in lasting_of(context.state[who]):
        if row.heals_each_turn:
            _heal_or_end(context, who, held, row.heals_each_turn)


def _heal_or_end(context: RuleContext, who: str, held: Condition, points: int) -> None:
    if has_condition(context.state[who], "dead"):
        remove_condition(context, who, held, why="why.death", rule="SS-OTHER-24")
        return
    damage = context.state[who].tracks["damage"]
    roll = context.roll("2d6", by=who, rule="SS-OTHER-24", why=held.label, cuts=(damage,))
    works = roll.total < damage
    outcome = "outcome.heals" if works else "outcome.used_up"
    context.emit(make_checked(who, held.label, roll, outcome=outcome, good=works), "SS-OTHER-24")
    if works:
        heal(context, who, points, why=held.label, rule="SS-OTHER-24")
    else:
        remove_condition(context, who, held, why="why.used_up", rule="SS-OTHER-24")


def burn(context: RuleContext, who: str, times: int = 1, onward: Onward = ()) -> Then | None:
    """What burns, such as Leviathan bile, does 1 damage for each physical action or meter. [SS-OTHER-24]"""
    burning = find_burning(context.state[who])
    if not burning or times < 1:
        return go(onward)
    harm = Harm(amount=times * len(burning), why=burning[0].label, rule="SS-OTHER-24")
    return hurt(context, who, harm, roll=None, onward=onward)


def burn_down(context: RuleContext, who: str) -> None:
    """Weaken what burns at the end of each turn without damage. [SS-OTHER-24]"""
    hurt_now = context.state[who].marks.get("hurt_this_turn")
    if hurt_now:
        context.emit(e.Marked(who, "hurt_this_turn", None), to=e.GM_ONLY)
        return
    for held in find_burning(context.state[who]):
        turns = int(held.marks.get("turns", 1)) - 1
        if turns < 1:
            remove_condition(context, who, held, why="why.expired", rule=held.rule)
            continue
        weaker = replace(held, marks={**held.marks, "turns": turns})
        context.emit(e.ConditionChanged(who, weaker), held.rule)


# ---------------------------------------------------------------- what follows when a condition begins


def _knock_down(context: RuleContext, who: str, kind: str, rule: str) -> None:
    fall_prone(context, who, rule)


def _knock_out(context: RuleContext, who: str, kind: str, rule: str) -> None:
    if is_conscious(context.state[who]):
        fall_unconscious(context, who, rule)


BEGINS: dict[str, Callable[[RuleContext, str, str, str], None]] = {  # named in conditions.toml
    "knock_down": _knock_down,
    "knock_out": _knock_out,
    "start_lasting": start_lasting,
}
