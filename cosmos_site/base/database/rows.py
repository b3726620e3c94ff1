"""Rows of fixed SQL as objects of a model.

`Model.objects.raw` finds out at every call which columns came and how to convert them. That takes longer than
the query itself, so it is done once for each thread here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec
from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models import ExpressionWrapper, F, Model
from django.db.models.base import ModelState

from .queries import fetch

M = TypeVar("M", bound=Model)
Convert = Callable[[Any], Any]
_TRUTH = {0: False, 1: True}  # as SQLite keeps it


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
        return [(self._make(row), row[count:]) for row in self.read_values(sql, values)]

    def make(self, given: Sequence[Any]) -> M | None:
        """The object of the further columns of another model's row; None if they are of no row."""
        if given[self.names.index("id")] is None:
            return None
        return self._make(_convert(given, self._find_converters()))

    def read_values(self, sql: str, values: Sequence[Any]) -> list[Sequence[Any]]:
        """The rows that a query finds, with the values of the fields first."""
        found = fetch(sql, values)
        converters = self._find_converters()
        return [_convert(row, converters) for row in found] if converters else found

    def find(self, sql: str, values: Sequence[Any]) -> list[M]:
        """The objects that a query finds."""
        return [one for one, _ in self.read(sql, values)]

    def _make(self, given: Iterable[Any]) -> M:
        return make_stored(self.model, zip(self.names, given, strict=False))

    def _find_converters(self) -> list[tuple[int, Convert]]:
        """How this database's values become those of the fields, by place."""
        kept: list[tuple[int, Convert]] | None = getattr(self.of_thread, "converters", None)
        if kept is None:
            kept = self.of_thread.converters = list(self._list_converters())
        return kept

    def _list_converters(self) -> Iterator[tuple[int, Convert]]:
        """A short one for the usual kinds of columns, for others what `raw` does."""
        for place, field in enumerate(self.fields):
            column = ExpressionWrapper(F(field.name), output_field=field)
            converters = [*connection.ops.get_db_converters(column), *field.get_db_converters(connection)]
            if converters:
                yield place, _shorten(field) or partial(_convert_by, converters, column)


def make_stored(model: type[M], values: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> M:
    """A row of the database as an object, by names of columns; a field without a value is read when needed.

    As `from_db` makes it, without the signals: nobody listens to those of rows.
    """
    made = model.__new__(model)
    state = ModelState()
    state.adding, state.db = False, DEFAULT_DB_ALIAS
    known = vars(made)
    known["_state"] = state
    known.update(values)
    return made


def copy_stored(row: M) -> M:
    """Another object for a row, without the related ones that were read with it."""
    known = dict(vars(row))
    del known["_state"]
    return make_stored(type(row), known)


def _shorten(field: models.Field[Any, Any]) -> Convert | None:
    """The conversion of a usual kind of column in one call; None for others, or for another database."""
    if isinstance(field, models.JSONField) and field.decoder is None:
        return _read_json
    if connection.vendor != "sqlite":
        return None
    if isinstance(field, models.BooleanField):
        return _TRUTH.get
    return partial(_place, connection.timezone) if isinstance(field, models.DateTimeField) else None


def _read_json(text: Any) -> Any:
    return text if text is None else msgspec.json.decode(text)


def _place(zone: Any, moment: datetime | None) -> datetime | None:
    """A moment without a time zone in that of the database."""
    return moment.replace(tzinfo=zone) if moment else None


def _convert_by(converters: Sequence[Callable[..., Any]], column: Any, value: Any) -> Any:
    for convert in converters:
        value = convert(value, column, connection)
    return value


def _convert(row: Sequence[Any], converters: Iterable[tuple[int, Convert]]) -> Sequence[Any]:
    """A row with the values of the fields in place of those of the database."""
    given = list(row)
    for place, convert in converters:
        given[place] = convert(given[place])
    return given
