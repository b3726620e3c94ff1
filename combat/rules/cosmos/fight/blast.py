"""Area weapons: everyone in the radius saves for half, friend or foe."""

from __future__ import annotations

from itertools import chain

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifier, add_up
from combat.rules.core.basics.words import joined, say
from combat.rules.core.commands.commands import Command, Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import body_of, is_concealed_from, nearest, nearest_cells
from combat.rules.core.space import Point, map_of, on_ground, read_points
from combat.rules.core.space.rays.area_shapes import Shape
from combat.rules.core.space.rays.hands import stop_flight
from combat.rules.core.space.rays.sight import Body
from combat.rules.core.state import events as e
from combat.rules.core.state.belongings import find_fallen, has_any, tell_fallen
from combat.rules.core.state.state import Combatant, Item, State, present
from combat.rules.core.turn.turns import spend

from ..body.damage import armor_against, count_damage, hurt
from ..book.traits import find_area_row, has_tag
from ..characters.sheet import ATTRIBUTE_WORDS
from ..dice import predict_saves, save
from ..hazards import clouds
from ..hazards.drift import with_recoil
from ..hazards.protection import energy_terms
from ..world.acting import act
from ..world.heights import span
from ..world.reach import SLACK_M, find_thing, in_meters, way_from
from ..world.scene import find_range
from ..world.sight_lines import find_grid, find_inside, make_circle
from .attack import afflict_with, unarmored_terms
from .weapons import (
    check_attacks,
    check_may_attack,
    check_rounds,
    check_weapon,
    describe_weapon,
    use_ammunition,
)


