"""The addresses of this machine."""

from cosmos_site.base.addresses import find_own_addresses


def test_own_addresses_are_of_this_machine_and_not_local() -> None:
    for address in find_own_addresses():
        assert len(address.split(".")) == 4
        assert not address.startswith("127.")
