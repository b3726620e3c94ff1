"""Damage: from the dice through armor to Hit Points, and what follows: dying and death."""

from __future__ import annotations

from math import ceil

from ..core import events as e
from ..core.dice import Roll
from ..core.modifiers import Modifier, Modifiers, add_up
from ..core.state import (
    Combatant,
    Condition,
    Item,
    Scalar,
    State,
    Until,
    find_condition,
    has_condition,
    replace,
)
from ..core.table import Table
from ..core.turns import end_with_source, gain, lift, lift_kinds
from .conditions import BOUND
from .rolls import save
from .sheet import ability, health_state, is_able, max_hp
from .supplies import find_supply, take_use
from .tables import CRITICAL, find_health_state
from .thresholds import offer_clearing

DEGRADES_EVERY = 20  # COS-ARMOR-10
UNCONSCIOUS_TN = 14  # COS-STATE-18
OF_THE_LIVING = ("dying", "stable", "bleeding", "pressed", "frightened", "stunned", "grappled", "pinned")


def worn_armor(fighter: Combatant) -> Item | None:
    """The armor a fighter wears."""
    return next((i for i in fighter.items if i.kind == "armor" and i.place == "worn"), None)


def shields(fighter: Combatant) -> list[Item]:
    """The shields in use; a shield that needs no hand always is."""
    return [i for i in fighter.items if i.kind == "shield" and i.place in ("held", "worn")]


def protection_of(state: State, fighter: Combatant) -> Modifier:
    """The armor points that count, and whose they are.  [COS-ARMOR-01] [COS-ARMOR-03]
    [COS-ARMOR-05] [COS-ARMOR-07] [COS-DMG-10]  RULING R37: natural and worn do not add."""
    worn = worn_armor(fighter)
    natural = max(int(fighter.sheet["natural_armor"]), ability(fighter, "natural_armor"))
    points = armor_points(state, worn) if worn else 0
    if natural >= points:
        return Modifier("Natural armor", natural, "COS-DMG-10")
    assert worn is not None
    return Modifier(worn.name, points, "COS-DMG-08")


def armor_points(state: State, worn: Item) -> int:
    """Protection of a piece of armor after damage to it, at least 0.  [COS-ARMOR-09]
    [COS-ARMOR-10] [COS-CRIT-06]"""
    lost = int(worn.marks.get("damaged", 0))
    if state.options.get("armor_degradation"):
        lost += int(worn.marks.get("taken", 0)) // DEGRADES_EVERY
    return max(0, int(worn.data["protection"]) - lost)


def armor_terms(state: State, target: Combatant, kind: str, ap: int = 0, ignored: bool = False) -> Modifiers:
    """What armor and shields take off a hit, as negative terms.

    [COS-DMG-06] [COS-DMG-08]  `kind` is the damage type, `ap` in points. [COS-DMG-09] Energy
    shields meet energy [COS-DMG-03], never kinetic hits [COS-DMG-02]. What pierces or bypasses
    armor does not reach them: RULING R37 adds a shield after AP.
    """
    terms: list[Modifier] = []
    armor = protection_of(state, target)
    if ignored and armor.value:
        terms.append(Modifier(f"{armor.label} bypassed", 0, "COS-CRIT-04"))
    elif armor.value:
        counts = max(0, armor.value - ap)
        label = f"{armor.label} (AP {ap})" if ap else armor.label
        terms.append(Modifier(label, -counts, "COS-DMG-06" if ap else armor.rule))
    return (*terms, *shield_terms(target)) if kind == "energy" else tuple(terms)


def shield_terms(target: Combatant) -> Modifiers:
    """[COS-DMG-09] What energy shields take off energy damage, as negative terms."""
    points = [(shield.name, int(shield.data["energy_protection"])) for shield in shields(target)]
    return tuple(Modifier(name, -n, "COS-DMG-09") for name, n in points if n)


def count_damage(state: State, dealt: int, armor: Modifiers) -> int:
    """Damage in points that gets through, never below 0.  RULING R37."""
    least = 1 if state.options.get("minimum_damage_1") and dealt > 0 else 0
    return max(least, dealt + add_up(armor))


def hurt(
    table: Table,
    who: str,
    amount: int,
    *,
    why: str,
    rule: str,
    terms: Modifiers = (),
    roll: Roll | None = None,
    by: str = "",
    nonlethal: bool = False,
) -> int:
    """Take HP from a fighter and let everything follow from it; returns the HP lost."""
    before = table.state[who]
    hp = before.tracks["hp"]
    new = find_hp_after(before, amount, nonlethal)
    if has_condition(before, "dead"):
        new = hp
    table.tell(e.TrackChanged(who, "hp", hp, new, why, terms, roll, by), rule)
    if new < hp:
        _wear_armor(table, who, hp - new)
        settle(table, before)
    return hp - new


def find_hp_after(fighter: Combatant, amount: int, nonlethal: bool = False) -> int:
    """HP after a loss. Stun damage stops at the lower end of Injured.

    [COS-DMG-05]  RULING R36: the floor is a quarter of the maximum, rounded up.
    """
    hp = fighter.tracks["hp"]
    if not nonlethal:
        return hp - amount
    floor = ceil(max_hp(fighter) / 4)
    return min(hp, max(floor, hp - amount))


