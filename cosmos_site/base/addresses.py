"""The addresses of this machine: which are local, and which the network reaches."""

import socket

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
# A datagram socket "connected" to these sends nothing; it only shows which of our addresses it would use.
PRIVATE_NETWORKS = ("10.255.255.255", "172.31.255.255", "192.168.255.255", "203.0.113.1")


def bracket(host: str) -> str:
    """The host as written in a URL: `[::1]` for `::1`."""
    return f"[{host}]" if ":" in host else host


def is_local(host: str) -> bool:
    """Whether a host always means the visitor's own machine."""
    return host in LOCAL_HOSTS or host.startswith("127.") or host.endswith(".localhost")


def find_own_addresses() -> list[str]:
    """The IPv4 addresses at which other machines in the same network reach this one."""
    found = dict.fromkeys(filter(None, map(find_source_address, PRIVATE_NETWORKS)))
    return [address for address in found if not address.startswith(("127.", "0."))]


def find_source_address(target: str) -> str:
    """The address of ours that a packet to `target` would come from; empty if there is no route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])
