"""The addresses at which a table on the GM's own machine is open to the internet.

`play --at` names one. A tunnel on the same machine asks for one, and the GM allows it or not. Nothing is
stored: it ends with the process. A hosted site never opens any: its names are in the settings.
"""

from __future__ import annotations

import re
import socket
import threading
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from combat.rules.core.basics.errors import Refused

LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
HOST_NAME = re.compile(rf"(?:{LABEL}\.)*(?!\d+\Z){LABEL}")
MAX_LENGTH = 253  # characters of a host name
MAX_ASKED, MAX_CLOSED = 3, 20  # names kept; the oldest gives way
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - all of IPv4, which phones in the network reach; those of both families
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
# A datagram socket "connected" to these sends nothing; it only shows which of our addresses it would use.
PRIVATE_NETWORKS = {
    socket.AF_INET: ("10.255.255.255", "172.31.255.255", "192.168.255.255", "203.0.113.1"),
    socket.AF_INET6: ("fdff:ffff:ffff::1", "2001:db8::1"),
}
NOT_IN_NETWORK = ("127.", "0.", "::", "fe80:")  # the last need the name of a way out, which no browser takes


def is_host_name(name: str) -> bool:
    """Whether it is the name of a host: no address, no port, no capitals."""
    return len(name) <= MAX_LENGTH and bool(HOST_NAME.fullmatch(name))


def read_host(header: str) -> str:
    """A Host header as a name with its port, `table.example:8443`; empty if it is not the name of a host."""
    name, port = split_domain_port(header)
    if not is_host_name(name):
        return ""
    return name if port in ("", "443") else f"{name}:{port}"


@dataclass(frozen=True)
class OpenAddress:
    """An address that is open now, and since when, in this machine's time."""

    host: str
    since: datetime

    @property
    def address(self) -> str:
        """As browsers open it, without a slash at the end."""
        return f"https://{self.host}"

    @property
    def since_form(self) -> str:
        """How pages write the time: with the day if that is not today."""
        return "H:i" if self.since.date() == datetime.now().astimezone().date() else "j F, H:i"


@dataclass(frozen=True)
class Notice:
    """What a GM is shown: open addresses, names that ask, names that were closed or ignored."""

    opened: tuple[OpenAddress, ...]
    asked: tuple[str, ...]
    closed: tuple[str, ...]
    changes: int


@dataclass
class Outside:
    """What is open, who asks, and what was closed or ignored. Any thread may use it."""

    is_offered: bool = False  # whether this process is `play`
    opened: dict[str, OpenAddress] = field(default_factory=dict)
    asked: dict[str, None] = field(default_factory=dict)  # the newest last
    closed: dict[str, None] = field(default_factory=dict)  # the newest last: these do not ask again
    changes: int = 0  # grows with each change
    lock: threading.Lock = field(default_factory=threading.Lock)

    def find(self, header: str) -> OpenAddress | None:
        """The open address of a Host header."""
        return self.opened.get(read_host(header)) if self.opened else None

    def find_by_name(self, header: str) -> OpenAddress | None:
        """The open address with the name of a Host header, whatever its port."""
        name = split_domain_port(header)[0]
        same = (one for host, one in tuple(self.opened.items()) if split_domain_port(host)[0] == name)
        return self.find(header) or next(same, None)

    @property
    def addresses(self) -> list[str]:
        """Every open address, the oldest first."""
        return [one.address for one in tuple(self.opened.values())]

    def look(self) -> Notice:
        """All of it as it is now."""
        with self.lock:
            return Notice(tuple(self.opened.values()), tuple(self.asked), tuple(self.closed), self.changes)

    def ask(self, header: str, own_port: int) -> None:
        """Note that a proxy or tunnel on this machine passes on an unknown name, so that the GM is asked.

        A web page that points its own name at this machine (DNS rebinding) names the port of the table. No
        tunnel does.
        """
        name, port = split_domain_port(header)
        host = read_host(header)
        if not host or "." not in name or (port or "80") == str(own_port):
            return
        if validate_host(name, settings.ALLOWED_HOSTS) or host in self.asked or host in self.closed:
            return
        with self.lock:
            self.asked[host] = None
            _forget_oldest(self.asked, MAX_ASKED)
            self.changes += 1

    def allow(self, host: str) -> None:
        """Open an address that asked; Refused if it did not."""
        with self.lock:
            if host in self.opened:
                return
            if host not in self.asked and host not in self.closed:
                raise Refused("gone", "No tunnel asks for that name: open it in a browser, then answer here.")
            self._open(host)

    def begin(self, host: str | None) -> None:
        """Offer this to the GM, as `play` does; open the address that `--at` names."""
        with self.lock:
            self.is_offered = True
            if host:
                self._open(host)

    def close(self, host: str) -> None:
        """Close an address, or ignore one that asks; it stays so until the GM allows it."""
        with self.lock:
            if host not in self.opened and host not in self.asked:
                return
            self.asked.pop(host, None)
            if self.opened.pop(host, None):
                settings.ALLOWED_HOSTS.remove(split_domain_port(host)[0])
            self.closed[host] = None
            _forget_oldest(self.closed, MAX_CLOSED)
            self.changes += 1

    def _open(self, host: str) -> None:
        self.asked.pop(host, None)
        self.closed.pop(host, None)
        self.opened[host] = OpenAddress(host, datetime.now().astimezone())
        # Django reads this list at each request. It stays the same object, as threads keep the setting.
        settings.ALLOWED_HOSTS.append(split_domain_port(host)[0])
        self.changes += 1


def _forget_oldest(names: dict[str, None], most: int) -> None:
    while len(names) > most:
        del names[next(iter(names))]


OUTSIDE = Outside()  # one for the process: `play` is always one process

# The addresses of this machine: which are local, and which the network reaches.


def bracket(host: str) -> str:
    """The host as written in a URL: `[::1]` for `::1`."""
    return f"[{host}]" if ":" in host else host


def is_local(host: str) -> bool:
    """Whether a host always means the visitor's own machine."""
    return host in LOCAL_HOSTS or host.startswith("127.") or host.endswith(".localhost")


def find_own_addresses(family: socket.AddressFamily = socket.AF_INET) -> list[str]:
    """The addresses of a family at which other machines in the same network reach this one."""
    found = dict.fromkeys(find_source_address(target, family) for target in PRIVATE_NETWORKS[family])
    return [address for address in found if address and not address.startswith(NOT_IN_NETWORK)]


def find_source_address(target: str, family: socket.AddressFamily) -> str:
    """The address of ours that a packet to `target` would come from; empty if there is no route."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return ""