def _wear_armor(table: Table, who: str, lost: int) -> None:
    """[COS-ARMOR-10] Armor counts the damage its wearer takes."""
    worn = worn_armor(table.state[who])
    if worn is None or not table.option("armor_degradation"):
        return
    taken = int(worn.marks.get("taken", 0)) + lost
    changed = replace(worn, marks={**worn.marks, "taken": taken})
    table.tell(e.ItemChanged(who, changed, "takes wear"), "COS-ARMOR-10", e.GM_ONLY)


def heal(table: Table, who: str, amount: int, *, why: str, rule: str, roll: Roll | None = None) -> int:
    """Give HP back, at most to the maximum; returns the HP gained."""
    before = table.state[who]
    hp = before.tracks["hp"]
    new = min(max_hp(before), hp + amount)
    if new == hp or has_condition(before, "dead"):
        return 0
    table.tell(e.TrackChanged(who, "hp", hp, new, why, (), roll), rule)
    settle(table, before)
    offer_clearing(table, who, hp)
    return new - hp


def settle(table: Table, before: Combatant) -> None:
    """What follows when a fighter has changed: dying, death, waking, passing out.

    RULING R18: the border of death is minus Might without drugs (R41).
    """
    _follow_conditions(table, before)
    _keep_to_maximum(table, before.id)
    fighter = table.state[before.id]
    old, hp = before.tracks["hp"], fighter.tracks["hp"]
    if has_condition(fighter, "dead") or hp == old:
        return
    if hp < -int(fighter.sheet["attributes"]["MIG"]):
        die(table, fighter.id, "HP below minus Might", "COS-DEATH-11")
    elif hp <= 0:
        _drop(table, fighter, worse=hp < old)
    else:
        _rise(table, fighter, old)


def _keep_to_maximum(table: Table, who: str) -> None:
    """[COS-HP-01] HP never exceed the maximum, whoever heals."""
    fighter = table.state[who]
    hp, most = fighter.tracks["hp"], max_hp(fighter)
    if hp > most:
        table.tell(e.TrackChanged(who, "hp", hp, most, "the maximum"), "COS-HP-01")


def _follow_conditions(table: Table, before: Combatant) -> None:
    """What conditions bring with them that were just given by decision.

    [COS-COND-33] [COS-COND-34] [COS-DEATH-12] [COS-DEATH-13] The GM may mark somebody dead.
    RULING R40: the same condition counts one time; bleeding wounds and injuries add up.
    """
    known = {held.id for held in before.conditions}
    for new in [held for held in table.state[before.id].conditions if held.id not in known]:
        if new.kind not in ("bleeding", "injury"):
            for old in before.conditions:
                if (old.kind, old.by) == (new.kind, new.by):
                    lift(table, before.id, old, "anew")
        if new.kind == "dead":
            _leave_life(table, before.id, new.rule)
        elif new.kind in ("unconscious", "helpless", "dying"):
            _collapse(table, before.id, new.rule)
        elif new.kind == "stunned":
            _stagger(table, before.id, new)
        elif not _can_be_source(table.state, new):
            lift(table, before.id, new, "its source can do no such thing")


def _can_be_source(state: State, held: Condition) -> bool:
    """[COS-COND-21] [COS-COND-17] The helpless hold nobody, and the dead frighten nobody."""
    source = state.combatants.get(held.by)
    if source is None or held.kind not in BOUND:
        return True
    return not has_condition(source, "dead") if held.kind == "frightened" else is_able(source)


def _drop(table: Table, fighter: Combatant, worse: bool) -> None:
    """[COS-STATE-19] [COS-STATE-20] At 0 HP or less: dying and unconscious.

    RULING R17: new damage makes a stable character dying again. A patch that is worn stabilizes.
    """
    if has_condition(fighter, "stable"):
        if not worse:
            return
        lift_kinds(table, fighter.id, "stable", why="hurt again", rule="COS-DEATH-09")
    if not has_condition(fighter, "dying"):
        gain(table, fighter.id, "dying")
    fall_unconscious(table, fighter.id, "COS-STATE-20")
    patch = find_supply(fighter, "stabilizes")
    if patch:
        take_use(table, fighter.id, patch, "is used up", "COS-MED-03")
        stabilize(table, fighter.id, "COS-MED-03")


def stabilize(table: Table, who: str, rule: str) -> None:
    """[COS-DEATH-09] No more dying; [COS-DEATH-10] still unconscious below 1 HP."""
    lift_kinds(table, who, "dying", why="stable", rule=rule)
    gain(table, who, "stable", rule=rule)


def fall_unconscious(table: Table, who: str, rule: str, **marks: Scalar) -> None:
    """[COS-COND-34] Unconscious: no actions, and the fighter falls prone and lets go.

    Without `marks`, what would have ended a lighter faint, such as time, counts no more.
    """
    held = find_condition(table.state[who], "unconscious")
    if held is None:
        gain(table, who, "unconscious", rule=rule, marks=marks)
    elif not marks and (held.until or held.marks):
        deeper = replace(held, until=None, marks={}, rule=rule)
        table.tell(e.ConditionChanged(who, deeper), rule, e.GM_ONLY)
    _collapse(table, who, rule)


