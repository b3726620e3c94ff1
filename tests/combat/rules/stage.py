"""A scripted table: combatants, dice and answers in the order of use; nothing may be left over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import msgspec
import pytest

from combat.rules import find_system
from combat.rules.core.basics.dice.requests import (
    Answer,
    ChoiceRequest,
    Request,
    RollRequest,
    answer_choice,
    answer_roll,
)
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Preview, command_data, find_refusal, read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.odds.odds import Odds, find_odds
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.state import Combatant, Condition, Item, State, find_condition, replace

GROUND = ("set_scene", "set_map", "change_map")  # what makes people of a new map go to their ends
Die = tuple[int, ...] | int | str
Given = Sequence[Die]


class Script:
    """Answers the requests of one command from a list: faces for rolls, words for choices."""

    def __init__(self, answers: Given) -> None:
        self.left = [(a,) if isinstance(a, int) else a for a in answers]
        self.asked: list[Request] = []

    def answer(self, context: RuleContext, request: Request) -> Answer:
        self.asked.append(request)
        assert self.left, f"the script has no answer left for {request}"
        given = self.left.pop(0)
        if isinstance(given, str):
            assert isinstance(request, ChoiceRequest), f"{given!r} does not answer {request}"
            return answer_choice(request, given, "gm")
        assert isinstance(request, RollRequest), f"{given!r} does not answer {request}"
        return answer_roll(request, tuple(given), "table")


class Stage:
    """A fight under construction. Every command is checked against a fresh fold of its facts."""

    def __init__(self, system: System | str, **options: Any) -> None:
        self.system = find_system(system) if isinstance(system, str) else system
        self.state = replace(self.system.begin(), options=options)
        self.facts: tuple[e.Fact, ...] = ()
        self.asked: list[Request] = []
        self.stays = True  # whether new ground leaves everyone where the test put them

    def add(
        self,
        name: str,
        side: str = "allies",
        at: tuple[float, ...] = (0, 0),
        sheet: dict[str, Any] | None = None,
        block: str = "",
        **changes: Any,
    ) -> str:
        """Add a combatant at a place in meters; return its id."""
        what = {"block": block} if block else {"sheet": sheet}
        who = f"f{self.state.made + 1}"
        self.do("join", name=name, side=side, **what)
        self.edit(who, at=Point(*at), **changes)
        return who

    def zone(self, zone_id: str, **fields: Any) -> None:
        """Add a zone to the scene."""
        zones = [*map(_plain, self.state.scene.zones), {"id": zone_id, "name": zone_id, **fields}]
        settings = dict(self.state.scene.settings)
        self.do("set_scene", scene={"zones": zones, "settings": settings})

    def begin(self, *order: str, active: str = "") -> Self:
        """This stage in round 1, in this order without dice; the first (or `active`) has its turn."""
        order = order or tuple(self.state.combatants)
        self.state = replace(self.state, phase="fight", round=1, order=tuple(order))
        self.turn(active or order[0])
        return self

    def turn(self, who: str) -> None:
        """Give a combatant a fresh turn without playing what comes before."""
        budget = {pool.key: pool.most for pool in self.system.turn.pools}
        self.state = replace(self.state, active=who)
        self.edit(who, budget=budget)

    def edit(self, who: str, **changes: Any) -> None:
        """Change a combatant directly: the setup line of the test."""
        combatant = replace(self.state.combatants[who], **changes)
        combatants = {**self.state.combatants, who: combatant}
        self.state = replace(self.state, combatants=combatants)

    def give(self, who: str, kind: str, **more: Any) -> None:
        """Give a combatant a condition directly."""
        known = self.system.characters.describe_condition(kind)
        made = self.state.made + 1
        condition = Condition(f"k{made}", kind, known.label, known.rule, **more)
        self.edit(who, conditions=(*self[who].conditions, condition))
        self.state = replace(self.state, made=made)

    def set_track(self, who: str, **tracks: int) -> None:
        """Set numbers such as hp directly."""
        self.edit(who, tracks={**self[who].tracks, **tracks})

    def __getitem__(self, who: str) -> Combatant:
        return self.state.combatants[who]

    def do(self, name: str, /, actor: str = "", *, dice: Given = (), **fields: Any) -> tuple[e.Fact, ...]:
        """Run a command with scripted answers; all of them must be used. Return its facts."""
        action = find_action(self.system, name)
        data = {"actor": actor, **fields} if actor else fields
        script = Script(dice)
        result = run(self.system, self.state, action, read_command(action, data), script)
        self.asked = script.asked
        assert isinstance(result, Done)
        assert not script.left, f"answers left over: {script.left}"
        assert fold_all(self.state, result.facts) == result.state
        before, self.state, self.facts = self.state, result.state, result.facts
        if name in GROUND and self.stays:
            self._stay(before)
        return result.facts

    def _stay(self, before: State) -> None:
        """Leave everyone where the test put them, though new ground puts the sides at its ends."""
        for who, combatant in before.combatants.items():
            self.edit(who, at=combatant.at)

    def refused(self, name: str, /, actor: str = "", *, dice: Given = (), **fields: Any) -> Refused:
        """Expect a refusal that changes nothing. Return it for its code and message."""
        before = self.state
        with pytest.raises(Refused) as caught:
            self.do(name, actor, dice=dice, **fields)
        assert self.state is before
        assert caught.value.message
        return caught.value

    def odds(self, name: str, /, actor: str = "", **fields: Any) -> Odds:
        """The exact odds of a command."""
        action = find_action(self.system, name)
        command = read_command(action, {"actor": actor, **fields} if actor else fields)
        return find_odds(self.system, self.state, action, command)

    def preview(self, name: str, /, actor: str, **fields: Any) -> Preview:
        """The sums the form shows."""
        action = find_action(self.system, name)
        assert action.preview is not None
        return action.preview(self.state, read_command(action, {"actor": actor, **fields}))

    def checks(self, what: str = "") -> list[e.Checked]:
        """The rolls against a number in the last command."""
        events = [fact.event for fact in self.facts]
        return [x for x in events if isinstance(x, e.Checked) and what in ("", x.what)]

    def check(self, what: str = "") -> e.Checked:
        """The only such roll."""
        (found,) = self.checks(what)
        return found

    def told(self, kind: type) -> list[Any]:
        """The events of a type in the last command."""
        return [fact.event for fact in self.facts if isinstance(fact.event, kind)]

    def audiences(self) -> set[str]:
        """The audience of the last command."""
        return {fact.to for fact in self.facts}

    def rules(self) -> set[str]:
        """The rule ids the last command's facts cite."""
        return {fact.rule for fact in self.facts if fact.rule}

    def has(self, who: str, kind: str) -> bool:
        """Whether a combatant has a condition."""
        return find_condition(self[who], kind) is not None

    def find(self, who: str, entry: str) -> Item | None:
        """The combatant's item of a catalog entry, if it has one."""
        return next((item for item in self[who].items if item.data.get("id") == entry), None)

    def item(self, who: str, entry: str) -> Item:
        """The combatant's item of a catalog entry, such as "pistol"."""
        found = self.find(who, entry)
        assert found is not None, f"{who} has no {entry}"
        return found

    def weapon(self, who: str, entry: str) -> str:
        """The id of a combatant's weapon."""
        return self.item(who, entry).id

    def change_item(self, who: str, entry: str, **changes: Any) -> str:
        """Change a combatant's item directly: its place, the rounds in it, its marks; return its id."""
        changed = replace(self.item(who, entry), **changes)
        self.edit(who, items=tuple(changed if i.id == changed.id else i for i in self[who].items))
        return changed.id

    def obstacle(self, name: str, who: str = "") -> str:
        """The reason an action is grayed out; empty if it is not."""
        refusal = find_refusal(find_action(self.system, name), self.state, who)
        return refusal.message if refusal else ""

    def end_turn(self, *dice: tuple[int, ...] | int | str, **more: Any) -> None:
        """Go to the next turn."""
        self.do("next_turn", dice=dice, **more)

    def wait(self, seconds: int) -> None:
        """Put the clock forward without playing it."""
        self.state = replace(self.state, clock=self.state.clock + seconds)

    def choose(self, who: str = "f1") -> tuple[str, dict[str, Any]]:
        """The suggested action and its fields, none if the turn should end; check that it is legal."""
        found = self.system.tactics.suggest(self.state, who)
        if found is None:
            return "", {}
        name, command = found
        preview = find_action(self.system, name).preview
        if preview is not None:
            preview(self.state, command)
        return name, {key: value for key, value in command_data(command).items() if key != "actor"}


def _plain(zone: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(zone)
    return plain
