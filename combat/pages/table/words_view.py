"""Words between people: whom someone can write to, and the newest word that they got."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from msgspec.structs import replace

from combat.display.log_view import mark_of
from combat.display.shapes.table_shapes import CombatantView, Hearer, Slip, WordsView
from combat.models import StoredStep
from combat.play.writing.verification import read_step
from combat.rules.core.gm.private_words import ALL, GM, SIDE, find_hearers
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND
from combat.sharing.viewer_context import ViewerContext

WORDS = ("send_word", "gm_word")  # the actions
TO_ONE, TO_GM, OF_GM = "log.word_to_one", "log.word_to_gm", "log.word_of_gm"
LATELY = 20  # steps after which a word is in the log alone


def view_words(
    context: ViewerContext, rows: Iterable[StoredStep], combatants: Mapping[str, CombatantView]
) -> WordsView | None:
    """Whom the viewer can write to; None for spectators, in branches, and for those who play nobody."""
    viewer, state = context.viewer, context.known_state
    own = [who for who in combatants if who in viewer.seats]
    if context.decoded is not None or not (viewer.is_gm or (viewer.is_seated and own)):
        return None
    if viewer.is_gm:
        hearers = [_view_hearer(combatants[one.id]) for one in find_hearers(state) if one.id in combatants]
    else:
        hearers = [Hearer(ALL, "All", "the table"), Hearer(SIDE, "My side"), Hearer(GM, "GM", "only")]
        people = [one for one in find_hearers(state, own[0]) if one.id not in own]
        hearers += [_view_hearer(combatants[one.id]) for one in people if one.id in combatants]
    slip, mark = _find_slip(context, rows, combatants)
    writers = tuple([(who, combatants[who].name) for who in own])
    return WordsView(tuple(hearers), writers, slip, mark) if hearers else None


def _view_hearer(one: CombatantView) -> Hearer:
    return Hearer(one.id, one.name, "only", replace(one.look, active=False))


def _find_slip(
    context: ViewerContext, rows: Iterable[StoredStep], combatants: Mapping[str, CombatantView]
) -> tuple[Slip | None, str]:
    """The newest word that is for the viewer, and for nobody else but the GM, until they write again.

    With it goes the mark of the newest word that is their own.
    """
    viewer = context.viewer
    for row, event in _find_words(context, rows):
        if event.key == OF_GM if viewer.is_gm else event.key != OF_GM and event.who in viewer.seats:
            return None, mark_of(row, viewer)
        if event.key == TO_GM if viewer.is_gm else event.key in (TO_ONE, OF_GM):
            of_gm, writer = event.key == OF_GM, combatants.get(event.who)
            name = "The GM" if of_gm else writer.name if writer else "Someone"
            return Slip(name, str(event.args["words"]), GM if of_gm else event.who), mark_of(row, viewer)
    return None, ""


def _find_words(context: ViewerContext, rows: Iterable[StoredStep]) -> Iterator[tuple[StoredStep, e.Said]]:
    """The words of the newest steps that the viewer may read, the newest first."""
    for row in islice(rows, LATELY):
        if row.kind == COMMAND and not row.struck and row.name in WORDS:
            for fact in context.viewer.select(read_step(row).facts):
                if isinstance(fact.event, e.Said):
                    yield row, fact.event
