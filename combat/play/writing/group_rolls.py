"""Dice that several people roll for one command: a row for each, answered together or one by one.

A row is named by the key of its question, so it stays right when others answer meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from django.utils.crypto import salted_hmac

from combat.audience.changes import PendingCommand, read_pending
from combat.audience.rights import Grant, author_label, check_pause, find_viewer
from combat.models import Encounter
from combat.rules.core.basics.dice.dice import check_faces, parse_dice, read_zeros
from combat.rules.core.basics.dice.requests import Answer, Request, RollRequest, key_of
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_whole

from .encounter_service import SubmissionResult, go_on, make_answer, read_state
from .locking import locked
from .sealing import count_rolls, open_dice

FACE = "face-{}-{}"


def question_key(encounter: Encounter, waiting: PendingCommand, request: Request) -> str:
    """A key for a question of the open command, unique among all commands."""
    name = f"{encounter.pk}:{waiting.number}:{key_of(request)}"
    return salted_hmac("combat.question", name).hexdigest()[:12]


def find_words(posted: Mapping[str, str], key: str, dice: str) -> tuple[str, ...]:
    """The typed text of a row, die by die."""
    return tuple(str(posted.get(FACE.format(key, n), "")) for n in range(1, parse_dice(dice).count + 1))


def read_row(words: Iterable[str], dice: str) -> tuple[int, ...]:
    """The faces of a row, none for an empty one; Refused if these dice cannot show them."""
    typed = [word for word in words if word.strip()]
    faces = [read_whole(word) for word in typed]
    if None in faces:
        raise Refused("bad_dice", "Type what each die shows, or let the app roll.")
    known = read_zeros(dice, tuple(face for face in faces if face is not None))
    if known:
        check_faces(dice, known)
    return known


def find_problem(words: Iterable[str], dice: str) -> str:
    """What is wrong with a row, or nothing."""
    try:
        read_row(words, dice)
    except Refused as refused:
        return refused.message
    return ""


def answer_all(
    encounter_id: int,
    posted: Mapping[str, str],
    *,
    by: str = "",
    grant: Grant | None = None,
) -> SubmissionResult:
    """Answer all rows that were typed; the app rolls row `roll`, or with dice=rest all others.

    All are answered or, if one row is refused, none. For a seat only its own rows count; the right is checked
    inside the lock.
    """
    with locked(encounter_id) as encounter:
        waiting = read_pending(encounter)
        viewer = find_viewer(encounter, grant)
        asked = waiting.requests if waiting else ()
        mine = [r for r in asked if isinstance(r, RollRequest) and viewer.plays(r.who)]
        if waiting is None or not mine:
            raise Refused("stale", "Nothing needs an answer now: reload the page.")
        check_pause(viewer, read_state(encounter))
        dice = open_dice(encounter, read_state(encounter))

        def reply(request: RollRequest, faces: tuple[int, ...]) -> Answer:
            return make_answer(request, faces, "", dice=None if faces else dice, source="")

        given = read_rows(encounter, waiting, mine, posted=posted, reply=reply)
        count_rolls(encounter, dice)
        return go_on(encounter, waiting, given, author_label(by, viewer, grant) if by else waiting.by)


def read_rows(
    encounter: Encounter,
    waiting: PendingCommand,
    mine: Iterable[RollRequest],
    posted: Mapping[str, str],
    reply: Callable[[RollRequest, tuple[int, ...]], Answer],
) -> tuple[Answer, ...]:
    """The answers to typed and rolled rows; `reply` makes each, and rolls if it gets no faces."""
    rows, given = {question_key(encounter, waiting, request): request for request in mine}, []
    _check_rows(rows, posted)
    for key, request in rows.items():
        faces = read_row(find_words(posted, key, request.dice), request.dice)
        if faces or posted.get("dice") == "rest" or posted.get("roll") == key:
            given.append(reply(request, faces))
    if not given:
        raise Refused("bad_dice", "Type what each die shows, or let the app roll.")
    return tuple(given)


def _check_rows(rows: Mapping[str, RollRequest], posted: Mapping[str, str]) -> None:
    """Refuse answered rows and impossible dice; then nothing of the form counts."""
    named = {name.split("-")[1] for name, word in posted.items() if _is_typed(name, word)}
    if not named.union(filter(None, [posted.get("roll")])) <= rows.keys():
        raise Refused("stale", "One of these was rolled already: check, then send the rest.")
    wrong = [r for key, r in rows.items() if find_problem(find_words(posted, key, r.dice), r.dice)]
    if wrong:
        raise Refused("bad_dice", "Nothing was rolled: fix the marked dice.")


def _is_typed(name: str, word: str) -> bool:
    return name.startswith("face-") and name.count("-") == 2 and bool(word.strip())
