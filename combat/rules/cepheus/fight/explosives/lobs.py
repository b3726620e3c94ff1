"""Explosives and smoke, thrown or fired at a place that may be empty."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.words import Label, joined, say
from combat.rules.core.commands.commands import Command, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.space import Point, check_zone, on_ground, read_points, towards
from combat.rules.core.space.rays.area_shapes import Shape
from combat.rules.core.state.state import Berth, Combatant, Item, State, replace

from ...dice.rolls import DICE
from ...people.machinery import find_shared_shell, find_shell
from ...world.bands import is_in_body, snap
from ...world.blast_areas import find_shapes
from ...world.order import offer_interrupt
from ...world.senses import WARM
from ..aim import Attack, Sight, find_sight, modifiers_for_attack
from ..checks import check_attack
from ..weapons import WEAPONS, find_weapon
from .blasts import Caught, Rings, find_caught, find_rings
from .launch import find_payload, is_explosive, let_fly, make_flight

SPOT = "spot"  # id of the stand-in for the place, while its sums are made
IN_FRONT = 2.0  # meters in front of someone


class Lob(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`to` is zone:ID, front:COMBATANT (just in front of them), between:COMBATANT:COMBATANT or "x,y" in
    meters."""

    weapon: str
    to: str
    rounds: int = 0
    rested: bool = False


# ---------------------------------------------------------------- places


def find_spot(state: State, who: str, to: str) -> Point:
    """The place a command names."""
    kind, _, name = to.partition(":")
    if kind == "zone":
        zone = check_zone(state.scene, name)
        return snap(state, zone.centre)
    if kind == "front":
        return on_ground(state.scene, towards(state[name].at, state[who].at, IN_FRONT))
    if kind == "between":
        one, _, other = name.partition(":")
        a, b = state[one].at, state[other].at
        return on_ground(state.scene, Point(round((a.x + b.x) / 2, 3), round((a.y + b.y) / 2, 3)))
    return snap(state, on_ground(state.scene, read_points(to)[0]))


def put_spot(state: State, who: str, to: str) -> State:
    """The state with a stand-in at the place, so that attacks aim at it as at a person: it has the cover of
    its zone, and the light and smoke there, but neither dodges nor moves.

    RULING R93. RULING R97: for those inside a closed vehicle a place within its body is inside it too.
    """
    at, shell = find_spot(state, who, to), find_shell(state, state[who])
    berth = Berth(shell.id) if shell and is_in_body(shell, at) else UNSET
    spot = Combatant(SPOT, "That place", "", {"kind": "person"}, at=at, marks={WARM: False}, berth=berth)
    return replace(state, combatants={**state.combatants, SPOT: spot})


def aim_at_spot(command: Lob) -> Attack:
    """The attack on the stand-in for the place."""
    return Attack(
        actor=command.actor,
        target=SPOT,
        weapon=command.weapon,
        rounds=command.rounds,
        rested=command.rested,
        adjust=command.adjust,
        because=command.because,
    )


# ---------------------------------------------------------------- throwing


def check_lob(state: State, command: Lob) -> Sight:
    """Refuse items without effect at a landing place, and places out of reach or sight. [CE-THROW-02]"""
    item = find_weapon(state, state[command.actor], command.weapon)
    if not can_lob(item):
        raise Refused("bad_value", f"{item.name} does not explode: attack someone with it.")
    return check_attack(put_spot(state, command.actor, command.to), aim_at_spot(command))


def can_lob(item: Item) -> bool:
    """Whether an item is a weapon that takes effect at its landing place."""
    if item.kind not in WEAPONS:
        return False
    return item.kind == "grenade" or item.data.get("fires") == "grenade" or bool(item.data.get("radius_m"))


def lob(context: RuleContext, command: Lob) -> Then | None:
    """Throw or fire as a significant action: it lands there, or elsewhere after a miss. [CE-THROW-02]

    Everyone near is caught. [CE-EXPL-01]  RULING R93
    """
    state = context.state
    sight = check_lob(state, command)
    if offer_interrupt(context, command.actor):
        return None
    flight = make_flight(state, aim_at_spot(command), sight, find_terms(state, command, sight))
    return let_fly(context, replace(flight, target=""), sight)


