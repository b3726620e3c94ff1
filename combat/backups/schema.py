"""The tables of this release, built by its migrations, to compare a backup with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from allauth.mfa.models import Authenticator
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connections
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.graph import MigrationGraph
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model
from django.utils import timezone

from characters.models import SheetLink, SignInLink
from combat.models import CampaignCalendar, Encounter, GivenFight, JoinCode, ProgramToken, Seat, ShareLink
from combat.rules.core.basics.release import PROGRAM, RELEASE

from .manifest import BackupError, Manifest

DEFAULT = "default"
OTHER_TABLES = (
    "{place} has other tables than this version of {program}, {release}: {odd}. Nothing was changed. "
    "Open it with the version that made it, restore a copy from before its update, or start with other "
    "data{how}."
)
# The tables that copies leave empty: sessions of browsers, sign-in links, open codes, programs' tokens
MODELS = (Session, SignInLink, JoinCode, ProgramToken)
KEYS = tuple(model._meta.db_table for model in MODELS)


def find_strange(manifest: Manifest) -> str:
    """A migration of a backup that this release does not have; empty if it has all. No release has none."""
    if not manifest.migrations:
        return "no migrations"
    odd = set(manifest.migrations) - set(MigrationLoader(None).disk_migrations)
    return " ".join(min(odd)) if odd else ""


def check_schema(file: Path, manifest: Manifest) -> None:
    """Raise BackupError for a backup with migrations that this release does not know."""
    if odd := find_strange(manifest):
        raise BackupError(
            f"{file} was made by {manifest.program} {manifest.release}, which has other tables "
            f"({odd}): restore it with that release."
        )


def find_waiting() -> list[tuple[Migration, bool]]:
    """The migrations of this release that are not applied to the database."""
    executor = MigrationExecutor(connections[DEFAULT])
    return executor.migration_plan(executor.loader.graph.leaf_nodes())


def tell_other_tables() -> str:
    """A sentence if the tables, once nothing waits, are not those of this release; empty if they are."""
    odd = find_odd_table()
    if not odd:
        return ""
    is_file = connections[DEFAULT].vendor == "sqlite"
    place, how = (str(settings.COSMOS_DATA), " (--data DIR)") if is_file else ("The database", "")
    return OTHER_TABLES.format(place=place, program=PROGRAM, release=RELEASE, odd=odd, how=how)


def find_odd_table() -> str:
    """What the database has and this release does not, or the other way round, in a few words.

    Empty if there is nothing, or if migrations wait. It looks at the names of migrations, tables and columns.
    """
    executor = MigrationExecutor(connections[DEFAULT])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return ""
    ours = executor.loader.migrated_apps
    known = executor.loader.disk_migrations
    for app, name in executor.loader.applied_migrations:
        if app in ours and (app, name) not in known:
            return f"the migration {app} {name} is unknown here"
    with connections[DEFAULT].cursor() as cursor:
        there = set(connections[DEFAULT].introspection.table_names(cursor))
        for model in apps.get_models(include_auto_created=True):
            if odd := _find_odd_column(cursor, model._meta.db_table, _name_columns(model), there):
                return odd
    return ""


def _name_columns(model: type[Model]) -> set[str]:
    return {field.column for field in model._meta.local_concrete_fields if field.column}


def _find_odd_column(cursor: Any, table: str, wanted: set[str], there: set[str]) -> str:
    if table not in there:
        return f"there is no table {table}"
    cursor.execute(f"SELECT * FROM {connections[DEFAULT].ops.quote_name(table)} LIMIT 0")  # noqa: S608 - a quoted name of ours
    found = {column[0] for column in cursor.description}
    if missing := sorted(wanted - found):
        return f"{table} has no column {missing[0]}"
    return next((f"{table} has a column {name} too much" for name in sorted(found - wanted)), "")


def build(migrations: Iterable[tuple[str, str]] | None = None) -> None:
    """Bring the tables of a database to those of this release, or of the one that has these migrations."""
    executor = MigrationExecutor(connections[DEFAULT])
    graph = executor.loader.graph
    if migrations is None:
        executor.migrate(graph.leaf_nodes())
        return
    executor.migrate(_find_ends(graph, migrations))


def name_tables(migrations: Iterable[tuple[str, str]]) -> set[str]:
    """The tables that models have after these migrations."""
    loader = MigrationLoader(None)
    state = loader.project_state(_find_ends(loader.graph, migrations))
    return {model._meta.db_table for model in state.apps.get_models(include_auto_created=True)}


def _find_ends(graph: MigrationGraph, migrations: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The migrations of these on which none of the others builds."""
    known = set(migrations)
    return [one for one in known if not {child.key for child in graph.node_map[one].children} & known]


