"""`manage.py play` for players elsewhere: behind a tunnel, with a name of its own, with a certificate."""

from __future__ import annotations

import html
import http.client
import re
import shutil
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from cosmos_site.base.outside import find_own_addresses
from cosmos_site.elsewhere.views import read_certificate
from tests.combat.live.ways.proxies import find_port, make_certificate, run_server
from tests.combat.server import Guest
from tests.site.hosting.table import PATIENCE, ROOT, Table, manage, open_again, play_with
from tests.typed import sure

TUNNEL, NAME = "abc-def.trycloudflare.com", "table.example"
HELP = ROOT / "templates/help/elsewhere.html"
SCALE = ROOT / "cosmos_site/SCALE.md"

# Many passwords are tried here, and how they are kept makes each cost a third of a second.
QUICK_PASSWORDS = """
from django.conf import settings
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
"""

pytestmark = pytest.mark.slow


def guess(someone: Guest) -> str:
    """Try a wrong password; return what the page says."""
    someone.post("/accounts/login/", login="gm", password="wrong")
    return "wait" if "Too many wrong sign-ins" in someone.page else "wrong"


@contextmanager
def browse(table: Table, host: str, peer: str = "127.0.0.1", **headers: str) -> Iterator[Guest]:
    """A browser whose requests come to the table from its machine, or from another address of it."""
    with closing(http.client.HTTPConnection(peer, table.port, timeout=PATIENCE)) as way:
        yield use(way, host, **headers)


def use(way: http.client.HTTPConnection, host: str, **headers: str) -> Guest:
    """A browser that comes by a way of its own.

    Each request is a new connection: a busy machine may keep one idle for longer than the server does.
    """
    return Guest(way.port, way, Host=host, Connection="close", **headers)


def through_tunnel(host: str, sender: str) -> dict[str, str]:
    """What a tunnel adds to a request."""
    return {"X-Forwarded-Proto": "https", "X-Forwarded-For": sender, "Origin": f"https://{host}"}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table whose address elsewhere was named at the start."""
    folder, at = tmp_path_factory.mktemp("named"), ("--at", f"https://{NAME}")
    with open_again(folder, "--no-demo", *at, program=play_with(QUICK_PASSWORDS)) as running:
        yield running


def test_named_address_is_printed_and_takes_forms(named: Table) -> None:
    assert named.said.index(f"From anywhere: https://{NAME}/") < named.said.index("On this machine:")
    with browse(named, NAME, **through_tunnel(NAME, "203.0.113.9")) as player:
        assert player.get("/accounts/login/") == 200
        assert [guess(player) for _ in range(6)] == ["wrong"] * 5 + ["wait"]
        assert player.secure == {True}
        assert player.get("/accounts/signup/") == 200
        assert "Sign-up is closed" in player.page
    with browse(named, NAME, **through_tunnel(NAME, "203.0.113.10")) as another:
        assert guess(another) == "wrong", "another sender in the same tunnel"
    with browse(named, NAME, **through_tunnel("evil.example", "203.0.113.11")) as evil:
        assert evil.post("/accounts/login/", login="gm", password="x") == 403


def test_network_is_served_by_http_meanwhile(named: Table) -> None:
    """Also what a forger there sends changes nothing."""
    for address in find_own_addresses()[:1] or ["127.0.0.1"]:
        home = f"{address}:{named.port}"
        with browse(named, home, address, Origin=f"http://{home}") as phone:
            assert guess(phone) == "wrong"
            assert phone.secure == {False}
        forged = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": NAME, "X-Forwarded-For": "203.0.113.99"}
        with browse(named, home, address, **forged) as forger:
            assert guess(forger) == "wrong"
            assert forger.secure == {False}
            if address != "127.0.0.1":
                assert forger.get("/") == 200
                forger.headers["Host"] = TUNNEL
                assert forger.get("/") == 400
    with browse(named, f"localhost:{named.port}") as gm:
        assert gm.post(named.link) == 302
        gm.get("/")
        assert NAME in gm.page
        assert TUNNEL not in gm.page


def test_tunnel_is_allowed_and_stopped_by_the_gm(tmp_path: Path) -> None:
    with (
        open_again(tmp_path, program=play_with(QUICK_PASSWORDS)) as table,
        browse(table, f"localhost:{table.port}") as gm,
        browse(table, TUNNEL, **through_tunnel(TUNNEL, "203.0.113.9")) as player,
    ):
        assert gm.post(table.link) == 302
        gm.get("/")
        assert TUNNEL not in gm.page
        assert player.get("/") == 400
        assert f"play --at https://{TUNNEL}" in player.page
        gm.get("/")
        assert "Is that your tunnel?" in gm.page
        assert gm.post("/elsewhere/", "/", do="allow", host=TUNNEL) == 303
        assert guess(player) == "wrong"
        stream = open_stream(table, gm)
        assert gm.post("/elsewhere/", "/", do="stop", host=TUNNEL) == 303
        assert player.get("/") == 400
        assert gm.get("/") == 200
        assert "Open to the internet" not in gm.page
        with closing(stream):
            while stream.recv(4096):  # until the server hangs up
                pass


def open_stream(table: Table, gm: Guest) -> socket.socket:
    """A live stream through the tunnel, with the GM's cookies."""
    gm.get("/encounters/")
    found = re.search(r'href="/encounters/(\d+)/', gm.page)
    assert found, gm.page
    head = [f"GET /live/{found[1]}/ HTTP/1.1", f"Host: {TUNNEL}", f"Cookie: {gm.cookie}"]
    wire = table.connect()
    wire.sendall("\r\n".join([*head, "X-Forwarded-Proto: https", "", ""]).encode())
    assert b"200 OK" in wire.recv(4096)
    return wire


