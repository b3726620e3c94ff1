"""The attack: declaration, reaction, roll and damage; stray shots, flechettes, panic fire, coup de grace."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import msgspec

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Command, Field, Preview, folded_field
from combat.rules.core.commands.context import Apart, RuleContext, Then
from combat.rules.core.declaration.parts import name_rounds
from combat.rules.core.space import map_of
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, has_condition, present, replace
from combat.rules.core.turn.turns import is_shared

from ...body.hits import Hit, Onward, chain
from ...body.states import die
from ...book.options import find_option
from ...book.tables import COVERS, PHYSICAL, TARGET, find_burst
from ...characters.conditions import HELPLESS, KINDS, is_busy, is_dead
from ...characters.goods import UNARMED
from ...characters.machinery import find_shell
from ...characters.values import is_person
from ...dice import DICE, find_cuts, lose_aim, roll_terms, tell_roll, use_aim
from ...vehicles.gunnery import check_fire
from ...world.acting import act
from ...world.bands import PERSONAL, find_band, find_meters
from ...world.cover import OPEN, can_be_struck
from ...world.economy import check_significant, pay_significant
from ...world.order import offer_interrupt
from ...world.sight_lines import check_within
from ..aim import (
    Attack,
    Sight,
    Strike,
    burst_terms,
    find_neighbours,
    find_rule,
    find_sight,
    modifiers_for_attack,
    with_computer,
)
from ..checks import (
    BURST,
    REST,
    check_attack,
    check_grip,
    check_rounds,
    check_seen,
    check_weapon,
    find_arms,
    find_usable,
    gun_obstacle,
    rounds_field,
    strike_fields,
)
from ..explosives.blasts import is_free
from ..explosives.lobs import (
    Thrown,
    describe_blast,
    find_area_of_attack,
    find_thrown,
    find_victims_of_attack,
    is_explosive,
    launch,
    make_flight,
    modifiers_for_flight,
    scatter_thrown,
)
from ..reactions import react
from ..shots import Blow, add_dice, burst_damage, deal, fire, kill_terms, land_all, make_blow, simplify
from ..weapons import find_own, use_rounds

HIT, MISS = "outcome.hit", "outcome.miss"
MODES = (
    Choice("", "automatic"),
    Choice("melee", "in melee"),
    Choice("thrown", "thrown"),
    Choice("ranged", "at range"),
)
USING = (Choice("", "the better"), Choice("str", "Strength"), Choice("dex", "Dexterity"))
PANIC = (Modifier("term.panic", -2, "CE-PANIC-05"),)  # and no DM of a burst [CE-PANIC-04]
SLUG_THROWERS = ("slug_pistol", "slug_rifle", "shotgun")
FROM = 4  # on 1D6
SAME = 0.01  # meters that count as equal


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that is ready to roll: its DMs, its damage, and the others a miss may hit."""

    terms: Modifiers
    blow: Blow
    rule: str
    strays: tuple[str, ...] = ()
    what: Label = "check.attack"
    thrown: Thrown | None = None


def attack(context: RuleContext, command: Attack) -> Then | None:
    """Attack as a significant action: one weapon on one target. [CE-ATK-01] [CE-ATK-02] [CE-BURST-03]"""
    sight = check_attack(context.state, command)
    if offer_interrupt(context, command.actor):
        return None
    if is_explosive(sight):
        return launch(context, command, sight)
    more, dice = burst_terms(sight, command.burst), burst_damage(sight, command.burst)
    return begin(context, command, sight, more=more, dice=dice, rounds=sight.rounds)


