"""A game's worked examples: rules, people, what they do, the dice, and what the table then reads.

They stand in `examples.toml` in the folder of the game. A test plays each of them. A variant has those of its
base too, where it restates their rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..basics.data import DataError, read_record, read_toml
from .rulebook import Rulebook, find_code_folder, load_rulebook

EXAMPLES_FILE = "examples.toml"


class Usual(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What holds in every example that does not say otherwise: the sheet of everybody without a block.

    `says` tells readers of the page what these people are like, `die` how many sides each die of a check has.
    `budget` and `marks` belong to the one whose turn it is, in games where a turn begins with a choice.
    """

    says: str = ""
    die: int = 6
    sheet: dict[str, Any] = {}
    budget: dict[str, int] = {}
    marks: dict[str, Any] = {}


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody in an example: a block, or the usual sheet with a few fields of their own.

    The first one is on the side of the allies, all others on that of the enemies, unless `side` says
    otherwise. `held` are the weapons in hand, by their ids; without it the hands are as on joining.
    `conditions` are kinds, or tables with `kind` and more; `items` changes belongings by their ids. `budget`
    and `marks` go before the usual ones. `pc` says that a player plays them,
    `initiative` is their score of this fight.
    """

    name: str
    side: str = ""
    pc: bool = False
    block: str = ""
    profile: str = ""
    sheet: dict[str, Any] = {}
    at: tuple[float, ...] = (0, 0)
    held: tuple[str, ...] | None = None
    tracks: dict[str, int] = {}
    conditions: tuple[str | dict[str, Any], ...] = ()
    items: dict[str, dict[str, Any]] = {}
    marks: dict[str, Any] = {}
    budget: dict[str, int] = {}
    initiative: int | None = None


class Deed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One action, its dice and answers, and what comes of it: the sums, the lines of the log, or the refusal.

    `given` are the fields of its form; people stand there by name, belongings by their ids. `actor` is the
    first one in the example unless named. `cites` are rules to which its sums and lines link; `costs` are the
    actions it spends, by the keys of the turn's budget. Without `why` and `log` the action only leads up to
    the next one.
    """

    action: str
    actor: str = ""
    given: dict[str, Any] = {}
    dice: tuple[tuple[int, ...] | int | str, ...] = ()
    why: tuple[str, ...] | None = None
    log: tuple[str, ...] | None = None
    cites: tuple[str, ...] = ()
    costs: dict[str, int] = {}
    refused: str = ""


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One example. `numbers` are those on people's cards at its end: "Bo: Defense 17 = Base +10, …".

    `title` says what it is about, where the rules do not. What is `alone` comes out otherwise in a variant of
    the game, though that restates the rule.
    """

    rules: tuple[str, ...]
    people: tuple[Person, ...]
    title: str = ""
    alone: bool = False
    options: dict[str, Any] = {}
    settings: dict[str, str] = {}
    zones: tuple[dict[str, Any], ...] = ()
    phase: Literal["prep", "fight", "over"] = "fight"
    do: tuple[Deed, ...] = ()
    numbers: tuple[str, ...] = ()


class Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All examples of a game, in the order of its file."""

    usual: Usual = Usual()
    example: tuple[Example, ...] = ()

    def find_about(self, rule_id: str) -> tuple[Example, ...]:
        """The examples that are about a rule."""
        return tuple(example for example in self.example if rule_id in example.rules)

    @property
    def rules(self) -> frozenset[str]:
        """The ids of all rules with an example."""
        return frozenset(rule_id for example in self.example for rule_id in example.rules)


@cache
def load_examples(folder: Path) -> Examples:
    """Read and check a game's examples, once for each folder; a game may have none.

    Raises DataError for a wrong field, a rule that the game's book does not have, an example that shows
    nothing, and an action by nobody who is in it.
    """
    path = folder / EXAMPLES_FILE
    if not path.exists():
        return Examples()
    written = read_toml(path)
    examples, book = read_record(path, "examples", written, Examples), load_rulebook(folder)
    for number, example in enumerate(examples.example, 1):
        if wrong := _find_wrong(example, book.ids):
            raise DataError(f"{path}: example {number} ({', '.join(example.rules)}): {wrong}")
    if folder == find_code_folder(folder):
        return examples
    base = load_examples(find_code_folder(folder))
    return Examples(base.usual, (*examples.example, *_find_restated(base, book)))


def _find_restated(base: Examples, book: Rulebook) -> Iterator[Example]:
    """The examples of a base that hold in a variant, each about the variant's rules."""
    restated = {each for rule in book.rules.values() for each in rule.restates}
    replaced = {each for rule in book.rules.values() for each in rule.replaces}
    for example in base.example:
        if not example.alone and restated.intersection(example.rules) and replaced.isdisjoint(example.rules):
            rules = tuple(dict.fromkeys(book.resolve(rule_id) for rule_id in example.rules))
            yield msgspec.structs.replace(example, rules=rules)


def _find_wrong(example: Example, known: frozenset[str]) -> str:
    """What is wrong with an example; nothing if it is right."""
    strange = [rule_id for rule_id in example.rules if rule_id not in known]
    if strange or not example.rules:
        return f"there is no rule {', '.join(strange)}" if strange else "it names no rule"
    names = [person.name for person in example.people]
    if len({*names}) < len(names) or not names:
        return "everybody needs a name of their own"
    if absent := [deed.actor for deed in example.do if deed.actor and deed.actor not in names]:
        return f"there is nobody called {', '.join(absent)}"
    shown = example.numbers or any(deed.why or deed.log or deed.refused for deed in example.do)
    return "" if shown else "it shows nothing"
