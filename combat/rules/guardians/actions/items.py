"""The GM's rulings on items: dropped, destroyed, given. [CG-REF-11] The log shows each."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.naming import make_id
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.commands.forms import anybody, folded_field, form_about, number_field
from combat.rules.core.gm.decisions import Target, clean_name, overrule
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Item, State, find_item, present, replace

from ..body.states import drop
from ..book import tables
from ..book.records import Weapon
from ..characters.sheet import weapon_item
from ..world.acting import REASON, gm, name_keys
from ..world.reach import count_item_hands


class Thing(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What happens to someone's item."""

    item: str
    fate: Literal["dropped", "destroyed"]


def thing_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item, and what happens to it. [CG-SPEC-06]"""
    owned = [(f, i) for f in present(state) for i in f.items if i.data.get("hands", 1) or i.kind == "armor"]
    items = tuple(Choice(item.id, f"{f.name}: {item.name}") for f, item in owned)
    fates = name_keys(("dropped", "destroyed"))
    return (
        anybody(state),
        Field("item", "What", "choice", options=items, value=first_open(items)),
        Field("fate", "Is", "choice", options=fates, value="dropped", rule="CG-SPEC-06"),
        REASON,
    )


def set_thing(context: RuleContext, command: Thing) -> None:
    """Drop or break an item, as the GM says. [CG-LOC-11] [CG-SPEC-06]"""
    target = context.state[command.target]
    item = find_item(target, command.item)
    if not count_item_hands(item) and item.kind != "armor":
        raise Refused("bad_value", f"{item.name} is part of the body: choose something else.")
    overrule(context, f"gm.{command.fate}", command, target.id, item=item.name)
    if command.fate == "dropped":
        drop(context, target.id, item, rule="CG-SPEC-06")
    else:
        gone = replace(item, place="destroyed")
        context.emit(e.ItemLost(target.id, gone, "item_is.destroyed"), "CG-LOC-11")


# ---------------------------------------------------------------- weapons


class Arm(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon of the catalogue, with the table's own values. The `seed` makes its id."""

    weapon: str
    name: str = ""
    damage: str = ""
    skill: str = ""
    range_yards: int = 0
    seed: str = ""


WEAPONS = tuple(Choice(w.id, w.name, w.damage) for w in tables.weapons().values() if w.hands)
SKILLS = tuple(Choice(s.id, s.name) for s in tables.skills().values() if s.attack_kind)
arm_fields = form_about(
    Field("weapon", "Weapon", "choice", options=WEAPONS, value=first_open(WEAPONS), rule="CG-REF-05"),
    folded_field("name", "Name", "text"),
    folded_field("damage", "Damage dice", "text"),
    folded_field("skill", "Skill", "choice", options=(Choice("", "its own"), *SKILLS), value=""),
    number_field("range_yards", "Range step (yd)", 0, low=0, high=10_000, required=False, more=True),
    REASON,
)


def give_weapon(context: RuleContext, command: Arm) -> None:
    """Give a weapon of the catalogue, perhaps changed by the table; it is carried. [CG-REF-05]  RULING R35"""
    target = context.state[command.target]
    item = make_weapon(context.state, command)
    overrule(context, "gm.arms", command, target.id, item=item.name)
    context.emit(e.ItemGained(target.id, item, "how.gets"), "CG-REF-05")


def make_weapon(state: State, command: Arm) -> Item:
    """The weapon with the table's own values; Refused for impossible ones."""
    known = tables.weapons().get(command.weapon)
    if known is None:
        raise Refused("unknown", "Choose a weapon from the list to begin with.")
    weapon = _change(known, command)
    item = weapon_item(known.id)
    data = {**item.data, "name": weapon.name, "damage": weapon.damage, "skill": weapon.skill}
    data["range_yards"] = weapon.range_yards
    fresh = make_id(f"{command.target}-g", command.seed, state.made + 1, ())
    return replace(item, id=fresh, name=weapon.name, data=data)


def _change(known: Weapon, command: Arm) -> Weapon:
    if command.damage and (not parse_known(command.damage) or "+" in command.damage):
        raise Refused("bad_value", "Damage is dice such as 2d6; ranks are added automatically.")
    if not 0 <= command.range_yards <= 10_000:
        raise Refused("bad_value", "A range step is 0 to 10,000 yards.")
    return replace(
        known,
        name=clean_name(command.name) if command.name else known.name,
        damage=command.damage or known.damage,
        skill=command.skill or known.skill,
        range_yards=command.range_yards or known.range_yards,
    )


def parse_known(text: str) -> bool:
    """Whether a text names at least one die."""
    try:
        return parse_dice(text).count > 0
    except ValueError:
        return False


ACTIONS = (gm("thing", set_thing, fields=thing_fields), gm("arm", give_weapon, fields=arm_fields))
