"""Work by hand in a round: items taken and put away, and doors."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.commands.commands import Field, Handle, check_any, first_open
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.handing import Handing, HandOver
from combat.rules.core.gm.ways import (
    Arm,
    TakeWay,
    UseDoor,
    check_any_door,
    check_any_way,
    check_door,
    check_trip,
    find_course,
    form_of_doors,
    form_of_ways,
    has_ways,
)
from combat.rules.core.map.moving import Course
from combat.rules.core.state import events as e
from combat.rules.core.state.belongings import check_anything_lies
from combat.rules.core.state.state import Item, State, replace
from combat.rules.core.turn.hands import find_lying
from combat.rules.core.turn.turns import spend

from ..body.moving import MOVER
from ..body.resolve import Effect, carry_out, find_hands, find_spot
from ..book.options import find_option
from ..book.tables import ACTION
from ..characters.catalogue import CATALOGUE
from ..characters.sheet import is_able
from ..fight.attack import exert
from ..world.acting import TABLE, act
from ..world.reach import (
    NEAR,
    SLACK,
    check_arm,
    check_hands,
    check_place,
    check_within,
    count_item_hands,
    describe_distance,
    find_grid,
    find_thing,
)
from ..world.strides import count_left, keep_left, stride_yards

DREW = "drew"  # the mark of a free draw: the clock, which no other fight repeats
DOOR_RULE = "CG-ACT-05"
WAY_RULE = "CG-ACT-03"
HANDING = Handing(CATALOGUE, check_within, is_able, describe_distance)


def _thing_field(items: tuple[Item, ...], check: Callable[[Item], object]) -> tuple[Field, ...]:
    options = tuple(Choice(i.id, i.name, "", why_refused(check, i)) for i in items)
    return (Field("item", "What", "choice", options=options, value=first_open(options)),)


# ---------------------------------------------------------------- drawing


def draw(context: RuleContext, command: Handle) -> None:
    """Take an item in hand: a non-combat action, or free once a round. [CG-ACT-05]  RULING R9"""
    item = check_draw(context.state, command)
    who = command.actor
    if is_free_draw(context.state, who):
        context.emit(e.Marked(who, DREW, context.state.clock), "CG-ACT-05", e.GM_ONLY)
    else:
        spend(context, who, {ACTION: 1}, on="drawing", rule="CG-ACT-05")
    exert(context, who, False)
    carry_out(context, Effect(kind="ready", who=who, rule="CG-ACT-05", item=item.id))


def is_free_draw(state: State, who: str) -> bool:
    """Whether drawing costs nothing now.  RULING R9"""
    free = find_option(state, "draw_weapon") == "free_once"
    return bool(free and state[who].marks.get(DREW) != state.clock)


def check_draw(state: State, command: Handle) -> Item:
    """The carried item; Refused without hands to hold it. [CG-LIMB-02]"""
    item = find_thing(state, command.actor, command.item)
    if item.place != "carried" or not count_item_hands(item):
        raise Refused("bad_value", f"{item.name} is not something to draw: choose what is carried.")
    check_hands(find_hands(state, command.actor), item)
    return item


def check_can_draw(state: State, actor: str) -> None:
    """Refuse to draw if neither the budget nor the table allows it."""
    if not is_free_draw(state, actor) and state[actor].budget.get(ACTION, 0) < 1:
        raise Refused("no_budget", "No action left this round; drawing takes one.")


def draw_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The carried items that could be in hand."""
    items = tuple(i for i in state[actor].items if i.place == "carried" and count_item_hands(i))
    return _thing_field(items, lambda item: check_draw(state, Handle(actor=actor, item=item.id)))


# ---------------------------------------------------------------- putting away and dropping


def put_away(context: RuleContext, command: Handle) -> None:
    """Put an item in hand away: a non-combat action. [CG-ACT-05]  RULING R9"""
    item = check_held(context.state, command)
    spend(context, command.actor, {ACTION: 1}, on="putting away", rule="CG-ACT-05")
    exert(context, command.actor, False)
    carry_out(context, Effect(kind="stow", who=command.actor, rule="CG-ACT-05", item=item.id))


def let_go(context: RuleContext, command: Handle) -> None:
    """Drop an item, at no cost. [CG-ACT-02]  RULING R9"""
    item = check_held(context.state, command)
    effect = Effect(
        kind="drop", who=command.actor, target=command.actor, rule="CG-ACT-02", item=item.id, points=0
    )
    carry_out(context, effect)


def check_held(state: State, command: Handle) -> Item:
    """The item in hand; Refused if it cannot be let go."""
    item = find_thing(state, command.actor, command.item)
    if item.place != "held" or not count_item_hands(item):
        raise Refused("bad_value", f"{item.name} is not in hand: choose something that is.")
    return item


