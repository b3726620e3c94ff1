"""The pictures of ready scenes, fetched when their group is opened."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from combat.display.prep.ready_view import view_ready_scenes
from combat.sharing.access import find_gm_context, for_visitors
from cosmos_site.base.htmx import is_htmx


@for_visitors
@require_safe
def show_ready_scenes(request: HttpRequest, pk: int) -> HttpResponse:
    """The pictures of one group, or of none if there is no such group. Others than scripts get the page."""
    context = find_gm_context(request, pk)
    if not is_htmx(request):
        return redirect("prep", pk)
    groups = view_ready_scenes(context.system, context.known_state)
    scenes = next((one.scenes for one in groups if one.name == request.GET.get("group")), ())
    return render(request, "combat/prep/scene/ready_pictures.html", {"scenes": scenes})
