"""The data of a table on either engine, its command line, and a row in every table of it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import dj_database_url
import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import DEFAULT_DB_ALIAS as DEFAULT
from django.db import connections
from django.db.utils import ConnectionHandler
from django.test import override_settings

from characters.accounts.users import make_sign_in_link
from combat.backups.schema import KEYS
from cosmos_site import settings as site
from cosmos_site.base import data_lock
from cosmos_site.cli import run
from tests.combat.services import make_database, needs_services
from tests.site.hosting.table import KEY, manage

KINDS = ["sqlite", pytest.param("postgresql", marks=[needs_services, pytest.mark.slow])]
SUFFIX = {"sqlite": ".sqlite3", "postgresql": ".json.gz"}


@dataclass(frozen=True)
class Store:
    """A table's data, and its command line."""

    kind: str
    folder: Path
    database: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """The environment that tells the program where the data is."""
        found = {"COSMOS_DATA": str(self.folder), "COSMOS_SECRET_KEY": KEY, "COSMOS_LOG_LEVEL": "ERROR"}
        return found | ({"DATABASE_URL": self.database} if self.database else {})

    @property
    def place(self) -> Path:
        """The SQLite database."""
        return self.folder / "table.sqlite3"

    @contextmanager
    def open(self, file: Path | None = None) -> Iterator[Any]:
        """The database itself, or another SQLite file."""
        if self.kind == "sqlite" or file:
            with closing(sqlite3.connect(file or self.place, isolation_level=None)) as base:
                yield base
        else:
            with psycopg.connect(self.database, autocommit=True) as base:
                yield base

    def change(self, sql: str) -> None:
        """Change the database directly."""
        with self.open() as base:
            base.execute(sql)

    def read(self) -> dict[str, list[str]]:
        """Every row of every table; of migrations only their names."""
        with self.open() as base:
            names = [name for (name,) in base.execute(TABLES[self.kind]).fetchall()]
            return {name: read_table(base, name) for name in names}

    def read_lasting(self) -> dict[str, list[str]]:
        """The same without what a restore replaces: dice, the steps that publish their seals, keys."""
        with self.open() as base:
            fights = base.execute(f"SELECT {LASTING} FROM combat_encounter ORDER BY id").fetchall()
            steps = base.execute(
                "SELECT * FROM combat_storedstep WHERE kind <> 'seal' ORDER BY id"
            ).fetchall()
        lasting = {"combat_encounter": [*map(str, fights)], "combat_storedstep": [*map(str, steps)]}
        return {name: rows for name, rows in (self.read() | lasting).items() if name not in KEYS}

    def make_way_in(self) -> str:
        """The path of a fresh sign-in link for the GM: restores leave none."""
        with self.use():
            return f"/sign-in/{make_sign_in_link(User.objects.get(username='gm'))}/"

    def find_secrets(self) -> set[str]:
        """The secrets of the dice of all fights."""
        with self.open() as base:
            return {
                secret for (secret,) in base.execute("SELECT dice_secret FROM combat_encounter").fetchall()
            }

    @contextmanager
    def use(self) -> Iterator[None]:
        """Let this process work with its data, as a process with its environment would."""
        sqlite = {**site.SQLITE, "NAME": self.place, "OPTIONS": site.SQLITE_OPTIONS}
        where = {**dj_database_url.parse(self.database)} if self.database else sqlite
        own, other = connections[DEFAULT], ConnectionHandler({DEFAULT: where})[DEFAULT]
        connections[DEFAULT] = other
        variables = {"COSMOS_HOSTS": "table.example", "COSMOS_DATA": str(self.folder)}
        try:
            with (
                patch.dict(os.environ, variables),
                override_settings(COSMOS_DATA=self.folder, SECRET_KEY=KEY, COSMOS_VERIFY=False),
            ):
                yield
        finally:
            other.close()
            connections[DEFAULT] = own

    def try_out(self, *words: str | Path) -> tuple[int, str, str]:
        """Run a command to its end, from its command line on; return its code, output and complaints."""
        with self.use(), redirect_stdout(StringIO()) as said, redirect_stderr(StringIO()) as complained:
            try:
                run(["manage.py", *map(str, words)])
                code = 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1
                complained.write("" if isinstance(end.code, int) else f"{end.code}\n")
        return code, said.getvalue(), complained.getvalue()

    def run(self, *words: str | Path) -> str:
        """Run a command that works; return its output."""
        code, said, complained = self.try_out(*words)
        assert code == 0, complained
        return said

    def fail(self, *words: str | Path) -> str:
        """Run a command that is refused in plain words; return them."""
        code, said, complained = self.try_out(*words)
        assert code == 1, said
        return complained

    def run_apart(self, *words: str | Path) -> str:
        """Run a command that works, in a process of its own as a person does; return its output."""
        done = manage(*map(str, words), **self.environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def fail_apart(self, *words: str | Path) -> str:
        """Run a command that is refused in plain words, in a process of its own; return them."""
        done = manage(*map(str, words), **self.environment)
        assert done.returncode == 1, done.stdout
        assert "Traceback" not in done.stderr
        return done.stderr

    def refuse(self, *words: str | Path) -> str:
        """Run a command that is refused in plain words and changes and leaves nothing; return the words."""
        before, files = self.read(), self.find_files()
        said = self.fail(*words)
        assert self.read() == before
        assert self.find_files() == files
        return said

    def find_files(self) -> list[Path]:
        """The files in its directory; not the empty lock file, which may be new and stays."""
        return sorted(
            path for path in self.folder.rglob("*") if path.is_file() and path.name != data_lock.NAME
        )


LASTING = "id, name, system, owner_id, start, state, undone, phase, round, combatants, rolled, archived"
TABLES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
}


