"""Uploaded pictures: distrusted, checked and redrawn before anyone sees them."""

from __future__ import annotations

import hashlib
import struct
import threading
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from math import ceil, floor

from PIL import Image, ImageCms, ImageOps
from PIL.PngImagePlugin import PngImageFile

from combat.rules.core.basics.errors import Refused

from .file_kinds import PICTURE, find_kind
from .files import one_at_a_time

MAX_SIDE = 8000  # pixels
MAX_PIXELS = 40_000_000
QUALITY = 82
GRAYS = {"L;2": 85, "L;4": 17}  # pixels of 2 and 4 bits: by how much white is more with 8
METHOD = 0  # of WebP: slower methods take three times as long to save 2% of the bytes
CUT_SIDE = 2048  # pixels of a picture to cut out of, which is redrawn whenever more of it is known
READABLE = "send a JPEG, PNG or WebP."
NOT_A_PICTURE = f"Not a picture we can read: {READABLE}"
BROKEN = "The picture is damaged: save it again and resend it."
BUSY = "Other pictures are being read: send yours again in a moment."
TAKEN = ("a picture (PNG)", "a picture (JPEG)", "a picture (WebP)")
STUFFED = "Too much text is packed into the picture: save it without its description, then resend it."
STUFFED_SIGNS = ("Decompressed data too large", "Too much memory used in text")  # of Pillow's errors
PROFILED = {"RGB": "RGB", "GRAY": "L", "CMYK": "CMYK"}  # modes of pixels by the space of their profile

SCREEN = ImageCms.createProfile("sRGB")

_unpacking = threading.Lock()  # a few bytes can become hundreds of megabytes
Box = tuple[float, float, float, float]
Rounding = Callable[[float], int]


@dataclass(frozen=True)
class PictureKind:
    """A use of pictures: the bytes and pixels of a side that may be sent, the pixels that are kept."""

    max_bytes: int
    side: int
    max_side: int = MAX_SIDE


PORTRAIT = PictureKind(2_000_000, 512)
EXPORTED_PORTRAIT = PictureKind(500_000, 512, max_side=512)  # many may be in one file
HANDOUT = PictureKind(8_000_000, 1600)
SCENE = PictureKind(15_000_000, 4096)


@dataclass(frozen=True)
class Picture:
    """A redrawn picture: WebP, upright, only its pixels. `digest` is of its bytes."""

    digest: str
    image: bytes
    width: int
    height: int


def remake(raw: bytes, kind: PictureKind) -> Picture:
    """The picture as WebP with nothing but its pixels.

    What follows the picture is dropped: phones append films, depths and brighter twins. Raises Refused if it
    is no picture or too large, and while other pictures are being unpacked.
    """
    if len(raw) > kind.max_bytes:
        text = f"The picture is too large: send at most {kind.max_bytes // 1_000_000} MB."
        raise Refused("bad_value", text)
    with one_at_a_time(_unpacking, BUSY):
        drawn = _draw(_look(raw, kind.max_side), kind.side)
    out = BytesIO()
    drawn.save(out, "WEBP", quality=QUALITY, method=METHOD)
    image = out.getvalue()
    return Picture(hashlib.sha256(image).hexdigest(), image, drawn.width, drawn.height)


