"""An attack before the roll: its form, its checks and its sums."""

from __future__ import annotations

from typing import Literal

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Preview
from combat.rules.core.space import map_of
from combat.rules.core.space.paths import is_open
from combat.rules.core.state.state import Combatant, Item, State, has_condition

from ..book.options import find_option
from ..book.records import Weapon
from ..book.tables import HEAD, PLACES, TORSO
from ..dice.rolls import adjusted, preview_chance
from ..people.sheet import read_weapon
from ..people.values import find_ranks, rank_terms
from ..world.place import count_approach, count_range_ranks, describe_distance, find_reach_yards
from ..world.sight_lines import check_seen, find_grid, obstacle_terms
from ..world.strides import stride_yards, tell_hindrances
from ..world.things import check_grip, fallen_choices, find_thing
from ..world.touch import check_open

Place = Literal["", "head", "left_arm", "right_arm", "torso", "left_leg", "right_leg"]
THROWABLE, THROWN_SKILL, THROWN_YARDS = "can_throw", "thrown_weapons", 10
DISTANT = ("thrown", "missile")


class Attack(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[CG-ATK-01] An attack with one weapon or the bare hands on one target.

    `called` names a part of the body beforehand [CG-REF-04]; `thrown` throws a weapon that can also be held.
    `seen` means that the table says that nothing on the map is in the way. A melee attacker moves to the
    target automatically, as far as half a move allows.
    """

    target: str
    weapon: str
    called: Place = ""
    thrown: bool = False
    seen: bool = False


class Use(msgspec.Struct, frozen=True):
    """A weapon in its current use: kind, skill, and the Attribute that adds to its damage."""

    item: Item
    weapon: Weapon
    kind: str
    skill: str
    attribute: str

    @property
    def is_distant(self) -> bool:
        """Whether it is thrown or shot."""
        return self.kind in DISTANT


def find_use(state: State, command: Attack) -> Use:
    """[CG-ATK-01] The weapon with its skill; when thrown, with the skill for that.  RULING R2"""
    item = find_thing(state, command.actor, command.weapon)
    if item.kind != "weapon":
        raise Refused("bad_value", f"{item.name} is not a weapon: choose one in hand.")
    weapon = read_weapon(item)
    if not command.thrown or weapon.kind == "thrown":
        return Use(item, weapon, weapon.kind, weapon.skill, weapon.damage_attribute)
    if THROWABLE not in weapon.tags:
        raise Refused("bad_value", f"{item.name} cannot be thrown: use it hand to hand.")
    flying = msgspec.structs.replace(weapon, range_yards=weapon.range_yards or THROWN_YARDS)
    return Use(item, flying, "thrown", THROWN_SKILL, "coordination")


# ---------------------------------------------------------------- checks


def check_attack(state: State, command: Attack) -> Use:
    """The use of the weapon; Refused for a bad target, no weapon in hand, out of reach, or prone."""
    combatant, target = state[command.actor], state[command.target]
    if combatant.id == target.id:
        raise Refused("bad_target", "Choose someone else as the target.")
    if has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is dead: choose another target.")
    if combatant.conditions:
        check_standing(state, command.actor)
    if command.called and find_option(state, "called_shots") == "off":
        raise Refused("not_allowed", "House rule: no called shots. Attack without naming a part.")
    use = find_use(state, command)
    if use.item.place != "held":
        raise Refused("not_allowed", f"{use.item.name} is not in hand: draw it first.")
    check_grip(combatant, use.item)
    if not command.seen:
        check_seen(state, combatant, target)
    if use.kind not in DISTANT and not check_reach(state, use, combatant, target) and not command.seen:
        check_open(state, combatant, target)
    return use


def check_standing(state: State, actor: str) -> None:
    """[CG-PRONE-01] Refuse the prone: they must get up before any other combat action."""
    combatant = state[actor]
    if has_condition(combatant, "prone"):
        raise Refused("not_allowed", f"{combatant.name} is prone: get up first (Stand up).")


def check_reach(state: State, use: Use, combatant: Combatant, target: Combatant) -> float:
    """[CG-MOVE-03] The yards to go before a melee blow; Refused beyond half a move."""
    needed = find_approach(use, combatant, target)
    if needed and not is_open(map_of(state.scene), find_grid(state), combatant.at, target.at):
        raise Refused("out_of_range", f"Something is in the way to {target.name}: go round it first.")
    half = stride_yards(state, combatant, melee=True)
    if needed > half + 1e-6:
        away = describe_distance(state, combatant, target)
        text = f"{target.name} is {away} away, half a move is {half:g} yd{tell_hindrances(state, combatant)}"
        raise Refused("out_of_range", f"{text}: move closer, or shoot.")
    return needed


def find_approach(use: Use, combatant: Combatant, target: Combatant) -> float:
    """The yards to go before a melee blow; 0 within reach."""
    return 0.0 if use.is_distant else count_approach(combatant, target, find_reach_yards(use.weapon))


# ---------------------------------------------------------------- sums


def count_called_ranks(state: State, place: str) -> int:
    """[CG-REF-04] The cost of naming a part, in ranks.  RULING R34"""
    if not place:
        return 0
    key = {HEAD: "called_head", TORSO: "called_torso"}.get(place, "called_limb")
    return int(find_option(state, key))


def attack_terms(state: State, command: Attack, use: Use) -> Modifiers:
    """[CG-ATK-01] [CG-ATK-02] The ranks of an attack, term by term.  RULING R2 R35"""
    combatant, target = state[command.actor], state[command.target]
    terms = [*rank_terms(state, combatant, use.skill, "CG-ATK-01")]
    if command.called:
        label = say("term.called", part=f"place.{command.called}")
        terms.append(Modifier(label, count_called_ranks(state, command.called), "CG-REF-04"))
    steps = count_range_ranks(state, combatant, target, use.weapon) if use.kind in DISTANT else 0
    terms.append(Modifier("term.range", steps, "CG-REF-05"))
    terms += () if command.seen else obstacle_terms(state, combatant, target)
    return adjusted(command, tuple(terms), "CG-ATK-01")


def damage_ranks(state: State, combatant: Combatant, use: Use) -> int:
    """[CG-REF-05] The points that Body or Coordination add to damage.  RULING R19"""
    share = find_option(state, "attribute_damage")
    ranks = find_ranks(state, combatant, use.attribute, roll=False)
    return {"full_ranks": ranks, "half_ranks": ranks // 2}.get(str(share), 0)


def preview(state: State, command: Attack) -> Preview:
    """The sums of the form, before any roll."""
    use = check_attack(state, command)
    damage = say("note.damage", dice=say_damage(state, state[command.actor], use))
    needed = find_approach(use, state[command.actor], state[command.target])
    way = (say("note.approach", yards=needed),) if needed else ()
    return preview_chance(state, attack_terms(state, command, use), damage, *way)


# ---------------------------------------------------------------- forms


def weapon_choices(state: State, combatant: Combatant) -> tuple[Choice, ...]:
    """The combatant's weapons for a form; those not ready are refused with the reason."""
    found = [
        Choice(item.id, item.name, describe_weapon(state, combatant, item), _refusal(combatant, item))
        for item in combatant.items
        if item.kind == "weapon"
    ]
    return (*sorted(found, key=lambda choice: bool(choice.refused)), *fallen_choices(state, combatant.id))


def _refusal(combatant: Combatant, item: Item) -> str:
    if item.place != "held":
        return f"{item.name} is not in hand: draw it first."
    return why_refused(check_grip, combatant, item)


def describe_weapon(state: State, combatant: Combatant, item: Item) -> str:
    """A line about a weapon: damage and ranks."""
    weapon = read_weapon(item)
    use = Use(item, weapon, weapon.kind, weapon.skill, weapon.damage_attribute)
    ranks = find_ranks(state, combatant, weapon.skill)
    return f"{say_damage(state, combatant, use)}, {ranks} ranks"


def say_damage(state: State, combatant: Combatant, use: Use) -> str:
    """The dice of a weapon with its added points, if any."""
    points = damage_ranks(state, combatant, use)
    return f"{use.weapon.damage}{points:+}" if points else use.weapon.damage


def called_choices(state: State) -> tuple[Choice, ...]:
    """The parts of the body with the cost of naming them.  [CG-REF-04]"""
    named = tuple(
        Choice(place, place.replace("_", " "), f"{count_called_ranks(state, place)} ranks".replace("-", "−"))
        for place in PLACES
    )
    return (Choice("", "none: roll the location"), *named)
