"""The states that follow from wounds: seriously wounded, unconscious, awake again, dead, helpless in mind."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, find_condition, has_condition, replace
from combat.rules.core.turn.turns import add_condition, end_with_source, remove_condition, remove_conditions

from ..book.options import find_option
from ..book.tables import HOUR_SECONDS, MENTAL, MINUTE_SECONDS, PHYSICAL
from ..characters.conditions import DEAD, HELD, KINDS, LOW, SCRAP, is_dead, limps
from ..characters.values import count_zeros, find_dm, find_full, find_score, is_person, is_seriously_wounded
from ..dice import be_hit, roll_check
from ..world.economy import lose_minor
from ..world.order import sort_ties

HURT_AT = "hurt_at"  # mark: when someone was last wounded, in seconds of the clock
AIDED = "first_aid"  # mark: had first aid for the wounds of an incident.  RULING R39
OPERATED = "operated"  # mark: serious wounds were operated on.  RULING R65
AWAKE = "awake"  # mark: woke up with two characteristics at 0.  RULING R40
WOUNDS, FATIGUE, OTHER = "wounds", "fatigue", "other"  # the cause of unconsciousness
DEADLY, SENSELESS = 3, 2  # characteristics at 0
REST_HOURS = 3  # CE-FAT-03
RESTED = "rested"  # mark of fatigue: seconds of rest so far


def follow_wounds(context: RuleContext, who: str, hurt: bool) -> None:
    """Bring the states in line with the characteristics. [CE-DMG-12] [CE-DMG-13]

    The same holds at the end of the first wound's fixed order. [CE-DMG-06] [CE-DMG-08] RULING R32: two at 0
    are unconscious, one is not. `hurt` means that points were just lost, which knocks out a person who had
    woken up; healing does not.  RULING R40
    """
    combatant = context.state[who]
    zeros = count_zeros(combatant)
    if zeros >= DEADLY:
        die(context, who)
        return
    if zeros < SENSELESS:
        _come_to(context, who)
    elif hurt or not combatant.marks.get(AWAKE):
        fall_unconscious(context, who, WOUNDS, "CE-DMG-12")
    _keep_serious(context, who)
    sort_ties(context, who)


def note_wound(context: RuleContext, who: str, rule: str) -> None:
    """Remember when someone was wounded, for first aid. [CE-MED-04]"""
    context.emit(e.Marked(who, HURT_AT, context.state.clock), rule, e.GM_ONLY)


def begin_incident(context: RuleContext, before: Combatant) -> None:
    """Begin another incident if the last wound is over an hour old: first aid helps again.  RULING R39"""
    last = before.marks.get(HURT_AT)
    is_new = last is None or context.state.clock - int(last) > HOUR_SECONDS
    if is_new and before.marks.get(AIDED):
        context.emit(e.Marked(before.id, AIDED, None), "CE-MED-02", e.GM_ONLY)


def bring_in_line(context: RuleContext, who: str) -> None:
    """Add the states that a sheet does not mention when its owner joins a fight."""
    if is_person(context.state[who]):
        follow_wounds(context, who, hurt=False)
        follow_mind(context, who)
        _begin_states(context, who)


def _keep_serious(context: RuleContext, who: str) -> None:
    """Set seriously wounded if all three are damaged [CE-INJ-01] [CE-INJ-02]; end it once one is whole again.
    [CE-INJ-03] The rest of the turn has no minor action. [CE-INJ-05]"""
    combatant = context.state[who]
    is_serious, held = is_seriously_wounded(combatant), limps(combatant)
    if is_serious and not held:
        add_condition(context, who, "seriously_wounded", rule="CE-DMG-11")
        lose_minor(context, who)
    elif held and not is_serious:
        remove_conditions(context, who, "seriously_wounded", why="why.one_whole", rule="CE-INJ-03")
        if OPERATED in combatant.marks:
            context.emit(e.Marked(who, OPERATED, None), "CE-INJ-03", e.GM_ONLY)


def _come_to(context: RuleContext, who: str) -> None:
    """End unconsciousness from wounds with fewer than two characteristics at 0."""
    combatant = context.state[who]
    held = find_condition(combatant, "unconscious")
    if held and held.marks.get("cause", WOUNDS) == WOUNDS:
        wake(context, who, "why.wounds_better", "CE-DMG-12")
    if AWAKE in combatant.marks:
        context.emit(e.Marked(who, AWAKE, None), "CE-UNCON-02", e.GM_ONLY)


def fall_unconscious(context: RuleContext, who: str, cause: str, rule: str) -> None:
    """Make someone unconscious; this ends their turn and everything they were doing."""
    combatant = context.state[who]
    if has_condition(combatant, "dead", "unconscious"):
        return
    marks = {"since": context.state.clock, "tries": 0, "cause": cause}
    add_condition(context, who, "unconscious", rule=rule, marks=marks)
    if AWAKE in combatant.marks:
        context.emit(e.Marked(who, AWAKE, None), rule, e.GM_ONLY)
    _go_limp(context, who, rule)


def _go_limp(context: RuleContext, who: str, rule: str) -> None:
    """Drop to the ground, end the turn, and end aims, holds and long tasks."""
    fall_prone(context, who, rule)
    break_off(context, who, rule)
    budget = context.state[who].budget
    if any(budget.values()):
        context.emit(e.BudgetSet(who, dict.fromkeys(budget, 0)), rule)


def break_off(context: RuleContext, who: str, rule: str) -> None:
    """End someone's aims, holds and long tasks, and holds on them."""
    remove_conditions(context, who, *KINDS.ended_by("loss of senses"), why="why.out", rule=rule)
    end_with_source(context, who, "why.out", *HELD)


