"""The page with the tokens of one person's programs at an encounter."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from combat.display.forms.fields import check_form
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.sharing.access import GONE, find_context, for_visitors
from combat.sharing.programs import MAX_LENGTH, NO_NAME, end_token, list_tokens, make_token
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import SiteForm, see_other


class TokenForm(SiteForm):
    """A new token: the name of the program that gets it."""

    ids = "token-%s"
    use_required_attribute = True
    name = forms.CharField(
        label="Program",
        max_length=MAX_LENGTH,
        error_messages={"required": NO_NAME},
        help_text="its name in the log",
    )


@never_cache
@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def list_programs(request: HttpRequest, pk: int) -> HttpResponse:
    """The tokens of the GM's or a player's programs; a new one is shown once, in the answer that made it."""
    context, made, status = find_context(request, pk), None, 200
    if context.viewer.is_spectator:
        raise Http404(GONE)
    form = TokenForm()
    if request.method == "POST":
        try:
            if request.POST.get("do") == "end":
                end_token(list_tokens(context), read_count(request.POST.get("token", "")))
                return see_other("programs", pk)
            form = TokenForm(request.POST)
            made = make_token(context, check_form(form).cleaned_data["name"])
            form = TokenForm()
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    shown = {"encounter": context.encounter, "tokens": list_tokens(context), "made": made, "form": form}
    return render(request, "combat/programs/programs.html", shown, status=status)
