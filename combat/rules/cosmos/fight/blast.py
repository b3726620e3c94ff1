"""Area weapons: everyone in the radius saves for half, friend or foe."""

from __future__ import annotations

from itertools import chain

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import joined, say
from combat.rules.core.commands.commands import Command, Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import body_of, is_concealed_from, nearest, nearest_cells
from combat.rules.core.space import Point, distance, map_of, on_ground, read_points
from combat.rules.core.space.rays.area_shapes import Shape
from combat.rules.core.space.rays.hands import stop_flight
from combat.rules.core.space.rays.sight import Body
from combat.rules.core.state import events as e
from combat.rules.core.state.belongings import find_fallen, has_any, tell_fallen
from combat.rules.core.state.state import Combatant, Item, State, present
from combat.rules.core.turn.turns import spend

from ..body.damage import armor_terms, count_damage, hurt
from ..book.tables import BLAST_SAVE_TN
from ..dice import predict_saves, save
from ..hazards import clouds
from ..hazards.protection import energy_terms
from ..world.scene import find_range, has_trait
from ..world.sight_lines import find_grid, find_inside, make_circle
from ..world.touch import SLACK_M, find_thing, in_meters, way_from
from .weapons import check_may_attack, check_rounds, check_weapon, describe_weapon, use_ammunition


