"""The context of a rule: it rolls, asks and records; it never decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Protocol

import msgspec
from msgspec import UNSET

from ..basics.dice.dice import Roll, check_faces, parse_dice
from ..basics.dice.requests import (
    AllocationSlot,
    Answer,
    Choice,
    ChoiceRequest,
    NeedsAnswer,
    Request,
    RollRequest,
    check_split,
    fill,
    is_forced,
    key_of,
    make_split,
    read_split,
    write_split,
)
from ..basics.errors import Drift, Refused
from ..basics.modifiers import Modifier
from ..basics.words import Label
from ..state import events as e
from ..state.fold import fold
from ..state.rulings import NEXT_ROLL, is_help
from ..state.secret_names import SecretNames, is_secret, is_seen_alike, without_names
from ..state.state import Combatant, State, find_condition, find_secret_conditions, is_played, replace
from . import luck

OVERRULED = ("log.overruled", "log.overruled_back")  # sentences of the log: with points, and without


class Rules(Protocol):
    """The questions a rule asks its game. The game declares more: see `system_of` in core/declaration."""

    def option(self, state: State, key: str) -> Any:
        """The value of a table option in this encounter."""

    def setting(self, state: State, key: str) -> str:
        """The value of a scene condition in this encounter."""

    def follows(self, state: State, change: str) -> bool:
        """Whether a change of the rules, by its key in versions.toml, holds in this fight."""

    def find_unknown(self, state: State) -> frozenset[str]:
        """The combatants that some players do not know of, including those who left."""

    def find_witnesses(self, state: State, people: Iterable[str]) -> frozenset[str] | None:
        """The combatants whose players may know of all these people; None if all players may."""

    def say_health(self, combatant: Combatant, track: str) -> Label:
        """The health of a combatant, in the book's word; UNTOLD for a track that says nothing of health."""

    def draw(self, label: Label, names: Mapping[str, str] = {}) -> str:
        """The words of a label; `names` are those of the combatants that the reader may know."""


class Driver(Protocol):
    """The source of answers that are not recorded yet.

    A driver with `tells` False plays only for the result: nobody sees its facts, so they get no audience and
    no redacted event. A `brief` one follows a command only to its first check.
    """

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        """The answer, or None if a person has to give it."""


# Expensive values can be functions: they are called only for a person's choice or for odds
Sums = tuple[int, ...] | Callable[[], tuple[int, ...]]
Groups = tuple[tuple[int, ...], ...] | Callable[[], tuple[tuple[int, ...], ...]]
Options = tuple[Choice, ...] | Callable[[], tuple[Choice, ...]]

# A check as it is told instead, and its redacted event if others may know less
Retell = Callable[[e.Checked], tuple[e.Checked, e.Checked | None]]


def _find_redacted(before: State, event: e.Event, unknown: frozenset[str]) -> e.Event | None:
    """The public part of an event; none if a new order differs only for unknown combatants."""
    redacted = e.without(event, unknown)
    if isinstance(redacted, e.OrderSet) and event != e.OrderSet(before.order, redacted.why):
        seen = tuple(who for who in before.order if who not in unknown)
        return None if seen == redacted.order else redacted
    return redacted


class Then(partial["Then | None"]):
    """The next step of a procedure, and what it is called with. Odds merge equal states between steps.

    A step with independent parts has them in `apart`. A partial is made without a call of a Python function.
    """

    __slots__ = ()

    @property
    def step(self) -> Callable[..., Then | None]:
        """The function of the step; the context comes before its `args`."""
        return self.func

    @property
    def apart(self) -> Apart | None:
        """The independent parts of the step, if it has any."""
        return self.keywords.get("apart")


class Apart:
    """A step in parts: one for `each` combatant who affects nobody else, by id, and the `rest`.

    The step of each looks at no other combatant; the rest, and all that follows, looks at none of these. So
    odds add up each one's results instead of combining all their outcomes. A combatant without a step is
    done. Without a `rest` nothing follows.
    """

    __slots__ = ("each", "rest")

    def __init__(self, each: Mapping[str, Then | None], rest: Then | None) -> None:
        self.each = each
        self.rest = rest


class Again(Then):
    """The same step again, because dice that decide nothing are rolled again.

    Odds count only the rolls that decide.
    """

    __slots__ = ()


