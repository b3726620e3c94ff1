"""The conditions of a game: `conditions.toml` says what each does and what ends it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict

from ..basics.data import DataError, read_record, read_toml
from ..basics.errors import Refused
from ..basics.modifiers import Modifier
from ..basics.words import Label, capitalized, say, say_number
from ..state.state import SURRENDERED, Combatant, Condition, OwnCondition

# The start or the end of the next turn to come, or the end of the one after the turn under way
Edge = Literal["", "start", "end", "next end"]


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a condition changes a number: by how many points, and by which rule.

    `label` is a key of the game's words, or a phrase; without it, the label of the condition is used. `when`
    is a word by which the game knows whether the term counts now.
    """

    rule: str
    value: int = 0
    label: Label = ""
    when: str = ""


class Effects(msgspec.Struct, frozen=True, kw_only=True):
    """What a condition does, column by column; the words in quotes are the game's own.

    - `until`: the edge of a turn at which it ends; without it, time does not end it.
    - `terms`: the numbers it changes, such as "attack", "defense" or "speed", each with a `Term`.
    - `loses`: what someone does not have meanwhile, such as "actions" or "sight", each with its rule.
    - `bars`: what someone cannot do meanwhile, each with the words of the refusal; `{who}` is their name.
    - `suspends`: the kinds of conditions that do nothing meanwhile.
    - `ended_by`: what else ends it, such as "rest", "surgery" or "death".
    - `tags`: what it is, such as "hold", for rules about several conditions.
    - `begins`: the function of the game that follows when it begins.
    - `worth`: what it is worth to the tactics to give it to an enemy, in points.
    """

    until: Edge = ""
    terms: dict[str, Term] = {}
    loses: dict[str, str] = {}
    bars: dict[str, str] = {}
    suspends: tuple[str, ...] = ()
    ended_by: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    begins: str = ""
    worth: float = 0.0


class ConditionKind(Effects, frozen=True):
    """A condition of the book: its words for chips and cards, and what it does.

    A `bound` condition, such as a hold, ends when the combatant it comes from leaves. `takes` are the pools
    of a turn that it empties. A `silent` one is told by the line of its action, when it begins and when it is
    used up. A `passing` one comes home to a sheet only if someone selects it. `usual` is its place among
    those that the GM gives most, by the nature of who gets it; one of `only` a nature is not offered for
    others. A `kept` one only a fight gives: it tells what someone did, so no list offers it.
    """

    kind: str
    label: str
    text: str
    ends: str
    rule: str
    for_gm: bool = True
    bound: bool = False
    takes: tuple[str, ...] = ()
    silent: bool = False
    passing: bool = False
    usual: Mapping[str, int] = {}
    only: str = ""
    kept: bool = False

    @property
    def can_choose(self) -> bool:
        """Whether lists offer it to people."""
        return self.for_gm and not self.kept


class OwnEffect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something else that a condition of the GM's own may do, by the columns of `Effects`."""

    label: str
    terms: tuple[str, ...] = ()
    loses: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


class OwnRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a condition of the GM's own may do in a game.

    `changes` are the numbers it may change, by up to `most` points, each with its label. `rule` is the game's
    rule about such conditions, if it has one.
    """

    rule: str = ""
    most: int = 10
    changes: dict[str, str] = {}
    effects: dict[str, OwnEffect] = {}

    def make_row(self, own: OwnCondition) -> ConditionKind:
        """The row of one of them; a word that the game no longer has does nothing."""
        label = say("term.table_condition", name=own.name)
        effects = [self.effects[key] for key in own.effects if key in self.effects]
        points = {key: points for key, points in own.changes.items() if key in self.changes}
        points |= {key: 0 for effect in effects for key in effect.terms}
        return ConditionKind(
            own.id,
            own.name,
            self.describe(own),
            ends="the GM ends it",
            rule=self.rule,
            terms={key: Term(self.rule, value, label) for key, value in points.items()},
            loses={what: self.rule for effect in effects for what in effect.loses},
            takes=tuple(pool for effect in effects for pool in effect.takes),
        )

    def describe(self, own: OwnCondition) -> str:
        """What one of them does, and its note: "−2 Attack, half movement. A curse." """
        parts = [
            f"{say_number(own.changes[key], signed=True)} {label}"
            for key, label in self.changes.items()
            if key in own.changes
        ]
        effects = [effect.label for key, effect in self.effects.items() if key in own.effects]
        parts += [f"{label[:1].lower()}{label[1:]}" for label in effects]
        does = f"{capitalized(', '.join(parts))}." if parts else ""
        return f"{does} {own.note}".strip()


class Conditions(dict[str, ConditionKind]):
    """The conditions of a game by kind, and the questions that its rules ask about those of a combatant.

    A condition without a row does nothing; one of the GM's `own` brings its row along.
    """

    def __init__(self, rows: Mapping[str, ConditionKind], own: OwnRules) -> None:
        super().__init__(rows)
        self.own = own

    def find_row(self, held: Condition) -> ConditionKind | None:
        """The row of a condition that someone has."""
        return self.get(held.kind) if held.own is UNSET else self.own.make_row(held.own)

    def find_active(self, combatant: Combatant) -> list[tuple[Condition, ConditionKind]]:
        """The conditions that nothing suspends, in the order in which they began, each with its row."""
        rows, suspended = [], set[str]()
        for held in combatant.conditions:
            row = self.get(held.kind) if held.own is UNSET else self.find_row(held)  # asked very often
            if row:
                rows.append((held, row))
                suspended |= {*row.suspends}
        return [(held, row) for held, row in rows if held.kind not in suspended] if suspended else rows

    def find_each(self, combatant: Combatant) -> list[tuple[Condition, ConditionKind]]:
        """The same, the first of each kind, in the order of the table; the GM's own are last."""
        first: dict[str, tuple[Condition, ConditionKind]] = {}
        for held, row in self.find_active(combatant):
            first.setdefault(held.kind, (held, row))
        if len(first) < 2:
            return list(first.values())
        return [first[kind] for kind in self | first if kind in first]

    def terms(self, combatant: Combatant, number: str) -> list[Modifier]:
        """The changes of a number, one for each condition, in the order in which they began."""
        active = self.find_active(combatant) if combatant.conditions else []
        return [_make_term(held, row.terms[number]) for held, row in active if number in row.terms]

    def causes(
        self, combatant: Combatant, *numbers: str, counts: Callable[[str], bool] = bool
    ) -> list[Modifier]:
        """The changes of one of several numbers, one for each kind, in the order of the table.

        `counts` tells of the `when` of a term whether it counts now.
        """
        found = []
        for held, row in self.find_each(combatant) if combatant.conditions else ():
            for number in numbers:
                term = row.terms.get(number)
                if term and (not term.when or counts(term.when)):
                    found.append(_make_term(held, term))
        return found

    def find_loss(self, combatant: Combatant, what: str) -> tuple[Condition, str] | None:
        """The first condition that takes something from a combatant, with its rule."""
        if not combatant.conditions:
            return None
        for held, row in self.find_active(combatant):
            if what in row.loses:
                return held, row.loses[what]
        return None

    def loses(self, combatant: Combatant, what: str) -> bool:
        """Whether a condition takes something from a combatant."""
        return self.find_loss(combatant, what) is not None

    def find_bar(self, combatant: Combatant, what: str, **words: str) -> str:
        """Why a combatant cannot do something now; empty if no condition bars it. `words` fill the reason."""
        if not combatant.conditions:
            return ""
        for _, row in self.find_each(combatant):
            if what in row.bars:
                return row.bars[what].format(who=combatant.name, **words)
        return ""

    def check(self, combatant: Combatant, what: str, **words: str) -> None:
        """Refuse what a condition bars."""
        if bar := self.find_bar(combatant, what, **words):
            raise Refused("not_allowed", bar)

    def ended_by(self, cause: str) -> tuple[str, ...]:
        """The kinds that something ends."""
        return tuple(kind for kind, row in self.items() if cause in row.ended_by)

    def losing(self, what: str) -> tuple[str, ...]:
        """The kinds that take something from someone."""
        return tuple(kind for kind, row in self.items() if what in row.loses)

    def tagged(self, tag: str) -> tuple[str, ...]:
        """The kinds with a tag."""
        return tuple(kind for kind, row in self.items() if tag in row.tags)


def _make_term(held: Condition, term: Term) -> Modifier:
    return Modifier(term.label or held.label, term.value, term.rule)


# What the GM may give in every game; a game with a rule of its own for it has its own row
OF_EVERY_GAME = {
    SURRENDERED: ConditionKind(
        SURRENDERED,
        "Surrendered",
        "No turns and no actions: does not fight on.",
        ends="the GM ends it",
        rule="",
    )
}


class ConditionSpec(Effects, frozen=True, forbid_unknown_fields=True):
    """The name of a condition, what ends it in words, its rule, and what it does."""

    label: str
    ends: str
    rule: str


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: a row and a sentence for each condition, by kind.

    `bound` conditions end when the combatant they come from leaves; `quiet` ones have no chip; `takes` lists
    the pools of a turn that a condition empties; `silent` ones are told by the line of their action;
    `passing` ones seldom outlast a fight; `kept` ones only a fight gives; `usual` are those that the GM
    gives most, in this order, and `only` those of no other, both by nature (`Look.find_nature`); `own` says
    what conditions of the GM's own may do.
    """

    condition: dict[str, dict[str, Any]]
    text: dict[str, str]
    bound: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
    takes: dict[str, tuple[str, ...]] = {}
    silent: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    usual: dict[str, tuple[str, ...]] = {}
    only: dict[str, tuple[str, ...]] = {}
    own: OwnRules = OwnRules()


def load_conditions(path: Path) -> Conditions:
    """The conditions of a `conditions.toml`.

    Raises DataError for a wrong row, a row or sentence without the other, and a kind that has neither.
    """
    table = read_record(path, "conditions", read_toml(path), Table)
    rows = {
        kind: read_record(path, f"condition.{kind}", row, ConditionSpec)
        for kind, row in table.condition.items()
    }
    named = {*table.bound, *table.quiet, *table.takes, *table.silent, *table.passing, *table.kept}
    named |= {kind for kinds in (*table.usual.values(), *table.only.values()) for kind in kinds}
    named |= {kind for row in rows.values() for kind in row.suspends}
    if odd := (rows.keys() ^ table.text.keys()) | (named - rows.keys()):
        wrong = ", ".join(sorted(odd))
        raise DataError(f"{path}: {wrong}: a condition has a row in [condition] and a sentence in [text]")
    return Conditions({kind: _make_kind(table, kind, row) for kind, row in rows.items()}, table.own)


def _make_kind(table: Table, kind: str, row: ConditionSpec) -> ConditionKind:
    return ConditionKind(
        **asdict(row),
        kind=kind,
        text=table.text[kind],
        for_gm=kind not in table.quiet,
        bound=kind in table.bound,
        takes=table.takes.get(kind, ()),
        silent=kind in table.silent,
        passing=kind in table.passing,
        kept=kind in table.kept,
        usual={nature: kinds.index(kind) for nature, kinds in table.usual.items() if kind in kinds},
        only=next((nature for nature, kinds in table.only.items() if kind in kinds), ""),
    )
