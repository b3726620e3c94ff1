"""A new session or a new day: what was used up of it is there again."""

from __future__ import annotations

from functools import partial

from ..basics.errors import Refused
from ..commands.commands import Action
from ..commands.context import RuleContext
from ..spans import renew
from ..state import events as e
from ..system import DAY, FIGHT, SESSION
from .decisions import GmCommand, gm_action

SPANS = {"new_session": (SESSION, FIGHT), "new_day": (DAY, FIGHT)}
SAID = {"new_session": "gm.new_session", "new_day": "gm.new_day"}


def begin_span(name: str, context: RuleContext, command: GmCommand) -> None:
    """Begin a session or a day: all that was used up of it, and of the fights before, is back."""
    if context.state.phase == "fight":
        raise Refused("not_allowed", "End the fight first.")
    context.emit(e.Overruled(SAID[name], command.reason))
    if not renew(context, *SPANS[name], told=True):
        raise Refused("not_allowed", "Nobody has used anything up that would come back.")


def renewal_action(name: str, group: str, rule: str = "", text: str = "") -> Action:
    """The GM's action that begins a span: "new_session" or "new_day"."""
    label, run = name.replace("_", " ").capitalize(), partial(begin_span, name)
    return gm_action(name, label, group, GmCommand, run, rule, text=text, has_odds=False)
