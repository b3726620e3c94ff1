"""An encounter as one JSON document, its verified replay, and how that differs."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import zip_longest
from typing import Annotated, Any

import msgspec

from ..basics.data import as_plain, convert
from ..basics.errors import Drift, Refused
from ..basics.release import PATTERN, PROGRAM, RELEASE, name_replay
from ..commands.commands import read_command
from ..declaration.system import System
from ..space import Scene
from ..state.events import CombatantJoined, Fact, PlayersSet, Said, SheetSet
from ..state.history import (
    ANY_TIME,
    CANCEL,
    COMMAND,
    REDO,
    SEAL,
    SEATS,
    UNDO,
    StateTimeline,
    Step,
    find_replaced,
    make_seating,
)
from ..state.state import Combatant, Scalar, State
from ..wording import describe_facts
from .engine import Done, ReplayDriver, find_action, run
from .proof import DiceCheck, Proof, Seal

FORMAT, VERSION = "cosmos-table-encounter", 1
MAX_LETTERS = 300  # of a message about a document: it may quote the document
NO_DOCUMENT = "Not an encounter document: export one from the log, as its GM."
# Errors from rules on a state that no rule could have made
_CORRUPT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError)
MAX_QUOTED = 80  # characters of a line or a value
NOTHING = "nothing"
MOVE = "move_rules"  # the action that moves a fight to a newer version of the rules
# Fields of facts that hold words: a changed wording does not count
WORDS = frozenset(("label", "ends", "why", "what", "how", "against_label", "word"))
# Errors from drawing facts that no rule could have made
UNREADABLE = (LookupError, TypeError, ValueError, AttributeError)
Difference = tuple[str, Any, Any]


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An exported encounter. `options`, `rules`, `scene` and `combatants` are those of the final state.

    `rules` is the version of the game's rules that played it, `release` that of the `program` that wrote its
    last step. `tags` are the words that its GM finds it by. `notes` are the GM's texts in Markdown on the
    "encounter", the "scene", or a combatant by its id.
    """

    format: str = FORMAT
    version: int = VERSION
    program: str = PROGRAM
    release: Annotated[str, msgspec.Meta(pattern=PATTERN)] = RELEASE
    name: str = ""
    tags: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    notes: dict[str, Annotated[str, msgspec.Meta(max_length=10_000)]] | msgspec.UnsetType = msgspec.UNSET
    system: str
    rules: int = 1
    options: dict[str, Scalar] = {}
    scene: Scene = Scene()
    combatants: tuple[Combatant, ...] = ()
    start: State
    steps: tuple[Step, ...] = ()
    final: State


