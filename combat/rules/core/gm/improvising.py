"""Improvised acts: what no button has. The GM rules what is rolled, what it costs and what follows.

An act is rolled by the game's own check, and paid by its own turn. What follows are decisions of the GM that
exist without it too: each ending is a list of them, done in one step with the roll.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ..basics.checking import tidy
from ..basics.dice.dice import parse_dice
from ..basics.errors import Refused, why_refused
from ..basics.modifiers import Modifier, add_up
from ..basics.numbers import read_whole
from ..basics.words import possessive, say_number
from ..commands.commands import Command, read_command
from ..commands.context import Again, RuleContext, Then
from ..declaration.improvising import Cost, Improvising
from ..declaration.system import System, system_of
from ..space import Zone
from ..state import events as e
from ..state.rulings import HELP, ME, NEXT_ROLL, RULING, THEM, CheckFields, Effect, Ruling
from ..state.state import (
    SURRENDERED,
    Combatant,
    OwnCondition,
    State,
    Until,
    has_condition,
    is_acting,
    replace,
)
from ..turn.turns import add_condition, remove_conditions
from .battle_map import SetDoor, set_door
from .clocks import TickClock, tick_clock
from .counters import TickCounter, tick_counter
from .decisions import (
    MAX_TURNS,
    AdjustTrack,
    GiveCondition,
    GmCommand,
    Place,
    Rename,
    Target,
    adjust_track,
    clean_name,
    give_condition,
    place,
    put,
    remove,
    rename,
    surrender,
)
from .loot import HandOut, hand_out
from .spots import STEP, find_within_reach, free_spot, is_next_to

MAX_WORDS = 200  # of an act, and of what follows
MAX_EFFECTS = 12  # of one ending
MAX_POINTS = 20  # of a bonus or a penalty
MAX_HARM = 999  # points of damage of one ending
MAX_RULINGS = 12  # that someone can do again
ACT = "improvise"  # the name of the action
WANTS, HAPPENS, RULED = "log.wants", "log.happens", "log.ruled"  # sentences that begin and end an act
OUT = "log.opposes_nothing"
OVERRIDES = "log.ruled_all_the_same"  # the sentence that names a rule which the GM sets aside


class Improvise(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An act in the `words` of who wants it, as the GM rules it.

    `check` are the fields of the game's check, without any nothing is rolled; `opposed` by someone, who rolls
    by `counter`. `cost` is one of the game's. What follows is `works` or `fails`. Of a `secret` number nobody
    but the GM learns more than how it went. If it is to `keep` under a name, the actor can do it again;
    `hides` keeps the endings from their player.
    """

    actor: str = ""
    words: str
    about: str = ""
    check: CheckFields = ()
    opposed: str = ""
    counter: CheckFields = ()
    cost: str = ""
    works: tuple[Effect, ...] = ()
    fails: tuple[Effect, ...] = ()
    secret: bool = False
    keep: str = ""
    hides: bool = False


