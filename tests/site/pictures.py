"""Pictures to send, sound and otherwise."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image

EVIL = b"<script>alert(1)</script>"


def picture(kind: str = "PNG", size: tuple[int, int] = (60, 40), mode: str = "RGB", **more: Any) -> bytes:
    """A small picture of a kind."""
    out = BytesIO()
    Image.new(mode, size, 1 if mode in ("1", "L", "P") else "teal").save(out, kind, **more)
    return out.getvalue()


def huge_png(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims to have this many pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    lines = zlib.compress(b"\x00" * 10_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")
