"""What follows from wounds: seriously wounded, unconscious, awake again, dead; and helpless minds."""

from __future__ import annotations

from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, find_condition, has_condition, replace
from combat.rules.core.turns import add_condition, end_with_source, remove_conditions

from ..book.tables import HOUR_SECONDS, MENTAL
from ..people.values import count_zeros, find_full, find_score, is_person, is_seriously_wounded
from ..world.economy import lose_minor

HURT_AT = "hurt_at"  # the mark of when somebody was last wounded, in seconds of the clock
AIDED = "first_aid"  # the mark of who has had first aid for the wounds of an incident.  RULING R39
OPERATED = "operated"  # the mark of whose serious wounds have been operated on.  RULING R65
AWAKE = "awake"  # the mark of who came round with two characteristics at 0.  RULING R40
WOUNDS, FATIGUE, OTHER = "wounds", "fatigue", "other"  # what somebody is unconscious from
GOES_WITH_SENSES = ("aiming", "aiming_kill", "delaying", "extended_action", "grappled")
FATES = ("seriously_wounded", "dead", "destroyed")
DEADLY, SENSELESS = 3, 2  # characteristics at 0


def follow_wounds(context: RuleContext, who: str, hurt: bool) -> None:
    """[CE-DMG-12] [CE-DMG-13] Bring the states in line with the characteristics.

    [CE-DMG-06] [CE-DMG-08] It is the same at the end of the first wound's fixed order.
    RULING R32: two at 0 are unconscious, one is not. `hurt` says that points have just been lost, which
    knocks out those who had come round; healing does not.  RULING R40
    """
    fighter = context.state[who]
    zeros = count_zeros(fighter)
    if zeros >= DEADLY:
        die(context, who)
        return
    if zeros < SENSELESS:
        _come_to(context, who)
    elif hurt or not fighter.marks.get(AWAKE):
        fall_unconscious(context, who, WOUNDS, "CE-DMG-12")
    _keep_serious(context, who)


def note_wound(context: RuleContext, who: str, rule: str) -> None:
    """[CE-MED-04] Remember when somebody was wounded: first aid asks for it."""
    context.emit(e.Marked(who, HURT_AT, context.state.clock), rule, e.GM_ONLY)


def begin_incident(context: RuleContext, before: Combatant) -> None:
    """A wound more than an hour after the last one is another incident: first aid helps again.  RULING R39"""
    last = before.marks.get(HURT_AT)
    is_new = last is None or context.state.clock - int(last) > HOUR_SECONDS
    if is_new and before.marks.get(AIDED):
        context.emit(e.Marked(before.id, AIDED, None), "CE-MED-02", e.GM_ONLY)


def bring_in_line(context: RuleContext, who: str) -> None:
    """The states that somebody's sheet has not told of, when they join a fight."""
    if is_person(context.state[who]):
        follow_wounds(context, who, hurt=False)
        follow_mind(context, who)
        _begin_states(context, who)


def _keep_serious(context: RuleContext, who: str) -> None:
    """[CE-INJ-01] [CE-INJ-02] All three damaged: seriously wounded, else wounded at most; [CE-INJ-03] one
    whole again: no longer. [CE-INJ-05] What is left of the turn has no minor action."""
    fighter = context.state[who]
    is_serious, held = is_seriously_wounded(fighter), has_condition(fighter, "seriously_wounded")
    if is_serious and not held:
        add_condition(context, who, "seriously_wounded", rule="CE-DMG-11")
        lose_minor(context, who, "CE-INJ-05")
    elif held and not is_serious:
        remove_conditions(context, who, "seriously_wounded", why="why.one_whole", rule="CE-INJ-03")
        if OPERATED in fighter.marks:
            context.emit(e.Marked(who, OPERATED, None), "CE-INJ-03", e.GM_ONLY)


def _come_to(context: RuleContext, who: str) -> None:
    """Fewer than two characteristics at 0: who was unconscious from wounds is so no longer."""
    fighter = context.state[who]
    held = find_condition(fighter, "unconscious")
    if held and held.marks.get("cause", WOUNDS) == WOUNDS:
        wake(context, who, "why.wounds_better", "CE-DMG-12")
    if AWAKE in fighter.marks:
        context.emit(e.Marked(who, AWAKE, None), "CE-UNCON-02", e.GM_ONLY)


def fall_unconscious(context: RuleContext, who: str, cause: str, rule: str) -> None:
    """Unconscious now: the turn is over, and what one was about as well."""
    fighter = context.state[who]
    if has_condition(fighter, "dead", "unconscious"):
        return
    marks = {"since": context.state.clock, "tries": 0, "cause": cause}
    add_condition(context, who, "unconscious", rule=rule, marks=marks)
    if AWAKE in fighter.marks:
        context.emit(e.Marked(who, AWAKE, None), rule, e.GM_ONLY)
    _go_limp(context, who, rule)


