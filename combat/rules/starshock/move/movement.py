"""Movement: from zone to zone, inside a zone, or over a map from the pool; and breaking away."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import (
    Command,
    Field,
    FindBrief,
    Preview,
    adjusted,
    as_command,
    first_open,
    folded_field,
    number_field,
)
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.spots import free_spot
from combat.rules.core.gm.ways import check_trip, find_course
from combat.rules.core.map.moving import Course
from combat.rules.core.space import Point, find_zone, find_zone_id
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, is_acting, present, replace
from combat.rules.core.turn.turns import spend

from ..body.doses import burn
from ..book.options import find_option
from ..book.tables import LEAVING_DIFFICULTY, POOL_METERS, ZONE_METERS
from ..characters.conditions import KINDS, is_down
from ..characters.sheet import features_of, is_able
from ..dice import DICE, action_penalty, assist_terms, check_terms, roll_check, use_assist
from ..fight.aim import Attack, Swing
from ..fight.attack import strike
from ..hazards import count_fall_dice
from ..world.acting import TABLE, act
from ..world.economy import check_declared, has_used_free, pay, take_free
from ..world.paths import count_fall, find_path
from ..world.place import find_goal_zone, is_map, zone_id, zone_of
from ..world.sight_lines import find_arm
from .mover import MOVER, name_walk
from .ways import (
    NOBODY,
    WAY,
    WAY_RULE,
    Move,
    check_difficulty,
    check_move,
    check_walk,
    count_burns,
    count_meters_down,
    count_moves,
    far_fields,
    find_border_course,
    find_choosers,
    find_free_attacks,
    find_free_reach,
    find_hardest,
    find_left_behind,
    find_map_course,
    find_reach,
    jump_field,
    map_places,
    split_goal,
    zone_places,
)

# ---------------------------------------------------------------- the Move action


def move(context: RuleContext, command: Move) -> Then | None:
    """One Move: to the next zone, or 5 m more on a map. [SS-OTHER-04] [SS-OTHER-05]"""
    check_declared(context.state, command.actor)
    check_difficulty(command)
    if is_map(context.state):
        return _move_on_map(context, command)
    check_move(context.state, command)
    cost = count_moves(context.state, command)
    pay(context, command.actor, "move", on="Moving", rule="SS-ZONE-05", count=cost)
    return burn(context, command.actor, 1, (attempt, command))


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
        *check_terms(state, combatant, command.using, skill="Move", rule="SS-OTHER-08"),
        *action_penalty(state, combatant, paid),
        *assist_terms(state, combatant, command.using, "Move"),
    )
    return adjusted(command, terms, "SS-OTHER-08")


def terms_for_leaving(state: State, command: Move, paid: bool = True) -> Modifiers:
    """Dex and Move; the check is part of the Move. [SS-ZONE-07]  RULING R42"""
    combatant = state[command.actor]
    applies = find_option(state, "leave_check_penalty") == "applies"
    terms = (
        *check_terms(state, combatant, "dex", skill="Move", rule="SS-ZONE-07"),
        *(action_penalty(state, combatant, paid) if applies else ()),
        *assist_terms(state, combatant, "dex", "Move"),
    )
    return terms if command.difficulty else adjusted(command, terms, "SS-ZONE-07")


def arrive(context: RuleContext, command: Move) -> None:
    """Enter the next zone; a jump down may hurt. [SS-ZONE-05]"""
    goal = find_goal_zone(context.state, split_goal(command.to)[1])
    spot = free_spot(context, goal.id, context.state[command.actor])
    MOVER.go(context, find_border_course(context.state, command, spot))


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
    if command.to.startswith(WAY):
        return Then(climb, command)
    return Then(walk, command) if is_map(context.state) else Then(arrive, command)


def climb(context: RuleContext, command: Move) -> Then | None:
    """Come out at the other end of a way to another deck. [SS-OTHER-04]"""
    state, who = context.state, command.actor
    trip = check_trip(state, who, command.to.removeprefix(WAY), find_arm(state))
    MOVER.go(context, find_course(state, who, trip, WAY_RULE))
    return burn(context, who)


# ---------------------------------------------------------------- on a map


def _move_on_map(context: RuleContext, command: Move) -> Then | None:
    """Add 5 m to the pool for an action; then follow the path, if any. [SS-MAP-08] [SS-OTHER-04]"""
    who = command.actor
    pay(context, who, "move", on="Moving", rule="SS-MAP-08")
    budget = context.state[who].budget
    more = {**budget, "metres": budget.get("metres", 0) + POOL_METERS}
    context.emit(e.BudgetSet(who, more), "SS-MAP-08")
    if not command.to:
        return None
    check_walk(context.state, command)
    return burn(context, who, count_burns(context.state, command), (attempt, command))


def walk(context: RuleContext, command: Move) -> None:
    """Follow the path and take its cost from the pool. [SS-MAP-07]"""
    course = find_map_course(context.state, command, check_walk(context.state, command))
    spend(context, command.actor, {"metres": int(course.cost)}, on="Moving", rule="SS-MAP-07")
    MOVER.go(context, course)


# ---------------------------------------------------------------- Free Move


def preview_move(state: State, command: Move) -> Preview:
    """The check of breaking away, if there is one, and the cost of the path."""
    check_difficulty(command)
    if is_map(state):
        return _preview_on_map(_with_pool(state, command.actor), command)
    check_move(state, command)
    notes = (say("note.moves", n=count_moves(state, command)), *_describe_drop(state, command))
    return preview_way(state, command, notes, paid=False)


def _describe_drop(state: State, command: Move) -> tuple[Label, ...]:
    """The dice of a drop on purpose into a lower zone.  [SS-FALL-04]"""
    if not command.jump:
        return ()
    meters = count_meters_down(state, command)
    if meters <= 0:
        return (say("note.no_drop", zone=find_goal_zone(state, split_goal(command.to)[1]).name),)
    return (describe_fall(state, command.actor, meters),)


def describe_fall(state: State, who: str, meters: float) -> Label:
    """The dice of a drop on purpose.  [SS-FALL-04]"""
    dice = count_fall_dice(state, meters, deliberate=True)
    points = f"{dice}" if any(f.fall_die for f in features_of(state[who])) else f"{dice}d6"
    return say("note.drop" if dice else "note.safe_drop", metres=meters, dice=points)


def _with_pool(state: State, actor: str) -> State:
    """The state with the meters that a Move adds to the pool.  [SS-MAP-08]"""
    budget = state[actor].budget
    more = replace(state[actor], budget={**budget, "metres": budget.get("metres", 0) + POOL_METERS})
    return replace(state, combatants={**state.combatants, actor: more})


def _preview_on_map(state: State, command: Move) -> Preview:
    gain = say("note.gain", metres=POOL_METERS)
    if not command.to:
        return Preview(notes=(gain,))
    return preview_way(state, command, (gain, *describe_path(state, command)), paid=False)


def describe_path(state: State, command: Move) -> tuple[Label, ...]:
    """The meters that a path takes, those left, and the dice of a jump."""
    combatant = state[command.actor]
    course = find_map_course(state, command, check_walk(state, command))
    cost = say("note.metres", cost=int(course.cost), left=combatant.budget.get("metres", 0))
    if not command.jump:
        return (cost,)
    return (cost, describe_fall(state, command.actor, count_fall(state, course.path)))


def preview_way(state: State, command: Move, notes: tuple[Label, ...], paid: bool) -> Preview:
    """The first check of a path: the one the GM asks for, or that of breaking away."""
    leaves = bool(find_left_behind(state, command))
    if command.difficulty:
        more = (say("note.then_leave", difficulty=LEAVING_DIFFICULTY),) if leaves else ()
        number = Modifier("term.difficulty", command.difficulty, "SS-OTHER-08")
        terms = terms_for_going(state, command, paid)
        return Preview(terms, (number,), "against.difficulty", dice=DICE, notes=(*notes, *more))
    if not leaves:
        return Preview(notes=notes)
    number = Modifier("term.difficulty", LEAVING_DIFFICULTY, "SS-ZONE-07")
    return Preview(
        terms_for_leaving(state, command, paid), (number,), "against.difficulty", dice=DICE, notes=notes
    )


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a Move: a zone next to the actor's, perhaps by a drop, or a path on the map."""
    options = map_places(state, actor) if is_map(state) else zone_places(state, actor)
    value = "" if is_map(state) else first_open(options)
    hint = "5 m more; blank: only gain them" if is_map(state) else "one Move per border"
    keys = (Choice("dex", "Dex"), Choice("str", "Str"))
    return (
        Field("to", "Where to", "place", options=options, value=value, help=hint, required=not is_map(state)),
        folded_field("how", "How", "text", help="runs, climbs, swims…", rule="SS-OTHER-06"),
        number_field(
            "difficulty",
            "Check vs",
            0,
            low=0,
            high=30,
            help="0: no check",
            rule="SS-OTHER-08",
            required=False,
            more=True,
        ),
        folded_field("using", "With", "choice", options=keys, value="dex", rule="SS-OTHER-08"),
        *(far_fields(state) if is_map(state) else (jump_field(),)),
    )


