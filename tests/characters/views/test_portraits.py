"""Pictures on the sheet: uploaded, shown, removed, served as pictures only."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from characters.models import Character, Portrait
from characters.services import character_service
from tests.site.pictures import huge_png, picture
from tests.typed import Answer


def send(client: Client, character: Character, raw: bytes, name: str = "me.png", **more: Any) -> Answer:
    files = {"picture": SimpleUploadedFile(name, raw, "image/png")}
    return client.post(f"/characters/{character.pk}/portrait/", {**files, **more})


def test_uploaded_picture_is_shown_and_can_be_undone(ana_client: Client, zara: Character) -> None:
    assert f"faces.svg#{zara.face}" in ana_client.get(f"/characters/{zara.pk}/").content.decode()
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
        (b"<svg/>", "me.svg", "This is a drawing (SVG): send"),
        (b"<svg/>", "me.png", "This is a drawing (SVG): send"),
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


def test_drawn_face_takes_the_place_of_a_picture_and_is_undone(ana_client: Client, zara: Character) -> None:
    character_service.keep_portrait(zara.pk, "abc", b"RIFF", by="ana")
    address, before = f"/characters/{zara.pk}/portrait/", zara.face
    assert ana_client.post(address, {"draw": "1", "face": "courier"}).status_code == 302
    zara.refresh_from_db()
    assert (zara.portrait, zara.face) == ("", "courier")
    assert "#courier" in ana_client.get(f"/characters/{zara.pk}/").content.decode()
    assert ana_client.post(address, {"draw": "1", "face": "../x"}).status_code == 422
    character_service.undo(zara.pk)
    zara.refresh_from_db()
    assert (zara.portrait, zara.face) == ("abc", before)
