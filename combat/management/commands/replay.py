"""manage.py replay: verify an exported encounter and print how it ended."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from combat.pages.table.rows import describe_end
from combat.pages.table.shapes import describe_time
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import (
    Document,
    Verdict,
    find_earlier,
    read_document,
    replay,
    write_document,
)
from combat.rules.core.engine.proof import Seal
from combat.rules.core.space import find_zone
from combat.rules.core.state.state import Combatant, State, present
from combat.rules.core.wording import pen_of

PARTLY = 2  # the exit code when another release verifies a part
PHASES = {"prep": "in preparation", "fight": "under way", "over": "over"}


class Command(BaseCommand):
    """`manage.py replay FILE`"""

    help = (
        "Plays an exported encounter again with its recorded dice and answers, compares every step, "
        "and prints the final state. Exits with 1 and names the first step that does not match; "
        "with 2 if all that can be played here matches, and another release verifies the rest."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file."""
        parser.add_argument("file", type=Path, metavar="FILE", help="an encounter exported as JSON")
        parser.add_argument(
            "--earlier",
            type=Path,
            metavar="PART",
            help="write the first steps, by rules that this release does not play, into a file of their own",
        )

    def handle(self, *args: Any, file: Path, earlier: Path | None, **options: Any) -> None:
        """Read, replay and print the verdict."""
        document = read_file(file)
        try:
            system = find_system(document.system)
            verdict = replay(document, find_system)
        except Refused as refused:
            raise CommandError(f"{file}: {refused.message}") from None
        if not verdict.ok:
            raise CommandError(verdict.summary)
        self.stdout.write("\n".join(describe_document(document, system, verdict)))
        if earlier:
            self.stdout.write(write_earlier(document, system, earlier))
        elif not verdict.is_whole:
            raise CommandError("Not all of it is verified here.", returncode=PARTLY)


def read_file(file: Path) -> Document:
    """The document in a file; `CommandError` in plain words if there is none."""
    try:
        return read_document(file.read_bytes(), find_system)
    except OSError as problem:
        raise CommandError(f"{file} cannot be read: {problem.strerror}.") from None
    except Refused as refused:
        raise CommandError(f"{file}: {refused.message}") from None


def write_earlier(document: Document, system: System, file: Path) -> str:
    """Write the part of a fight by earlier rules into a new file, and say so."""
    part = find_earlier(document, system)
    if part is None:
        raise CommandError("This release plays all of it: there is no earlier part.")
    try:
        with file.open("xb") as opened:
            opened.write(write_document(part))
    except OSError as problem:
        raise CommandError(f"{file} cannot be written: {problem.strerror}.") from None
    return f"{file} has its first {len(part.steps)} steps."


def describe_document(document: Document, system: System, verdict: Verdict) -> Iterator[str]:
    """The verdict on a document, and its final state, line by line."""
    state, dice = document.final, verdict.dice
    yield f"{document.name or 'Encounter'} ({system.name})"
    yield verdict.summary if verdict.elsewhere else f"Verified. {verdict.summary}"
    rolls = f"{dice.proven} proven by opened seals, {dice.sealed} still sealed"
    unsealed = f", {dice.unsealed} without a seal" if dice.unsealed else ""
    lost = f", {dice.abandoned} under seals that were never opened" if dice.abandoned else ""
    branch = f", {dice.branch} rolled in a branch" if dice.branch else ""
    kept = f", {dice.kept} kept when the GM overruled a roll" if dice.kept else ""
    yield f"Rules: version {document.rules} of {system.versions.newest}."
    yield f"Rolls: {rolls}, {dice.typed} typed at the table{lost}{branch}{kept}{unsealed}."
    yield from map(describe_seal, verdict.seals)
    phase = PHASES.get(state.phase, state.phase)
    yield f"Round {state.round}, {describe_time(state.clock)} elapsed, {phase}."
    places = {who: place for place, who in enumerate(state.order)}
    combatants = sorted(present(state), key=lambda combatant: places.get(combatant.id, len(places)))
    for combatant in combatants:
        yield f"  {describe_combatant(system, state, combatant)}"


def describe_seal(seal: Seal) -> str:
    """A seal in full, for players to compare with the one they wrote down."""
    if seal.opened:
        after = f"opened by step {seal.opened}"
    else:
        after = "never opened" if seal.abandoned else "not opened yet"
    rolls = "1 roll" if seal.rolls == 1 else f"{seal.rolls} rolls"
    return f"Seal {seal.seal}: told by step {seal.step}, {rolls}, {after}."


def describe_combatant(system: System, state: State, combatant: Combatant) -> str:
    """Name, side, health, conditions and place of a combatant in one line."""
    health = system.characters.health(combatant)
    number = f"{say_number(health.now)} of {health.most} {health.label}"
    parts = [f"{combatant.name} ({combatant.side}): {number}, {system.draw(health.word)}"]
    parts += describe_conditions(system, state, combatant)
    parts.append(f"at {describe_place(state, combatant)}")
    parts += ["hidden"] if combatant.hidden else []
    parts += ["has the turn"] if combatant.id == state.active else []
    return "; ".join(parts)


def describe_conditions(system: System, state: State, combatant: Combatant) -> list[str]:
    """The conditions that are shown, and what ends them."""
    found = []
    for held in combatant.conditions:
        if system.characters.describe_condition(held.kind).for_gm:
            level = f" {held.level}" if held.level > 1 else ""
            pen = pen_of(system, state)
            ends = describe_end(state, held.until) or (f"until {pen.draw(held.ends)}" if held.ends else "")
            found.append(f"{pen.draw(held.label)}{level} {ends}".rstrip())
    return found


def describe_place(state: State, combatant: Combatant) -> str:
    """The zone and the position in meters."""
    zone = find_zone(state.scene, combatant.at)
    meters = f"{say_number(combatant.at.x)}, {say_number(combatant.at.y)} m"
    return f"{zone.name}, {meters}" if zone else meters
