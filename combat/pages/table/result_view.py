"""The last roll as a card: dice, total against number, the outcome in a word, what changed.

A card says nothing that the log does not say to the same viewer: it is made from the facts they may see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple, TypeGuard

from msgspec.structs import replace

from combat.audience.viewer import Viewer
from combat.display.log_view import Names, mark_of, names_of, tell_step
from combat.display.shapes.result_shapes import Change, Face, ResultView, Rolled
from combat.display.shapes.table_shapes import CombatantView
from combat.models import StoredStep
from combat.play.writing.verification import read_step
from combat.rules.core.basics.dice.dice import Roll, parse_dice
from combat.rules.core.basics.modifiers import Modifiers, add_up
from combat.rules.core.basics.words import capitalized
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.overruling import find_verdicts
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.state import State, is_acting
from combat.rules.core.turn.turns import DEFERRED
from combat.rules.core.wording import Line, Pen, find_words, name_free_dice, tell_facts
from combat.sharing.viewer_context import ViewerContext

IDS = re.compile(r"\bf\d+\b")  # of combatants, also in the ids of their items
SHAPES = (4, 6, 8, 10, 12, 20, 100)  # the dice that have drawings; others are plain discs
MAX_CARDS = 8  # of steps that someone has not seen yet
CRITICAL, CRITICAL_TONE = "outcome.critical", "is-crit"
RANKS = ("is-plain", "is-miss", "is-hit", CRITICAL_TONE)
GAINS = e.ConditionGained | e.ConditionChanged
CHANGES = GAINS | e.TrackChanged | e.ConditionEnded | e.ItemLost
ROLLED = e.Checked | e.TrackChanged | e.DiceRolled


def view_results(
    context: ViewerContext,
    rows: Iterable[StoredStep],
    combatants: Mapping[str, CombatantView],
    seen: str = "",
) -> tuple[ResultView, ...]:
    """The card of the last action, or of all since the step `seen`, oldest first; none if it rolled nothing.

    `rows` are the newest steps, newest first. Without a roll, a turn that passes and a change by the GM keep
    the card before them.
    """
    rows = list(rows)
    keys = [mark_of(row, context.viewer) for row in rows] if seen else []
    if seen in keys:
        newer = list(find_cards(context, rows[: keys.index(seen)], combatants, MAX_CARDS))
        if len(newer) > 1:
            return tuple(reversed(newer))
    return tuple(find_cards(context, rows, combatants, 1))


def find_cards(
    context: ViewerContext, rows: Iterable[StoredStep], combatants: Mapping[str, CombatantView], most: int
) -> Iterator[ResultView]:
    """The cards of steps, newest first, until a combatant's action before them that rolled nothing."""
    found, rows, system = 0, list(rows), context.system
    last = find_overrulable(context, rows)
    for row in rows:
        if row.struck or row.kind != COMMAND:
            continue
        step, card = read_step(row), None
        if _may_roll(step):
            card = view_result(context, step, mark_of(row, context.viewer), combatants)
        if card:
            found += 1
            yield offer_overruling(system, step, card) if row is last else card
        if found == most or not (card or found or _keeps_card(system, row.name)):
            return


def _keeps_card(system: System, name: str) -> bool:
    """Whether a step that rolled nothing leaves the card before it: a passed turn, a change by the GM."""
    return name == system.actions.advance or name in GM_ACTIONS


def find_overrulable(context: ViewerContext, rows: Iterable[StoredStep]) -> StoredStep | None:
    """The last step that counts, if the GM can overrule its rolls now: in the fight, not in a branch."""
    if not context.viewer.is_gm or context.pending or context.known_state.phase != "fight":
        return None
    last = next((row for row in rows if row.kind == COMMAND and not row.struck), None)
    return last if last and last.pk else None  # the rows of a branch are not stored


def offer_overruling(system: System, step: Step, card: ResultView) -> ResultView:
    """The card of the GM with a way to overrule each verdict that a modifier may change."""
    checks = enumerate(find_verdicts(system, step.facts, step.answers))
    offers = {number: system.draw(check.label) for number, check in checks if check}
    main, *others = (
        replace(rolled, overrule=offers.get(rolled.number, "")) for rolled in (card.main, *card.others)
    )
    return replace(card, main=main, others=tuple(others))


def view_result(
    context: ViewerContext, step: Step, key: str, combatants: Mapping[str, CombatantView]
) -> ResultView | None:
    """The card of one step; None if the viewer may see no roll in it."""
    return make_result(context.system, context.viewer, context.known_state, step, key, combatants)


