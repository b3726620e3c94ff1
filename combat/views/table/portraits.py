"""The portraits of characters in a fight, for viewers who may see their combatants."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from combat.play.people.roster import find_kept
from combat.rules.core.state.state import present
from combat.sharing.access import find_context, for_visitors
from cosmos_site.base.files import answer_picture


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_portrait(request: HttpRequest, pk: int, digest: str) -> HttpResponse:
    """A portrait by its digest, if a combatant that the viewer may see has it now."""
    context = find_context(request, pk)
    kept = find_kept(context.encounter, present(context.known_state)).values()
    sheet = next((sheet for sheet in kept if sheet.portrait == digest), None)
    picture = sheet.portraits.filter(digest=digest).first() if sheet else None
    if picture is None:
        raise Http404("Portrait not found.")
    return answer_picture(bytes(picture.image), "portrait")
