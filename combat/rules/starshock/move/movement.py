"""Movement: from zone to zone, inside a zone, or over a map from the pool; and breaking away."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import Command, adjusted
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.spots import free_spot
from combat.rules.core.map.bodies import check_room, find_free
from combat.rules.core.space import (
    Point,
    Reach,
    Zone,
    find_turns,
    find_zone,
    name_zone,
    on_ground,
    squares_around,
)
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, find_item, is_acting, replace
from combat.rules.core.turn.turns import spend

from ..body.doses import burn
from ..book.options import find_option
from ..book.tables import EASIEST, HARDEST, LEAVING_DIFFICULTY, POOL_METERS, TOUCH_METERS
from ..dice import action_penalty, assist_terms, check_terms, roll_check, use_assist
from ..fight.aim import Attack, Swing, check_attack, mean_damage
from ..fight.attack import strike
from ..fight.economy import check_declared, has_used_free, pay, take_free
from ..hazards import count_fall_dice, drop_down
from ..people.conditions import KINDS, is_down
from ..people.sheet import is_able
from ..world.paths import count_cost, find_cells, find_paid, find_path, shorten
from ..world.place import (
    count_meters,
    find_goal_zone,
    find_neighbours,
    has_ground,
    has_hexes,
    is_map,
    zone_id,
    zone_of,
)
from ..world.touch import find_hostiles
from ..world.wall_paths import are_in_the_way, find_clear, find_each, find_route

NOBODY = "none"


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Move to another zone or over the map. [SS-OTHER-04] [SS-OTHER-05] [SS-OTHER-06]

    `to` is zone:ID; on a map also near:COMBATANT, away:COMBATANT or points "x,y; x,y" in meters, or empty to
    gain meters only. `how` names the way of moving, `difficulty` a check the GM asks for; `jump` drops down
    to a lower zone; `far` goes as far as the pool allows.
    """

    to: str = ""
    how: str = ""
    difficulty: int = 0
    using: Literal["dex", "str"] = "dex"
    jump: bool = False
    far: bool = False