def read_table(base: Any, name: str) -> list[str]:
    """The rows of a table; of migrations without their times."""
    columns = "app, name" if name == "django_migrations" else "*"
    return sorted(map(str, base.execute(f'SELECT {columns} FROM "{name}"').fetchall()))


@contextmanager
def make_store(kind: str, folder: Path) -> Iterator[Store]:
    """Data of a table with no database yet."""
    folder.mkdir(exist_ok=True)
    if kind == "sqlite":
        yield Store(kind, folder)
    else:
        with make_database() as address:
            yield Store(kind, folder, address)


PORTRAIT = """
from characters.services.character_service import create, keep_portrait
from characters.models import Character
from django.contrib.auth.models import User
from combat.models import Encounter
gm = User.objects.get(username="gm")
sheet = {"attributes": dict.fromkeys(("PRE", "RES", "INT", "MIG", "AWA", "COO"), 4)}
made = create(gm, "cosmos", "Zoë – \\u201cthe\\u201d one", sheet, notes="line\\nline\\t\\\\N")
keep_portrait(made.pk, "abc", bytes(range(256)), by="gm")
"""

# A row for each table that a demo fight and a portrait leave empty.
THE_REST = """
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from characters.gear.models import OwnItem
from characters.models import SeenHint, SheetLink
from characters.services.character_service import keep_roll
from combat.models import Branch, Campaign, CampaignMember, Chest, Handout, HandoutShowing, Note
from combat.models import GuestSheet, JoinCode, LateJoin, Pack, PackUse, Participation
from combat.models import CampaignCalendar, EveningAnswer, GameEvening
from combat.models import GivenFight, ScenePicture, Seat, ShareLink, Transfer
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
both = {"open_command": b"\\x00{}\\xff", "start": b"{}", "state": b"\\x00\\xff", "undone": [3, 2]}
fight = Encounter.objects.create(owner=gm, name="TableContent", system="cosmos", archived=True, **both)
link = ShareLink.objects.create(encounter=fight, kind="play", name="Friends", digest="a" * 64, uses_left=3)
JoinCode.objects.create(link=link, digest="1" * 64, nonce="n", expires=timezone.now())
seat = Seat.objects.create(encounter=fight, link=link, name="Pia", kind="play", digest="b", combatants=["f1"])
GivenFight.objects.create(encounter=fight, digest="g" * 64, nonce="n", document=b"pack", state=b"state")
ShareLink.objects.create(encounter=fight, kind="play", name="Phone", digest="c" * 64, moves=seat)
Seat.objects.create(encounter=fight, link=None, user=gm, name="gm", kind="watch", digest="d")
Participation.objects.create(encounter=fight, character=made, combatant="f1")
GuestSheet.objects.create(seat=seat, character=made)
LateJoin.objects.create(encounter=fight, fields={"name": "Pim"}, by="Pia", character=made, seat=seat)
campaign = Campaign.objects.create(owner=gm, name="Long", notes="secret\\n", options={"cosmos": {"a": True}})
CampaignMember.objects.create(campaign=campaign, character=made)
Chest.objects.create(campaign=campaign, system="cosmos", things=[{"key": "t1", "count": 2}], money=10**11)
Transfer.objects.create(campaign=campaign, system="cosmos", giver=made, giver_name="Zoë", what="Knife")
evening = GameEvening.objects.create(campaign=campaign, starts=timezone.now(), zone="Europe/Berlin", uid="u")
EveningAnswer.objects.create(evening=evening, character=made, reply="maybe", starts=evening.starts, note="–")
CampaignCalendar.objects.create(campaign=campaign, digest="c" * 64, nonce="n")
handout = Handout.objects.create(campaign=campaign, title="Map", image=bytes(range(256)), digest="e" * 64)
HandoutShowing.objects.create(handout=handout, encounter=fight, seat=seat)
Note.objects.create(seat=seat, about="own", text="Trust nobody", revision=1)
pack = Pack.objects.create(owner=gm, name="Pack", digest="9" * 64, document=bytes(range(256)))
PackUse.objects.create(pack=pack, campaign=campaign, made={"items": [{"pk": 1}]})
ScenePicture.objects.create(encounter=fight, digest="f" * 64, image=bytes(range(256)), width=2, height=3)
tried = {"start": b"\\x00\\xff", "state": b"\\x00", "record": b"[]", "waiting": b"{}", "secret": "c" * 64}
Branch.objects.create(encounter=fight, owner="person 1", number=1, role="gm", after=2, seen=3, **tried)
OwnItem.objects.create(owner=gm, system="cosmos", kind="weapons", name="Zap", record={"a": [1, None, "ü"]})
keep_roll(made, [{"text": "7"}], "gm")
SeenHint.objects.create(user=gm, key="gm-act")
SheetLink.objects.create(character=made, digest="2" * 64, nonce="n")
mail = EmailAddress.objects.create(user=gm, email="gm@table.example")
EmailConfirmation.objects.create(email_address=mail, key="k", sent=timezone.now())
Authenticator.objects.create(user=gm, type="totp", data={"secret": "s"})
group = Group.objects.create(name="crew")
group.permissions.add(Permission.objects.first())
gm.groups.add(group)
gm.user_permissions.add(Permission.objects.last())
session = SessionStore()
session["seats"] = {"1": "x"}
session.create()
"""
