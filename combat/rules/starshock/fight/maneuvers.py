"""Maneuvers: what a hit buys with its margin over the target's value."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Any

from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.errors import allows
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import system_of
from combat.rules.core.gm.spots import free_spot
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.map.moving import Course
from combat.rules.core.space import (
    LIFT,
    Point,
    Zone,
    away_from,
    find_height,
    map_of,
    on_ground,
    zone_named,
)
from combat.rules.core.space.paths import stop_short
from combat.rules.core.space.plane import find_lines_of_fire
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, has_condition, is_acting, present, replace

from ..body.damage import fall_prone, is_droppable
from ..body.doses import afflict, face_check, take_dose
from ..book import tables
from ..book.options import find_option
from ..book.tables import POINTS_PER_MANEUVER, ZONE_METERS, CheckOr, Effect, Maneuver
from ..characters.conditions import KINDS
from ..characters.sheet import is_conscious, is_immune, read_payload, read_weapon
from ..world.economy import caps_attacks
from ..world.paths import find_cells, find_clear, find_path
from ..world.place import (
    are_enemies,
    count_cells,
    has_hexes,
    is_map,
    is_near,
    zone_id,
)
from ..world.sight_lines import find_grid, is_within
from .aim import Swing, check_attack, find_weapon

PASS = "pass"  # noqa: S105 - the answer for taking no more maneuvers
NOBODY = "none"


def count_maneuvers(state: State, excess: int) -> int:
    """One for each two whole points of excess. [SS-MANV-01] [SS-MANV-02]  RULING R8 R9"""
    if find_option(state, "maneuver_rounding") == "up":
        return -(-max(0, excess) // POINTS_PER_MANEUVER)
    return max(0, excess) // POINTS_PER_MANEUVER


def find_maneuvers(state: State, swing: Swing) -> tuple[Maneuver, ...]:
    """The maneuvers of the weapon, and the general ones if the table has them.  RULING R12"""
    known = tables.maneuvers()
    own = [known[name] for name in read_weapon(find_weapon(state, swing.command)).maneuvers]
    if find_option(state, "generic_maneuvers") == "off":
        return tuple(own)
    return (*own, *(row for row in known.values() if row.general))


def find_choices(state: State, swing: Swing, known: tuple[Maneuver, ...], points: int) -> tuple[Choice, ...]:
    """The maneuvers that the points left can buy, each once. [SS-MANV-03] [SS-MANV-04] [SS-MANV-05]"""
    found = []
    for place, maneuver in enumerate(known):
        if place in swing.taken or maneuver.cost > points:
            continue
        detail = f"{maneuver.cost} maneuvers" if maneuver.cost > 1 else ""
        found.append(Choice(str(place), maneuver.name, detail, _find_refusal(state, swing, maneuver)))
    return tuple(found)


def _find_refusal(state: State, swing: Swing, maneuver: Maneuver) -> str:
    return next((text for f in maneuver.effects if (text := _find_effect_refusal(state, swing, f))), "")


def _find_effect_refusal(state: State, swing: Swing, effect: Effect) -> str:
    combatant, target = state[swing.command.actor], state[swing.command.target]
    if effect.type == "inject" and not swing.payload:
        return "No payload loaded."
    if effect.type == "reload" and not read_weapon(find_weapon(state, swing.command)).magazine:
        return "Needs no ammunition."
    if effect.type == "extra_attack" and effect.free:
        return "" if effect.penalty or not swing.bonus else "Not from a bonus attack."
    if effect.type == "extra_attack":
        if not is_acting(state, combatant.id) or swing.free:
            return "Only on the attacker's own turn."
        return "" if combatant.budget.get("actions", 0) else "No declared action left."
    if effect.type == "destroy_item" and not find_destructible(target):
        return "Nothing to destroy."
    if effect.type == "splash" and not find_bystanders(state, swing):
        return "No one else in the zone."
    if is_immune(target, effect.condition or effect.type):
        return f"{target.name} is immune."
    row = KINDS.get(effect.condition) if effect.type == "condition" else None
    if row and row.loses and not row.until and has_condition(target, row.kind):
        return f"{target.name} is already {row.label.lower()}."
    return ""


def choose(context: RuleContext, swing: Swing, points: int) -> Swing:
    """Spend the earned maneuvers, one after another; unspent ones are lost. [SS-MANV-03]"""
    known = find_maneuvers(context.state, swing) if points > 0 else ()
    while points > 0:
        options = find_choices(context.state, swing, known, points)
        legal = [option for option in options if not option.refused]
        if not legal:
            break
        question = f"Which maneuver? ({points} left)"
        answers = (*options, Choice(PASS, "No more maneuvers"))
        default = find_best(known, legal)
        rule = "SS-MANV-03"
        chosen = context.ask(swing.command.actor, question, answers, rule=rule, default=default)
        if chosen == PASS:
            break
        swing = replace(swing, taken=(*swing.taken, int(chosen)))
        points -= known[int(chosen)].cost
    return swing


def find_best(known: tuple[Maneuver, ...], legal: list[Choice]) -> str:
    """The maneuver that tactics take: the most expensive legal one."""
    return max(legal, key=lambda option: known[int(option.value)].cost).value


def effects_of(state: State, swing: Swing, *types: str) -> list[Effect]:
    """The effects of these types among the chosen maneuvers."""
    if not swing.taken:
        return []
    known = find_maneuvers(state, swing)
    return [f for place in swing.taken for f in known[place].effects if f.type in types]


# ---------------------------------------------------------------- effects before the damage


def execute(context: RuleContext, swing: Swing, place: int) -> None:
    """Carry out the part of a chosen maneuver that comes before the damage. [SS-ATK-12]  RULING R11"""
    maneuver = find_maneuvers(context.state, swing)[swing.taken[place]]
    who, target = swing.command.actor, swing.command.target
    context.emit(e.Said("log.maneuver", who, target, {"name": maneuver.name}), "SS-MANV-03")
    for effect in maneuver.effects:
        run = _BEFORE.get(effect.type)
        if run:
            run(context, swing, effect)


def _condition(context: RuleContext, swing: Swing, effect: Effect) -> None:
    target = swing.command.target
    if effect.stand_difficulty:
        fall_prone(context, target, "SS-MANV-03", stand=effect.stand_difficulty)
        return
    afflict(context, target, effect.condition, rule=effect.rule, by=swing.command.actor)


def _check_or(context: RuleContext, swing: Swing, effect: Effect) -> None:
    assert effect.attribute
    check = CheckOr(attribute=effect.attribute, difficulty=effect.difficulty, fail=effect.condition)
    face_check(context, swing.command.target, check, rule="SS-MANV-03", why="roll.weapon")


def _inject(context: RuleContext, swing: Swing, effect: Effect) -> None:
    """Apply the payload's effects other than damage; its damage is part of the attack's."""
    dose = read_payload(swing.payload)
    take_dose(
        context, swing.command.target, replace(dose, damage="0"), by=swing.command.actor, rule="SS-MANV-03"
    )


def _reload(context: RuleContext, swing: Swing, effect: Effect) -> None:
    item = find_weapon(context.state, swing.command)
    if item.place == "held":
        full = replace(item, loaded=item.data["magazine"])
        context.emit(e.ItemChanged(swing.command.actor, full, "how.reloads"), "SS-MANV-03")


def _allow_attack(context: RuleContext, swing: Swing, effect: Effect) -> None:
    """Allow one more attack this turn; a declared action still pays for it. [SS-TURN-02]  RULING R46"""
    if effect.free:
        return
    who = swing.command.actor
    if caps_attacks(context.state):
        budget = context.state[who].budget
        context.emit(e.BudgetSet(who, {**budget, "attacks": budget.get("attacks", 0) + 1}), "SS-TURN-02")
        return
    more = int(context.state[who].marks.get("more_attacks", 0))
    context.emit(e.Marked(who, "more_attacks", more + 1), "SS-TURN-02", e.GM_ONLY)


def _destroy_item(context: RuleContext, swing: Swing, effect: Effect) -> None:
    """Destroy an item that is held or worn. [SS-MANV-05]"""
    target = context.state[swing.command.target]
    options = tuple(Choice(item.id, item.name, item.place) for item in find_destructible(target))
    question = f"Which item of {target.name}?"
    first = options[0].value
    chosen = context.ask(swing.command.actor, question, options, rule="SS-MANV-05", default=first)
    item = next(item for item in target.items if item.id == chosen)
    context.emit(e.ItemLost(target.id, replace(item, place="destroyed"), "item_is.destroyed"), "SS-MANV-05")


def find_destructible(combatant: Combatant) -> list[Item]:
    """The items held or worn that are not part of the body."""
    return [i for i in combatant.items if i.place in ("held", "worn") and is_droppable(i)]


def _destroy_limb(context: RuleContext, swing: Swing, effect: Effect) -> None:
    """RULING R46: The GM describes the effect; it has no figures."""
    afflict(context, swing.command.target, "maimed", rule="SS-MANV-05", by=swing.command.actor)


def _swap(context: RuleContext, swing: Swing, effect: Effect) -> None:
    one, other = context.state[swing.command.actor], context.state[swing.command.target]
    for who, there in ((one, other.at), (other, one.at)):
        _move(context, who, there, "swap", "how.trades_places")


# ---------------------------------------------------------------- pushing


def _push(context: RuleContext, swing: Swing, effect: Effect) -> None:
    """Push the target into a linked zone of the attacker's choice, or some meters on a map; prone if blocked,
    as by a wall of the map right behind them.  RULING R46: Who is pushed over an edge falls."""
    target = context.state[swing.command.target]
    if is_immune(target, "push"):
        return
    goal = _find_push(context, swing, target, effect.metres or ZONE_METERS)
    if goal is None:
        fall_prone(context, target.id, "SS-MANV-03")
        return
    _move(context, target, goal, "push", "how.pushed")


def _find_push(context: RuleContext, swing: Swing, target: Combatant, meters: int) -> Point | None:
    combatant = context.state[swing.command.actor]
    if is_map(context.state):
        goal = find_cell_behind(context.state, combatant, target, meters)
        if goal.shift == target.at.shift and not count_cells(context.state, target.at, goal):
            return None
        built = map_of(context.state.scene)
        if built.walls or built.obstacles or built.decks:  # the map knows what is there
            return goal
        behind = (Choice("free", f"Open ground: {meters} m away"), Choice("wall", "A wall: prone"))
        question = f"What is behind {target.name}?"
        if context.ask(GM, question, behind, rule="SS-MANV-03", default="free") == "wall":
            return None
        return goal
    zones = find_zones_behind(context.state, combatant, target)
    if not zones:
        return None
    options = tuple(Choice(zone.id, zone.name) for zone in zones)
    chosen = options[0].value
    if len(options) > 1:
        question = f"Where is {target.name} pushed?"
        chosen = context.ask(combatant.id, question, options, rule="SS-MANV-03", default=chosen)
    return free_spot(context, chosen, target)


def find_cell_behind(state: State, combatant: Combatant, target: Combatant, meters: int) -> Point:
    """The cell `meters` straight away from someone, counted as the map counts.  [SS-MAP-04]

    Ground over 1 m higher is as a wall; an open hole in a deck ends it below.  RULING R46  RULING R50
    """
    if map_of(state.scene).ways:
        end = away_from(target.at, combatant.at, meters)
        landed = on_ground(state.scene, stop_short(map_of(state.scene), find_grid(state), target.at, end))
        if landed.shift != target.at.shift:
            return landed
    cells = find_clear(state, target, find_cells(state, find_path(state, target, f"away:{combatant.id}")))
    grounds = (on_ground(state.scene, cell) for cell in cells)
    near = [cell for cell in grounds if count_cells(state, target.at, cell) <= meters]
    flat = list(takewhile(lambda cell: cell.z - target.at.z <= LIFT, near))
    return flat[-1] if flat else target.at


def find_zones_behind(state: State, combatant: Combatant, target: Combatant) -> list[Zone]:
    """The zones linked to the target's, except the attacker's.

    RULING R50: Over decks those that no floor bars, and none more than 1 m higher.
    """
    links = find_lines_of_fire(state.scene).get(zone_id(state, target), {})
    own, decks = zone_id(state, combatant), map_of(state.scene).decks
    zones = [zone_named(state.scene, name) for name in links if name != own]
    most = target.at.z + LIFT
    return [zone for zone in zones if zone and not (decks and find_height(state.scene, zone) > most)]


def _move(context: RuleContext, who: Combatant, goal: Point, way: str, how: str) -> None:
    course = Course(who.id, (who.at, goal), way, "SS-MANV-03", how, meters=0.0)
    system_of(context).turn.mover.go(context, course)


_BEFORE: dict[str, Callable[[RuleContext, Swing, Effect], Any]] = {
    "condition": _condition,
    "check_or": _check_or,
    "inject": _inject,
    "reload": _reload,
    "extra_attack": _allow_attack,
    "destroy_item": _destroy_item,
    "destroy_limb": _destroy_limb,
    "swap": _swap,
    "push": _push,
}


# ---------------------------------------------------------------- effects after the damage


def ask_second_target(context: RuleContext, swing: Swing) -> str:
    """Ask for another character in the target's zone, friend or foe; empty without one.  RULING R46"""
    others = find_bystanders(context.state, swing)
    combatant = context.state[swing.command.actor]
    enemies = (f.id for f in others if are_enemies(combatant, f) and is_conscious(f))
    return _ask_for(context, swing, others, question="Who else is hurt?", default=next(enemies, NOBODY))


