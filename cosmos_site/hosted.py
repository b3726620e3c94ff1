"""What a worker of a hosted site needs before it serves, and what `check --deploy` says of it."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from wsgiref.util import setup_testing_defaults

from a2wsgi.wsgi_typing import WSGIApp
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core import checks
from django.db import connection

from .base.data_lock import AlreadyInUse, CannotStart, lock_data_directory
from .bundles.finder import BUNDLES
from .launch import tell_missing
from .serving import make_answer

Made = TypeVar("Made")
STARTUP_FAILURE = 3  # the exit code after which uvicorn starts no worker again
SECOND_WORKER = (
    "Another worker serves the data in {}: a site on SQLite, or without REDIS_URL, has one worker. "
    "More of them need DATABASE_URL and REDIS_URL."
)
NOT_COLLECTED = (
    "The static files in {} are not those of this release ({} is missing): run collectstatic first."
)
ONE_WORKER = "This site can have one worker: a second one stops as it starts. More need {}."


def begin(make: Callable[[], Made], environment: Mapping[str, str] = os.environ) -> Made:
    """What `make` makes, with the settings as a hosted site needs them; ends the process where they are not.

    `play` has read the settings before, and needs none of the variables.
    """
    try:
        if not settings.configured and (missing := tell_missing(environment)):
            raise CannotStart(missing)
        return make()
    except CannotStart as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(STARTUP_FAILURE)


@contextmanager
def hold_data() -> Iterator[None]:
    """Keep other workers off data that only one can serve; CannotStart if another one serves it."""
    if not is_for_one():
        yield
        return
    try:
        with lock_data_directory(settings.COSMOS_DATA):
            yield
    except AlreadyInUse:
        raise CannotStart(SECOND_WORKER.format(settings.COSMOS_DATA)) from None


def refuse_missing_files() -> None:
    """CannotStart if `collectstatic` has not run with these files: a page that names a missing one fails."""
    known = getattr(staticfiles_storage, "hashed_files", None)
    if known is None:
        return
    files = (
        (place, file) for place in settings.STATICFILES_DIRS for file in place.rglob("*") if file.is_file()
    )
    names = {*BUNDLES, *(file.relative_to(place).as_posix() for place, file in files)}
    if missing := min(names - known.keys(), default=""):
        raise CannotStart(NOT_COLLECTED.format(settings.STATIC_ROOT, missing))


def warm(pages: WSGIApp) -> None:
    """Import all games, and by one visit what all pages share: else the first visitor waits for that."""
    from combat.rules import SYSTEMS, find_system  # not before the apps are ready

    for slug in SYSTEMS:
        find_system(slug)
    host = settings.ALLOWED_HOSTS[0].lstrip(".").replace("*", "localhost")
    asked: dict[str, Any] = {"HTTP_HOST": host, "PATH_INFO": "/"}
    asked["wsgi.url_scheme"] = "https" if settings.COSMOS_HTTPS else "http"
    setup_testing_defaults(asked)
    make_answer(pages, asked)


def is_for_one() -> bool:
    """Whether workers would not know of each other, or would wait for each other's writing."""
    return connection.vendor == "sqlite" or not settings.REDIS_URL


def check_variables(**_: Any) -> list[checks.CheckMessage]:
    """For `check --deploy`: variables that are missing, and what the others allow."""
    found: list[checks.CheckMessage] = []
    if missing := tell_missing(os.environ):
        found.append(checks.Warning(missing, id="cosmos_site.W001"))
    if is_for_one():
        needed = ["DATABASE_URL"] * (connection.vendor == "sqlite") + ["REDIS_URL"] * (not settings.REDIS_URL)
        found.append(checks.Info(ONE_WORKER.format(" and ".join(needed)), id="cosmos_site.I001"))
    return found
