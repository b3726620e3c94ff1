"""Start the table on this machine, in one command."""

import errno
import io
import os
import signal
import socket
import ssl
import sys
import textwrap
import threading
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import segno
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from characters.accounts.users import can_sign_in_alone, find_or_make_gm, make_sign_in_link
from characters.management.links import describe_link
from combat.backups import note_release
from combat.backups.schema import find_waiting, tell_other_tables
from combat.play.demo import ensure_demo
from combat.play.writing.renewal import settle_all_players
from cosmos_site.base.data_lock import AlreadyInUse, lock_data_directory, tell_address
from cosmos_site.base.outside import EVERYWHERE, OUTSIDE, bracket, find_own_addresses, is_local
from cosmos_site.base.system_errors import find_damage
from cosmos_site.bundles.finder import collect
from cosmos_site.elsewhere.views import keep_cookies_apart, read_at, read_certificate
from cosmos_site.restarting import adopt_listeners, finish_restore, ready_to_restart

ABSENT = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)  # such as IPv6, where a machine has none
# `socket.create_server` keeps only the number of a name that was not found
UNKNOWN = {socket.EAI_NONAME, socket.EAI_AGAIN, socket.EAI_FAIL}


class Command(BaseCommand):
    """`manage.py play`"""

    help = "Starts the table: prepares its data, prints the addresses and serves until Ctrl-C."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The address to listen on, and the data directory."""
        parser.add_argument(
            "--host",
            default=EVERYWHERE[0],
            help="the address to listen on (%(default)s: all of IPv4; ::, all of IPv6 too)",
        )
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on (%(default)s)")
        parser.add_argument("--data", metavar="DIR", help=f"the data directory ({settings.COSMOS_DATA})")
        parser.add_argument("--no-demo", action="store_true", help="start without the demo fight")
        elsewhere = parser.add_argument_group("players elsewhere (/help/elsewhere/)")
        elsewhere.add_argument(
            "--at", metavar="https://NAME", type=read_at, help="the address of your tunnel or proxy"
        )
        elsewhere.add_argument("--cert", metavar="FILE", default="", help="serve https with this certificate")
        elsewhere.add_argument("--key", metavar="FILE", default="", help="the key of the certificate")

    def handle(self, *, host: str, port: int, no_demo: bool, **options: Any) -> None:
        """Take the port, open the table, and close it on Ctrl-C."""
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        keep_private()
        encryption = read_certificate(options["cert"], options["key"])
        if encryption:
            keep_cookies_apart()
        OUTSIDE.begin(options["at"])
        try:
            with lock_data_directory(settings.COSMOS_DATA), listen(host, port) as listeners:
                self.run_table(listeners, host, encryption, with_demo=not no_demo)
        except AlreadyInUse:
            raise CommandError(
                f"A table runs with the data in {settings.COSMOS_DATA} already. "
                "Stop it first, or choose another directory: --data DIR"
            ) from None
        except KeyboardInterrupt:  # before it was open
            pass
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C would only spoil the exit code
        self.stdout.write("\nStopped. Everything is saved.")
        leave_unfinished_pages()

    def run_table(
        self,
        listeners: list[socket.socket],
        host: str,
        encryption: ssl.SSLContext | None,
        with_demo: bool,
    ) -> None:
        """Prepare the data, print the addresses, and serve."""
        gm = self.prepare(with_demo)
        import cosmos_site.urls  # noqa: F401 - all pages: not while the first one is asked for
        from cosmos_site.server import make_server  # reads the static files that may be just collected

        server = make_server(encryption)
        server.handle_signals()
        scheme, port = "https" if encryption else "http", listeners[0].getsockname()[1]
        here = find_here(scheme, host, port)
        network = [f"{scheme}://{bracket(one)}:{port}" for one in find_network_hosts(listeners)]
        self.welcome(gm, here, network)
        with ready_to_restart(server.stop, listeners), tell_address(settings.COSMOS_DATA, here):
            server.run(sockets=listeners)

    def prepare(self, with_demo: bool) -> User:
        """Bring the data up to this version; make a GM and a demo fight if they are missing."""
        self.stdout.write("Preparing the table …")
        self.stdout.flush()
        if restored := finish_restore():
            self.stdout.write(restored.sentence)
        if damage := find_damage():
            raise CommandError(damage)
        update_data()
        collect()
        gm = find_or_make_gm()
        if with_demo:
            ensure_demo(gm)
        return gm

    def welcome(self, gm: User, here: str, network: list[str]) -> None:
        """Print the addresses, how the GM signs in, and a QR code for the players' phones."""
        lines = ["", "Cosmos Table is open.", ""]
        lines += [f"  From anywhere: {address}/" for address in OUTSIDE.addresses]
        lines += [f"  In your network: {address}/" for address in network]
        lines += [f"  On this machine: {here}/"]
        for_phones = [*OUTSIDE.addresses, *network]
        lines += [draw_qr_code(f"{for_phones[0]}/", self.stdout.encoding)] if for_phones else []
        lines += ["", *describe_way_in(gm, here), "", f"Data: {settings.COSMOS_DATA}", "Stop with Ctrl-C."]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def keep_private() -> None:
    """Let nobody but the owner read the data, whoever may open its directory."""
    os.umask(0o077)
    with suppress(OSError):  # of a disk that knows no owners
        for file in settings.COSMOS_DATA.glob("table.sqlite3*"):
            file.chmod(0o600)