def _go_limp(context: RuleContext, who: str, rule: str) -> None:
    """Down on the ground; nothing is left of the turn; aims, holds and long tasks are over."""
    if not has_condition(context.state[who], "prone"):
        add_condition(context, who, "prone", rule=rule)
    label: Label = "why.out"
    remove_conditions(context, who, *GOES_WITH_SENSES, why=label, rule=rule)
    end_with_source(context, who, label, "grappled")
    budget = context.state[who].budget
    if any(budget.values()):
        context.emit(e.BudgetSet(who, dict.fromkeys(budget, 0)), rule)


def wake(context: RuleContext, who: str, why: Label, rule: str) -> None:
    """Conscious again; with two characteristics at 0 that holds until the next wound.  RULING R40"""
    remove_conditions(context, who, "unconscious", why=why, rule=rule)
    if count_zeros(context.state[who]) >= SENSELESS:
        context.emit(e.Marked(who, AWAKE, True), rule, e.GM_ONLY)


def die(context: RuleContext, who: str, rule: str = "CE-DMG-13") -> None:
    """[CE-DMG-13] Dead, which ends what was before."""
    if has_condition(context.state[who], "dead"):
        return
    remove_conditions(context, who, "unconscious", "seriously_wounded", why="why.death", rule=rule)
    add_condition(context, who, "dead", rule=rule)
    _go_limp(context, who, rule)


def follow_mind(context: RuleContext, who: str) -> None:
    """[CE-MENT-01] Intelligence or Education at 0 is helpless.  RULING R72"""
    fighter = context.state[who]
    is_helpless = any(find_full(fighter, key) and find_score(fighter, key) <= 0 for key in MENTAL)
    held = find_condition(fighter, "helpless")
    if is_helpless and not held:
        add_condition(context, who, "helpless", rule="CE-MENT-01", marks={"cause": "mind"})
        _go_limp(context, who, "CE-MENT-01")
    elif held and held.marks.get("cause") == "mind" and not is_helpless:
        remove_conditions(context, who, "helpless", why="why.mind_back", rule="CE-MENT-01")


def find_fates(before: Combatant, after: Combatant) -> tuple[Label, ...]:
    """What happened to somebody besides going down, for the odds."""
    return tuple(
        f"condition.{kind}"
        for kind in FATES
        if has_condition(after, kind) and not has_condition(before, kind)
    )


def settle_person(context: RuleContext, before: Combatant) -> None:
    """What follows when the GM has changed somebody by hand: the states fit the numbers again.

    Healing takes the dead back; who is no longer unconscious by the GM's word stays awake.
    """
    who, fighter = before.id, context.state[before.id]
    if not is_person(fighter):
        return
    changes = [fighter.tracks[key] - before.tracks[key] for key in ("end", "str", "dex")]
    if max(changes) > 0 and count_zeros(fighter) < DEADLY:
        remove_conditions(context, who, "dead", why="why.alive", rule="CE-DMG-13")
    if has_condition(before, "unconscious") and not has_condition(fighter, "unconscious"):
        wake(context, who, "why.alive", "CE-UNCON-02")
    if min(changes) < 0:
        begin_incident(context, before)
        note_wound(context, who, "CE-MED-04")
    if any(changes):
        follow_wounds(context, who, hurt=min(changes) < 0)
    _begin_states(context, who)
    _tire_again(context, who)
    follow_mind(context, who)


def _tire_again(context: RuleContext, who: str) -> None:
    """[CE-FAT-04] Fatigue that the GM gives a second time: it stays one, and knocks out."""
    held = [condition for condition in context.state[who].conditions if condition.kind == "fatigued"]
    for again in held[1:]:
        told = e.ConditionEnded(who, again.id, again.label, "why.tired_out")
        context.emit(told, "CE-FAT-04", e.GM_ONLY)
        fall_unconscious(context, who, FATIGUE, "CE-FAT-04")


def _begin_states(context: RuleContext, who: str) -> None:
    """A state that the GM gives begins like any other."""
    for held in context.state[who].conditions:
        if held.kind == "unconscious" and "since" not in held.marks:
            marks = {"since": context.state.clock, "tries": 0, "cause": OTHER, **held.marks}
            told = e.ConditionChanged(who, replace(held, marks=marks))
            context.emit(told, held.rule, e.GM_ONLY)
            _go_limp(context, who, held.rule)
        elif held.kind == "dead":
            _go_limp(context, who, held.rule)
