"""The host's page of accounts."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from combat.pages.copies.views import host_only
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.sharing.access import person_of
from combat.sharing.accounts import (
    close_account,
    count_things,
    delete_account,
    find_accounts,
    find_other,
    open_account,
    rename_account,
    renew_access,
)
from cosmos_site.base.errors import status_of

PER_PAGE, MAX_ASKED = 50, 100
NO_SUCH = "Choose Rename, Close, Open again, Delete or New sign-in link."


@host_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def list_accounts(request: HttpRequest) -> HttpResponse:
    """The accounts, fifty a page. POST changes one; a new sign-in link is shown once, in the answer."""
    made, status = {}, 200
    if request.method == "POST":
        try:
            made = _change(request)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    asked = request.GET.get("q", "").replace("\0", "").strip()[:MAX_ASKED]
    page = Paginator(find_accounts(asked), PER_PAGE).get_page(request.GET.get("page"))
    owned = count_things([*page])
    shown = {
        "rows": [{"person": person, "owns": ", ".join(owned[person.pk])} for person in page],
        "page": page,
        "q": asked,
        "query": urlencode({"q": asked} if asked else {}),
        **made,
    }
    return render(request, "accounts/people.html", shown, status=status)


def _change(request: HttpRequest) -> dict[str, str]:
    """Do what a button says; what the page shows of a new link."""
    posted = request.POST
    person, do = find_other(person_of(request), read_count(posted.get("person", ""))), posted.get("do", "")
    if do == "link":
        link = reverse("sign_in_by_link", args=[renew_access(person)])
        return {"link": request.build_absolute_uri(link), "link_for": person.username}
    changes: dict[str, Callable[[User], str]] = {
        "close": close_account,
        "open": open_account,
        "rename": lambda person: rename_account(person, posted.get("name", "")),
        "delete": lambda person: delete_account(person, posted.get("heir", ""), posted.get("typed", "")),
    }
    if do not in changes:
        raise Refused("unknown", NO_SUCH)
    messages.success(request, changes[do](person))
    return {}
