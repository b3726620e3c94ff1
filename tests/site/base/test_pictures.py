"""Pictures: accepted only if they are pictures, and always encoded again."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import product
from typing import Any
from zlib import compress, crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageColor

from combat.rules.core.basics.errors import Refused
from cosmos_site.base import files, pictures
from cosmos_site.base.pictures import CUT_SIDE, HANDOUT, PORTRAIT, SCENE, Box, PictureKind, cut_out, remake
from tests.site.pictures import EVIL, huge_png, picture


def remade(raw: bytes, kind: PictureKind = PORTRAIT) -> Image.Image:
    return Image.open(BytesIO(remake(raw, kind).image))


def refusal(raw: bytes, kind: PictureKind = PORTRAIT) -> str:
    with pytest.raises(Refused) as caught:
        remake(raw, kind)
    return caught.value.message


# ---------------------------------------------------------------- accepted


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("JPEG", "RGB"), ("JPEG", "L"), ("JPEG", "CMYK"), ("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P"),
     ("PNG", "1"), ("PNG", "LA"), ("WEBP", "RGB"), ("WEBP", "RGBA")],
)  # fmt: skip
def test_pictures_of_every_allowed_kind_become_webp(kind: str, mode: str) -> None:
    out = remade(picture(kind, mode=mode))
    assert (out.format, out.size) == ("WEBP", (60, 40))


def _encode(drawn: Image.Image, kind: str = "PNG", **more: Any) -> bytes:
    out = BytesIO()
    drawn.save(out, kind, **more)
    return out.getvalue()


LEFT, RIGHT = (64, 64, 64, 255), (192, 192, 192, 255)  # of a picture whose halves are two grays
DEPTHS = {
    "8 bit gray": lambda: _paint_halves("L", 64, 192),
    "16 bit gray": lambda: _paint_halves("I;16", 64 << 8, 192 << 8),
    "color": lambda: _paint_halves("RGB", LEFT[:3], RIGHT[:3]),
    "palette": lambda: _paint_halves("RGB", LEFT[:3], RIGHT[:3]).quantize(2),
    "gray with alpha": lambda: _paint_halves("LA", (64, 255), (192, 255)),
}


def _paint_halves(mode: str, left: Any, right: Any, size: tuple[int, int] = (60, 40)) -> Image.Image:
    drawn = Image.new(mode, size, left)
    drawn.paste(Image.new(mode, (size[0] // 2, size[1]), right), (size[0] // 2, 0))
    return drawn


def _read_halves(drawn: Image.Image) -> list[tuple[int, ...]]:
    """The colors of the left and the right half, as people see them."""
    full = drawn.convert("RGBA")
    return [full.getpixel((drawn.width * n // 4, drawn.height // 2)) for n in (1, 3)]  # type: ignore[misc]


def _are_alike(found: Sequence[tuple[int, ...]], meant: Sequence[tuple[int, ...]]) -> bool:
    return all(
        abs(a - b) <= 4
        for one, other in zip(found, meant, strict=True)
        for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize("depth", DEPTHS)
def test_kept_picture_looks_like_the_one_sent_at_any_depth(depth: str) -> None:
    assert _are_alike(_read_halves(remade(_encode(DEPTHS[depth]()))), [LEFT, RIGHT])


@pytest.mark.parametrize(("mode", "clear"), [("L", 64), ("I;16", 64 << 8), ("RGB", LEFT[:3])])
def test_color_that_the_file_calls_clear_is_clear(mode: str, clear: Any) -> None:
    raw = _encode(
        _paint_halves(mode, clear, {"L": 192, "I;16": 192 << 8}.get(mode, RIGHT[:3])), transparency=clear
    )
    left, right = _read_halves(remade(raw))
    assert (left[3], right[3]) == (0, 255)


@pytest.mark.parametrize(
    ("bits", "color", "row", "clear"),
    [
        (1, 0, b"\x50", (1,)),
        (2, 0, b"\x1b", (1,)),
        (4, 0, b"\x05\xaf", (5,)),
        (8, 0, b"\x00\x50\xaa\xff", (0x50,)),
        (16, 0, b"\x00\x00\x55\x10\xaa\xaa\xff\xff", (0x5510,)),
        (16, 2, b"\x00" * 6 + b"\x55\x10" * 3 + b"\xff" * 12, (0x5510,) * 3),
    ],
)
def test_clear_color_is_clear_whatever_the_depth(
    bits: int, color: int, row: bytes, clear: tuple[int, ...]
) -> None:
    """Of a row of four pixels, the second has the color that the file calls clear."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", crc32(name + content))

    head = struct.pack(">IIBBBBB", 4, 1, bits, color, 0, 0, 0)
    raw = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
    raw += chunk(b"tRNS", struct.pack(f">{len(clear)}H", *clear))
    raw += chunk(b"IDAT", compress(b"\0" + row)) + chunk(b"IEND", b"")
    assert list(remade(raw).getchannel("A").tobytes())[:3] == [255, 0, 255]


