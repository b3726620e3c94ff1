"""Tables to roll on for who comes: lines with ranges of the dice and notes, of a campaign or ready."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from combat.audience.rights import Grant
from combat.models import Campaign
from combat.rules.core.basics.data import read_toml
from combat.rules.core.basics.dice.throws import Throw
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.player_dice import read_term
from combat.rules.core.state.events import DiceRolled

from ..writing.encounter_service import Submission, submit
from ..writing.locking import hold_campaign
from .campaigns import change_campaign, clean_title

MAX_TABLES, MAX_ROWS, MAX_WORDS = 30, 60, 300
LINE = re.compile(r"(\d{1,5})(?:\s*[-\u2013\u2212]\s*(\d{1,5}))?[:.)]?\s+(\S.*)")
NOBODY = ("nobody", "no one", "none", "nothing", "-", "\u2013")
BEASTS = ("beast", "alien")  # what lives in the wild, as far as a game knows the word
COMMON = {"thug", "guard", "captain", "soldier", "marine"}  # the words of the ready tables
READY = Path(__file__).with_name("who_comes.toml")
EXAMPLE = "2-5 nobody\n6 4 thugs\n7-12 1 captain, 2 guards"


class Row(msgspec.Struct, frozen=True):
    """A line of a table: from `low` to `high` on the dice, and a GM's note."""

    low: int
    high: int
    words: str

    @property
    def range(self) -> str:
        """The range in words, such as 2–5."""
        return str(self.low) if self.low == self.high else f"{self.low}\u2013{self.high}"


class RandomTable(msgspec.Struct, frozen=True):
    """A table: its name, its dice such as 2d6, and its lines as they were typed."""

    name: str
    dice: str
    lines: str

    @property
    def rows(self) -> tuple[Row, ...]:
        """Its lines in order."""
        return read_rows(self.dice, self.lines)


def read_table(name: str, dice: str, lines: str) -> RandomTable:
    """The table that was typed; Refused names what is wrong with it."""
    table = RandomTable(clean_title(name), str(read_term(dice.strip())), lines.replace("\r\n", "\n").strip())
    _ = table.rows
    return table


def read_rows(dice: str, lines: str) -> tuple[Row, ...]:
    """The lines in order; Refused for one that is none, and names gaps, overlaps and what cannot come up."""
    thrown = read_term(dice)
    found = sorted(
        (_read_row(line.strip()) for line in lines.split("\n") if line.strip()), key=lambda r: r.low
    )
    if not found or len(found) > MAX_ROWS:
        raise Refused("bad_value", f"A table has 1 to {MAX_ROWS} lines, such as “6 4 thugs”.")
    problems = [*_find_problems(found, thrown)]
    if problems:
        raise Refused("bad_value", f"{'; '.join(problems[:3])}.")
    return tuple(found)


def _read_row(line: str) -> Row:
    found = LINE.fullmatch(line)
    if not found or len(found[3]) > MAX_WORDS:
        raise Refused("bad_value", f"“{line[:40]}” is no line: write a number or a range, then who comes.")
    low, high = int(found[1]), int(found[2] or found[1])
    if low > high:
        raise Refused("bad_value", f"“{line[:40]}” runs backward: write {high}\u2013{low}.")
    return Row(low, high, found[3])


def _find_problems(rows: list[Row], dice: Throw) -> Iterator[str]:
    """What comes up twice, never, or cannot come up."""
    if dice.tens:
        yield from _find_tens_problems(rows, dice)
        return
    least, most = dice.least, dice.most
    after = least - 1  # the last number that has a line
    for row in rows:
        if row.low < least or row.high > most:
            yield f"{row.range} cannot all come up: {dice} gives {least:,} to {most:,}"
        if row.low <= after and row.low >= least:
            yield f"{row.low} has two lines"
        elif row.low > after + 1:
            yield f"{_say(after + 1, row.low - 1)} no line"
        after = max(after, row.high)
    if after < most:
        yield f"{_say(after + 1, most)} no line"


def _find_tens_problems(rows: list[Row], dice: Throw) -> Iterator[str]:
    """The same of two dice that are read as tens and ones: there is no 17 to 20."""
    totals = sorted(dice.count_ways())
    for row in rows:
        if row.low not in totals or row.high not in totals:
            yield f"{row.range} cannot all come up: {dice} gives 11 to 66, each digit 1 to 6"
    for total in totals:
        lines = sum(row.low <= total <= row.high for row in rows)
        if lines != 1:
            yield f"{total} has {'two lines' if lines else 'no line'}"


def _say(low: int, high: int) -> str:
    return f"{low:,} has" if low == high else f"{low:,} to {high:,} have"


# ---------------------------------------------------------------- of a campaign


def find_tables(campaign: Campaign) -> list[RandomTable]:
    """The tables of a campaign, in order of their names."""
    return sorted((RandomTable(**row) for row in campaign.tables), key=lambda one: one.name.casefold())


def save_table(campaign: Campaign, table: RandomTable, old: str = "") -> None:
    """Keep a table in place of the `old` one; Refused if another has its name, or if there are too many."""
    with hold_campaign(campaign, "tables"):
        others = [one for one in find_tables(campaign) if one.name != old]
        if table.name.casefold() in {one.name.casefold() for one in others}:
            raise Refused(
                "not_allowed", f"There is a table “{table.name}”: change that one, or choose another name."
            )
        if len(others) >= MAX_TABLES:
            raise Refused("not_allowed", f"A campaign has at most {MAX_TABLES} tables: delete one first.")
        change_campaign(campaign, tables=[msgspec.structs.asdict(one) for one in [*others, table]])


def drop_table(campaign: Campaign, name: str) -> None:
    """Delete a table; Refused if it is gone."""
    with hold_campaign(campaign, "tables"):
        others = [one for one in find_tables(campaign) if one.name != name]
        if len(others) == len(campaign.tables):
            raise Refused("stale", "That table is gone already: reload the page.")
        change_campaign(campaign, tables=[msgspec.structs.asdict(one) for one in others])


def find_ready_tables(system: System) -> list[RandomTable]:
    """The ready tables, one for each kind of ready scenes; none for a game without the common words."""
    known = system.book.imports.people_names
    if not known.keys() >= COMMON:
        return []
    beast = next((word for word in BEASTS if word in known), "thug")
    return [
        RandomTable(name, row["dice"], row["lines"].strip().replace("{beast}", beast))
        for name, row in read_toml(READY).items()
    ]


# ---------------------------------------------------------------- rolling


def roll_on(
    encounter_id: int, table: RandomTable, *, by: str, grant: Grant
) -> tuple[int, Row, tuple[int, ...]]:
    """Roll in secret with the sealed dice of an encounter: the total, the line that it gives, the faces."""
    wanted = Submission("gm_roll", {"term": table.dice, "secret": True}, by=by, grant=grant)
    done = submit(encounter_id, wanted)
    event = next(fact.event for fact in done.facts if isinstance(fact.event, DiceRolled))
    total = event.total if event.term else event.roll.total
    row = next(row for row in table.rows if row.low <= total <= row.high)
    return total, row, tuple(face for one in (event.roll, *event.more) for face in one.faces)


def is_nobody(words: str) -> bool:
    """Whether a line brings nobody."""
    return words.strip().strip(".").casefold() in NOBODY
