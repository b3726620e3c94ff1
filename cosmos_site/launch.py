"""What has to be known before the settings are read: the data directory, the secret key, the addresses."""

import contextlib
import os
import secrets
import socket
from collections.abc import MutableMapping, Sequence
from pathlib import Path

import platformdirs

# `play` is always one process with SQLite, over plain http.
FOR_HOSTING_ONLY = ("COSMOS_HTTPS", "DATABASE_URL", "REDIS_URL")
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
# A datagram socket "connected" to these sends nothing; it only tells which own address would be used.
PRIVATE_NETWORKS = ("10.255.255.255", "172.31.255.255", "192.168.255.255", "203.0.113.1")


def prepare_environment(argv: Sequence[str], environment: MutableMapping[str, str] = os.environ) -> None:
    """Choose the settings, and turn `--data DIR` and the needs of `play` into environment variables."""
    environment.setdefault("DJANGO_SETTINGS_MODULE", "cosmos_site.settings")
    if folder := find_option(argv, "--data"):
        environment["COSMOS_DATA"] = str(Path(folder).expanduser().resolve())
    if argv[1:2] == ["play"]:
        for name in FOR_HOSTING_ONLY:
            environment.pop(name, None)
        chosen = [*environment.get("COSMOS_HOSTS", "").split(","), bracket(find_option(argv, "--host"))]
        environment["COSMOS_HOSTS"] = ",".join(dict.fromkeys(filter(None, [*chosen, *find_own_hosts()])))


def find_option(argv: Sequence[str], name: str) -> str:
    """The value given as `--name value` or `--name=value`, or an empty text."""
    for word, following in zip(argv, [*argv[1:], ""], strict=True):
        if word == name:
            return following
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
    return ""


def bracket(host: str) -> str:
    """The host as it stands in an address: `[::1]` for `::1`."""
    return f"[{host}]" if ":" in host else host


def find_data_folder(chosen: str) -> Path:
    """The one directory that holds everything a table keeps; made, for its owner only, when missing."""
    folder = Path(chosen or platformdirs.user_data_dir("cosmos-table", appauthor=False)).expanduser()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder.resolve()


def find_or_make_secret_key(folder: Path) -> str:
    """The secret key of this data directory, made at the first start and readable by its owner only."""
    path = folder / "secret-key"
    with contextlib.suppress(FileExistsError):
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()


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


def find_own_hosts() -> list[str]:
    """Every name and address under which this machine's own table may be opened."""
    name = socket.gethostname().lower()
    return [*LOCAL_HOSTS, name, f"{name.partition('.')[0]}.local", *find_own_addresses()]
