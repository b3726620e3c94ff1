"""Figures of someone in a fight: the form beside their row, what would follow, and the correction."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.display.forms.figures import find_follows, read_figures, view_figures
from combat.display.shapes.figure_shapes import FiguresView
from combat.play.writing.encounter_service import Submission, submit
from combat.play.writing.locking import stale
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.book import CORRECT_OWN
from combat.rules.core.gm.figures import BETWEEN
from combat.rules.core.state.state import Combatant
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext

MAX_FIELDS = 400  # of one form
CORRECT, OWN = "correct", "correct_own"  # the actions


def allows_figures(context: ViewerContext) -> bool:
    """Whether a viewer has forms of figures: the GM, and players where the table allows it."""
    if context.system.book.sheets is None or context.viewer.is_spectator:
        return False
    return context.viewer.is_gm or bool(context.system.option(context.known_state, CORRECT_OWN))


def may_correct(context: ViewerContext, who: str) -> bool:
    """Whether a viewer may correct someone's figures: the GM anyone's, players those of their own."""
    return allows_figures(context) and context.viewer.plays(who)


def open_figures(context: ViewerContext, who: str, typed: dict[str, str]) -> FiguresView | None:
    """The form of someone's figures; None for someone who is not there, or not for this viewer."""
    one = context.known_state.combatants.get(who)
    if one is None or not may_correct(context, who):
        return None
    try:
        return view_figures(context.system, context.known_state, one, typed, by_gm=context.viewer.is_gm)
    except Refused:  # what was typed is wrong, which the page says already
        return view_figures(context.system, context.known_state, one, {}, by_gm=context.viewer.is_gm)


def _find(context: ViewerContext, who: str) -> Combatant:
    one = context.known_state[who]
    if not may_correct(context, who):
        raise Refused("not_allowed", "You cannot correct these figures: ask the GM.")
    return one


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_follows(request: HttpRequest, pk: int) -> HttpResponse:
    """What would follow from the figures as they are typed."""
    return answer_follows(request, find_context(request, pk))


def answer_follows(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """The same for any table, such as a branch's."""
    if not may_correct(context, request.GET.get("target", "")):
        raise PermissionDenied("Only the GM corrects these figures.")
    shown: dict[str, object] = {"follows": (), "problem": ""}
    try:
        one = _find(context, request.GET.get("target", ""))
        shown["follows"] = find_follows(context.system, context.known_state, one, _select(request.GET))
    except Refused as refused:
        shown["problem"] = refused.message
    return render(request, "combat/table/rows/forms/follows.html", shown)


def correct(posted: QueryDict, context: ViewerContext, do: str) -> None:
    """Correct what differs from now."""
    stamp = posted.get("version", "")
    if stamp and stamp != context.stamp:
        raise stale()
    name, fields = read_correction(context, posted)
    version = stamp or None
    wanted = Submission(name, fields, version=version, by=context.name, grant=context.grant)
    submit(context.encounter.pk, wanted)


def read_correction(context: ViewerContext, posted: QueryDict) -> tuple[str, dict[str, Any]]:
    """The action that a posted form asks for, with its fields; Refused for those of others."""
    one = _find(context, posted.get("target", "") or posted.get("combatant", ""))
    fields = read_figures(context.system, one, _select(posted))
    if not context.viewer.is_gm:
        return OWN, {"actor": one.id, **fields}
    return CORRECT, {"target": one.id, **fields, "reason": posted.get("reason", "")[:200]}


def _select(posted: QueryDict) -> dict[str, str]:
    if len(posted) > MAX_FIELDS:
        raise Refused("bad_value", "So many figures at once: correct some of them.")
    return read_typed(posted)


def read_typed(posted: QueryDict) -> dict[str, str]:
    """The fields of a form as they were typed; of several boxes with one name, what is ticked."""
    return {name: BETWEEN.join(filter(None, map(str, posted.getlist(name)))) for name in posted}
