"""Uploaded files, and files and pictures to send."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static

from combat.rules.core.basics.errors import Refused

WAIT_SECONDS = 3  # for other files
FOREVER = "private, max-age=31536000, immutable"


def read_upload(request: HttpRequest, name: str, most: int) -> bytes:
    """The bytes of an uploaded file, at most one more than allowed; Refused without a file."""
    sent = request.FILES.get(name)
    if not isinstance(sent, UploadedFile):
        raise Refused("bad_value", "Choose a file first.")
    raw: bytes = sent.read(most + 1)
    return raw


@contextmanager
def one_at_a_time(lock: Lock, busy: str) -> Iterator[None]:
    """Wait until no other file of a kind is read; Refused with these words if that takes too long."""
    if not lock.acquire(timeout=WAIT_SECONDS):
        raise Refused("busy", busy)
    try:
        yield
    finally:
        lock.release()


def read_static(name: str) -> str:
    """The text of a static file: its source, or what was collected in an installed program."""
    found = finders.find(name)
    collected = Path(settings.STATIC_ROOT, static(name).removeprefix(settings.STATIC_URL))
    return (Path(found) if isinstance(found, str) else collected).read_text("utf-8")


def answer_picture(image: bytes, name: str, caching: str = FOREVER) -> HttpResponse:
    """A response with a picture made by `pictures`, typed so that browsers treat it as nothing else."""
    answer = HttpResponse(image, content_type="image/webp")
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer["Content-Disposition"] = f'inline; filename="{name}.webp"'
    answer["Cache-Control"] = caching
    return answer


def answer_file(content: bytes, name: str, kind: str = "application/json") -> HttpResponse:
    """A response with a file to save."""
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


# What has to survive a power cut.


def sync(file: Path) -> None:
    """Wait until the content of a file is on the disk."""
    with file.open("rb+") as opened:  # Windows syncs only what may be written
        os.fsync(opened.fileno())


def sync_names(folder: Path) -> None:
    """Wait until the names in a directory are on the disk, where the system can do that.

    Windows opens no directory, and some disks in the network sync none.
    """
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