class Blast(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A blast with its middle `at`: near:COMBATANT or "x,y" in meters."""

    weapon: str
    at: str


def find_centre(state: State, command: Blast) -> Point:
    """The middle of the blast: where it was aimed, or in front of a wall that stops it.  RULING R50"""
    aimed = find_aimed(state, command)
    stopped = _stop(state, state[command.actor], aimed)
    return aimed if stopped == aimed else on_ground(state.scene, stopped)


def _stop(state: State, combatant: Combatant, aimed: Point) -> Point:
    """The end of a flight: its goal, or the last place before a wall."""
    return stop_flight(map_of(state.scene), find_grid(state), combatant.at, aimed)


def find_aimed(state: State, command: Blast) -> Point:
    """The place at which a blast is aimed."""
    kind, _, who = command.at.partition(":")
    return state[who].at if kind == "near" else on_ground(state.scene, read_points(command.at)[0])


def find_caught(state: State, centre: Point, radius: float) -> list[Combatant]:
    """Everyone within the radius in meters; walls stop a blast, cover does not. [COS-DMG-04]

    RULING R50
    """
    return find_inside(state, make_circle(state, centre, radius))


def find_area(state: State, command: Blast) -> tuple[Shape, ...]:
    """The circle that a blast fills."""
    weapon, centre = check_blast(state, command)
    return (make_circle(state, centre, float(weapon.data["radius_m"])),)


def check_blast(state: State, command: Blast) -> tuple[Item, Point]:
    """Refuse a weapon without an area or not ready, or a place too far away."""
    combatant = state[command.actor]
    weapon = find_thing(state, command.actor, command.weapon)
    if not has_area(weapon):
        raise Refused("bad_value", f"{weapon.name} has no area.")
    check_ready(state, combatant, weapon)
    meters, most = _count_meters(state, command), _find_most(state, command, weapon)
    if meters > most + SLACK_M:
        text = f"Out of reach: {weapon.name} reaches {most} m, that is {in_meters(meters)} away."
        raise Refused("out_of_range", text)
    return weapon, find_centre(state, command)


def _count_meters(state: State, command: Blast) -> float:
    """The meters to what a blast is aimed at, from edge to edge."""
    kind, _, who = command.at.partition(":")
    aimed = body_of(state[who]) if kind == "near" else Body(find_aimed(state, command))
    return distance(*nearest_cells(body_of(state[command.actor]), aimed))


def _find_most(state: State, command: Blast, weapon: Item) -> int:
    return find_range(state[command.actor].at, find_aimed(state, command), weapon)


def _reaches(state: State, actor: str, weapon: Item, other: str) -> bool:
    """Whether a weapon reaches someone, and no wall is in between."""
    command = Blast(actor=actor, weapon=weapon.id, at=f"near:{other}")
    if _count_meters(state, command) > _find_most(state, command, weapon) + SLACK_M:
        return False
    return find_centre(state, command) == find_aimed(state, command)


def check_ready(state: State, combatant: Combatant, weapon: Item) -> None:
    """Refuse a grenade or launcher that is not in hand, not loaded or unusable where its user is.

    [COS-ACT-10] [COS-XENV-03]  RULING R48 R58
    """
    check_may_attack(combatant)
    check_weapon(state, combatant, weapon)
    check_rounds(state, weapon, 1)


def find_victims(state: State, command: Blast) -> tuple[str, ...]:
    """The combatants in the blast, friend or foe."""
    weapon, centre = check_blast(state, command)
    return tuple(combatant.id for combatant in find_caught(state, centre, float(weapon.data["radius_m"])))


def preview_blast(state: State, command: Blast) -> Preview:
    """The combatants in the blast, friend or foe, before anything is thrown."""
    weapon, centre = check_blast(state, command)
    side = state[command.actor].side
    caught = find_caught(state, centre, float(weapon.data["radius_m"]))
    people = [
        say("note.ally" if f.side == side else "note.enemy", target=f.id)
        for f in caught
        if f.side == side or not is_concealed_from(state, state[command.actor], f)
    ]
    note = say("note.in_blast", people=joined(people)) if people else "note.nobody_in_blast"
    return Preview(
        (),
        (Modifier("term.coordination_save", BLAST_SAVE_TN, "COS-DMG-04"),),
        "against.tn",
        "2d10",
        (note,),
        stopped="note.stops_at_wall" if centre != find_aimed(state, command) else "",
    )


def blast(context: RuleContext, command: Blast) -> Then:
    """One damage roll for all; each saves for half, then armor. [COS-DMG-04]  RULING R37."""
    weapon, centre = check_blast(context.state, command)
    spend(context, command.actor, {"standard": 1}, weapon.name, "COS-ACT-02")
    use_ammunition(context, command.actor, weapon, 1)
    caught = find_caught(context.state, centre, float(weapon.data["radius_m"]))
    seen = [combatant for combatant in caught if combatant.id not in context.unknown]
    told = e.Said("log.blast", command.actor, args={"item": weapon.name, "n": len(seen)})
    context.emit(told, "COS-DMG-04")
    dice = str(weapon.data["damage"])
    if dice == "0" or not caught:
        names = tuple(combatant.id for combatant in caught)
        effect = clouds.freeze(weapon.data.get("effect"))
        return Then(clouds.spread, effect, weapon.name, centre, float(weapon.data["radius_m"]), names)
    roll = context.roll(
        dice, by=command.actor, rule="COS-DMG-04", why=say("roll.damage_of", item=weapon.name)
    )
    how = (str(weapon.data["type"]), int(weapon.data["ap"]), has_trait(weapon, "ignores_armor"))
    victims = tuple(combatant.id for combatant in caught)
    predict_saves(context, victims, "COO", "COS-DMG-04", say("roll.against", item=weapon.name))
    return Then(_hit_each, weapon.name, how, roll, victims)


def _hit_each(
    context: RuleContext, name: str, how: tuple[str, int, bool], roll: Roll, left: tuple[str, ...]
) -> Then | None:
    """Hit the victims in turn. `how` is the damage type, AP and whether armor is ignored."""
    who, rest = left[0], left[1:]
    kind, ap, ignored = how
    plus = energy_terms(context.state[who], kind)
    good = save(context, who, "COO", BLAST_SAVE_TN, "COS-DMG-04", say("roll.against", item=name), plus)
    dealt = roll.total // 2 if good else roll.total
    armor = armor_terms(context.state, context.state[who], kind, ap, ignored)
    terms = [Modifier(say("term.damage", dice=roll.dice), roll.total, "COS-DMG-04")]
    if good:
        terms.append(Modifier("term.save_half", dealt - roll.total, "COS-DMG-04"))
    hurt(
        context,
        who,
        count_damage(context.state, dealt, armor),
        why=name,
        rule="COS-DMG-04",
        terms=(*terms, *armor),
        roll=roll,
        by=roll.by,
        nonlethal=kind == "stun",
    )
    return Then(_hit_each, name, how, roll, rest) if rest else None


def blast_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of an area weapon; it starts with an enemy whom the first one reaches, if there is one."""
    combatant = state[actor]
    weapons = [i for i in combatant.items if has_area(i)]
    options = tuple(
        Choice(i.id, i.name, describe_weapon(i), why_refused(check_ready, state, combatant, i))
        for i in weapons
    )
    near = tuple(
        Choice(f"near:{o.id}", f"on {o.name}", in_meters(distance(*nearest(combatant, o))))
        for o in present(state)
    )
    enemies = [o for o in present(state) if o.side != combatant.side]
    reached = (o for o in enemies for i in weapons[:1] if _reaches(state, actor, i, o.id))
    first = next(chain(reached, enemies), None)
    return (
        Field("weapon", "Weapon", "choice", options, options[0].value if options else ""),
        Field("at", "Where", "place", near, f"near:{first.id}" if first else "", "or x,y in meters"),
    )


def has_area(item: Item) -> bool:
    """Whether an item is an area weapon."""
    return item.kind == "weapon" and has_trait(item, "area")


def check_has_area(state: State, actor: str) -> None:
    """Refuse the action to a combatant without an area weapon; name one that lies on the ground."""
    if has_any(state[actor].items, has_area):
        return
    for item in filter(has_area, find_fallen(state, actor)):
        raise Refused("not_allowed", tell_fallen(item, way_from(state, actor)))
    raise Refused("not_allowed", f"{state[actor].name} carries no area weapon.")