def name_meters(on_map: str) -> FindBrief:
    """The words of a move: its meters on a map, else those of the row."""
    return lambda words, state, combatant: on_map.format(metres=ZONE_METERS) if is_map(state) else words


# Free Move: within the zone or with the pool, and breaking away with it.


class Go(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Free Move: inside the zone, or over the map from the pool, where a `jump` leads over an edge."""

    to: str
    far: bool = False
    jump: bool = False


def free_move(context: RuleContext, command: Go) -> Then | None:
    """Move in the zone, or in pieces from the pool of 5 m. [SS-FREE-05] [SS-FREE-06] [SS-ZONE-04]"""
    who = command.actor
    if is_map(context.state):
        way = as_command(Move, command)
        check_walk(context.state, way)
        return burn(context, who, count_burns(context.state, way), (attempt, way))
    if crosses(context.state, command):
        return _cross_freely(context, command)
    _step_inside(context, command)
    return None


def crosses(state: State, command: Go) -> bool:
    """Whether the goal is another zone by its name."""
    kind, name = split_goal(command.to)
    return kind == "zone" and find_zone_id(state.scene, name) != zone_id(state, state[command.actor])


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
    way = as_command(Move, command)
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
    spot = replace(path[-1], z=combatant.at.z, shift=combatant.at.shift)
    how = "how.keeps" if here else "how.moves"
    way = name_walk(combatant)
    MOVER.go(context, Course(who, (combatant.at, spot), way, "SS-ZONE-04", how, meters=0.0))


def free_move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of Free Move."""
    options = map_places(state, actor) if is_map(state) else inner_places(state, actor)
    return (
        Field("to", "Where to", "place", options=options, value=first_open(options)),
        *(far_fields(state) if is_map(state) else ()),
    )


def inner_places(state: State, actor: str) -> tuple[Choice, ...]:
    """Places inside the actor's own zone: next to the others there.  [SS-ZONE-04]"""
    combatant = state[actor]
    here = zone_id(state, combatant)
    others = [f for f in present(state) if f.id != actor and zone_id(state, f) == here]
    centre = (Choice(f"zone:{here}", "the middle of the zone"),) if here else ()
    return (*(Choice(f"near:{f.id}", f"next to {f.name}") for f in others), *centre)


def preview_free_move(state: State, command: Go) -> Preview:
    """The pool that the path takes, and the check of breaking away if there is one."""
    check_free_move(state, command.actor)
    way = as_command(Move, command)
    if is_map(state):
        return preview_way(state, way, describe_path(state, way), paid=True)
    return preview_way(state, way, (), paid=True) if crosses(state, command) else Preview()


ACTIONS = (
    act(
        "move",
        move,
        fields=move_fields,
        preview=preview_move,
        reach=find_reach,
        brief=name_meters("{metres} m more"),
    ),
    TABLE.act(
        "free_move",
        free_move,
        check_free_move,
        fields=free_move_fields,
        preview=preview_free_move,
        reach=find_free_reach,
        brief=name_meters("Up to {metres} m"),
        on_turn=False,
    ),
)
