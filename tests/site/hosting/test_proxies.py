"""The files for hosts in `cosmos_site/hosting`: both proxies before two workers, and what the others say."""

from __future__ import annotations

import configparser
import http.client
import os
import re
import shutil
import signal
import ssl
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml

from tests.combat.live.test_live import LIVE, TABLE, hurt
from tests.combat.live.ways.proxies import find_port, make_certificate, wait_for_port
from tests.combat.server import Guest, Site, set_up, wait_for
from tests.combat.services import REDIS_URL, make_database, needs_services
from tests.site.hosting.table import PATIENCE, ROOT

HOSTING = ROOT / "cosmos_site" / "hosting"
NAME = "localhost"
AROUND = """
daemon off; pid {folder}/pid; error_log {folder}/errors; worker_processes 1;
events {{ worker_connections 200; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/site;
}}
"""
ALONE = "{{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\thttp_port {plain}\n\thttps_port {secure}\n"


def find_program(name: str) -> str:
    """Where a program of Debian's is, empty if it is missing."""
    return shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin") or ""


@dataclass(frozen=True)
class Ports:
    """Those of a proxy: by http and by https."""

    plain: int
    secure: int


class SecureGuest(Guest):
    """A guest who comes by https, each time by a connection of its own."""

    def ask(self, method: str, path: str, body: bytes | None = None, port: int = 0, **headers: str) -> int:
        """Send a request."""
        with closing(connect(self.port)) as way:
            self.way = way
            return super().ask(method, path, body, port, Origin=f"https://{NAME}:{self.port}", **headers)


def connect(port: int) -> http.client.HTTPSConnection:
    """A connection that believes any certificate."""
    trusting = ssl._create_unverified_context()
    return http.client.HTTPSConnection(NAME, port, timeout=PATIENCE, context=trusting)


def change(text: str, *pairs: tuple[str, str]) -> str:
    """A file with what differs from machine to machine; each must be there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def prepare_nginx(folder: Path, ports: Ports, workers: list[int]) -> list[str]:
    """The words that start nginx with our file."""
    cert, key = make_certificate(folder, "site")
    site = change(
        (HOSTING / "nginx.conf").read_text("utf-8"),
        ("listen [::]:80;", ""),
        ("listen [::]:443 ssl http2;", ""),
        ("listen 80;", f"listen 127.0.0.1:{ports.plain};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{ports.secure} ssl"),
        ("127.0.0.1:8001", f"127.0.0.1:{workers[0]}"),
        ("127.0.0.1:8002", f"127.0.0.1:{workers[1]}"),
        ("/etc/letsencrypt/live/table.example/fullchain.pem", str(cert)),
        ("/etc/letsencrypt/live/table.example/privkey.pem", str(key)),
        ("table.example", NAME),
    )
    (folder / "site").write_text(site)
    (folder / "config").write_text(AROUND.format(folder=folder))
    return [find_program("nginx"), "-c", str(folder / "config")]


def prepare_caddy(folder: Path, ports: Ports, workers: list[int]) -> list[str]:
    """The words that start Caddy with our file."""
    text = (HOSTING / "Caddyfile").read_text("utf-8")
    alone = ALONE.format(plain=ports.plain, secure=ports.secure)
    (folder / "Caddyfile").write_text(change(text, ("\n{\n\tservers", f"\n{alone}\tservers")))
    addresses = " ".join(f"127.0.0.1:{port}" for port in workers)
    own = {"HOME": folder, "XDG_DATA_HOME": folder, "COSMOS_HOSTS": NAME, "COSMOS_WORKERS": addresses}
    variables = [f"{name}={value}" for name, value in own.items()]
    return ["env", *variables, find_program("caddy"), "run", "--config", str(folder / "Caddyfile")]


def wait_for_certificate(port: int) -> None:
    """Wait until a proxy has made its certificate, which Caddy does after its port is open."""
    for _ in range(100):
        with closing(connect(port)) as way:
            try:
                way.connect()
                return
            except ssl.SSLError:
                time.sleep(0.2)
    raise AssertionError("the proxy has no certificate")


@contextmanager
def run(words: list[str], ports: Ports) -> Iterator[None]:
    """A proxy that answers at both ports."""
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            for port in (ports.plain, ports.secure):
                wait_for_port(port, process)
            wait_for_certificate(ports.secure)
            yield
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A hosted site."""
    with redis.Redis.from_url(REDIS_URL) as connection:
        connection.flushdb()
    folder, more = tmp_path_factory.mktemp("proxied"), {"COSMOS_HTTPS": "1", "COSMOS_HOSTS": NAME}
    with make_database() as database:
        yield set_up(folder, DATABASE_URL=database, REDIS_URL=REDIS_URL, **more)


