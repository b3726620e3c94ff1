"""Static files that came without compressed twins: packed when a browser first asks for one, kept in memory.

`collectstatic` writes a twin beside each file. An installed program has none: they would make the download a
thirtieth larger, and it lies in a folder that it may not write to.
"""

from __future__ import annotations

import gzip
import re
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import Response

TEXTS = (".css", ".js", ".json", ".svg", ".txt")
ACCEPTED = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


class Answering(Protocol):
    """A file that whitenoise can send."""

    def get_response(self, method: str, request_headers: dict[str, Any]) -> Any:
        """Status, headers and open file."""


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # the package has no types
    """Middleware: the static files, those that are text compressed for browsers that accept it."""

    def get_static_file(self, path: str, url: str, stat_cache: Any = None) -> Answering:
        """A file; one that changes while someone edits it is not worth packing."""
        found: Any = super().get_static_file(path, url, stat_cache)
        is_plain = len(found.alternatives) == 1 and path.endswith(TEXTS)
        return PackedFile(found, Path(path)) if is_plain and not self.autorefresh else found

    def add_cache_headers(self, headers: Any, path: str, url: str) -> None:
        """Say also that what is sent depends on what the browser accepts."""
        super().add_cache_headers(headers, path, url)
        if path.endswith(TEXTS):
            headers["Vary"] = "Accept-Encoding"


class PackedFile:
    """A file of text. Its compressed form is made once, and kept as long as this process runs."""

    def __init__(self, plain: Answering, path: Path) -> None:
        self.plain = plain
        self.path = path
        self.packed = b""

    def get_response(self, method: str, request_headers: dict[str, Any]) -> Any:
        """The answer of whitenoise, compressed if it is the whole file and the browser accepts that."""
        answer = self.plain.get_response(method, request_headers)
        accepted = request_headers.get("HTTP_ACCEPT_ENCODING", "")
        if answer.status != HTTPStatus.OK or not ACCEPTED.search(accepted):
            return answer
        if answer.file is not None:
            answer.file.close()
        self.packed = self.packed or gzip.compress(self.path.read_bytes(), mtime=0)
        kept = [header for header in answer.headers if header[0] != "Content-Length"]
        size = ("Content-Length", str(len(self.packed)))
        body = BytesIO(self.packed) if method == "GET" else None
        return Response(HTTPStatus.OK, [*kept, ("Content-Encoding", "gzip"), size], body)