def _collapse(table: Table, who: str, rule: str) -> None:
    fighter = table.state[who]
    if not has_condition(fighter, "prone"):
        gain(table, who, "prone")
    go_limp(table, who)
    if any(fighter.budget.values()):
        table.tell(e.BudgetSet(who, dict.fromkeys(fighter.budget, 0)), rule)


def release_holds(table: Table, holder: str, why: str) -> None:
    """[COS-COND-21] End every grapple a fighter holds."""
    end_with_source(table, holder, why, "grappled", "pinned")


def go_limp(table: Table, who: str) -> None:
    """[COS-COND-21] [COS-COND-03] The helpless hold nobody, and press on no wound."""
    release_holds(table, who, "the holder is helpless")
    end_with_source(table, who, "nobody presses on it", "pressed")


def _rise(table: Table, fighter: Combatant, old: int) -> None:
    """Above 0 HP: waking, or the Might save on entering Critical.  RULING R15."""
    if old <= 0:
        lift_kinds(table, fighter.id, "dying", "stable", why="above 0 HP", rule="COS-DEATH-10")
        lift_kinds(table, fighter.id, "unconscious", why="above 0 HP", rule="COS-DEATH-10")
        return
    was, now = find_health_state(old, max_hp(fighter)), health_state(fighter)
    if now is CRITICAL is not was and not has_condition(fighter, "unconscious"):
        stay_conscious(table, fighter.id)
    elif now is not CRITICAL:
        _wake(table, fighter)


def _wake(table: Table, fighter: Combatant) -> None:
    fainted = find_condition(fighter, "unconscious")
    if fainted and fainted.marks.get("cause") == CRITICAL.name:
        lift(table, fighter.id, fainted, "a quarter of the HP again", "COS-STATE-18")


def stay_conscious(table: Table, who: str) -> None:
    """[COS-STATE-18] The Might save of the Critical state against TN 14."""
    if not save(table, who, "MIG", UNCONSCIOUS_TN, "COS-STATE-18", "stay conscious"):
        fall_unconscious(table, who, "COS-STATE-18", cause=CRITICAL.name)


def die(table: Table, who: str, why: str, rule: str) -> None:
    """[COS-DEATH-11] A fighter dies; what only the living have ends."""
    if has_condition(table.state[who], "dead"):
        return
    _leave_life(table, who, rule)
    gain(table, who, "dead", rule=rule, ends=why)


def _leave_life(table: Table, who: str, rule: str) -> None:
    lift_kinds(table, who, *OF_THE_LIVING, why="dead", rule=rule)
    fall_unconscious(table, who, rule)
    end_with_source(table, who, "the source is dead")  # RULING R39


def is_immune(fighter: Combatant, kind: str) -> bool:
    """Whether a fighter cannot get a condition, by its nature."""
    return kind in fighter.sheet["immune"]


def bleed(table: Table, who: str, levels: int = 1) -> None:
    """[COS-COND-04] One more bleeding wound; wounds add up."""
    held = find_condition(table.state[who], "bleeding")
    if held is None:
        gain(table, who, "bleeding", level=levels)
        return
    more = replace(held, level=held.level + levels)
    table.tell(e.ConditionChanged(who, more), "COS-COND-04")


def stun(table: Table, who: str) -> None:
    """[COS-COND-30] Stunned to the end of the next turn; [COS-COND-33] drops what it holds."""
    if is_immune(table.state[who], "stunned"):
        return
    lift_kinds(table, who, "stunned", why="stunned anew")
    gain(table, who, "stunned", until=_end_of_next_turn(table.state, who))
    _lose_grip(table, who)


def _end_of_next_turn(state: State, who: str) -> Until:
    under_way = who in (state.active, state.marks.get("interrupted"))
    return Until(who, "end", 2 if under_way else 1)


def _stagger(table: Table, who: str, stunned: Condition) -> None:
    """RULING R39: a stun given without a limit ends with the next turn as any other."""
    if stunned.until is None:
        limited = replace(stunned, until=_end_of_next_turn(table.state, who))
        table.tell(e.ConditionChanged(who, limited), "COS-COND-30", e.GM_ONLY)
    _lose_grip(table, who)


def _lose_grip(table: Table, who: str) -> None:
    for item in table.state[who].items:
        if item.place == "held" and is_droppable(item):
            drop(table, who, item, "COS-COND-33")


def is_droppable(item: Item) -> bool:
    """Whether a held thing can fall; teeth and force fields cannot."""
    natural = "natural" in item.data.get("traits", ())
    return not natural and item.data.get("hands", 1) != 0


def drop(table: Table, who: str, item: Item, rule: str, how: str = "drops") -> None:
    """A held thing falls to the ground where its owner stands."""
    fallen = replace(item, place="ground", at=table.state[who].at)
    table.tell(e.ItemLost(who, fallen, how), rule)
