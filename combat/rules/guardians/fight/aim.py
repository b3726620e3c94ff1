"""What an attack is before anything is rolled: its form, its checks and its sums."""

from __future__ import annotations

from typing import Literal

import msgspec

from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.requests import Choice
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Preview
from combat.rules.core.space import map_of
from combat.rules.core.space.ways import is_open
from combat.rules.core.state.state import Combatant, Item, State, has_condition

from ..book.options import find_option
from ..book.records import Weapon
from ..book.tables import HEAD, PLACES, TORSO
from ..dice.rolls import adjusted, preview_chance
from ..people.sheet import read_weapon
from ..people.values import find_ranks, rank_terms
from ..world.lines import check_seen, find_grid, obstacle_terms
from ..world.place import count_approach, count_range_ranks, describe_distance, find_reach_yards
from ..world.strides import find_stride, tell_hindrances
from ..world.things import check_grip, fallen_choices, find_thing
from ..world.touch import check_open

Place = Literal["", "head", "left_arm", "right_arm", "torso", "left_leg", "right_leg"]
THROWABLE, THROWN_SKILL, THROWN_YARDS = "can_throw", "thrown_weapons", 10
DISTANT = ("thrown", "missile")


class Attack(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[CG-ATK-01] One weapon or the bare hands, one target.

    `called` names a part of the body beforehand [CG-REF-04]; `thrown` throws what can also be held. With
    `seen` the table says that nothing on the map is in the way.
    Whoever strikes hand to hand goes to the target by itself, as far as half a move allows.
    """

    target: str
    weapon: str
    called: Place = ""
    thrown: bool = False
    seen: bool = False


class Use(msgspec.Struct, frozen=True):
    """A weapon as it is used now: kind, skill, and the Attribute that adds to its damage."""

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
    """[CG-ATK-01] The weapon and the skill that fits it; thrown, it takes the skill for that.  RULING R2"""
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
    """Refuse what no attack may be: no other target, no weapon in hand, out of reach, lying down."""
    fighter, target = state[command.actor], state[command.target]
    if fighter.id == target.id:
        raise Refused("bad_target", "Choose someone else as the target.")
    if has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is dead: choose another target.")
    check_standing(state, command.actor)
    if command.called and find_option(state, "called_shots") == "off":
        raise Refused("not_allowed", "House rule: no called shots. Attack without naming a part.")
    use = find_use(state, command)
    if use.item.place != "held":
        raise Refused("not_allowed", f"{use.item.name} is not in hand: draw it first.")
    check_grip(fighter, use.item)
    if not command.seen:
        check_seen(state, fighter, target)
    check_reach(state, use, fighter, target)
    if not command.seen and not use.is_distant and not find_approach(use, fighter, target):
        check_open(state, fighter, target)
    return use


def check_standing(state: State, actor: str) -> None:
    """[CG-PRONE-01] Getting up comes before any other combat action."""
    fighter = state[actor]
    if has_condition(fighter, "prone"):
        raise Refused("not_allowed", f"{fighter.name} is prone: get up first (Stand up).")


def check_reach(state: State, use: Use, fighter: Combatant, target: Combatant) -> None:
    """[CG-MOVE-03] Hand to hand reaches what half a move leads to; [CG-MOVE-04] the rest stays put."""
    if use.is_distant:
        return
    needed = find_approach(use, fighter, target)
    if needed and not is_open(map_of(state.scene), find_grid(state), fighter.at, target.at):
        raise Refused("out_of_range", f"Something is in the way to {target.name}: go round it first.")
    half = find_stride(state, fighter, melee=True)
    if needed > half + 1e-6:
        away = describe_distance(state, fighter, target)
        text = f"{target.name} is {away} away, half a move is {half:g} yd{tell_hindrances(state, fighter)}"
        raise Refused("out_of_range", f"{text}: move closer, or shoot.")


def find_approach(use: Use, fighter: Combatant, target: Combatant) -> float:
    """The yards to go before a blow hand to hand; 0 within reach."""
    return 0.0 if use.is_distant else count_approach(fighter, target, find_reach_yards(use.weapon))


# ---------------------------------------------------------------- sums


def count_called_ranks(state: State, place: str) -> int:
    """[CG-REF-04] What naming a part costs, in ranks.  RULING R34"""
    if not place:
        return 0
    key = {HEAD: "called_head", TORSO: "called_torso"}.get(place, "called_limb")
    return int(find_option(state, key))


def attack_terms(state: State, command: Attack, use: Use) -> Modifiers:
    """[CG-ATK-01] [CG-ATK-02] The ranks of an attack, term by term.  RULING R2 R35"""
    fighter, target = state[command.actor], state[command.target]
    terms = [*rank_terms(state, fighter, use.skill, "CG-ATK-01")]
    if command.called:
        label = say("term.called", part=f"place.{command.called}")
        terms.append(Modifier(label, count_called_ranks(state, command.called), "CG-REF-04"))
    steps = count_range_ranks(state, fighter, target, use.weapon) if use.is_distant else 0
    terms.append(Modifier("term.range", steps, "CG-REF-05"))
    terms += () if command.seen else obstacle_terms(state, fighter, target)
    return adjusted(command, tuple(terms), "CG-ATK-01")


def find_damage_ranks(state: State, fighter: Combatant, use: Use) -> int:
    """[CG-REF-05] What Body or Coordination add to a damage roll, in points.  RULING R19"""
    share = find_option(state, "attribute_damage")
    ranks = find_ranks(state, fighter, use.attribute, roll=False)
    return {"full_ranks": ranks, "half_ranks": ranks // 2}.get(str(share), 0)


def preview(state: State, command: Attack) -> Preview:
    """The sums of the form, before anything is rolled."""
    use = check_attack(state, command)
    damage = say("note.damage", dice=_say_damage(state, state[command.actor], use))
    needed = find_approach(use, state[command.actor], state[command.target])
    way = (say("note.approach", yards=needed),) if needed else ()
    return preview_chance(state, attack_terms(state, command, use), damage, *way)


# ---------------------------------------------------------------- for forms


def weapon_choices(state: State, fighter: Combatant) -> tuple[Choice, ...]:
    """The fighter's weapons for a form, those not ready refused with the reason."""
    found = [
        Choice(item.id, item.name, describe_weapon(state, fighter, item), _refusal(fighter, item))
        for item in fighter.items
        if item.kind == "weapon"
    ]
    return (*sorted(found, key=lambda choice: bool(choice.refused)), *fallen_choices(state, fighter.id))


def _refusal(fighter: Combatant, item: Item) -> str:
    if item.place != "held":
        return f"{item.name} is not in hand: draw it first."
    return why_refused(check_grip, fighter, item)


def describe_weapon(state: State, fighter: Combatant, item: Item) -> str:
    """A line about a weapon: damage and ranks."""
    weapon = read_weapon(item)
    use = Use(item, weapon, weapon.kind, weapon.skill, weapon.damage_attribute)
    ranks = find_ranks(state, fighter, weapon.skill)
    return f"{_say_damage(state, fighter, use)}, {ranks} ranks"


def _say_damage(state: State, fighter: Combatant, use: Use) -> str:
    """The dice of a weapon with the points that are added, if any are."""
    points = find_damage_ranks(state, fighter, use)
    return f"{use.weapon.damage}{points:+}" if points else use.weapon.damage


def called_choices(state: State) -> tuple[Choice, ...]:
    """The parts of the body with what naming them costs.  [CG-REF-04]"""
    named = tuple(
        Choice(place, place.replace("_", " "), f"{count_called_ranks(state, place)} ranks".replace("-", "−"))
        for place in PLACES
    )
    return (Choice("", "none: roll the location"), *named)
