"""Moving: from zone to zone, inside a zone, or over a map from the pool; and breaking away."""

from __future__ import annotations

from typing import Literal

from ..core import events as e
from ..core.commands import Command, Preview
from ..core.errors import Refused
from ..core.gm import free_spot
from ..core.modifiers import Modifier, Modifiers
from ..core.requests import GM, Choice
from ..core.space import Point, find_zone, on_ground
from ..core.state import Combatant, State, find_item, has_condition, is_acting, replace
from ..core.table import Table, Then
from ..core.turns import spend
from .aim import Attack, Swing, check_attack, mean_damage
from .attack import strike
from .doses import burn
from .economy import check_declared, has_used_free, pay, take_free
from .falling import drop_down
from .paths import count_cost, find_cells, find_path, shorten
from .place import (
    count_metres,
    find_goal_zone,
    find_hostiles,
    find_neighbours,
    has_ground,
    is_map,
    zone_id,
    zone_of,
)
from .rolls import DICE, action_penalty, adjusted, assist_terms, check_terms, roll_check, use_assist
from .sheet import find_option, is_able
from .tables import EASIEST, HARDEST, LEAVING_DIFFICULTY, POOL_METRES, TOUCH_METRES

NOBODY = "none"


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[SS-OTHER-04] [SS-OTHER-05] [SS-OTHER-06] `to` is zone:ID; on a map also near:FIGHTER,
    away:FIGHTER or points "x,y; x,y" in metres, or nothing to gain metres alone.

    `how` names the way of moving, `difficulty` a check the GM asks for; `jump` drops down to a
    lower zone; `far` goes as far as the pool allows.
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


def move(table: Table, command: Move) -> Then | None:
    """[SS-OTHER-04] [SS-OTHER-05] One Move: to the next zone, or 5 m more on a map."""
    check_declared(table.state, command.actor)
    check_difficulty(command)
    if is_map(table.state):
        return _move_on_map(table, command)
    check_move(table.state, command)
    cost = count_moves(table.state, command)
    pay(table, command.actor, "move", "Moving", "SS-ZONE-05", count=cost)
    return burn(table, command.actor, 1, (attempt, command))


def check_difficulty(command: Move) -> None:
    """[SS-OTHER-08] Refuse impossible numbers; 0 asks for no check."""
    if command.difficulty and not EASIEST <= command.difficulty <= HARDEST:
        raise Refused("bad_value", f"A difficulty is {EASIEST} to {HARDEST}, or 0 for no check.")


def check_move(state: State, command: Move) -> None:
    """[SS-OTHER-05] Refuse a way that one Move does not lead; the prone cannot cross a border."""
    fighter, kind, name = state[command.actor], *_split(command.to)
    if kind != "zone":
        raise Refused("bad_value", "Choose the zone to move to; inside the zone Free Move is enough.")
    goal, here = find_goal_zone(state, name), zone_id(state, fighter)
    if goal.id == here:
        raise Refused("not_allowed", f"{fighter.name} is there: moving inside a zone is free (Free Move).")
    if here and goal.id not in find_neighbours(state.scene, here):
        text = f"{goal.name} is not next to {fighter.name}'s zone: one Move goes to a zone linked to it."
        raise Refused("out_of_range", text)
    check_crossing(state, fighter)


def check_crossing(state: State, fighter: Combatant) -> None:
    """RULING R21: the prone may crawl inside the zone, not out of it."""
    if has_condition(fighter, "prone") and find_option(state, "prone_crawl") != "normal":
        raise Refused("not_allowed", f"{fighter.name} is prone: stand up before leaving the zone.")


def _split(to: str) -> tuple[str, str]:
    kind, _, name = to.partition(":")
    return kind, name


def count_moves(state: State, command: Move) -> int:
    """[SS-ZONE-05] [SS-OTHER-07] The Moves a border takes: 1, or 2 into difficult ground.

    RULING R41: a link may count for more than one.
    """
    goal = find_goal_zone(state, _split(command.to)[1])
    steps = find_neighbours(state.scene, zone_id(state, state[command.actor])).get(goal.id, 1)
    return steps * (2 if has_ground(goal, "difficult") else 1)


