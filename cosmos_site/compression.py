"""Answers as gzip, at a level that takes half the time of Django's for a twentieth more bytes."""

import gzip
import re
import secrets
from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

LEVEL = 4
SHORT = 200  # bytes; below, it is not worth it
MAX_RANDOM_BYTES = 100
TAKES_GZIP = re.compile(r"\bgzip\b")


def compressed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view whose answers are compressed for browsers that take them so."""

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if len(response.content) < SHORT:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if TAKES_GZIP.search(request.headers.get("Accept-Encoding", "")):
            response.content = compress(response.content)
            response["Content-Encoding"] = "gzip"
            response["Content-Length"] = str(len(response.content))
        return response

    return answer


def compress(content: bytes) -> bytes:
    """Gzip with a name of random length in its head, as Django writes it: its size tells no secret."""
    raw = gzip.compress(content, LEVEL, mtime=0)
    head = raw[:3] + bytes([gzip.FNAME]) + raw[4:10]
    return head + b"a" * secrets.randbelow(MAX_RANDOM_BYTES) + b"\0" + raw[10:]