def find_bystanders(state: State, swing: Swing) -> list[Combatant]:
    """The other characters in the target's zone; on a map those beside it, with no wall between."""
    target = state[swing.command.target]
    return [f for f in _others(state, swing) if is_within(state, target, f)]


def ask_bonus_target(context: RuleContext, swing: Swing, effect: Effect) -> str:
    """Ask for the target of a bonus attack: anyone, or another one near the first; empty for none."""
    state, first = context.state, context.state[swing.command.target]
    others = [f for f in _others(state, swing) if is_conscious(f)]
    if effect.other_target:
        others = [f for f in others if is_near(state, first, f, effect.metres)]
    elif not has_condition(first, "dead"):
        others = [first, *others]
    others = [f for f in others if allows(check_attack, state, replace(swing.command, target=f.id))]
    first_foe = next((f.id for f in others if are_enemies(state[swing.command.actor], f)), NOBODY)
    stay = first.id if is_conscious(first) else NOBODY  # tactics stay on the target
    default = first_foe if effect.other_target else stay
    return _ask_for(context, swing, others, question="Bonus attack: which target?", default=default)


def _others(state: State, swing: Swing) -> list[Combatant]:
    """The other possible targets: not the dead, nor enemies that no one sees."""
    own, mine = state[swing.command.actor], (swing.command.actor, swing.command.target)
    hexes = has_hexes(state)
    seen = [f for f in present(state) if f.side == own.side or not is_concealed_from(state, own, f, hexes)]
    return [f for f in seen if f.id not in mine and not has_condition(f, "dead")]


def _ask_for(context: RuleContext, swing: Swing, others: list[Combatant], question: str, default: str) -> str:
    if not others:
        return ""
    side = context.state[swing.command.actor].side
    options = tuple(Choice(f.id, f.name, "ally" if f.side == side else "enemy") for f in others)
    answers = (*options, Choice(NOBODY, "No one"))
    chosen = context.ask(swing.command.actor, question, answers, rule="SS-MANV-03", default=default)
    return "" if chosen == NOBODY else chosen
