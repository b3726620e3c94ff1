"""The tables of a load run: made in one process, checked in another when it is over."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.combat.server import Site
from tests.site.hosting.table import manage

KINDS = ("gm", "play", "play", "play", "play", "watch")  # of the people at a table

MAKE = """
import json, sys
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from combat.models import Encounter, ShareLink, StoredStep
from combat.play.writing.encounter_service import Submission, read_state, submit
from combat.sharing.access import SEATS
from combat.sharing.links import Arrival, make_link, take_seat

tables, kinds, file = int({tables}), {kinds!r}, {file!r}
first = Encounter.objects.get()
submit(first.pk, Submission("start"))
first.refresh_from_db()
steps = list(first.log.all())
people = sorted(read_state(first).combatants)  # player n plays the combatant n

def copy(number):
    owner = User.objects.create(username=f"gm-{{number}}", password="!")
    made = Encounter.objects.get(pk=first.pk)
    made.pk, made.owner, made.name = None, owner, f"Table {{number}}"
    made.save()
    for step in steps:
        step.pk, step.encounter = None, made
    StoredStep.objects.bulk_create(steps)
    return made

def sign_in(user):
    session = SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return session.session_key

def sit(table, kind, number):
    link, _ = make_link(table, kind, f"{{kind}} {{number}}")
    seat, secret = take_seat(link, Arrival(f"Guest {{number}}"), None)
    seat.combatants = people[number - 1:number] if kind == "play" else []
    seat.save()
    session = SessionStore()
    session[SEATS] = {{str(table.pk): secret}}
    session.save()
    return session.session_key

made = []
for number in range(tables):
    table = copy(number)
    keys = [sign_in(table.owner) if kind == "gm" else sit(table, kind, n) for n, kind in enumerate(kinds)]
    made.append({{"table": table.pk, "sessions": keys}})
open(file, "w").write(json.dumps(made))
"""

CHECK = """
import json, re
from collections import Counter
from combat.models import Encounter
from combat.play.writing.verification import verify

found = {{}}
for table in Encounter.objects.filter(pk__in={pks!r}):
    rows, wrong = list(table.log.all()), ""
    try:
        verify(table)
    except RuntimeError as problem:
        wrong = str(problem)
    if [row.number for row in rows] != list(range(1, table.steps + 1)):
        wrong = wrong or "its steps do not count 1, 2, 3"
    texts = [bytes(row.record).decode() for row in rows]
    marks = Counter(mark for text in texts for mark in set(re.findall(r"load-\\d+-\\d+", text)))
    found[table.pk] = {{
        "marks": marks, "turns": sum(row.name == "next_turn" for row in rows), "wrong": wrong,
        "steps": table.steps, "bytes": sum(len(row.record) + len(row.after) for row in rows),
        "stamps": {{"gm": table.stamp(True), "play": table.stamp(False, True), "watch": table.stamp(False)}},
    }}
open({file!r}, "w").write(json.dumps(found))
"""


@dataclass(frozen=True)
class Kept:
    """A table in the database at the end, and the stamps that its pages should have."""

    marks: dict[str, int]
    turns: int
    wrong: str
    steps: int
    bytes: int
    stamps: dict[str, str]


def make_tables(site: Site, count: int, folder: Path) -> list[dict[str, Any]]:
    """Make n tables in their first turn, with everyone signed in or seated: numbers and sessions."""
    file = folder / "tables.json"
    _run(site, MAKE.format(tables=count, kinds=KINDS, file=str(file)))
    made: list[dict[str, Any]] = json.loads(file.read_text())
    return made


def check_tables(site: Site, pks: list[int], folder: Path) -> dict[int, Kept]:
    """The stored tables, each compared with a fresh fold of its history."""
    file = folder / "kept.json"
    _run(site, CHECK.format(pks=pks, file=str(file)))
    return {int(pk): Kept(**kept) for pk, kept in json.loads(file.read_text()).items()}


def _run(site: Site, script: str) -> None:
    done = manage("shell", "--no-imports", "-c", script, **site.environment)
    assert done.returncode == 0, done.stderr
