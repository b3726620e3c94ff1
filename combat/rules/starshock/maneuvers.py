"""Maneuvers: what a hit buys with the points by which it beats the target's value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import events as e
from ..core.errors import Refused
from ..core.gm import free_spot
from ..core.requests import GM, Choice
from ..core.space import Point, Zone, find_zone, on_ground, zone_named
from ..core.state import Combatant, Item, State, has_condition, is_acting, present, replace
from ..core.table import Table
from . import tables
from .aim import Swing, check_attack, find_weapon
from .damage import fall_prone, is_droppable
from .doses import afflict, face_check, take_dose
from .economy import caps_attacks
from .paths import find_cells, find_path
from .place import are_enemies, count_metres, find_neighbours, is_map, is_near, zone_id
from .records import CheckOr, Effect, Maneuver
from .sheet import find_option, is_conscious, is_immune, read_payload, read_weapon
from .tables import POINTS_PER_MANEUVER, ZONE_METRES

PASS = "pass"  # noqa: S105 - the word for taking no more maneuvers
NOBODY = "none"


def count_maneuvers(state: State, excess: int) -> int:
    """[SS-MANV-01] [SS-MANV-02] One for each two whole points of excess.  RULING R8 R9"""
    if find_option(state, "maneuver_rounding") == "up":
        return -(-max(0, excess) // POINTS_PER_MANEUVER)
    return max(0, excess) // POINTS_PER_MANEUVER


def find_maneuvers(state: State, swing: Swing) -> tuple[Maneuver, ...]:
    """The maneuvers of the weapon, and the general ones where the table has them.  RULING R12"""
    own = read_weapon(find_weapon(state, swing.command)).maneuvers
    if find_option(state, "generic_maneuvers") == "off":
        return own
    general = tables.general_maneuvers().values()
    return (*own, *(Maneuver(name=m.name, cost=m.cost, effects=m.effects) for m in general))


def find_choices(state: State, swing: Swing, points: int) -> tuple[Choice, ...]:
    """[SS-MANV-03] [SS-MANV-04] [SS-MANV-05] What the maneuvers left can buy: none twice."""
    found = []
    for place, maneuver in enumerate(find_maneuvers(state, swing)):
        if place in swing.taken or maneuver.cost > points:
            continue
        detail = f"{maneuver.cost} maneuvers" if maneuver.cost > 1 else ""
        found.append(Choice(str(place), maneuver.name, detail, _find_refusal(state, swing, maneuver)))
    return tuple(found)


def _find_refusal(state: State, swing: Swing, maneuver: Maneuver) -> str:
    needs = maneuver.requires == "payload" or any(f.type == "inject" for f in maneuver.effects)
    if needs and not swing.payload:
        return "there is no payload in the weapon"
    return next((text for f in maneuver.effects if (text := _find_effect_refusal(state, swing, f))), "")


def _find_effect_refusal(state: State, swing: Swing, effect: Effect) -> str:
    fighter, target = state[swing.command.actor], state[swing.command.target]
    if effect.type == "extra_attack" and effect.free:
        return "" if effect.penalty or not swing.bonus else "not from a bonus attack"
    if effect.type == "extra_attack":
        if not is_acting(state, fighter.id) or swing.free:
            return "only in one's own turn"
        return "" if fighter.budget.get("actions", 0) else "no declared action is left for it"
    if effect.type == "destroy_item" and not find_destructible(target):
        return "there is nothing to destroy"
    if effect.type == "splash" and not find_bystanders(state, swing):
        return "there is nobody else in the zone"
    if is_immune(target, effect.condition or effect.type):
        return f"{target.name} is immune to that"
    if effect.type == "condition" and effect.condition == "prone" and has_condition(target, "prone"):
        return f"{target.name} is prone already"
    return ""


def choose(table: Table, swing: Swing, points: int) -> Swing:
    """[SS-MANV-03] Spend the maneuvers earned, one after the other; what is left is lost."""
    while points > 0:
        options = find_choices(table.state, swing, points)
        legal = [option for option in options if not option.refused]
        if not legal:
            break
        question = f"Which maneuver? {points} left"
        answers = (*options, Choice(PASS, "No more maneuvers"))
        default = find_best(table.state, swing, legal)
        rule = "SS-MANV-03"
        chosen = table.ask(swing.command.actor, question, answers, rule=rule, default=default)
        if chosen == PASS:
            break
        swing = replace(swing, taken=(*swing.taken, int(chosen)))
        points -= find_maneuvers(table.state, swing)[int(chosen)].cost
    return swing


def find_best(state: State, swing: Swing, legal: list[Choice]) -> str:
    """What tactics would take: the dearest of the legal ones."""
    known = find_maneuvers(state, swing)
    return max(legal, key=lambda option: known[int(option.value)].cost).value


def effects_of(state: State, swing: Swing, *types: str) -> list[Effect]:
    """The effects of these types among the maneuvers taken."""
    known = find_maneuvers(state, swing)
    return [f for place in swing.taken for f in known[place].effects if f.type in types]


# ---------------------------------------------------------------- effects before the damage


def execute(table: Table, swing: Swing, place: int) -> None:
    """[SS-ATK-12] Carry out one maneuver taken, as far as it comes before the damage.  RULING R11"""
    maneuver = find_maneuvers(table.state, swing)[swing.taken[place]]
    text = f"Maneuver of {{who}}: {maneuver.name}."
    table.tell(e.Said(text, swing.command.actor, swing.command.target), "SS-MANV-03")
    for effect in maneuver.effects:
        run = _BEFORE.get(effect.type)
        if run:
            run(table, swing, effect)


def _condition(table: Table, swing: Swing, effect: Effect) -> None:
    target = swing.command.target
    if effect.condition == "prone" and effect.stand_difficulty:
        fall_prone(table, target, "SS-MANV-03", stand=effect.stand_difficulty)
        return
    rule = "SS-BLIND-03" if effect.condition == "blinded" else "SS-MANV-03"
    afflict(table, target, effect.condition, rule, swing.command.actor)


def _check_or(table: Table, swing: Swing, effect: Effect) -> None:
    assert effect.attribute
    check = CheckOr(attribute=effect.attribute, difficulty=effect.difficulty, fail=effect.condition)
    face_check(table, swing.command.target, check, "SS-MANV-03", "against the weapon")


def _inject(table: Table, swing: Swing, effect: Effect) -> None:
    """What the payload does besides damage; its damage is part of the attack's."""
    dose = read_payload(swing.payload)
    take_dose(table, swing.command.target, replace(dose, damage="0"), swing.command.actor, "SS-MANV-03")