@needs_services
@pytest.mark.slow
@pytest.mark.parametrize("prepare", [prepare_nginx, prepare_caddy], ids=["nginx", "caddy"])
def test_site_is_played_through_a_proxy_before_two_workers(
    prepare: Callable[[Path, Ports, list[int]], list[str]],
    site: Site,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    name = request.node.callspec.id
    if not find_program(name):
        pytest.skip(f"!!! NO {name.upper()} !!!")
    ports = Ports(find_port(), find_port())
    with (
        site.serve() as one,
        site.serve() as other,
        run(prepare(tmp_path, ports, [one.port, other.port]), ports),
    ):
        check_redirect(ports)
        gm = SecureGuest(ports.secure)
        wait_for(lambda: gm.get("/healthz") == 200)
        assert gm.post(site.link if name == "nginx" else make_link(site)) == 302
        assert gm.secure == {True}
        assert gm.post(TABLE, do="start", dice="app") in (303, 409)
        check_stream(gm)
        assert gm.ask("POST", "/accounts/login/", b"x" * 17_000_000) == 413
        other.stop(signal.SIGKILL)
        for _ in range(6):
            assert gm.get(TABLE) == 200
        hurt(gm)


def make_link(site: Site) -> str:
    """A fresh sign-in link of the GM: the first one works once."""
    from tests.site.hosting.table import manage

    done = manage("reset_access", "gm", "--address", "https://x", **site.environment)
    found = re.search(r"https://x(/sign-in/\S+)", done.stdout)
    assert found, done.stderr
    return found[1]


def check_redirect(ports: Ports) -> None:
    """By http there is nothing but the way to https."""
    with closing(http.client.HTTPConnection(NAME, ports.plain, timeout=PATIENCE)) as way:
        way.request("GET", "/help/")
        answer = way.getresponse()
        assert answer.status in (301, 308)
        assert (answer.headers["Location"] or "").startswith(f"https://{NAME}")


def check_stream(gm: SecureGuest) -> None:
    """An action is told by a stream while it is open: no proxy holds it back."""
    with closing(connect(gm.port)) as way:
        way.request("GET", LIVE, headers={"Cookie": gm.cookie})
        answer = way.getresponse()
        assert answer.status == 200
        stamps = [read_stamp(answer)]
        for _ in range(2):
            hurt(gm)
            stamps.append(read_stamp(answer))
    assert len(set(stamps)) == 3


def read_stamp(answer: http.client.HTTPResponse) -> str:
    """The next stamp of a stream, which waits for it."""
    while line := answer.readline().decode():
        if line.startswith("data: "):
            return line
    raise AssertionError("the stream has ended")


def read_unit(name: str) -> dict[str, Any]:
    """A unit of systemd: what each key says, all values together."""
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their capitals
    parser.read(HOSTING / name)
    return {key: value for section in parser.sections() for key, value in parser[section].items()}


def test_services_give_the_program_nothing_it_does_not_need() -> None:
    for name in ("cosmos-table@.service", "cosmos-table-backup.service"):
        unit = read_unit(name)
        assert unit["User"] == "cosmos-table"
        assert (unit["ProtectSystem"], unit["NoNewPrivileges"], unit["CapabilityBoundingSet"]) == (
            "strict", "true", "",
        )  # fmt: skip
        assert unit["WorkingDirectory"] == "/opt/cosmos-table"


@pytest.mark.slow
@pytest.mark.skipif(not find_program("systemd-analyze"), reason="!!! NO SYSTEMD-ANALYZE !!!")
def test_services_are_right_and_closed_in_the_eyes_of_systemd(tmp_path: Path) -> None:
    """With programs, a user and an instance that this machine has."""
    programs = sysconfig.get_path("scripts")  # beside the interpreter of this test
    for file in HOSTING.glob("cosmos-table*"):
        text = file.read_text("utf-8").replace("/opt/cosmos-table/.venv/bin/", f"{programs}/")
        text = re.sub(r"(User|Group)=.*", r"\1=root", text)
        (tmp_path / file.name.replace("@", "@8001")).write_text(text)
    units = sorted(map(str, tmp_path.iterdir()))
    assert len(units) == 3
    quiet = os.environ | {"SYSTEMD_LOG_LEVEL": "warning"}
    done = subprocess.run(
        ["systemd-analyze", "verify", *units], env=quiet, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    for unit in (one for one in units if one.endswith(".service")):
        words = ["systemd-analyze", "security", "--offline=yes", "--threshold=30", unit]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_image_copies_the_programs_parts_and_runs_unprivileged() -> None:
    lines = (HOSTING / "Containerfile").read_text("utf-8").splitlines()
    copied = {name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1]}
    assert {"characters", "combat", "cosmos_site", "static", "templates", "requirements.txt"} <= copied
    assert all((ROOT / name).exists() for name in copied if not name.startswith(("-", "/")))
    assert "USER 10001:10001" in lines
    assert any("--require-hashes" in line for line in lines)


def test_compose_file_opens_nothing_but_the_proxy() -> None:
    compose = yaml.safe_load((HOSTING / "compose.yaml").read_text("utf-8"))
    services = compose["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert compose["networks"]["back"] == {"internal": True}
    for name in ("migrate", "site"):
        assert services[name]["read_only"] is True
        assert services[name]["volumes"] == ["data:/data"]
        assert {"DATABASE_URL", "REDIS_URL", "COSMOS_HOSTS"} <= services[name]["environment"].keys()
    assert (HOSTING / services["proxy"]["volumes"][0].partition(":")[0]).is_file()
