"""The host's page of accounts, and the page where people delete their own."""

from __future__ import annotations

from collections.abc import Callable
from tempfile import TemporaryFile

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from characters.access import person_of
from characters.accounts.users import is_host
from combat.pages.copies.views import host_only
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.sharing.accounts import (
    close_account,
    count_things,
    delete_account,
    delete_own_account,
    delete_with_things,
    find_accounts,
    find_next_host,
    find_other,
    mark_things,
    open_account,
    rename_account,
    renew_access,
    write_things,
)
from cosmos_site.base.errors import status_of

PER_PAGE, MAX_ASKED = 50, 100
DELETED = "Your account is deleted, with everything it owned."
DOWNLOADED = "downloaded"  # in the host's session: what of whom they have in a file
NO_SUCH = "Choose Rename, Close, Open again, Delete or New sign-in link."


@host_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def list_accounts(request: HttpRequest) -> HttpResponseBase:
    """The accounts, fifty a page. POST changes one, or downloads what a closed one owns.

    A new sign-in link is shown once, in the answer.
    """
    made, status = {}, 200
    if request.method == "POST":
        try:
            if request.POST.get("do") == "download":
                return _download(request)
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
    downloaded = request.session.get(DOWNLOADED, {}).get(str(person.pk), "")
    typed = posted.get("typed", "")
    changes: dict[str, Callable[[User], str]] = {
        "close": close_account,
        "open": open_account,
        "rename": lambda person: rename_account(person, posted.get("name", "")),
        "delete": lambda person: delete_account(person, posted.get("heir", ""), typed),
        "delete_all": lambda person: delete_with_things(person, person_of(request), typed, downloaded),
    }
    if do not in changes:
        raise Refused("unknown", NO_SUCH)
    messages.success(request, changes[do](person))
    return {}


def _download(request: HttpRequest) -> FileResponse:
    """A zip of what a closed account owns; the session notes what was in it. Refused for an open one."""
    person = find_other(person_of(request), read_count(request.POST.get("person", "")))
    if person.is_active:
        raise Refused("not_allowed", f"{person.username} is open: close the account first.")
    mark, answer = mark_things(person), _answer_things(person)
    request.session[DOWNLOADED] = {**request.session.get(DOWNLOADED, {}), str(person.pk): mark}
    return answer


def _answer_things(person: User) -> FileResponse:
    """The zip of what an account owns."""
    file = TemporaryFile()  # noqa: SIM115 - the answer closes it
    write_things(person, file)
    file.seek(0)
    name = f"{slugify(person.username) or 'account'}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth has no types
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete_own(request: HttpRequest) -> HttpResponseBase:
    """What goes with one's own account. POST downloads it, or deletes the account and signs out."""
    person, refused = person_of(request), None
    if request.method == "POST":
        do = request.POST.get("do", "")
        if do == "download":
            return _answer_things(person)
        try:
            if do != "delete":
                raise Refused("unknown", "Choose Download or Delete account.")
            delete_own_account(person.pk, request.POST.get("typed", ""))
        except Refused as problem:
            refused = problem
        else:
            logout(request)
            messages.success(request, DELETED)
            return redirect("home")
    heir = find_next_host(person)
    shown = {
        "owns": count_things([person])[person.pk],
        "is_only_gm": person.is_staff and heir is None,
        "next_host": heir if is_host(person) else None,
        "command": settings.COMMAND,
        "refused": refused,
    }
    return render(request, "accounts/delete.html", shown, status=status_of(refused) if refused else 200)