def _reload(table: Table, swing: Swing, effect: Effect) -> None:
    item = find_weapon(table.state, swing.command)
    if item.place == "held":
        full = replace(item, loaded=item.data["magazine"])
        table.tell(e.ItemChanged(swing.command.actor, full, "is reloaded"), "SS-MANV-03")


def _allow_attack(table: Table, swing: Swing, effect: Effect) -> None:
    """[SS-TURN-02] One more attack this turn; a declared action still pays for it.  RULING R46"""
    if effect.free:
        return
    who = swing.command.actor
    if caps_attacks(table.state):
        budget = table.state[who].budget
        table.tell(e.BudgetSet(who, {**budget, "attacks": budget.get("attacks", 0) + 1}), "SS-TURN-02")
        return
    more = int(table.state[who].marks.get("more_attacks", 0))
    table.tell(e.Marked(who, "more_attacks", more + 1), "SS-TURN-02", e.GM_ONLY)


def _destroy_item(table: Table, swing: Swing, effect: Effect) -> None:
    """[SS-MANV-05] Something held or worn is gone."""
    target = table.state[swing.command.target]
    options = tuple(Choice(item.id, item.name, item.place) for item in find_destructible(target))
    question = f"Which item of {target.name}?"
    first = options[0].value
    chosen = table.ask(swing.command.actor, question, options, rule="SS-MANV-05", default=first)
    item = next(item for item in target.items if item.id == chosen)
    table.tell(e.ItemLost(target.id, replace(item, place="destroyed"), "is destroyed"), "SS-MANV-05")


def find_destructible(fighter: Combatant) -> list[Item]:
    """What is held or worn and no part of the body."""
    return [i for i in fighter.items if i.place in ("held", "worn") and is_droppable(i)]


def _destroy_limb(table: Table, swing: Swing, effect: Effect) -> None:
    """RULING R46: the GM describes it; no figure of its own."""
    afflict(table, swing.command.target, "maimed", "SS-MANV-05", swing.command.actor)


def _swap(table: Table, swing: Swing, effect: Effect) -> None:
    one, other = table.state[swing.command.actor], table.state[swing.command.target]
    for who, there in ((one, other.at), (other, one.at)):
        _move(table, who, there, "trades places")


# ---------------------------------------------------------------- pushing


def _push(table: Table, swing: Swing, effect: Effect) -> None:
    """Away to a linked zone of the attacker's choice, or some metres on a map; with no way
    behind, prone.  RULING R46"""
    target = table.state[swing.command.target]
    if is_immune(target, "push"):
        return
    goal = _find_push(table, swing, target, effect.metres or ZONE_METRES)
    if goal is None:
        fall_prone(table, target.id, "SS-MANV-03")
        return
    _move(table, target, goal, "is pushed")