class Go(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Free Move: inside the zone, or over the map from the pool."""

    to: str
    far: bool = False


# ---------------------------------------------------------------- the Move action


def move(context: RuleContext, command: Move) -> Then | None:
    """One Move: to the next zone, or 5 m more on a map. [SS-OTHER-04] [SS-OTHER-05]"""
    check_declared(context.state, command.actor)
    check_difficulty(command)
    if is_map(context.state):
        return _move_on_map(context, command)
    check_move(context.state, command)
    cost = count_moves(context.state, command)
    pay(context, command.actor, "move", "Moving", "SS-ZONE-05", count=cost)
    return burn(context, command.actor, 1, (attempt, command))


def check_difficulty(command: Move) -> None:
    """Refuse impossible numbers; 0 means no check. [SS-OTHER-08]"""
    if command.difficulty and not EASIEST <= command.difficulty <= HARDEST:
        raise Refused("bad_value", f"A difficulty is {EASIEST} to {HARDEST}, or 0 for no check.")


def check_move(state: State, command: Move) -> None:
    """Refuse a goal that one Move does not reach; the prone cannot cross a border. [SS-OTHER-05]"""
    combatant, kind, name = state[command.actor], *_split(command.to)
    if kind != "zone":
        raise Refused("bad_value", "Choose the zone to move to; inside a zone use Free Move.")
    goal, here = find_goal_zone(state, name), zone_id(state, combatant)
    if goal.id == here:
        raise Refused("not_allowed", f"{combatant.name} is already there: use Free Move inside a zone.")
    if here and goal.id not in find_neighbours(state.scene, here):
        text = f"{goal.name} is not linked to {possessive(combatant.name)} zone: choose one that is."
        raise Refused("out_of_range", text)
    check_crossing(state, combatant)
    if command.jump:
        count_fall_dice(state, count_meters_down(state, combatant, goal), deliberate=True)


def count_meters_down(state: State, combatant: Combatant, goal: Zone) -> int:
    """How far down the ground of another zone is, in meters; below 0: up."""
    here = zone_of(state, combatant)
    return int((here.height if here else 0) - goal.height)


def check_crossing(state: State, combatant: Combatant) -> None:
    """RULING R21: The prone may crawl inside the zone, but not leave it."""
    if find_option(state, "prone_crawl") != "normal":
        KINDS.check(combatant, "crossing")


def _split(to: str) -> tuple[str, str]:
    kind, _, name = to.partition(":")
    return kind, name


def count_moves(state: State, command: Move) -> int:
    """The Moves that a border takes: 1, or 2 into difficult ground. [SS-ZONE-05] [SS-OTHER-07]

    RULING R41: a link may count for more than one.
    """
    goal = find_goal_zone(state, _split(command.to)[1])
    steps = find_neighbours(state.scene, zone_id(state, state[command.actor])).get(goal.id, 1)
    return steps * (2 if has_ground(goal, "difficult") else 1)


def attempt(context: RuleContext, command: Move) -> Then | None:
    """Make a check the GM asks for; failing it spends the Move. [SS-OTHER-08]  RULING R21"""
    if not is_able(context.state[command.actor]):
        return None
    if command.difficulty:
        terms = terms_for_going(context.state, command)
        what = command.how[:40] or "action.move"
        result = roll_check(
            context,
            command.actor,
            terms,
            command.difficulty,
            rule="SS-OTHER-08",
            what=what,
            again=command.using,
        )
        use_assist(context, command.actor, command.using, "Move")
        if not result.good:
            _lose_meters(context, command.actor)
            return None
    return Then(break_away, command)


def _lose_meters(context: RuleContext, who: str) -> None:
    """RULING R21: Lose the Move, and on a map the meters it added to the pool."""
    budget = context.state[who].budget
    if "metres" in budget:
        less = {**budget, "metres": max(0, budget["metres"] - POOL_METERS)}
        context.emit(e.BudgetSet(who, less), "SS-OTHER-08")


def terms_for_going(state: State, command: Move, paid: bool = True) -> Modifiers:
    """Dex or Str and Move, with the Action Penalty. [SS-OTHER-08]"""
    combatant = state[command.actor]
    terms = (
        *check_terms(state, combatant, command.using, "Move", "SS-OTHER-08"),
        *action_penalty(state, combatant, paid),
        *assist_terms(state, combatant, command.using, "Move"),
    )
    return adjusted(command, terms, "SS-OTHER-08")


def terms_for_leaving(state: State, command: Move, paid: bool = True) -> Modifiers:
    """Dex and Move; the check is part of the Move. [SS-ZONE-07]  RULING R42"""
    combatant = state[command.actor]
    applies = find_option(state, "leave_check_penalty") == "applies"
    terms = (
        *check_terms(state, combatant, "dex", "Move", "SS-ZONE-07"),
        *(action_penalty(state, combatant, paid) if applies else ()),
        *assist_terms(state, combatant, "dex", "Move"),
    )
    return terms if command.difficulty else adjusted(command, terms, "SS-ZONE-07")


def arrive(context: RuleContext, command: Move) -> Then | None:
    """Enter the next zone; a jump down may hurt. [SS-ZONE-05]"""
    who = command.actor
    combatant, goal = context.state[who], find_goal_zone(context.state, _split(command.to)[1])
    meters = count_meters_down(context.state, combatant, goal)
    spot = free_spot(context, goal.id, combatant)
    how = command.how[:40] or "how.moves"
    context.emit(e.Moved(who, (combatant.at, spot), 0.0, 0.0, how, goal.name), "SS-ZONE-05")
    if command.jump and meters > 0:
        return drop_down(context, who, meters, deliberate=True)
    return None


# ---------------------------------------------------------------- breaking away


def break_away(context: RuleContext, command: Move) -> Then | None:
    """Leave a zone with hostile combatants: Dex + Move against 10, one check. [SS-ZONE-07]

    Without any hostile there is no check. [SS-ZONE-10]  RULING R42: before moving.
    """
    if not find_left_behind(context.state, command):
        return go_on(context, command)
    terms = terms_for_leaving(context.state, command)
    result = roll_check(
        context,
        command.actor,
        terms,
        LEAVING_DIFFICULTY,
        rule="SS-ZONE-07",
        what="check.breaking_away",
        again="dex",
    )
    use_assist(context, command.actor, "dex", "Move")
    if result.good:
        return go_on(context, command)
    return Then(free_attack, command)


def find_left_behind(state: State, command: Move) -> list[Combatant]:
    """The hostiles that a path leads away from; on a map, those left by more than 1 m. [SS-ZONE-07]

    RULING R45
    """
    combatant = state[command.actor]
    hostiles = find_hostiles(state, combatant)
    if not hostiles or not is_map(state):
        return hostiles
    goal = _way(state, command)[-1]
    return [foe for foe in hostiles if count_meters(state, goal, foe.at) > TOUCH_METERS]


def free_attack(context: RuleContext, command: Move) -> Then | None:
    """Let one enemy of the zone attack at once [SS-ZONE-08]; without Action Penalty. [SS-ZONE-09]

    RULING R43: its side chooses it, with any weapon held, before the mover is gone.
    """
    options = find_free_attacks(context.state, command.actor)
    if not options:
        return go_on(context, command)
    asked, *also = find_choosers(context.state, options)
    name = context.state[command.actor].name
    answers = (*options, Choice(NOBODY, "no attack"))
    default = find_hardest(context.state, options)
    question = f"Who attacks {name} as they break away?"
    chosen = context.ask(asked, question, answers, rule="SS-ZONE-08", default=default, also=tuple(also))
    if chosen == NOBODY:
        return go_on(context, command)
    enemy, _, weapon = chosen.partition("/")
    context.emit(e.Marked(enemy, "free_round", context.state.round), "SS-ZONE-08", e.GM_ONLY)
    blow = Attack(actor=enemy, target=command.actor, weapon=weapon)
    mover = context.state[command.actor]
    onward = (get_away, command, mover.at, is_down(mover))
    return Then(strike, Swing(command=blow, free=True, onward=onward))


def get_away(context: RuleContext, command: Move, here: Point, was_prone: bool) -> Then | None:
    """RULING R43: Stop a mover who was knocked out, knocked down, paralyzed or pushed."""
    combatant = context.state[command.actor]
    fell = is_down(combatant) and not was_prone
    if not is_able(combatant) or fell or combatant.at != here:
        context.emit(e.Said("log.stopped", command.actor), "SS-ZONE-08")
        return None
    return go_on(context, command)


def go_on(context: RuleContext, command: Move) -> Then | None:
    """Move on, after everything that could have stopped it."""
    return Then(walk, command) if is_map(context.state) else Then(arrive, command)


# ---------------------------------------------------------------- on a map


def _move_on_map(context: RuleContext, command: Move) -> Then | None:
    """Add 5 m to the pool for an action; then follow the path, if any. [SS-MAP-08] [SS-OTHER-04]"""
    who = command.actor
    pay(context, who, "move", "Moving", "SS-MAP-08")
    budget = context.state[who].budget
    more = {**budget, "metres": budget.get("metres", 0) + POOL_METERS}
    context.emit(e.BudgetSet(who, more), "SS-MAP-08")
    if not command.to:
        return None
    check_walk(context.state, command)
    return burn(context, who, _count_burns(context.state, command), (attempt, command))


def _count_burns(state: State, command: Move) -> int:
    return count_cost(state, state[command.actor], _way(state, command))


def _way(state: State, command: Move) -> tuple[Point, ...]:
    combatant = state[command.actor]
    if command.to.startswith("away:"):
        cells = find_clear(state, combatant, find_cells(state, find_path(state, combatant, command.to)))
        return shorten(state, combatant, (cells[0], cells[-1]))
    path = find_route(state, combatant, command.to)
    if not command.far:
        return path
    if not are_in_the_way(state):
        return shorten(state, combatant, path)
    return find_paid(state, combatant, path)


def check_walk(state: State, command: Move) -> tuple[Point, ...]:
    """Refuse a path longer than what is left of the pool. [SS-MAP-06] [SS-MAP-07] [SS-FREE-06]"""
    combatant = state[command.actor]
    if find_option(state, "prone_crawl") == "none":
        KINDS.check(combatant, "walking")
    path = _way(state, command)
    cost, left = count_cost(state, combatant, path), combatant.budget.get("metres", 0)
    if cost > left:
        away = f"it takes {cost} m, {combatant.name} has {left} m left"
        raise Refused("out_of_range", f"Too far: {away}. A Move adds {POOL_METERS} m.")
    check_room(state, combatant, path[-1], hexes=has_hexes(state))
    return path


def walk(context: RuleContext, command: Move) -> None:
    """Follow the path and take its cost from the pool. [SS-MAP-07]"""
    who = command.actor
    combatant = context.state[who]
    path = check_walk(context.state, command)
    cost = count_cost(context.state, combatant, path)
    spend(context, who, {"metres": cost}, "Moving", "SS-MAP-07")
    grounded = tuple(on_ground(context.state.scene, point) for point in path)
    zone = name_zone(context.state.scene, grounded[-1])
    meters = len(find_cells(context.state, path)) - 1
    how = command.how[:40] or "how.moves"
    context.emit(e.Moved(who, grounded, float(meters), float(cost), how, zone), "SS-MAP-07")


# ---------------------------------------------------------------- Free Move


def free_move(context: RuleContext, command: Go) -> Then | None:
    """Move in the zone, or in pieces from the pool of 5 m. [SS-FREE-05] [SS-FREE-06] [SS-ZONE-04]"""
    who = command.actor
    if is_map(context.state):
        way = as_move(command)
        check_walk(context.state, way)
        return burn(context, who, _count_burns(context.state, way), (attempt, way))
    if crosses(context.state, command):
        return _cross_freely(context, command)
    _step_inside(context, command)
    return None


def as_move(command: Go) -> Move:
    """The same path as a Move."""
    return Move(
        actor=command.actor,
        to=command.to,
        far=command.far,
        adjust=command.adjust,
        because=command.because,
    )


def crosses(state: State, command: Go) -> bool:
    """Whether the goal is another zone by its name."""
    kind, name = _split(command.to)
    return kind == "zone" and name != zone_id(state, state[command.actor])


def check_free_move(state: State, actor: str) -> None:
    """RULING R28: Refuse it out of turn, except in zones. RULING R21: the prone crawl."""
    when = find_option(state, "free_move_out_of_turn")
    allowed = when == "always" or (when == "zones_only" and not is_map(state))
    if not is_acting(state, actor) and not allowed:
        raise Refused("not_your_turn", "Free Move waits for your own turn here.")
    combatant = state[actor]
    if find_option(state, "prone_crawl") == "none":
        KINDS.check(combatant, "walking")


def _cross_freely(context: RuleContext, command: Go) -> Then | None:
    """RULING R21: Cross a border, only if the table lets Free Move do that, once per cycle."""
    who = command.actor
    if find_option(context.state, "free_move_crosses_zone") == "no":
        text = "Another zone takes a Move: Free Move stays inside the zone."
        raise Refused("no_budget", text)
    way = as_move(command)
    check_move(context.state, way)
    if count_moves(context.state, way) > 1:
        raise Refused("no_budget", "That border takes more than one Move: use Move.")
    if has_used_free(context.state[who], "free_move"):
        raise Refused("no_budget", "Free Move has crossed a border already: use Move.")
    take_free(context, who, "free_move", "SS-FREE-05")
    return Then(break_away, way)


def _step_inside(context: RuleContext, command: Go) -> None:
    """Go to another place in the same zone, at no cost. [SS-ZONE-04]"""
    who = command.actor
    combatant = context.state[who]
    path = find_path(context.state, combatant, command.to)
    here, there = zone_of(context.state, combatant), find_zone(context.state.scene, path[-1])
    if there != here:
        raise Refused("no_budget", "That is in another zone: use Move.")
    spot = replace(path[-1], z=combatant.at.z)
    name, how = (here.name, "how.keeps") if here else ("", "how.moves")
    context.emit(e.Moved(who, (combatant.at, spot), 0.0, 0.0, how, name), "SS-ZONE-04")


def find_reach(state: State, who: str) -> tuple[Reach, ...]:
    """The cells that the pool pays for with an action's meters. [SS-MAP-04] [SS-MAP-05] [SS-MAP-08]"""
    if not is_map(state):
        return ()
    combatant = state[who]
    left = combatant.budget.get("metres", 0) + POOL_METERS
    middle = Point(float(round(combatant.at.x)), float(round(combatant.at.y)))
    around = squares_around(state.scene, middle, 1.5 * left)
    free = find_free(state, combatant, around, hexes=has_hexes(state))
    paths = find_each(state, replace(combatant, at=middle), free, left)
    costs = ((way, count_cost(state, combatant, way)) for way in paths)
    return tuple(
        Reach(way[-1], float(cost), turns=find_turns(way), left=left - cost)
        for way, cost in costs
        if cost <= left
    )


def find_choosers(state: State, options: tuple[Choice, ...]) -> tuple[str, ...]:
    """Who chooses the enemy that strikes.  RULING R43

    A single enemy's player, else the players of a common side; the GM for opponents, and for enemies of
    several sides.
    """
    enemies = [state[who] for who in dict.fromkeys(option.value.partition("/")[0] for option in options)]
    if len(enemies) == 1:
        return (enemies[0].id,)
    players = tuple(enemy.id for enemy in enemies if enemy.pc)
    one_side = len({enemy.side for enemy in enemies}) == 1
    return players if players and one_side else (GM,)


def find_hardest(state: State, options: tuple[Choice, ...]) -> str:
    """The free attack that tactics choose: the weapon with the highest damage."""

    def mean(option: Choice) -> float:
        enemy, _, weapon = option.value.partition("/")
        return mean_damage(str(find_item(state[enemy], weapon).data["damage"]))

    return max(options, key=mean).value


def find_free_attacks(state: State, mover: str) -> tuple[Choice, ...]:
    """Every enemy with every weapon it can use on the mover now."""
    found = []
    for enemy in find_hostiles(state, state[mover]):
        if find_option(state, "free_attacks_per_round") == 1 and enemy.marks.get("free_round") == state.round:
            continue
        for item in enemy.items:
            if item.kind == "weapon" and allows(
                check_attack, state, Attack(actor=enemy.id, target=mover, weapon=item.id)
            ):
                found.append(Choice(f"{enemy.id}/{item.id}", f"{enemy.name} with {item.name}"))
    return tuple(found)
