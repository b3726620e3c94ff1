"""What goes wrong around the addresses of programs is a problem in JSON too, never a page."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import LazySettings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import override_script_prefix

from combat.live.hub import StreamGrant
from combat.models import Encounter
from combat.pages.programs import api
from combat.pages.table import stream as streams
from cosmos_site.base import errors
from cosmos_site.base.request_bodies import BodyReader
from cosmos_site.serving import WorkerPool
from tests.combat.pages.programs.asking import Program, make_program
from tests.typed import Answer

PAGE = {"Accept": "text/html"}  # not even to a browser


@pytest.fixture
def bot(started: Encounter) -> Program:
    """A program of the GM."""
    return make_program(started)


def check(answer: Answer | HttpResponse, status: int) -> Any:
    """The problem of an answer."""
    assert answer.status_code == status, answer.content.decode()
    assert answer["Content-Type"] == "application/json"
    return check_problem(answer.content)


def check_problem(raw: bytes) -> Any:
    found = json.loads(raw)
    assert set(found) == {"problem", "code"}
    assert found["problem"].endswith(".")
    assert found["code"].replace("_", "").isalpha()
    return found


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        (RuntimeError("a secret"), 500, "fault"),
        (OperationalError("connection failed: a secret"), 503, "busy"),
        (OperationalError("database or disk is full"), 503, "busy"),
    ],
    ids=str,
)
@pytest.mark.parametrize("what", ["state", "actions", "log"])
def test_programs_are_told_a_fault_and_an_outage_without_secrets(
    bot: Program, monkeypatch: pytest.MonkeyPatch, wrong: Exception, status: int, code: str, what: str
) -> None:
    def fail(*_: Any) -> None:
        raise wrong

    monkeypatch.setattr(api, "find_open_context", fail)
    client = Client(raise_request_exception=False)
    answer = client.get(f"/api/table/{what}/", headers={**bot.headers, **PAGE})
    found = check(answer, status)
    assert found["code"] == code
    assert "secret" not in found["problem"]
    assert answer.headers.get("Retry-After") == ("5" if status == 503 else None)


@pytest.mark.parametrize("said", ["database or disk is full", "No space left on device"])
def test_full_disk_is_told_from_a_database_that_is_away(
    bot: Program, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    def fail(*_: Any) -> None:
        raise OperationalError(said)

    monkeypatch.setattr(api, "perform", fail)
    client = Client(raise_request_exception=False)
    answer = client.post(
        "/api/table/actions/",
        {"stamp": "x", "action": "end_turn", "fields": {}},
        "application/json",
        headers=bot.headers,
    )
    problem = check(answer, 503)["problem"]
    assert "The disk of the server is full: what you sent was not saved." in problem
    assert "try again" not in problem


@pytest.mark.parametrize("path", ["/api/cake/", "/api/table/", "/api/table/actions", "/api/v1/a/b/"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_no_such_address(path: str, method: str) -> None:
    assert "/api/openapi.json" in check(getattr(Client(), method)(path, headers=PAGE), 404)["problem"]


@pytest.mark.parametrize("path", ["/api/openapi.json", "/api/v1/x/"])
def test_no_such_method(path: str) -> None:
    answer = Client().post(path, headers=PAGE)
    check(answer, 405)
    assert "GET" in answer["Allow"]


def test_form_without_the_secret_of_a_browser() -> None:
    assert (
        "GET"
        in check(Client(enforce_csrf_checks=True).post("/api/openapi.json", headers=PAGE), 403)["problem"]
    )


def test_right_and_size_refused_outside_of_an_answer() -> None:
    request = RequestFactory().get("/api/table/state/", headers=PAGE)
    assert check(errors.refuse_permission(request, PermissionDenied("No.")), 403)["problem"] == "No."
    check(errors.refuse_request(request, RequestDataTooBig("x")), 413)


def test_strange_host() -> None:
    check(Client().get("/api/table/state/", headers={**PAGE, "Host": "elsewhere.example"}), 400)


def test_page_for_people_stays_a_page(client: Client) -> None:
    assert client.get("/api/")["Content-Type"].startswith("text/html")
    assert client.get("/apis/", headers=PAGE)["Content-Type"].startswith("text/html")


# ---- Before Django ----


def ask(
    app: Any, path: str, method: str = "GET", body: bytes = b"", seconds: float = 0
) -> tuple[int, str, bytes]:
    """Status, type and body of what an ASGI application answers to a browser's request."""
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(seconds)
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(event: Any) -> None:
        sent.append(event)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "http_version": "1.1",
        "scheme": "http",
        "headers": [(b"accept", b"text/html"), (b"host", b"localhost")],
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
    }
    async_to_sync(app)(scope, receive, send)
    kind = dict(sent[0]["headers"])[b"content-type"].decode()
    return sent[0]["status"], kind, b"".join(one["body"] for one in sent[1:])


