"""Searches that ignore capitals in every alphabet: SQLite by itself knows only those of ASCII.

PostgreSQL knows them all. On SQLite, `icontains` and `iexact` compare what `casefold` makes of both sides.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models import CharField, TextField
from django.db.models.lookups import BuiltinLookup, IContains, IExact
from django.dispatch import receiver


@receiver(connection_created)
def give_casefold(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Give each new connection to SQLite the function casefold."""
    if connection.vendor == "sqlite":
        connection.connection.create_function("casefold", 1, _casefold, deterministic=True)


def _casefold(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


class _Folded(BuiltinLookup):
    """A comparison of folded text."""

    def process_lhs(self, compiler: Any, connection: Any, lhs: Any = None) -> Any:
        return _fold(connection, *super().process_lhs(compiler, connection, lhs))

    def process_rhs(self, compiler: Any, connection: Any) -> Any:
        return _fold(connection, *super().process_rhs(compiler, connection))


def _fold(connection: BaseDatabaseWrapper, sql: str, params: Any) -> tuple[str, Any]:
    return (f"casefold({sql})" if connection.vendor == "sqlite" else sql), params


@CharField.register_lookup
@TextField.register_lookup
class _FoldedContains(_Folded, IContains):
    """The lookup `icontains`."""


@CharField.register_lookup
@TextField.register_lookup
class _FoldedIExact(_Folded, IExact):
    """The lookup `iexact`."""
