"""Acts that were ruled once and kept: who has one does it again, without asking the GM.

A ruling that costs nothing can be done once in each of one's turns. What it says of things that are gone
by now is left out.
"""

from __future__ import annotations

from ..basics.dice.requests import Choice
from ..basics.errors import Refused
from ..basics.words import possessive
from ..commands.commands import Command, Field, first_open
from ..commands.context import RuleContext, Then
from ..declaration.system import System, system_of
from ..sides import are_opposed
from ..state import events as e
from ..state.rulings import ME, THEM, Effect, Ruling
from ..state.state import Combatant, State, is_acting, present, replace
from .decisions import GmCommand, clean_name
from .improvising import (
    MAX_EFFECTS,
    MAX_RULINGS,
    MAX_WORDS,
    Improvise,
    act_out,
    check_harm,
    clean_words,
    drop_ruling_of,
    find_ruling_id,
    keep_ruling,
)
from .loot import can_part

USE, DROP, BRING = "use_ruling", "drop_ruling", "bring_rulings"  # the names of the actions
HURTING = ("harm", "condition", "item", "leaves")  # kinds of endings that nobody wishes an ally
DONE = "ruled."  # begins the mark of a free ruling: the round in which it was done last


class UseRuling(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Do again what was ruled, to the `target`; without one to whom it was done first."""

    ruling: str
    target: str = ""


class DropRuling(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a ruling away: they have to ask again."""

    ruling: str


class BringRulings(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was ruled in earlier fights of the campaign comes along, by combatant."""

    rulings: dict[str, tuple[Ruling, ...]]


def find_ruling(combatant: Combatant, ruling_id: str) -> Ruling:
    """The ruling of this id; Refused("unknown") if it is gone."""
    found = next((one for one in combatant.all_rulings if one.id == ruling_id), None)
    if found is None:
        raise Refused("unknown", "That ruling is gone: ask the GM again.")
    return found


def needs_target(ruling: Ruling) -> bool:
    """Whether a ruling is about someone, so that they have to be named."""
    named = {one for effect in (*ruling.works, *ruling.fails) for one in (*effect.who, effect.to)}
    return THEM in (ruling.opposed, *named)


def find_target(state: State, actor: str, ruling: Ruling) -> str:
    """Whom a ruling was about, if they are still here; "" for nobody."""
    return ruling.about if ruling.about in {one.id for one in present(state)} - {actor} else ""


def hurts(ruling: Ruling) -> bool:
    """Whether what follows is bad for whom a ruling is about, or they oppose it."""
    bad = (effect for effect in ruling.works if THEM in effect.who)
    return ruling.opposed == THEM or any(_is_bad(effect) for effect in bad)


def _is_bad(effect: Effect) -> bool:
    return effect.kind in HURTING or (effect.kind == "points" and effect.n < 0)


def rank_targets(system: System, state: State, actor: str, ruling: Ruling) -> tuple[Combatant, ...]:
    """Those to whom a ruling can be done, the likely ones first: enemies who still fight if it hurts them.

    Among equals the one it was about comes first.
    """
    one, about, is_bad = state[actor], find_target(state, actor, ruling), hurts(ruling)

    def rank(other: Combatant) -> tuple[bool, bool, bool]:
        is_foe = are_opposed(system, one, other)
        return is_bad and not is_foe, system.characters.health(other).is_out, other.id != about

    return tuple(sorted((other for other in present(state) if other.id != actor), key=rank))


def is_of_any_fight(system: System, ruling: Ruling) -> bool:
    """Whether a ruling names nobody and nothing that only one fight has."""
    effects = (*ruling.works, *ruling.fails)
    named = {one for effect in effects for one in (*effect.who, effect.to)} | {ruling.opposed}
    return named <= {ME, THEM, ""} and all(_is_general(system, one) for one in effects)


def check_ruling(system: System, ruling: Ruling) -> Ruling:
    """A ruling of another table as it can be kept here; Refused if it is no such thing in this game."""
    rules = system.actions.improvising
    if rules is None:
        raise Refused("bad_value", f"{system.name} has no check for improvised acts.")
    known = {*rules.figures.asks}
    if not ruling.check or {name for name, _ in (*ruling.check, *ruling.counter)} - known:
        raise Refused("bad_value", "It is rolled on something that this game does not have.")
    if ruling.cost and ruling.cost not in {cost.key for cost in rules.costs}:
        raise Refused("bad_value", "It costs something that this game does not have.")
    if max(len(ruling.works), len(ruling.fails)) > MAX_EFFECTS or not is_of_any_fight(system, ruling):
        raise Refused("bad_value", "What follows from it is of another fight.")
    for effect in (*ruling.works, *ruling.fails):
        clean_words(effect.text)
        if effect.kind == "harm":
            check_harm(effect.dice)
    return replace(ruling, id="r1", name=clean_name(ruling.name), words=clean_words(ruling.words), about="")


def _is_general(system: System, effect: Effect) -> bool:
    if effect.kind == "condition":
        return effect.key in system.characters.conditions
    if effect.kind == "side":
        return effect.key == ME
    return effect.kind not in ("door", "clock", "counter") and not (effect.kind == "place" and effect.key)


def make_act(system: System, state: State, actor: str, ruling: Ruling, target: str = "") -> Improvise:
    """The act that a ruling stands for, done to the target; Refused if someone has to be named."""
    them = target or find_target(state, actor, ruling)
    if them == actor:
        raise Refused("bad_target", "Choose someone else: this is done to others.")
    if needs_target(ruling) and not them:
        raise Refused("bad_target", "Choose whom it concerns first.")
    stands, rules = {ME: actor, THEM: them}, system.actions.improvising
    if rules is None:
        raise Refused("not_allowed", f"{system.name} has no check for improvised acts.")
    grade, usual = rules.figures.grade, rules.figures.usual  # the usual one for who does not know the number

    def fill(effect: Effect) -> Effect | None:
        who = tuple(stands.get(one, one) for one in effect.who)
        filled = replace(effect, who=who, to=stands.get(effect.to, effect.to))
        if effect.kind == "side" and effect.key == ME:
            filled = replace(filled, key=state[actor].side)
        if effect.kind == "item":
            filled = replace(filled, key=_find_item(system, state, filled))
        return filled if _is_there(state, filled) else None

    named = f"{ruling.name}: {state[them].name}" if them else ruling.name
    same = them == ruling.about or not them
    return Improvise(
        actor=actor,
        words=ruling.words if same and ruling.words else named[:MAX_WORDS],
        about=them,
        check=(*ruling.check, (grade, ruling.grade or usual)),
        opposed=stands.get(ruling.opposed, ruling.opposed),
        counter=(*ruling.counter, (grade, usual)) if ruling.counter else (),
        cost=ruling.cost,
        works=tuple(one for one in map(fill, ruling.works) if one),
        fails=tuple(one for one in map(fill, ruling.fails) if one),
        secret=ruling.secret,
        hides=ruling.hides,
    )


def _find_item(system: System, state: State, effect: Effect) -> str:
    """The item that someone loses: the one that was ruled, or what they hold now."""
    owner = state.combatants.get(effect.who[0]) if effect.who else None
    if owner is None or any(item.id == effect.key for item in owner.items):
        return effect.key
    held = (item.id for item in owner.items if item.place == "held" and can_part(system, item))
    return next(held, effect.key)


def _is_there(state: State, effect: Effect) -> bool:
    here = {one.id for one in present(state)}
    return here.issuperset(one for one in (*effect.who, effect.to) if one)


def drop_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of taking a ruling away: which one."""
    options = tuple(Choice(one.id, one.name) for one in state[actor].all_rulings)
    return (Field("ruling", "Ruling", options=options, value=first_open(options)),)


def ruling_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of doing it again: which ruling, and whom it is done to."""
    people = tuple(Choice(one.id, one.name) for one in present(state) if one.id != actor)
    target = Field("target", "Whom it concerns", "target", options=people, required=False)
    return (*drop_fields(state, actor), target)


def use_ruling(context: RuleContext, command: UseRuling) -> Then | None:
    """Do again what was ruled once: it is rolled, paid and settled as it was ruled.

    It asks what the game's own actions ask; only the GM sets that aside.
    """
    one, state = context.state[command.actor], context.state
    ruling, rules = find_ruling(one, command.ruling), system_of(context).actions.improvising
    if command.target:
        state[command.target]
    if rules:
        rules.acting.check(state, one.id, dict(ruling.check))
    if not is_acting(state, one.id):
        raise Refused("not_your_turn", f"It is not {possessive(one.name)} turn: wait for it.")
    if not ruling.cost:
        done = DONE + ruling.id
        if one.marks.get(done) == state.round:
            raise Refused("not_allowed", "It costs nothing, so once a turn is enough: ask the GM for more.")
        context.emit(e.Marked(one.id, done, state.round), to=e.GM_ONLY)
    act = make_act(system_of(context), state, one.id, ruling, command.target)
    if act.about in context.unknown:
        act = replace(act, words=ruling.name)
    return act_out(context, act)


def drop_ruling(context: RuleContext, command: DropRuling) -> None:
    """Take a ruling away."""
    one = context.state[command.actor]
    drop_ruling_of(context, one, find_ruling(one, command.ruling))


def bring_rulings(context: RuleContext, command: BringRulings) -> None:
    """Let people do what they could do in earlier fights; what they can do here already stays so."""
    for who, rulings in command.rulings.items():
        for ruling in rulings:
            one = context.state[who]
            known = {old.name.casefold() for old in one.all_rulings}
            if len(known) < MAX_RULINGS and clean_name(ruling.name).casefold() not in known:
                keep_ruling(context, one, replace(ruling, id=find_ruling_id(one)))
