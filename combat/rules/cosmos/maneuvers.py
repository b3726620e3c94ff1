"""Maneuvers: grapple and what follows from it, disarm, trip."""

from __future__ import annotations

from typing import Literal

from ..core import events as e
from ..core.commands import Command, Preview
from ..core.errors import Refused
from ..core.modifiers import Modifier, Modifiers, add_up
from ..core.space import away_from, distance, find_zone, on_ground, zones_crossed
from ..core.state import Combatant, State, find_condition, has_condition, replace
from ..core.table import Table, Then
from ..core.turns import gain, lift_kinds, spend
from .aim import Strike, check_strike, defense_against, find_weapon, modifiers_for_attack, size_terms
from .attack import after_shot, can_go_on, damage_bonus, finds_target, roll_attack
from .damage import armor_terms, count_damage, drop, hurt, is_droppable, release_holds
from .defense import defense_terms
from .hazards import meet_hazards
from .rolls import DICE, action_penalties, default_tn, did_succeed, roll_check, table_terms
from .scene import find_held, in_metres
from .sheet import ATTRIBUTES, attribute, find_half, skill
from .weapons import check_may_attack

GRAPPLE_REACH_M = 1
THROW_M = 2  # COS-MANV-06
DISARM = -2  # COS-MANV-07
FUMBLE_BY = 5  # COS-MANV-10


