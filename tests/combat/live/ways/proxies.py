"""Proxies between a table and its pages, all with TLS: two from Debian, and one that holds streams back."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.site.hosting.table import PATIENCE

HOST = "127.0.0.1"
TLS_END = 5.0  # seconds that the other end has to agree that a connection ends
NEEDED = ("nginx", "haproxy")
MISSING = [name for name in NEEDED if not shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin")]
needs_proxies = pytest.mark.skipif(bool(MISSING), reason=f"!!! NO {' AND NO '.join(MISSING).upper()} !!!")

NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/errors; worker_processes 1;
events {{ worker_connections 200; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen {host}:{port} ssl;
        ssl_certificate {certificate}; ssl_certificate_key {certificate};
        location / {{
            proxy_pass http://{host}:{behind};
            proxy_http_version 1.1;
            proxy_buffering on; {more}
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Proto $scheme;
        }}
    }}
}}
"""
DEAF = "proxy_ignore_headers X-Accel-Buffering;"  # nginx then holds back every stream
HAPROXY = """
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
frontend in
    bind {host}:{port} ssl crt {certificate}
    http-request set-header X-Forwarded-Proto https
    option forwardfor
    default_backend table
backend table
    server one {host}:{behind}
"""


def find_port() -> int:
    with socket.create_server((HOST, 0)) as free:
        return int(free.getsockname()[1])


def make_certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate for localhost that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.now(UTC) - timedelta(days=1))
        .not_valid_after(datetime.now(UTC) + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = folder / f"{name}.pem", folder / f"{name}.key"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return cert_file, key_file


@contextmanager
def run_proxy(name: str, folder: Path, certificate: Path, behind: int) -> Iterator[int]:
    """Start nginx, a deaf nginx or haproxy in front of a port; return its own port."""
    program = "haproxy" if name == "haproxy" else "nginx"
    port = find_port()
    given = {"folder": folder, "host": HOST, "port": port, "certificate": certificate, "behind": behind}
    text = (
        HAPROXY.format(**given)
        if program == "haproxy"
        else NGINX.format(**given, more=DEAF if "deaf" in name else "")
    )
    config = folder / "config"
    config.write_text(text)
    words = ["-db", "-f", config] if program == "haproxy" else ["-c", config]
    found = shutil.which(program, path="/usr/sbin:/usr/bin")
    with run_server([str(found), *map(str, words)], port):
        yield port


@contextmanager
def run_server(words: list[str], port: int) -> Iterator[None]:
    """Start a program, wait until something answers at its port, and end it."""
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for_port(port, process)
            yield
        finally:
            process.terminate()


def wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until something answers at a port."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError), socket.create_connection((HOST, port), timeout=1):
            return
        time.sleep(0.05)
    raise AssertionError(f"{process.args!r} does not answer")


@dataclass
class HoldingProxy:
    """A proxy that holds back the streams that answer some methods until they end, as some tunnels do.

    Each request has a connection of its own. Connections that are cut off stay open and pass nothing.
    """

    behind: int
    certificate: Path
    held: tuple[str, ...] = ("GET",)
    port: int = 0
    server: Any = None
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    cut: set[object] = field(default_factory=set)
    open: set[object] = field(default_factory=set)
    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    answers: set[asyncio.Future[None]] = field(default_factory=set)

    async def serve(self) -> None:
        """Listen on a port of its own."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate)
        self.server = await asyncio.start_server(
            self.take, HOST, 0, ssl=context, ssl_shutdown_timeout=TLS_END
        )
        self.port = self.server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """End all connections, also those that have only just come or whose other end is silent.

        Python 3.11 forgets the socket of a connection that begins after its server has closed, and of a
        handshake that is cancelled.
        """
        for listening in self.server.sockets:
            self.loop.remove_reader(listening.fileno())
        await asyncio.sleep(0)  # what has come begins
        self.server.close()
        while tasks := asyncio.all_tasks() - {asyncio.current_task()}:
            for answer in self.answers:
                answer.cancel()
            await asyncio.wait(tasks)
        for writer in self.writers:
            if not writer.is_closing():
                writer.close()
            with suppress(OSError):
                await writer.wait_closed()
        await asyncio.sleep(0.1)  # until the sockets are closed

    def cut_off(self) -> None:
        """Let all connections that are open now pass nothing any more, and never end."""
        self.cut |= self.open

    def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Begin to answer a connection: at once, so that none is forgotten at the end."""
        self.writers.append(writer)
        answer = asyncio.ensure_future(self.answer(reader, writer))
        self.answers.add(answer)
        answer.add_done_callback(self.answers.discard)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on one request and its answer."""
        with suppress(OSError, asyncio.IncompleteReadError, ssl.SSLError), closing(writer):
            method, request = await _read_request(reader)
            within, out = await asyncio.open_connection(HOST, self.behind)
            with closing(out):
                out.write(request)
                away = asyncio.ensure_future(reader.read())
                here = asyncio.ensure_future(self._pass(within, writer, method))
                try:
                    await asyncio.wait({away, here}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    away.cancel()
                    here.cancel()

    async def _pass(self, within: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str) -> None:
        connection, held, is_stream = object(), b"", None
        self.open.add(connection)
        while piece := await within.read(65536):
            if is_stream is None:
                is_stream = b"x-accel-buffering" in piece
            held += piece
            if connection not in self.cut and not (is_stream and method in self.held):
                writer.write(held)
                held = b""
        self.open.discard(connection)
        if connection in self.cut:
            await asyncio.Event().wait()
        writer.write(held)
        await writer.drain()


async def _read_request(reader: asyncio.StreamReader) -> tuple[str, bytes]:
    """The method of a request, and its bytes as they are passed on."""
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    values = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    body = await reader.readexactly(int(values.get("content-length", 0)))
    kept = [line for line in lines if not line.lower().startswith("connection:")]
    kept += ["Connection: close", "X-Forwarded-Proto: https", "X-Forwarded-For: 203.0.113.7"]
    return first.split()[0], "\r\n".join([first, *kept, "", ""]).encode("latin-1") + body


@contextmanager
def hold_back(behind: int, certificate: Path, *held: str) -> Iterator[HoldingProxy]:
    """Run a proxy that holds back the streams that answer these methods."""
    proxy = HoldingProxy(behind, certificate, held)
    thread = threading.Thread(target=proxy.loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(proxy.serve(), proxy.loop).result(PATIENCE)
    try:
        yield proxy
    finally:
        asyncio.run_coroutine_threadsafe(proxy.stop(), proxy.loop).result(PATIENCE)
        proxy.loop.call_soon_threadsafe(proxy.loop.stop)
        thread.join()
        proxy.loop.close()
