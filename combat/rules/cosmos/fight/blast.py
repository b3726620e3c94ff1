"""Area weapons: everyone in the radius saves for half; and grenades with other effects: flash, gas, smoke."""

from __future__ import annotations

from itertools import chain
from typing import Any

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifier, add_up
from combat.rules.core.basics.words import joined, say
from combat.rules.core.commands.commands import Command, Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import body_of, is_concealed_from, nearest, nearest_cells
from combat.rules.core.space import Piece, Point, map_of, on_ground, read_points
from combat.rules.core.space.clouds import fill
from combat.rules.core.space.paths import has_walls
from combat.rules.core.space.rays.area_shapes import Shape, make_cloud
from combat.rules.core.space.rays.sight import Body, stop_flight
from combat.rules.core.state import events as e
from combat.rules.core.state.belongings import find_fallen, has_any, tell_fallen
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    Item,
    Scalar,
    State,
    Until,
    has_condition,
    present,
)
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend

from ..body.damage import armor_against, count_damage, fall_unconscious, hurt, is_immune, is_under_way
from ..book.tables import ROUND_SECONDS
from ..book.traits import find_area_row, has_tag
from ..characters.sheet import ATTRIBUTE_WORDS
from ..dice import predict_saves, save
from ..environment import find_level, lay
from ..hazards.drift import with_recoil
from ..hazards.protection import energy_terms, hazard_terms, is_exposed
from ..world.acting import act
from ..world.heights import span
from ..world.scene import find_range
from ..world.sight_lines import (
    SLACK_M,
    find_grid,
    find_inside,
    find_thing,
    in_meters,
    is_stopped,
    make_circle,
    way_from,
)
from .attack import afflict_with, unarmored_terms
from .weapons import (
    check_attacks,
    check_may_attack,
    check_rounds,
    check_weapon,
    describe_weapon,
    use_ammunition,
)

RULE = "COS-DMG-04"


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
    cloud = (make_shape(state, centre, radius),) if smokes else ()
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
        effect = freeze(weapon.data.get("effect"))
        return Then(spread, effect, weapon.name, centre, float(weapon.data["radius_m"]), names)
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


# Grenades with effects other than damage: flashes, gas and smoke.


Effect = tuple[tuple[str, Any], ...]


def freeze(effect: dict[str, Any] | None) -> Effect:
    """A weapon's effect as a tuple that a procedure step can carry."""
    return tuple(sorted((effect or {}).items()))


def spread(
    context: RuleContext, effect: Effect, name: str, centre: Point, radius: float, caught: tuple[str, ...]
) -> Then | None:
    """Apply an area weapon's other effects: smoke at once, saves one by one. [COS-DMG-04]"""
    words = dict(effect)
    if words.get("concealment"):
        smoke(context, centre, radius, int(words["rounds"]))
    if not words.get("condition") or not caught:
        return None
    saving = [who for who in caught if _can_be(context, who, words)]
    predict_saves(context, saving, str(words["save"]), rule=RULE, why=say("roll.against", item=name))
    return Then(overcome, effect, name, caught)


def smoke(context: RuleContext, centre: Point, radius: float, rounds: int) -> None:
    """Thick smoke conceals heavily for `rounds` rounds. [COS-COVER-09]"""
    ends_at = context.state.clock + rounds * ROUND_SECONDS
    parts = find_parts(context.state, centre, radius)
    lay(
        context,
        centre,
        radius,
        tag="thick smoke",
        label="Smoke",
        rule="COS-COVER-09",
        ends_at=ends_at,
        parts=parts,
    )
    context.emit(e.Said("log.smoke", args={"n": rounds}), "COS-COVER-09")


def make_shape(state: State, centre: Point, radius: float) -> Shape:
    """What smoke would fill, as its form draws it. [COS-COVER-09]"""
    parts = find_parts(state, centre, radius)
    return make_cloud(centre, radius, find_level(state.scene, centre, radius, parts))


def find_parts(state: State, centre: Point, radius: float) -> tuple[Piece, ...]:
    """The parts of its square that smoke fills on a map with walls; empty for all. [COS-COVER-09]

    RULING R50
    """
    drawn = map_of(state.scene)
    stops = is_stopped(state) and has_walls(drawn)
    return fill(drawn, find_grid(state), centre, radius) if stops else ()


def overcome(context: RuleContext, effect: Effect, name: str, left: tuple[str, ...]) -> Then | None:
    """Let each victim in turn save against the condition."""
    words, who, rest = dict(effect), left[0], left[1:]
    kind = str(words["condition"]).lower()
    if _can_be(context, who, words):
        plus = hazard_terms(context.state, context.state[who], "toxic") if words.get("breathed") else ()
        key, tn = str(words["save"]), int(words["tn"])
        if not save(context, who, key, target=tn, rule=RULE, why=say("roll.against", item=name), plus=plus):
            afflict(
                context,
                who,
                kind,
                turns=_count_turns(context, who, words),
                minutes=int(words.get("minutes", 0)),
            )
    return Then(overcome, effect, name, rest) if rest else None


def _can_be(context: RuleContext, who: str, words: dict[str, Any]) -> bool:
    """Whether the condition can begin, or outlast the same condition from before.

    What must be breathed does not affect those whom toxic air does not reach.
    """
    combatant, kind = context.state[who], str(words["condition"]).lower()
    if has_condition(combatant, "dead") or is_immune(combatant, kind):
        return False
    same = [held for held in combatant.conditions if held.kind == kind]
    if not all(_outlasts(context, who, words, held) for held in same):
        return False
    return not words.get("breathed") or is_exposed(context.state, combatant, "toxic")


def _outlasts(context: RuleContext, who: str, words: dict[str, Any], held: Condition) -> bool:
    """Whether an effect would end later than the condition held. [COS-COND-05]

    Nothing outlasts a condition without an end.  RULING R39
    """
    seconds = _count_turns(context, who, words) * ROUND_SECONDS + int(words.get("minutes", 0)) * 60
    if held.until:
        return seconds > held.until.count * ROUND_SECONDS
    return "ends_at" in held.marks and seconds > int(held.marks["ends_at"]) - context.state.clock


def _count_turns(context: RuleContext, who: str, words: dict[str, Any]) -> int:
    """The number of the victim's turn ends that an effect lasts: the current turn adds one."""
    rounds = int(words.get("rounds", 0))
    return rounds + 1 if rounds and is_under_way(context.state, who) else rounds


def afflict(context: RuleContext, who: str, kind: str, turns: int, minutes: int) -> None:
    """Give a condition for `turns` of the victim's turns, or for minutes by the clock; never twice."""
    remove_conditions(context, who, kind, why="why.renewed")
    if kind == "unconscious":  # who has no turns wakes by the clock
        seconds = minutes * 60 or turns * ROUND_SECONDS
        fall_unconscious(context, who, RULE, **_end_after(context, seconds))
        return
    until = Until(who, "end", turns) if turns else None
    add_condition(context, who, kind, until=until, marks=_end_after(context, minutes * 60))


def _end_after(context: RuleContext, seconds: int) -> dict[str, Scalar]:
    """The mark of a condition that ends by the clock; none for 0 seconds."""
    return {"ends_at": context.state.clock + seconds} if seconds else {}


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
