"""What characters bring back from a fight, for the page: a row for each, its changes in columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from combat.audience.viewer import HealthView
from combat.display.combatants.tokens import Look
from combat.display.shapes.table_shapes import CombatantView
from combat.play.campaigns.roster import Return
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.changes import Change
from combat.sharing.viewer_context import ViewerContext

HEALTH, USES, CONDITIONS, THINGS = "health", "uses", "conditions", "things"
COLUMNS = {
    HEALTH: "Health",
    USES: "Ammunition, uses",
    CONDITIONS: "Conditions",
    THINGS: "Items, money",
}
COUNTED = ("loaded", "spares", "count")  # the numbers of an item that a fight uses up
SIGNS = {HEALTH: "wound", USES: "reload", THINGS: "item"}  # the icon of a change, by its column
SAID = {  # what a change says where the words of before and after say it twice
    ("no", "yes"): "new",
    ("yes", "no"): "over",
    ("not yours", "yours"): "new",
    ("yours", "gone"): "gone",
    ("yours", "left on the ground"): "left on the ground",
}


@dataclass(frozen=True)
class Tile:
    """A change to select: its icon, and the words `before` and `after`; one is enough where it says both."""

    change: Change
    may: bool
    icon: str
    before: str
    after: str

    @property
    def is_chosen(self) -> bool:
        """Whether it is selected at first."""
        return self.may and self.change.is_usual

    @property
    def asks(self) -> bool:
        """Whether the reader has to decide: the sheet was changed meanwhile."""
        return self.may and self.change.is_late


@dataclass(frozen=True)
class SheetRow:
    """Someone with what the fight changed: their face, their health after it, the changes by column."""

    one: Return
    look: Look | None
    health: HealthView | None
    columns: tuple[tuple[str, str, tuple[Tile, ...]], ...]

    @property
    def tiles(self) -> list[Tile]:
        """All changes of the row."""
        return [tile for _, _, tiles in self.columns for tile in tiles]

    @property
    def chosen(self) -> int:
        """How many changes are selected at first."""
        return sum(tile.is_chosen for tile in self.tiles)

    @property
    def is_waiting(self) -> bool:
        """Whether there are changes that the reader may not write."""
        return any(not tile.may for tile in self.tiles)


def view_rows(
    context: ViewerContext, returns: Iterable[Return], known: Mapping[str, CombatantView]
) -> list[SheetRow]:
    """A row for each sheet, in order of the names; `known` are the rows of all whom the viewer knows."""
    found = sorted(returns, key=lambda one: one.character.name.casefold())
    return [_view_row(context, one, known.get(one.combatant.id)) for one in found]


def _view_row(context: ViewerContext, one: Return, seen: CombatantView | None) -> SheetRow:
    columns = {key: list[Tile]() for key in COLUMNS}
    for change, may in one.rows:
        key = find_column(change)
        columns[key].append(_view_tile(context.system, change, may, key))
    made = tuple((key, label, tuple(columns[key])) for key, label in COLUMNS.items())
    return SheetRow(one, seen.look if seen else None, seen.health if seen else None, made)


def _view_tile(system: System, change: Change, may: bool, column: str) -> Tile:
    icon = SIGNS.get(column) or system.kinds.of_condition(change.path[-1])
    said = SAID.get((change.before, change.after))
    return Tile(change, may, icon, "" if said else change.before, said or change.after)


def find_column(change: Change) -> str:
    """The column of a change, by what it writes."""
    match change.path:
        case ("tracks", _):
            return HEALTH
        case ("conditions", _):
            return CONDITIONS
        case ("uses", _) | ("counters",):
            return USES
        case ("items", _, key) if key in COUNTED:
            return USES
    return THINGS
