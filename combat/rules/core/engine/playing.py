"""Plays a worked example of a rulebook: its people on their places, its actions, what the log then says."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import msgspec

from ..basics.dice.dice import throw
from ..basics.dice.requests import Answer, Request, RollRequest, answer_choice, answer_roll, follow_standing
from ..basics.words import capitalized, say_number
from ..book.examples import Deed, Example, Examples, Person, Usual
from ..commands.commands import Action, Command, read_command
from ..commands.context import Driver, RuleContext
from ..declaration.system import System
from ..space import Point
from ..state import events as e
from ..state.state import Combatant, Condition, Item, replace
from ..wording import Line, describe_facts
from .engine import Done, ReplayDriver, choose, find_action, run

Given = tuple[int, ...] | str
BELONGINGS = (
    "weapon",
    "item",
    "shield",
    "stow",
    "draw",
)  # fields of a form that name an item


class Playing:
    """An example as it begins: its state, and the ids of its people by name."""

    def __init__(self, system: System, usual: Usual, example: Example) -> None:
        self.system, self.usual, self.example = system, usual, example
        self.state = replace(system.begin(), options=example.options)
        self.by_name: dict[str, str] = {}
        self._run("set_scene", scene={"zones": list(example.zones), "settings": dict(example.settings)})
        for person in example.people:
            self._bring(person)
        for person in example.people:
            self._prepare(person)
        order = tuple(self.by_name.values())
        self.state = replace(self.state, phase=example.phase)
        if example.phase == "fight":
            self.state = replace(self.state, round=1, order=order, active=order[0])
            self._begin_turn(order[0], example.people[0])

    def read(self, deed: Deed) -> tuple[Action, Command]:
        """An action of the example, and its command with ids in place of names."""
        action, actor = find_action(self.system, deed.action), self.find_actor(deed)
        fields = {key: self._find(key, value, actor) for key, value in deed.given.items()}
        return action, read_command(action, fields if action.who == "gm" else {"actor": actor, **fields})

    def find_answers(self, deed: Deed) -> list[Given]:
        """The faces of the rolls of an action, and the answers to its questions as the engine takes them."""
        actor = self.find_actor(deed)
        given = ((die,) if isinstance(die, int) else die for die in deed.dice)
        return [self._answer(one, actor) if isinstance(one, str) else one for one in given]

    def find_actor(self, deed: Deed) -> str:
        """The id of who acts."""
        return self.by_name[deed.actor or self.example.people[0].name]

    def act(self, deed: Deed, driver: Driver) -> tuple[e.Fact, ...]:
        """Play an action with the answers of a driver; return its facts."""
        action, command = self.read(deed)
        done = run(self.system, self.state, action, command, driver)
        assert isinstance(done, Done), deed
        self.state = done.state
        return done.facts

    def tell(self, facts: tuple[e.Fact, ...]) -> tuple[Line, ...]:
        """The lines of the log as the GM reads them."""
        names = {who: combatant.name for who, combatant in self.state.combatants.items()}
        return describe_facts(self.system, facts, names)

    # ---- how it begins ----

    def _run(self, name: str, /, **fields: Any) -> None:
        action = find_action(self.system, name)
        done = run(self.system, self.state, action, read_command(action, fields), ReplayDriver())
        assert isinstance(done, Done), name
        self.state = done.state

    def _edit(self, who: str, **changes: Any) -> None:
        combatant = replace(self.state.combatants[who], **changes)
        self.state = replace(self.state, combatants={**self.state.combatants, who: combatant})

    def _bring(self, person: Person) -> None:
        who = f"f{self.state.made + 1}"
        side = person.side or ("enemies" if self.by_name else "allies")
        what = {"block": person.block} if person.block else {"sheet": self._make_sheet(person)}
        self._run("join", name=person.name, side=side, **what)
        made = self.state.combatants[who]
        self._edit(who, at=Point(*person.at), pc=person.pc or made.pc, initiative=person.initiative)
        self.by_name[person.name] = who

    def _make_sheet(self, person: Person) -> dict[str, Any]:
        """The usual sheet with a person's own values; tables are merged, lists are not.

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
        """Set a person's items, numbers, marks and conditions as the example tells them."""
        who = self.by_name[person.name]
        made = self.state.combatants[who]
        items = (
            tuple(_hold(item, person.held) for item in made.items) if person.held is not None else made.items
        )
        items = tuple(_change(item, person.items.get(item.data.get("id", ""), {})) for item in items)
        self._edit(
            who, items=items, tracks={**made.tracks, **person.tracks}, marks={**made.marks, **person.marks}
        )
        for held in person.conditions:
            more = dict(held) if isinstance(held, dict) else {"kind": held}
            if "by" in more:
                more["by"] = self.by_name[more["by"]]
            self._give(who, **more)

    def _give(self, who: str, kind: str, **more: Any) -> None:
        known, made = self.system.characters.describe_condition(kind), self.state.made + 1
        condition = Condition(f"k{made}", kind, known.label, known.rule, **more)
        self._edit(who, conditions=(*self.state.combatants[who].conditions, condition))
        self.state = replace(self.state, made=made)

    def _begin_turn(self, who: str, person: Person) -> None:
        most = {pool.key: pool.most for pool in self.system.turn.pools}
        marks = {**self.usual.marks, **self.state.combatants[who].marks}
        self._edit(who, budget={**most, **self.usual.budget, **person.budget}, marks=marks)

    # ---- names and ids ----

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
        """The id of an item: the actor's own first, then anyone's, then one on the ground."""
        combatants = self.state.combatants
        everyone: list[Combatant] = [combatants[actor], *combatants.values()]
        items = [item for one in everyone for item in one.items] + [*self.state.ground]
        return next((item.id for item in items if item.data.get("id") == entry), entry)