def find_terms(state: State, command: Lob, sight: Sight) -> Modifiers:
    """The DMs of a throw or a shot at a place."""
    spotted = put_spot(state, command.actor, command.to)
    return modifiers_for_attack(spotted, aim_at_spot(command), sight, alone=True)


# ---------------------------------------------------------------- before the roll


def preview_lob(state: State, command: Lob) -> Preview:
    """The sums, and the names of those caught if it lands there."""
    sight = check_lob(state, command)
    rings = make_flight(state, aim_at_spot(command), sight, ()).rings
    notes = (*describe_blast(state, sight, rings), say("note.range", band=f"band.{sight.band}"))
    return Preview(find_terms(state, command, sight), (), "against.eight", DICE, notes)


def describe_blast(state: State, sight: Sight, rings: Rings, at: Point | None = None) -> tuple[Label, ...]:
    """The effect in each of its rings, and the people in them as far as the viewer may know. [CE-EXPL-01]

    It lands at its target, or `at` a place on the way.
    """
    if not rings:
        rings = (((find_payload(sight) or sight.arm).radius_m, ""),)  # smoke fills one
    caught = _find_caught(state, sight, rings, at)
    return describe_caught(state, sight.combatant, rings, caught)


def describe_caught(
    state: State, own: Combatant, rings: Rings, all_caught: Iterable[Caught]
) -> tuple[Label, ...]:
    """The rings of an explosion with the people in them, as far as the viewer may know. [CE-EXPL-01]"""
    known = [(c, state[c.who]) for c in all_caught]
    caught = [c for c, f in known if f.side == own.side or not is_concealed_from(state, own, f)]
    notes = []
    for n, (to_m, dice) in enumerate(rings):
        people = [_name(state[c.who], own) for c in caught if c.ring == n]
        key = "note.ring" if dice else "note.cloud"
        inside = {"people": joined(people)} if people else {}
        notes.append(say(f"{key}_on" if people else key, dice=dice, metres=to_m, **inside))
    return tuple(notes) if caught else (*notes, "note.nobody_inside")


def _name(other: Combatant, own: Combatant) -> Label:
    return say("note.ally" if other.side == own.side else "note.enemy", target=other.id)


def find_victims(state: State, command: Lob) -> tuple[str, ...]:
    """Those caught if it lands on target; smoke catches no one. [CE-EXPL-01]"""
    return name_caught(state, check_lob(state, command))


def find_victims_of_attack(state: State, command: Attack) -> tuple[str, ...]:
    """Those caught by an explosive aimed at someone; no one for other attacks. [CE-EXPL-01]"""
    if not can_lob(find_weapon(state, state[command.actor], command.weapon)):
        return ()
    sight = find_sight(state, command)
    return name_caught(state, sight) if is_explosive(sight) else ()


def find_area(state: State, command: Lob) -> tuple[Shape, ...]:
    """The rings around the place."""
    return find_rings_around(state, check_lob(state, command))


def find_area_of_attack(state: State, command: Attack) -> tuple[Shape, ...]:
    """The rings around the target of an explosive; none for other attacks."""
    sight = find_sight(state, command)
    return find_rings_around(state, sight) if is_explosive(sight) else ()


def find_rings_around(state: State, sight: Sight, at: Point | None = None) -> tuple[Shape, ...]:
    """The rings of damage, or the ring that smoke fills, around the target or `at` a place on the way.
    [CE-EXPL-01]"""
    payload = find_payload(sight)
    edges = tuple(to_m for to_m, _ in find_rings(payload or sight.arm))
    smoke = (float((payload or sight.arm).radius_m),)
    return find_shapes(state, at or sight.target.at, edges or smoke)


def name_caught(state: State, sight: Sight, at: Point | None = None) -> tuple[str, ...]:
    """The ids of those in the rings of an explosion at its target, or `at` a place on the way."""
    rings = find_rings(find_payload(sight) or sight.arm)
    return tuple(caught.who for caught in _find_caught(state, sight, rings, at))


def _find_caught(state: State, sight: Sight, rings: Rings, at: Point | None = None) -> tuple[Caught, ...]:
    """Those in the rings, or in the closed vehicle that thrower and target share.  RULING R97"""
    inside = find_shared_shell(state, sight.combatant, sight.target)
    return find_caught(state, at or sight.target.at, rings, inside)
