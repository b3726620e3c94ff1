"""What is asked of an action before it is done: for whom, and with which fields."""

from __future__ import annotations

from typing import Any

from django.http import Http404, QueryDict

from combat.audience.rights import NOT_YOURS
from combat.audience.secrecy import find_free, forget_unknown
from combat.display.forms import prefilled, read_fields
from combat.rules.core.commands.commands import Action
from combat.sharing.viewer_context import ViewerContext


def check_plays(context: ViewerContext, actor: str) -> None:
    """Raise Http404 unless the viewer acts for a combatant that they know of and who has not left."""
    fighter = context.known_state.combatants.get(actor)
    if not context.viewer.plays(actor) or fighter is None or fighter.gone:
        raise Http404(NOT_YOURS)


def read_known_fields(
    context: ViewerContext, action: Action, actor: str, asked: QueryDict, *, prefill: bool = True
) -> dict[str, Any]:
    """The fields of a form as it stands, over those it is prefilled with; the unknown are left out."""
    usual = prefilled(action, context.obscured_state, actor) if prefill else {}
    fields = {**usual, **read_fields(action, context.obscured_state, actor, asked)}
    return forget_unknown(fields, find_free(action), context.full_state, context.viewer)