def attempt(table: Table, command: Move) -> Then | None:
    """[SS-OTHER-08] A check the GM asks for; failing it spends the Move.  RULING R21"""
    if not is_able(table.state[command.actor]):
        return None
    if command.difficulty:
        terms = terms_for_going(table.state, command)
        what = command.how[:40] or "move"
        result = roll_check(
            table,
            command.actor,
            terms,
            command.difficulty,
            rule="SS-OTHER-08",
            what=what,
            again=command.using,
        )
        use_assist(table, command.actor, command.using, "Move")
        if not result.good:
            _lose_metres(table, command.actor)
            return None
    return Then(break_away, command)


def _lose_metres(table: Table, who: str) -> None:
    """RULING R21: the Move is spent, and on a map what it added to the pool with it."""
    budget = table.state[who].budget
    if "metres" in budget:
        less = {**budget, "metres": max(0, budget["metres"] - POOL_METRES)}
        table.tell(e.BudgetSet(who, less), "SS-OTHER-08")


def terms_for_going(state: State, command: Move, paid: bool = True) -> Modifiers:
    """[SS-OTHER-08] Dex or Str and Move, with the Action Penalty."""
    fighter = state[command.actor]
    terms = (
        *check_terms(state, fighter, command.using, "Move", "SS-OTHER-08"),
        *action_penalty(state, fighter, paid),
        *assist_terms(state, fighter, command.using, "Move"),
    )
    return adjusted(command, terms, "SS-OTHER-08")


def terms_for_leaving(state: State, command: Move, paid: bool = True) -> Modifiers:
    """[SS-ZONE-07] Dex and Move; the check is part of the Move.  RULING R42"""
    fighter = state[command.actor]
    applies = find_option(state, "leave_check_penalty") == "applies"
    terms = (
        *check_terms(state, fighter, "dex", "Move", "SS-ZONE-07"),
        *(action_penalty(state, fighter, paid) if applies else ()),
        *assist_terms(state, fighter, "dex", "Move"),
    )
    return terms if command.difficulty else adjusted(command, terms, "SS-ZONE-07")


def arrive(table: Table, command: Move) -> Then | None:
    """[SS-ZONE-05] Into the next zone; a jump down may hurt."""
    who = command.actor
    fighter, goal = table.state[who], find_goal_zone(table.state, _split(command.to)[1])
    here = zone_of(table.state, fighter)
    spot = free_spot(table.state, goal.id)
    how = command.how[:40] or "moves"
    table.tell(e.Moved(who, (fighter.at, spot), 0.0, 0.0, how, goal.name), "SS-ZONE-05")
    metres = int((here.height if here else 0) - goal.height)
    if command.jump and metres > 0:
        return drop_down(table, who, metres, deliberate=True)
    return None


# ---------------------------------------------------------------- breaking away


def break_away(table: Table, command: Move) -> Then | None:
    """[SS-ZONE-07] Leaving a zone with hostile combatants: Dex + Move against 10, one check.

    [SS-ZONE-10] Without any there is none.  RULING R42: before moving.
    """
    if not find_left_behind(table.state, command):
        return go_on(table, command)
    terms = terms_for_leaving(table.state, command)
    result = roll_check(
        table,
        command.actor,
        terms,
        LEAVING_DIFFICULTY,
        rule="SS-ZONE-07",
        what="breaking away",
        again="dex",
    )
    use_assist(table, command.actor, "dex", "Move")
    if result.good:
        return go_on(table, command)
    return Then(free_attack, command)


def find_left_behind(state: State, command: Move) -> list[Combatant]:
    """[SS-ZONE-07] The hostiles a way leads away from; on a map those left by more than 1 m.

    RULING R45
    """
    fighter = state[command.actor]
    hostiles = find_hostiles(state, fighter)
    if not hostiles or not is_map(state):
        return hostiles
    goal = _way(state, command)[-1]
    return [foe for foe in hostiles if count_metres(state, goal, foe.at) > TOUCH_METRES]


