"""Import of an exported encounter: it is replayed to verify it, then kept as the importer's own.

Links to sheets are dropped: here their numbers mean other sheets. The proof of the dice is kept. Only
the other table can open its last seal, so the log here goes on with new dice under a seal of its own.
A second import replaces that seal by the next one.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import msgspec
from django.contrib.auth.models import User

from combat.audience.changes import find_private
from combat.models import Campaign, Encounter, Participation
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.names import mark_copy
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import Document, Verdict, read_document, replay, write_document
from combat.rules.core.state.history import COMMAND, COPY, IMPORT, SEAL, Step
from combat.rules.core.state.state import State, decode, find_waiting, present, replace
from cosmos_site.base.files import one_at_a_time
from cosmos_site.base.tags import clean_tags

from ..campaigns.roster import PREFIX
from ..campaigns.table_notes import check_notes, keep_notes, write_notes
from ..writing.encounter_service import create_encounter, read_state, renew_dice, settle_players
from ..writing.locking import alone
from ..writing.verification import read_step
from ..writing.whole_logs import prepare_log, store_log, without

MAX_BYTES = 10_000_000
MAX_STEPS = 5_000
MAX_SECONDS = 10.0  # of processor, for one replay: thousands of usual steps take two
BUSY = "Another encounter is being replayed: send yours again in a moment."
MAX_BY = 150
MAX_SAID = 350  # characters of what does not match, which may quote the file
LINKED = re.compile(r"(character|npc):\d+")  # a sheet of another table, in a mark or a command

_replaying = threading.Lock()  # each may take a whole processor, and much memory

MAX_NAME = 100


@dataclass(frozen=True)
class Imported:
    """An imported encounter, and the result of its replay."""

    encounter: Encounter
    verdict: Verdict


def import_encounter(owner: User, raw: bytes, campaign: Campaign | None = None) -> Imported:
    """Keep the encounter of a document; Refused says what is wrong with it, and nothing is kept."""
    if len(raw) > MAX_BYTES:
        text = f"The file is too large: an encounter has at most {MAX_BYTES // 1_000_000} MB."
        raise Refused("bad_value", text)
    document = read_document(raw, _find_known)
    verdict = _check(document)
    steps = [replace(step, by=step.by[:MAX_BY]) for step in _without_own_seal(_unlink(document).steps)]
    _check_texts(steps)
    name = tidy(" ".join(document.name.split()))[:100] or "Imported encounter"
    tags = clean_tags(",".join(document.tags or ()))
    notes = document.notes or {}
    check_notes(notes, document.final.combatants)
    with one_at_a_time(_replaying, BUSY):
        log = prepare_log(document.start, steps)
    with alone():
        made = create_encounter(owner, document.system, name)
        made.campaign, made.tags = campaign, tags
        store_log(made, log)
        if steps:
            renew_dice(made, IMPORT)
        settle_players(made)
        keep_notes(made, notes)
    return Imported(made, verdict)


def _find_known(slug: str) -> System:
    """The game of a document; Refused if it is not installed."""
    if slug not in SYSTEMS:
        raise Refused("bad_value", f"This is an encounter of “{slug[:40]}”: no such game is here.")
    return find_system(slug)


def _check(document: Document) -> Verdict:
    """Replay the document; Refused if that fails or gives something else."""
    _find_known(document.system)
    if len(_without_own_seal(document.steps)) > MAX_STEPS:
        raise Refused("bad_value", f"The log is too long: at most {MAX_STEPS:,} steps can be imported.")
    if document.start != State(document.system, rules=document.start.rules):
        raise Refused("bad_value", "The encounter does not begin empty: export it whole, then import that.")
    verdict = replay_in_time(document)
    if not verdict.ok:
        raise Refused("bad_value", f"{verdict.summary[:MAX_SAID].rstrip('.')}. Nothing was imported.")
    return verdict


def replay_in_time(document: Document) -> Verdict:
    """The replay of a document, alone in this process; Refused("busy") if it takes too long."""
    with one_at_a_time(_replaying, BUSY):
        end = time.thread_time() + MAX_SECONDS
        return replay(document, find_system, lambda: time.thread_time() > end)


def _check_texts(steps: list[Step]) -> None:
    """Refuse text that some databases cannot store; in the record of a step it does no harm."""
    if any("\0" in text for step in steps for text in (step.name, step.by, find_private(step.facts))):
        raise Refused("bad_value", "The file has characters that cannot be saved: export it again.")


def _unlink(document: Document) -> Document:
    """The document without the numbers of another table's sheets."""
    plain = msgspec.json.decode(write_document(document))
    return read_document(msgspec.json.encode(without(plain, _is_link)))


def _is_link(key: str, value: Any) -> bool:
    return key == "source" and isinstance(value, str) and bool(LINKED.fullmatch(value))


def _without_own_seal(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps without a former import's seal at their end: no roll was made under it."""
    while steps and (steps[-1].kind, steps[-1].name) == (SEAL, IMPORT):
        steps = steps[:-1]
    return steps


# A new encounter from an old one: the fight as it stood when it began. A copy has the steps of the
# preparation, so it has whatever can be prepared: seats, speeds, who knows of whom.


def copy_encounter(encounter: Encounter, owner: User, name: str = "") -> Encounter:
    """A copy as it stood when the fight began, or stands now if it has not; with dice of its own."""
    mine = {f"{PREFIX}{pk}": pk for pk in owner.characters.values_list("pk", flat=True)}
    steps = [_make_own(step, mine) for step in _find_preparation(encounter)]
    log = prepare_log(decode(bytes(encounter.start)), steps)
    with alone():
        copy = create_encounter(owner, encounter.system, name or _name(encounter, owner))
        copy.campaign_id, copy.tags = encounter.campaign_id, encounter.tags
        store_log(copy, log)
        if steps:
            renew_dice(copy, COPY)
        settle_players(copy)
        state = read_state(copy)
        for who in (*present(state), *find_waiting(state)):
            if pk := mine.get(str(who.marks.get("source", ""))):
                Participation.objects.create(encounter=copy, character_id=pk, combatant=who.id)
        keep_notes(copy, write_notes(encounter))
    return copy


def _find_preparation(encounter: Encounter) -> list[Step]:
    """The steps before the fight began: all, if it has not."""
    rows, start = encounter.log.defer("after"), find_system(encounter.system).actions.start
    begun = rows.filter(kind=COMMAND, name=start, struck=False).order_by("number").first()
    return [read_step(row) for row in (rows.filter(number__lt=begun.number) if begun else rows)]


def _make_own(step: Step, mine: Collection[str]) -> Step:
    """A step without the sheets of others: they bring theirs themselves."""

    def is_dropped(key: str, value: Any) -> bool:
        return key == "source" and isinstance(value, str) and value.startswith(PREFIX) and value not in mine

    plain = without(msgspec.json.decode(msgspec.json.encode(step)), is_dropped)
    return read_json(msgspec.json.encode(plain), Step)


def _name(encounter: Encounter, owner: User) -> str:
    taken = set(Encounter.objects.filter(owner=owner).values_list("name", flat=True))
    return mark_copy(encounter.name, taken, MAX_NAME)
