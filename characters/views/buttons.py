"""Addresses that only buttons post to; opened directly, they lead to the page with the button."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

View = Callable[..., HttpResponse]


def posted_from(page: str, words: str, query: str = "", same: bool = True) -> Callable[[View], View]:
    """A view for POST alone. GET leads to `page`, which shows `words` and decides who may see it.

    `same` is whether that page takes the same arguments as the view, or none.
    """

    def guard(view: View) -> View:
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST":
                return view(request, *args, **kwargs)
            messages.info(request, words)
            return redirect(reverse(page, kwargs=kwargs if same else {}) + query)

        return guarded

    return guard
