"""Conditions of the GM's own: made for this fight, then given like those of the game.

They are defined in the state, for the GM alone. Each one given has its definition with it, so a fight replays
without its campaign, and the questions of `Conditions` find its row there. What one may do in a game stands
under `[own]` in its `conditions.toml`.
"""

from __future__ import annotations

from ..basics.checking import tidy
from ..basics.errors import Refused
from ..basics.names import make_id
from ..commands.context import RuleContext
from ..declaration.parts import list_marks
from ..declaration.system import System, system_of
from ..state import events as e
from ..state.state import OwnCondition, State, find_own_condition, replace
from .decisions import MAX_TURNS, GmCommand, clean_name

MAX_OWN, MAX_NOTE = 20, 200
LOOKS = frozenset(("prone", "dying", "unconscious"))  # they would make a token look like that
SIGNS = tuple(sign for sign in list_marks() if sign not in LOOKS)


class DefineCondition(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new condition, or another definition of `own`.

    `changes` are points by number, `effects` what else it does, both by the words of the game (`OwnRules`);
    `turns` are those of who has it, 0 until the GM ends it. A `secret` one only the GM sees. The `seed` makes
    its id (basics/names.py).
    """

    own: str = ""
    name: str
    sign: str = "ruling"
    changes: dict[str, int] = {}
    effects: tuple[str, ...] = ()
    turns: int = 0
    note: str = ""
    secret: bool = False
    seed: str = ""


class DropCondition(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    own: str


def define_condition(context: RuleContext, command: DefineCondition) -> None:
    """Make a condition of the GM's own, or change one; who has it keeps it as it was."""
    known = context.state.all_own_conditions
    old = _find(context.state, command.own) if command.own else None
    if old is None and len(known) >= MAX_OWN:
        raise Refused("not_allowed", f"A fight has up to {MAX_OWN} conditions of your own: delete one first.")
    number = 1 + max((int(one.id.removeprefix("o")) for one in known), default=0)
    fresh = old.id if old else make_id("o", command.seed, number, [one.id for one in known])
    new = make_own_condition(system_of(context), command, fresh)
    if any(one.name.casefold() == new.name.casefold() and one.id != new.id for one in known):
        raise Refused("bad_value", f"There is a condition {new.name} already: choose another name.")
    if new == old:
        raise Refused("not_allowed", f"{new.name} is like that already: change something.")
    context.emit(e.OwnConditionSet(new), to=e.GM_ONLY)


def make_own_condition(system: System, command: DefineCondition, own_id: str = "") -> OwnCondition:
    """A condition as the GM describes it; Refused("bad_value") for what this game does not know."""
    characters = system.characters
    rules, name, note = characters.own_conditions, clean_name(command.name), tidy(command.note)
    taken = {word.casefold() for kind in characters.conditions.values() for word in (kind.kind, kind.label)}
    if name.casefold() in taken:
        raise Refused("bad_value", f"The game has a condition {name}: choose another name.")
    if command.sign not in SIGNS:
        raise Refused("bad_value", "Choose a sign from the list.")
    changes = {key: command.changes[key] for key in rules.changes if command.changes.get(key)}
    effects = tuple(key for key in rules.effects if key in command.effects)
    if unknown := {*command.changes, *command.effects} - {*rules.changes, *rules.effects}:
        raise Refused("bad_value", f"No condition changes “{min(unknown)[:60]}” here: choose from the list.")
    if any(abs(points) > rules.most for points in changes.values()):
        raise Refused("bad_value", f"A condition changes a number by −{rules.most} to +{rules.most}.")
    if not 0 <= command.turns <= MAX_TURNS:
        raise Refused("bad_value", f"A duration is 0 to {MAX_TURNS} turns; 0 lasts until you end it.")
    if len(note) > MAX_NOTE:
        raise Refused("bad_value", f"A note has at most {MAX_NOTE} characters.")
    made = OwnCondition(own_id, name, command.sign, changes=changes, effects=effects, turns=command.turns)
    return replace(made, note=note, secret=command.secret)


def drop_condition(context: RuleContext, command: DropCondition) -> None:
    """Take a condition off the list; who has it keeps it."""
    context.emit(e.OwnConditionSet(_find(context.state, command.own), gone=True), to=e.GM_ONLY)


def _find(state: State, own_id: str) -> OwnCondition:
    found = find_own_condition(state, own_id)
    if found is None:
        raise Refused("unknown", "That condition is no longer in the list: reload the page.")
    return found
