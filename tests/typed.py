"""What a test knows about types and the type checker does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer  # what a test client returns
else:
    from django.http import HttpResponse as Answer

__all__ = ["Answer", "as_a", "sure"]

T = TypeVar("T")


def sure(found: T | None) -> T:
    """What is surely there, such as the catalogue of a game that has one."""
    assert found is not None
    return found


def as_a(thing: object, kind: type[T]) -> T:
    """What is surely of a type, such as a request for a roll."""
    assert isinstance(thing, kind), thing
    return thing
