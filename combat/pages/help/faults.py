"""The page that makes a report of a fault: a file, for the GM, that nobody is named in."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from combat.play.after.faults import MAX_SAID, make_report
from combat.rules.core.basics.errors import Refused
from combat.sharing.access import find_gm_context, for_visitors
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import SiteForm


class FaultForm(SiteForm):
    """What happened, in the GM's words."""

    said = forms.CharField(
        label="What happened, and what did you expect?",
        required=False,
        widget=forms.Textarea({"rows": 5, "maxlength": MAX_SAID}),
        help_text="These words go into the file as they are. Name no one.",
    )


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def report_fault(request: HttpRequest, pk: int) -> HttpResponse:
    """What a report holds; a POST answers with the file. Only the GM may know a whole fight."""
    context, refused = find_gm_context(request, pk), None
    said = request.POST.get("said", "").replace("\r\n", "\n").strip()
    if request.method == "POST":
        try:
            raw = make_report(context.encounter, reverse("table", args=[pk]), said, _read_browser(request))
        except Refused as problem:
            refused = problem
        else:
            return _answer_file(raw)
    shown = {"encounter": context.encounter, "refused": refused, "form": FaultForm(initial={"said": said})}
    return render(request, "help/fault/fault.html", shown, status=status_of(refused) if refused else 200)


def _read_browser(request: HttpRequest) -> dict[str, str]:
    """What the browser says of itself."""
    return {"agent": request.headers.get("User-Agent", ""), "window": request.POST.get("window", "")}


def _answer_file(raw: bytes) -> HttpResponse:
    answer = HttpResponse(raw, content_type="application/json")
    name = f"fault-{timezone.now():%Y-%m-%d-%H%M%S}.json"  # no name of an encounter
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
