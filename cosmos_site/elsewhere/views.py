"""The GM's decisions: which addresses outside the network are open."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from cosmos_site.base.errors import status_of
from cosmos_site.base.htmx import is_htmx
from cosmos_site.base.outside import OUTSIDE, Notice
from cosmos_site.base.request_bodies import find_back

NOT_YOURS = "Only the GM who runs this table can open it to the internet or close it."
NOT_HERE = "This site's addresses are in its settings: see Help, Hosting."
DECISIONS: dict[str, Callable[[str], None]] = {
    "allow": OUTSIDE.allow,
    "ignore": OUTSIDE.close,
    "stop": OUTSIDE.close,
}
NO_CONTENT, SEE_OTHER = 204, 303


def add_notice(request: HttpRequest) -> dict[str, Any]:
    """For templates: `outside`, what the GM has to know and decide; None for everyone else.

    It is found only where a template reads it, as parts of pages need no account.
    """
    return {"outside": partial(find_notice, request)}


def find_notice(request: HttpRequest) -> Notice | None:
    """The open addresses, and those that ask, for the GM of a table that `play` serves."""
    may_know = OUTSIDE.is_offered and is_gm(getattr(request, "user", AnonymousUser()))
    return OUTSIDE.look() if may_know else None


def is_gm(person: User | AnonymousUser) -> bool:
    """Whether they may run this table: open it, close it, answer for it."""
    return person.is_active and person.is_staff


@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: HttpRequest) -> HttpResponse:
    """Allow, ignore or stop an address by POST. By GET, the notice alone, or 204 if it has not changed."""
    if not OUTSIDE.is_offered:
        raise Http404(NOT_HERE)
    if not is_gm(request.user):
        raise PermissionDenied(NOT_YOURS)
    if request.method == "POST":
        return _decide(request)
    if not is_htmx(request):
        return redirect("help_page", "elsewhere")
    if request.GET.get("seen") == str(OUTSIDE.changes):
        return HttpResponse(status=NO_CONTENT)
    return render(request, "elsewhere/notice.html")


def _decide(request: HttpRequest) -> HttpResponse:
    """Back to the page with the notice; after a refusal, the notice with its reason."""
    try:
        decision = DECISIONS.get(request.POST.get("do", ""))
        if decision is None:
            raise Refused("unknown", "Choose Allow, Not mine or Stop.")
        decision(request.POST.get("host", ""))
    except Refused as refused:
        messages.warning(request, refused.message)
        return render(request, "elsewhere/refused.html", status=status_of(refused))
    sent = {b"host": request.get_host(), b"referer": request.META.get("HTTP_REFERER", "")}
    back = find_back((name, value.encode("latin-1")) for name, value in sent.items())
    answer = HttpResponseRedirect(back)
    answer.status_code = SEE_OTHER
    return answer
