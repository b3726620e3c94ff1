"""Area weapons: everyone in the radius saves for half, friend or foe."""

from __future__ import annotations

from ..core import events as e
from ..core.commands import Command, Field, Preview
from ..core.dice import Roll
from ..core.errors import Refused
from ..core.modifiers import Modifier
from ..core.requests import Choice
from ..core.space import Point, distance, on_ground, read_points
from ..core.state import Combatant, Item, State, find_item, has_condition, present
from ..core.table import Table, Then
from ..core.turns import spend
from . import clouds
from .damage import armor_terms, count_damage, hurt
from .protection import energy_terms
from .rolls import default_tn, save
from .scene import find_range, has_trait, in_metres
from .weapons import check_weapon, describe_weapon, use_ammunition


class Blast(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`at` is near:FIGHTER or "x,y" in metres: the middle of the blast."""

    weapon: str
    at: str


def find_centre(state: State, command: Blast) -> Point:
    """The middle of the blast."""
    kind, _, who = command.at.partition(":")
    return state[who].at if kind == "near" else on_ground(state.scene, read_points(command.at)[0])


def find_caught(state: State, centre: Point, radius: float) -> list[Combatant]:
    """[COS-DMG-04] Everyone within the radius in metres; cover does not keep a blast out."""
    return [
        fighter
        for fighter in present(state)
        if distance(fighter.at, centre) <= radius + 0.01 and not has_condition(fighter, "dead")
    ]


def check_blast(state: State, command: Blast) -> tuple[Item, Point]:
    """Refuse a weapon without an area, not ready, or a place too far away."""
    fighter = state[command.actor]
    weapon = find_item(fighter, command.weapon)
    if weapon.kind != "weapon" or not has_trait(weapon, "area"):
        raise Refused("bad_value", f"{weapon.name} has no area.")
    check_ready(state, fighter, weapon)
    centre = find_centre(state, command)
    metres, most = distance(fighter.at, centre), find_range(fighter.at, centre, weapon)
    if metres > most + 0.01:
        text = f"Out of reach: {weapon.name} reaches {most} m, that is {in_metres(metres)} away."
        raise Refused("out_of_range", text)
    return weapon, centre


def check_ready(state: State, fighter: Combatant, weapon: Item) -> None:
    """Thrown area weapons come out of the belt ready; launchers must be in hand and loaded."""
    if weapon.data["mode"] != "thrown":
        check_weapon(state, fighter, weapon)
        if weapon.loaded is not None and weapon.loaded < 1:
            raise Refused("no_budget", f"{weapon.name} is empty: reload it (Move Action).")
    if has_condition(fighter, "total_defense"):
        raise Refused("not_allowed", "Total Defense allows no attack until the next turn.")
    if has_condition(fighter, "grappled") and not has_trait(weapon, "small"):
        raise Refused("not_allowed", f"Grappled: only small weapons work, not {weapon.name}.")


def preview_blast(state: State, command: Blast) -> Preview:
    """Who would be caught, friend or foe, before anything is thrown."""
    weapon, centre = check_blast(state, command)
    side = state[command.actor].side
    caught = find_caught(state, centre, float(weapon.data["radius_m"]))
    names = [
        f"{f.name} ({'friend' if f.side == side else 'foe'})"
        for f in caught
        if not f.hidden or f.side == side
    ]
    note = "In the blast: " + (", ".join(names) or "nobody")
    tn = default_tn(state)
    return Preview((), (Modifier("Coordination save", tn, "COS-DMG-04"),), "TN", "2d10", (note,))


def blast(table: Table, command: Blast) -> Then:
    """[COS-DMG-04] One damage roll for all; each saves for half, then armor.  RULING R37."""
    weapon, centre = check_blast(table.state, command)
    spend(table, command.actor, {"standard": 1}, weapon.name, "COS-ACT-02")
    use_ammunition(table, command.actor, weapon, 1)
    caught = find_caught(table.state, centre, float(weapon.data["radius_m"]))
    seen = [fighter for fighter in caught if not fighter.hidden]
    text = f"{{who}} uses {weapon.name}: {len(seen)} in the blast."
    table.tell(e.Said(text, command.actor), "COS-DMG-04")
    dice = str(weapon.data["damage"])
    if dice == "0" or not caught:
        names = tuple(fighter.id for fighter in caught)
        effect = clouds.freeze(weapon.data.get("effect"))
        return Then(clouds.spread, effect, weapon.name, centre, float(weapon.data["radius_m"]), names)
    roll = table.roll(dice, by=command.actor, rule="COS-DMG-04", why=f"damage of {weapon.name}")
    how = (str(weapon.data["type"]), int(weapon.data["ap"]), has_trait(weapon, "ignores_armor"))
    return Then(_hit_each, weapon.name, how, roll, tuple(fighter.id for fighter in caught))


def _hit_each(
    table: Table, name: str, how: tuple[str, int, bool], roll: Roll, left: tuple[str, ...]
) -> Then | None:
    """One victim after the other. `how` is the damage type, AP and whether armor is ignored."""
    who, rest = left[0], left[1:]
    kind, ap, ignored = how
    plus = energy_terms(table.state[who], kind)
    good = save(table, who, "COO", default_tn(table.state), "COS-DMG-04", f"against {name}", plus)
    dealt = roll.total // 2 if good else roll.total
    armor = armor_terms(table.state, table.state[who], kind, ap, ignored)
    terms = [Modifier(f"Damage {roll.dice}", roll.total, "COS-DMG-04")]
    if good:
        terms.append(Modifier("Save: half", dealt - roll.total, "COS-DMG-04"))
    hurt(
        table,
        who,
        count_damage(table.state, dealt, armor),
        why=name,
        rule="COS-DMG-04",
        terms=(*terms, *armor),
        roll=roll,
        by=roll.by,
        nonlethal=kind == "stun",
    )
    return Then(_hit_each, name, how, roll, rest) if rest else None


def blast_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of an area weapon."""
    fighter = state[actor]
    weapons = [i for i in fighter.items if i.kind == "weapon" and has_trait(i, "area")]
    options = tuple(Choice(i.id, i.name, describe_weapon(i), _refusal(state, fighter, i)) for i in weapons)
    near = tuple(
        Choice(f"near:{o.id}", f"on {o.name}", f"{distance(fighter.at, o.at):.0f} m") for o in present(state)
    )
    foes = [f"near:{o.id}" for o in present(state) if o.side != fighter.side]
    return (
        Field("weapon", "Weapon", "choice", options, options[0].value if options else ""),
        Field("at", "Where", "place", near, foes[0] if foes else "", "or x,y in metres"),
    )


def _refusal(state: State, fighter: Combatant, weapon: Item) -> str:
    try:
        check_ready(state, fighter, weapon)
    except Refused as refused:
        return refused.message
    return ""


def check_has_area(state: State, actor: str) -> None:
    """The action is there for those who carry such a weapon."""
    if not any(i.kind == "weapon" and has_trait(i, "area") for i in state[actor].items):
        raise Refused("not_allowed", f"{state[actor].name} carries no area weapon.")