# ---- With a certificate ----


def test_table_serves_https_with_a_certificate(tmp_path: Path) -> None:
    cert, key = make_certificate(tmp_path, "table")
    trust = ssl.create_default_context(cafile=str(cert))
    (tmp_path / "data").mkdir()
    options = ("--no-demo", "--cert", str(cert), "--key", str(key))
    with open_again(tmp_path / "data", *options) as table:
        assert "http://" not in table.said
        assert f"https://localhost:{table.port}/" in table.said
        host = f"localhost:{table.port}"
        with closing(http.client.HTTPSConnection(host, timeout=PATIENCE, context=trust)) as way:
            gm = use(way, host, Origin=f"https://{host}")
            assert gm.post(table.link) == 302
            assert gm.secure == {True}
            assert gm.cookies.keys() >= {"__Host-sessionid", "__Host-csrftoken"}
            assert gm.get("/accounts/me/") == 200
        with browse(table, host) as plain, pytest.raises((ConnectionError, http.client.HTTPException)):
            plain.get("/")
        code, _seconds = table.interrupt()
    assert code == 0
    assert "Traceback" not in table.said


def test_certificate_that_does_not_work_is_named(tmp_path: Path) -> None:
    cert, key = make_certificate(tmp_path, "table")
    _, another = make_certificate(tmp_path, "another")
    tries = {
        (str(cert), ""): "belong together",
        ("", str(key)): "belong together",
        (str(tmp_path / "none"), str(key)): "none cannot be read: No such file",
        (str(tmp_path), str(key)): "cannot be read: Is a directory",
        (str(key), str(key)): "must be a certificate",
    }
    for files, said in tries.items():
        with pytest.raises(CommandError, match=said):
            read_certificate(*files)
    done = manage("play", "--data", str(tmp_path / "data"), "--cert", str(cert), "--key", str(another))
    assert done.returncode == 1
    assert "is not the key of the certificate" in done.stderr
    assert "Traceback" not in done.stderr


# ---- Behind real proxies, with the lines of the help page ----

NGINX = """daemon off; pid {folder}/pid; error_log stderr; events {{}}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/temp;
fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
{lines}
}}
"""
PROGRAMS = "/usr/sbin:/usr/bin:/sbin"
PROXIES = {"nginx": ("-e", "stderr", "-p", "{folder}", "-c", "{file}"), "haproxy": ("-db", "-f", "{file}")}


