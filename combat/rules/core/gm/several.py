"""The GM's decisions for several combatants at once, such as a group: one step each."""

from __future__ import annotations

from ..basics.errors import Refused
from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import Combatant, State, present
from .decisions import GROUP, GmCommand, Target, remove, set_order


class Each(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    targets: tuple[str, ...]


class HideEach(Each, frozen=True, kw_only=True, forbid_unknown_fields=True):
    hidden: bool = True


def find_group(state: State, combatant: Combatant) -> tuple[Combatant, ...]:
    """The group of a combatant that is still here, itself included; nobody without a group."""
    mark = combatant.marks.get(GROUP)
    return tuple(one for one in present(state) if one.marks.get(GROUP) == mark) if mark else ()


def _find_targets(context: RuleContext, command: Each) -> list[Combatant]:
    """The named combatants, each once; Refused if there is none, or one is not here."""
    if not command.targets:
        raise Refused("bad_target", "Select combatants first.")
    return [context.state[who] for who in dict.fromkeys(command.targets)]


def remove_each(context: RuleContext, command: Each) -> None:
    """Remove several combatants, with what is bound to them."""
    for combatant in _find_targets(context, command):
        remove(context, Target(target=combatant.id, reason=command.reason))


def hide_each(context: RuleContext, command: HideEach) -> None:
    """Hide several combatants from everyone but the GM, or reveal them. Those already so are skipped."""
    others = [one for one in _find_targets(context, command) if one.hidden != command.hidden]
    if not others:
        raise Refused("not_allowed", f"They are all {'hidden' if command.hidden else 'visible'} already.")
    for combatant in others:
        context.emit(e.HiddenSet(combatant.id, command.hidden))


def gather(context: RuleContext, command: Each) -> None:
    """Put several combatants right after the first of them in the order of turns, in their present order."""
    wanted, order = {one.id for one in _find_targets(context, command)}, context.state.order
    together = tuple(who for who in order if who in wanted)
    if len(together) < 2:
        raise Refused("not_allowed", "Fewer than two of them are in the turn order: start the fight first.")
    spot = order.index(together[0])
    behind = (who for who in order[spot:] if who not in wanted)
    fresh = (*order[:spot], *together, *behind)
    if fresh == order:
        raise Refused("not_allowed", "They follow one another already.")
    set_order(context, fresh, command, together[0])