class HelpNext(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bonus on the target's next roll, or a penalty below 0; `words` are what they wanted."""

    points: int
    words: str = ""


class AnswerWish(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Answer what the target wants in words alone; `words` are what they wanted, `text` is the answer."""

    words: str
    text: str = ""


# ---------------------------------------------------------------- the act


def improvise(context: RuleContext, command: Improvise) -> Then | None:
    """Do an act as the GM has ruled it; what the rules refuse them is overruled, and the GM reads it."""
    if why := find_overridden(system_of(context), context.state, command):
        context.emit(e.Said(OVERRIDES, command.actor, args={"why": why}), to=e.GM_ONLY)
    return act_out(context, command)


def act_out(context: RuleContext, command: Improvise) -> Then | None:
    """Do an act as the game's own actions are done: others may answer it, as they answer those."""
    rules = system_of(context).actions.improvising
    return (
        rules.acting.watch(_begin)(context, command) if rules and command.actor else _begin(context, command)
    )


def _begin(context: RuleContext, command: Improvise) -> Then | None:
    """Pay, roll, and let follow what follows."""
    words = clean_words(command.words)
    check_act(system_of(context), context.state, command)
    if command.cost:
        _pay(context, command)
    if words:
        to = _find_audience(context, command)
        context.emit(e.Said(WANTS if command.actor else HAPPENS, command.actor, args={"words": words}), to=to)
    if not command.check and not command.cost:
        return Then(_end, command, True)
    roll = Then(_contest if _find_opposition(context, command) else _roll, command)
    then = roll if command.check else Then(_end, command, True)
    acting = _find_rules(system_of(context)).acting
    return acting.begin(context, command.actor, dict(command.check), then)


def find_overridden(system: System, state: State, command: Improvise) -> str:
    """Why the rules would refuse an act to who does it, in a few words; "" if they would not."""
    rules, one = system.actions.improvising, state.combatants.get(command.actor)
    if rules is None or one is None:
        return ""
    why = why_refused(rules.acting.check, state, one.id, dict(command.check)).rstrip(".")
    if has_condition(one, SURRENDERED):
        return f"{one.name} has surrendered"
    reason, _, _ = why.partition(":")
    return reason if one.name in reason else why


def _find_audience(context: RuleContext, command: Improvise) -> str:
    """The GM alone where something happens of itself to someone whom not everybody knows; else as usual."""
    if command.actor:
        return ""
    people = {command.about, *_find_people((*command.works, *command.fails))}
    return "" if people.isdisjoint(context.unknown) else e.GM_ONLY


def clean_words(words: str) -> str:
    """What someone wants to do, in one line; Refused if it is too long."""
    line = tidy(words)
    if len(line) > MAX_WORDS:
        raise Refused("bad_value", f"Say it in at most {MAX_WORDS} characters.")
    return line


def check_act(system: System, state: State, command: Improvise) -> None:
    """Refuse an act that nobody can do, or whose roll or cost this game does not have."""
    if command.check or command.cost:
        if not command.actor:
            raise Refused("bad_value", "Choose who acts first: only someone can roll or pay.")
        _find_rules(system)
    if command.opposed and command.opposed == command.actor:
        raise Refused("bad_target", "Nobody opposes themselves: choose someone else.")
    if command.opposed and not command.check:
        raise Refused("bad_value", "Choose what the act is rolled on first.")
    if max(len(command.works), len(command.fails)) > MAX_EFFECTS:
        raise Refused("bad_value", f"At most {MAX_EFFECTS} things follow from an act.")
    if command.cost:
        find_cost(system, command.cost)
    for one in _find_people((*command.works, *command.fails)):
        if one:
            state[one]


def _find_people(effects: Iterable[Effect]) -> Iterator[str]:
    for effect in effects:
        yield from (*effect.who, effect.to)


def _find_rules(system: System) -> Improvising:
    if system.actions.improvising is None:
        raise Refused("not_allowed", f"{system.name} has no check for improvised acts: roll nothing.")
    return system.actions.improvising


def find_cost(system: System, key: str) -> Cost:
    """A cost of the game by its key."""
    found = next((cost for cost in _find_rules(system).costs if cost.key == key), None)
    if found is None:
        raise Refused("bad_value", "Choose what the act costs from the list.")
    return found


def _pay(context: RuleContext, command: Improvise) -> None:
    actor = context.state[command.actor]
    cost = find_cost(system_of(context), command.cost)
    if not is_acting(context.state, actor.id):
        whose = possessive(actor.name)
        raise Refused("not_your_turn", f"It is not {whose} turn: wait for it, or let the act be free.")
    cost.pay(context, actor.id)


def read_check(system: System, state: State, actor: str, fields: CheckFields) -> Command:
    """The game's check with these fields; Refused if one of them is not for an act."""
    rules = _find_rules(system)
    known = {*rules.figures.asks, rules.figures.grade}
    if unknown := dict(fields).keys() - known:
        raise Refused("bad_value", f"An act has no “{min(unknown)[:40]}”: choose from the form.")
    return read_command(rules.check, {**dict(fields), "actor": actor}, state)


def _run_check(context: RuleContext, actor: str, fields: CheckFields) -> e.Checked:
    """Roll the game's check to its end; returns how it went."""
    system, told = system_of(context), len(context.facts)
    step: Then | None = Then(_find_rules(system).check.run, read_check(system, context.state, actor, fields))
    while step is not None:
        step = step.step(context, *step.args)
    checks = (fact.event for fact in context.facts[told:] if isinstance(fact.event, e.Checked))
    found = next((check for check in checks if check.who == actor), None)
    if found is None:
        raise Refused("not_allowed", "That cannot be rolled now: choose another skill.")
    return found


def _roll(context: RuleContext, command: Improvise) -> Then:
    """Roll the check; a secret number stays with the GM."""
    if command.secret:
        context.retell = partial(_keep_secret, _find_own_terms(context, command))
    done = _run_check(context, command.actor, command.check)
    context.retell = None
    return Then(_end, command, done.good)


def _find_own_terms(context: RuleContext, command: Improvise) -> tuple[Modifier, ...]:
    """What is added to the dice whatever the difficulty."""
    rules = _find_rules(system_of(context))
    grade = (rules.figures.grade, rules.figures.usual)
    usual = (*(one for one in command.check if one[0] != grade[0]), grade)
    read = read_check(system_of(context), context.state, command.actor, usual)
    return tuple(rules.check.preview(context.state, read).modifiers) if rules.check.preview else ()


def _keep_secret(own: tuple[Modifier, ...], check: e.Checked) -> tuple[e.Checked, e.Checked]:
    """A check whose redacted tells the dice, what its player adds to them, and how it went: not the number.

    A step of difficulty that changes the sum is no term of theirs.
    """
    known = tuple(one for one in check.modifiers if one in own)
    is_sum = check.total == check.roll.total + add_up(check.modifiers)
    redacted = replace(
        check,
        roll=replace(check.roll, why=""),
        modifiers=known if is_sum else (),
        total=check.roll.total + (add_up(known) if is_sum else 0),
        outcome="outcome.success" if check.good else "outcome.failure",
        against=None,
        against_terms=(),
        against_label=e.UNKNOWN_NUMBER,
    )
    return check, redacted


def _find_opposition(context: RuleContext, command: Improvise) -> bool:
    """Whether someone opposes an act: nobody does who is out, which the log says."""
    if not command.opposed or not command.check:
        return False
    if not system_of(context).characters.health(context.state[command.opposed]).is_out:
        return True
    context.emit(e.Said(OUT, command.opposed), to=_find_audience(context, command))
    return False


def _contest(context: RuleContext, command: Improvise) -> Then:
    """Both roll: the act works if its roll is better than that of the one who opposes it.

    The game settles a tie; if both have to roll again, neither roll decides.
    """
    context.counts_sums = True
    context.retell = lambda check: (replace(check, target=command.actor), None)
    theirs = find_margin(_run_check(context, command.opposed, command.counter))
    sides = (command.actor, dict(command.check)), (command.opposed, dict(command.counter))
    wins_tie = _find_rules(system_of(context)).acting.settle(context.state, *sides)

    def tell(check: e.Checked) -> tuple[e.Checked, None]:
        mine = find_margin(check)
        good = mine > theirs or (mine == theirs and wins_tie is True)
        outcome = "outcome.success" if good else "outcome.failure"
        if mine == theirs and wins_tie is None:
            outcome = "outcome.tie"
        return replace(check, good=good, outcome=outcome, target=command.opposed), None

    context.retell = tell
    done = _run_check(context, command.actor, command.check)
    context.retell, context.counts_sums = None, False
    is_open = wins_tie is None and find_margin(done) == theirs
    return Again(_contest, command) if is_open else Then(_end, command, done.good)


def find_margin(check: e.Checked) -> int:
    """By how much a check is better than its number, or worse if it is negative."""
    if check.against is None:
        return check.total
    rolls_under = not check.modifiers and bool(check.against_terms)
    return check.against - check.total if rolls_under else check.total - check.against


def _end(context: RuleContext, command: Improvise, good: bool) -> None:
    """Let follow what follows, and say that it is the GM's ruling."""
    to = _find_audience(context, command)
    for effect in command.works if good else command.fails:
        apply_effect(context, command, effect)
    how = "ruled.works" if good else "ruled.fails"
    context.emit(e.Said(RULED, command.actor, args={"how": how}), to=to)
    actor = context.state.combatants.get(command.actor)
    if command.keep and command.check and actor and not actor.gone:
        _keep(context, command)


# ---------------------------------------------------------------- what is kept


def _keep(context: RuleContext, command: Improvise) -> None:
    """Let the actor do it again without asking, in place of what was ruled under this name."""
    one, name = context.state[command.actor], clean_name(command.keep)
    same = next((old.id for old in one.all_rulings if old.name.casefold() == name.casefold()), "")
    others = [old for old in one.all_rulings if old.id != same]
    if len(others) >= MAX_RULINGS:
        drop_ruling_of(context, one, others[0])
    ruling = make_ruling(system_of(context), context.state, command, same or find_ruling_id(one), name)
    keep_ruling(context, one, ruling)


def find_ruling_id(one: Combatant) -> str:
    """An id for a new ruling of someone."""
    taken = {old.id for old in one.all_rulings}
    return next(fresh for n in range(1, len(taken) + 2) if (fresh := f"r{n}") not in taken)


def keep_ruling(context: RuleContext, one: Combatant, ruling: Ruling) -> None:
    """Let someone do again what was ruled; their player learns of it, unless something of it is secret."""
    is_secret = ruling.secret or ruling.hides
    to = e.GM_ONLY if is_secret else e.for_own_player(context.state, one)
    context.emit(e.RulingSet(one.id, ruling), to=to)


def drop_ruling_of(context: RuleContext, one: Combatant, ruling: Ruling) -> None:
    """Take a ruling away from someone."""
    to = e.for_own_player(context.state, one)
    context.emit(e.RulingRemoved(one.id, ruling.id, ruling.name), to=to)


def make_ruling(system: System, state: State, command: Improvise, ruling_id: str, name: str) -> Ruling:
    """An act as it can be done again: by "me", to "them", who may be someone else then."""
    grade, them = _find_rules(system).figures.grade, command.about or command.opposed
    stands = {command.actor: ME, **({them: THEM} if them else {})}

    def generalize(effect: Effect) -> Effect:
        who, to = tuple(stands.get(one, one) for one in effect.who), stands.get(effect.to, effect.to)
        joins = effect.kind == "side" and effect.key == state[command.actor].side
        return replace(effect, who=who, to=to, key=ME if joins else effect.key)

    return Ruling(
        id=ruling_id,
        name=name,
        words=command.words,
        about=them,
        check=tuple(pair for pair in command.check if pair[0] != grade),
        grade=dict(command.check).get(grade, ""),
        opposed=stands.get(command.opposed, command.opposed),
        counter=tuple(pair for pair in command.counter if pair[0] != grade),
        cost=command.cost,
        works=tuple(map(generalize, command.works)),
        fails=tuple(map(generalize, command.fails)),
        secret=command.secret,
        hides=command.hides,
    )


# ---------------------------------------------------------------- what follows


def apply_effect(context: RuleContext, command: Improvise, effect: Effect) -> None:
    """Do one thing that follows; what is so already stays so."""
    told = len(context.facts)
    try:
        if effect.kind in APART:
            APART[effect.kind](context, command, effect)
            return
        if not effect.who:
            raise Refused("bad_value", "Choose whom it happens to.")
        for who in dict.fromkeys(effect.who):
            EACH[effect.kind](context, command, effect, context.state[who])
    except Refused as refused:
        if refused.code != "not_allowed" or len(context.facts) > told:
            raise


def _harm(context: RuleContext, command: Improvise, effect: Effect, one: Combatant) -> None:
    system, points = system_of(context), _count_harm(context, command, effect)
    shared, first = system.characters.shared_track, system.characters.tracks[0]
    track = shared.key if shared else first.key
    by = points if not shared and first.rises else -points
    step: Then | None = Then(adjust_track, AdjustTrack(target=one.id, track=track, by=by))
    while step is not None:
        step = step.step(context, *step.args)


def _count_harm(context: RuleContext, command: Improvise, effect: Effect) -> int:
    """The points that someone loses: a number, or dice that are rolled and told."""
    flat = read_points(effect.dice)
    if flat is not None:
        points = flat
    else:
        unseen = next((who for who in effect.who if who in context.unknown), "")
        by = unseen or command.actor  # dice that hurt someone unseen are numbered and told like theirs
        roll = context.roll(read_harm(effect.dice), by=by or effect.who[0], rule="", why="roll.ruling")
        context.emit(e.DiceRolled(by, roll))
        points = roll.total
    if not 0 < points <= MAX_HARM:
        raise Refused("bad_value", f"Damage is 1 to {MAX_HARM} points.")
    return points


def read_points(words: str) -> int | None:
    """Damage without dice, in points; None for dice."""
    return read_whole(words) if words[:1] not in ("+", "-") else None


def check_harm(words: str) -> None:
    """Refuse what is neither points nor dice of damage."""
    flat = read_points(words)
    if flat is None:
        read_harm(words)
    elif not 0 < flat <= MAX_HARM:
        raise Refused("bad_value", f"Damage is 1 to {MAX_HARM} points.")


def read_harm(words: str) -> str:
    """Dice of damage as they are rolled, such as "1d6"; Refused for anything else."""
    try:
        dice = parse_dice(words.strip().lower().replace(" ", ""))
    except ValueError:
        raise Refused("bad_value", f"Damage is a number or dice such as 2d6, not “{words[:20]}”.") from None
    if not (1 <= dice.count <= 20 and 2 <= dice.sides <= 100 and abs(dice.plus) <= 100):
        raise Refused("bad_value", "Damage has 1 to 20 dice of at most 100 sides.")
    return words.strip().lower().replace(" ", "")


def _give(context: RuleContext, command: Improvise, effect: Effect, one: Combatant) -> None:
    if has_condition(one, effect.key) and not effect.n:
        return
    by = command.actor if command.actor != one.id else ""
    give_condition(context, GiveCondition(target=one.id, kind=effect.key, turns=effect.n, by=by))


def _change_rolls(context: RuleContext, command: Improvise, effect: Effect, one: Combatant) -> None:
    """Points on all rolls, as a condition of the ruling's own."""
    if not 0 < effect.turns <= MAX_TURNS:
        raise Refused("bad_value", f"Points last 1 to {MAX_TURNS} turns.")
    ends = Until(one.id, "end", effect.turns + is_acting(context.state, one.id))
    name = f"{say_number(effect.n, signed=True)} by ruling"
    give_points(context, one, RULING, name=name, points=effect.n, until=ends)


def give_points(
    context: RuleContext, one: Combatant, kind: str, name: str, points: int, until: Until | None = None
) -> None:
    """A condition with points on all of someone's rolls; a new one takes its place."""
    if not 0 < abs(points) <= MAX_POINTS:
        raise Refused("bad_value", f"A bonus or a penalty is 1 to {MAX_POINTS} points.")
    characters = system_of(context).characters
    changes = {_find_rules(system_of(context)).figures.changes: points}
    own = OwnCondition(kind, name, changes=changes)
    remove_conditions(context, one.id, kind, why="why.one_is_enough")
    rule = characters.own_conditions.rule
    add_condition(context, one.id, kind, until=until, label=own.name, rule=rule, own=own)
    system_of(context).turn.after_change(context, one)


def _place(context: RuleContext, command: Improvise, effect: Effect, one: Combatant) -> None:
    """Into a zone, or within reach of someone, unless they are: through the mover, without cost.

    Where all places there are taken, as near as there is room.
    """
    if not effect.to:
        place(context, Place(target=one.id, zone=effect.key))
        return
    other = context.state[effect.to]
    rules = system_of(context).actions.improvising
    reaches = rules.acting.reaches if rules else is_next_to
    if other.id == one.id or reaches(context.state, one, other):
        return
    around = Zone("", "", other.at.x - STEP, y=other.at.y - STEP, width=2 * STEP, depth=2 * STEP)
    goal = find_within_reach(context, one, other, reaches) or free_spot(context, "", one, place=around)
    put(context, one, goal)


def _pass_item(context: RuleContext, command: Improvise, effect: Effect, one: Combatant) -> None:
    item = next((item for item in one.items if item.id == effect.key), None)
    if item is None:
        return
    if effect.to:
        hand_out(context, HandOut(items=(item.id,), to=effect.to, holder=one.id))
        return
    context.emit(e.ItemLost(one.id, replace(item, place="ground", at=one.at)))
    context.emit(e.Said("log.loses_item", one.id, args={"item": item.name}))


def _set_door(context: RuleContext, command: Improvise, effect: Effect) -> None:
    set_door(context, SetDoor(door=effect.key, open=bool(effect.n)))


def _tick_clock(context: RuleContext, command: Improvise, effect: Effect) -> None:
    tick_clock(context, TickClock(clock=effect.key, by=effect.n))


def _tick_counter(context: RuleContext, command: Improvise, effect: Effect, one: Combatant) -> None:
    tick_counter(context, TickCounter(target=one.id, counter=effect.key, by=effect.n))


def _change_side(context: RuleContext, command: Improvise, effect: Effect, one: Combatant) -> None:
    if effect.key != one.side:
        rename(context, Rename(target=one.id, side=effect.key))


def _leave(context: RuleContext, command: Improvise, effect: Effect, one: Combatant) -> None:
    (surrender if effect.key == "surrenders" else remove)(context, Target(target=one.id))


def _say(context: RuleContext, command: Improvise, effect: Effect) -> None:
    if words := clean_words(effect.text):
        context.emit(e.Said("log.ruled_words", args={"text": words}))


APART: dict[str, Callable[[RuleContext, Improvise, Effect], None]] = {
    "door": _set_door,
    "clock": _tick_clock,
    "words": _say,
}
EACH: dict[str, Callable[[RuleContext, Improvise, Effect, Combatant], None]] = {
    "harm": _harm,
    "condition": _give,
    "points": _change_rolls,
    "place": _place,
    "item": _pass_item,
    "counter": _tick_counter,
    "side": _change_side,
    "leaves": _leave,
}


# ---------------------------------------------------------------- short answers


def help_next(context: RuleContext, command: HelpNext) -> None:
    """Give someone a bonus or a penalty on their next roll."""
    one, words = context.state[command.target], clean_words(command.words)
    if words:
        context.emit(e.Said(WANTS, one.id, args={"words": words}))
    give_points(context, one, NEXT_ROLL, name=HELP, points=command.points)
    context.emit(e.Said("log.next_roll", one.id, args={"points": command.points}))


def answer_wish(context: RuleContext, command: AnswerWish) -> None:
    """Answer in words what someone wants: it costs nothing and nothing is rolled."""
    one, words, text = context.state[command.target], clean_words(command.words), clean_words(command.text)
    context.emit(e.Said(WANTS, one.id, args={"words": words}))
    said = e.Said("log.answers", one.id, args={"text": text}) if text else e.Said("log.refuses", one.id)
    context.emit(said)
