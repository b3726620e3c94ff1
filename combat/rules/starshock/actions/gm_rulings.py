"""The GM's actions of this game: placed poisons, challenges, repeated actions."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import Args
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand, Target, overrule
from combat.rules.core.state import events as e

from ..body.doses import face_check, take_dose
from ..book import tables
from ..book.tables import CHALLENGE, EASIEST, HARDEST
from ..fight.economy import SEPARATOR, name_use
from ..turn.checks import Progress, write_progress


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
    write_progress(context, name, progress)
    args: Args = {"name": name, "difficulty": command.difficulty}
    context.emit(e.Said("log.challenge_opens", args=args), "SS-OTHER-17")
