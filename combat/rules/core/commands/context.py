"""What a rule talks to. It rolls, asks and tells; it never decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from msgspec import UNSET

from ..basics.dice import Roll, check_faces, parse_dice
from ..basics.errors import Drift, Refused
from ..basics.modifiers import Modifier
from ..basics.requests import Answer, Choice, ChoiceRequest, NeedsAnswer, Request, RollRequest, key_of
from ..basics.splits import Place, check_split, fill, is_forced, make_split, read_split, write_split
from ..basics.words import Label
from ..space import map_of
from ..space.battle_map import is_hidden_at
from ..space.hexes import plot
from ..state import events as e
from ..state.fold import fold
from ..state.state import State, replace


class Driver(Protocol):
    """Where answers come from when none is recorded yet.

    One whose `tells` is False plays for the result alone: what it leads to is never shown, so its facts get
    no audience and no twin.
    """

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        """The answer, or None if a person has to give it."""


# After these others may be hidden, or go by another name
_CHANGES_WHO_IS_HIDDEN = frozenset((e.CombatantJoined, e.HiddenSet, e.Renamed))
_CHANGES_THE_PLACE = frozenset((e.Moved, e.MapSet, e.MapChanged))
_NOBODY: frozenset[str] = frozenset()
# What costs work to find may be a function: it is called where somebody is asked, or odds are counted
Sums = tuple[int, ...] | Callable[[], tuple[int, ...]]
Options = tuple[Choice, ...] | Callable[[], tuple[Choice, ...]]


def _find_secret(system: Any, state: State) -> dict[str, str]:
    """The hidden fighters by id, with their names, and those in areas that the GM has not revealed."""
    areas = map_of(state.scene).hidden
    hexes = bool(areas) and system.has_hexes(state)
    return {
        who: fighter.name
        for who, fighter in state.combatants.items()
        if fighter.hidden or (areas and is_hidden_at(areas, *plot(fighter.at.x, fighter.at.y, hexes)))
    }


class Then:
    """The next step of a procedure. Odds merge equal states between steps.

    One that falls into parts says so (`apart`).
    """

    __slots__ = ("apart", "args", "step")

    def __init__(self, step: Callable[..., Then | None], *args: Any, apart: Apart | None = None) -> None:
        self.step = step
        self.args = args
        self.apart = apart


class Apart:
    """A step in parts: by id one for `each` fighter who is nobody else's business, and the `rest`.

    The step of each looks at no other combatant, and the rest, with all that follows, at none of these. So
    odds add up what becomes of each, instead of going on with every way it may go for all together. Without
    a step somebody is done: nothing more becomes of them. Without a `rest` nothing else follows.
    """

    __slots__ = ("each", "rest")

    def __init__(self, each: Mapping[str, Then | None], rest: Then | None) -> None:
        self.each = each
        self.rest = rest


class Again(Then):
    """The same step once more, because nothing came of it: dice that decided nothing are rolled again.

    Odds look only at the times that something comes of it.
    """

    __slots__ = ()


class RuleContext:
    """One run of one command over a state, with the answers known so far.

    `actor` and `target` are those that the command names. `state` follows every event told; `facts` and
    `answers` are what came of the run. Without `trades`, one part of the turn does not pay in place of
    another.
    """

    def __init__(
        self,
        system: Any,
        state: State,
        driver: Driver,
        answers: tuple[Answer, ...] = (),
        trades: bool = True,
        actor: str = "",
        target: str = "",
    ) -> None:
        self.actor = actor
        self.target = target
        self.system = system
        self.state = state
        self.driver = driver
        self.trades = trades
        self.recorded = {key_of(answer): answer for answer in answers} if answers else {}
        self.answers: list[Answer] = []
        self.facts: list[e.Fact] = []
        self._tells = getattr(driver, "tells", True)
        is_quiet = not self._tells and not answers
        self._throws = getattr(driver, "throw", None) if is_quiet else None
        self._takes_default = getattr(driver, "takes_default", None) if is_quiet else None
        self._hidden = _find_secret(system, state) if self._tells else {}
        self._asked: dict[tuple[str, str, str], int] = {}

    def option(self, key: str) -> Any:
        """A table option of the encounter, or the system's default."""
        return self.system.option(self.state, key)

    def follows(self, change: str) -> bool:
        """Whether a change of the rules, by its key in versions.toml, holds in this fight."""
        return bool(self.system.versions.hold(self.state, change))

    def roll(
        self,
        dice: str,
        *,
        by: str,
        rule: str,
        why: Label,
        look: str = "sum",
        cuts: Sums = (),
        alike: tuple[tuple[int, ...], ...] = (),
        kin: tuple[tuple[int, ...], ...] = (),
    ) -> Roll:
        """Roll a handful for a fighter. `look` is "faces" when single dice matter, "set" if not their order.

        `cuts`, if given, name every sum of faces from which on the rule does something else; `alike`
        instead are groups of sums on which it does the same, `kin` those on which it does so to another of a
        kind. What takes work to find is a function.
        """
        if self._throws is not None:  # nobody is asked, and no answer is kept
            faces = self._throws(dice)
            return Roll(dice, faces, sum(faces) + parse_dice(dice).plus, "app", by, rule, why)
        sums = cuts() if callable(cuts) else cuts
        ordinal, series = self._count("roll", rule, by), self._find_series(by)
        request = RollRequest(rule, by, ordinal, dice, why, look, sums, alike, kin, series)
        answer = self._answer(request)
        check_faces(dice, answer.faces)
        if answer.dice not in ("", dice):
            raise Drift(f"{rule} asks for {dice}, and {answer.dice} were rolled")
        if answer.number and answer.series != series:
            raise Drift(f"a roll by {rule} is numbered in the wrong series")
        total = sum(answer.faces) + parse_dice(dice).plus
        return Roll(dice, answer.faces, total, answer.source, by, rule, why, answer.number, answer.series)

    def foresee(self, dice: str, who: Iterable[str], *, rule: str, why: Label) -> None:
        """Say before several people roll the same dice that each of them will do so next.

        Whoever rolls real dice is asked together with the others instead of one after the other.
        Where the app rolls nothing happens: each roll stays a branch of its own for the odds.
        """
        next_of = {one: self._asked.get(("roll", rule, one), 0) + 1 for one in who}
        asked = [
            RollRequest(rule, one, ordinal, dice, why, series=self._find_series(one))
            for one, ordinal in next_of.items()
        ]
        for request in asked:
            if key_of(request) in self.recorded:
                check_faces(dice, self.recorded[key_of(request)].faces)
        missing = tuple(request for request in asked if key_of(request) not in self.recorded)
        if missing and getattr(self.driver, "gathers", False):
            raise NeedsAnswer(missing)

    def ask(
        self,
        who: str,
        question: str,
        options: Options,
        *,
        rule: str,
        default: str,
        also: tuple[str, ...] = (),
    ) -> str:
        """Let the person behind a fighter, or the GM, choose; returns the chosen value.

        Those behind the fighters `also` may choose as well: the first answer counts for all. Options that
        take work may be a function; where it finds none nobody is asked, and the default is taken.
        """
        if self._takes_default is not None and self._takes_default(self, who, rule):
            return default
        options = options() if callable(options) else options
        if not options:
            return default
        request = self._question(who, question, options, rule, default, also)
        return self._choice(request)

    def split(
        self,
        who: str,
        question: str,
        total: int,
        places: tuple[Place, ...] | Callable[[], tuple[Place, ...]],
        *,
        rule: str,
        default: Mapping[str, int],
    ) -> dict[str, int]:
        """Let the person behind a fighter, or the GM, divide points among places; the points of each.

        What the places cannot hold is left out. Where there is only one way nobody is asked. The default has
        no points but those that fit.
        """
        if self._takes_default is not None and self._takes_default(self, who, rule):
            return dict(default)
        split = make_split(total, places() if callable(places) else places)
        if is_forced(split):
            return fill(split)
        given = write_split(split, check_split(split, default))
        ordinal = self._count("choice", rule, who)
        request = ChoiceRequest(rule, who, ordinal, question, (), given, split=split)
        return read_split(split, self._answer(request).value)

    def ask_each(
        self,
        who: tuple[str, ...],
        question: str,
        options: tuple[Choice, ...],
        *,
        rule: str,
        default: str,
    ) -> dict[str, str]:
        """Ask several people the same at once; returns each one's choice."""
        requests = [self._question(one, question, options, rule, default) for one in who]
        missing: list[Request] = []
        chosen: dict[str, str] = {}
        for request in requests:
            try:
                chosen[request.who] = self._choice(request)
            except NeedsAnswer as needed:
                missing.extend(needed.requests)
        if missing:
            raise NeedsAnswer(tuple(missing))
        return chosen

    def emit(self, event: e.Event, rule: str = "", to: str = "", twin: e.Event | None = None) -> None:
        """Add a fact. Without `to`, what concerns a hidden fighter goes to the GM and its own player,
        and what may be known of it becomes the public twin."""
        if not self._tells:
            self.state = fold(self.state, event)
            self.facts.append(e.Fact(event, rule))
            return
        hidden = self._find_hidden(event)
        if hidden and not to:
            to = e.for_seat(*hidden) if len(hidden) == 1 else e.GM_ONLY
            twin = twin or self._find_twin(event, hidden)
        before, self.state = self.state, fold(self.state, event)
        if type(event) in _CHANGES_WHO_IS_HIDDEN or (
            type(event) in _CHANGES_THE_PLACE and map_of(self.state.scene).hidden
        ):
            self._hidden = _find_secret(self.system, self.state)
            if isinstance(event, e.Moved) and event.who in self._hidden and not (to or hidden):
                to = e.for_seat(event.who)  # nobody sees where they have gone
        if to in ("", e.EVERYONE) and self.state.scene.map is not UNSET:
            to, twin = self._find_sighted(before, event, to, twin)
        if isinstance(event, e.TrackChanged) and not to and twin is None:
            to, twin = self._obscure_health(event)
        elif isinstance(twin, e.TrackChanged):
            audience, obscured = self._obscure_health(twin)
            twin = twin if audience == e.EVERYONE else obscured
        self.facts.append(self._mask_names(e.Fact(event, rule, to or e.EVERYONE, twin)))

    def _find_sighted(
        self, before: State, event: e.Event, to: str, twin: e.Event | None
    ) -> tuple[str, e.Event | None]:
        """The audience of what concerns somebody whom not all players see on the map, before or after it."""
        people = frozenset(e.subjects_of(event))
        seen = self.system.find_witnesses(before, people)
        found = [each for each in (seen, self.system.find_witnesses(self.state, people)) if each]
        if not found:
            return to, twin
        known = frozenset.intersection(*(each.people for each in found))
        to = e.for_seats(sorted(known)) if known else e.GM_ONLY
        if seen is None and isinstance(event, e.Moved):
            return to, e.Said("log.out_of_sight", event.who)
        return to, twin or self._find_twin(event, found[-1].unseen)

    def _find_twin(self, event: e.Event, hidden: frozenset[str]) -> e.Event | None:
        """What everyone may know of it; nothing, if an order is another one for the hidden alone."""
        twin = e.without(event, hidden)
        if isinstance(twin, e.OrderSet) and event != e.OrderSet(self.state.order, twin.why):
            seen = tuple(who for who in self.state.order if who not in hidden)
            return None if seen == twin.order else twin
        return twin

    def _mask_names(self, fact: e.Fact) -> e.Fact:
        """The fact as it may be kept: no name or id of the hidden stands in words that everyone reads."""
        shown = fact.event if fact.to == e.EVERYONE else fact.twin
        if not self._hidden or shown is None:
            return fact
        plain = e.without_names(shown, self._hidden_names())
        if plain is shown:
            return fact
        to = e.GM_ONLY if fact.to == e.EVERYONE else fact.to
        return e.Fact(fact.event, fact.rule, to, plain)

    def _hidden_names(self) -> e.SecretNames:
        """Finds the names that only hidden fighters have."""
        fighters = self.state.combatants.values()
        return e.SecretNames(
            self._hidden.values(), [f.name for f in fighters if f.id not in self._hidden], self._hidden
        )

    def _obscure_health(self, event: e.TrackChanged) -> tuple[str, e.Event | None]:
        """The audience of a changed number, and the twin that does not give it away.

        As the table shows health: a word says how somebody is now, a bar that they are worse or better
        off, nothing not even that. By how many points, and what armor took off, is in neither. What was
        rolled is: everybody sees the dice, and reads the same number beside them.
        """
        fighter = self.state.combatants.get(event.who)
        shown = self.option("foe_health")
        if fighter is None or fighter.pc or shown == "number":
            return e.EVERYONE, None
        if shown == "nothing":
            return e.GM_ONLY, None
        word: Label = self.system.health(fighter).word if shown == "word" else e.UNTOLD
        way = (event.new > event.old) - (event.new < event.old)
        dealt = (
            (Modifier("term.with_bonuses", event.dealt, event.terms[0].rule),)
            if event.roll and event.terms
            else ()
        )
        return e.GM_ONLY, replace(event, old=0, new=way, terms=dealt, word=word)

    def _find_hidden(self, event: e.Event) -> frozenset[str]:
        """The hidden fighters an event speaks about."""
        if isinstance(event, e.CombatantJoined):
            return frozenset((event.combatant.id,) if event.combatant.hidden else ())
        return _NOBODY.union(self._hidden).intersection(e.subjects_of(event)) if self._hidden else _NOBODY

    def _find_series(self, by: str) -> str:
        """The secret series of a roll: the ids of whom not everyone sees, the roller and their target."""
        if not self._tells:
            return ""
        target = self.target if by == self.actor else ""
        return "+".join(sorted(who for who in {by, target} if who and self._is_unseen(who)))

    def _is_unseen(self, who: str) -> bool:
        """Whether not every player knows where a combatant is."""
        if who not in self.state.combatants:
            return False
        on_map = self.state.scene.map is not UNSET
        return who in self._hidden or (
            on_map and self.system.find_witnesses(self.state, frozenset((who,))) is not None
        )

    def _count(self, kind: str, rule: str, who: str) -> int:
        key = (kind, rule, who)
        self._asked[key] = self._asked.get(key, 0) + 1
        return self._asked[key]

    def _question(
        self,
        who: str,
        question: str,
        options: tuple[Choice, ...],
        rule: str,
        default: str,
        also: tuple[str, ...] = (),
    ) -> ChoiceRequest:
        ordinal = self._count("choice", rule, who)
        return ChoiceRequest(rule, who, ordinal, question, options, default, also)

    def _choice(self, request: ChoiceRequest) -> str:
        value = self._answer(request).value
        option = next((o for o in request.options if o.value == value), None)
        if option is None:
            raise Refused("bad_value", f"“{value}” is not one of the choices.")
        if option.refused:
            raise Refused("not_allowed", option.refused)
        return value

    def _answer(self, request: Request) -> Answer:
        known = self.recorded.get(key_of(request)) if self.recorded else None
        answer = known or self.driver.answer(self, request)
        if answer is None:
            raise NeedsAnswer((request,))
        self.answers.append(answer)
        return answer

    def check_recorded(self) -> None:
        """Raise Drift if a recorded answer was not asked for: today's rules ask otherwise."""
        if not self.recorded:
            return
        used = {key_of(answer) for answer in self.answers}
        left = [key for key in self.recorded if key not in used]
        if left:
            kind, rule, who, _ = left[0]
            raise Drift(f"nothing asks for the {kind} of {rule} by {who}; {len(left)} answers are left over")