def test_colors_for_print_look_the_same_on_a_screen() -> None:
    inks = _paint_halves("CMYK", (0, 255, 255, 0), (255, 255, 0, 0))
    raw = _encode(inks, "JPEG", quality=95)
    assert _are_alike(_read_halves(remade(raw)), [(255, 0, 0, 255), (0, 0, 255, 255)])


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize(
    ("turn", "halves"), [(1, "as it is"), (2, "mirrored"), (3, "mirrored"), (4, "as it is")]
)
def test_picture_is_upright_whatever_the_camera_says(kind: str, turn: int, halves: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    meant = [LEFT, RIGHT] if halves == "as it is" else [RIGHT, LEFT]
    raw = _encode(_paint_halves("RGB", LEFT[:3], RIGHT[:3]), kind, exif=exif)
    assert _are_alike(_read_halves(remade(raw)), meant)


@pytest.mark.parametrize("size", [(8000, 100), (100, 8000), (8000, 1), (1, 8000)])
def test_very_wide_or_tall_picture_is_kept_whole(size: tuple[int, int]) -> None:
    made = remake(_encode(Image.new("RGB", size, RIGHT[:3])), SCENE)
    assert max(made.width, made.height) == SCENE.side
    assert made.width / made.height == pytest.approx(size[0] / size[1], rel=0.01) or 1 in size
    assert Image.open(BytesIO(made.image)).convert("RGB").getpixel((0, 0)) == pytest.approx(RIGHT[:3], abs=4)


def test_photo_with_a_second_picture_for_depth_is_a_still_one() -> None:
    photo = _paint_halves("RGB", LEFT[:3], RIGHT[:3])
    raw = _encode(photo, "MPO", save_all=True, append_images=[Image.new("RGB", (60, 40), "black")])
    assert _are_alike(_read_halves(remade(raw)), [LEFT, RIGHT])


def test_progressive_and_lossless_pictures_are_fine() -> None:
    assert remade(picture("JPEG", progressive=True)).size == (60, 40)
    assert remade(picture("WEBP", (33, 21), lossless=True)).size == (33, 21)


def test_large_picture_becomes_small_and_keeps_its_shape() -> None:
    assert remade(picture("JPEG", (3000, 1500))).size == (512, 256)


@pytest.mark.parametrize("kind", [PORTRAIT, HANDOUT, SCENE])
def test_each_kind_keeps_as_many_pixels_as_it_needs(kind: PictureKind) -> None:
    made = remake(picture("JPEG", (5000, 1000)), kind)
    assert (made.width, made.height) == (kind.side, kind.side // 5) == Image.open(BytesIO(made.image)).size


def test_pictures_are_unpacked_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """34 bytes become 40 million pixels: eight people sending them at once must not fill the memory."""
    monkeypatch.setattr(files, "WAIT_SECONDS", 0.01)
    with files.one_at_a_time(pictures._unpacking, ""):
        assert refusal(picture("WEBP")) == pictures.BUSY
    with pytest.raises(Refused):
        remake(b"no picture", PORTRAIT)
    assert remade(picture("WEBP")).size == (60, 40)


def test_clear_parts_stay_clear() -> None:
    out = BytesIO()
    Image.new("RGBA", (20, 20), (255, 0, 0, 0)).save(out, "PNG")
    assert remade(out.getvalue()).convert("RGBA").getchannel("A").getpixel((5, 5)) == 0


def test_what_the_camera_wrote_is_gone_and_the_picture_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned
    exif[0x010F] = "Spy camera"
    exif.get_ifd(0x8825)[1] = "N"  # a GPS position
    out = remade(picture("JPEG", (60, 40), exif=exif.tobytes()))
    assert out.size == (40, 60)
    assert not out.getexif()
    assert not {"exif", "icc_profile", "xmp"} & set(out.info)


def test_words_in_a_picture_do_not_survive() -> None:
    assert EVIL not in remake(picture("JPEG", comment=EVIL), PORTRAIT).image


TAILS = {  # what phones and cameras append to a photo
    "a second picture": picture("JPEG", (10, 10)),
    "half of a second picture": picture("JPEG", (99, 99))[:300],
    "notes of a Samsung": b"\x00\x00\x01\x0aImage_UTC_Data1700000000000SEFHk\x00\x00\x00\x01SEFT",
    "the film of a Motion Photo": b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00isommp42" + b"\xff\xd8\x00" * 99,
    "a web page": EVIL,
    "an archive": b"PK\x03\x04 a zip",
    "zeros": b"\x00" * 99,
}


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_only_the_picture_is_kept_of_a_photo_with_a_tail(kind: str, tail: str) -> None:
    raw = _encode(_paint_halves("RGB", LEFT[:3], RIGHT[:3]), kind)
    assert remake(raw + TAILS[tail], PORTRAIT) == remake(raw, PORTRAIT)


def test_photo_with_a_brighter_twin_is_its_first_picture() -> None:
    """Ultra HDR: an index of two pictures, the second of which says how bright the first may get."""
    photo = _paint_halves("RGB", LEFT[:3], RIGHT[:3])
    raw = _encode(photo, "MPO", save_all=True, append_images=[Image.new("L", (15, 10), 200)])
    assert _are_alike(_read_halves(remade(raw)), [LEFT, RIGHT])
    assert _are_alike(_read_halves(remade(raw[: raw.rindex(b"\xff\xd8") + 40])), [LEFT, RIGHT])


def test_signs_that_fill_gaps_between_parts_are_passed_over() -> None:
    raw = _encode(_paint_halves("RGB", LEFT[:3], RIGHT[:3]), "JPEG")
    at = raw.index(b"\xff\xdb")
    assert _are_alike(_read_halves(remade(raw[:at] + b"\xff\xff" + raw[at:])), [LEFT, RIGHT])


# ---------------------------------------------------------------- colors


def _make_profile(curve: float, primaries: Sequence[tuple[float, float, float]] = ()) -> bytes:
    """A profile of version 2: gray, or red, green and blue of these primaries, with a gamma."""

    def number(value: float) -> bytes:
        return struct.pack(">i", round(value * 65536))

    def place(*xyz: float) -> bytes:
        return b"XYZ \0\0\0\0" + b"".join(map(number, xyz))

    gamma = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(curve * 256)) + b"\0\0"
    words = b"desc\0\0\0\0" + struct.pack(">I", 2) + b"x\0" + bytes(78)
    parts = [(b"desc", words), (b"wtpt", place(0.9642, 1, 0.8249)), (b"cprt", b"text\0\0\0\0x\0\0\0")]
    for name, xyz in zip((b"rXYZ", b"gXYZ", b"bXYZ"), primaries, strict=False):
        parts.append((name, place(*xyz)))
    parts += [(name, gamma) for name in ((b"rTRC", b"gTRC", b"bTRC") if primaries else (b"kTRC",))]
    at, index, body = 132 + 12 * len(parts), b"", b""
    for name, data in parts:
        data += bytes(-len(data) % 4)
        index += name + struct.pack(">II", at + len(body), len(data))
        body += data
    space = b"RGB " if primaries else b"GRAY"
    head = struct.pack(">I4sI4s4s4s", at + len(body), b"lcms", 0x02100000, b"mntr", space, b"XYZ ")
    head += struct.pack(">6H", 2024, 1, 1, 0, 0, 0) + b"acsp" + bytes(28)
    head += b"".join(map(number, (0.9642, 1, 0.8249))) + bytes(48)
    return head + struct.pack(">I", len(parts)) + index + body


WIDE = _make_profile(2.2, [(0.5151, 0.2412, -0.0011), (0.2919, 0.6922, 0.0419), (0.1572, 0.0666, 0.7841)])
DARK = _make_profile(3.0)  # grays as a printer means them


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_colors_of_a_wide_profile_are_those_of_a_screen(kind: str) -> None:
    """Orange of a phone's Display P3 is a stronger orange in sRGB."""
    drawn = Image.new("RGB", (60, 40), (200, 120, 80))
    plain = remade(_encode(drawn, kind)).convert("RGB").getpixel((30, 20))
    wide = remade(_encode(drawn, kind, icc_profile=WIDE)).convert("RGB").getpixel((30, 20))
    assert plain == pytest.approx((200, 120, 80), abs=4)
    assert wide == pytest.approx((214, 116, 71), abs=6)


@pytest.mark.parametrize("mode", ["L", "LA", "P", "RGBA"])
def test_profile_counts_for_every_kind_of_pixels(mode: str) -> None:
    """Grays are darker by the profile; what is clear stays clear."""
    drawn = Image.new("LA" if mode == "LA" else "L", (60, 40), (128, 90) if mode == "LA" else 128)
    profile = WIDE if mode in ("P", "RGBA") else DARK
    seen = remade(_encode(drawn.convert(mode), "PNG", icc_profile=profile)).convert("RGBA").getpixel((30, 20))
    assert isinstance(seen, tuple)
    assert seen[0] == pytest.approx(128 if profile is WIDE else 101, abs=3)
    assert seen[3] == (90 if mode == "LA" else 255)


@pytest.mark.parametrize("profile", [b"no profile", WIDE[:200], DARK])
def test_picture_with_a_profile_that_does_not_fit_is_as_it_is(profile: bytes) -> None:
    raw = _encode(_paint_halves("CMYK", (0, 0, 0, 191), (0, 0, 0, 63)), "JPEG", icc_profile=profile)
    assert _are_alike(_read_halves(remade(raw)), [LEFT, RIGHT])
    raw = _encode(_paint_halves("RGB", LEFT[:3], RIGHT[:3]), "PNG", icc_profile=profile[:40])
    assert _are_alike(_read_halves(remade(raw)), [LEFT, RIGHT])


def test_same_picture_gives_the_same_digest() -> None:
    first = remake(picture(), PORTRAIT)
    assert first.digest == remake(picture(), PORTRAIT).digest == hashlib.sha256(first.image).hexdigest()
    assert first.digest != remake(picture("JPEG"), PORTRAIT).digest


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize("name", [b"zTXt", b"iTXt"])
@pytest.mark.parametrize("is_behind", [False, True], ids=["before the pixels", "behind them"])
def test_picture_with_sixty_megabytes_of_packed_text_is_named(name: bytes, is_behind: bool) -> None:
    raw, packed = picture(), compress(b"x" * 60_000_000)
    data = b"Comment\0" + (b"\0" if name == b"zTXt" else b"\1\0\0\0") + packed
    chunk = struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc32(name + data))
    at = raw.index(b"IEND" if is_behind else b"IDAT") - 4
    assert refusal(raw[:at] + chunk + raw[at:]) == pictures.STUFFED


