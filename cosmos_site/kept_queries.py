"""Reading one row by SQL that is made once.

Django makes the SQL of a query anew each time it is asked, which takes several times as long as SQLite takes
to answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

from django.db import connections
from django.db.models import BigIntegerField, QuerySet

R = TypeVar("R")
ANY = 0  # stands for what is looked for while the SQL is made
MAX_ID = BigIntegerField.MAX_BIGINT  # no row has a number above it, and no database takes one


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
        if not 0 <= wanted <= MAX_ID:
            return None
        known: dict[Any, Prepared] = vars(connections["default"]).setdefault("kept_queries", {})
        if self not in known:
            known[self] = Prepared(self.find(ANY))
        return cast("R | None", known[self].ask(wanted))
