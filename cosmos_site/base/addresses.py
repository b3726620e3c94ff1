"""The addresses of this machine: which are local, and which others in the network reach."""

import socket

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
# A datagram socket "connected" to these sends nothing; it only tells which own address would be used.
PRIVATE_NETWORKS = ("10.255.255.255", "172.31.255.255", "192.168.255.255", "203.0.113.1")


def bracket(host: str) -> str:
    """The host as it stands in an address: `[::1]` for `::1`."""
    return f"[{host}]" if ":" in host else host


def is_local(host: str) -> bool:
    """Whether a host is, for everybody, the machine they sit at themselves."""
    return host in LOCAL_HOSTS or host.startswith("127.") or host.endswith(".localhost")


def find_own_addresses() -> list[str]:
    """The IPv4 addresses by which other machines in the same network reach this one."""
    found = dict.fromkeys(filter(None, map(find_source_address, PRIVATE_NETWORKS)))
    return [address for address in found if not address.startswith(("127.", "0."))]


def find_source_address(target: str) -> str:
    """Which of our addresses a packet to `target` would come from; an empty text without a way there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])
