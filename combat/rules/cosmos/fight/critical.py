"""Critical hits: confirming them, choosing or rolling the effect, and what each does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.checked import make_checked
from combat.rules.core.state.state import Combatant, Item, State, has_condition, replace
from combat.rules.core.turn.hands import drop
from combat.rules.core.turn.turns import add_condition

from ..body.damage import afflict, armor_points, die, is_droppable, is_immune, worn_armor
from ..book.tables import CRITICAL_EFFECTS
from ..book.traits import has_tag
from ..characters.sheet import ability
from ..dice import DICE, find_cuts, succeeds
from .weapons import equipment_bonus

if TYPE_CHECKING:
    from .aim import Strike

NONE, MAXIMUM, BYPASS, CONDITION, EQUIPMENT, INJURY = (
    "",
    "maximum",
    "bypass_armor",
    "condition",
    "equipment",
    "injury",
)
INJURIES = (
    Choice("arm", "Injured arm", "−2 to physical actions until surgery"),
    Choice("leg", "Injured leg", "−2 to physical actions until surgery"),
    Choice("head", "Head wound", "−2 to physical actions until surgery"),
    Choice("dead", "Death", "the GM's decision"),
)
INJURY_LABELS = {
    "arm": "condition.injured_arm",
    "leg": "condition.injured_leg",
    "head": "condition.head_wound",
}


def confirm(context: RuleContext, command: Strike, terms: Modifiers, defense: int) -> bool:
    """Repeat the attack roll [COS-CRIT-09]; a success confirms. [COS-CRIT-10]

    Only under the table option. [COS-CRIT-08]  RULING R35.
    """
    cuts = find_cuts(terms, defense)
    roll = context.roll(
        DICE, by=command.actor, rule="COS-CRIT-09", why="roll.confirm_the_critical", cuts=cuts
    )
    good = succeeds(roll, roll.total + add_up(terms), defense)
    told = make_checked(
        command.actor,
        "check.confirm",
        roll,
        terms,
        words=("outcome.confirmed", "outcome.not_confirmed"),
        against=defense,
        against_label="against.defense",
        target=command.target,
        good=good,
    )
    context.emit(told, "COS-CRIT-10" if good else "COS-CRIT-11")
    return good


def find_effect(context: RuleContext, attacker: str, weapon: Item) -> str:
    """The effect that the attacker chooses or 1d10 gives, by table option. [COS-CRIT-02]"""
    if context.option("critical_effect") == "roll":
        roll = context.roll("1d10", by=attacker, rule="COS-CRIT-02", why="roll.critical_effect", look="faces")
        return next(row.key for row in CRITICAL_EFFECTS if roll.total in row.faces)
    options = tuple(Choice(row.key, row.label.capitalize()) for row in CRITICAL_EFFECTS)
    question = f"Critical hit with {weapon.name}: which effect?"
    return context.ask(attacker, question, options, rule="COS-CRIT-02", default=MAXIMUM)


def brittle_terms(target: Combatant, effect: str) -> Modifiers:
    """The extra damage of a critical hit to a target of a brittle species."""
    points = ability(target, "extra_damage_from_criticals") if effect != NONE else 0
    return (Modifier(say("term.brittle", target=target.id), points),) if points else ()


def apply(context: RuleContext, attacker: str, target: str, effect: str, weapon: Item) -> None:
    """Apply an effect on top of the damage already dealt."""
    if effect in (NONE, MAXIMUM, BYPASS) or has_condition(context.state[target], "dead"):
        return
    if effect == CONDITION:
        _condition(context, attacker, target, weapon)
    elif effect == EQUIPMENT:
        _equipment(context, attacker, target)
    else:
        _injury(context, target)


def fumble(context: RuleContext, who: str, weapon: str) -> None:
    """After two ones on an attack, the GM picks a fumble, if the table uses fumbles.  RULING R7."""
    combatant = context.state[who]
    held = next((i for i in combatant.items if i.id == weapon and i.place == "held"), None)
    options = tuple(_fumbles(combatant, held))
    question = f"{combatant.name} fumbles: what happens?"
    chosen = context.ask(GM, question, options, rule="COS-ATK-02", default="nothing")
    if chosen == "drop" and held:
        drop(context, who, held, "COS-ATK-02")
    elif chosen == "jam" and held:
        jammed = replace(held, marks={**held.marks, "jammed": True})
        context.emit(e.ItemChanged(who, jammed, "item_is.jams"), "COS-ATK-02")
    elif chosen == "prone":
        add_condition(context, who, "prone", rule="COS-ATK-02")
    elif chosen == "open":
        add_condition(context, who, "off_guard")


def _fumbles(combatant: Combatant, held: Item | None) -> Iterator[Choice]:
    """The possible fumbles with this weapon: teeth cannot fall, and reliable weapons never jam."""
    if held and is_droppable(held):
        yield Choice("drop", "Drops the weapon")
    if held and held.data["mode"] == "ranged" and not has_tag(held.data, "reliable"):
        yield Choice("jam", "The weapon jams", "a Move Action clears it")
    if not has_condition(combatant, "prone"):
        yield Choice("prone", "Falls prone")
    yield Choice("open", "Off guard", "+2 for the next attack against them")
    yield Choice("nothing", "Nothing more")


def _condition(context: RuleContext, attacker: str, target: str, weapon: Item) -> None:
    """Bleeding from kinetic and explosive hits, Stunned from energy and stun. [COS-CRIT-05]"""
    combatant = context.state[target]
    kinds = {"bleeding": "Bleeding 1", "stunned": "Stunned"}
    options = tuple(
        Choice(kind, label, refused=f"{combatant.name} is immune." if is_immune(combatant, kind) else "")
        for kind, label in kinds.items()
    )
    usual = "bleeding" if weapon.data["type"] in ("kinetic", "explosive") else "stunned"
    able = [option.value for option in options if not option.refused]
    if not able:
        context.emit(e.Said("log.immune", target), "COS-CRIT-05")
        return
    default = usual if usual in able else able[0]
    chosen = context.ask(attacker, "Which condition?", options, rule="COS-CRIT-05", default=default)
    afflict(context, target, chosen)


def _equipment(context: RuleContext, attacker: str, target: str) -> None:
    """One item loses a point until it is repaired. [COS-CRIT-06]"""
    things = find_breakable(context.state, context.state[target])
    if not things:
        context.emit(e.Said("log.nothing_breaks", target), "COS-CRIT-06")
        return
    options = tuple(Choice(item.id, item.name) for item in things)
    chosen = context.ask(
        attacker, "Which piece is damaged?", options, rule="COS-CRIT-06", default=options[0].value
    )
    item = next(item for item in things if item.id == chosen)
    broken = replace(item, marks={**item.marks, "damaged": int(item.marks.get("damaged", 0)) + 1})
    context.emit(e.ItemChanged(target, broken, "item_is.damaged"), "COS-CRIT-06")


def find_breakable(state: State, combatant: Combatant) -> list[Item]:
    """Worn armor with protection left, and weapons with a bonus left that are not reliable."""
    worn = worn_armor(combatant)
    armor = [worn] if worn and armor_points(state, worn) else []
    weapons = [item for item in combatant.items if item.kind == "weapon" and equipment_bonus(item)]
    return [*armor, *(item for item in weapons if not has_tag(item.data, "reliable"))]


def _injury(context: RuleContext, target: str) -> None:
    """The GM picks the injury, which may be death. [COS-CRIT-07] [COS-DEATH-12]"""
    name = context.state[target].name
    chosen = context.ask(GM, f"Severe injury of {name}: which?", INJURIES, rule="COS-CRIT-07", default="arm")
    if chosen == "dead":
        die(context, target, "why.a_critical_hit", "COS-DEATH-12")
        return
    add_condition(context, target, "injury", label=INJURY_LABELS[chosen])
