"""Start the table on this machine, in one command."""

import errno
import io
import os
import signal
import socket
import sys
import textwrap
import threading
from argparse import ArgumentParser
from typing import Any

import segno
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from characters.accounts.people import can_sign_in_alone, find_or_make_gm, make_sign_in_link
from characters.management.links import describe_link
from combat.play.demo import ensure_demo
from cosmos_site.base.addresses import bracket, find_own_addresses
from cosmos_site.base.data_lock import AlreadyInUse, lock_data_directory, tell_address
from cosmos_site.base.system_errors import find_damage

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - players' phones are to reach the table


class Command(BaseCommand):
    """`manage.py play`"""

    help = "Starts the table: prepares its data, prints the addresses and serves until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to listen, and where the data is."""
        parser.add_argument(
            "--host", default=EVERYWHERE[0], help="the address to listen on (%(default)s: all)"
        )
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on (%(default)s)")
        parser.add_argument("--data", metavar="DIR", help=f"the data directory ({settings.COSMOS_DATA})")
        parser.add_argument("--no-demo", action="store_true", help="start without the demo fight")

    def handle(self, *, host: str, port: int, no_demo: bool, **options: Any) -> None:
        """Take the port, open the table, close it on Ctrl-C."""
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            with lock_data_directory(settings.COSMOS_DATA), open_listener(host, port) as listener:
                self.run_table(listener, host, with_demo=not no_demo)
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

    def run_table(self, listener: socket.socket, host: str, with_demo: bool) -> None:
        """Prepare, tell, serve."""
        gm = self.prepare(with_demo)
        from cosmos_site.server import make_server  # reads the static files that have just been collected

        server = make_server()
        server.handle_signals()
        port = listener.getsockname()[1]
        self.welcome(gm, host, port)
        with tell_address(settings.COSMOS_DATA, find_here(host, port)):
            server.run(sockets=[listener])

    def prepare(self, with_demo: bool) -> User:
        """Bring the data up to this version, and see that there is a game master and a fight to look at."""
        self.stdout.write("Preparing the table …")
        self.stdout.flush()
        if damage := find_damage():
            raise CommandError(damage)
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        gm = find_or_make_gm()
        if with_demo:
            ensure_demo(gm)
        return gm

    def welcome(self, gm: User, host: str, port: int) -> None:
        """Print the addresses, how the game master gets in, and a QR code for the players' phones."""
        here = find_here(host, port)
        network = [f"http://{address}:{port}" for address in find_own_addresses() if host in EVERYWHERE]
        lines = ["", "Cosmos Table is open.", ""]
        lines += [f"  In your network: {address}/" for address in network]
        lines += [f"  On this machine: {here}/"]
        lines += [draw_qr_code(f"{network[0]}/", self.stdout.encoding)] if network else []
        lines += ["", *describe_way_in(gm, here), "", f"Data: {settings.COSMOS_DATA}", "Stop with Ctrl-C."]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def find_here(host: str, port: int) -> str:
    """The address of the table on this machine."""
    return f"http://{'localhost' if host in EVERYWHERE else bracket(host)}:{port}"


def open_listener(host: str, port: int) -> socket.socket:
    """A socket that listens there; `CommandError` in plain words if that cannot be.

    It says that it speaks TCP, as its connections then do: only of those asyncio knows that small answers are
    to go out at once, instead of about 40 ms later.
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
        raise CommandError(f"Cannot listen on {host}, port {port}: {problem}") from None


def describe_way_in(gm: User, address: str) -> list[str]:
    """How the game master signs in: by a fresh link as long as there is no other way."""
    if can_sign_in_alone(gm):
        return [f"Sign in as {gm.username}. Locked out? manage.py reset_access {gm.username}"]
    link = describe_link(make_sign_in_link(gm), address)
    return [f"Sign in as {gm.username} with this link. It works once, within 24 hours:", f"  {link}"]


def draw_qr_code(address: str, encoding: str | None) -> str:
    """The address as a QR code of half blocks, or nothing where the terminal cannot show them."""
    drawing = io.StringIO()
    segno.make(address, micro=False).terminal(drawing, border=2, compact=True)
    try:
        drawing.getvalue().encode(encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return textwrap.indent(drawing.getvalue(), "  ")


def leave_unfinished_pages() -> None:
    """End the process if a page is still being made: Python would wait for its thread without a limit."""
    for thread in threading.enumerate():
        if thread.name.startswith("WSGI"):
            thread.join(0.2)
            if thread.is_alive():
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)
