"""The GM's actions of this game: made-up conditions, placed poisons, challenges, repeated actions."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import Args
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand, Target, overrule
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Until, is_acting
from combat.rules.core.turn.turns import add_condition

from ..body.doses import face_check, take_dose
from ..book import tables
from ..book.tables import CHALLENGE, EASIEST, HARDEST
from ..fight.economy import SEPARATOR, name_use
from ..turn.checks import Progress, write_progress


class MakeUp(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A condition that the GM makes up. [SS-COND-01] [SS-COND-02]

    `checks` is its modifier to every roll, `stops` keeps the target from acting, `turns` counts ends of the
    target's own turns; `ends` says in words what ends it.
    """

    name: str
    text: str
    source: str = ""
    checks: int = 0
    stops: bool = False
    turns: int = 0
    ends: str = ""


class Expose(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A dose or device that the GM places."""

    thing: str


class Again(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action that may be repeated this turn: "interact" with its object, "assist", …"""

    action: str
    per: str = ""


class OpenChallenge(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Skill Challenge with its own numbers. [SS-OTHER-17]  RULING R36"""

    name: str
    difficulty: int = CHALLENGE[0]
    successes: int = CHALLENGE[1]
    failures: int = CHALLENGE[2]


def make_up(context: RuleContext, command: MakeUp) -> None:
    """Give a condition that has a description [SS-COND-01] and a stated end. [SS-COND-02]"""
    combatant = context.state[command.target]
    name, text = " ".join(command.name.split()), command.text.strip()
    if not 1 <= len(name) <= 60:
        raise Refused("bad_value", "A name has 1 to 60 characters.")
    if not text:
        raise Refused("bad_value", "Describe what the condition does.")
    if not command.turns and not command.ends.strip():
        raise Refused("bad_value", "Say what ends the condition: a number of turns, or words.")
    if abs(command.checks) > 10 or not 0 <= command.turns <= 10_000:
        raise Refused("bad_value", "A modifier is \N{MINUS SIGN}10 to +10, a duration 0 to 10,000 turns.")
    overrule(context, "gm.condition", command, combatant.id, what=name)
    until = (
        Until(combatant.id, "end", command.turns + is_acting(context.state, combatant.id))
        if command.turns
        else None
    )
    marks: dict[str, bool | int | str] = {"text": text[:200], "source": command.source[:100]}
    if command.checks:
        marks["checks"] = command.checks
    if command.stops:
        marks["stops"] = True
    ends = command.ends.strip()[:200]
    add_condition(
        context, combatant.id, "other", label=name, rule="SS-COND-01", ends=ends, until=until, marks=marks
    )


def expose(context: RuleContext, command: Expose) -> Then | None:
    """Place a harmful dose or device, such as a poison in the air or a trap. [SS-COND-01]  RULING R37"""
    combatant = context.state[command.target]
    dose, thing = tables.consumables().get(command.thing), tables.things().get(command.thing)
    if dose is None and (thing is None or thing.check is None):
        raise Refused("unknown", "Choose a dose, or a device with a check.")
    found = dose or thing
    assert found is not None
    overrule(context, "gm.expose", command, combatant.id, item=found.name)
    if dose:
        return take_dose(context, combatant.id, dose, combatant.id, "SS-OTHER-24")
    assert thing is not None
    assert thing.check is not None
    face_check(context, combatant.id, thing.check, "SS-COND-01", thing.name)
    return None


def allow_again(context: RuleContext, command: Again) -> None:
    """“Usually”: let someone repeat an action this turn. [SS-OTHER-03]"""
    combatant = context.state[command.target]
    use = name_use(command.action, command.per.lower() if command.action == "interact" else command.per)
    did = str(combatant.marks.get("did", "")).split(SEPARATOR)
    if use not in did:
        raise Refused(
            "bad_value", f"{combatant.name} has not done that this turn: choose something they did."
        )
    did.remove(use)
    known = tables.actions().get(command.action)
    overrule(context, "gm.again", command, combatant.id, what=known.name if known else command.action)
    context.emit(e.Marked(combatant.id, "did", SEPARATOR.join(did) or None), "SS-OTHER-03", e.GM_ONLY)


def open_challenge(context: RuleContext, command: OpenChallenge) -> None:
    """Begin a Skill Challenge. [SS-OTHER-17]"""
    name = " ".join(command.name.split())
    sane = (
        EASIEST <= command.difficulty <= HARDEST
        and 1 <= command.successes <= 20
        and 1 <= command.failures <= 20
    )
    if not 1 <= len(name) <= 60 or not sane:
        numbers = f"a difficulty of {EASIEST} to {HARDEST}, and 1 to 20 successes and failures"
        text = f"A challenge has a name, {numbers}."
        raise Refused("bad_value", text)
    progress = Progress(command.difficulty, command.successes, command.failures)
    write_progress(context, name, progress, "SS-OTHER-17")
    args: Args = {"name": name, "difficulty": command.difficulty}
    context.emit(e.Said("log.challenge_opens", args=args), "SS-OTHER-17")