@pytest.mark.parametrize(
    "raw",
    [b"", b"hello", b"GIF89a" + b"\x00" * 50, b"%PDF-1.7", b"<svg xmlns='http://www.w3.org/2000/svg'/>",
     b"<?xml version='1.0'?><svg onload='alert(1)'/>", EVIL, b"MZ\x90", b"PK\x03\x04",
     *(picture(kind, (16, 16)) for kind in ("GIF", "BMP", "TIFF", "ICO", "PPM"))],
)  # fmt: skip
def test_what_is_no_allowed_picture_is_refused(raw: bytes) -> None:
    assert refusal(raw).endswith(": send a JPEG, PNG or WebP.")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"hello", pictures.NOT_A_PICTURE),
        (b"%PDF-1.7", "This is a PDF, not a picture: send a JPEG, PNG or WebP."),
        (picture("GIF", (16, 16)), "This is a picture (GIF): send a JPEG, PNG or WebP."),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), pictures.BROKEN),
    ],
)
def test_file_of_another_kind_is_named(raw: bytes, said: str) -> None:
    assert refusal(raw) == said


def test_html_that_begins_like_a_picture_is_refused() -> None:
    assert refusal(b"\xff\xd8\xff\xe0" + EVIL) in (pictures.NOT_A_PICTURE, pictures.BROKEN)
    assert refusal(b"\x89PNG\r\n\x1a\n" + EVIL) == pictures.BROKEN


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_picture_that_is_cut_off_is_refused(kind: str) -> None:
    raw = picture(kind, (300, 300))
    assert refusal(raw[: len(raw) // 2]) in (pictures.BROKEN, pictures.NOT_A_PICTURE)


@pytest.mark.parametrize(
    ("size", "words"),
    [
        ((30_000, 30_000), "send at most 40 million pixels."),
        ((8001, 10), "The picture is 8,001 × 10 pixels: send at most 8,000 per side."),
        ((10, 60_000), "send at most 8,000 per side."),
        ((7680, 7680), "The picture has 59.0 million pixels: send at most 40."),
    ],
)
def test_bomb_is_refused_by_its_broken_limit_before_unpacking(size: tuple[int, int], words: str) -> None:
    assert refusal(huge_png(*size)).endswith(words)


def test_moving_picture_is_refused() -> None:
    out, frames = BytesIO(), [Image.new("RGB", (9, 9), colour) for colour in ("red", "blue")]
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:])
    assert "animated" in refusal(out.getvalue())