class Blast(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A blast with its middle `at`: near:COMBATANT or "x,y" in meters."""

    weapon: str
    at: str


def find_centre(state: State, command: Blast) -> Point:
    """The middle of the blast: where it was aimed, or in front of a wall that stops it.  RULING R50"""
    aimed = find_aimed(state, command)
    stopped = stop_flight(map_of(state.scene), find_grid(state), state[command.actor].at, aimed)
    return aimed if stopped == aimed else on_ground(state.scene, stopped)


def find_aimed(state: State, command: Blast) -> Point:
    """The place at which a blast is aimed."""
    kind, _, who = command.at.partition(":")
    return state[who].at if kind == "near" else on_ground(state.scene, read_points(command.at)[0])


def find_caught(state: State, weapon: Item, centre: Point) -> list[Combatant]:
    """Everyone whom a blast catches, or whom harmless smoke covers. [COS-DMG-04]"""
    return find_inside(state, _find_shapes(state, weapon, centre)[0])


def _find_shapes(state: State, weapon: Item, centre: Point) -> tuple[Shape, ...]:
    """The circle that a blast fills: walls stop it, cover does not. Smoke drifts around their corners.

    [COS-DMG-04] [COS-COVER-09]  RULING R50
    """
    radius, effect = float(weapon.data["radius_m"]), weapon.data.get("effect") or {}
    smokes = weapon.data["damage"] == "0" and bool(effect.get("concealment"))
    cloud = (clouds.make_shape(state, centre, radius),) if smokes else ()
    if smokes and not effect.get("condition"):
        return cloud
    return (make_circle(state, centre, radius), *cloud)


def find_area(state: State, command: Blast) -> tuple[Shape, ...]:
    """What a blast or its smoke fills."""
    weapon, centre = check_blast(state, command)
    return _find_shapes(state, weapon, centre)


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
    return span(*nearest_cells(body_of(state[command.actor]), aimed))


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
    return tuple(combatant.id for combatant in find_caught(state, weapon, centre))


def preview_blast(state: State, command: Blast) -> Preview:
    """The combatants in the blast, friend or foe, before anything is thrown."""
    weapon, centre = check_blast(state, command)
    area = find_area_row(weapon)
    side = state[command.actor].side
    caught = find_caught(state, weapon, centre)
    people = [
        say("note.ally" if f.side == side else "note.enemy", target=f.id)
        for f in caught
        if f.side == side or not is_concealed_from(state, state[command.actor], f)
    ]
    note = say("note.in_blast", people=joined(people)) if people else "note.nobody_in_blast"
    return Preview(
        (),
        (Modifier(say("term.save", attribute=ATTRIBUTE_WORDS[area.save]), area.tn, "COS-DMG-04"),),
        "against.tn",
        dice="2d10",
        notes=(note,),
        stopped="note.stops_at_wall" if centre != find_aimed(state, command) else "",
    )


def blast(context: RuleContext, command: Blast) -> Then:
    """One damage roll for all; each saves for half, then armor. [COS-DMG-04]  RULING R37."""
    weapon, centre = check_blast(context.state, command)
    spend(context, command.actor, {"standard": 1}, on=weapon.name, rule="COS-ACT-02")
    use_ammunition(context, command.actor, weapon, 1)
    caught = find_caught(context.state, weapon, centre)
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
    victims = tuple(combatant.id for combatant in caught)
    why = say("roll.against", item=weapon.name)
    predict_saves(context, victims, find_area_row(weapon).save, rule="COS-DMG-04", why=why)
    return Then(_hit_each, weapon, roll, victims)


def _hit_each(context: RuleContext, weapon: Item, roll: Roll, left: tuple[str, ...]) -> Then | None:
    """Hit the victims in turn; what the weapon does besides counts for each. [COS-ATK-07] [COS-COND-30]"""
    who, rest, name = left[0], left[1:], weapon.name
    kind = str(weapon.data["type"])
    plus, area = energy_terms(context.state[who], kind), find_area_row(weapon)
    good = save(
        context,
        who,
        area.save,
        target=area.tn,
        rule="COS-DMG-04",
        why=say("roll.against", item=name),
        plus=plus,
    )
    armor = armor_against(context.state, context.state[who], weapon)
    damage = Modifier(say("term.damage", dice=roll.dice), roll.total, "COS-DMG-04")
    terms = [damage, *unarmored_terms(context.state, context.state[who], weapon)]
    dealt = add_up(terms)
    if good:
        terms.append(Modifier("term.save_half", dealt // 2 - dealt, "COS-DMG-04"))
        dealt //= 2
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
    afflict_with(context, who, weapon)
    return Then(_hit_each, weapon, roll, rest) if rest else None


def blast_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of an area weapon; it starts with an enemy whom the first one reaches, if there is one."""
    combatant = state[actor]
    weapons = [i for i in combatant.items if has_area(i)]
    options = tuple(
        Choice(i.id, i.name, describe_weapon(i), why_refused(check_ready, state, combatant, i))
        for i in weapons
    )
    near = tuple(
        Choice(f"near:{o.id}", f"on {o.name}", in_meters(span(*nearest(combatant, o))))
        for o in present(state)
    )
    enemies = [o for o in present(state) if o.side != combatant.side]
    reached = (o for o in enemies for i in weapons[:1] if _reaches(state, actor, i, o.id))
    first = next(chain(reached, enemies), None)
    return (
        Field("weapon", "Weapon", "choice", options=options, value=options[0].value if options else ""),
        Field(
            "at",
            "Where",
            "place",
            options=near,
            value=f"near:{first.id}" if first else "",
            help="or x,y in meters",
        ),
    )


def has_area(item: Item) -> bool:
    """Whether an item is an area weapon."""
    return item.kind == "weapon" and has_tag(item.data, "area")


def check_has_area(state: State, actor: str) -> None:
    """Refuse the action to a combatant without an area weapon; name one that lies on the ground."""
    if has_any(state[actor].items, has_area):
        return
    for item in filter(has_area, find_fallen(state, actor)):
        raise Refused("not_allowed", tell_fallen(item, way_from(state, actor)))
    raise Refused("not_allowed", f"{state[actor].name} carries no area weapon.")


ACTIONS = (
    act(
        "blast",
        with_recoil(blast, find_aimed),
        check_attacks,
        check_has_area,
        fields=blast_fields,
        preview=preview_blast,
        caught=find_victims,
        area=find_area,
    ),
)