class Grab(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    target: str


class Trip(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`using` is the attacker's choice of attribute."""

    target: str
    using: Literal["MIG", "COO"] = "MIG"


class Hold(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the holder does with a held target after winning the contest."""

    target: str
    effect: Literal["damage", "pin", "throw"] = "damage"


def find_other(state: State, command: Grab | Trip, what: str) -> Combatant:
    """The living target of a maneuver within reach; Refused if it cannot be attacked so."""
    fighter, target = state[command.actor], state[command.target]
    check_may_attack(fighter)
    if fighter.id == target.id or has_condition(target, "dead"):
        raise Refused("bad_target", "Choose somebody else, alive.")
    metres = distance(fighter.at, target.at)
    if metres > GRAPPLE_REACH_M + 0.01:
        text = f"Out of reach: {what} reaches {GRAPPLE_REACH_M} m, {target.name} is {in_metres(metres)} away."
        raise Refused("out_of_range", text)
    return target


def grapple_terms(state: State, command: Grab) -> Modifiers:
    """[COS-MANV-01] Might and the whole Combat skill.  RULING R32."""
    fighter = state[command.actor]
    points = skill(fighter, "Combat")
    if state.options.get("grapple_combat") == "half":
        points = find_half(points, state)
    terms = [
        Modifier("Might", attribute(fighter, "MIG"), "COS-MANV-01"),
        Modifier("Combat", points, "COS-MANV-01"),
        *action_penalties(state, fighter, physical=True),
    ]
    return (*terms, *table_terms(command, "COS-MANV-01"))


def check_grapple(state: State, command: Grab) -> None:
    """Refuse to grapple whom one holds already, or on Total Defense."""
    target = find_other(state, command, "a grapple")
    held = find_condition(target, "grappled")
    if held and held.by == command.actor:
        raise Refused("bad_target", f"{target.name} is in your hold already.")


def grapple(table: Table, command: Grab) -> Then:
    """[COS-ACT-04] [COS-MANV-01] Seize a target within 1 m."""
    check_grapple(table.state, command)
    spend(table, command.actor, {"standard": 1}, "Grapple", "COS-ACT-04")
    return Then(_seize, command)


def _seize(table: Table, command: Grab) -> None:
    """[COS-MANV-02] Success holds the target."""
    terms = grapple_terms(table.state, command)
    against = defense_terms(table.state, table.state[command.target], melee=True)
    strike = Strike(actor=command.actor, target=command.target, weapon="")
    _, outcome = roll_attack(table, strike, terms, against, "grapple")
    if outcome == "miss":
        return
    lift_kinds(table, command.target, "grappled", "pinned", why="another hold")
    gain(table, command.target, "grappled", by=command.actor)


def preview_grapple(state: State, command: Grab) -> Preview:
    """The sums of a grapple."""
    check_grapple(state, command)
    against = defense_terms(state, state[command.target], melee=True)
    return Preview(grapple_terms(state, command), against, "Defense", DICE)


def might_terms(state: State, fighter: Combatant) -> Modifiers:
    """[COS-MANV-03] Might and the penalties of either side of a contest."""
    penalties = action_penalties(state, fighter, physical=True)
    return (Modifier("Might", attribute(fighter, "MIG"), "COS-MANV-03"), *penalties)


def contest(table: Table, active: str, passive: str, why: str, own: Modifiers = ()) -> bool:
    """[COS-MANV-03] Opposed Might: whether the active side wins; a tie changes nothing.

    `own` are further terms of the active side.
    """
    totals = {}
    for who in (active, passive):
        terms = might_terms(table.state, table.state[who]) + (own if who == active else ())
        roll = table.roll(DICE, by=who, rule="COS-MANV-03", why=f"opposed Might: {why}")
        totals[who] = (roll, terms, roll.total + add_up(terms))
    won = totals[active][2] > totals[passive][2]
    roll, terms, total = totals[active]
    against = (Modifier("Dice", totals[passive][0].total, "COS-MANV-03"), *totals[passive][1])
    table.tell(
        e.Checked(
            active,
            why,
            roll,
            terms,
            total,
            "success" if won else "failure",
            totals[passive][2],
            against,
            "Might of the other",
            passive,
            won,
        ),
        "COS-MANV-03",
    )
    return won


def preview_contest(state: State, active: str, passive: str, command: Command) -> Preview:
    """The sums of both sides; each rolls 2d10."""
    own = might_terms(state, state[active]) + table_terms(command, "COS-MANV-03")
    notes = ("both roll 2d10; a tie changes nothing",)
    return Preview(own, might_terms(state, state[passive]), "Might of the other", DICE, notes)


def find_hold(state: State, actor: str) -> str:
    """Who holds this fighter, or "" for a hold without a holder; Refused if there is none."""
    held = find_condition(state[actor], "grappled")
    if held is None:
        raise Refused("not_allowed", f"{state[actor].name} is not held by anybody.")
    return held.by


def preview_break_free(state: State, command: Command) -> Preview:
    """The sums of breaking free, from a holder or from what holds without one."""
    holder = find_hold(state, command.actor)
    if has_holder(state, holder):
        return preview_contest(state, command.actor, holder, command)
    terms = might_terms(state, state[command.actor]) + table_terms(command, "COS-MANV-03")
    target = (Modifier("Target number", default_tn(state), "COS-MANV-03"),)
    return Preview(terms, target, "TN", DICE)


def has_holder(state: State, holder: str) -> bool:
    """Whether somebody present holds on."""
    return bool(holder) and not state.combatants[holder].gone


def check_held(state: State, actor: str) -> None:
    """Breaking free needs a hold to break."""
    find_hold(state, actor)


def break_free(table: Table, command: Command) -> Then:
    """[COS-MANV-03] A Standard Action and opposed Might."""
    holder = find_hold(table.state, command.actor)
    spend(table, command.actor, {"standard": 1}, "Breaking free", "COS-ACT-04")
    return Then(_struggle, command, holder)


def _struggle(table: Table, command: Command, holder: str) -> None:
    """Against the holder, or against a number where nobody holds on any more.  RULING R52."""
    who, own = command.actor, table_terms(command, "COS-MANV-03")
    if has_holder(table.state, holder):
        free = contest(table, who, holder, "break free", own)
    else:
        terms = might_terms(table.state, table.state[who]) + own
        roll_check(table, who, terms, default_tn(table.state), "COS-MANV-03", "break free", "")
        free = did_succeed(table)
    if free:
        lift_kinds(table, who, "grappled", "pinned", why="breaks free", rule="COS-MANV-03")


def check_holding(state: State, actor: str) -> None:
    """Squeezing and letting go need somebody in the hold."""
    if not find_held(state, actor):
        raise Refused("not_allowed", f"{state[actor].name} holds nobody.")


def squeeze(table: Table, command: Hold) -> Then:
    """[COS-MANV-03] The holder's contest, then damage, a pin or a throw."""
    check_squeeze(table.state, command)
    spend(table, command.actor, {"standard": 1}, "Grappling on", "COS-ACT-04")
    return Then(_press, command)


def check_squeeze(state: State, command: Hold) -> None:
    """Refuse to squeeze whom one does not hold, or on Total Defense."""
    check_may_attack(state[command.actor])
    if command.target not in {held.id for held in find_held(state, command.actor)}:
        raise Refused("bad_target", "Choose somebody in your hold.")


def preview_squeeze(state: State, command: Hold) -> Preview:
    """The sums of the holder's contest."""
    check_squeeze(state, command)
    return preview_contest(state, command.actor, command.target, command)


def _press(table: Table, command: Hold) -> Then | None:
    own = table_terms(command, "COS-MANV-03")
    won = contest(table, command.actor, command.target, command.effect, own)
    return Then(_use_hold, command) if won else None


def _use_hold(table: Table, command: Hold) -> None:
    """[COS-MANV-05] A pin, [COS-MANV-06] a throw or [COS-MANV-04] damage, for who won."""
    if command.effect == "pin":
        if not has_condition(table.state[command.target], "pinned"):
            gain(table, command.target, "pinned", by=command.actor)
        return
    if command.effect == "throw":
        _throw(table, command)
    _unarmed_damage(table, command)


def _throw(table: Table, command: Hold) -> None:
    """[COS-MANV-06] 2 m away, prone, the hold ends."""
    state = table.state
    here, there = state[command.actor].at, state[command.target].at
    spot = on_ground(state.scene, away_from(there, here, THROW_M))
    lift_kinds(table, command.target, "grappled", "pinned", why="thrown", rule="COS-MANV-06")
    zone = find_zone(state.scene, spot)
    told = e.Moved(command.target, (there, spot), THROW_M, 0, "is thrown", zone.name if zone else "")
    table.tell(told, "COS-MANV-06")
    if not has_condition(table.state[command.target], "prone"):
        gain(table, command.target, "prone", rule="COS-MANV-06")
    meet_hazards(table, command.target, zones_crossed(state.scene, (there, spot)))


def _unarmed_damage(table: Table, command: Hold) -> None:
    """[COS-MANV-04] Unarmed damage, armor counts."""
    fighter = table.state[command.actor]
    fists = next(i for i in fighter.items if i.data.get("id") == "unarmed")
    strike = Strike(actor=command.actor, target=command.target, weapon=fists.id)
    dice = str(fists.data["damage"])
    roll = table.roll(dice, by=fighter.id, rule="COS-MANV-04", why="unarmed damage")
    bonus = damage_bonus(table.state, strike, fists)
    armor = armor_terms(table.state, table.state[command.target], "kinetic")
    lost = count_damage(table.state, roll.total + add_up(bonus), armor)
    terms = (Modifier(f"Damage {dice}", roll.total, "COS-MANV-04"), *bonus, *armor)
    hurt(
        table,
        command.target,
        lost,
        why=f"{command.effect} in the hold",
        rule="COS-MANV-04",
        terms=terms,
        roll=roll,
        by=fighter.id,
    )


def let_go(table: Table, command: Command) -> None:
    """[COS-COND-21] The holder lets go, freely."""
    release_holds(table, command.actor, "let go")


def disarm_terms(state: State, command: Strike) -> Modifiers:
    """[COS-MANV-07] The normal attack roll at -2.  RULING R33."""
    return (*modifiers_for_attack(state, command), Modifier("Disarm", DISARM, "COS-MANV-07"))


def check_disarm(state: State, command: Strike) -> None:
    """Refuse to disarm empty hands."""
    check_strike(state, command)
    if not _held_weapon(state[command.target]):
        raise Refused("bad_target", f"{state[command.target].name} holds no weapon to lose.")


def _held_weapon(fighter: Combatant) -> str:
    held = (i for i in fighter.items if i.kind == "weapon" and i.place == "held")
    return next((item.id for item in held if is_droppable(item)), "")


def disarm(table: Table, command: Strike) -> Then:
    """[COS-ACT-04] A Standard Action to knock a weapon away."""
    check_disarm(table.state, command)
    spend(table, command.actor, {"standard": 1}, "Disarm", "COS-ACT-04")
    return Then(_knock, command)


def _knock(table: Table, command: Strike) -> Then | None:
    """The roll of a disarm.  [COS-MANV-10] Failing by 5 or more costs the own weapon."""
    if not can_go_on(table.state, command) or not finds_target(table, command):
        return None
    terms, against = disarm_terms(table.state, command), defense_against(table.state, command)
    weapon = find_weapon(table.state, command)
    roll, outcome = roll_attack(table, command, terms, against, "disarm", FUMBLE_BY)
    after_shot(table, command, weapon, roll)
    if outcome != "miss":
        return Then(_lose_weapon, command, outcome == "critical")
    if add_up(against) - (roll.total + add_up(terms)) >= FUMBLE_BY:
        _drop_own(table, command)
    return None


def _drop_own(table: Table, command: Strike) -> None:
    """[COS-MANV-10] The attacker's weapon falls, if it is one that can and still is in hand."""
    for item in table.state[command.actor].items:
        if item.id == command.weapon and item.place == "held" and is_droppable(item):
            drop(table, command.actor, item, "COS-MANV-10")


def _lose_weapon(table: Table, command: Strike, caught: bool) -> None:
    """[COS-MANV-08] The weapon flies 1d6 m; [COS-MANV-09] a critical catches it. No damage."""
    attacker, target = table.state[command.actor], table.state[command.target]
    item = next(i for i in target.items if i.id == _held_weapon(target))
    if caught:
        table.tell(e.ItemLost(target.id, replace(item, place="taken"), "loses"), "COS-MANV-09")
        table.tell(e.ItemGained(attacker.id, item, "catches"), "COS-MANV-09")
        return
    metres = table.roll("1d6", by=attacker.id, rule="COS-MANV-08", why="metres the weapon flies")
    spot = on_ground(table.state.scene, away_from(target.at, attacker.at, metres.total))
    fallen = replace(item, place="ground", at=spot)
    table.tell(e.ItemLost(target.id, fallen, f"loses ({metres.total} m away)"), "COS-MANV-08")


def preview_disarm(state: State, command: Strike) -> Preview:
    """The sums of a disarm."""
    check_disarm(state, command)
    return Preview(disarm_terms(state, command), defense_against(state, command), "Defense", DICE)


def trip_terms(state: State, command: Trip) -> Modifiers:
    """[COS-MANV-11] Might or Coordination alone; [COS-MANV-14] 2 for each size step."""
    fighter, target = state[command.actor], state[command.target]
    key = command.using
    terms = [Modifier(ATTRIBUTES[key], attribute(fighter, key), "COS-MANV-11")]
    share = state.options.get("trip_combat", "none")
    if share != "none":
        points = skill(fighter, "Combat")
        points = points if share == "full" else find_half(points, state)
        terms.append(Modifier("Combat", points, "COS-MANV-11"))
    terms += size_terms(fighter, target)
    terms += action_penalties(state, fighter, physical=True)
    return (*terms, *table_terms(command, "COS-MANV-11"))


def check_trip(state: State, command: Trip) -> None:
    """Refuse to trip whoever lies already."""
    target = find_other(state, command, "a trip")
    if has_condition(target, "prone"):
        raise Refused("bad_target", f"{target.name} is prone already.")


def trip(table: Table, command: Trip) -> Then:
    """[COS-ACT-04] [COS-MANV-11] Bring a target within reach down."""
    check_trip(table.state, command)
    spend(table, command.actor, {"standard": 1}, "Trip", "COS-ACT-04")
    return Then(_topple, command)


def _topple(table: Table, command: Trip) -> None:
    """[COS-MANV-12] Success: prone."""
    terms = trip_terms(table.state, command)
    against = defense_terms(table.state, table.state[command.target], melee=True)
    strike = Strike(actor=command.actor, target=command.target, weapon="")
    _, outcome = roll_attack(table, strike, terms, against, "trip")
    if outcome != "miss":
        gain(table, command.target, "prone", rule="COS-MANV-12")


def preview_trip(state: State, command: Trip) -> Preview:
    """The sums of a trip."""
    check_trip(state, command)
    against = defense_terms(state, state[command.target], melee=True)
    return Preview(trip_terms(state, command), against, "Defense", DICE)
