"""The GM lets combatants act as one, a squad, and splits it again."""

from __future__ import annotations

from string import ascii_uppercase

from ..basics.errors import Refused
from ..basics.words import joined, say
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..state import events as e
from ..state.state import Combatant, State, is_played, present
from ..turn.squads import SQUAD, find_members, keep_together, level_scores, list_squads
from .decisions import MAX_LENGTH, Target, clean_name
from .several import Each, find_targets

NUMBER = "0123456789 "  # what tells apart those of one name
OWN = ("name",)  # the keys of a sheet that make no other kind


class JoinSquad(Each, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The targets act as one from now on; without a `name` the squad is called after them."""

    name: str = ""


def join_squad(context: RuleContext, command: JoinSquad) -> None:
    """Let several of one kind act as one: one place in the order, and harm falls through to the next."""
    people = find_targets(context, command.targets)
    _check_alike(context.state, people)
    ids = tuple(one.id for one in people)
    if set(find_members(context.state, ids[0])) == set(ids):
        raise Refused("not_allowed", "They are a squad already: split it first.")
    name = clean_name(command.name) if command.name else name_squad(context.state, ids)
    if name in _find_taken(context.state, ids):
        raise Refused("bad_value", f"There is a squad “{name}” already: enter another name.")
    for who in ids:
        context.emit(e.Marked(who, SQUAD, name))
    listed = joined(say("words.person", who=who) for who in ids)
    context.emit(e.Said("log.squad", args={"name": name, "listed": listed}))
    if context.state.phase == "fight":
        for who in level_scores(context):
            system_of(context).turn.reseat(context, who, "why.gm")
        keep_together(context)


def _check_alike(state: State, people: list[Combatant]) -> None:
    """Refuse a squad of one, of people whom someone plays, of two sides, or of several kinds."""
    first = people[0]
    if len(people) < 2:
        raise Refused("bad_target", "A squad has two or more: select another combatant.")
    for one in people:
        if not is_free(state, one):
            raise Refused("bad_target", f"Someone plays {one.name}: select only NPCs.")
        if one.side != first.side:
            raise Refused("bad_target", f"{one.name} is on another side: select one side.")
        if _find_kind(one) != _find_kind(first):
            raise Refused("bad_target", f"{one.name} has another sheet than {first.name}: select one kind.")


def is_free(state: State, combatant: Combatant) -> bool:
    """Whether someone may be one of a squad: nobody plays them."""
    return not is_played(state, combatant)


def _find_kind(combatant: Combatant) -> dict[str, object]:
    return {key: value for key, value in combatant.sheet.items() if key not in OWN}


def find_kin(state: State) -> dict[str, tuple[str, ...]]:
    """Those who could form a squad, each with all who could with them, in the order they joined."""
    alone = [one for one in present(state) if is_free(state, one) and not find_members(state, one.id)]
    kinds: list[list[Combatant]] = []
    for one in alone:
        for kind in kinds:
            if kind[0].side == one.side and _find_kind(kind[0]) == _find_kind(one):
                kind.append(one)
                break
        else:
            kinds.append([one])
    found = (tuple(one.id for one in kind) for kind in kinds if len(kind) > 1)
    return {who: people for people in found for who in people}


def name_squad(state: State, people: tuple[str, ...]) -> str:
    """The name of a squad of these: their own, and the first letter that no other squad has."""
    first, taken = state[people[0]].name, _find_taken(state, people)
    base = (first.rstrip(NUMBER) or first)[: MAX_LENGTH - len(" squad AA")]
    endings = (*ascii_uppercase, *(f"{one}{other}" for one in ascii_uppercase for other in ascii_uppercase))
    return next(name for name in (f"{base} squad {ending}" for ending in endings) if name not in taken)


def _find_taken(state: State, people: tuple[str, ...]) -> set[str]:
    """The names of the squads that stay, once these people are one."""
    return {name for (name, _), members in list_squads(state).items() if not set(members) <= set(people)}


def split_squad(context: RuleContext, command: Target) -> None:
    """Let the members of someone's squad act on their own again; they keep their places."""
    members = find_members(context.state, command.target)
    combatant = context.state[command.target]
    if not members:
        raise Refused("not_allowed", f"{combatant.name} is in no squad: select one of a squad.")
    name = str(combatant.marks[SQUAD])
    for who in members:
        context.emit(e.Marked(who, SQUAD, None))
    listed = joined(say("words.person", who=who) for who in members)
    context.emit(e.Said("log.squad_split", args={"name": name, "listed": listed}))
