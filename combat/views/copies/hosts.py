"""Pages for the host alone: to everybody else they do not exist."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from characters.accounts.people import is_host

View = Callable[..., HttpResponseBase]


def host_only(view: View) -> View:
    """A page that answers 404 to everyone but the host."""

    @wraps(view)
    def guarded(request: HttpRequest, **named: str) -> HttpResponseBase:
        if not is_host(request.user):
            raise Http404
        return view(request, **named)

    return guarded


def form_only(view: View) -> View:
    """An address that only takes forms: opened by hand, it leads to the page with the form."""

    @wraps(view)
    def guarded(request: HttpRequest, **named: str) -> HttpResponseBase:
        return view(request, **named) if request.method == "POST" else redirect("copies")

    return guarded