def make_result(
    system: System,
    viewer: Viewer,
    known: State,
    step: Step,
    key: str,
    combatants: Mapping[str, CombatantView],
) -> ResultView | None:
    """The card of a step, from what a viewer may know."""
    told = _find_told(system, viewer, step, tuple(names_of(known).items()))
    if told is None:
        return None
    main, *others = told.rolls
    changes = view_changes(told.changes, combatants)
    waits = any(is_deferred(event, known) for event in told.deferred)
    wait = _say_wait(known, step) if waits else ""
    item = find_item(known, step) if main.who else ""
    return ResultView(key, main, tuple(others), changes, told.lines, told.look, wait, item)


class _Changed(NamedTuple):
    """What the lines of a card say of one combatant, each with a kind, and whether harm came or not."""

    who: str
    words: tuple[tuple[str, str], ...]
    is_harmed: bool
    is_spared: bool


class _Told(NamedTuple):
    """What the card of a step shows, whatever rows the page has. The main roll comes first."""

    rolls: tuple[Rolled, ...]
    lines: tuple[Line, ...]
    look: str
    changes: tuple[_Changed, ...]
    deferred: tuple[e.Event, ...]


def _find_told(system: System, viewer: Viewer, step: Step, names: Names) -> _Told | None:
    """What the card of a step tells; None if the viewer may see no roll in it.

    `names` are those that the viewer may know.
    """
    facts, lines, look, *_ = tell_step(step, system.slug, viewer, names)
    pen = Pen(system, dict(names))
    rolls = list(view_rolls(pen, facts))
    if not rolls:
        return None
    if len({rolled.what for rolled in rolls}) == 1 and not any(rolled.verdict for rolled in rolls):
        rolls.sort(key=lambda rolled: -(rolled.total or 0))  # such as everybody's initiative
    at = find_main(rolls)
    deferred = tuple(fact.event for fact in step.facts if _is_deferring(fact.event))
    return _Told((rolls[at], *rolls[at + 1 :], *rolls[:at]), lines, look, tell_changes(pen, facts), deferred)


def find_item(known: State, step: Step) -> str:
    """The name of the weapon of a step, as far as a viewer knows it; empty if it is gone."""
    actor = known.combatants.get(str(step.command.get("actor", "")))
    weapon = step.command.get("weapon")
    return next((one.name for one in actor.items if one.id == weapon), "") if actor else ""


def _say_wait(known: State, step: Step) -> str:
    """For whom a step's deferred effects wait; empty once everybody has acted."""
    acting = [who for who in known.combatants if is_acting(known, who)]
    others = [who for who in acting if who != step.command.get("actor")] or acting
    names = " and ".join(known.combatants[who].name for who in others)
    return f"Applies after {names} act{'' if len(others) > 1 else 's'}." if others else ""


def is_deferred(event: e.Event, known: State) -> bool:
    """Whether an event is an effect that waits for all who act at the same time.

    It is not, for a viewer who does not know of someone in it.
    """
    if not _is_deferring(event):
        return False
    return known.combatants.keys() >= set(IDS.findall(f"{event.key} {event.value}"))


def _is_deferring(event: e.Event) -> TypeGuard[e.Marked]:
    return isinstance(event, e.Marked) and event.key.startswith(DEFERRED) and event.value is not None


def find_main(rolls: Sequence[Rolled]) -> int:
    """The place of a card's main roll: the first with an outcome, or the best of several attacks.

    The others follow, those after it first, such as its damage.
    """
    first = max(rolls, key=lambda rolled: bool(rolled.verdict))
    same = [n for n, rolled in enumerate(rolls) if (rolled.who, rolled.what) == (first.who, first.what)]
    return max(same, key=lambda n: (bool(rolls[n].verdict), RANKS.index(rolls[n].tone)))


def _may_roll(step: Step) -> bool:
    """Whether anybody may see a roll in a step."""
    for fact in step.facts:  # noqa: SIM110 - of every new step: a generator takes twice as long
        if isinstance(fact.event, ROLLED) or isinstance(fact.twin, ROLLED):
            return True
    return False


def view_rolls(pen: Pen, facts: Iterable[e.Fact]) -> Iterator[Rolled]:
    """The rolls in facts; a check has its number among the checks."""
    checks = count()
    for fact in facts:
        number = next(checks) if isinstance(fact.event, e.Checked) else -1
        if rolled := view_roll(pen, fact.event):
            yield replace(rolled, number=number)


