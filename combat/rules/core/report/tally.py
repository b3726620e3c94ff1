"""The tally of a fight for each combatant: a sum over its facts."""

from __future__ import annotations

from collections import Counter

import msgspec

from ..basics.words import Label
from ..declaration.characters import Health
from ..declaration.system import System
from ..state import events as e
from ..state.fold import fold
from ..state.state import State
from .story import find_weapon


class Tally(msgspec.Struct):
    """The tally of one combatant. Damage and healing are points of the tracks of health.

    `rolled` is damage of which the reader knows the dice and not the loss. `weapons` is the damage of each
    weapon, `absorbed` the damage that armor and the like kept off, `inflicted` the conditions given to
    others, `actions` the number of uses of each action.
    """

    dealt: int = 0
    rolled: int = 0
    taken: int = 0
    absorbed: int = 0
    healed: int = 0
    turns: int = 0
    meters: float = 0.0
    downed: int = 0
    weapons: Counter[str] = msgspec.field(default_factory=Counter)
    inflicted: Counter[str] = msgspec.field(default_factory=Counter)
    actions: Counter[str] = msgspec.field(default_factory=Counter)


class Tallies:
    """Follows the facts of a fight and keeps a tally for each combatant."""

    def __init__(self, system: System, state: State) -> None:
        self.system = system
        self.state = state
        self.of: dict[str, Tally] = {}

    def __getitem__(self, who: str) -> Tally:
        return self.of.setdefault(who, Tally())

    def act(self, actor: str, action: str) -> None:
        """Count an action."""
        self[actor].actions[action] += 1

    def follow(self, fact: e.Fact, shown: e.Event | None, *, actor: str) -> None:
        """Count a fact; `shown` is what the reader knows of it, None if it only changes the state.

        `actor` who acts, empty if the reader does not know.
        """
        before, self.state = self.state, fold(self.state, fact.event)
        match shown:
            case e.TrackChanged():
                self._add_track(before, shown, actor)
                self._add_fall(before, shown.who)
            case e.ConditionGained():
                self._add_condition(shown, actor)
                self._add_fall(before, shown.who)
            case e.Moved():
                self[shown.who].meters += shown.metres
            case e.TurnStarted() | e.TurnShared() if not shown.again:
                self[shown.who].turns += 1

    def hear(self, twin: e.TrackChanged, *, actor: str) -> None:
        """Count the dice of a loss whose points the reader may not see."""
        by, rises = twin.by or actor, self.system.characters.find_track(twin.track).rises
        if by and by != twin.who and twin.new and (twin.new > 0) == rises:
            self[by].rolled += twin.dealt
            self[by].weapons[self._draw(find_weapon(twin.why))] += twin.dealt

    def _add_condition(self, event: e.ConditionGained, actor: str) -> None:
        by, kind = event.condition.by or actor, event.condition.kind
        if by and by != event.who and self.system.characters.describe_condition(kind).for_gm:
            self[by].inflicted[self._draw(event.condition.label)] += 1

    def _add_fall(self, before: State, who: str) -> None:
        if who in before.combatants:
            was, now = self._find_health(before, who)
            self[who].downed += now.is_out and not was.is_out

    def _add_track(self, before: State, event: e.TrackChanged, actor: str) -> None:
        if event.who not in before.combatants:
            return
        was, now = self._find_health(before, event.who)
        sufferer, by = self[event.who], event.by or actor
        if event.by:
            sufferer.absorbed -= sum(term.value for term in event.terms if term.value < 0)
        points = abs(event.new - event.old)
        if now.share < was.share:
            sufferer.taken += points
            self._add_deed(by, event, points)
        elif now.share > was.share and by:
            self[by].healed += points

    def _add_deed(self, by: str, event: e.TrackChanged, points: int) -> None:
        if by and by != event.who:
            self[by].dealt += points
            self[by].weapons[self._draw(find_weapon(event.why))] += points

    def _find_health(self, before: State, who: str) -> tuple[Health, Health]:
        """The health of a combatant before a fact, and now."""
        health = self.system.characters.health
        return health(before.combatants[who]), health(self.state.combatants[who])

    def _draw(self, label: Label) -> str:
        names = {who: combatant.name for who, combatant in self.state.combatants.items()}
        return self.system.draw(label, names)