def begin(
    context: RuleContext, command: Strike, sight: Sight, more: Iterable[Modifier], dice: str, rounds: int
) -> Then:
    """Pay for an attack with the DMs of this way to attack, ask for a reaction, and go on to the roll."""
    if sight.spreads:
        return fire_fan(context, command, sight, more=more, dice=dice, rounds=rounds)
    who = command.actor
    terms = modifiers_for_attack(context.state, command, sight, *more)
    blow = make_blow(context.state, sight, dice)
    strays = find_strays(context.state, sight)  # of the state that weighed the attack
    pay_significant(context, who, "Attack", "CE-ATK-01")
    use_aim(context, who)
    fire(context, sight, rounds)
    rule = find_rule(sight)
    reaction = react(context, command.target, who, mode=sight.mode, cover=sight.cover)
    terms = with_computer(context.state, sight, terms, reaction)
    thrown = find_thrown(context.state, sight)
    return Then(swing, Shot(terms=terms, blow=blow, rule=rule, strays=strays, thrown=thrown))


def swing(context: RuleContext, shot: Shot, onward: Onward = ()) -> Then | None:
    """Roll 2D6 and the DMs against 8: a hit does damage, a miss may hit someone else. [CE-ATK-04]

    A thrown weapon that hits no one lands elsewhere. [CE-THROW-05]
    """
    blow = shot.blow
    effect = roll_terms(
        context,
        blow.by,
        shot.terms,
        what=shot.what,
        rule=shot.rule,
        target=blow.target,
        why=say("roll.attack", item=blow.weapon, target=blow.target),
        cuts=partial(find_cuts, shot.terms, "success"),
        outcomes=(HIT, MISS),
    )
    if effect >= 0:
        return Then(deal, blow, effect, onward)
    missed = (scatter_thrown, shot.thrown, effect) if shot.thrown else ()
    return stray(context, blow, shot.strays, onward=onward, missed=missed)


def preview(state: State, command: Attack) -> Preview:
    """The sums of the form, before anything is rolled."""
    sight = check_attack(state, command)
    terms, notes = _predict(state, command, sight)
    notes = (*notes, say("note.range", band=f"band.{sight.band}"))
    if sight.mode == "ranged" and sight.item.loaded is not None:
        notes = (*notes, say("note.rounds", n=sight.rounds, loaded=sight.item.loaded))
    return Preview(terms, (), "against.eight", dice=DICE, notes=notes)


def _predict(state: State, command: Attack, sight: Sight) -> tuple[Modifiers, tuple[Label, ...]]:
    """The DMs of an attack, and its expected result."""
    if is_explosive(sight):
        notes = describe_blast(state, sight, make_flight(state, command, sight, ()).rings)
        return modifiers_for_flight(state, command, sight), notes
    notes = (say("note.damage", dice=burst_damage(sight, command.burst)), *describe_spread(state, sight))
    return modifiers_for_attack(state, command, sight, *burst_terms(sight, command.burst)), notes


# ---------------------------------------------------------------- form


def attack_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Target and weapon, a burst, and in a fold the way the weapon is used. [CE-ATK-02]"""

    def check(target: str, weapon: str) -> None:
        check_attack(state, Attack(actor=actor, target=target, weapon=weapon))

    more: tuple[Field, ...] = ()
    if any(rate > 1 for i in find_arms(state, actor) for rate in i.data.get("rate_of_fire", ())):
        more = (rounds_field(state, actor), BURST)
    mode = folded_field("mode", "Used", "choice", options=MODES, value="", rule="CE-RANGE-09")
    using = folded_field("using", "In melee with", "choice", options=USING, value="", rule="CE-ATK-07")
    return (*strike_fields(state, actor, check), *more, mode, using, REST, *cover_fields(state))


def cover_fields(state: State) -> tuple[Field, ...]:
    """On a battle map: the cover that the GM states for this attack; the default is the map's. [CE-MOD-02]"""
    if not map_of(state.scene):
        return ()
    stated = (Choice(OPEN, "none"), *(Choice(key, row.name) for key, row in COVERS.items()))
    options = (Choice("", "as the scene has it"), *stated)
    return (folded_field("cover", "Target's cover", "choice", options=options, value="", rule="CE-MOD-02"),)