def test_more_than_its_kind_allows_is_refused() -> None:
    assert refusal(picture() + b"\x00" * 2_000_000) == "The picture is too large: send at most 2 MB."
    assert remake(picture() + b"\x00" * 2_000_000, HANDOUT).width == 60
    assert refusal(b"\x00" * 8_000_001, HANDOUT) == "The picture is too large: send at most 8 MB."
    assert refusal(b"\x00" * 15_000_001, SCENE) == "The picture is too large: send at most 15 MB."


@settings(max_examples=2 * settings().max_examples)
@given(st.sampled_from(["JPEG", "PNG", "WEBP"]), st.integers(0, 400), st.binary(min_size=1, max_size=30))
def test_damaged_pictures_are_refused_or_still_pictures(kind: str, at: int, junk: bytes) -> None:
    raw = picture(kind)
    at = at % len(raw)
    try:
        out = remake(raw[:at] + junk + raw[at + len(junk) :], PORTRAIT).image
    except Refused:
        return
    assert Image.open(BytesIO(out)).format == "WEBP"


# ---------------------------------------------------------------- cut out

SHARES = st.integers(0, 40).map(lambda n: n / 40)
CORNERS = st.tuples(SHARES, SHARES, SHARES, SHARES)
BOXES = CORNERS.map(lambda four: (*map(min, four[:2], four[2:]), *map(max, four[:2], four[2:])))


