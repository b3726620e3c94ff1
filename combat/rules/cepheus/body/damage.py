"""The effect of a hit: on people through armor to their characteristics, on machines by their own tables."""

from __future__ import annotations

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State
from combat.rules.core.turn.squads import LEFT_OVER, SQUAD, find_others, over_terms, share_harm

from ..characters.conditions import KINDS, is_dead
from ..characters.values import find_score, is_machine
from ..dice import be_hit, disturb_task
from .allocation import ORDER, divide, find_most, find_scores
from .hits import (
    SURE_EFFECT,
    Hit,
    Onward,
    armor_terms,
    chain,
    find_layers,
    minimum_terms,
    raw_terms,
    wear_armor,
)
from .machines import damage_machine
from .states import begin_incident, follow_wounds, note_wound

AT_ONE = "CE-DMG-01"  # the rule of a hit by an attack at one target: not a blast, a fan or a stray shot


def wound(context: RuleContext, hit: Hit, onward: Onward = (), more: bool = False) -> Then | None:
    """Resolve a hit: people lose points, machines lose parts; then go on. [CE-DMG-02]

    `more` means that later steps may hit a machine again.
    """
    if is_machine(context.state[hit.target]):
        return chain(damage_machine(context, hit, wound_person, more), onward)
    wound_person(context, hit)
    return chain(None, onward)


def wound_person(context: RuleContext, hit: Hit) -> int:
    """Resolve a hit on a person or an animal; returns the points that came through.

    [CE-MINOR-09] Aim for the kill ends; [CE-OTHER-08] a person busy with a task rolls to go on with it.
    """
    be_hit(context, hit.target)
    before = context.state[hit.target]
    terms = damage_terms(before, hit)
    here, over, mate = _share(context, hit, max(0, add_up(terms)))
    points = lose(
        context,
        hit.target,
        here,
        why=hit.why,
        rule=hit.rule,
        terms=(*terms, *over_terms(over)),
        roll=hit.roll,
        by=hit.by,
    )
    if mate:
        _fall_through(context, hit, over, mate)
    if points:
        begin_incident(context, before)
    wear_armor(context, hit)
    disturb_task(context, hit.target, points)
    return points


def _share(context: RuleContext, hit: Hit, points: int) -> tuple[int, int, str]:
    """The points of an attack that its one target bears, those left over, and who of a squad takes them."""
    if hit.rule != AT_ONE:
        return points, 0, ""
    target = context.state[hit.target]
    most = find_most(context.state, target, points) if SQUAD in target.marks else 0
    return share_harm(context, hit.target, points, most)


def _fall_through(context: RuleContext, hit: Hit, points: int, mate: str) -> None:
    """Let the points beyond unconsciousness fall to the next of a squad, and on. The table's own, in no text.

    Armor has taken its part of the hit already.
    """
    who = hit.target
    while mate:
        before, why = context.state[mate], say(LEFT_OVER, who=who)
        here, points, mate = share_harm(context, mate, points, find_most(context.state, before, points))
        be_hit(context, before.id)
        if lose(context, before.id, here, why=why, rule="", terms=(), by=hit.by):
            begin_incident(context, before)
        who = before.id


def damage_terms(combatant: Combatant, hit: Hit) -> Modifiers:
    """The dice, the Effect, the points that armor and drugs take off, and the guaranteed point."""
    terms = (*raw_terms(hit), *armor_terms(combatant, hit), *toughness_terms(combatant))
    return (*terms, *minimum_terms(hit, terms))


def toughness_terms(combatant: Combatant) -> Modifiers:
    """The points that combat drugs take off a wound."""
    return tuple(KINDS.terms(combatant, "damage"))


def lose(
    context: RuleContext,
    who: str,
    points: int,
    why: Label,
    rule: str,
    *,
    terms: Modifiers = (),
    roll: Roll | None = None,
    by: str = "",
    injury: bool = True,
    free: bool = False,
) -> int:
    """Take points off the physical characteristics, as the rules or the player say; returns how many.

    The log gives the sum with the first number that changes. Points beyond what the dead have left are not
    counted. A loss that is not an `injury`, such as the cost of a drug, does not restart the time for first
    aid: [CE-MED-04] that counts from the wounds. The owner chooses where a `free` loss comes off.  RULING R38
    """
    combatant = context.state[who]
    parts = {} if is_dead(combatant) else divide(context, who, points, in_order=not free)
    lost = {key: parts[key] for key in ORDER if parts.get(key)}
    for key, n in (lost or {"end": 0}).items():
        old = find_score(combatant, key)
        context.emit(e.TrackChanged(who, key, old, new=old - n, why=why, terms=terms, roll=roll, by=by), rule)
        terms, roll = (), None
    if lost and injury:
        note_wound(context, who, rule)
    if lost:
        follow_wounds(context, who, hurt=True)
    return sum(lost.values())


def count_beyond(state: State, combatant: Combatant) -> int:
    """The points that the others of someone's squad could lose to what falls through."""
    if SQUAD not in combatant.marks:
        return 0
    return sum(sum(find_scores(one)) for one in find_others(state, combatant))


def find_cuts(
    combatant: Combatant, kind: str = "", ap: int = 0, effect: int = 0, beyond: int = 0
) -> tuple[int, ...]:
    """The sums of damage dice at which a hit on this person starts to have another result.

    All sums below the armor are equal, and so are all sums above what is left to lose, `beyond` by others.
    """
    layers = sum(points for _, points in find_layers(combatant, kind))
    armor = max(0, layers - ap) - add_up(toughness_terms(combatant)) - effect
    sure = int(effect >= SURE_EFFECT)
    most = sum(find_scores(combatant)) + beyond
    return tuple(range(max(1, armor + 1 + sure), armor + most + 1))