class Verdict(msgspec.Struct, frozen=True):
    """The result of a replay: how many steps matched, and what is wrong with the first that did not.

    `cancelled` steps were called off: only their dice were checked. The first `earlier` steps are by rules
    that are not played here: of their actions only the dice were checked. `elsewhere` says what verifies
    them, or a fight by newer rules: none of its steps was played. `release` wrote what does not match.
    """

    ok: bool
    steps: int
    failed: int = 0
    message: str = ""
    state: State | None = None
    dice: Proof = Proof()
    seals: tuple[Seal, ...] = ()
    cancelled: int = 0
    earlier: int = 0
    elsewhere: str = ""
    release: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether everything was verified here."""
        return self.ok and not self.elsewhere

    @property
    def summary(self) -> str:
        """The result in a sentence: what replayed, what did not, and what differs."""
        if not self.ok and not self.elsewhere:
            where = f"Step {self.failed} does not match" if self.failed else "It does not match"
            return f"{where} when played again: {self.message}.{self._name_release()}"
        if self.earlier:
            return f"{self.elsewhere} {self._count_later()}".rstrip()
        if self.elsewhere:
            return self.elsewhere
        if self.steps < 2 and not self.cancelled:
            return "The only step matches when played again." if self.steps else "There are no steps yet."
        if not self.cancelled:
            return f"All {self.steps} steps match when played again."
        one = self.cancelled == 1
        called_off = "1 canceled action was" if one else f"{self.cancelled} canceled actions were"
        rest = f"{called_off} not played again: only {'its' if one else 'their'} dice were checked."
        return f"{self.steps - self.cancelled} of {self.steps} steps match when played again. {rest}"

    def _name_release(self) -> str:
        """Which release wrote what does not match, and how to ask it."""
        if self.release in ("", RELEASE):
            return f" Release {RELEASE}, this one, wrote it." if self.release else ""
        return f" Release {self.release} wrote it: `{name_replay(self.release)}` verifies it there."

    def _count_later(self) -> str:
        """What is said of the steps after those by earlier rules."""
        later = self.steps - self.earlier - self.cancelled
        if later <= 0:
            return ""
        return "The step since matches." if later == 1 else f"The {later} steps since match."


def make_document(
    name: str, start: State, steps: tuple[Step, ...], final: State, tags: Iterable[str] = ()
) -> Document:
    """The document of an encounter."""
    combatants = tuple(f for f in final.combatants.values() if not f.gone)
    return Document(
        release=steps[-1].release if steps else RELEASE,
        name=name,
        tags=tuple(tags) or msgspec.UNSET,
        system=final.system,
        rules=final.rules,
        options=final.options,
        scene=final.scene,
        combatants=combatants,
        start=start,
        steps=steps,
        final=final,
    )


def write_document(document: Document) -> bytes:
    """Readable JSON bytes."""
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def read_document(raw: bytes, find_system: Callable[[str], System] | None = None) -> Document:
    """Read and validate a document; Refused("bad_value") says what is wrong and where.

    A document by rules newer than those of the systems here is refused for that reason.
    """
    try:
        plain = msgspec.json.decode(raw.removeprefix(BOM_UTF8))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        plain = None
    if not isinstance(plain, dict):
        raise Refused("bad_value", NO_DOCUMENT)
    _check_format(plain)
    _check_rules(plain, find_system)
    try:
        return convert(plain, Document)
    except (msgspec.ValidationError, RecursionError) as wrong:
        raise Refused("bad_value", f"Not an encounter document: {str(wrong)[:MAX_LETTERS]}") from None


def _check_format(plain: dict[str, Any]) -> None:
    """Refuse a file of another kind, or of an unknown version."""
    if not plain.keys() & {"format", "system", "steps"}:
        raise Refused("bad_value", NO_DOCUMENT)
    name, version = plain.get("format", FORMAT), plain.get("version", VERSION)
    if name != FORMAT:
        said = f"This is a file of {str(name)[:40]}, not of {FORMAT}: the GM exports one from the log."
        raise Refused("bad_value", said)
    if type(version) is not int or version != VERSION:
        said = f"Version {str(version)[:10]} of {FORMAT} is unknown here: only version {VERSION} is read."
        raise Refused("bad_value", said)


def _check_rules(plain: dict[str, Any], find_system: Callable[[str], System] | None) -> None:
    """Refuse newer rules before reading anything else: the rest may be unknown here."""
    slug, rules = plain.get("system"), plain.get("rules")
    if find_system and isinstance(slug, str) and type(rules) is int:
        system = find_system(slug)
        if rules > system.versions.newest:
            raise Refused("not_allowed", _tell_elsewhere(system, rules, plain.get("release")))


def _tell_elsewhere(system: System, rules: int, release: object) -> str:
    """What verifies a fight by rules unknown here: the release that wrote it."""
    verifier = name_replay(release)
    return f"Version {rules} of {_name_rules(system)} is unknown here: `{verifier}` verifies it."


def _name_rules(system: System) -> str:
    """The rules of a game in words: its name and “rules”, once."""
    return f"the {system.name.removesuffix(' rules')} rules"


def _tell_earlier(system: System, steps: tuple[Step, ...], rules: int, is_all: bool) -> str:
    """What verifies the first steps of a fight, by rules not played here: the release that played them."""
    release = steps[-1].release
    span = "Step 1 was" if len(steps) == 1 else f"Steps 1–{len(steps)} were"
    said = f"{span} played by release {release}, by version {rules} of {_name_rules(system)}"
    if is_all:
        return f"{said}: `{name_replay(release)}` verifies {'it' if len(steps) == 1 else 'them'}."
    return (
        f"{said}. `{PROGRAM} replay FILE --earlier PART` writes them into a file of their own, which "
        f"`{name_replay(release).removesuffix('FILE')}PART` verifies."
    )


def find_earlier(document: Document, system: System) -> Document | None:
    """The first part of a fight, by rules no longer played here, as the release that played it reads it."""
    course, part = StateTimeline(document.start), 0
    states = [course.state]
    for number, step in enumerate(document.steps, 1):
        part = number if _is_earlier(system, course.state, step) else part
        states.append(course.follow(step))
    if not part:
        return None
    return make_document(document.name, document.start, document.steps[:part], states[part])


def _is_earlier(system: System, state: State, step: Step) -> bool:
    """Whether rules that are not played here decided over a step; what is possible at any time has none."""
    is_played = step.kind == COMMAND and step.name not in (MOVE, *ANY_TIME)
    return is_played and not system.versions.knows(state.rules)


def replay(
    document: Document, find_system: Callable[[str], System], give_up: Callable[[], bool] = lambda: False
) -> Verdict:
    """Run every command again with its recorded answers and compare all facts and states.

    A cancelled command never ended and does not run: the rules may have changed while it was open. Nor does
    one by rules that are not played here any more: the verdict names the release that verifies it.
    `give_up` is called before each step; Refused("busy") once it returns True.
    """
    system, course, dice = (
        find_system(document.system),
        StateTimeline(document.start),
        DiceCheck(document.steps),
    )
    for state in (document.start, document.final):
        if state.rules > system.versions.newest:
            newer = _tell_elsewhere(system, state.rules, document.release)
            return Verdict(False, 0, state=document.final, elsewhere=newer)
    earlier = rules = 0
    for number, step in enumerate(document.steps, 1):
        if give_up():
            raise Refused("busy", f"Playing it again takes too long: step {number} was reached.")
        before = course.state
        problem = dice.find_problem(step, before) or _replay_step(system, course, step, document.steps)
        if step.number != number:
            problem = f"the step after {number - 1} calls itself {step.number}"
        problem = problem or _follow(course, step)
        if problem:
            release = step.release
            return Verdict(False, number - 1, number, message=problem, state=before, release=release)
        if _is_earlier(system, before, step):
            earlier, rules = number, before.rules
    state, count = course.state, len(document.steps)
    if problem := _find_wrong_end(document, state):
        return Verdict(False, count, 0, message=problem, state=state, release=document.release)
    after = document.steps[earlier:]
    told = _tell_earlier(system, document.steps[:earlier], rules, not after) if earlier else ""
    return Verdict(
        True,
        count,
        state=state,
        dice=dice.proof,
        seals=tuple(dice.seals),
        cancelled=sum(step.kind == CANCEL for step in after),
        earlier=earlier,
        elsewhere=told,
    )


def _follow(course: StateTimeline, step: Step) -> str:
    """Go on by a step; what is wrong with it if nobody can."""
    try:
        course.follow(step)
    except _CORRUPT:
        return f"{step.name or step.kind} cannot be followed: the record of the step is damaged"
    return ""


def _find_wrong_end(document: Document, state: State) -> str:
    """What a document says wrongly of the state that its steps lead to; empty if nothing."""
    if state != document.final:
        return "the final state differs"
    summary = make_document(document.name, document.start, document.steps, document.final)
    if msgspec.structs.replace(summary, tags=document.tags, notes=document.notes) != document:
        return "the summary is not that of the final state"
    return ""


def _replay_step(system: System, course: StateTimeline, step: Step, steps: tuple[Step, ...]) -> str:
    """What is wrong with the next step of a course; empty if nothing is."""
    line = course.line
    if step.kind == UNDO:
        fits = bool(line.live) and line.live[-1] == step.target
        return "" if fits else "the undo does not strike the last live step"
    if step.kind == REDO:
        last = line.undone[0] if line.undone else 0
        fits = bool(last) and step.target in (last, find_replaced(steps, last))
        return "" if fits else "the redo does not restore the last undone step"
    if step.kind == COMMAND and step.target and not _is_again(step, line.live, steps):
        return f"{step.name} does a step again that was not undone for it"
    if _is_earlier(system, course.state, step):
        return ""
    if step.kind == COMMAND:
        return _run_again(system, course.state, step)
    if step.kind == SEATS:
        told = [fact.event.people for fact in step.facts if isinstance(fact.event, PlayersSet)]
        wanted = [make_seating(step.number, people).facts for people in told]
        return (
            "" if wanted == [step.facts] else "the step of the seats says something else than who is played"
        )
    return "" if step.kind in (CANCEL, SEAL) else f"there are no steps of the kind “{step.kind}”"


def _is_again(step: Step, live: tuple[int, ...], steps: tuple[Step, ...]) -> bool:
    """Whether a command may do its target again: an undone one, after an overruled roll."""
    if not live or not 0 < step.target < step.number or step.target in live:
        return False
    last, older = steps[live[-1] - 1], steps[step.target - 1]
    is_same = (older.kind, older.name, older.command) == (COMMAND, step.name, step.command)
    return is_same and bool(last.target or last.command.get("overruled"))


def _run_again(system: System, state: State, step: Step) -> str:
    try:
        action = find_action(system, step.name)
        command = read_command(action, step.command)
        result = run(system, state, action, command=command, driver=ReplayDriver(), answers=step.answers)
    except (Refused, Drift) as problem:
        return f"{step.name}: {problem}"
    except _CORRUPT:
        return f"{step.name} cannot be played: the record of the step is damaged"
    if not isinstance(result, Done):
        return f"{step.name} asks for more than was recorded"
    if set(result.answers) != set(step.answers):
        return f"{step.name} holds an answer twice"
    if not are_alike(system, result.facts, step.facts):
        difference = describe_difference(system, state, result.facts, step.facts)
        return f"{step.name} comes out differently: {difference}"
    return ""


def are_alike(system: System, by_rules: tuple[Fact, ...], in_file: tuple[Fact, ...]) -> bool:
    """Whether facts by the rules are those of a file, which may be from before a sheet had all its fields."""
    if by_rules == in_file:
        return True
    defaults = _find_defaults(system.characters.sheet)
    return by_rules == tuple(_fill_sheet(fact, defaults) for fact in in_file)


@cache
def _find_defaults(sheet: type) -> dict[str, Any]:
    """The values that the fields of a sheet have where it says nothing, as plain data."""
    found = {}
    for field in msgspec.structs.fields(sheet):
        if field.default_factory is not msgspec.NODEFAULT:
            found[field.encode_name] = field.default_factory()
        elif field.default not in (msgspec.NODEFAULT, msgspec.UNSET):
            found[field.encode_name] = field.default
    return as_plain(found)


def _fill_sheet(fact: Fact, defaults: dict[str, Any]) -> Fact:
    """A fact with the fields that its sheet lacks."""
    event = fact.event
    if isinstance(event, CombatantJoined):
        one = event.combatant
        filled = msgspec.structs.replace(one, sheet={**defaults, **one.sheet})
        return msgspec.structs.replace(fact, event=msgspec.structs.replace(event, combatant=filled))
    if isinstance(event, SheetSet):
        filled_event = msgspec.structs.replace(event, sheet={**defaults, **event.sheet})
        return msgspec.structs.replace(fact, event=filled_event)
    return fact


def describe_difference(
    system: System, state: State, by_rules: tuple[Fact, ...], in_file: tuple[Fact, ...]
) -> str:
    """The first difference beyond wording, in words; `state` is the one before those facts."""
    for now, then in zip_longest(by_rules, in_file):
        if now is None or then is None or any(_find_differences(now, then)):
            lines = _draw(system, state, now), _draw(system, state, then)
            if lines[0] != lines[1]:
                return f"the rules give {lines[0]}, the file has {lines[1]}"
            return _describe_field(now, then)
    return "only its wording differs"


def _describe_field(now: Fact | None, then: Fact | None) -> str:
    """The difference of two facts that read the same, by the name of the field."""
    if now is None or then is None or type(now.event) is not type(then.event):
        kinds = [type(fact.event).__name__ if fact else NOTHING for fact in (now, then)]
        return f"the rules give {kinds[0]}, the file has {kinds[1]}"
    field, wanted, found = next(_find_differences(now, then))
    values = [_quote(value) for value in (wanted, found)]
    return (
        f"{type(now.event).__name__} has another {field}: {values[0]} by the rules, {values[1]} in the file"
    )


def _find_differences(now: Fact, then: Fact) -> Iterator[Difference]:
    if not (isinstance(now.event, Said) and isinstance(then.event, Said)):
        yield from _compare(msgspec.to_builtins(now), msgspec.to_builtins(then), "part")


def _compare(now: Any, then: Any, name: str) -> Iterator[Difference]:
    """The fields in which two plain values differ, ignoring words; each with its name and both values."""
    if isinstance(now, dict) and isinstance(then, dict):
        for key in [*now, *(key for key in then if key not in now)]:
            if key not in WORDS:
                yield from _compare(now.get(key), then.get(key), key)
    elif isinstance(now, list | tuple) and isinstance(then, list | tuple) and len(now) == len(then):
        for one, other in zip(now, then, strict=True):
            yield from _compare(one, other, name)
    elif now != then:
        yield name, now, then


def _draw(system: System, state: State, fact: Fact | None) -> str:
    """A fact as the log words it, in quotation marks."""
    if fact is None:
        return NOTHING
    names = {who: combatant.name for who, combatant in state.combatants.items()}
    try:
        lines = describe_facts(system, (fact,), names)
    except UNREADABLE:
        return type(fact.event).__name__
    text = " ".join(line.text for line in lines)
    return f"“{_shorten(text)}”" if text else type(fact.event).__name__


def _quote(value: Any) -> str:
    """A value as a message shows it: as it stands in the file, or nothing."""
    if value in (None, "", [], {}, ()):
        return NOTHING
    return _shorten(value if isinstance(value, str) else msgspec.json.encode(value).decode())


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1].rstrip()}…"