def fall_prone(context: RuleContext, who: str, rule: str) -> None:
    """Go down, also from a crouch: nobody is in two stances. [CE-STANCE-01]"""
    remove_conditions(context, who, "crouched", why="why.goes_down", rule=rule)
    if not has_condition(context.state[who], "prone"):
        add_condition(context, who, "prone", rule=rule)


def wake(context: RuleContext, who: str, why: Label, rule: str) -> None:
    """Wake someone; with two characteristics at 0 that lasts until the next wound.  RULING R40"""
    remove_conditions(context, who, "unconscious", why=why, rule=rule)
    if count_zeros(context.state[who]) >= SENSELESS:
        context.emit(e.Marked(who, AWAKE, True), rule, e.GM_ONLY)


def die(context: RuleContext, who: str, rule: str = "CE-DMG-13") -> None:
    """Make someone dead, which ends all earlier states. [CE-DMG-13]"""
    if is_dead(context.state[who]):
        return
    remove_conditions(context, who, *KINDS.ended_by("death"), why="why.death", rule=rule)
    add_condition(context, who, "dead", rule=rule)
    _go_limp(context, who, rule)


def follow_mind(context: RuleContext, who: str) -> None:
    """Make someone helpless with Intelligence or Education at 0. [CE-MENT-01]  RULING R72"""
    combatant = context.state[who]
    is_helpless = any(find_full(combatant, key) and find_score(combatant, key) <= 0 for key in MENTAL)
    held = find_condition(combatant, "helpless")
    if is_helpless and not held:
        add_condition(context, who, "helpless", rule="CE-MENT-01", marks={"cause": "mind"})
        _go_limp(context, who, "CE-MENT-01")
    elif held and held.marks.get("cause") == "mind" and not is_helpless:
        remove_conditions(context, who, "helpless", why="why.mind_back", rule="CE-MENT-01")


def other_outcomes(before: Combatant, after: Combatant) -> tuple[Label, ...]:
    """Other outcomes for someone than going down, for the odds."""
    return tuple(
        f"condition.{kind}"
        for kind in KINDS.tagged("fate")
        if has_condition(after, kind) and not has_condition(before, kind)
    )


def settle_person(context: RuleContext, before: Combatant) -> None:
    """Bring the states in line after the GM has changed someone directly.

    Healing revives the dead; a person whom the GM wakes stays awake.
    """
    who, combatant = before.id, context.state[before.id]
    changes = [combatant.tracks[key] - before.tracks[key] for key in ("end", "str", "dex")]
    if max(changes) > 0 and count_zeros(combatant) < DEADLY:
        remove_conditions(context, who, "dead", why="why.alive", rule="CE-DMG-13")
    if has_condition(before, "unconscious") and not has_condition(combatant, "unconscious"):
        wake(context, who, "why.alive", "CE-UNCON-02")
    if min(changes) < 0:
        be_hit(context, who)
        begin_incident(context, before)
        note_wound(context, who, "CE-MED-04")
    if any(changes):
        follow_wounds(context, who, hurt=min(changes) < 0)
    _begin_states(context, who)
    _tire_again(context, who)
    _keep_stance(context, before)
    follow_mind(context, who)
    if combatant.sheet is not before.sheet:  # corrected: another Dexterity settles ties anew
        sort_ties(context, who)


def _tire_again(context: RuleContext, who: str) -> None:
    """Handle fatigue that the GM gives a second time: it stays single, and knocks out. [CE-FAT-04]"""
    held = [condition for condition in context.state[who].conditions if condition.kind == "fatigued"]
    for again in held[1:]:
        told = e.ConditionEnded(who, again.id, again.label, "why.tired_out")
        context.emit(told, "CE-FAT-04", e.GM_ONLY)
        fall_unconscious(context, who, FATIGUE, "CE-FAT-04")


