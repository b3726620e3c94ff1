"""Pictures: taken in when they are pictures and nothing else, made anew, served as pictures only."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from characters.models import Character, Portrait
from characters.services import portraits
from combat.rules.core.basics.errors import Refused

EVIL = b"<script>alert(1)</script>"


def picture(kind: str = "PNG", size: tuple[int, int] = (60, 40), mode: str = "RGB", **more: Any) -> bytes:
    """A small picture of a kind."""
    out = BytesIO()
    Image.new(mode, size, 1 if mode in ("1", "L", "P") else "teal").save(out, kind, **more)
    return out.getvalue()


def remade(raw: bytes) -> Image.Image:
    return Image.open(BytesIO(portraits.remake(raw)[1]))


def refusal(raw: bytes) -> str:
    with pytest.raises(Refused) as caught:
        portraits.remake(raw)
    return caught.value.message


def huge_png(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it has so many pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    lines = zlib.compress(b"\x00" * 10_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


# ---------------------------------------------------------------- taken in


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("JPEG", "RGB"), ("JPEG", "L"), ("JPEG", "CMYK"), ("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P"),
     ("PNG", "1"), ("PNG", "LA"), ("WEBP", "RGB"), ("WEBP", "RGBA")],
)  # fmt: skip
def test_pictures_of_every_allowed_kind_become_webp(kind: str, mode: str) -> None:
    out = remade(picture(kind, mode=mode))
    assert (out.format, out.size) == ("WEBP", (60, 40))


def test_progressive_and_lossless_pictures_are_fine() -> None:
    assert remade(picture("JPEG", progressive=True)).size == (60, 40)
    assert remade(picture("WEBP", (33, 21), lossless=True)).size == (33, 21)


def test_large_picture_becomes_small_and_keeps_its_shape() -> None:
    assert remade(picture("JPEG", (3000, 1500))).size == (512, 256)


def test_clear_parts_stay_clear() -> None:
    out = BytesIO()
    Image.new("RGBA", (20, 20), (255, 0, 0, 0)).save(out, "PNG")
    assert remade(out.getvalue()).convert("RGBA").getpixel((5, 5))[3] == 0  # type: ignore[index]


def test_what_the_camera_wrote_is_gone_and_the_picture_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned
    exif[0x010F] = "Spy camera"
    exif.get_ifd(0x8825)[1] = "N"  # a place
    out = remade(picture("JPEG", (60, 40), exif=exif.tobytes()))
    assert out.size == (40, 60)
    assert not out.getexif()
    assert not {"exif", "icc_profile", "xmp"} & set(out.info)


def test_words_in_a_picture_do_not_survive() -> None:
    assert EVIL not in portraits.remake(picture("JPEG", comment=EVIL))[1]


def test_phone_pictures_with_a_second_one_behind_are_fine() -> None:
    assert remade(picture("JPEG", (60, 40)) + picture("JPEG", (10, 10))).size == (60, 40)


def test_same_picture_gives_the_same_digest() -> None:
    assert portraits.remake(picture())[0] == portraits.remake(picture())[0]
    assert portraits.remake(picture())[0] != portraits.remake(picture("JPEG"))[0]


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    "raw",
    [b"", b"hello", b"GIF89a" + b"\x00" * 50, b"%PDF-1.7", b"<svg xmlns='http://www.w3.org/2000/svg'/>",
     b"<?xml version='1.0'?><svg onload='alert(1)'/>", EVIL, b"MZ\x90", b"PK\x03\x04"],
)  # fmt: skip
def test_what_is_no_allowed_picture_is_refused(raw: bytes) -> None:
    assert refusal(raw) == portraits.NOT_A_PICTURE


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "ICO", "PPM"])
def test_other_kinds_of_pictures_are_refused(kind: str) -> None:
    assert refusal(picture(kind, (16, 16))) == portraits.NOT_A_PICTURE


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize(
    "more", [EVIL, b"PK\x03\x04 a zip", b"\x00" * 9 + b"x", b"\xff\xd8\xff\xe0 not a picture"]
)
def test_picture_that_is_something_else_as_well_is_refused(kind: str, more: bytes) -> None:
    told = refusal(picture(kind) + more)
    assert told in (portraits.TWO_FACED, portraits.BROKEN)
    assert (told == portraits.TWO_FACED) or (kind == "JPEG" and more.startswith(b"\xff\xd8"))


def test_html_that_begins_like_a_picture_is_refused() -> None:
    assert refusal(b"\xff\xd8\xff\xe0" + EVIL) in (portraits.NOT_A_PICTURE, portraits.BROKEN)
    assert refusal(b"\x89PNG\r\n\x1a\n" + EVIL) == portraits.NOT_A_PICTURE


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_picture_that_is_cut_off_is_refused(kind: str) -> None:
    raw = picture(kind, (300, 300))
    assert refusal(raw[: len(raw) // 2]) in (portraits.BROKEN, portraits.NOT_A_PICTURE)


@pytest.mark.parametrize("size", [(30_000, 30_000), (8001, 10), (10, 60_000), (7000, 7000)])
def test_bomb_is_refused_before_it_is_unpacked(size: tuple[int, int]) -> None:
    assert "8000" in refusal(huge_png(*size))


def test_moving_picture_is_refused() -> None:
    out, frames = BytesIO(), [Image.new("RGB", (9, 9), colour) for colour in ("red", "blue")]
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:])
    assert "animated" in refusal(out.getvalue())


def test_more_than_2_megabytes_are_refused() -> None:
    assert refusal(picture() + b"\x00" * 2_000_000) == "The picture is too large: send at most 2 MB."


@settings(max_examples=2 * settings().max_examples)
@given(st.sampled_from(["JPEG", "PNG", "WEBP"]), st.integers(0, 400), st.binary(min_size=1, max_size=30))
def test_damaged_pictures_are_refused_or_still_pictures(kind: str, at: int, junk: bytes) -> None:
    raw = picture(kind)
    at = at % len(raw)
    try:
        _, out = portraits.remake(raw[:at] + junk + raw[at + len(junk) :])
    except Refused:
        return
    assert Image.open(BytesIO(out)).format == "WEBP"


# ---------------------------------------------------------------- on the sheet


def send(client: Client, character: Character, raw: bytes, name: str = "me.png", **more: Any) -> HttpResponse:
    files = {"picture": SimpleUploadedFile(name, raw, "image/png")}
    return client.post(f"/characters/{character.pk}/portrait/", {**files, **more})


def test_uploaded_picture_is_shown_and_can_be_undone(ana_client: Client, zara: Character) -> None:
    assert 'class="portrait initials"' in ana_client.get(f"/characters/{zara.pk}/").content.decode()
    assert send(ana_client, zara, picture())["Location"] == f"/characters/{zara.pk}/"
    zara.refresh_from_db()
    address = f"/characters/{zara.pk}/portrait/{zara.portrait}.webp"
    assert f'src="{address}"' in ana_client.get(f"/characters/{zara.pk}/").content.decode()
    assert f'src="{address}"' in ana_client.get("/characters/").content.decode()
    assert Image.open(BytesIO(ana_client.get(address).content)).format == "WEBP"
    ana_client.post(f"/characters/{zara.pk}/", {"do": "undo"})
    zara.refresh_from_db()
    assert zara.portrait == ""


def test_picture_is_served_as_nothing_but_a_picture(ana_client: Client, zara: Character) -> None:
    send(ana_client, zara, picture())
    zara.refresh_from_db()
    answer = ana_client.get(f"/characters/{zara.pk}/portrait/{zara.portrait}.webp")
    assert answer["Content-Type"] == "image/webp"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["Cache-Control"].startswith("private")
    assert answer["Content-Disposition"].startswith("inline")
    assert ana_client.get(f"/characters/{zara.pk}/portrait/other.webp").status_code == 404


@pytest.mark.parametrize(
    ("raw", "name", "words"),
    [
        (b"<svg/>", "me.svg", "Not a picture we can read"),
        (b"<svg/>", "me.png", "Not a picture we can read"),
        (picture() + EVIL, "me.png", "more than a picture"),
        (huge_png(30_000, 30_000), "me.png", "too large"),
        (b"x" * 2_000_001, "me.png", "at most 2 MB"),
        (b"", "me.png", "Not a picture we can read"),
    ],
)
def test_refused_picture_says_why_and_changes_nothing(
    ana_client: Client, zara: Character, raw: bytes, name: str, words: str
) -> None:
    answer = send(ana_client, zara, raw, name)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    zara.refresh_from_db()
    assert (zara.portrait, zara.version, Portrait.objects.count()) == ("", 1, 0)


def test_form_without_a_file_is_refused(ana_client: Client, zara: Character) -> None:
    answer = ana_client.post(f"/characters/{zara.pk}/portrait/")
    assert (answer.status_code, "Choose a file first." in answer.content.decode()) == (422, True)
    assert 'name="picture"' in answer.content.decode()


def test_name_and_type_that_lie_do_not_matter(ana_client: Client, zara: Character) -> None:
    assert send(ana_client, zara, picture("JPEG"), "../../evil.html").status_code == 302
    assert Portrait.objects.count() == 1


def test_picture_is_taken_away(ana_client: Client, zara: Character) -> None:
    send(ana_client, zara, picture())
    ana_client.post(f"/characters/{zara.pk}/portrait/", {"remove": "1"})
    zara.refresh_from_db()
    assert zara.portrait == ""


def test_htmx_gets_the_sheet_with_the_new_picture(ana_client: Client, zara: Character) -> None:
    files = {"picture": SimpleUploadedFile("me.png", picture())}
    answer = ana_client.post(f"/characters/{zara.pk}/portrait/", files, HTTP_HX_REQUEST="true")
    assert answer.content.decode().lstrip().startswith('<div id="sheet"')
    assert "New portrait" in answer.content.decode()