class StartOver(BaseException):
    """A command has to be run again from its start with the answers so far: one of them changes a roll."""


class Defend(Then):
    """The next step after a check that succeeded: its target may ward it off.

    The chance that a page tells in a word is that after this step. Until then the attack "would hit".
    """

    __slots__ = ()


class RuleContext:
    """One run of one command over a state, with the answers so far.

    `actor`, `target` and `targets` are those of the command. `state` follows every event emitted; `facts` and
    `answers` are the results of the run. Without `trades`, one part of the turn does not pay for another.
    While there is a `retell`, checks are told as it says; while a roll `counts_sums`, odds tell all its sums
    apart.
    """

    def __init__(
        self,
        system: Rules,
        state: State,
        driver: Driver,
        answers: tuple[Answer, ...] = (),
        trades: bool = True,
        actor: str = "",
        target: str = "",
        targets: tuple[str, ...] = (),
    ) -> None:
        self.actor = actor
        self.target = target
        self._targets = targets
        self.system = system
        self.state = state
        self.driver = driver
        self.trades = trades
        self.overruled: OverruledRolls | None = None
        self.retell: Retell | None = None
        self.counts_sums = False
        self.recorded = {(a.kind, a.rule, a.who, a.ordinal): a for a in answers} if answers else {}
        self.answers: list[Answer] = []
        self.facts: list[e.Fact] = []
        self._tells = getattr(driver, "tells", True)
        self._throws = self._takes_default = None
        if not (self._tells or answers):
            self._throws = getattr(driver, "throw", None)
            self._takes_default = getattr(driver, "takes_default", None)
        self._known: tuple[State, frozenset[str]] | None = None
        self._asked: dict[tuple[str, str, str], int] = {}
        self._thrown: dict[luck.RollKey, luck.Thrown] = {}
        self._lucky: dict[Roll, luck.Lucky] = {}
        self._settled: set[tuple[str, int]] = set()  # rolls whose player has answered about luck

    def option(self, key: str) -> Any:
        """A table option of the encounter, or the system's default."""
        return self.system.option(self.state, key)

    def follows(self, change: str) -> bool:
        """Whether a change of the rules, by its key in versions.toml, holds in this fight."""
        return self.system.follows(self.state, change)

    def roll(
        self,
        dice: str,
        *,
        by: str,
        rule: str,
        why: Label,
        look: str = "sum",
        cuts: Sums = (),
        equal_states: Groups = (),
        namesakes: Groups = (),
        verdict: Sums = (),
        series: str = "",
    ) -> Roll:
        """Roll dice for a combatant. `look` is "faces" if single dice matter, "set" if their order does not.

        `cuts` names every sum of faces from which on the rule changes; instead, `equal_states` are groups of
        sums with the same result, `namesakes` those with the same result for another combatant of the same
        kind. `verdict` are those of the cuts that decide the check which tells this roll: odds that end with
        that check need no others. Expensive values can be functions. `series` numbers free dice apart.
        """
        if self._throws is not None:  # nobody has to answer, and no answer is stored
            faces = self._throws(dice)
            return Roll(dice, faces, sum(faces) + parse_dice(dice).plus, "app", by=by, rule=rule, why=why)
        series = "+".join(filter(None, (series, self._find_series(by))))
        ordinal = self._count("roll", rule, by)
        answer = self.recorded.get(("roll", rule, by, ordinal)) if self.recorded else None
        if answer:
            self.answers.append(answer)
        else:
            if verdict and getattr(self.driver, "brief", False):
                cuts = verdict
            sums = () if self.counts_sums else cuts() if callable(cuts) else cuts
            alike = equal_states() if callable(equal_states) else equal_states
            same = namesakes() if callable(namesakes) else namesakes
            asked = RollRequest(rule, by, ordinal, dice, why=why, look=look, cuts=sums, series=series)
            answer = self._answer(replace(asked, equal_states=alike, namesakes=same))
        check_faces(dice, answer.faces)
        if answer.dice not in ("", dice):
            raise Drift(f"{rule} asks for {dice}, and {answer.dice} were rolled")
        if answer.number and self._tells and answer.series != series:  # odds have no secret rolls
            raise Drift(f"a roll by {rule} is numbered in the wrong series")
        total = sum(answer.faces) + parse_dice(dice).plus
        rolled = Roll(dice, answer.faces, total, answer.source, by=by, rule=rule, why=why)
        roll = replace(rolled, number=answer.number, series=answer.series)
        if self._tells and self.state.phase == "fight":
            roll, ordinal = self._count_luck(roll, ordinal, look)
        return self._count_overruled(roll, ordinal) if self.overruled else roll

    def _count_overruled(self, roll: Roll, ordinal: int) -> Roll:
        """The roll as the GM lets it count: of one that they overruled, no point of luck is asked for."""
        counted = self.overruled.count(roll, ordinal) if self.overruled else roll
        if counted is not roll:
            self._thrown.pop(luck.name_roll(roll), None)
        return counted

    def _count_luck(self, roll: Roll, ordinal: int, look: str) -> tuple[Roll, int]:
        """The roll as its player's point of luck lets it count, with its ordinal; the same without one."""
        roller = self.state.combatants.get(roll.by)
        if roller is None or not luck.has_points(roller):
            return roll, ordinal
        place = self._count("luck", "", roll.by)
        self._thrown[luck.name_roll(roll)] = luck.Thrown(place, look == "sum")
        said = self.recorded.get(("choice", luck.RULE, roll.by, place)) if self.recorded else None
        if said is None:
            return roll, ordinal
        self.answers.append(said)
        self._settled.add((roll.by, place))
        if said.value == luck.KEEP:
            return roll, ordinal
        points = luck.read_answer(self.system, self.state, roll, said.value)
        to = e.for_own_player(self.state, roller) if roll.series else ""
        self.emit(e.Marked(roll.by, luck.SPENT, int(roller.marks.get(luck.SPENT) or 0) + 1))
        self.emit(luck.say_spent(roll, points), to=to)
        if points:
            counted = replace(roll, total=roll.total + points)
            self._lucky[counted] = luck.Lucky(roll, points)
            return counted, ordinal
        second = self._roll_again(roll, ordinal + luck.SECOND, look)
        self._thrown[luck.name_roll(second)] = luck.Thrown(place, look == "sum")
        return second, ordinal + luck.SECOND

    def _roll_again(self, roll: Roll, ordinal: int, look: str) -> Roll:
        """The same dice a second time."""
        request = RollRequest(
            roll.rule, roll.by, ordinal, roll.dice, why=roll.why, look=look, series=roll.series
        )
        answer = self._answer(request)
        check_faces(roll.dice, answer.faces)
        if answer.dice not in ("", roll.dice) or (answer.number and answer.series != roll.series):
            raise Drift(f"{roll.rule} asks for {roll.dice} again, and other dice were rolled")
        total = sum(answer.faces) + parse_dice(roll.dice).plus
        return replace(roll, faces=answer.faces, total=total, source=answer.source, number=answer.number)

    def _offer_luck(self, check: e.Checked, to: str, shows_number: bool) -> None:
        """Ask the player of a failed check for a point of luck; a spent one runs the command again.

        Of a check for the GM alone nobody is told that it failed.
        """
        if not self._thrown or to == e.GM_ONLY or not luck.can_matter(check):
            return
        thrown = self._thrown.get(luck.name_roll(check.roll))
        if thrown is None or (check.who, thrown.place) in self._settled:
            return
        left = luck.count_left(self.system, self.state, self.state.combatants.get(check.who))
        if not left:
            return
        asked = luck.ask(self.system, self.state, check, thrown, left, shows_number=shows_number)
        self._settled.add((check.who, thrown.place))
        if self._choice(asked) != luck.KEEP:
            raise StartOver

    def predict_rolls(self, dice: str, who: Iterable[str], *, rule: str, why: Label) -> None:
        """Announce that several people roll the same dice next.

        The page asks for all their real dice together instead of one after another. If the app rolls, nothing
        happens: each roll stays its own branch of the odds.
        """
        if not self.recorded and not getattr(self.driver, "gathers", False):
            return
        next_of = {one: self._asked.get(("roll", rule, one), 0) + 1 for one in who}
        asked = [
            RollRequest(rule, one, ordinal, dice, why=why, series=self._find_series(one))
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
        """Let the person behind a combatant, or the GM, choose; returns the chosen value.

        The people behind the combatants `also` can choose too: the first answer counts for all. Expensive
        options can be a function; if there are none, nobody is asked and the result is the default.
        """
        if self._takes_default is not None and self._takes_default(self, who, rule):
            return default
        options = options() if callable(options) else options
        if not options:
            return default
        request = self._question(who, question, options, rule, default=default, also=also)
        return self._choice(request)

    def split(
        self,
        who: str,
        question: str,
        total: int,
        places: tuple[AllocationSlot, ...] | Callable[[], tuple[AllocationSlot, ...]],
        *,
        rule: str,
        default: Mapping[str, int],
    ) -> dict[str, int]:
        """Let a person or the GM divide points among places; returns the points of each place.

        Points beyond what the places hold are dropped. If there is only one way, nobody is asked. Points of
        the default that do not fit are dropped.
        """
        if self._takes_default is not None and self._takes_default(self, who, rule):
            return dict(default)
        split = make_split(total, places() if callable(places) else places)
        if is_forced(split):
            return fill(split)
        given = write_split(split, check_split(split, default))
        ordinal = self._count("choice", rule, who)
        request = ChoiceRequest(rule, who, ordinal, question, options=(), default=given, split=split)
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
        """Ask several people the same question at once; returns each one's choice."""
        requests = [self._question(one, question, options, rule, default=default) for one in who]
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

    def emit(self, event: e.Event, rule: str = "", to: str = "", redacted: e.Event | None = None) -> None:
        """Add a fact.

        Without `to`, it goes to those who may know of all people in it; what everyone may know of it becomes
        the redacted event.
        """
        if self.retell and isinstance(event, e.Checked):
            event, redacted = self.retell(event)
            to = e.GM_ONLY if redacted else to
        if not self._tells:
            self.state = fold(self.state, event)
            self.facts.append(e.Fact(event, rule))
            if isinstance(event, e.Checked):
                self._use_up_help(event)
            return
        if (self.overruled or self._lucky) and isinstance(event, e.Checked):
            event, redacted = self._tell_changed(event, to, redacted)
        if is_secret(self.state, event):
            to = e.GM_ONLY
        unknown, before, self.state = self.unknown, self.state, fold(self.state, event)
        hidden = unknown | self.unknown
        if to in ("", e.EVERYONE):
            found, redacted = self._find_audience(before, event, redacted, hidden)
            to = found or to
        elif redacted is not None and not hidden.isdisjoint(e.subjects_of(redacted)):
            to, redacted = (
                self._find_audience(before, event, None, hidden)[0] or to,
                e.without(redacted, hidden),
            )
        fact = e.Fact(event, rule, to or e.EVERYONE, redacted)
        if isinstance(event, e.TrackChanged) and to != e.EVERYONE:
            fact = self._obscure_health(fact)
        self.facts.append(self._mask_names(fact))
        if isinstance(event, e.Checked):
            self._use_up_help(event)
            self._offer_luck(event, fact.to, shows_number=redacted is None)

    def _tell_changed(
        self, event: e.Checked, to: str, redacted: e.Event | None
    ) -> tuple[e.Event, e.Event | None]:
        """A check and its redacted event with what the GM, or luck, made of its roll."""
        told: e.Event = event
        if self.overruled:
            told, redacted = self._tell_overruled(event, to, redacted)
        return self._tell_luck(told, redacted) if isinstance(told, e.Checked) else (told, redacted)

    def _tell_luck(self, event: e.Checked, redacted: e.Event | None) -> tuple[e.Checked, e.Event | None]:
        """A check and its redacted event with the points of luck as a term beside the dice that fell."""
        found = self._lucky.get(event.roll)
        if found is None:
            return event, redacted
        if isinstance(redacted, e.Checked) and redacted.roll == event.roll:
            redacted = luck.tell(redacted, found)
        return luck.tell(event, found), redacted

    def _use_up_help(self, check: e.Checked) -> None:
        """End a bonus on someone's next roll as soon as it has counted in one."""
        roller = self.state.combatants.get(check.who)
        held = find_condition(roller, NEXT_ROLL) if roller and roller.conditions else None
        if held is None:
            return
        if any(map(is_help, (*check.modifiers, *check.against_terms))):
            self.emit(e.ConditionEnded(check.who, held.id, held.label, "why.used"), held.rule)

    def _tell_overruled(
        self, event: e.Checked, to: str, redacted: e.Event | None
    ) -> tuple[e.Event, e.Event | None]:
        """A check and its redacted event as they are told; a sentence on the overruled roll comes first."""
        found = self.overruled.tell(event) if self.overruled else None
        if found is None:
            return event, redacted
        self.emit(found[0], to="" if redacted else to)
        return found[1], without_points(redacted, found[1]) if isinstance(redacted, e.Checked) else redacted

    @property
    def unknown(self) -> frozenset[str]:
        """The combatants that some players do not know of now, including those who left."""
        known = self._known
        if known is not None and known[0] is self.state:
            return known[1]
        if known is None or not is_seen_alike(known[0], self.state):
            known = self.state, self.system.find_unknown(self.state)
        self._known = self.state, known[1]
        return known[1]

    def _find_audience(
        self, before: State, event: e.Event, redacted: e.Event | None, unknown: frozenset[str]
    ) -> tuple[str, e.Event | None]:
        """The audience of an event and its redacted event; "" if everyone may know all of it.

        `unknown` are the combatants that some players do not know of, before or after the event. A move into
        or out of sight is known to those who see both ends; hiding and revealing to those who see either.
        """
        people = unknown and unknown.intersection(e.subjects_of(event))
        if not people:
            return "", redacted
        was, now = (self.system.find_witnesses(state, people) for state in (before, self.state))
        if isinstance(event, e.HiddenSet):
            knowing = None if was is None or now is None else was | now
        else:
            knowing = was if now is None else now if was is None else was & now
        if knowing is None:
            return "", redacted
        to = e.for_seats(sorted(knowing)) if knowing else e.GM_ONLY
        if was is None and isinstance(event, e.Moved):
            return to, e.Said("log.out_of_sight", event.who)
        return to, redacted or _find_redacted(before, event, unknown)

    def _mask_names(self, fact: e.Fact) -> e.Fact:
        """The fact as it is stored: public words hold no name or id of an unknown combatant."""
        shown = fact.event if fact.to == e.EVERYONE else fact.redacted
        if not (self.unknown or find_secret_conditions(self.state)):
            return fact
        if (
            shown is None and fact.redacted is None and e.seats_of(fact.to)
        ):  # their players know everyone in it
            plain = without_names(fact.event, SecretNames((), things=find_secret_conditions(self.state)))
            return (
                fact
                if plain is fact.event
                else replace(fact, to=e.GM_ONLY, redacted=plain, redacted_to=fact.to)
            )
        if shown is None or not fact.is_public:
            return fact
        plain = without_names(shown, self._hidden_names())
        if plain is shown:
            return fact
        to = e.GM_ONLY if fact.to == e.EVERYONE else fact.to
        return e.Fact(fact.event, fact.rule, to, plain)

    def _hidden_names(self) -> SecretNames:
        """A finder of the names that only unknown combatants have."""
        people, unknown = self.state.combatants, self.unknown
        shown = (combatant.name for who, combatant in people.items() if who not in unknown)
        hidden = (people[who].name for who in unknown)
        return SecretNames(hidden, shown, unknown, find_secret_conditions(self.state))

    def find_health_audience(self, who: str, event: e.Event) -> str:
        """The audience of an event with the numbers of someone's health, by the table's option.

        Those aboard a vehicle know its numbers, and someone whom the GM gave an NPC knows those of the NPC;
        but they do not read of combatants that some players do not know of.
        """
        people, unknown = self.state.combatants, self.unknown
        if who not in people or people[who].pc or self.option("foe_health") == "number":
            return e.EVERYONE
        aboard = [one.id for one in people.values() if one.inside == who and not one.gone]
        if is_played(self.state, people[who]):
            aboard.append(who)
        known = [one for one in aboard if one not in unknown]
        tells = not unknown.isdisjoint(e.subjects_of(event)) or (
            unknown and without_names(event, self._hidden_names()) is not event
        )
        return e.GM_ONLY if tells or not known else e.for_seats(known)

    def _obscure_health(self, fact: e.Fact) -> e.Fact:
        """A changed number for those who may read it; others see only that it changed.

        The redacted event is for everyone, or for those who alone know of everyone in it.
        """
        event = fact.redacted or fact.event
        if not isinstance(event, e.TrackChanged) or (fact.redacted is None and fact.to == e.GM_ONLY):
            return fact
        to = self.find_health_audience(event.who, fact.event)
        if to == e.EVERYONE:
            return fact
        redacted, is_public = self._hide_points(event), bool(fact.redacted) or fact.to == e.EVERYONE
        return e.Fact(
            fact.event,
            fact.rule,
            to,
            redacted,
            redacted_to=UNSET if is_public or redacted is None else fact.to,
        )

    def _hide_points(self, event: e.TrackChanged) -> e.TrackChanged | None:
        """A changed number by the table's option for health.

        A word tells the new state, a bar that it got worse or better, nothing tells neither. Neither shows
        the points, nor what armor absorbed. The dice stay public: everyone sees them, and reads the same
        number beside them.
        """
        shown = self.option("foe_health")
        if shown == "nothing":
            return None
        combatant = self.state[event.who]
        word: Label = self.system.say_health(combatant, event.track) if shown == "word" else e.UNTOLD
        way = (event.new > event.old) - (event.new < event.old)
        return replace(event, old=0, new=way, terms=event.dealt_terms, word=word)

    def _find_series(self, by: str) -> str:
        """The secret series of a roll: the ids of the roller and target that not everyone sees."""
        if not self._tells:
            return ""
        people = {by, self.target} if by == self.actor else {by}
        targets = {target for target in (self.target, *self._targets) if target}
        if by not in self.state.combatants and targets <= self.unknown:
            people |= targets  # the GM rolls effects that only touch unseen combatants
        return "+".join(sorted(self.unknown & people))

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
        return ChoiceRequest(rule, who, ordinal, question, options=options, default=default, also=also)

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
        """Raise Drift if a recorded answer has no question: today's rules ask differently."""
        if not self.recorded:
            return
        used = {key_of(answer) for answer in self.answers}
        left = [key for key in self.recorded if key not in used]
        if left:
            kind, rule, who, _ = left[0]
            raise Drift(f"nothing asks for the {kind} of {rule} by {who}; {len(left)} answers are left over")


# A roll that the GM overrules: it counts with the points that change its verdict.


class Overruling(msgspec.Struct, frozen=True, omit_defaults=True):
    """One overruled roll of a command.

    `rule`, `who` and `ordinal` name it as its answer does. `points` are added to its total; 0 lets it count
    as it fell. `outcome` is the key of its new verdict.
    """

    rule: str
    who: str
    ordinal: int
    points: int = 0
    outcome: str = ""

    @property
    def key(self) -> tuple[str, str, int]:
        """The name of the roll in its command."""
        return self.rule, self.who, self.ordinal


class OverruledRolls:
    """The overruled rolls of one run of a command: changes each roll, and tells so beside its check."""

    def __init__(self, overruled: Iterable[Overruling] = ()) -> None:
        self.left = {one.key: one for one in overruled}
        self.rolled: dict[Roll, tuple[Roll, Overruling]] = {}

    def count(self, roll: Roll, ordinal: int) -> Roll:
        """The roll as it counts: with the GM's points, if it is overruled."""
        found = self.left.pop((roll.rule, roll.by, ordinal), None)
        if found is None:
            return roll
        counted = msgspec.structs.replace(roll, total=roll.total + found.points)
        self.rolled[counted] = roll, found
        return counted

    def tell(self, check: e.Checked) -> tuple[e.Said, e.Checked] | None:
        """A sentence about an overruled check, and the check with the GM's points; None for others."""
        roll, found = self.rolled.pop(check.roll, (None, None))
        if roll is None or found is None:
            return None
        said = e.Said(
            OVERRULED[not found.points],
            check.who,
            check.target,
            {"what": check.what, "outcome": found.outcome},
        )
        if not found.points:
            return said, check
        terms = (*check.modifiers, Modifier("term.overruled", found.points))
        return said, msgspec.structs.replace(check, roll=roll, modifiers=terms)


def without_points(check: e.Checked, told: e.Checked) -> e.Checked:
    """The redacted event of an overruled check: the points would give its secret number away."""
    if check.against is not None:
        return msgspec.structs.replace(check, roll=told.roll, modifiers=told.modifiers)
    points = told.modifiers[-1].value if told.roll != check.roll else 0
    return msgspec.structs.replace(check, roll=told.roll, total=check.total - points)
