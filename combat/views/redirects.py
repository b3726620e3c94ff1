"""Redirects after a write."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect


def see_other(to: str, *args: Any) -> HttpResponse:
    """A 303 to a named page: the browser fetches it with GET."""
    answer = redirect(to, *args)
    answer.status_code = 303
    return answer