def _look(raw: bytes, max_side: int) -> Image.Image:
    """The picture, not yet unpacked, with its size known."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of size: counted below
            image = Image.open(BytesIO(raw), formats=("JPEG", "PNG", "WEBP"))
    except Image.DecompressionBombError:
        text = f"The picture is too large: send at most {MAX_PIXELS / 1e6:g} million pixels."
        raise Refused("bad_value", text) from None
    except Exception as strange:  # any error means that it is no picture
        raise Refused("bad_value", _say_stuffed(strange) or _say_what(raw)) from strange
    width, height = image.size
    if max(width, height) > max_side:
        text = f"The picture is {width:,} × {height:,} pixels: send at most {max_side:,} per side."
        raise Refused("bad_value", text)
    if width * height > MAX_PIXELS:
        text = (
            f"The picture has {width * height / 1e6:.1f} million pixels: send at most {MAX_PIXELS / 1e6:g}."
        )
        raise Refused("bad_value", text)
    if getattr(image, "n_frames", 1) > 1 and image.format not in ("JPEG", "MPO"):
        raise Refused("bad_value", "The picture is animated: send a still one.")
    end = _ENDS[image.format or ""](raw)
    if end is None or end > len(raw):
        raise Refused("bad_value", BROKEN)
    return image


def _say_what(raw: bytes) -> str:
    """Why a file is not taken for a picture: by its kind, if that can be told."""
    kind = find_kind(raw)
    if kind is None:
        return NOT_A_PICTURE
    if kind.family == PICTURE:
        return BROKEN if kind.words in TAKEN else f"This is {kind.words}: {READABLE}"
    return f"This is {kind.words}, not a picture: {READABLE}"


def _say_stuffed(error: Exception) -> str:
    """Why a picture is not unpacked if its packed text is too long; empty for another error."""
    return STUFFED if str(error).startswith(STUFFED_SIGNS) else ""


def _draw(image: Image.Image, side: int) -> Image.Image:
    """The pixels alone, upright, in the colors of screens, no side longer than `side` pixels."""
    try:
        profile = _read_profile(image)
        if image.format == "JPEG":
            image.draft("RGB", (side * 2, side * 2))
        _scale_clear(image)
        ImageOps.exif_transpose(image, in_place=True)
        image = _shorten(image)
        clear = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
        mode = "RGBA" if clear else "CMYK" if image.mode == "CMYK" and profile else "RGB"
        drawn = image if image.mode == mode else image.convert(mode)  # convert would copy such a picture
        drawn.thumbnail((side, side), reducing_gap=1.5)  # without this, it takes twice as long
        drawn = _show_on_screens(drawn, profile) if profile else drawn
    except Exception as broken:  # cut off, corrupt, or worse
        raise Refused("bad_value", _say_stuffed(broken) or BROKEN) from broken
    plain = Image.new(drawn.mode, drawn.size)
    plain.paste(drawn)
    return plain


def _read_profile(image: Image.Image) -> ImageCms.ImageCmsProfile | None:
    """What the numbers of the pixels mean as colors; None for the usual colors of screens."""
    encoded = image.info.get("icc_profile")
    try:
        return ImageCms.ImageCmsProfile(BytesIO(encoded)) if encoded else None
    except (OSError, ImageCms.PyCMSError):
        return None


def _show_on_screens(image: Image.Image, profile: ImageCms.ImageCmsProfile) -> Image.Image:
    """The picture in sRGB as people see it; as it is if the profile is not for such pixels."""
    plain = image.convert("RGB") if image.mode == "CMYK" else image
    mode = PROFILED.get(profile.profile.xcolor_space.strip(), "")
    if not mode or (mode == "CMYK") != (image.mode == "CMYK"):
        return plain
    try:
        shown = ImageCms.profileToProfile(image.convert(mode), profile, SCREEN, outputMode="RGB")
    except ImageCms.PyCMSError:
        return plain
    assert shown is not None  # it is only where the picture itself is changed
    if image.mode == "RGBA":
        shown.putalpha(image.getchannel("A"))
    return shown


def _scale_clear(image: Image.Image) -> None:
    """Give the clear color of a PNG 8 bits, as its pixels get: the file has as many as they have."""
    clear = image.info.get("transparency")
    layout = str(image.tile[0].args) if isinstance(image, PngImageFile) else ""
    if isinstance(clear, int) and layout in GRAYS:
        image.info["transparency"] = clear * GRAYS[layout]
    elif isinstance(clear, tuple) and layout == "RGB;16B":
        image.info["transparency"] = tuple(level >> 8 for level in clear)


def _shorten(image: Image.Image) -> Image.Image:
    """The picture with 8 bits a pixel: the conversion of gray with 16 bits cuts off all that is not black."""
    if not image.mode.startswith("I"):
        return image
    gray = image.point(lambda level: level * (1 / 256)).convert("L")
    if "transparency" in image.info:
        gray.info["transparency"] = image.info["transparency"] >> 8
    return gray


# ---------------------------------------------------------------- a part of a picture


def cut_out(image: bytes, crop: Box, clear: Iterable[Box], dark: Iterable[Box]) -> bytes:
    """A picture made by `remake`, cropped, as WebP; only what is clear and not dark stays.

    Boxes are shares of the picture: left, top, right, bottom, each from 0 to 1. The parts cut out keep
    neither color nor opacity.
    """
    with Image.open(BytesIO(image), formats=("WEBP",)) as whole:
        size = whole.size
        left, top, right, low = _find_pixels(crop, size, round, round)
        seen = whole.crop((left, top, max(right, left + 1), max(low, top + 1))).convert("RGBA")
    mask = Image.new("L", seen.size)
    for boxes, fill, down, up in ((clear, 255, round, round), (dark, 0, floor, ceil)):
        for box in boxes:
            x1, y1, x2, y2 = _find_pixels(box, size, down, up)
            mask.paste(fill, (x1 - left, y1 - top, x2 - left, y2 - top))
    shown = Image.new("RGBA", seen.size)
    shown.paste(seen, mask=mask)
    shown.thumbnail((CUT_SIDE, CUT_SIDE))
    out = BytesIO()
    shown.save(out, "WEBP", quality=QUALITY, method=METHOD)
    return out.getvalue()


def _find_pixels(box: Box, size: tuple[int, int], down: Rounding, up: Rounding) -> tuple[int, int, int, int]:
    """A box in pixels, rounded so that boxes with a common edge keep it in common."""
    width, height = size
    left, top, right, low = box
    return down(left * width), down(top * height), up(right * width), up(low * height)


# ---------------------------------------------------------------- the end of a picture


def _find_png_end(raw: bytes) -> int | None:
    """The position after the end chunk; None if there is none."""
    at = 8
    while at + 12 <= len(raw):
        size, name = struct.unpack(">I4s", raw[at : at + 8])
        at += 12 + int(size)
        if name == b"IEND":
            return at
    return None


def _find_webp_end(raw: bytes) -> int | None:
    """The end of the file by its own header."""
    size: int = struct.unpack("<I", raw[4:8])[0] + 8
    return size


def _find_jpeg_end(raw: bytes) -> int | None:
    """The position after the end marker of the first picture; None if it has none."""
    at = 2
    while at + 4 <= len(raw) and raw[at] == 0xFF and raw[at + 1] != 0xD9:
        if raw[at + 1] == 0xFF:  # it fills a gap
            at += 1
            continue
        is_scan = raw[at + 1] == 0xDA
        at += 2 + struct.unpack(">H", raw[at + 2 : at + 4])[0]
        if is_scan:
            at = _skip_scan(raw, at)
    return at + 2 if raw[at : at + 2] == b"\xff\xd9" else None


def _skip_scan(raw: bytes, at: int) -> int:
    """The position after the packed data of a scan: that of the next marker outside it."""
    while True:
        at = raw.find(b"\xff", at)
        if at < 0 or at + 1 >= len(raw):
            return len(raw)
        if raw[at + 1] == 0xFF:
            at += 1
        elif raw[at + 1] == 0 or 0xD0 <= raw[at + 1] <= 0xD7:
            at += 2
        else:
            return at


_ENDS: dict[str, Callable[[bytes], int | None]] = {
    "JPEG": _find_jpeg_end,
    "MPO": _find_jpeg_end,
    "PNG": _find_png_end,
    "WEBP": _find_webp_end,
}
