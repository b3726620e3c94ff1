"""Reading and writing one row by SQL that is made once.

Django makes the SQL of a query anew each time it is asked, which takes several times as long as SQLite takes
to answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Generic, TypeVar, cast

from django.db import connections
from django.db.models import BigIntegerField, Model, QuerySet

R = TypeVar("R")
ANY = 0  # stands for what is looked for while the SQL is made
MOST = BigIntegerField.MAX_BIGINT  # no row has a number above it, and no database takes one


class Prepared:
    """A query as one connection asks it, in one thread."""

    def __init__(self, rows: QuerySet[Any]) -> None:
        self.rows = rows.order_by()[:1]
        self.compiler = self.rows.query.get_compiler(using=rows.db)
        self.sql, parameters = self.compiler.as_sql()
        assert tuple(parameters) == (ANY,), "a kept query has one parameter"
        converters = self.compiler.get_converters([column for column, *_ in self.compiler.select])
        self.compiler.as_sql = self.fill
        self.compiler.get_converters = lambda _: converters
        self.rows.query.get_compiler = lambda *_, **__: self.compiler  # type: ignore[method-assign]
        self.wanted = ANY

    def fill(self, *_: Any, **__: Any) -> tuple[str, tuple[int, ...]]:
        """The SQL and what it looks for now."""
        return self.sql, (self.wanted,)

    def ask(self, wanted: int) -> Any:
        """The row, or None if there is none."""
        self.wanted = wanted
        found = next(iter(self.rows), None)
        self.rows._result_cache = None  # it is asked again the next time
        return found


class KeptQuery(Generic[R]):
    """A query for one row by a number, its only parameter: `find` makes it without a look at the number."""

    def __init__(self, find: Callable[[int], QuerySet[Any, R]]) -> None:
        self.find = find

    def __call__(self, wanted: int) -> R | None:
        """The row that is looked for, or None if there is none."""
        if not 0 <= wanted <= MOST:
            return None
        known: dict[Any, Prepared] = vars(connections["default"]).setdefault("kept_queries", {})
        if self not in known:
            known[self] = Prepared(self.find(ANY))
        return cast("R | None", known[self].ask(wanted))


def insert(row: Model) -> None:
    """Store a row that is new, as `save` does, and learn its number."""
    connection = connections["default"]
    values = _read_values(row, _find_fields(type(row)), connection, adds=True)
    with connection.cursor() as cursor:
        cursor.execute(_write_insert(type(row)), values)
        (row.pk,) = cursor.fetchone()
    row._state.adding, row._state.db = False, connection.alias


def update(row: Model, *names: str) -> None:
    """Store these fields of a row as `save` does; nothing if the row is gone."""
    connection = connections["default"]
    values = _read_values(row, _find_fields(type(row), *names), connection, adds=False)
    with connection.cursor() as cursor:
        cursor.execute(_write_update(type(row), *names), [*values, row.pk])


def _read_values(row: Model, fields: Iterable[Any], connection: Any, *, adds: bool) -> list[Any]:
    return [field.get_db_prep_save(field.pre_save(row, adds), connection) for field in fields]


@cache
def _find_fields(model: type[Model], *names: str) -> tuple[Any, ...]:
    """The fields of a row with these names; without any, all but its number."""
    found = tuple(model._meta.get_field(name) for name in names)
    return found or tuple(field for field in model._meta.local_concrete_fields if not field.primary_key)


@cache
def _write_insert(model: type[Model]) -> str:
    names = [_quote(field.column) for field in _find_fields(model)]
    table, number, places = _quote(model._meta.db_table), _quote(model._meta.pk.column), ["%s"] * len(names)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(places)}) RETURNING {number}"  # noqa: S608


@cache
def _write_update(model: type[Model], *names: str) -> str:
    changes = ", ".join(f"{_quote(field.column)} = %s" for field in _find_fields(model, *names))
    return f"UPDATE {_quote(model._meta.db_table)} SET {changes} WHERE {_quote(model._meta.pk.column)} = %s"  # noqa: S608


def _quote(name: str | None) -> str:
    return connections["default"].ops.quote_name(name or "")
