"""Files of another kind: every page that takes files names them for what they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from characters.exchange.item_imports import preview_items
from characters.exchange.previews import preview
from characters.exchange.reading import ValidationFailed, read_text
from combat.play.notes.lists import write_notes
from combat.play.packs.documents import read_document
from combat.play.scenes.map_files import read_file
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from cosmos_site.base.file_kinds import find_kind
from cosmos_site.base.pictures import PORTRAIT, remake
from tests.combat.play.scenes.test_foundry import make_scene
from tests.combat.play.scenes.test_uvtt import make_file
from tests.each import find_wrong
from tests.site.pictures import picture


def pack(*names: str, words: str = "") -> bytes:
    """A zip with these files."""
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, words)
    return out.getvalue()


def write(data: Any) -> bytes:
    return json.dumps(data).encode()


NEEDED = "not a list of combatants: each needs a name, in a list or under “Combatants”."
KINDS = {
    b"{\\rtf1\\ansi hello}": "a rich text document (RTF)",
    b"%PDF-1.7": "a PDF",
    b"<!DOCTYPE html><p>Ann": "a web page (HTML)",
    b"\xef\xbb\xbf\n<HTML><body>": "a web page (HTML)",
    b"<?xml version='1.0'?><svg/>": "a drawing (SVG)",
    b"<?xml version='1.0'?><a/>": "an XML file",
    b"MIME-Version: 1.0\nContent-Type: multipart/related": "a saved web page",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"): "an old Word document",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Workbook".encode("utf-16-le"): "an old Excel spreadsheet",
    "{\\rtf1 Zoë}".encode("utf-16"): "a rich text document (RTF)",
    b"\xef\xbb\xbf\n%PDF-1.7": "a PDF",
    "<html><body>Zoë".encode("utf-16"): "a web page (HTML)",
    b"<table><tr><td>Ann": "a web page (HTML)",
    b"<?xml version='1.0'?><!DOCTYPE html><html>": "a web page (HTML)",
    b"<?xml version='1.0'?><?mso-application progid='Excel.Sheet'?><Workbook>": "an Excel spreadsheet",
    b"<?xml version='1.0'?><?mso-application progid='Word.Document'?><w:body>": "a Word document",
    b"<?xml version='1.0'?><o:d m='x.oasis.opendocument.spreadsheet'/>": "an OpenDocument spreadsheet",
    b"From: a@b.c\nTo: d@e.f\nSubject: Ann\n\nHello": "an e-mail",
    b"BEGIN:VCARD\nFN:Ann\nEND:VCARD\n": "a contact or a calendar",
    pack("[Content_Types].xml", "word/document.xml"): "a Word document",
    pack("xl/workbook.xml"): "an Excel spreadsheet",
    pack("ppt/presentation.xml"): "a PowerPoint presentation",
    pack("mimetype", words="application/vnd.oasis.opendocument.text"): "an OpenDocument text",
    pack("mimetype", words="application/vnd.oasis.opendocument.spreadsheet"): "an OpenDocument spreadsheet",
    pack("Index/Document.iwa"): "a Pages document",
    pack("Index/Tables/DataList.iwa"): "a Numbers spreadsheet",
    pack("a.txt"): "an archive (zip)",
    b"\x1f\x8b\x08\x00": "a compressed file (gzip)",
    b"a.txt" + bytes(252) + b"ustar\x00": "an archive (tar)",
    b"BZh91AY&SY\xff": "a compressed file (bzip2)",
    b"8BPS\x00\x01": "a picture (Photoshop)",
    b"gimp xcf v011\x00": "a picture (GIMP)",
    b"\x1a\x45\xdf\xa3\xa3": "a film",
    b"\xff\xfb\x90\x44": "a sound",
    b"wOF2\x00": "a font",
    b"ID3\x04\x00": "a sound",
    b"\x00\x00\x00\x20ftypisom": "a film or a sound (MP4)",
    b"\x00\x00\x00\x20ftypheic": "a picture (HEIC)",
    picture("GIF"): "a picture (GIF)",
    picture("BMP"): "a picture (BMP)",
    b"Loot;Weight\nRope;5\n": "a table (CSV)",
    b"Loot\tWeight\nRope\t5": "a table (CSV)",
    write({"name": "Loot", "results": [], "formula": "1d6"}): "a rollable table of Foundry VTT",
    write({"name": "Clues", "pages": []}): "a journal entry of Foundry VTT",
    write({"sounds": [], "mode": 0}): "a playlist of Foundry VTT",
    write([make_scene()] * 3): "a list of 3, the first a scene of Foundry VTT",
    write({"scenes": [make_scene()] * 2}): "a list of 2, the first a scene of Foundry VTT",
    b"\n".join([write(make_scene())] * 4): "a list of 4, the first a scene of Foundry VTT",
    write({"format": "cosmos-table-state"}): "the state of a table",
    write({"type": "map", "tiledversion": "1.11", "tilewidth": 32, "layers": []}): "a map of Tiled",
    b'<?xml version="1.0"?>\n<map version="1.10" tiledversion="1.11.0" width="9">': "a map of Tiled",
    write({"type": "tileset", "tilecount": 9, "tilewidth": 32, "name": "Hull"}): "a set of tiles of Tiled",
    write({"__header__": {"app": "LDtk"}, "defs": {}, "levels": [], "iid": "a"}): "a project of LDtk",
    write({"__header__": {"app": "LDtk"}, "iid": "a", "layerInstances": []}): "a level of LDtk",
    write({"schema_version": 1, "handouts": [], "characters": [], "pages": []}): "a campaign of Roll20",
    write({"name": "Bo", "attribs": [], "abilities": []}): "a character of Roll20",
    write({"formatName": "dexie", "data": {"databaseName": "OwlbearRodeoDB"}}): "a backup of Owlbear Rodeo",
    write({"items": [{"layer": "MAP"}], "grid": {}, "fog": {}}): "a scene of Owlbear Rodeo",
    write([{"id": "a", "layer": "MAP", "createdUserId": "b"}] * 2): (
        "a list of 2, the first a thing of Owlbear Rodeo"
    ),
    write({"type": "Scene", "data": make_scene()}): "a file with a scene of Foundry VTT in it",
    write({"name": "Pack", "scenes": [make_scene()] * 2}): (
        "a file with 2 in it, the first a scene of Foundry VTT"
    ),
    write({"map": make_file(), "by": "Ann"}): "a file with a Universal VTT file in it",
}
NOBODY_KNOWS = [b"", b"hello", b"{}", b"[]", b"[1]", b"BM Otto 777777", b"MZ", b"BZh", b"<Ann> 777777",
                b"From: the GM, To: all", b"gimp xcf", b"4 pirates\n2 marines",
                b"\xff\xfe", b"[" * 3000, b'{"name": "Ann"}']  # fmt: skip
READERS: dict[str, Callable[[bytes], object]] = {
    "map": lambda raw: read_file(raw, 1.0),
    "characters": lambda raw: preview(read_text(raw), "cepheus", {}),
    "items": lambda raw: preview_items(read_text(raw), "cepheus", {}),
    "pack": read_document,
    "picture": lambda raw: remake(raw, PORTRAIT),
}


def refuse(read: Callable[[bytes], object], raw: bytes) -> str:
    with pytest.raises((Refused, ValidationFailed)) as caught:
        read(raw)
    wrong = caught.value
    return str(wrong.problems[0]) if isinstance(wrong, ValidationFailed) else str(wrong)


def test_file_is_named_for_what_it_is() -> None:
    found = {raw: find_kind(raw) for raw in KINDS}
    assert {raw: kind and kind.words for raw, kind in found.items()} == KINDS


@pytest.mark.parametrize("raw", NOBODY_KNOWS)
def test_texts_and_unknown_bytes_are_not_named(raw: bytes) -> None:
    assert find_kind(raw) is None


def check_named(reader: str, raw: bytes) -> None:
    said = refuse(READERS[reader], raw)
    if reader == "characters" and KINDS[raw] == "a table (CSV)":
        assert "call the column of names Name" in said, "a table without names"
    else:
        assert KINDS[raw] in said


@pytest.mark.parametrize("reader", READERS)
def test_every_page_names_a_file_of_another_kind_and_what_works(reader: str) -> None:
    assert not find_wrong(check_named, ((reader, raw) for raw in KINDS))


def test_map_inside_another_file_is_told_with_its_field() -> None:
    said = refuse(READERS["map"], write({"type": "Scene", "data": make_scene()}))
    assert said == "This is a file with a scene of Foundry VTT in it: send only what is in its “data”."


@pytest.mark.parametrize(
    "raw",
    [
        {"schema_version": 3, "character": {"attribs": [], "name": "Kira"}},
        {"data": {"layers": [], "tilewidth": 32}},
        {"items": [{"createdUserId": "a", "layer": "MAP"}], "version": 2},
        [{"createdUserId": "a", "layer": "MAP"}],
        {"actor": {"type": "npc", "system": {}, "items": []}},
    ],
)
def test_nobody_is_told_to_send_alone_what_is_no_map_either(raw: Any) -> None:
    said = refuse(READERS["map"], write(raw))
    assert "send only" not in said
    assert "send that" not in said
    assert "add a picture of it and draw" in said


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (make_scene(), "This is a scene of Foundry VTT: the map editor of an encounter reads it."),
        (make_file(), "This is a Universal VTT file: the map editor of an encounter reads it."),
        (
            {"format": "cosmos-table-encounter"},
            "This is an encounter exported from a table: Encounters → Import reads it.",
        ),
        ({"format": "cosmos-table-pack"}, "This is a pack: the page of packs reads it."),
        ({"name": "Clues", "pages": []}, f"This is a journal entry of Foundry VTT, {NEEDED}"),
    ],
)
def test_notes_name_a_document_of_another_kind(raw: dict[str, Any], said: str) -> None:
    """A scene has a name: it was added as a combatant."""
    assert refuse(lambda sent: write_notes(sent.decode(), find_system("cosmos")), write(raw)) == said
