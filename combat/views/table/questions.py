"""Checks and fields for questions about an action before it is done."""

from __future__ import annotations

from typing import Any

from django.http import Http404, QueryDict

from combat.audience.rights import NOT_YOURS
from combat.audience.secrecy import find_free, forget_unknown
from combat.display.forms.fields import prefilled, read_fields
from combat.rules.core.commands.commands import Action
from combat.sharing.viewer_context import ViewerContext


def check_plays(context: ViewerContext, actor: str) -> None:
    """Raise Http404 unless the viewer acts for a combatant that they know of and who has not left."""
    combatant = context.known_state.combatants.get(actor)
    if not context.viewer.plays(actor) or combatant is None or combatant.gone:
        raise Http404(NOT_YOURS)


def read_known_fields(
    context: ViewerContext, action: Action, actor: str, asked: QueryDict, *, prefill: bool = True
) -> dict[str, Any]:
    """The fields of a form over its prefilled ones, without combatants that the viewer cannot know."""
    usual = prefilled(action, context.obscured_state, actor) if prefill else {}
    fields = {**usual, **read_fields(action, context.obscured_state, actor, asked)}
    return forget_unknown(fields, find_free(action), context.full_state, context.viewer)