def free_attack(table: Table, command: Move) -> Then | None:
    """[SS-ZONE-08] One enemy of the zone attacks at once; [SS-ZONE-09] with no Action Penalty.

    RULING R43: chosen by its side, with any weapon held, before the mover is gone.
    """
    options = find_free_attacks(table.state, command.actor)
    if not options:
        return go_on(table, command)
    enemies = {option.value.partition("/")[0] for option in options}
    asked = next(iter(enemies)) if len(enemies) == 1 else GM
    name = table.state[command.actor].name
    answers = (*options, Choice(NOBODY, "no attack"))
    default = find_hardest(table.state, options)
    question = f"Who attacks {name}, who breaks away?"
    chosen = table.ask(asked, question, answers, rule="SS-ZONE-08", default=default)
    if chosen == NOBODY:
        return go_on(table, command)
    enemy, _, weapon = chosen.partition("/")
    table.tell(e.Marked(enemy, "free_round", table.state.round), "SS-ZONE-08", e.GM_ONLY)
    blow = Attack(actor=enemy, target=command.actor, weapon=weapon)
    mover = table.state[command.actor]
    onward = (get_away, command, mover.at, has_condition(mover, "prone"))
    return Then(strike, Swing(command=blow, free=True, onward=onward))


def find_hardest(state: State, options: tuple[Choice, ...]) -> str:
    """What tactics choose for a free attack: the weapon with the highest damage."""

    def mean(option: Choice) -> float:
        enemy, _, weapon = option.value.partition("/")
        return mean_damage(find_item(state[enemy], weapon))

    return max(options, key=mean).value


def find_free_attacks(state: State, mover: str) -> tuple[Choice, ...]:
    """Every enemy with every weapon it could use on the mover now."""
    found = []
    for enemy in find_hostiles(state, state[mover]):
        if find_option(state, "free_attacks_per_round") == 1 and enemy.marks.get("free_round") == state.round:
            continue
        for item in enemy.items:
            if item.kind == "weapon" and _allows(state, enemy.id, mover, item.id):
                found.append(Choice(f"{enemy.id}/{item.id}", f"{enemy.name} with {item.name}"))
    return tuple(found)


def _allows(state: State, enemy: str, mover: str, weapon: str) -> bool:
    try:
        check_attack(state, Attack(actor=enemy, target=mover, weapon=weapon))
    except Refused:
        return False
    return True


def get_away(table: Table, command: Move, here: Point, was_prone: bool) -> Then | None:
    """RULING R43: who was knocked out, knocked down, paralyzed or pushed does not get away."""
    fighter = table.state[command.actor]
    fell = has_condition(fighter, "prone") and not was_prone
    if not is_able(fighter) or fell or fighter.at != here:
        table.tell(e.Said("{who} does not get away.", command.actor), "SS-ZONE-08")
        return None
    return go_on(table, command)


def go_on(table: Table, command: Move) -> Then | None:
    """The way itself, after everything that could have stopped it."""
    return Then(walk, command) if is_map(table.state) else Then(arrive, command)


# ---------------------------------------------------------------- on a map


def _move_on_map(table: Table, command: Move) -> Then | None:
    """[SS-MAP-08] [SS-OTHER-04] An action adds 5 m to the pool; then go along the way, if any."""
    who = command.actor
    pay(table, who, "move", "Moving", "SS-MAP-08")
    budget = table.state[who].budget
    more = {**budget, "metres": budget.get("metres", 0) + POOL_METRES}
    table.tell(e.BudgetSet(who, more), "SS-MAP-08")
    if not command.to:
        return None
    check_walk(table.state, command)
    return burn(table, who, _count_burns(table.state, command), (attempt, command))


def _count_burns(state: State, command: Move) -> int:
    return count_cost(state, state[command.actor], _way(state, command))


def _way(state: State, command: Move) -> tuple[Point, ...]:
    fighter = state[command.actor]
    path = find_path(state, fighter, command.to)
    return shorten(state, fighter, path) if command.far or command.to.startswith("away:") else path


def check_walk(state: State, command: Move) -> tuple[Point, ...]:
    """[SS-MAP-06] [SS-MAP-07] [SS-FREE-06] Refuse a way longer than what is left of the pool."""
    fighter = state[command.actor]
    if has_condition(fighter, "prone") and find_option(state, "prone_crawl") == "none":
        raise Refused("not_allowed", f"{fighter.name} is prone: stand up first.")
    path = _way(state, command)
    cost, left = count_cost(state, fighter, path), fighter.budget.get("metres", 0)
    if cost > left:
        away = f"that way takes {cost} m, {fighter.name} has {left} m left"
        raise Refused("out_of_range", f"Too far: {away}. A Move adds {POOL_METRES} m.")
    return path


