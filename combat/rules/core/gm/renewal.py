"""A new session or a new day: its limited uses return."""

from __future__ import annotations

from ..basics.errors import Refused
from ..commands.context import RuleContext
from ..declaration.people import DAY, FIGHT, SESSION
from ..state import events as e
from ..turn.spans import renew
from .decisions import GmCommand


def begin_session(context: RuleContext, command: GmCommand) -> None:
    """Begin a session: its limited uses, and those of fights, return."""
    _begin(context, command, "gm.new_session", SESSION)


def begin_day(context: RuleContext, command: GmCommand) -> None:
    """Begin a day: its limited uses, and those of fights, return."""
    _begin(context, command, "gm.new_day", DAY)


def _begin(context: RuleContext, command: GmCommand, said: str, span: str) -> None:
    if context.state.phase == "fight":
        raise Refused("not_allowed", "End the fight first.")
    context.emit(e.Overruled(said, command.reason))
    if not renew(context, span, FIGHT, told=True):
        raise Refused("not_allowed", "Nobody has used anything up that would come back.")
