"""Plays a worked example of a rulebook on a stage, and reads what came out as `examples.toml` writes it."""

from __future__ import annotations

from typing import Any

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import capitalized, say_number
from combat.rules.core.book.examples import Deed, Example, Examples, Person
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.state.events import BudgetSpent
from combat.rules.core.state.state import Item, replace
from combat.rules.core.wording import Line, describe_facts, pen_of
from tests.combat.rules.games import find_values
from tests.combat.rules.stage import Stage

BELONGINGS = (
    "weapon",
    "item",
    "shield",
    "stow",
    "draw",
)  # the fields of a form that name something of somebody's


class Outcome(msgspec.Struct, frozen=True):
    """What an action came to: its sums, the lines that the GM reads, its costs, or why it was refused."""

    why: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    cites: frozenset[str] = frozenset()
    costs: dict[str, int] = {}
    refused: str = ""


class Acting(Stage):
    """An example on a stage: its people by name, their actions one after another."""

    def __init__(self, system: System, examples: Examples, example: Example) -> None:
        super().__init__(system, **example.options)
        self.usual = examples.usual
        self.example = example
        self.by_name: dict[str, str] = {}
        self.own_budgets: dict[str, dict[str, int]] = {}
        self.do("set_scene", scene={"zones": list(example.zones), "settings": dict(example.settings)})
        for person in example.people:
            self._bring(person)
        for person in example.people:
            self._prepare(person)
        if example.phase == "fight":
            self.begin()
        else:
            self.state = replace(self.state, phase=example.phase)

    def turn(self, who: str) -> None:
        super().turn(who)
        self.edit(
            who,
            budget={**self[who].budget, **self.usual.budget, **self.own_budgets.get(who, {})},
            marks={**self.usual.marks, **self[who].marks},
        )

    def act(self, deed: Deed) -> Outcome:
        """Play one action with its dice; a refusal is an outcome too."""
        action = find_action(self.system, deed.action)
        actor = self.by_name[deed.actor or self.example.people[0].name]
        fields = {key: self._find(key, value, actor) for key, value in deed.given.items()}
        try:
            dice = [self._answer(die, actor) if isinstance(die, str) else die for die in deed.dice]
            self.do(deed.action, "" if action.who == "gm" else actor, dice=dice, **fields)
        except Refused as refused:
            return Outcome(refused=refused.message)
        names = {who: combatant.name for who, combatant in self.state.combatants.items()}
        lines = describe_facts(self.system, self.facts, names)
        why = tuple(say_sum(line) for line in lines if line.terms or line.against_terms)
        cites = {fact.rule for fact in self.facts} | {*find_values(self.facts, "rule")}
        costs = {key: n for spent in self.told(BudgetSpent) for key, n in spent.pools.items()}
        return Outcome(why, tuple(line.text for line in lines), frozenset(cites), costs)

    def numbers(self) -> set[str]:
        """All numbers on everybody's card, with their sums and without."""
        pen, found = pen_of(self.system, self.state), set()
        for combatant in self.state.combatants.values():
            for number in pen.derived(self.system.characters.facts_of(self.state, combatant)):
                plain = f"{combatant.name}: {number.label} {number.shown}{number.unit}"
                found |= {plain, f"{plain} = {say_terms(number.terms)}"}
        return found

    def _bring(self, person: Person) -> None:
        side = person.side or ("enemies" if self.by_name else "allies")
        sheet = None if person.block else self._make_sheet(person)
        who = self.add(person.name, side, person.at, sheet, person.block)
        self.edit(who, pc=person.pc or self[who].pc, initiative=person.initiative)
        self.by_name[person.name] = who

    def _make_sheet(self, person: Person) -> dict[str, Any]:
        """The usual sheet with what is particular about somebody; tables are merged, lists are not.

        A sheet of a kind of its own, such as a vehicle's, stands for itself.
        """
        sheet = {} if "kind" in person.sheet else dict(self.usual.sheet)
        profile = self.system.book.sheets.profile if self.system.book.sheets else None
        own = {"attributes": profile.read(person.profile)} if profile and person.profile else {}
        for part in (own, person.sheet):
            for key, value in part.items():
                old = sheet.get(key)
                sheet[key] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
        return sheet

    def _prepare(self, person: Person) -> None:
        who = self.by_name[person.name]
        if person.held is not None:
            self.edit(who, items=tuple(_hold(item, person.held) for item in self[who].items))
        for entry, changes in person.items.items():
            item = self.item(who, entry)
            data, marks = changes.get("data", {}), changes.get("marks", {})
            changes = {**changes, "data": {**item.data, **data}, "marks": {**item.marks, **marks}}
            self.change_item(who, entry, **changes)
        self.own_budgets[who] = person.budget
        self.set_track(who, **person.tracks)
        self.edit(who, marks={**self[who].marks, **person.marks})
        for held in person.conditions:
            more = dict(held) if isinstance(held, dict) else {"kind": held}
            if "by" in more:
                more["by"] = self.by_name[more["by"]]
            self.give(who, **more)

    def _find(self, key: str, value: Any, actor: str) -> Any:
        """A field's value with ids in place of names."""
        if isinstance(value, list):
            return [self._find(key, one, actor) for one in value]
        if key in BELONGINGS:
            return self._belonging(value, actor)
        if isinstance(value, str) and value.startswith("near:"):
            return f"near:{self.by_name[value.removeprefix('near:')]}"
        return self.by_name.get(value, value) if isinstance(value, str) else value

    def _answer(self, answer: str, actor: str) -> str:
        """An answer with ids in place of names and belongings: "Bo/dagger"."""
        who, _, what = answer.rpartition("/")
        if who in self.by_name:
            return f"{self.by_name[who]}/{self._belonging(what, self.by_name[who])}"
        return self.by_name.get(answer) or self._belonging(answer, actor)

    def _belonging(self, entry: str, actor: str) -> str:
        """The id of something of the actor's, of somebody else's or on the ground."""
        everyone = [self[actor], *self.state.combatants.values()]
        items = [item for one in everyone for item in one.items] + [*self.state.ground]
        return next((item.id for item in items if item.data.get("id") == entry), entry)


def _hold(item: Item, held: tuple[str, ...]) -> Item:
    if item.data.get("id") in held:
        return replace(item, place="held", at=None)
    return replace(item, place="carried") if item.place == "held" and item.data.get("hands", 1) else item


def say_terms(terms: Any) -> str:
    """The terms of a sum: "Coordination +6, Half Combat +2"."""
    return ", ".join(f"{term.label} {say_number(term.value, signed=True)}" for term in terms)


def say_sum(line: Line) -> str:
    """The sum of a line of the log: dice, terms and total, and those of what it was against."""
    dice = " + ".join(map(str, line.roll.faces)) if line.roll and line.thrown is not None else ""
    parts = ", ".join(filter(None, (dice, say_terms(line.terms))))
    words = f"{capitalized(line.sum_label)}: {parts} = {line.sum}"
    if line.against_terms:
        words += f" against {line.against_label}: {say_terms(line.against_terms)} = {line.against}"
    return words
