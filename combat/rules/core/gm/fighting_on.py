"""The GM's decisions on who still fights: surrender, going on after it, coming back from death."""

from __future__ import annotations

from ..basics.errors import Refused
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..state import events as e
from ..state.state import SURRENDERED, has_condition
from ..turn.turns import add_condition, remove_conditions
from .decisions import Target


def surrender(context: RuleContext, command: Target) -> None:
    """Let a combatant give up: no turns and no actions, until the GM lets them fight on."""
    combatant = context.state[command.target]
    if has_condition(combatant, SURRENDERED):
        raise Refused("not_allowed", f"{combatant.name} has surrendered already.")
    if system_of(context).characters.health(combatant).is_out:
        raise Refused("not_allowed", f"{combatant.name} is out of the fight already: revive them first.")
    add_condition(context, combatant.id, SURRENDERED)
    system_of(context).turn.after_change(context, combatant)


def fight_on(context: RuleContext, command: Target) -> None:
    """Let a combatant who surrendered fight again."""
    combatant = context.state[command.target]
    if not has_condition(combatant, SURRENDERED):
        raise Refused("not_allowed", f"{combatant.name} has not surrendered.")
    remove_conditions(context, combatant.id, SURRENDERED, why=command.reason or "why.gm")
    system_of(context).turn.after_change(context, combatant)


def revive(context: RuleContext, command: Target) -> None:
    """Bring a combatant back who is out: awake, with the least numbers that allow it."""
    combatant, system = context.state[command.target], system_of(context)
    characters, actions = system.characters, system.actions
    if not characters.health(combatant).is_out:
        raise Refused("not_allowed", f"{combatant.name} is not out of the fight: heal them instead.")
    context.emit(e.Said("log.revives", combatant.id))
    remove_conditions(context, combatant.id, *actions.out, why=command.reason or "why.gm")
    for track, least in actions.find_least(combatant).items():
        old = combatant.tracks.get(track, 0)
        if old != least:
            context.emit(e.TrackChanged(combatant.id, track, old, new=least, why=command.reason or "why.gm"))
    system_of(context).turn.after_change(context, combatant)
    if characters.health(context.state[combatant.id]).is_out:
        raise Refused("not_allowed", f"{combatant.name} stays out: repair or heal what is worst first.")