def _hold(item: Item, held: tuple[str, ...]) -> Item:
    if item.data.get("id") in held:
        return replace(item, place="held", at=None)
    return replace(item, place="carried") if item.place == "held" and item.data.get("hands", 1) else item


def _change(item: Item, told: Mapping[str, Any]) -> Item:
    """A belonging as an example changes it."""
    if not told:
        return item
    data, marks = told.get("data", {}), told.get("marks", {})
    return replace(item, **{**told, "data": {**item.data, **data}, "marks": {**item.marks, **marks}})


# ---------------------------------------------------------------- what came of it


def find_costs(facts: tuple[e.Fact, ...]) -> dict[str, int]:
    """The actions that were spent, by the keys of the turn's budget."""
    spent = [fact.event.pools for fact in facts if isinstance(fact.event, e.BudgetSpent)]
    return {key: count for pools in spent for key, count in pools.items()}


def say_terms(terms: Any) -> str:
    """The terms of a sum: "Coordination +6, Half Combat +2"."""
    return ", ".join(f"{term.label} {say_number(term.value, signed=True)}" for term in terms)


def say_sums(lines: tuple[Line, ...]) -> tuple[str, ...]:
    """The sums of the lines that have one."""
    return tuple(_say_sum(line) for line in lines if line.terms or line.against_terms)


def _say_sum(line: Line) -> str:
    """The sum of a line of the log: dice, terms and total, and those of what it was against."""
    dice = " + ".join(map(str, line.roll.faces)) if line.roll and line.thrown is not None else ""
    parts = ", ".join(filter(None, (dice, say_terms(line.terms))))
    words = f"{capitalized(line.sum_label)}: {parts} = {line.sum}"
    if line.against_terms:
        words += f" against {line.against_label}: {say_terms(line.against_terms)} = {line.against}"
    return words


# ---------------------------------------------------------------- other dice


class Answers:
    """Answers as an example says, in its order.

    With `thrown` dice are thrown, and a question that the example does not answer goes to the game's policy.
    `kept` is what came of it, as an example writes it.
    """

    def __init__(self, given: list[Given], thrown: bool = False, chance: random.Random | None = None) -> None:
        self.given, self.thrown, self.chance = given, thrown, chance
        self.kept: list[Given] = []

    def answer(self, context: RuleContext, request: Request) -> Answer:
        if isinstance(request, RollRequest):
            given = throw(request.dice, self.chance) if self.thrown else self.given.pop(0)
            assert not isinstance(given, str), request
            self.kept.append(given)
            return answer_roll(request, given, "app")
        if not self.thrown:
            return answer_choice(request, str(self.given.pop(0)), "gm")
        orders = [one for one in self.given if isinstance(one, str) and not request.split]
        order = next((one for one in orders if follow_standing(request, one)), "")
        answer = answer_choice(request, order, "gm") if order else choose(context, request)
        self.kept += [option.label for option in request.options if option.value == answer.value]
        return answer


def can_roll(example: Example) -> bool:
    """Whether an example tells only its last action, which rolls."""
    told = [deed for deed in example.do if deed.why is not None or deed.log is not None or deed.refused]
    if example.numbers or not told or told != [example.do[-1]] or told[0].refused:
        return False
    return any(not isinstance(die, str) for die in told[0].dice)


def roll_again(
    system: System, examples: Examples, example: Example, chance: random.Random | None = None
) -> Example:
    """The same example with new dice in its last action, and what the engine makes of them."""
    *before, last = example.do
    playing = Playing(system, examples.usual, example)
    for deed in before:
        playing.act(deed, Answers(playing.find_answers(deed)))
    driver = Answers(playing.find_answers(last), thrown=True, chance=chance)
    facts = playing.act(last, driver)
    lines = playing.tell(facts)
    rolled = msgspec.structs.replace(
        last,
        dice=tuple(driver.kept),
        why=say_sums(lines),
        log=tuple(line.text for line in lines),
        costs=find_costs(facts) if last.costs else {},
    )
    return msgspec.structs.replace(example, title="", do=(*before, rolled))