def check_asked(app: Any, path: str, status: int, **more: Any) -> Any:
    answered, kind, body = ask(app, path, **more)
    assert (answered, kind) == (status, "application/json")
    return check_problem(body)


@pytest.mark.parametrize(
    ("reader", "status", "code"),
    [
        (BodyReader(10, 5, 5, 100), 413, "bad_value"),
        (BodyReader(100, 0.01, 5, 100), 408, "busy"),
        (BodyReader(100, 5, 0, 100), 503, "busy"),
    ],
    ids=["too large", "too slow", "too many"],
)
def test_body_that_is_not_taken_in(reader: BodyReader, status: int, code: str) -> None:
    pool: Any = WorkerPool(None, reader)  # type: ignore[arg-type]  # no thread is asked
    more: dict[str, Any] = {"method": "POST", "body": b"x" * 20, "seconds": 0.1}
    assert check_asked(pool.answer, "/api/table/odds/", status, **more)["code"] == code
    assert ask(pool.answer, "/encounters/1/", **more)[1] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("path", "method", "grant", "status"),
    [
        ("/api/table/events/", "POST", None, 405),
        ("/api/table/events/", "GET", None, 401),
        ("/api/v1/x/events/", "GET", None, 404),
        ("/api/table/events/", "GET", OperationalError("gone"), 503),
        ("/api/table/events/", "GET", StreamGrant(1, "gm", token=1), 429),
        ("/api/v1/x/events/", "GET", StreamGrant(1, "public", link=1), 429),
    ],
)
def test_stream_that_does_not_begin(
    monkeypatch: pytest.MonkeyPatch, path: str, method: str, grant: Any, status: int
) -> None:
    def admit(*_: Any) -> Any:
        if isinstance(grant, Exception):
            raise grant
        return grant

    monkeypatch.setattr(streams, "_admit_program", admit)
    monkeypatch.setattr(streams, "is_too_fast", lambda token: False)
    monkeypatch.setattr(streams, "MAX_PROGRAMS", 0)
    check_asked(streams.stream_to_program, path, status, method=method)


def test_site_under_a_path(settings: LazySettings) -> None:
    from cosmos_site.asgi import application

    settings.COSMOS_PATH = settings.FORCE_SCRIPT_NAME = "/table"
    with override_script_prefix("/"):  # a request leaves its own for those that follow
        assert "/table/" in check_asked(application, "/api/table/state/", 404)["problem"]
        assert ask(application, "/encounters/")[1] == "text/plain"
        for nothing in ("/table/api/cake/", "/table/api/table/cake/"):
            assert "/table/api/openapi.json" in check_asked(application, nothing, 404)["problem"]
        page = ask(application, "/table/api/")[2].decode()
        assert re.findall(r"(?<!/table)/(?:api|join)/", page) == []
        check_asked(application, "/table/api/openapi.json", 403, method="DELETE")


# ---- The document ----


def test_document_names_every_problem(client: Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    for path, methods in paths.items():
        for one in methods.values():
            problems = {n: answer for n, answer in one["responses"].items() if int(n) >= 400}
            least = {"405", "503"} if "events" in path else {"400", "403", "404", "405", "500", "503"}
            assert problems.keys() >= least | (
                {"413", "429"} if path.startswith("/api/table/") and "events" not in path else set()
            )
            for answer in problems.values():
                assert answer["content"] == {
                    "application/json": {"schema": {"$ref": "#/components/schemas/OpenProblem"}}
                }