def held_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The items in hand."""
    items = tuple(i for i in state[actor].items if i.place == "held" and count_item_hands(i))
    return _thing_field(items, lambda item: check_held(state, Handle(actor=actor, item=item.id)))


# ---------------------------------------------------------------- picking up


def pick_up(context: RuleContext, command: Handle) -> None:
    """Take an item from the ground: a non-combat action. [CG-ACT-05]  RULING R9"""
    item = check_pick_up(context.state, command)
    spend(context, command.actor, {ACTION: 1}, on="picking up", rule="CG-ACT-05")
    exert(context, command.actor, False)
    carry_out(context, Effect(kind="pick", who=command.actor, rule="CG-ACT-05", item=item.id))


def check_pick_up(state: State, command: Handle) -> Item:
    """The item on the ground; Refused if it is not near or the hands are full."""
    item, at = find_lying(state, command.item, "That does not lie on the ground: choose another item.")
    combatant = replace(state[command.actor], at=find_spot(state, command.actor))
    check_place(state, combatant, at, item.name)
    check_hands(find_hands(state, command.actor), item)
    return item


def ground_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The items on the ground; those out of reach with the reason."""
    items = tuple(item for item in state.ground if item.at)
    return _thing_field(items, lambda item: check_pick_up(state, Handle(actor=actor, item=item.id)))


# ---------------------------------------------------------------- handing over


def pass_item(context: RuleContext, command: HandOver) -> None:
    """Hand something to an ally next to someone: a non-combat action. [CG-ACT-05]  RULING R9"""
    who = command.actor
    check_arm(context.state[who])
    HANDING.check(context.state, command)
    spend(context, who, {ACTION: 1}, on="handing over", rule="CG-ACT-05")
    exert(context, who, False)
    effect = Effect(
        kind="hand",
        who=who,
        target=command.target,
        rule="CG-ACT-05",
        item=command.item,
        points=command.count,
        place=command.seed,
    )
    carry_out(context, effect)


# ---------------------------------------------------------------- doors


def find_arm(state: State) -> Arm:
    """The reach for a door, in yards."""
    return Arm(find_grid(state), NEAR)


def use_door(context: RuleContext, command: UseDoor) -> None:
    """Use a door as a non-combat action: the page names no doors, but they are no attack. [CG-ACT-05]

    If several act at one count, the door moves at its end. [CG-INIT-05]
    """
    who = command.actor
    check_arm(context.state[who])
    door = check_door(context.state, who, command.door, find_arm(context.state))
    spend(context, who, {ACTION: 1}, on="a door", rule=DOOR_RULE)
    exert(context, who, False)
    carry_out(context, Effect(kind="door", who=who, rule=DOOR_RULE, item=door.id, points=int(not door.open)))


def take_way(context: RuleContext, command: TakeWay) -> None:
    """Take stairs, a ladder or a lift to another deck, by its length in yards. [CG-MOVE-01]  RULING R48

    The rest of a move pays for it; else a movement action does, also where the way is longer. [CG-ACT-03]
    """
    state, who = context.state, command.actor
    course = check_way(state, who, command.way)
    yards, left = course.cost, count_left(state, state[who])
    if yards > left + SLACK:
        spend(context, who, {ACTION: 1}, on="a way", rule=WAY_RULE)
        exert(context, who, True)
        left = stride_yards(state, state[who])
    keep_left(context, who, left - yards, "CG-MOVE-01")
    way = Effect(
        kind="move",
        who=who,
        rule=WAY_RULE,
        at=course.goal,
        points=round(yards),
        cost=yards,
        how=course.how,
        way=course.way,
    )
    carry_out(context, way)


def check_way(state: State, who: str, way: str) -> Course:
    """The course of a way within reach; Refused if it is shut or blocked, or asks what someone cannot do."""
    course = find_course(state, who, check_trip(state, who, way, find_arm(state)), WAY_RULE)
    MOVER.check(state, course)
    return course


use_door_fields = form_of_doors(find_arm)


def check_ways(state: State, actor: str) -> None:
    """Refuse without a way within reach, or without an action or the rest of a move. [CG-ACT-03]"""
    check_any_way(find_arm)(state, actor)
    if not (state[actor].budget.get(ACTION, 0) or count_left(state, state[actor])):
        raise Refused(
            "no_budget", "The action of this round is taken; a way takes one, or the rest of a move."
        )


take_way_fields = form_of_ways(find_arm, check_way)
check_holds = check_any(held_fields, "The hands are empty.")
ACTIONS = (
    act(
        "draw", draw, check_any(draw_fields, "There is nothing to draw."), check_can_draw, fields=draw_fields
    ),
    act("put_away", put_away, check_holds, fields=held_fields),
    act("let_go", let_go, check_holds, fields=held_fields),
    act("pick_up", pick_up, check_anything_lies, fields=ground_fields),
    act("pass_item", pass_item, HANDING.check_now, fields=HANDING.find_fields, has_odds=False),
    act("door", use_door, check_any_door(find_arm), fields=use_door_fields),
    TABLE.act("way", take_way, check_ways, fields=take_way_fields, has_place=has_ways),
)