def name_attack(words: str, state: State, combatant: Combatant) -> str:
    """The first weapon or grenade in hand with its rounds; the usual words if it lacks a free hand."""
    own = (i for i in find_own(combatant) if i.place == "held" and i.data.get("id") != UNARMED)
    ready = (item for item in own if allows(check_grip, combatant, item))
    return next(map(name_rounds, ready), words)


def check_attack_now(state: State, actor: str) -> None:
    """Refuse an attack without a ready weapon or without a significant action left."""
    if not find_usable(state, actor):
        raise Refused("not_allowed", "No weapon is ready: ready or reload one first.")
    check_significant(state, actor, "attack")


# Coup de grace: killing someone helpless.


class CoupDeGrace(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Kill someone helpless with a weapon; `sure` confirms it."""

    target: str
    weapon: str
    sure: bool = False


def is_helpless(combatant: Combatant) -> bool:
    """Whether someone cannot defend themselves at all.  RULING R36"""
    return is_person(combatant) and has_condition(combatant, *HELPLESS)


def check_coup(state: State, command: CoupDeGrace) -> Sight:
    """Refuse all but a blade within Close range and a gun from right beside, that could attack as usual.
    [CE-ATK-10] [CE-ATK-11]  RULING R15 R36"""
    if not find_option(state, "coup_de_grace"):
        raise Refused("not_allowed", "This table plays without the coup de grace: attack instead.")
    combatant, target = state[command.actor], state[command.target]
    if target.id == combatant.id or is_dead(target) or not is_helpless(target):
        raise Refused("bad_target", f"{target.name} is not helpless: attack instead.")
    sight = find_sight(state, Strike(actor=command.actor, target=command.target, weapon=command.weapon))
    item = sight.item
    if item.kind == "grenade" or item.data.get("fires") or item.data.get("radius_m"):
        raise Refused("bad_value", f"{item.name} explodes: choose a blade or a gun.")
    check_within(state, combatant, target)
    check_weapon(combatant, item)
    check_fire(state, combatant, item, target)
    check_seen(state, combatant, target, item)
    if sight.mode == "melee":
        KINDS.check(combatant, "melee")
    else:
        check_rounds(sight, sight.rounds)
    return sight


def finish(context: RuleContext, command: CoupDeGrace) -> None:
    """Hit and kill automatically: a significant action, no roll, no reaction. [CE-ATK-12]  RULING R36"""
    sight = check_coup(context.state, command)
    if not command.sure:
        name = context.state[command.target].name
        raise Refused("bad_value", f"This kills {name} for good: select “This kills for good”.")
    if offer_interrupt(context, command.actor):
        return
    pay_significant(context, command.actor, "Coup de grace", "CE-ATK-01")
    lose_aim(context, command.actor, "why.does_something_else")
    use_rounds(context, command.actor, sight.item, rounds=sight.rounds, rule="CE-ATK-11")
    context.emit(e.Said("log.coup_de_grace", command.actor, command.target), "CE-ATK-12")
    for key in PHYSICAL:
        old = context.state[command.target].tracks[key]
        if old:
            told = e.TrackChanged(command.target, key, old, new=0, why="why.coup_de_grace", by=command.actor)
            context.emit(told, "CE-ATK-12")
    die(context, command.target, "CE-ATK-12")


def coup_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The victim, an enemy, and the weapon, with a box to confirm. [CE-ATK-10]"""

    def check(target: str, weapon: str) -> None:
        if state[target].side == state[actor].side:
            raise Refused("bad_target", f"{state[target].name} is on the same side.")
        check_coup(state, CoupDeGrace(actor=actor, target=target, weapon=weapon))

    sure = Field("sure", "This kills for good", "flag", rule="CE-ATK-12")
    return (*strike_fields(state, actor, check), sure)


def check_coup_now(state: State, actor: str) -> None:
    """Refuse a coup de grace with no one helpless next to the actor."""
    if not any(is_helpless(f) and not is_dead(f) for f in present(state)):
        raise Refused("not_allowed", "Nobody here is helpless.")
    options = coup_fields(state, actor)[0].options
    if all(option.refused for option in options):
        raise Refused("not_allowed", options[0].refused if options else "Nobody here is helpless.")
    check_significant(state, actor, "a coup de grace")


# Panic fire: every round in the gun at once.


class PanicFire(Strike, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Empty a slug thrower at a target. [CE-PANIC-01]"""


def is_slug_thrower(item: Item) -> bool:
    """Whether a weapon is a small-arms slug thrower. [CE-PANIC-01]"""
    skills = item.data.get("skills", ())
    return item.data.get("group") == "ranged" and any(skill in SLUG_THROWERS for skill in skills)


def check_panic(state: State, command: PanicFire) -> Sight:
    """Refuse all but loaded small-arms slug throwers; single-shot guns may panic-fire too. [CE-PANIC-01]

    RULING R17: earlier aim does not count.
    """
    if not find_option(state, "use_panic_fire"):
        raise Refused("not_allowed", "This table plays without panic fire: attack instead.")
    sight = check_attack(state, command, rates=False)
    if not is_slug_thrower(sight.item) or sight.mode != "ranged":
        raise Refused("bad_value", f"{sight.item.name} is no slug thrower: choose a gun that fires slugs.")
    if not sight.item.loaded:
        raise Refused("no_budget", f"{sight.item.name} is empty: reload it.")
    return replace(sight, aimed=False)


def find_damage(sight: Sight) -> str:
    """The dice plus those of the burst row for the rounds left.  [CE-PANIC-03] RULING R17"""
    return add_dice(sight.arm.damage, find_burst(sight.item.loaded or 0).extra_damage)


def fire_in_panic(context: RuleContext, command: PanicFire) -> Then | None:
    """Fire every round left; hits count as a grouped burst. [CE-PANIC-02] [CE-PANIC-03]  RULING R17"""
    sight = check_panic(context.state, command)
    if offer_interrupt(context, command.actor):
        return None
    return begin(context, command, sight, more=PANIC, dice=find_damage(sight), rounds=sight.item.loaded or 0)


def preview_panic(state: State, command: PanicFire) -> Preview:
    """The sums of the form."""
    sight = check_panic(state, command)
    notes = (
        say("note.damage", dice=find_damage(sight)),
        *describe_spread(state, sight),
        say("note.rounds", n=sight.item.loaded or 0, loaded=sight.item.loaded or 0),
    )
    terms = modifiers_for_attack(state, command, sight, *PANIC)
    return Preview(terms, (), "against.eight", dice=DICE, notes=notes)


def panic_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Target and gun. [CE-PANIC-01]"""

    def check(target: str, weapon: str) -> None:
        check_panic(state, PanicFire(actor=actor, target=target, weapon=weapon))

    return strike_fields(state, actor, check)


check_panic_now = gun_obstacle(
    "use_panic_fire", is_slug_thrower, "No slug thrower is ready: ready one first.", "panic fire"
)

# Shots into combat that miss and may hit a neighbor of the target.


def find_strays(state: State, sight: Sight) -> tuple[str, ...]:
    """Those a miss may hit: the nearest other combatant next to the target; several if they are equally near.
    [CE-INTO-02] Not those behind a wall or down behind full cover.  RULING R34"""
    if sight.mode == "melee" or not find_option(state, "use_firing_into_combat"):
        return ()
    beside = find_neighbours(state, sight.target.id, but=sight.combatant.id)
    if not beside:
        return ()
    near = [other for other in beside if can_be_struck(state, sight.combatant, other)]
    if len(near) < 2:
        return tuple(other.id for other in near)
    least = find_meters(state, sight.target, near[0])
    return tuple(o.id for o in near if find_meters(state, sight.target, o) <= least + SAME)


def stray(
    context: RuleContext, blow: Blow, strays: tuple[str, ...], onward: Onward = (), missed: Onward = ()
) -> Then | None:
    """After a miss, hit the nearest neighbor of the target on 4 or more on 1D6 [CE-INTO-02]; with Effect 0,
    no reaction, and no damage from aiming for the kill. [CE-INTO-03]  RULING R34

    `missed` follows if no one is hit.
    """
    following = Then(*missed, onward) if missed else chain(None, onward)
    if not strays:
        return following
    why = say("roll.stray", target=blow.target)
    roll = context.roll("1d6", by=blow.by, rule="CE-INTO-02", why=why, cuts=(FROM,))
    if roll.total < FROM:
        context.emit(e.Said("log.stray_misses", blow.by), "CE-INTO-02")
        return following
    victim = pick_one(context, blow.by, strays, "CE-INTO-02")
    context.emit(e.Said("log.stray_hits", blow.by, victim), "CE-INTO-03")
    struck = replace(blow, target=victim, kill=(), rule="CE-INTO-03")
    return Then(deal, struck, 0, onward, apart=None if onward else part(context.state, struck))


def part(state: State, blow: Blow) -> Apart | None:
    """The separate odds of a stray shot at one of a crowd; None if its result also concerns others."""
    victim = state[blow.target]
    works = is_busy(victim)
    if is_shared(state) or works or not is_person(victim) or not is_free(state, victim):
        return None
    return Apart({victim.id: Then(deal, blow, 0, ())}, None)


def pick_one(context: RuleContext, who: str, people: tuple[str, ...], rule: str) -> str:
    """One of several, each with the same chance."""
    if len(people) == 1:
        return people[0]
    roll = context.roll(f"1d{len(people)}", by=who, rule=rule, why="roll.who_is_hit")
    return people[roll.total - 1]


# Flechettes: from Medium range on, one shot hits everyone around its target.


Hits = tuple[tuple[str, int], ...]


class Fan(msgspec.Struct, frozen=True, kw_only=True):
    """A shot that is compared with everyone in its spread, each with their own DMs.

    `kill` is the damage that aiming for the kill adds for the target.
    """

    by: str
    target: str
    weapon: Label
    dice: str
    aims: tuple[tuple[str, Modifiers], ...] = ()
    kill: Modifiers = ()


def find_spread(state: State, combatant: Combatant, target: Combatant) -> tuple[str, ...]:
    """The target of someone's shot, and anyone at Personal range of it within the shot's reach, ally or
    enemy. [CE-SHOT-04]

    Not those behind a wall, or down behind full cover [CE-COVER-04], nor through the body of a closed
    vehicle.
    """
    others = [
        f.id
        for f in state.combatants.values()
        if f.id not in (target.id, combatant.id)
        and not f.gone
        and not is_dead(f)
        and find_shell(state, f) is find_shell(state, target)
        and find_band(state, target, f) == PERSONAL
        and can_be_struck(state, combatant, f)
    ]
    return (target.id, *others)


def describe_spread(state: State, sight: Sight) -> tuple[Label, ...]:
    """The number of those in the spread of a shot; nothing for other shots. [CE-SHOT-04]"""
    if not sight.spreads:
        return ()
    return (say("note.spread", n=len(find_spread(state, sight.combatant, sight.target))),)


def fire_fan(
    context: RuleContext, command: Strike, sight: Sight, more: Iterable[Modifier], dice: str, rounds: int
) -> Then:
    """Fire with one roll for all, each with their own cover, stance and reaction. [CE-SHOT-02] [CE-SHOT-04]

    RULING R20 R77
    """
    state, aims = context.state, []
    people = find_spread(state, sight.combatant, sight.target)
    sights = {who: _look_at(state, command, sight, who) for who in people}
    sums = {who: modifiers_for_attack(state, command, own, *more) for who, own in sights.items()}
    kill = kill_terms(state, sight)
    pay_significant(context, command.actor, "Attack", "CE-ATK-01")
    use_aim(context, command.actor)
    fire(context, sight, rounds)
    for who, terms in sums.items():
        own = sights[who]
        reaction = react(context, who, command.actor, mode=sight.mode, cover=own.cover)
        aims.append((who, with_computer(state, own, terms, reaction)))
    fan = Fan(
        by=command.actor,
        target=command.target,
        weapon=sight.item.name,
        dice=dice,
        aims=tuple(aims),
        kill=kill,
    )
    return Then(swing_fan, fan)


def _look_at(state: State, command: Strike, sight: Sight, who: str) -> Sight:
    """The same shot at someone in the spread; what the GM says about cover applies to the target alone."""
    return sight if who == sight.target.id else replace(sight, target=state[who], cover="")


def swing_fan(context: RuleContext, fan: Fan) -> Then | None:
    """Roll 2D6 once and compare it with everyone in the spread. [CE-SHOT-04]"""
    needs = [TARGET - add_up(terms) for _, terms in fan.aims]
    cuts = tuple(range(max(2, min(needs)), 13)) or (13,)
    why = say("roll.attack", item=fan.weapon, target=fan.target)
    roll = context.roll(DICE, by=fan.by, rule="CE-SHOT-04", why=why, cuts=cuts)
    hits = []
    for who, terms in fan.aims:
        effect = roll.total + add_up(terms) - TARGET
        context.emit(_tell(fan, who, terms, roll), "CE-SHOT-04")
        if effect >= 0:
            hits.append((who, effect))
    return Then(deal_fan, fan, tuple(hits)) if hits else None


def _tell(fan: Fan, who: str, terms: Modifiers, roll: Roll) -> e.Checked:
    words = ("outcome.hit", "outcome.miss")
    return tell_roll(fan.by, "check.attack", roll, terms, target=who, words=words)


def strike_around(context: RuleContext, blow: Blow, effect: int, onward: Onward) -> Then:
    """Hit someone and everyone around them with the same Effect: a fan at nobody in particular.
    [CE-BLIND-04] [CE-SHOT-04]  RULING R18"""
    state = context.state
    people = find_spread(state, state[blow.by], state[blow.target])
    fan = Fan(by=blow.by, target=blow.target, weapon=blow.weapon, dice=blow.dice)
    return Then(deal_fan, fan, tuple((who, effect) for who in people), onward)


def deal_fan(context: RuleContext, fan: Fan, hits: Hits, onward: Onward = ()) -> Then | None:
    """Roll the damage once, 2D6 from Medium range on; each hit adds its own Effect. [CE-SHOT-02]
    RULING R20"""
    apart = find_option(context.state, "flechette_damage") == "apart"
    roll = context.roll(fan.dice, by=fan.by, rule="CE-SHOT-02", why=say("roll.damage", item=fan.weapon))
    now = hits[:1] if apart else hits
    made = tuple(make_hit(context.state, fan, roll, who=who, effect=effect) for who, effect in now)
    rest = (deal_fan, fan, hits[1:], onward) if apart and hits[1:] else onward
    return land_all(context, made, rest)


def make_hit(state: State, fan: Fan, roll: Roll, who: str, effect: int) -> Hit:
    """The hit on one of several, as exact as its consequences need for the odds.

    [CE-MINOR-07] Aiming for the kill adds to the damage of the target of the aim.
    """
    label = say("term.dice", dice=roll.dice)
    kill = fan.kill if who == fan.target else ()
    terms = (Modifier(label, roll.total, "CE-SHOT-02"), *kill)
    hit = Hit(
        target=who,
        by=fan.by,
        dice_total=add_up(terms),
        effect=effect,
        rule="CE-SHOT-02",
        why=fan.weapon,
        roll=roll,
        terms=terms,
    )
    return simplify(state, hit) if roll.source == "odds" else hit


ACTIONS = (
    act(
        "attack",
        attack,
        check_attack_now,
        fields=attack_fields,
        preview=preview,
        brief=name_attack,
        caught=find_victims_of_attack,
        caught_rolls=False,
        area=find_area_of_attack,
    ),
    act("coup_de_grace", finish, check_coup_now, fields=coup_fields),
    act("panic_fire", fire_in_panic, check_panic_now, fields=panic_fields, preview=preview_panic),
)
