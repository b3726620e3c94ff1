"""The protection of every page: headers, cookies, and clear refusals."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from allauth.core.ratelimit import respond_429
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import include, path
from django.views.decorators.http import require_POST

from characters.accounts.users import make_sign_in_link
from cosmos_site.base import errors
from cosmos_site.base.request_bodies import BodyRejected, find_back, reject
from cosmos_site.urls import handler400, handler403, handler404, handler500  # noqa: F401 - used with these urls
from tests.site.hosting.table import ROOT, manage
from tests.typed import Answer

POLICY = {
    "default-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
}
PRODUCTION = {
    "COSMOS_HTTPS": "1",
    "COSMOS_HOSTS": "table.example",
    "COSMOS_SECRET_KEY": "x" * 30 + "0123456789abcdefghijklmnopqrst",
}
PAGES = [
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/sign-in/none/",
    "/nothing/",
    "/healthz",
]


def find_policy(answer: Answer) -> set[str]:
    return set(answer["Content-Security-Policy"].split("; "))


def refuse(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied("Only the GM may do this.")


def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a secret cause")


def lose(request: HttpRequest) -> HttpResponse:
    raise OperationalError(f"{request.GET['cause']} at a secret place")


@require_POST
def take(request: HttpRequest) -> HttpResponse:
    return HttpResponse("taken")


urlpatterns = [
    path("refuse", refuse),
    path("fail", fail),
    path("lose", lose),
    path("take", take),
    path("often", respond_429),
    path("", include("cosmos_site.urls")),
]


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_every_page_is_protected(client: Client, address: str) -> None:
    answer = client.get(address)
    assert find_policy(answer) == POLICY
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert "Cross-Origin-Opener-Policy" not in answer, "over http a browser only complains about it"


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(gm: User, client: Client) -> None:
    client.get("/accounts/login/")
    client.post(f"/sign-in/{make_sign_in_link(gm)}/")
    assert set(client.cookies) == {"csrftoken", "sessionid"}
    for cookie in client.cookies.values():
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"


def test_hosted_site_uses_https_only(tmp_path: Path) -> None:
    script = """