def walk(table: Table, command: Move) -> None:
    """[SS-MAP-07] Go along the way and take it from the pool."""
    who = command.actor
    fighter = table.state[who]
    path = check_walk(table.state, command)
    cost = count_cost(table.state, fighter, path)
    spend(table, who, {"metres": cost}, "Moving", "SS-MAP-07")
    grounded = tuple(on_ground(table.state.scene, point) for point in path)
    zone = find_zone(table.state.scene, grounded[-1])
    metres = len(find_cells(table.state, path)) - 1
    how = command.how[:40] or "moves"
    table.tell(
        e.Moved(who, grounded, float(metres), float(cost), how, zone.name if zone else ""), "SS-MAP-07"
    )


# ---------------------------------------------------------------- Free Move


def free_move(table: Table, command: Go) -> Then | None:
    """[SS-FREE-05] [SS-FREE-06] [SS-ZONE-04] Inside the zone, or from the pool of 5 m, in pieces."""
    who = command.actor
    check_free_move(table.state, who)
    if is_map(table.state):
        way = Move(actor=who, to=command.to, far=command.far)
        check_walk(table.state, way)
        return burn(table, who, _count_burns(table.state, way), (attempt, way))
    kind, name = _split(command.to)
    if kind == "zone" and name != zone_id(table.state, table.state[who]):
        return _cross_freely(table, command)
    _step_inside(table, command)
    return None


def check_free_move(state: State, actor: str) -> None:
    """RULING R28: out of turn only in zones; RULING R21: the prone crawl."""
    when = find_option(state, "free_move_out_of_turn")
    allowed = when == "always" or (when == "zones_only" and not is_map(state))
    if not is_acting(state, actor) and not allowed:
        raise Refused("not_your_turn", "Free Move waits for one's own turn here.")
    fighter = state[actor]
    if has_condition(fighter, "prone") and find_option(state, "prone_crawl") == "none":
        raise Refused("not_allowed", f"{fighter.name} is prone: stand up first.")


def _cross_freely(table: Table, command: Go) -> Then | None:
    """RULING R21: only where the table lets Free Move cross a border, one time per cycle."""
    who = command.actor
    if find_option(table.state, "free_move_crosses_zone") == "no":
        text = "Crossing into another zone takes a Move: Free Move stays inside the zone."
        raise Refused("no_budget", text)
    way = Move(actor=who, to=command.to)
    check_move(table.state, way)
    if count_moves(table.state, way) > 1:
        raise Refused("no_budget", "That border takes more than one Move: Free Move does not cross it.")
    if has_used_free(table.state[who], "free_move"):
        raise Refused("no_budget", "Free Move has crossed a border already; a Move crosses the next.")
    take_free(table, who, "free_move", "SS-FREE-05")
    return Then(break_away, way)


def _step_inside(table: Table, command: Go) -> None:
    """[SS-ZONE-04] To another place of the same zone, at no cost."""
    who = command.actor
    fighter = table.state[who]
    path = find_path(table.state, fighter, command.to)
    here, there = zone_of(table.state, fighter), find_zone(table.state.scene, path[-1])
    if there != here:
        raise Refused("no_budget", "That is in another zone: a Move crosses the border.")
    spot = replace(path[-1], z=fighter.at.z)
    name = here.name if here else ""
    table.tell(e.Moved(who, (fighter.at, spot), 0.0, 0.0, "moves inside", name), "SS-ZONE-04")


# ---------------------------------------------------------------- previews


def preview_move(state: State, command: Move) -> Preview:
    """The check of breaking away, if there is one, and what the way costs."""
    check_difficulty(command)
    if is_map(state):
        return Preview(notes=(f"+{POOL_METRES} m for one action",))
    check_move(state, command)
    cost = count_moves(state, command)
    notes = (f"{cost} Move{'s' if cost > 1 else ''}",)
    fighter = state[command.actor]
    if not command.difficulty and not find_hostiles(state, fighter):
        return Preview(notes=notes)
    if command.difficulty:
        number = Modifier("Difficulty", command.difficulty, "SS-OTHER-08")
        return Preview(terms_for_going(state, command, False), (number,), "Difficulty", DICE, notes)
    number = Modifier("Difficulty", LEAVING_DIFFICULTY, "SS-ZONE-07")
    return Preview(terms_for_leaving(state, command, False), (number,), "Difficulty", DICE, notes)
