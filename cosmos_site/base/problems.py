"""Problems at the addresses of programs, below /api/: JSON with a sentence and a code, and never a page."""

from __future__ import annotations

import msgspec
from django.http import HttpResponse

NO_ADDRESS = "There is no such address: /api/openapi.json lists all."
TOO_LARGE = "That is too much at once."


class OpenProblem(msgspec.Struct, frozen=True):
    """Why there is nothing to read, or why nothing was done, in a sentence; the `code` is for programs."""

    problem: str
    code: str


def is_for_programs(path: str) -> bool:
    """Whether programs use an address, which is without COSMOS_PATH. /api/ itself is a page."""
    return path.startswith("/api/") and path != "/api/"


def write_problem(code: str, sentence: str) -> bytes:
    """A problem as JSON."""
    return msgspec.json.encode(OpenProblem(sentence, code))


def answer_problem(status: int, code: str, sentence: str, **headers: str) -> HttpResponse:
    """The answer with a problem."""
    return HttpResponse(write_problem(code, sentence), "application/json", status, headers=headers)
