"""The turning points of a fight, as everyone at the table may know them: a walk over its facts."""

from __future__ import annotations

import msgspec

from ..basics.words import Label, Phrase
from ..declaration.system import System
from ..state import events as e
from ..state.fold import fold
from ..state.state import Combatant, State, is_played
from ..wording.sentences import CORRECTED

FIRST, CRITICAL, FALL, ESCAPE = "first", "critical", "fall", "escape"
CRITICAL_OUTCOME = "outcome.critical"
NARROW = 0.25  # of the health: less is a narrow escape
GIVEN = ("log.gets_item", "log.gets_item_of", "log.gets_money", "log.gets_money_of")


class TurningPoint(msgspec.Struct, frozen=True):
    """Something worth telling, with its kind and round. `who` it happened to, `by` and `what` may be unknown.

    A narrow escape has the lowest `health` of someone whom a person plays.
    """

    kind: str
    round: int
    who: str
    by: str = ""
    what: Label = ""
    health: str = ""


class _Before(msgspec.Struct, frozen=True):
    """What was told before the last blow: how many points of all, someone's health and lowest health."""

    points: int
    share: float
    lowest: tuple[float, TurningPoint] | None


class Story:
    """Follows the facts of a fight and keeps its turning points, and what was handed out after it.

    Of each fact it gets what everyone may know: the event, its redacted event, or nothing.
    """

    def __init__(self, system: System, state: State) -> None:
        self.system = system
        self.state = state
        self.points: list[TurningPoint] = []
        self.given: list[e.Said] = []
        self.lowest: dict[str, tuple[float, TurningPoint]] = {}
        self._blows: dict[str, tuple[str, Label]] = {}
        self._before: dict[str, _Before] = {}
        self._righted: set[str] = set()

    def follow(self, fact: e.Fact, shown: e.Event | None, *, actor: str = "") -> None:
        """Take in a fact; `shown` is what everyone may know of it, `actor` who acts."""
        before, self.state = self.state, fold(self.state, fact.event)
        if shown is None:
            return
        if isinstance(shown, e.Said) and shown.key in GIVEN:
            self.given.append(shown)
        if self.state.phase != "fight":
            return
        if isinstance(shown, e.Checked) and shown.outcome == CRITICAL_OUTCOME:
            point = TurningPoint(
                CRITICAL, self.state.round, shown.target or shown.who, by=shown.who, what=shown.what
            )
            self.points.append(point)
        elif isinstance(shown, e.TrackChanged):
            if shown.why == CORRECTED:
                self._righted.add(shown.who)
            self._take_back(before, shown.who)
            self._add_blow(before, shown, actor)
            self._add_fall(before, shown.who)
        elif isinstance(shown, e.ConditionGained):
            self._add_fall(before, shown.who)
        elif isinstance(shown, e.ConditionEnded):
            self._take_back(before, shown.who)

    def end_step(self) -> None:
        """Forget who struck whom: the next step is another deed."""
        self._blows.clear()
        self._righted.clear()

    @property
    def escapes(self) -> list[TurningPoint]:
        """Those whom people play who came close to falling and still stand, the closest first."""
        near = [found for found in self.lowest.values() if self._stands(found[1].who)]
        return [point for _, point in sorted(near, key=lambda one: one[0])]

    def _stands(self, who: str) -> bool:
        one = self.state.combatants.get(who)
        return one is not None and not one.gone and not self.system.characters.health(one).is_out

    def _add_blow(self, before: State, event: e.TrackChanged, actor: str) -> None:
        """A loss of health: the first of the fight, or the lowest of someone whom a person plays."""
        was, now = before.combatants.get(event.who), self.state.combatants.get(event.who)
        if was is None or now is None or not self._is_worse(was, now):
            return
        share = self.system.characters.health(was).share
        self._before[was.id] = _Before(len(self.points), share, self.lowest.get(was.id))
        by = event.by or ("" if actor in self.system.find_unknown(before) else actor)
        self._blows[event.who] = (by, find_weapon(event.why))
        if by and by != event.who and not any(point.kind == FIRST for point in self.points):
            self._add(FIRST, event.who)
        self._add_escape(now)

    def _add_escape(self, now: Combatant) -> None:
        """Keep the lowest health of someone whom a person plays."""
        health = self.system.characters.health(now)
        if is_played(self.state, now) and not health.is_out and health.share <= NARROW:
            lowest = self.lowest.get(now.id)
            if lowest is None or health.share < lowest[0]:
                point = TurningPoint(ESCAPE, self.state.round, now.id, health=health.number)
                self.lowest[now.id] = health.share, point

    def _take_back(self, before: State, who: str) -> None:
        """Tell the last blow as it came out, if this step of the GM corrects it to a milder one."""
        was, now, told = before.combatants.get(who), self.state.combatants.get(who), self._before.get(who)
        if who not in self._righted or was is None or now is None or told is None or self._is_worse(was, now):
            return
        health, later = self.system.characters.health(now), self.points[told.points :]
        untrue = {FALL} if not health.is_out else set[str]()
        untrue |= {FIRST} if health.share >= told.share else set()
        kept = [one for one in later if one.who != who or one.kind not in untrue]
        self.points[told.points :] = kept
        self.lowest.pop(who, None)
        if told.lowest:
            self.lowest[who] = told.lowest
        self._add_escape(now)

    def _is_worse(self, was: Combatant, now: Combatant) -> bool:
        return self.system.characters.health(now).share < self.system.characters.health(was).share

    def _add_fall(self, before: State, who: str) -> None:
        was, now = before.combatants.get(who), self.state.combatants.get(who)
        if was is None or now is None:
            return
        if self.system.characters.health(now).is_out and not self.system.characters.health(was).is_out:
            self._add(FALL, who)

    def _add(self, kind: str, who: str) -> None:
        by, what = self._blows.get(who, ("", ""))
        self.points.append(TurningPoint(kind, self.state.round, who, by="" if by == who else by, what=what))


def find_weapon(why: Label) -> Label:
    """The weapon in a reason that may also name a hit location."""
    item = why.args.get("item", why) if isinstance(why, Phrase) else why
    return item if isinstance(item, str | Phrase) else why
