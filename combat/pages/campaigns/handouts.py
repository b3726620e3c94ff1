"""Handouts at an encounter: people read here what they may see; the GM shows and withdraws them."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.audience.things import HANDOUT
from combat.models import Handout
from combat.play.campaigns import handouts
from combat.rules.core.basics.numbers import read_count
from combat.sharing.access import GONE, find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext, find_handouts
from cosmos_site.base.errors import UNPROCESSABLE
from cosmos_site.base.files import answer_picture
from cosmos_site.base.forms import is_htmx, see_other

from ..table.players_view import find_player_look
from ..table.rows import find_people
from .forms import ShowHandoutForm

UNKNOWN = "That handout is not in this encounter's campaign."
NOT_SHOWN = "That handout is not shown to you, or no longer."
CHECKED = "private, no-cache"  # checked again each time: withdrawn handouts are not cached


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def list_handouts(request: HttpRequest, pk: int) -> HttpResponse:
    """The handouts that the viewer sees; for the owner also those that could be shown, and to whom.

    `to=table` is the owner's short list for the table: a button shows a handout to everyone or withdraws it.
    """
    context, status = find_context(request, pk), 200
    encounter = context.encounter
    is_owner = context.may_name(HANDOUT)
    to_table = "table" in (request.GET.get("to"), request.POST.get("next"))
    forms = _find_forms(context)
    if request.method == "POST":
        if not is_owner:
            raise Http404(GONE)
        number = read_count(request.POST.get("handout", ""))
        if number in forms:
            form = forms[number] = forms[number].send(request.POST)
            handout = form.carry_out(partial(_show, request, context, form))
            if handout:
                answer = see_other("handouts", pk)
                answer["Location"] += "?to=table" if to_table else f"?of={handout.pk}#handout-{handout.pk}"
                return answer
            status = form.status
        else:
            messages.warning(request, UNKNOWN if number else "Choose a handout.")
            status = UNPROCESSABLE
    shown = {
        "encounter": encounter,
        "viewer": context.viewer,
        "handouts": find_handouts(context),
        "is_owner": is_owner,
        "to_table": to_table,
        "manageable": list(forms.values()),
    }
    if forms and is_owner and not to_table:
        shown |= _lay_out(context, forms, request.POST.get("handout") or request.GET.get("of", ""))
    return render(request, "combat/campaigns/handouts/handouts.html", shown, status=status)


def _lay_out(context: ViewerContext, forms: dict[int, ShowHandoutForm], wanted: str) -> dict[str, Any]:
    """The light table: the handout that lies large, and the faces of those who may see it."""
    chosen = forms.get(read_count(wanted) or 0) or next(iter(forms.values()))
    people = find_people(context)
    faces = {
        seat.pk: (seat.name, find_player_look(seat, people), seat.get_kind_display()) for seat in chosen.seats
    }
    ticked = {str(one) for one in chosen["to"].value() or ()}
    return {
        "chosen": chosen,
        "faces": [(pk, *face, str(pk) in ticked) for pk, face in faces.items()],
        "live": [form for form in forms.values() if form.shown],
        "seen_by": {
            form.handout.pk: [faces[pk][1] for pk in form.shown if pk in faces and faces[pk][1]]
            for form in forms.values()
        },
    }


def _show(
    request: HttpRequest, context: ViewerContext, form: ShowHandoutForm, said: dict[str, Any]
) -> Handout:
    to = [] if "withdraw" in request.POST else said["to"] or [handouts.EVERYBODY]
    handout = handouts.show(context.encounter.pk, form.handout.pk, to, grant=context.grant)
    done = "is shown" if to else "is no longer shown"
    messages.success(request, f"“{handout.title}” {done}.")
    return handout


def _find_forms(context: ViewerContext) -> dict[int, ShowHandoutForm]:
    """A form for each handout of the campaign, with the seats that see it; None is everybody."""
    encounter = context.encounter
    campaign = context.find_campaign(HANDOUT)
    if campaign is None:
        return {}
    seen: dict[int, set[int | None]] = {}
    for handout, seat in encounter.showings.values_list("handout", "seat"):
        seen.setdefault(handout, set()).add(seat)
    seats = list(encounter.seats.filter(ended=None))
    rows = campaign.handouts.defer("image")
    return {one.pk: ShowHandoutForm(one, seats, seen.get(one.pk, set())) for one in rows}


def _find_one(request: HttpRequest, pk: int, number: int) -> tuple[ViewerContext, Handout]:
    """A handout that the viewer may see; Http404 for others."""
    context = find_context(request, pk)
    shown = handouts.find_shown(context.encounter, context.seat, context.viewer.is_gm)
    handout = shown.filter(pk=number).first()
    if handout is None:
        raise Http404(NOT_SHOWN)
    return context, handout


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_handout(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One handout: a page, or only its text and picture for a window on the table."""
    context, handout = _find_one(request, pk, number)
    partial = "#handout" if is_htmx(request) else ""
    shown = {"encounter": context.encounter, "handout": handout}
    return render(request, f"combat/campaigns/handouts/handout.html{partial}", shown)


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_picture(request: HttpRequest, pk: int, number: int, digest: str) -> HttpResponse:
    """The picture of a handout, while it is shown."""
    _, handout = _find_one(request, pk, number)
    return answer_image(request, handout, digest)


def answer_image(request: HttpRequest, handout: Handout, digest: str) -> HttpResponse:
    """A handout's picture, or 304 if the browser has it; the caller has checked the right."""
    if not handout.digest or handout.digest != digest:
        raise Http404(NOT_SHOWN)
    if request.headers.get("If-None-Match") == f'"{digest}"':
        kept: HttpResponse = HttpResponseNotModified()
        kept["Cache-Control"] = CHECKED
        return kept
    image = Handout.objects.values_list("image", flat=True).get(pk=handout.pk)
    answer = answer_picture(bytes(image or b""), "handout", CHECKED)
    answer["ETag"] = f'"{digest}"'
    return answer