def update_data() -> None:
    """Apply the migrations that wait; if none does, only note the release. Refuse tables of another version.

    `migrate` would ask every app about its rights again, which takes three times as long as this look.
    """
    if find_waiting():
        call_command("migrate", verbosity=0, interactive=False)
    elif odd := tell_other_tables():
        raise CommandError(odd)
    else:
        note_release()
    settle_all_players()


def find_here(scheme: str, host: str, port: int) -> str:
    """The address of the table on this machine."""
    return f"{scheme}://{'localhost' if host in EVERYWHERE else bracket(host)}:{port}"


def find_network_hosts(listeners: Sequence[socket.socket]) -> list[str]:
    """The addresses of this machine where others in its network reach these sockets."""
    found: list[str] = []
    for listener in listeners:
        address = listener.getsockname()[0]
        own = find_own_addresses(listener.family) if address in EVERYWHERE else [address]
        found += [one for one in own if not is_local(bracket(one))]
    return sorted(found, key=lambda one: ":" in one)  # those that are typed more easily first


@contextmanager
def listen(host: str, port: int) -> Iterator[list[socket.socket]]:
    """The sockets that a restart has left open, else new ones: two where both families are asked for."""
    with ExitStack() as held:
        found = [held.enter_context(one) for one in adopt_listeners()]
        if not found:
            found.append(held.enter_context(open_listener(host, port)))
            if host == EVERYWHERE[1]:
                port = found[0].getsockname()[1]
                found.append(held.enter_context(open_listener(EVERYWHERE[0], port)))
        yield found


def open_listener(host: str, port: int) -> socket.socket:
    """A socket that listens there; `CommandError` in plain words if it cannot.

    The socket names TCP as its protocol, and so do its connections: only then does asyncio send small answers
    at once, instead of about 40 ms later.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        opened = socket.create_server((host, port), family=family)
        return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=opened.detach())
    except (OSError, OverflowError) as problem:
        if getattr(problem, "errno", None) == errno.EADDRINUSE:
            raise CommandError(
                f"Port {port} is already in use here. Choose another: --port {port + 1}"
            ) from None
        raise CommandError(f"Cannot listen on {host}, port {port}: {find_cause(problem)}") from None


def find_cause(problem: OSError | OverflowError) -> str:
    """Why no socket listens, and what works."""
    if isinstance(problem, OverflowError):
        return "a port is 0 to 65535, such as --port 8000."
    if problem.errno in UNKNOWN.union(ABSENT):
        return "that is no address of this machine. Without --host the table listens on all of them."
    if problem.errno == errno.EACCES:
        return "only the administrator may open it. Choose one from 1024, such as --port 8000."
    return str(problem)


def describe_way_in(gm: User, address: str) -> list[str]:
    """How the GM signs in: by a fresh link as long as there is no other way."""
    if can_sign_in_alone(gm):
        return [f"Sign in as {gm.username}. Locked out? {settings.COMMAND} reset_access {gm.username}"]
    link = describe_link(make_sign_in_link(gm), address)
    return [f"Sign in as {gm.username} with this link. It works once, within 24 hours:", f"  {link}"]


def draw_qr_code(address: str, encoding: str | None) -> str:
    """The address as a QR code of half blocks, or empty if the terminal cannot show them."""
    drawing = io.StringIO()
    segno.make(address, micro=False).terminal(drawing, border=2, compact=True)
    try:
        drawing.getvalue().encode(encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return textwrap.indent(drawing.getvalue(), "  ")


def leave_unfinished_pages() -> None:
    """End the process if a page is still being made: Python would wait for its thread without a limit."""
    from combat.pages.table.stream import NAME  # the server has imported them
    from cosmos_site.serving import THREADS

    for thread in threading.enumerate():
        if thread.name.startswith((THREADS, NAME)):
            thread.join(0.2)
            if thread.is_alive():
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)