def paint(is_shown: Callable[[int, int], bool], unseen: str) -> bytes:
    """A picture that is teal in its visible part, and another color elsewhere."""
    drawn, out = Image.new("RGB", (40, 40), "teal"), BytesIO()
    for x, y in product(range(40), range(40)):
        if not is_shown(x, y):
            drawn.putpixel((x, y), ImageColor.getrgb(unseen))
    drawn.save(out, "WEBP", lossless=True)
    return out.getvalue()


@given(clear=st.lists(BOXES, max_size=4), dark=st.lists(BOXES, max_size=3))
def test_nothing_is_left_of_what_is_cut_out(clear: list[Box], dark: list[Box]) -> None:
    """A pixel is shown where it is clear and not dark; hidden pixels change no byte."""

    def is_shown(x: int, y: int) -> bool:
        found = [
            any(b[0] * 40 <= x + 0.5 < b[2] * 40 and b[1] * 40 <= y + 0.5 < b[3] * 40 for b in boxes)
            for boxes in (clear, dark)
        ]
        return found == [True, False]

    one, other = (cut_out(paint(is_shown, colour), (0, 0, 1, 1), clear, dark) for colour in ("red", "gold"))
    assert one == other
    shown = Image.open(BytesIO(one)).convert("RGBA").getchannel("A")
    assert all((shown.getpixel(at) == 255) == is_shown(*at) for at in product(range(40), range(40)))


def test_a_cut_is_cropped_and_no_larger_than_a_screen_needs() -> None:
    whole = remake(picture(size=(4000, 1000)), SCENE).image
    shown = Image.open(BytesIO(cut_out(whole, (0.25, 0, 1, 1), [(0, 0, 1, 1)], [])))
    assert shown.size == (CUT_SIDE, round(CUT_SIDE / 3))
