"""Static files that came without compressed twins: compressed as they are sent.

`collectstatic` writes a twin beside each file. An installed program has none: they would make the download a
thirtieth larger, and it lies in a folder that it may not write to.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from whitenoise.middleware import WhiteNoiseMiddleware

TEXTS = (".css", ".js", ".json", ".svg", ".txt")
GZIP = GZipMiddleware(lambda _: HttpResponseBase())  # only its way with an answer is used


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # the package has no types
    """Middleware: the static files, those that are text compressed for browsers that accept it."""

    @staticmethod
    def serve(static_file: Any, request: Any) -> Any:
        """The answer of whitenoise, compressed if it is a whole text."""
        answer = WhiteNoiseMiddleware.serve(static_file, request)
        is_whole = answer.status_code == HTTPStatus.OK and request.method == "GET"
        if is_whole and request.path_info.endswith(TEXTS):
            tag = answer["ETag"]
            answer = GZIP.process_response(request, answer)
            answer["ETag"] = tag  # whitenoise compares it exactly
        return answer

    def add_cache_headers(self, headers: Any, path: str, url: str) -> None:
        """Say also that what is sent depends on what the browser accepts."""
        super().add_cache_headers(headers, path, url)
        if path.endswith(TEXTS):
            headers["Vary"] = "Accept-Encoding"