def view_roll(pen: Pen, event: e.Event) -> Rolled | None:
    """The roll in an event: a check, or dice of damage or healing; None without one."""
    if isinstance(event, e.Checked):
        deed, words = say_deed(pen, event)
        return Rolled(
            who=pen.names.get(event.who, ""),
            what=pen.draw(event.what),
            target=pen.names.get(event.target, ""),
            faces=view_faces(event.roll),
            total=event.total,
            against=event.against,
            against_label=pen.draw(event.against_label),
            verdict="" if event.outcome == str(event.total) else pen.outcome(event),  # a number needs none
            tone=find_tone(event),
            source=event.roll.source,
            added=find_added(event.roll, event.modifiers, event.total),
            summed=_is_summed(event.roll),
            deed=deed,
            words=words,
        )
    if isinstance(event, e.DiceRolled):
        roll, deed = event.roll, pen.say(name_free_dice(event))
        made = Rolled("", roll.dice, "", view_faces(roll), roll.total, None, "", "", "is-plain", roll.source)
        return replace(made, added=roll.total - roll.natural, summed=True, deed=deed, words=deed)
    if isinstance(event, e.TrackChanged) and event.roll and event.roll.faces:
        roll = event.roll
        words = pen.draw(roll.why)
        added = event.dealt - roll.total if event.terms else None
        summed = _is_summed(roll)
        made = Rolled("", words, "", view_faces(roll), event.dealt, None, "", "", "is-plain", roll.source)
        return replace(made, added=added, summed=summed, deed=capitalized(words), words=words)
    return None


def say_deed(pen: Pen, check: e.Checked) -> tuple[str, str]:
    """A check as in the log, without its outcome: what is done, and that with its sum if it has a number."""
    deed, sums = find_words(pen, check)
    done = pen.say(deed)
    return done, done if check.against is None else pen.write("check_open", deed=deed, sums=sums)


def find_added(roll: Roll, modifiers: Modifiers, total: int) -> int | None:
    """The points that modifiers add to dice; None if they are hidden, or if the dice count another way."""
    added = add_up(modifiers)
    return added if modifiers and roll.total + added == total else None


def _is_summed(roll: Roll) -> bool:
    return sum(roll.faces) == roll.total


def find_tone(check: e.Checked) -> str:
    """The CSS class of an outcome: critical, good, or bad."""
    if check.outcome == CRITICAL:
        return CRITICAL_TONE
    return "is-hit" if check.good else "is-miss"


def view_faces(roll: Roll) -> tuple[Face, ...]:
    """The dice of a roll as drawn, in their order."""
    return view_dice(roll.dice, roll.faces)


def view_dice(dice: str, faces: tuple[int, ...]) -> tuple[Face, ...]:
    """Dice as drawn, with these faces up."""
    if not faces:
        return ()
    sides = parse_dice(dice).sides
    shape = f"d{sides}" if sides in SHAPES else "disc"
    return tuple(Face(shape, face, face == sides) for face in faces)


def tell_changes(pen: Pen, facts: tuple[e.Fact, ...]) -> tuple[_Changed, ...]:
    """What facts say of each combatant with a name, in their order."""
    told: dict[str, dict[str, tuple[str, str]]] = {}
    tracks = [fact.event for fact in facts if isinstance(fact.event, e.TrackChanged)]
    harmed = {event.who for event in tracks}
    spared = harmed - {event.who for event in tracks if event.new != event.old}
    for number, (event, line) in enumerate(tell_facts(pen.system, facts, pen.names)):
        if isinstance(event, CHANGES) and event.who in pen.names:
            key = event.condition.id if isinstance(event, GAINS) else str(number)
            told.setdefault(event.who, {})[key] = (line.look, line.text)
    return tuple(
        _Changed(who, tuple(words.values()), who in harmed, who in spared) for who, words in told.items()
    )


def view_changes(told: Iterable[_Changed], combatants: Mapping[str, CombatantView]) -> tuple[Change, ...]:
    """The changes of those who have a row, in the order of a card."""
    shown = [(one, combatants[one.who]) for one in told if one.who in combatants]
    shown.sort(key=lambda each: (not each[1].is_out, not each[0].is_harmed, each[0].is_spared))
    return tuple(
        [
            Change(
                row.name, replace(row.look, active=False), one.words, row.health if one.is_harmed else None
            )
            for one, row in shown
        ]
    )
