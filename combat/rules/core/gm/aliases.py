"""Aliases: the name and face that all but the GM know a combatant by, until the GM reveals who it is.

The state holds the alias where everything looks for a name and a face, so no rule, refusal or page has to
know of aliases. Only the GM's pages put the real ones back (`show_real_names`). Log lines and states from
before a reveal are drawn with the alias.
"""

from __future__ import annotations

import re

from msgspec import UNSET

from ..basics.errors import Refused
from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import FACE, Alias, Combatant, State, replace, with_key

FACE_KEY = re.compile(r"[a-z0-9_-]{1,20}")


def check_face(face: str | None) -> None:
    """Refused("bad_value") unless this may be the key of a drawn face, or nothing."""
    if face and not FACE_KEY.fullmatch(face):
        raise Refused("bad_value", "There is no such face: choose one from the list.")


def real_name(combatant: Combatant) -> str:
    """The name behind an alias; of others their name."""
    return combatant.name if combatant.alias is UNSET else combatant.alias.real


def real_face(combatant: Combatant) -> str:
    """The key of the drawn face behind an alias; of others their face, empty for none."""
    return str(combatant.marks.get(FACE, "")) if combatant.alias is UNSET else combatant.alias.face


def find_alias_face(state: State, who: str) -> str:
    """The key of the drawn face that goes with an alias; empty for none. `state` is the full one."""
    combatant = state[who]
    return "" if combatant.alias is UNSET else str(combatant.marks.get(FACE, ""))


def show_real_names(state: State) -> State:
    """The state with real names and faces, as the GM sees it; the same object if nobody has an alias."""
    real = {
        who: replace(one, name=one.alias.real, marks=with_key(one.marks, FACE, one.alias.face or None))
        for who, one in state.combatants.items()
        if one.alias is not UNSET
    }
    return replace(state, combatants=state.combatants | real) if real else state


def give_alias(context: RuleContext, combatant: Combatant, name: str, face: str | None = None) -> None:
    """Let all but the GM know a combatant by another name and face; None keeps the face of an alias."""
    if combatant.pc:
        raise Refused("not_allowed", f"{combatant.name} is a player character: only NPCs have an alias.")
    if name == real_name(combatant):
        raise Refused("bad_value", f"{name} is the real name: enter another one as the alias.")
    shown = find_alias_face(context.state, combatant.id)
    alias, face = Alias(name, real_name(combatant), real_face(combatant)), shown if face is None else face
    if (alias, face) == (combatant.alias, shown):
        raise Refused("not_allowed", f"{name} is the alias already: enter another name or face.")
    _emit(context, combatant, alias, face)


def reveal(context: RuleContext, combatant: Combatant) -> None:
    """End an alias: everyone who knows of the combatant learns the real name."""
    if combatant.alias is UNSET:
        raise Refused("not_allowed", f"{combatant.name} has no alias: enter one.")
    context.emit(e.AliasSet(combatant.id, combatant.alias.real, combatant.name, combatant.alias.face))


def set_real_name(context: RuleContext, combatant: Combatant, name: str) -> None:
    """Change the name behind an alias, which only the GM learns."""
    if combatant.alias is not UNSET and name != combatant.alias.real:
        _emit(context, combatant, replace(combatant.alias, real=name))


def set_face(context: RuleContext, combatant: Combatant, face: str) -> None:
    """Give a combatant a drawn face, "" for none: the real one, if they have an alias."""
    if combatant.alias is UNSET:
        context.emit(e.Marked(combatant.id, FACE, face or None))
    else:
        _emit(context, combatant, replace(combatant.alias, face=face))


def copy_alias(context: RuleContext, combatant: Combatant, made: Combatant, name: str) -> None:
    """Let a copy of someone with an alias have one too, in front of this real name."""
    _emit(context, made, Alias(made.name, name, real_face(combatant)))


def _emit(context: RuleContext, combatant: Combatant, alias: Alias, face: str | None = None) -> None:
    shown = str(combatant.marks.get(FACE, "")) if face is None else face
    event = e.AliasSet(combatant.id, alias.name, combatant.name, face=shown, alias=alias)
    context.emit(event, to=e.GM_ONLY)
