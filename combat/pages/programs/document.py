"""The OpenAPI document, made from the declared operations and shapes."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import Any

import msgspec
from django.conf import settings

from combat.rules.core.basics.release import RELEASE
from cosmos_site.base.errors import OpenProblem

from ..sharing.open_state import OpenState
from .operations import OPERATIONS, Operation

ABOUT = "Programs read a table by a spectator link, and play a seat by a token from the page “Programs”."
EVENTS = "A stream of server-sent events: hello, changed (with the new stamp), beat, ended, closing."
FAULTS = (400, 500, 503)  # of any address
REFUSALS = (401, 403, 404, 405, 408, 409, 413, 422, 429, *FAULTS)
_TOKEN = {
    "name": "token",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": r"^[\w-]{1,100}$"},
}
_OPEN: dict[str, Any] = {"security": []}


@cache
def describe() -> dict[str, Any]:
    """All addresses for programs, in OpenAPI 3.1."""
    operations = [one for methods in OPERATIONS.values() for one in methods.values()]
    bodies = [one.body for one in operations if one.body]
    types = [OpenProblem, OpenState, *(one.answer for one in operations), *bodies]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    refs = dict(zip(types, schemas, strict=True))
    paths: dict[str, Any] = {
        f"/api/table/{what}/": {
            method.lower(): _describe(what, method, one, refs) for method, one in methods.items()
        }
        for what, methods in OPERATIONS.items()
    }
    paths["/api/table/events/"] = {"get": _describe_events("table_events", [], 401, refs)}
    paths["/api/v1/{token}/"] = {"get": _describe_state(refs)}
    events = _describe_events("spectator_events", [_TOKEN], 404, refs)
    paths["/api/v1/{token}/events/"] = {"get": events | _OPEN}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cosmos Table", "version": RELEASE, "description": ABOUT},
        "servers": [{"url": settings.COSMOS_PATH or "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _describe(what: str, method: str, one: Operation, refs: dict[Any, Any]) -> dict[str, Any]:
    """One operation."""
    said: dict[str, Any] = {
        "operationId": f"{method.lower()}_{what}",
        "summary": one.summary,
        "responses": {"200": _answer(200, refs[one.answer]), **_refusals(REFUSALS, refs)},
    }
    if one.query:
        said["parameters"] = [
            {"name": name, "in": "query", "description": means, "schema": {"type": "string"}}
            for name, means in one.query
        ]
    if one.body:
        said["requestBody"] = {"required": True, "content": {"application/json": {"schema": refs[one.body]}}}
    return said


def _answer(status: int, schema: dict[str, Any], media: str = "application/json") -> dict[str, Any]:
    return {"description": HTTPStatus(status).phrase, "content": {media: {"schema": schema}}}


def _refusals(statuses: tuple[int, ...], refs: dict[Any, Any]) -> dict[str, Any]:
    return {str(status): _answer(status, refs[OpenProblem]) for status in statuses}


def _describe_state(refs: dict[Any, Any]) -> dict[str, Any]:
    """What a spectator's link shows."""
    answers = {"200": _answer(200, refs[OpenState]), "304": {"description": "Nothing has changed"}}
    return {
        "operationId": "spectator_state",
        "summary": "What a spectator sees, by the token of a spectator link",
        "parameters": [_TOKEN],
        "responses": answers | _refusals((403, 404, 405, *FAULTS), refs),
        **_OPEN,
    }


def _describe_events(
    name: str, parameters: list[Any], without_right: int, refs: dict[Any, Any]
) -> dict[str, Any]:
    events = _answer(200, {"type": "string"}, "text/event-stream")
    answers = {"200": events, **_refusals((without_right, 405, 429, 503), refs)}
    return {"operationId": name, "summary": EVENTS, "parameters": parameters, "responses": answers}
