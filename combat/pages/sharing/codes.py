"""The page where a guest types the code that the GM shows, and the address that ends with it."""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from combat.sharing.codes import count_try, find_coded_link, read_code, write_code
from combat.sharing.links import find_token
from cosmos_site.base.forms import see_other

from .forms import CodeForm

PAGE = "combat/sharing/enter_code.html"
WHOLE_LINK = re.compile(r"/join/([\w-]{20,60})/?\s*$", re.ASCII)
NO_CODE = "A code has 8 letters and digits, like 7K4P-M2QX."
WRONG_CODE = "No table has this code now. Check it, or ask the GM for a new one."
TOO_MANY = "Too many wrong codes. Wait 5 minutes, or scan the QR code."
WAIT_SECONDS = 300


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter_code(request: HttpRequest) -> HttpResponse:
    """The form for a code; a code that works leads to its link. A whole link works, too."""
    if request.method != "POST":
        return render(request, PAGE, {"form": CodeForm()})
    typed = request.POST.get("code", "")
    whole = WHOLE_LINK.search(typed)
    return see_other("join", whole[1]) if whole else _open(request, typed)


@never_cache
@require_http_methods(["GET", "HEAD"])
def open_code(request: HttpRequest, code: str) -> HttpResponse:
    """The form with the code of an address, as it is typed into a browser.

    It does not look the code up: another web page could make browsers open such addresses, and use up the
    tries of everybody behind their address.
    """
    word = read_code(code)
    if not word:
        return _refuse(request, code, NO_CODE, 422)
    return render(request, PAGE, {"form": CodeForm(write_code(word)), "is_typed": True})


def _open(request: HttpRequest, typed: str) -> HttpResponse:
    code = read_code(typed)
    if not code:
        return _refuse(request, typed, NO_CODE, 422)
    tried = count_try(request)
    if tried is None:
        answer = _refuse(request, typed, TOO_MANY, 429)
        answer["Retry-After"] = str(WAIT_SECONDS)
        return answer
    link = find_coded_link(code)
    if link is None:
        return _refuse(request, typed, WRONG_CODE, 404)
    tried.rollback()
    return see_other("join", find_token(link))


def _refuse(request: HttpRequest, typed: str, why: str, status: int) -> HttpResponse:
    return render(request, PAGE, {"form": CodeForm(typed[:60], why)}, status=status)
