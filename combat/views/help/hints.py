"""The hints of a first fight: what was seen, and seeing them again."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from combat.sharing.hints import find_named, forget_seen, keep_seen


@require_http_methods(["GET", "HEAD", "POST"])
def change_hints(request: HttpRequest) -> HttpResponse:
    """`seen` names a hint, or the people whose hints are all seen; `do=again` shows all of them again."""
    if request.method != "POST":
        return redirect("help")
    if request.POST.get("do") == "again":
        back = HttpResponseRedirect(f"{reverse('help')}#hints", status=303)
        forget_seen(request, back)
        messages.success(request, "The hints appear in your next fight.")
        return back
    keys = find_named(request.POST.get("seen", ""))
    if not keys:
        raise Http404("There is no such hint.")
    answer = HttpResponse(status=204)
    keep_seen(request, answer, keys)
    return answer
