"""The sealed dice of an encounter as one viewer may read them: seals, and every roll with its proof."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods

from combat.audience.rights import check_takes_part
from combat.display.combatants.tokens import name_fully
from combat.display.dice import view_dice
from combat.display.log_view import view_log
from combat.display.shapes.result_shapes import Face
from combat.display.shapes.table_shapes import LogStep
from combat.models import StoredStep
from combat.play.writing.encounter_service import Submission, submit
from combat.play.writing.sealing import has_lost_dice
from combat.play.writing.verification import read_step
from combat.rules.core.basics.dice.dice import draw_faces, make_message, make_seal, name_roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.player_dice import MAX_LENGTH, WORD
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.state import present
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import answer_file, read_static
from cosmos_site.base.forms import see_other

from ..table.rows import find_people
from ..table.shapes import find_steps

UNTOLD = "Not in your log"  # such as a roll that breaks a tie
Key = tuple[str, int]  # the series and the number of a roll

STEPS_PER_PAGE = 200
MAX_PAGES = 10_000
MOST = 5  # rolls
SEALED, FITS, WRONG = "sealed", "fits", "wrong"


@dataclass(frozen=True)
class Seal:
    """The digest of a secret; `opened` is the secret once the fight is over, else empty.

    `abandoned`: new dice began before it was opened, so its secret is lost.
    """

    seal: str
    opened: str
    abandoned: bool = False


@dataclass(frozen=True)
class SealedRoll:
    """One roll of the app: its purpose, and all that determines its faces; faces are empty if not shown.

    `round` is the one in which its reader was told of it.
    """

    text: str
    dice: str
    faces: tuple[int, ...]
    number: int
    series: str
    words: str
    seal: str
    undone: bool
    round: int = 0

    @property
    def drawn(self) -> tuple[Face, ...]:
        """Its dice as drawn; none if they are not shown."""
        return view_dice(self.dice, self.faces)

    @property
    def name(self) -> str:
        """The number, after the name of its series if that is a secret one."""
        return name_roll(self.number, self.series)

    @property
    def shown(self) -> str:
        """The faces as the page shows them and the check compares them."""
        return ", ".join(map(str, self.faces))


@dataclass(frozen=True)
class ShellLines:
    """Two lines for a terminal: the first checks a secret's seal, the second computes the bytes of a roll."""

    name: str
    seal: str
    bytes: str


def find_seals(context: ViewerContext) -> tuple[Seal, ...]:
    """All seals of an encounter, oldest first."""
    seals, is_lost = context.encounter.seals, has_lost_dice(context.encounter)
    last = len(seals) - (not is_lost)
    return tuple(Seal(s["seal"], s["opened"], not s["opened"] and n < last) for n, s in enumerate(seals))


def find_rolls(context: ViewerContext, rows: Iterable[StoredStep]) -> tuple[SealedRoll, ...]:
    """The sealed rolls of these steps: for the GM all, for others those in lines that they may read.

    Others see only the numbers of the remaining public rolls, so that none can be missing.
    """
    told = {row.number: (row, read_step(row)) for row in rows}
    found: list[SealedRoll] = []
    for row, step in told.values():
        seal = _seal_of(context, row.number)
        lines = view_log(context, [row])
        texts, otherwise = _texts_of(lines), name_action(context.system, step.name)
        rolls = _rolls_of(
            step, seal, texts, otherwise=otherwise if context.viewer.is_gm else None, struck=row.struck
        )
        when = context.told_later.rounds.get(row.number, row.round)
        found += [replace(roll, round=when) for roll in rolls]
    return tuple(sorted(found, key=lambda roll: (roll.series, roll.number)))


def _seal_of(context: ViewerContext, step: int) -> str:
    """The seal in force when a step began; for the step with the first seal, that seal."""
    seals = context.encounter.seals
    held = [one for one in seals if one["step"] < step] or seals[:1]
    return str(held[-1]["seal"]) if held else ""


def _texts_of(steps: Iterable[LogStep]) -> dict[Key, str]:
    """The purpose of each sealed roll, by its series and number."""
    lines = (line for step in steps for line in step.lines)
    return {(line.roll.series, line.roll.number): line.text for line in lines if line.roll}


def name_action(system: System, name: str) -> str:
    """The purpose of a roll that has no line in the log, such as one that breaks a tie."""
    return system.action(name).label if name in system.actions.by_name else name


def _rolls_of(
    step: Step, seal: str, texts: dict[Key, str], otherwise: str | None, struck: bool
) -> Iterator[SealedRoll]:
    """The rolls of a step; `otherwise` is the text of those in no line. None: only their public numbers."""
    is_undone = struck or step.kind != COMMAND
    for answer in step.answers:
        text = texts.get((answer.series, answer.number), otherwise)
        if answer.number and text is not None:
            made = answer.number, answer.series, answer.words
            yield SealedRoll(text, answer.dice, answer.faces, *made, seal, is_undone)
        elif answer.number and not answer.series:
            yield SealedRoll(
                UNTOLD, "", (), number=answer.number, series="", words="", seal=seal, undone=is_undone
            )


def write_shell(seals: Iterable[Seal], rolls: Iterable[SealedRoll]) -> ShellLines | None:
    """How to check the first roll with an open secret without this program; None if there is none."""
    secrets = {one.seal: one.opened for one in seals if one.opened}
    roll = next((roll for roll in rolls if roll.seal in secrets), None)
    if roll is None:
        return None
    message = shlex.quote(make_message(roll.seal, roll.name, roll.words))
    secret = secrets[roll.seal]
    return ShellLines(
        roll.name,
        f"printf %s {secret} | openssl dgst -sha256",
        f"printf %s {message} | openssl dgst -sha256 -hmac {secret}",
    )


