"""Rows of fixed SQL as objects of a model.

`Model.objects.raw` finds out at every call which columns came and how to convert them. That takes longer than
the query itself, so it is done once for each thread here.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import ExpressionWrapper, F, Model

M = TypeVar("M", bound=Model)


class Rows(Generic[M]):
    """Columns of a model in their own order: `only` some of them, or all `without` some.

    Each query must begin with them.
    """

    def __init__(self, model: type[M], *without: str, only: Sequence[str] = ()) -> None:
        self.model = model
        known = (field for field in model._meta.concrete_fields if field.name not in without)
        self.fields = [field for field in known if not only or field.name in only]
        self.names = [field.attname for field in self.fields]
        self.of_thread = threading.local()  # as a connection is

    def name_columns(self, table: str) -> str:
        """The columns for a query that calls the model's table by this short name."""
        return ", ".join(f'{table}."{field.column}"' for field in self.fields)

    def read(self, sql: str, values: Sequence[Any]) -> list[tuple[M, Sequence[Any]]]:
        """The objects that a query finds, each with the further columns of its row."""
        count = len(self.names)
        return [(self._make(row[:count]), row[count:]) for row in self.read_values(sql, values)]

    def make(self, given: Sequence[Any]) -> M | None:
        """The object of the further columns of another model's row; None if they are of no row."""
        if given[self.names.index("id")] is None:
            return None
        return self._make(_convert(given, self._find_converters()))

    def read_values(self, sql: str, values: Sequence[Any]) -> list[Sequence[Any]]:
        """The rows that a query finds, with the values of the fields first."""
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            found = cursor.fetchall()
        converters = self._find_converters()
        return [_convert(row, converters) for row in found] if converters else found

    def find(self, sql: str, values: Sequence[Any]) -> list[M]:
        """The objects that a query finds."""
        return [one for one, _ in self.read(sql, values)]

    def _make(self, given: Sequence[Any]) -> M:
        return self.model.from_db(connection.alias, self.names, given)

    def _find_converters(self) -> dict[int, Any]:
        """How this database's values become those of the fields, by place."""
        kept: dict[int, Any] | None = getattr(self.of_thread, "converters", None)
        if kept is None:
            kept = self.of_thread.converters = dict(self._list_converters())
        return kept

    def _list_converters(self) -> Iterator[tuple[int, tuple[list[Any], Any]]]:
        """Those of the database and of each field, with the column that they are told of, as in `raw`."""
        for place, field in enumerate(self.fields):
            column = ExpressionWrapper(F(field.name), output_field=field)
            converters = [*connection.ops.get_db_converters(column), *field.get_db_converters(connection)]
            if converters:
                yield place, (converters, column)


def _convert(row: Sequence[Any], converters: dict[int, Any]) -> Sequence[Any]:
    """A row with the values of the fields in place of those of the database."""
    given = list(row)
    for place, (converts, column) in converters.items():
        for convert in converts:
            given[place] = convert(given[place], column, connection)
    return given
