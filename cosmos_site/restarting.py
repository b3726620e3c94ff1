"""`play` starts again to restore a copy: the same process, with nothing left in its memory.

What listens stays open meanwhile: browsers that ask in that moment wait, and get the new page.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import ExitStack, contextmanager, suppress

import msgspec
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session

from characters.accounts.users import find_host
from combat.backups import restore
from combat.backups.handover import VARIABLE, Handover, Outcome, restarter
from combat.backups.manifest import BackupError
from combat.play.writing.renewal import renew_all_dice

LISTENERS = "COSMOS_LISTENER"  # the numbers of the sockets that the new process inherits


@contextmanager
def ready_to_restart(stop: Callable[[], object], listeners: Sequence[socket.socket]) -> Iterator[None]:
    """Let the page of copies stop the server that runs in this block, and start again for a restore."""
    port, restarter.stop = listeners[0].getsockname()[1], stop
    with ExitStack() as held:
        kept = [held.enter_context(listener.dup()) for listener in listeners]  # the server closes its own
        try:
            yield
        finally:
            restarter.stop = None
        if restarter.wanted:
            start_again(restarter.wanted, port, kept)


def start_again(wanted: Handover, port: int, listeners: Sequence[socket.socket]) -> None:
    """Replace this process by a new one that restores; it does not return."""
    words = [sys.executable, *sys.orig_argv[1:]]
    environment = os.environ | {VARIABLE: msgspec.json.encode(wanted).decode()}
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "nt":  # there a process cannot be replaced, and sockets are not inherited
        for listener in listeners:
            listener.close()
        sys.exit(subprocess.call([*words, "--port", str(port)], env=environment))  # noqa: S603 - our own command line
    for listener in listeners:
        listener.set_inheritable(True)
    numbers = ",".join(str(listener.fileno()) for listener in listeners)
    os.execve(sys.executable, words, environment | {LISTENERS: numbers})  # noqa: S606 - no shell is wanted


def adopt_listeners(environment: MutableMapping[str, str] = os.environ) -> list[socket.socket]:
    """The sockets that the former process has left open, if any."""
    found = []
    with suppress(KeyError, ValueError, OSError):
        for number in environment.pop(LISTENERS).split(","):
            found.append(socket.socket(fileno=int(number)))
            found[-1].set_inheritable(False)
    return found


def finish_restore(environment: MutableMapping[str, str] = os.environ) -> Outcome | None:
    """Restore the copy that the former process was asked for, if any. For `play`, before it opens."""
    word = environment.pop(VARIABLE, "")
    if not word:
        return None
    wanted = msgspec.json.decode(word, type=Handover)
    try:
        kept = restore(wanted.path)
        renew_all_dice()
        keep_signed_in(wanted.session)
    except BackupError as problem:
        restarter.outcome = Outcome(str(problem), done=False)
    else:
        aside = f" What was there before is kept in {kept.name}." if kept else ""
        sentence = f"The table is as it was in {wanted.path.name}. Its fights go on with new dice.{aside}"
        restarter.outcome = Outcome(sentence, done=True)
    return restarter.outcome


def keep_signed_in(session: str) -> None:
    """Sign the browser with this session in as the host of the restored table."""
    host = find_host()
    if host is None or not session:
        return
    store = SessionStore()
    said = {
        SESSION_KEY: str(host.pk),
        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
        HASH_SESSION_KEY: host.get_session_auth_hash(),
    }
    content = {"session_data": store.encode(said), "expire_date": store.get_expiry_date()}
    Session.objects.update_or_create(session_key=session, defaults=content)
