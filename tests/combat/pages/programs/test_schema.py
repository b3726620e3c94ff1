"""Each address does what the OpenAPI document says, whatever is sent to it."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.test import Client
from schemathesis import GenerationMode
from zeal import zeal_ignore

from combat.models import Encounter, ShareLink
from combat.pages.programs.operations import OPERATIONS
from combat.sharing import programs
from combat.sharing.links import make_link
from tests.combat.cast import Cast, seat_named
from tests.combat.pages.programs.asking import make_program
from tests.thinning import thin

EXAMPLES = 12  # of each operation and mode: bounded, and the same each time
STREAMS = ["table_events", "spectator_events"]  # raw ASGI: tests/combat/live
# A word of the right form may name someone who is not there, or do what the rules refuse: 422
FITTING = ["2xx", 401, 403, 404, 409, 422]
CONFIG = schemathesis.Config.from_dict(
    {"checks": {"positive_data_acceptance": {"expected-statuses": FITTING}}}
)
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
Document = Any


@pytest.fixture
def document(monkeypatch: pytest.MonkeyPatch, db: None) -> Document:
    """The document as the site gives it, without its streams, and no limit of requests."""
    monkeypatch.setitem(programs.RATES, "program", "100000/s/key")
    loaded = schemathesis.openapi.from_wsgi("/api/openapi.json", get_wsgi_application(), config=CONFIG)
    return loaded.exclude(operation_id=STREAMS)


def check_all(document: Document, mode: GenerationMode, headers: dict[str, str]) -> set[str]:
    """Send what the document allows, or what it does not; return the operations that were tried."""
    tried = set()
    for found in document.get_all_operations():
        operation = found.ok()

        @hypothesis.settings(
            max_examples=EXAMPLES,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(hypothesis.HealthCheck),
            phases=[hypothesis.Phase.generate],
        )
        @hypothesis.given(operation.as_strategy(generation_mode=mode))
        def check(case: Any) -> None:
            with zeal_ignore():
                case.call_and_validate(headers=headers)

        check()
        tried.add(operation.label)
    return tried


@pytest.mark.parametrize("mode", thin(MODES), ids=["allowed", "wrong"])
def test_every_address_keeps_to_its_document(
    document: Document, started: Encounter, cast: Cast, mode: GenerationMode
) -> None:
    tried = check_all(document, mode, make_program(started, seat_named("Pia")).headers)
    assert {f"{method} /api/table/{what}/" for what in OPERATIONS for method in OPERATIONS[what]} <= tried


@pytest.mark.slow
def test_spectators_state_keeps_to_the_document(document: Document, started: Encounter) -> None:
    token = make_link(started, ShareLink.WATCH, "")[1]
    operation = document["/api/v1/{token}/"]["GET"]
    case = operation.Case(path_parameters={"token": token})
    assert case.call_and_validate().status_code == 200


def test_document_is_complete(client: Client) -> None:
    said = client.get("/api/openapi.json").json()
    assert said["openapi"] == "3.1.0"
    for path, methods in said["paths"].items():
        for one in methods.values():
            assert one["summary"], path
            assert one.get("security") == [] or path.startswith("/api/table/")
    assert all("description" in one for one in said["components"]["schemas"].values())


def test_document_says_what_each_operation_takes(client: Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    taken = {
        f"{method} {path.split('/')[-2]}": [each["name"] for each in one.get("parameters", ())]
        for path, methods in paths.items()
        for method, one in methods.items()
        if path.startswith("/api/table/") and ("parameters" in one or method == "get")
    }
    assert taken == {
        "get state": [],
        "get actions": ["combatant"],
        "get log": ["since"],
        "get scenes": [],
    } | {"get events": []}
    posts = {what for what, methods in OPERATIONS.items() if methods.get("POST", None)}
    bodies = {
        path.split("/")[-2] for path, methods in paths.items() if "requestBody" in methods.get("post", {})
    }
    assert bodies == posts