def _find_push(table: Table, swing: Swing, target: Combatant, metres: int) -> Point | None:
    fighter = table.state[swing.command.actor]
    if is_map(table.state):
        behind = (Choice("free", f"{metres} m away"), Choice("wall", "a wall: prone"))
        question = f"What is behind {target.name}?"
        if table.ask(GM, question, behind, rule="SS-MANV-03", default="free") == "wall":
            return None
        return find_cell_behind(table.state, fighter, target, metres)
    zones = find_zones_behind(table.state, fighter, target)
    if not zones:
        return None
    options = tuple(Choice(zone.id, zone.name) for zone in zones)
    chosen = options[0].value
    if len(options) > 1:
        question = f"Where is {target.name} pushed?"
        chosen = table.ask(fighter.id, question, options, rule="SS-MANV-03", default=chosen)
    return free_spot(table.state, chosen)


def find_cell_behind(state: State, fighter: Combatant, target: Combatant, metres: int) -> Point:
    """The cell so many metres straight away from somebody, counted as the map counts.  [SS-MAP-04]"""
    cells = find_cells(state, find_path(state, target, f"away:{fighter.id}"))
    near = [cell for cell in cells if count_metres(state, target.at, cell) <= metres]
    return on_ground(state.scene, near[-1])


def find_zones_behind(state: State, fighter: Combatant, target: Combatant) -> list[Zone]:
    """The zones linked to the target's, without that of the attacker."""
    links = find_neighbours(state.scene, zone_id(state, target))
    own = zone_id(state, fighter)
    zones = [zone_named(state.scene, name) for name in links if name != own]
    return [zone for zone in zones if zone is not None]


def _move(table: Table, who: Combatant, goal: Point, how: str) -> None:
    zone = find_zone(table.state.scene, goal)
    table.tell(e.Moved(who.id, (who.at, goal), 0.0, 0.0, how, zone.name if zone else ""), "SS-MANV-03")


_BEFORE: dict[str, Callable[[Table, Swing, Effect], Any]] = {
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


def ask_second_target(table: Table, swing: Swing) -> str:
    """Another character in the target's zone, friend or foe; empty if there is none.  RULING R46"""
    others = find_bystanders(table.state, swing)
    fighter = table.state[swing.command.actor]
    foes = (f.id for f in others if are_enemies(fighter, f) and is_conscious(f))
    return _ask_for(table, swing, others, "Who else is hurt?", next(foes, NOBODY))


def find_bystanders(state: State, swing: Swing) -> list[Combatant]:
    """The other characters in the target's zone."""
    target = state[swing.command.target]
    return [f for f in _others(state, swing) if is_near(state, target, f)]


def ask_bonus_target(table: Table, swing: Swing, effect: Effect) -> str:
    """The target of a bonus attack: anybody, or another one near the first; empty for nobody."""
    state, first = table.state, table.state[swing.command.target]
    others = [f for f in _others(state, swing) if is_conscious(f)]
    if effect.other_target:
        others = [f for f in others if is_near(state, first, f, effect.metres)]
    elif not has_condition(first, "dead"):
        others = [first, *others]
    others = [f for f in others if _can_reach(state, swing, f)]
    first_foe = next((f.id for f in others if are_enemies(state[swing.command.actor], f)), NOBODY)
    stay = first.id if is_conscious(first) else NOBODY  # tactics: it stays on its target
    default = first_foe if effect.other_target else stay
    return _ask_for(table, swing, others, "Whom does the bonus attack strike?", default)


def _others(state: State, swing: Swing) -> list[Combatant]:
    """Whom the attacker may strike besides: not the dead, nor enemies whom nobody sees."""
    mine, side = (swing.command.actor, swing.command.target), state[swing.command.actor].side
    seen = [f for f in present(state) if f.side == side or not f.hidden]
    return [f for f in seen if f.id not in mine and not has_condition(f, "dead")]


def _can_reach(state: State, swing: Swing, target: Combatant) -> bool:
    try:
        check_attack(state, replace(swing.command, target=target.id))
    except Refused:
        return False
    return True


def _ask_for(table: Table, swing: Swing, others: list[Combatant], question: str, default: str) -> str:
    if not others:
        return ""
    side = table.state[swing.command.actor].side
    options = tuple(Choice(f.id, f.name, "friend" if f.side == side else "foe") for f in others)
    answers = (*options, Choice(NOBODY, "nobody"))
    chosen = table.ask(swing.command.actor, question, answers, rule="SS-MANV-03", default=default)
    return "" if chosen == NOBODY else chosen
