"""Each region is given what its template reads, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from django.template import Engine, Node, Variable
from django.template.base import FilterExpression
from django.template.loader_tags import IncludeNode
from django.template.smartif import TokenBase

from combat.display.regions import RegionShape
from combat.pages.table import region_shapes as shapes
from combat.pages.table import table_regions

KINDS = (
    *table_regions.REGIONS.values(),
    *table_regions.OF_SPECTATORS.values(),
    *table_regions.IN_FIGHTS.values(),
    *table_regions.OUT_OF_FIGHTS.values(),
    (table_regions.ROW, shapes.Row),
    (table_regions.CLOCK_ROW, shapes.ClockRow),
    (table_regions.WINDOW, shapes.RowWindow),
    (table_regions.STEP, shapes.Step),
    ("characters/health/row_figure.html", shapes.RowFigure),
    ("combat/table/rows/combatant_menu.html", shapes.RowMenu),
    ("combat/log/no_log.html", shapes.NoLog),
)
OF_ALL = set(RegionShape.__struct_fields__)
# What parts of several regions ask, and is empty in this one.
EMPTY = {
    shapes.WatchResult: {"overruled_apart"},
    shapes.TurnWaiting: {"turn"},
    shapes.TurnGm: {"turn"},
}


def find_reads(name: str, seen: set[str]) -> Iterator[str]:
    """The names that a template and those inside it look up: of a table `table.NAME`, of a page NAME."""
    if name not in seen:
        seen.add(name)
        for node in Engine.get_default().get_template(name).nodelist:
            yield from find_names(node, seen)


def find_names(thing: object, seen: set[str]) -> Iterator[str]:
    """The names that a part of a template looks up."""
    if isinstance(thing, Variable):
        if thing.lookups:
            yield ".".join(thing.lookups[: 2 if thing.lookups[0] == "table" else 1])
        return
    if isinstance(thing, IncludeNode):
        yield from find_reads(str(thing.template.var), seen)
    if isinstance(thing, FilterExpression):
        yield from find_names([thing.var, thing.filters], seen)
    elif isinstance(thing, Mapping):
        yield from find_names(list(thing.values()), seen)
    elif isinstance(thing, list | tuple):
        for part in thing:
            yield from find_names(part, seen)
    elif isinstance(thing, Node | TokenBase):
        yield from find_names(vars(thing), seen)


@pytest.mark.parametrize(
    "shape", dict.fromkeys(shape for _, shape in KINDS), ids=lambda shape: shape.__name__
)
def test_region_is_given_what_its_template_reads(shape: type[RegionShape]) -> None:
    """A field that nothing reads makes new versions for nothing; one that is missing is empty on the page."""
    seen: set[str] = set()
    read = {name for template, one in KINDS if one is shape for name in find_reads(template, seen)}
    fields = set(shape.__struct_fields__) - OF_ALL
    assert not {name for name in fields if not {name, f"table.{name}"} & read}
    of_table = {name.removeprefix("table.") for name in read if name.startswith("table.")}
    assert of_table - fields - OF_ALL - {"version"} == EMPTY.get(shape, set())
