"""Reports of faults: a file from which someone else can see what went wrong, without knowing who played."""

from __future__ import annotations

import platform
import re
from contextlib import suppress
from typing import Any

import django
import msgspec
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from combat.models import Encounter
from combat.rules import find_system
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.release import PROGRAM, RELEASE
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import Document, Verdict, write_document
from combat.rules.core.engine.engine import find_action
from cosmos_site.base.errors import find_error

from ..writing.encounter_service import read_history
from .anonymous import Anonymous, Names, find_difference, find_known_words, make_anonymous
from .imports import replay_in_time

FORMAT, VERSION = "cosmos-table-report", 1
MAX_SAID, MAX_BROWSER = 4_000, 300  # characters
SECONDS = 86_400  # how long a refusal is remembered
LEFT_OUT = frozenset(
    {"csrfmiddlewaretoken", "version", "next"}
)  # fields of a form that are no part of a command

FIELD = re.compile(r"[.-]")  # after the name of a field that has parts


class Refusal(msgspec.Struct, frozen=True):
    """The last refused action of a fight: its name, its fields without names, the code of the refusal."""

    action: str
    command: dict[str, Any]
    code: str
    at: str


class ReplayResult(msgspec.Struct, frozen=True):
    """What a replay of the fight found at its own table: the first step that did not match, and its action.

    `differs` is the first step that comes out otherwise without names; `stopped` says where the fight without
    names could not go on.
    """

    ok: bool
    failed: int = 0
    action: str = ""
    differs: int = 0
    stopped: str = ""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A report as a file. `fight` is the exported encounter without names, to be replayed like any other."""

    format: str = FORMAT
    version: int = VERSION
    program: str = PROGRAM
    release: str = RELEASE
    made: str
    python: str
    django: str
    database: str
    machine: str
    browser: dict[str, str]
    said: str
    seats: dict[str, int]
    check: ReplayResult
    refusal: Refusal | None
    error: dict[str, Any] | None
    fight: msgspec.Raw


def keep_refusal(encounter: int, fields: dict[str, str], refused: Refused) -> None:
    """Remember what was refused last: for a report, in the cache alone."""
    kept = {name: value[:200] for name, value in list(fields.items())[:40] if name not in LEFT_OUT}
    now = timezone.now().isoformat(timespec="seconds")
    cache.set(f"refused:{encounter}", {"fields": kept, "code": refused.code, "at": now}, SECONDS)


def make_report(encounter: Encounter, address: str, said: str, browser: dict[str, str]) -> bytes:
    """The report of an encounter as readable JSON; Refused("busy") if its replay takes too long."""
    system: System = find_system(encounter.system)
    document = read_history(encounter)
    verdict, bare = replay_in_time(document), make_anonymous(system, document)
    report = Report(
        made=timezone.now().isoformat(timespec="seconds"),
        python=platform.python_version(),
        django=django.get_version(),
        database=connection.vendor,
        machine=platform.system(),
        browser={name: value[:MAX_BROWSER] for name, value in browser.items()},
        said=said[:MAX_SAID],
        seats=_count_seats(encounter),
        check=_sum_up(document, verdict, bare),
        refusal=_find_refusal(encounter, system),
        error=find_error(address),
        fight=msgspec.Raw(write_document(bare.document)),
    )
    return msgspec.json.format(msgspec.json.encode(report), indent=1)


def _sum_up(document: Document, verdict: Verdict, bare: Anonymous) -> ReplayResult:
    action = document.steps[verdict.failed - 1].name if verdict.failed else ""
    differs = find_difference(document, bare.document)
    return ReplayResult(verdict.ok, verdict.failed, action, differs=differs, stopped=bare.stopped)


def _count_seats(encounter: Encounter) -> dict[str, int]:
    """How many people of each kind are at the table now."""
    kinds = list(encounter.seats.filter(ended=None).values_list("kind", flat=True))
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))}


def _find_refusal(encounter: Encounter, system: System) -> Refusal | None:
    found = cache.get(f"refused:{encounter.pk}")
    if not found:
        return None
    names, sent = Names(find_known_words(system)), found["fields"]
    action = names.change(sent.get("do", ""), "", "")
    known = _find_fields(system, sent.get("do", ""))
    fields = {name: value for name, value in sent.items() if FIELD.split(name)[0] in known}
    return Refusal(action, names.walk(fields), found["code"], found["at"])


def _find_fields(system: System, action: str) -> set[str]:
    """The fields of an action's command; in any other, digits may be a telephone number."""
    with suppress(Refused):
        return set(find_action(system, action).type.__struct_fields__)
    return set()


def read_report(raw: bytes) -> tuple[Report, bytes]:
    """A report from a file, and the document of its fight; Refused("bad_value") if it is none."""
    try:
        report = read_json(raw, Report)
    except (msgspec.ValidationError, msgspec.DecodeError) as wrong:
        raise Refused("bad_value", f"Not a report of a fault: {str(wrong)[:200]}") from None
    return report, bytes(report.fight)