def read_lines(name: str) -> str:
    """What the help page says to copy for a proxy."""
    found = sure(
        re.search(rf'aria-label="Configuration of {name}">(.*?)</pre>', HELP.read_text("utf-8"), re.S | re.I)
    )
    return html.unescape(found[1])


@contextmanager
def run_proxy(name: str, folder: Path, table: Table) -> Iterator[tuple[int, ssl.SSLContext]]:
    """A proxy before a table: its port, and how to trust it."""
    cert, key = make_certificate(folder, "outside")
    both = folder / "both.pem"
    both.write_bytes(cert.read_bytes() + key.read_bytes())
    port = find_port()
    ours: dict[str, object] = {
        "/etc/ssl/table.pem": cert,
        "/etc/ssl/table.key": key,
        "/etc/haproxy/table.pem": both,
    }
    ours |= {"listen 443": f"listen {port}", ":443": f":{port}", "127.0.0.1:8000": f"127.0.0.1:{table.port}"}
    lines = read_lines(name)
    for said, meant in ours.items():
        lines = lines.replace(said, str(meant))
    trust = ssl.create_default_context(cafile=str(cert))
    trust.check_hostname = False
    with run_program(name, folder, lines, port):
        yield port, trust


@contextmanager
def run_program(name: str, folder: Path, lines: str, port: int) -> Iterator[None]:
    """A proxy with these lines of configuration, once it listens."""
    file = folder / "proxy.conf"
    file.write_text(NGINX.format(folder=folder, lines=lines) if name == "nginx" else f"{lines}\n")
    words = [word.format(folder=folder, file=file) for word in PROXIES[name]]
    program = shutil.which(name, path=PROGRAMS)
    assert program
    with run_server([program, *words], port):
        yield


@pytest.mark.parametrize("name", PROXIES)
def test_proxy_works_with_the_lines_of_the_help_page(name: str, named: Table, tmp_path: Path) -> None:
    if not shutil.which(name, path=PROGRAMS):
        pytest.skip(f"{name} is not installed: .ci/run services")
    with (
        run_proxy(name, tmp_path, named) as (port, trust),
        closing(http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=trust)) as way,
    ):
        player = use(way, NAME, Origin=f"https://{NAME}")
        assert player.get("/") == 200
        assert guess(player) in ("wrong", "wait")
        assert "csrftoken" in player.cookies
        assert player.secure == {True}
        player.headers["Origin"] = "https://elsewhere.example"
        assert player.post("/accounts/login/", login="gm", password="x") == 403


# ---- Each table to one worker, with the lines of SCALE.md ----


@contextmanager
def run_worker() -> Iterator[ThreadingHTTPServer]:
    """A stand-in for a worker: it answers every request with its own port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(str(self.connection.getsockname()[1]).encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def ask_worker(port: int, path: str) -> str:
    """Which worker answers."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as way:
        way.request("GET", path)
        return way.getresponse().read().decode()


def test_nginx_sends_a_table_to_one_worker_else_to_another(tmp_path: Path) -> None:
    if not shutil.which("nginx", path=PROGRAMS):
        pytest.skip("nginx is not installed: .ci/run services")
    found = sure(
        re.search(r"^ +map \$uri.*?^      }\n +upstream.*?^      }\n", SCALE.read_text("utf-8"), re.S | re.M)
    )
    port = find_port()
    with ExitStack() as outer, run_worker() as one:
        with run_worker() as other:
            lines = f"{found[0]}\nserver {{ listen {port}; location / {{ proxy_pass http://workers; }} }}"
            for said, worker in (("8001", one), ("8002", other)):
                lines = lines.replace(f"127.0.0.1:{said}", f"127.0.0.1:{worker.server_address[1]}")
            outer.enter_context(run_program("nginx", tmp_path, lines, port))
            pages = [f"/encounters/{number}/" for number in range(1, 21)]
            first = [ask_worker(port, page) for page in pages]
            assert [ask_worker(port, f"{page}log/?step=3") for page in pages] == first
            assert len(set(first)) == 2, "both workers have tables"
        assert {ask_worker(port, page) for page in pages} == {str(one.server_address[1])}