def hang(rolls: Iterable[SealedRoll]) -> list[tuple[int, list[SealedRoll]]]:
    """The rolls by rounds, 0 before the first. One that is not told hangs beside the one before it."""
    wall: dict[int, list[SealedRoll]] = {}
    now = 0
    for roll in rolls:
        now = roll.round if roll.faces else now
        wall.setdefault(now, []).append(roll)
    return sorted(wall.items())


# The dice of an encounter: what is sealed, what is opened, and how anyone can check each roll.


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def show_dice(request: HttpRequest, pk: int) -> HttpResponse:
    """Seals, rolls and the players' words; `as=file` is a page that checks them offline."""
    context, problem, status = find_context(request, pk), "", 200
    if request.method == "POST":
        try:
            _give_word(request, context)
            return see_other("dice", pk)
        except Refused as refused:
            problem, status = refused.message, status_of(refused)
    if request.GET.get("as") == "file":
        return _write_file(request, context)
    page = min(max(read_count(request.GET.get("page", "")) or 1, 1), MAX_PAGES)
    first = (page - 1) * STEPS_PER_PAGE
    rows = list(find_steps(context).order_by("-number")[first : first + STEPS_PER_PAGE + 1])
    rolls, seals = find_rolls(context, rows[:STEPS_PER_PAGE]), find_seals(context)
    shown = {
        **_share(context),
        "seals": seals,
        "rolls": rolls,
        "wall": hang(rolls),
        "is_told": any(seal.opened for seal in seals),
        "shell": write_shell(seals, rolls),
        "complete": "page" if len(rows) > STEPS_PER_PAGE else "all",
        "newer": page - 1,
        "older": page + 1 if len(rows) > STEPS_PER_PAGE else 0,
        "words": _find_words(context),
        "fighters": find_people(context),
        "most": MAX_LENGTH,
        "problem": problem,
    }
    return render(request, "combat/log/dice.html", shown, status=status)


def _share(context: ViewerContext) -> dict[str, Any]:
    return {"encounter": context.encounter, "is_gm": context.viewer.is_gm, "name": context.encounter.name}


def _give_word(request: HttpRequest, context: ViewerContext) -> None:
    check_takes_part(context.viewer)
    fields = {"actor": request.POST.get("combatant", ""), "word": request.POST.get("word", "")}
    submit(context.encounter.pk, Submission("give_word", fields, by=context.name, grant=context.grant))


def _find_words(context: ViewerContext) -> list[tuple[str, str, str, bool]]:
    """The combatants and their words: id, name, word, and whether the viewer may change it."""
    viewer, state = context.viewer, context.known_state
    people = ((f, name_fully(state, f)) for f in present(state) if not f.hidden)
    return [(f.id, name, str(f.marks.get(WORD, "")), f.id in viewer.seats) for f, name in people]


def _write_file(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """A self-contained page, to save and open anywhere."""
    rolls = find_rolls(context, find_steps(context).order_by("number"))
    script = read_static("js/log/seals.js")
    seals = find_seals(context)
    shown = {**_share(context), "seals": seals, "rolls": rolls, "shell": write_shell(seals, rolls)}
    shown["complete"] = "all"
    page = render_to_string("combat/log/dice_file.html", {**shown, "script": script}, request)
    name = slugify(context.encounter.name) or "encounter"
    return answer_file(page.encode(), f"{name}-dice.html", "text/html; charset=utf-8")


# The seals of the dice at the head of a log: what they are worth now, and the newest rolls under them.


@dataclass(frozen=True)
class RollUnderSeal:
    """A roll with its dice. `state` is sealed until the secret is told, then fits or wrong."""

    text: str
    name: str
    faces: tuple[Face, ...]
    undone: bool
    state: str


@dataclass(frozen=True)
class Seals:
    """The seal of the newest rolls, whether its secret is told, and these rolls; empty without a seal."""

    seal: str
    is_open: bool
    rolls: tuple[RollUnderSeal, ...]

    @property
    def state(self) -> str:
        """What the shown rolls come to: sealed, fits, or wrong if only one does not fit."""
        states = {roll.state for roll in self.rolls}
        if WRONG in states:
            return WRONG
        return FITS if FITS in states and SEALED not in states else SEALED


def view_seals(context: ViewerContext, rows: Iterable[StoredStep]) -> Seals:
    """The seals for a log that shows these steps, newest first."""
    seals = find_seals(context)
    rolled = [row for row in rows if row.dice][:MOST]
    secrets = {one.seal: one.opened for one in seals if one.opened}
    rolls = [roll for roll in find_rolls(context, rolled) if roll.faces]
    shown = tuple(_check(roll, secrets.get(roll.seal, "")) for roll in reversed(rolls[-MOST:]))
    newest = rolls[-1].seal if rolls else ""
    seal = next((one for one in seals if one.seal == newest), seals[-1] if seals else None)
    return Seals(seal.seal if seal else "", bool(seal and seal.opened), shown)


def _check(roll: SealedRoll, secret: str) -> RollUnderSeal:
    """Whether a roll follows from the secret, and the secret from the seal; sealed without a secret."""
    state = SEALED
    if secret:
        drawn = draw_faces(secret, roll.name, roll.words, roll.dice)
        state = FITS if make_seal(secret) == roll.seal and drawn == roll.faces else WRONG
    return RollUnderSeal(
        roll.text, roll.name, view_dice(roll.dice, roll.faces), undone=roll.undone, state=state
    )
