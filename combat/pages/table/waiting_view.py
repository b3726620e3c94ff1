"""What a player wants to know until their turn: who acts, how long yet, what happened to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from combat.audience.changes import find_players
from combat.display.log_view import names_of
from combat.display.shapes.table_shapes import (
    CombatantView,
    Down,
    Helper,
    InLine,
    Person,
    Showing,
    Waiting,
    WaitingRoom,
)
from combat.models import Handout, Seat, StoredStep
from combat.play.writing.verification import read_step
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.words import say_people
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.loot import GIVEN
from combat.rules.core.odds.next_turn import with_full_budget
from combat.rules.core.sides import has_turns
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import State, has_condition, is_acting
from combat.rules.core.wording import describe
from combat.rules.core.wording.sentences import gather
from combat.sharing.viewer_context import ViewerContext

MAX_LINES, MAX_IN_LINE = 6, 6
AID = "aid"  # the kind of actions that heal
CHANGES = (e.TrackChanged, e.ConditionGained, e.ConditionEnded, e.ItemGained, e.ItemLost)
MAX_PEOPLE = 24


def view_waiting(
    context: ViewerContext, rows: Iterable[StoredStep], combatants: Mapping[str, CombatantView]
) -> Waiting | None:
    """The waiting view of a seat in a fight while none of its combatants acts; `rows` are newest first."""
    state, seats = context.known_state, context.viewer.seats
    mine = [who for who in combatants if who in seats]
    if not context.viewer.is_seated or not mine or state.phase != "fight":
        return None
    if any(is_acting(state, who) and not combatants[who].is_out for who in mine):
        return None
    names = {who: combatant.name for who, combatant in combatants.items() if combatant.active}
    acting = context.system.draw(say_people(names), names) if names else ""
    order = find_order(context.system, state)
    turns = [order.index(who) for who in mine if who in order and not combatants[who].is_out]
    lines = tuple(find_since(context, rows, set(mine)))
    kept = any(has_condition(state.combatants[who], *context.system.turn.keeps_turn) for who in mine)
    line = () if state.sharing else tuple(find_line(order, combatants, set(mine)))
    down = () if turns else tuple(find_down(context, order, combatants, mine))
    return Waiting(acting, min(turns, default=None), lines, kept=kept, line=line, down=down)


def find_order(system: System, state: State) -> list[str]:
    """The ids of the turn order from the active combatant on, without those who get no turn.

    Empty if the active combatant is not in it.
    """
    if state.active not in state.order:
        return []
    now = state.order.index(state.active)
    order = (*state.order[now:], *state.order[:now])
    known = [who for who in order if who in state.combatants]
    return [who for who in known if who == state.active or has_turns(system, state, state.combatants[who])]


def find_next(system: System, state: State) -> str:
    """The id of the next combatant to get a turn after those who act now; empty if there is none."""
    return next((who for who in find_order(system, state) if not is_acting(state, who)), "")


def find_line(
    order: Iterable[str], combatants: Mapping[str, CombatantView], mine: set[str]
) -> Iterator[InLine]:
    """The active combatant and the next ones of the turn order, as tokens."""
    known = [who for who in order if who in combatants]
    for place, who in enumerate(known[:MAX_IN_LINE]):
        own = who in mine
        label = "you" if own and len(mine) == 1 else combatants[who].name
        yield InLine(label if place else "now", replace(combatants[who].look, active=not place), own)


def find_down(
    context: ViewerContext, order: Sequence[str], combatants: Mapping[str, CombatantView], mine: Iterable[str]
) -> Iterator[Down]:
    """The viewer's own combatants who are out, each with who can help them."""
    for who in mine:
        one = combatants[who]
        if one.is_out:
            is_dead = context.system.characters.health(context.known_state.combatants[who]).dead
            helpers = () if is_dead else tuple(find_helpers(context, order, combatants, who))
            yield Down(
                who,
                one.name,
                one.look,
                health=one.health,
                helpers=helpers,
                dead=is_dead,
                chips=one.chips,
                sheet=one.sheet,
            )


def find_helpers(
    context: ViewerContext, order: Sequence[str], combatants: Mapping[str, CombatantView], who: str
) -> Iterator[Helper]:
    """The allies with an action that heals someone; those who can act without preparation first."""
    system, state = context.system, context.known_state
    side = state.combatants[who].side
    allies = [one for one in combatants if one != who and state.combatants[one].side == side]
    found = []
    for ally in allies:
        if has_turns(system, state, state.combatants[ally]) and (ways := find_aid(system, state, ally, who)):
            open_ways = {action: option for action, option in ways.items() if not option.refused} or ways
            option = next(iter(open_ways.values()))
            turns = order.index(ally) if ally in order else None
            one, look = combatants[ally], replace(combatants[ally].look, active=False)
            found.append(
                Helper(
                    one.full_name,
                    look,
                    tuple(open_ways),
                    distance=option.detail,
                    turns=turns,
                    obstacle=option.refused,
                )
            )
    yield from sorted(found, key=lambda one: (bool(one.obstacle), one.turns is None, one.turns))