from django.conf import settings
print(settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.SECURE_SSL_REDIRECT)
print(settings.SECURE_HSTS_SECONDS, settings.CSRF_TRUSTED_ORIGINS, settings.DEBUG)
print(settings.SECURE_CROSS_ORIGIN_OPENER_POLICY)
"""
    done = manage("shell", "--no-imports", "-c", script, COSMOS_DATA=str(tmp_path), **PRODUCTION)
    found = ["True", "True", "True", "31536000", "['https://table.example']", "False", "same-origin"]
    assert done.stdout.split() == found


@pytest.mark.slow
@pytest.mark.parametrize(("path", "said"), [("", "True"), ("/table", "False")])
def test_names_below_the_host_are_bound_only_by_its_own_site(tmp_path: Path, path: str, said: str) -> None:
    script = "from django.conf import settings; print(settings.SECURE_HSTS_INCLUDE_SUBDOMAINS)"
    variables = {**PRODUCTION, "COSMOS_DATA": str(tmp_path), "COSMOS_PATH": path}
    done = manage("shell", "--no-imports", "-c", script, **variables)
    assert done.stdout.split() == [said]


@pytest.mark.slow
def test_own_database_needs_an_own_key(tmp_path: Path) -> None:
    done = manage("check", COSMOS_DATA=str(tmp_path), DATABASE_URL="postgres://nobody@127.0.0.1/none")
    assert done.returncode != 0
    assert "SECRET_KEY" in done.stderr


@pytest.mark.django_db
@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/refuse", 403, "Only the GM may do this."),
        ("/fail", 500, "Something went wrong on our side"),
        ("/nothing", 404, "Page not found"),
        ("/take", 405, "only for the buttons of other pages"),
        ("/often", 429, "Wait a few minutes, then try again."),
    ],
)
def test_errors_are_pages_in_plain_words(address: str, status: int, words: str) -> None:
    answer = Client(raise_request_exception=False).get(address)
    assert answer.status_code == status
    assert words in answer.content.decode()
    assert "secret cause" not in answer.content.decode()
    assert find_policy(answer) == POLICY


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("cause", "status", "words"),
    [
        ("connection failed", 503, "The database is not available"),
        ("attempt to write a readonly database", 503, "The database can only be read now"),
        ("database or disk is full", 507, "The disk of the server is full"),
        ("could not extend file: No space left on device", 507, "The disk of the server is full"),
    ],
)
def test_database_that_is_away_is_told_without_asking_it(cause: str, status: int, words: str) -> None:
    answer = Client(raise_request_exception=False).get("/lose", {"cause": cause})
    assert (answer.status_code, answer["Retry-After"]) == (status, "5")
    assert words in answer.content.decode()
    assert f'href="/lose?cause={quote_plus(cause)}">Open the page again' in answer.content.decode()
    assert "secret place" not in answer.content.decode()
    assert find_policy(answer) == POLICY


def test_fault_in_the_error_page_itself_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "render", fail)
    answer = errors.show_server_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert b"Nothing was changed" in answer.content


@pytest.mark.parametrize(
    ("path", "headers", "kind"),
    [
        ("/", [(b"accept", b"text/html,*/*;q=0.8")], "text/html; charset=utf-8"),
        ("/", [(b"Accept", b"text/html"), (b"HX-Request", b"true")], "text/plain; charset=utf-8"),
        ("/", [(b"accept", b"*/*")], "text/plain; charset=utf-8"),
        ("/api/table/odds/", [(b"accept", b"text/html")], "application/json"),
    ],
)
def test_what_was_not_taken_in_is_a_page_for_people_only(
    path: str, headers: list[tuple[bytes, bytes]], kind: str
) -> None:
    sent: list[Any] = []

    async def send(event: Any) -> None:
        sent.append(event)

    async_to_sync(reject)(send, BodyRejected(413, "Too large: send less."), path, headers)
    assert sent[0]["status"] == 413
    assert (b"content-type", kind.encode()) in sent[0]["headers"]
    assert b"Too large: send less." in sent[1]["body"]


@pytest.mark.parametrize(
    ("came_from", "back"),
    [
        (b"https://table.test/encounters/7/scene/?edit=walls:w1", "/encounters/7/scene/?edit=walls:w1"),
        (b"https://elsewhere.test/encounters/7/", "/"),
        (b"https://table.test//elsewhere.test/", "/"),
        (b"https://[table.test", "/"),
        (b"", "/"),
    ],
)
def test_refusal_page_leads_back_to_where_it_was_sent_from(came_from: bytes, back: str) -> None:
    assert find_back([(b"Host", b"table.test"), (b"Referer", came_from)]) == back


def find_templates() -> list[Path]:
    return sorted((ROOT / "templates").rglob("*.html"))


# Saved and opened from a disk, where no server sets a policy, it must bring all it needs. It is only ever
# sent as an attachment, see tests/combat/pages/log/test_dice.py.
SAVED = ROOT / "templates/combat/log/dice_file.html"


# A script in the page, a style in the page, something from elsewhere
FOREIGN = re.compile(
    r"<script(?![^>]*\b(src=|type=.application/json))"
    r"|<style|\sstyle=|\son[a-z]+=|javascript:|hx-on|hx-vals=.js:"
    r"""|(src|href|action)=["'](https?:)?//"""
)


def test_templates_hold_no_script_and_no_style() -> None:
    templates = [path for path in find_templates() if path != SAVED]
    found = {str(path.relative_to(ROOT)): FOREIGN.search(path.read_text("utf-8")) for path in templates}
    assert len(found) > 100
    assert {name: hit[0] for name, hit in found.items() if hit} == {}
