"""Points of luck, a house rule of every game: a player's failed roll is rolled again, or counts as better.

The question comes once the roll has fallen and its check is known, so a command is then run again from its
start with the answer. The roll, as it is asked for the second time, counts as the answer says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from ..basics.dice.dice import Roll, parse_dice
from ..basics.dice.requests import Choice, ChoiceRequest
from ..basics.errors import Refused
from ..basics.modifiers import Modifier
from ..basics.numbers import with_true_minus
from ..basics.words import Label
from ..state import events as e
from ..state.state import Combatant, State

RULE = "luck"  # of the question, in place of a rule of a book
POINTS, DOES = "luck_points", "luck_does"  # house rules: points in a fight, and what one does
EITHER, AGAIN, BETTER = "either", "again", "better"  # what a point does
KEEP = "keep"  # the answer that spends none; the others are AGAIN and a signed number of points
SPENT = "luck_spent"  # mark of a combatant
SECOND = 1000  # added to the ordinal of a roll: its second one
LEAST_BETTER, SHARE = 2, 10  # points on the roll: at least 2, or a tenth of the highest sum
SAID = ("log.luck_again", "log.luck_better")

RollKey = tuple[str, str, tuple[int, ...], int]


class Words(Protocol):
    """What luck asks a game."""

    def option(self, state: State, key: str) -> Any:
        """The value of a table option in this encounter."""

    def draw(self, label: Label, names: Mapping[str, str] = {}) -> str:
        """The words of a label."""


class Thrown(msgspec.Struct, frozen=True):
    """A roll of a command that luck may change: the how manieth of its roller, and whether its sum counts."""

    place: int
    adds_up: bool


class Lucky(msgspec.Struct, frozen=True):
    """A roll as it fell, and the points that count in it."""

    roll: Roll
    points: int


def name_roll(roll: Roll) -> RollKey:
    """What tells a roll from the others of its command."""
    return roll.rule, roll.by, roll.faces, roll.number


def count_points(system: Words, state: State) -> int:
    """How many points each player's character has in a fight; 0 where the house rule is off."""
    return int(system.option(state, POINTS))


def has_points(combatant: Combatant) -> bool:
    """Whether luck is for this one: for players' characters alone, also while the GM plays one."""
    return combatant.pc


def count_left(system: Words, state: State, combatant: Combatant | None) -> int:
    """How many points someone has left: none but heroes in a fight have any."""
    if combatant is None or not has_points(combatant) or state.phase != "fight":
        return 0
    return max(0, count_points(system, state) - int(combatant.marks.get(SPENT) or 0))


def find_better(dice: str) -> int:
    """How many points better a roll of these dice becomes."""
    most = parse_dice(dice)
    return max(LEAST_BETTER, most.count * most.sides // SHARE)


def can_matter(check: e.Checked) -> bool:
    """Whether luck could change a check: it failed against a number, by dice of its own roller."""
    return (
        not check.good and check.against is not None and check.roll.by == check.who and bool(check.roll.faces)
    )


def ask(
    system: Words, state: State, check: e.Checked, thrown: Thrown, left: int, *, shows_number: bool
) -> ChoiceRequest:
    """The question to the player of a failed check. Without `shows_number` it does not tell the number."""
    does = str(system.option(state, DOES))
    options = [Choice(KEEP, "Keep the roll")]
    if does != BETTER:
        options.append(Choice(AGAIN, "Roll again"))
    if does != AGAIN and thrown.adds_up and check.total != check.against:
        options.append(_offer_better(check, shows_number=shows_number))
    number = f" vs {check.against}" if shows_number else ""
    text = f"{check.total}{number}: {system.draw(check.outcome)}. Spend a point of luck ({left} left)?"
    return ChoiceRequest(RULE, check.who, thrown.place, text, options=tuple(options), default=KEEP)


def _offer_better(check: e.Checked, *, shows_number: bool) -> Choice:
    """The option of points on the roll; refused if they are known not to reach."""
    against = check.against or 0
    points, short = find_better(check.roll.dice), abs(against - check.total)
    signed = points if check.total < against else -points
    word = with_true_minus(f"{signed:+d}")
    if shows_number and short > points:
        return Choice(f"{signed}", word, refused=f"{short} would be needed")
    return Choice(f"{signed}", word, f"{check.total + signed} instead")


def read_answer(system: Words, state: State, roll: Roll, value: str) -> int:
    """The points of an answer: 0 for a second roll. Refused for one that no question offered."""
    does, better = str(system.option(state, DOES)), find_better(roll.dice)
    if value == AGAIN and does != BETTER:
        return 0
    if value in (f"{better}", f"{-better}") and does != AGAIN:
        return int(value)
    raise Refused("bad_value", "Luck does not do that here: keep the roll or choose what is offered.")


def say_spent(roll: Roll, points: int) -> e.Said:
    """The sentence of a spent point, with the faces that it changes."""
    better = with_true_minus(f"{points:+d}")
    return e.Said(SAID[bool(points)], roll.by, args={"faces": _list_faces(roll), "points": better})


def _list_faces(roll: Roll) -> str:
    return ", ".join(map(str, roll.faces))


def is_given_up(event: e.Event, roll: Roll) -> bool:
    """Whether a sentence tells of a roll that a second one replaced: no check of the log shows its dice."""
    if not isinstance(event, e.Said) or event.key != SAID[0]:
        return False
    return event.who == roll.by and event.args["faces"] == _list_faces(roll)


def tell(event: e.Checked, lucky: Lucky) -> e.Checked:
    """A check whose roll shows the dice as they fell, and the points of luck as a term."""
    terms = (*event.modifiers, Modifier("term.luck", lucky.points))
    return msgspec.structs.replace(event, roll=lucky.roll, modifiers=terms)