def _keep_stance(context: RuleContext, before: Combatant) -> None:
    """End the stance of before if the GM gives another. [CE-STANCE-01]"""
    if all(has_condition(context.state[before.id], kind) for kind in LOW):
        earlier = [kind for kind in LOW if has_condition(before, kind)]
        remove_conditions(context, before.id, *earlier[:1], why="why.changes_stance", rule="CE-STANCE-01")


def _begin_states(context: RuleContext, who: str) -> None:
    """Begin a state that the GM gives as any other would begin."""
    for held in context.state[who].conditions:
        if held.kind == "unconscious" and "since" not in held.marks:
            marks = {"since": context.state.clock, "tries": 0, "cause": OTHER, **held.marks}
            told = e.ConditionChanged(who, replace(held, marks=marks))
            context.emit(told, held.rule, e.GM_ONLY)
            _go_limp(context, who, held.rule)
        elif held.kind == "dead":
            _go_limp(context, who, held.rule)


def keep_state(before: Combatant, after: Combatant, key: str, left: int) -> int:
    """The score left once someone's figures are corrected: nobody falls, wakes or dies by it.

    Each of the three may reach 0, Endurance too, if that alone brings nobody down; a mind and a hull that
    hold go on. Of the dead and of scrap they are what the harm leaves.  RULING R102
    """
    was = before.tracks[key]
    if has_condition(before, *DEAD, *SCRAP):
        return left
    if key in (*MENTAL, "structure"):
        return max(1, left) if was > 0 else 0
    if key not in PHYSICAL:
        return left
    if was <= 0:
        return left if count_zeros(before) < SENSELESS else 0
    others = sum(after.tracks[one] <= 0 for one in PHYSICAL if one != key)
    return left if left > 0 or others + 1 < SENSELESS else 1


# Waking up, and fatigue.


# ---------------------------------------------------------------- waking up


def count_seconds_out(state: State, combatant: Combatant) -> int:
    """Seconds someone has been unconscious, or since the last check; 0 for the conscious."""
    held = find_condition(combatant, "unconscious")
    return state.clock - int(held.marks.get("since", state.clock)) if held else 0


def come_round(context: RuleContext, who: str) -> None:
    """Roll an Endurance check for each minute that someone has been unconscious, until one succeeds.
    [CE-UNCON-01]"""
    while count_seconds_out(context.state, context.state[who]) >= MINUTE_SECONDS:
        _try_to_wake(context, who)


def _try_to_wake(context: RuleContext, who: str) -> None:
    """Roll to wake [CE-UNCON-02]; a failure adds 1 to the next check, a minute later. [CE-UNCON-03]"""
    held = find_condition(context.state[who], "unconscious")
    assert held is not None
    tries = int(held.marks.get("tries", 0))
    terms = (Modifier("term.failed_tries", tries, "CE-UNCON-03"),) if tries else ()
    effect = roll_check(
        context,
        who,
        what="check.wake",
        skill="",
        characteristic="end",
        terms=terms,
        rule="CE-UNCON-01",
        matters="none",
    )
    if effect >= 0:
        wake(context, who, "why.woke", "CE-UNCON-02")
        return
    since = int(held.marks["since"]) + MINUTE_SECONDS
    later = replace(held, marks={**held.marks, "since": since, "tries": tries + 1})
    context.emit(e.ConditionChanged(who, later), "CE-UNCON-03", e.GM_ONLY)


# ---------------------------------------------------------------- fatigue


def tire(context: RuleContext, who: str, why: Label, rule: str = "CE-FAT-01") -> None:
    """Make someone fatigued [CE-FAT-01]; a second time, unconscious. [CE-FAT-04]"""
    combatant = context.state[who]
    if is_dead(combatant) or not find_option(context.state, "use_fatigue"):
        return
    if has_condition(combatant, "fatigued"):
        context.emit(e.Said("log.tired_out", who, args={"why": why}), "CE-FAT-04")
        fall_unconscious(context, who, FATIGUE, "CE-FAT-04")
        return
    add_condition(context, who, "fatigued", rule=rule)


def count_rest(combatant: Combatant) -> int:
    """The hours of rest that end fatigue: 3 less the Endurance DM. [CE-FAT-03]  RULING R41: 1 at least."""
    return max(1, REST_HOURS - find_dm(combatant, "end"))


def rest_off(context: RuleContext, who: str, seconds: int) -> None:
    """Count rest against fatigue; 0 seconds restart the count. [CE-FAT-03]"""
    combatant = context.state[who]
    held = find_condition(combatant, "fatigued")
    if held is None:
        return
    so_far = int(held.marks.get(RESTED, 0)) + seconds if seconds else 0
    if so_far >= count_rest(combatant) * HOUR_SECONDS:
        remove_condition(context, who, held, why="why.rested", rule="CE-FAT-03")
    elif so_far != held.marks.get(RESTED, 0):
        changed = replace(held, marks={**held.marks, RESTED: so_far})
        context.emit(e.ConditionChanged(who, changed), "CE-FAT-03", e.GM_ONLY)