def find_aid(system: System, state: State, ally: str, who: str) -> dict[str, Choice]:
    """What each healing action of an ally offers for someone, by the label of the action."""
    found = {}
    state = state if is_acting(state, ally) else with_full_budget(system, state, ally)
    for name, action in system.actions.by_name.items():
        if action.who == "gm" or not action.in_fight or system.kinds.of_action(name) != AID:
            continue
        targets = next((field for field in action.find_fields(state, ally) if field.name == "target"), None)
        option = next((one for one in targets.options if one.value == who), None) if targets else None
        if option:
            found[action.label] = option
    return found


def view_since(
    context: ViewerContext, rows: Iterable[StoredStep], combatants: Mapping[str, CombatantView]
) -> tuple[str, ...]:
    """What changed the viewer's combatants between their last turn and the present one, oldest first."""
    state = context.known_state
    mine = {who for who in combatants if who in context.viewer.seats}
    if (
        not context.viewer.is_seated
        or state.phase != "fight"
        or not any(is_acting(state, who) for who in mine)
    ):
        return ()
    return tuple(find_since(context, rows, mine, turns=1))


def find_since(
    context: ViewerContext, rows: Iterable[StoredStep], mine: set[str], turns: int = 0
) -> list[str]:
    """What changed these combatants since their last turn began, oldest first.

    With `turns`, so many of their turns are passed over, from the newest back.
    """
    names, found = names_of(context.known_state), list[str]()
    for fact in _find_facts(context, rows):
        event = fact.event
        if isinstance(event, e.TurnStarted | e.TurnShared) and event.who in mine:
            turns -= 1
            if turns < 0 or len(found) >= MAX_LINES:
                break
        elif turns <= 0 and isinstance(event, CHANGES) and event.who in mine:
            line = describe(context.system, fact, names)
            if line:
                found.append(line.text)
    return found[MAX_LINES - 1 :: -1]


def find_given(context: ViewerContext, rows: Iterable[StoredStep]) -> tuple[str, ...]:
    """What the viewer's combatants were given since the fight ended, newest first."""
    names, given = names_of(context.known_state), list[e.Fact]()
    for fact in _find_facts(context, rows):
        event = fact.event
        if isinstance(event, e.FightEnded):
            break
        if isinstance(event, e.Said) and event.key in GIVEN and event.who in context.viewer.seats:
            given.append(fact)
    lines = (describe(context.system, fact, names) for fact in _count_equal(given))
    return tuple(line.text for line in lines if line)[:MAX_LINES]


def _count_equal(given: Iterable[e.Fact]) -> Iterator[e.Fact]:
    """These facts, with the number of equal items from the same holder in one."""
    groups: dict[object, list[e.Fact]] = {}
    for place, fact in enumerate(given):
        is_item = isinstance(fact.event, e.Said) and "item" in fact.event.args
        groups.setdefault(str(fact.event) if is_item else place, []).append(fact)
    for fact, *more in groups.values():
        if more and isinstance(fact.event, e.Said):
            item = f"{fact.event.args['item']} × {len(more) + 1}"
            yield replace(fact, event=replace(fact.event, args={**fact.event.args, "item": item}))
        else:
            yield fact


def _find_facts(context: ViewerContext, rows: Iterable[StoredStep]) -> Iterator[e.Fact]:
    """The facts of these steps that the viewer may know, newest first."""
    for row in rows:
        if row.kind == COMMAND and not row.struck:
            yield from reversed(list(gather(context.viewer.select(read_step(row).facts))))


# The waiting room: before a fight, and in a fight for a player who has no part in it yet.


def view_room(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> WaitingRoom | None:
    """The people at the table, while a viewer waits with them; None for spectators and for those who play."""
    if not _waits(context, combatants):
        return None
    mine = context.seat.pk if context.seat else 0
    seats = find_players(context.encounter.pk)
    people = [_view_person(context, seat, combatants, seat.pk == mine) for seat in seats]
    people.sort(key=lambda person: not person.is_you)
    return WaitingRoom(
        gm=context.encounter.owner.get_username(),
        people=tuple(people[:MAX_PEOPLE]),
        others=len(people[MAX_PEOPLE:]),
        ready=sum(person.ready for person in people),
        total=len(people),
        asks=context.known_state.phase == "prep",
        you=next((person for person in people if person.is_you), None),
    )


def _waits(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> bool:
    viewer, phase = context.viewer, context.known_state.phase
    if viewer.is_spectator or context.encounter.downtime:
        return False
    if phase == "prep":
        return True
    return viewer.is_seated and phase == "fight" and not any(who in viewer.seats for who in combatants)


def _view_person(
    context: ViewerContext, seat: Seat, combatants: Mapping[str, CombatantView], is_you: bool
) -> Person:
    """A player with the first player character of theirs that the viewer knows.

    Who plays one of the GM's combatants is told to the GM alone.
    """
    known = [combatants[who] for who in seat.combatants if who in combatants]
    played = next((one for one in known if one.pc), known[0] if known and context.viewer.is_gm else None)
    name, look = (played.full_name, played.look) if played else ("", None)
    return Person(seat.name, name, look, face=seat.face, ready=seat.ready, is_you=is_you)


def view_showing(handout: Handout) -> Showing:
    """A handout as the waiting room shows it."""
    return Showing(
        handout.pk,
        handout.title,
        handout.text,
        digest=handout.digest,
        width=handout.width,
        height=handout.height,
    )