@contextmanager
def use_database(name: str | Path) -> Iterator[Any]:
    """Use another SQLite database in place of the table's own, also for other apps' migrations."""
    own = connections[DEFAULT]
    other = type(own)({**own.settings_dict, "NAME": str(name), "OPTIONS": {}}, DEFAULT)
    connections[DEFAULT] = other
    try:
        yield other
    finally:
        connections[DEFAULT] = own
        if other.connection is not None:
            other.connection.close()


# Who may open the table after a restore: nobody whom it would not let in now. No copy holds what opens a
# table by itself (KEYS). Accounts, links and seats that the present table has too keep what is stricter
# now: a changed password, a revoked link, an ended seat.


Account = tuple[str, datetime]  # the name, and when it was made: the same in every copy of one table


class Access(NamedTuple):
    """The accounts, sessions and links of a table, its open seats by encounter, and those that were removed;
    the links to its sheets, fights and calendars.
    """

    users: dict[Account, User]
    authenticators: list[Authenticator]
    sessions: list[Session]
    links: dict[str, ShareLink]
    seats: frozenset[tuple[int, str]]
    removed: list[Seat]
    sheets: frozenset[str]
    given: frozenset[str]
    calendars: frozenset[str]


def read_access() -> Access:
    """Who may open the present table."""
    return Access(
        {_name(user): user for user in User.objects.all()},
        list(Authenticator.objects.select_related("user")),
        list(Session.objects.filter(expire_date__gt=timezone.now())),
        links={link.digest: link for link in ShareLink.objects.all()},
        seats=frozenset(Seat.objects.filter(ended=None).values_list("encounter", "digest")),
        removed=list(Seat.objects.filter(removed=True).select_related("user")),
        sheets=frozenset(SheetLink.objects.values_list("digest", flat=True)),
        given=frozenset(GivenFight.objects.values_list("digest", flat=True)),
        calendars=frozenset(CampaignCalendar.objects.values_list("digest", flat=True)),
    )


def settle_access(now: Access | None) -> None:
    """Let nobody into the restored table whom the table of `now` would refuse; None if there was none."""
    for model in MODELS:
        model.objects.all().delete()
    users = {_name(user): user for user in User.objects.all()}
    if now is None or users.keys().isdisjoint(now.users):
        return  # a copy of another table: there is nothing to compare it with
    Session.objects.bulk_create(now.sessions)
    for name in users.keys() & now.users.keys():
        _settle_account(users[name], now.users[name], now.authenticators)
    for link in ShareLink.objects.all():
        _settle_link(link, now.links.get(link.digest))
    for seat in Seat.objects.filter(ended=None):
        if (seat.encounter_id, seat.digest) not in now.seats:
            Seat.objects.filter(pk=seat.pk).update(ended=timezone.now())
    for seat in now.removed:
        _settle_removal(seat, users.get(_name(seat.user)) if seat.user else None)
    SheetLink.objects.exclude(digest__in=now.sheets).delete()
    GivenFight.objects.exclude(digest__in=now.given).delete()
    CampaignCalendar.objects.exclude(digest__in=now.calendars).delete()


def _name(user: User) -> Account:
    return user.username, user.date_joined


def _settle_account(user: User, now: User, authenticators: list[Authenticator]) -> None:
    """The password, passkeys and authenticator app of now."""
    user.password, user.is_active = now.password, user.is_active and now.is_active
    user.save(update_fields=["password", "is_active"])
    wanted = {(one.type, str(one.data)): one for one in authenticators if one.user_id == now.pk}
    for old in Authenticator.objects.filter(user=user):
        if wanted.pop((old.type, str(old.data)), None) is None:
            old.delete()
    for one in wanted.values():
        more = {"created_at": one.created_at, "last_used_at": one.last_used_at}
        Authenticator.objects.create(user=user, type=one.type, data=one.data, **more)


def _settle_removal(seat: Seat, user: User | None) -> None:
    """Keep out whom the GM has removed by now, also if they came and went after the copy was made."""
    if Seat.objects.filter(pk=seat.pk).update(ended=seat.ended, removed=True):
        return
    if Encounter.objects.filter(pk=seat.encounter_id).exists():
        seat.user, seat.link = user, None
        seat.save(force_insert=True)


def _settle_link(link: ShareLink, now: ShareLink | None) -> None:
    """A link as it is now where that lets in fewer people; a link that is gone lets in nobody."""
    link.revoked = link.revoked or (now.revoked if now else timezone.now())
    if now:
        link.expires = min(filter(None, (link.expires, now.expires)), default=None)
        left = [uses for uses in (link.uses_left, now.uses_left) if uses is not None]
        link.uses_left = min(left, default=None)
    link.save(update_fields=["revoked", "expires", "uses_left"])
