"""What actions share: the bar and the cost of those of combatants, and fields of their forms.

Each action stands with its form, checks and sums beside its procedure. There `act` or `gm` gives it the words
of its row in actions.toml, and actions.py lists it; `TABLE.act` is for those that cost no declared action.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Unpack

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.commands import commands
from combat.rules.core.commands.commands import (
    Action,
    Field,
    Form,
    Precondition,
    Run,
    first_open,
    load_actions,
)
from combat.rules.core.state.state import Combatant, Item, State, has_condition, present

from ..book import tables
from ..characters.conditions import KINDS, OUT, name_condition
from ..characters.sheet import ATTRIBUTES, find_stop, is_conscious
from .economy import can_afford, check_declared, check_free
from .place import are_enemies, describe_distance

NOTHING = Choice("", "nothing")


def check_free_to_act(state: State, actor: str) -> None:
    """Refuse any action of the unconscious, the comatose and the paralyzed. [SS-UNC-07] [SS-COMA-01]"""
    combatant = state[actor]
    if has_condition(combatant, *OUT):
        kind = next(kind for kind in reversed(OUT) if has_condition(combatant, kind))
        tail = "" if kind == "dead" else ": no actions"
        raise Refused("not_allowed", f"{combatant.name} is {KINDS[kind].label.lower()}{tail}.")
    if held := find_stop(combatant):
        raise Refused("not_allowed", f"{name_condition(held)}: {combatant.name} has no actions.")


def find_targets(state: State, actor: str, foes: bool = True, own: bool = False) -> list[Combatant]:
    """The possible targets of an action, the likely ones first."""
    combatant = state[actor]
    others = [f for f in present(state) if own or f.id != actor]

    def rank(other: Combatant) -> tuple[bool, bool, bool, str]:
        enemy = are_enemies(combatant, other)
        return (enemy != foes, is_conscious(other) != foes, other.id != actor, _far(state, combatant, other))

    return sorted(others, key=rank)


def _far(state: State, one: Combatant, other: Combatant) -> str:
    words = describe_distance(state, one, other)
    return words if words[0].isdigit() else {"same zone": "0", "no way": "9"}[words]


def target_field(
    state: State,
    actor: str,
    foes: bool = True,
    own: bool = False,
    check: Callable[[Combatant], object] | None = None,
    wanted: str = "",
) -> Field:
    """The field for the target of an action; refused targets are grayed out with the reason."""
    people = find_targets(state, actor, foes, own)
    describe = partial(describe_distance, state, state[actor])

    def refuse(target: Combatant) -> str:
        return KINDS.find_bar(target, "choice") or why_refused(check, target)

    return commands.target_field(people, describe, refuse, wanted)


def items_field(
    name: str,
    label: str,
    items: list[Item],
    check: Callable[[Item], object] | None = None,
    empty: bool = False,
    more: tuple[Choice, ...] = (),
) -> Field:
    """The field for an item; those that `check` refuses are gray. An `empty` one may stay blank."""
    options = tuple(Choice(i.id, count_name(i), i.place, why_refused(check, i)) for i in items) + more
    if empty:
        return Field(name, label, "choice", options=(NOTHING, *options), value="", required=False)
    return Field(name, label, "choice", options=options, value=first_open(options))


def count_name(item: Item) -> str:
    """The name of an item, with its number if there are several."""
    return f"{item.name} ×{item.count}" if item.count > 1 else item.name


def attribute_options() -> tuple[Choice, ...]:
    """All attributes, as choices."""
    return tuple(Choice(key, label) for key, label in ATTRIBUTES.items())


def skill_field(state: State, actor: str, value: str = "") -> Field:
    """The field for a skill, the combatant's own first."""
    own = set(state[actor].sheet["skills"])
    names = sorted(tables.skills(), key=lambda name: (name not in own, name))
    options = (Choice("", "none"), *(Choice(n, n, "+1" if n in own else "") for n in names))
    return Field("skill", "Skill", "choice", options=options, value=value, required=False)


TABLE = load_actions(Path(__file__).parents[1] / "actions.toml", check_free_to_act)
gm = TABLE.gm


def _affords(label: str) -> Precondition:
    """A check whether a declared action is left; its refusal is the reason on a gray action. [SS-ACT-03]"""

    def check(state: State, actor: str) -> None:
        if not can_afford(state, actor):
            none = "declared for" if state[actor].marks.get("declared") == 0 else "left"
            raise Refused("no_budget", f"No action {none} this turn; {label} takes one.")

    return check


def act(name: str, run: Run, *checks: Precondition, **form: Unpack[Form]) -> Action:
    """An action that costs a declared action."""
    return TABLE.act(name, run, *checks, check_declared, _affords(TABLE.rows[name].label), **form)


def check_repeat(action: str) -> Precondition:
    """A check whether a free action is still free, or an action is left to pay for it. [SS-FREE-04]"""
    return lambda state, actor: check_free(state, actor, action)
