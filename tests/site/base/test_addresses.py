"""The addresses of this machine."""

import socket

from cosmos_site.base.outside import find_own_addresses


def test_own_addresses_are_of_this_machine_and_not_local() -> None:
    for address in find_own_addresses():
        assert len(address.split(".")) == 4
        assert not address.startswith("127.")
    for address in find_own_addresses(socket.AF_INET6):
        assert ":" in address
        assert not address.startswith(("::", "fe80:"))
