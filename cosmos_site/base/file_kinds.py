"""What a file is, for pages that take files of another kind: named by its signs, never by its name.

Nothing is unpacked: signs are the first bytes, names inside a zip, and the fields of a JSON document.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from combat.rules.core.basics.data import read_json

T = TypeVar("T")

TEXT, TABLE, PICTURE, ARCHIVE, OTHER = "text", "table", "picture", "archive", "other"
PEOPLE, DATA = "people", "data"  # of JSON documents
MAX_FIELD = 40  # letters of a field's name
START = 4000  # bytes at the beginning that are looked at
ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
TAGS = rb"!doctype\s+html|html|head|body|meta|title|style|table|div|p"
HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)?<(?:%s)\b" % TAGS, re.IGNORECASE | re.DOTALL)
MAIL = re.compile(rb"(?:From|To|Received|Return-Path|Delivered-To): .*^Subject: ", re.MULTILINE | re.DOTALL)
WRITTEN = (b"%PDF", b"{\\rtf")  # signs that no text begins with
FORMATS = {  # of this site
    "cosmos-table-encounter": ("an encounter exported from a table", "Encounters → Import"),
    "cosmos-table-characters": ("a file of characters", "Characters → Import"),
    "cosmos-table-pack": ("a pack", "the page of packs"),
    "cosmos-table-state": ("the state of a table", ""),
    "cosmos-table-story": ("the report of a fight", ""),
    "cosmos-table-report": ("the report of a fault", ""),
}
EDITOR = "the map editor of an encounter"
ACTOR, COMBATANTS = "an actor of Foundry VTT", "a list of combatants"
FIELDS: tuple[Any, ...] = (  # that only one kind of document has
    ("an adventure of Foundry VTT", {"scenes", "actors", "journal"}),
    ("a scene of Foundry VTT", {"walls", "grid"}, EDITOR),
    ("a Universal VTT file", {"resolution", "line_of_sight"}, EDITOR),
    ("a rollable table of Foundry VTT", {"results", "formula"}),
    ("a playlist of Foundry VTT", {"sounds", "mode"}),
    ("a deck of cards of Foundry VTT", {"cards", "displayCount"}),
    ("a macro of Foundry VTT", {"command", "scope"}),
    ("a journal entry of Foundry VTT", {"pages", "name"}),
    (ACTOR, {"prototypeToken"}),
    (ACTOR, {"type", "system", "items"}),
    ("an item of Foundry VTT", {"type", "system", "img"}),
    (COMBATANTS, {"Combatants"}),
    ("a dungeon of Watabou", {"rects", "doors"}),
    ("a town of Watabou", {"features", "type"}),
    ("a dungeon of donjon", {"cells", "cell_bit"}),
    ("a project of Dungeondraft", {"header", "world"}),
    ("a project of LDtk", {"defs", "levels"}),
    ("a level of LDtk", {"iid", "layerInstances"}),
    ("a map of Tiled", {"layers", "tilewidth"}),
    ("a map of Tiled", {"layers", "tiledversion"}),
    ("a set of tiles of Tiled", {"tilecount", "tilewidth"}),
    ("a world of Tiled", {"maps", "onlyShowAdjacentMaps"}),
    ("a campaign of Roll20", {"handouts", "characters", "schema_version"}),
    ("a campaign of Roll20", {"handouts", "characters", "pages"}),
    ("a page of Roll20", {"graphics", "paths"}),
    ("a page of Roll20", {"zorder", "grid_type"}),
    ("a page of Roll20", {"scale_number", "scale_units"}),
    ("a character of Roll20", {"attribs", "name"}),
    ("a thing of Owlbear Rodeo", {"createdUserId", "layer"}),
    ("a scene of Owlbear Rodeo", {"items", "grid"}),
    ("a scene of Owlbear Rodeo", {"items", "fog"}),
    ("a map of Owlbear Rodeo", {"gridType", "lastModified"}),
    ("a map of Owlbear Rodeo", {"tokens", "drawShapes"}),
)
OWLBEAR = re.compile(rb"owlbear", re.IGNORECASE)


class FileKind(NamedTuple):
    """A kind of file in words, such as “a PDF”, its family, and what here reads it, if anything does.

    `field` is the one in which another document lies, by which it is named; `inner` is what reads that, or
    the documents of a list.
    """

    words: str
    family: str = OTHER
    reader: str = ""
    field: str = ""
    inner: str = ""

    def refuse(self, wanted: str, works: str) -> str:
        """Why it is refused in place of what was `wanted`; `works` is what works, unless a page reads it."""
        if self.field:
            return f"This is {self.words}: send only what is in its “{self.field}”."
        if self.reader:
            return f"This is {self.words}: {self.reader} reads it."
        return f"This is {self.words}, not {wanted}: {works}"


SIGNS = (  # the first bytes
    (b"%PDF", FileKind("a PDF")),
    (b"{\\rtf", FileKind("a rich text document (RTF)", TEXT)),
    (b"\x89PNG", FileKind("a picture (PNG)", PICTURE)),
    (b"\xff\xd8\xff", FileKind("a picture (JPEG)", PICTURE)),
    (b"GIF8", FileKind("a picture (GIF)", PICTURE)),
    (b"BM", FileKind("a picture (BMP)", PICTURE)),
    (b"II*\x00", FileKind("a picture (TIFF)", PICTURE)),
    (b"MM\x00*", FileKind("a picture (TIFF)", PICTURE)),
    (b"8BPS", FileKind("a picture (Photoshop)", PICTURE)),
    (b"gimp xcf", FileKind("a picture (GIMP)", PICTURE)),
    (b"\xff\x0a", FileKind("a picture (JPEG XL)", PICTURE)),
    (b"\x00\x00\x00\x0cJXL ", FileKind("a picture (JPEG XL)", PICTURE)),
    (b"\x00\x00\x00\x0cjP  ", FileKind("a picture (JPEG 2000)", PICTURE)),
    (b"\x00\x00\x01\x00", FileKind("a picture (icon)", PICTURE)),
    (b"BZh", FileKind("a compressed file (bzip2)", ARCHIVE)),
    (b"\xfd7zXZ\x00", FileKind("a compressed file (xz)", ARCHIVE)),
    (b"\x28\xb5\x2f\xfd", FileKind("a compressed file (Zstandard)", ARCHIVE)),
    (b"\x1f\x8b", FileKind("a compressed file (gzip)", ARCHIVE)),
    (b"7z\xbc\xaf\x27\x1c", FileKind("an archive (7-Zip)", ARCHIVE)),
    (b"Rar!", FileKind("an archive (RAR)", ARCHIVE)),
    (b"SQLite format 3", FileKind("a database (SQLite)")),
    (b"ID3", FileKind("a sound")),
    (b"\xff\xfb", FileKind("a sound")),
    (b"\xff\xf3", FileKind("a sound")),
    (b"OggS", FileKind("a sound")),
    (b"fLaC", FileKind("a sound")),
    (b"\x1a\x45\xdf\xa3", FileKind("a film")),
    (b"wOFF", FileKind("a font")),
    (b"wOF2", FileKind("a font")),
    (b"glTF", FileKind("a model (glTF)")),
    (b"MZ", FileKind("a program")),
    (b"\x7fELF", FileKind("a program")),
)
RIFF = {
    b"WEBP": FileKind("a picture (WebP)", PICTURE),
    b"WAVE": FileKind("a sound"),
    b"AVI ": FileKind("a film"),
}
BRANDS = (  # behind “ftyp”
    ((b"avif", b"avis"), FileKind("a picture (AVIF)", PICTURE)),
    ((b"heic", b"heix", b"mif1", b"msf1"), FileKind("a picture (HEIC)", PICTURE)),
    ((b"",), FileKind("a film or a sound (MP4)")),
)
INSIDE = (  # of a zip: names and words that it has
    (b"word/document", FileKind("a Word document", TEXT)),
    (b"xl/workbook", FileKind("an Excel spreadsheet", TABLE)),
    (b"ppt/presentation", FileKind("a PowerPoint presentation")),
    (b"opendocument.text", FileKind("an OpenDocument text", TEXT)),
    (b"opendocument.spreadsheet", FileKind("an OpenDocument spreadsheet", TABLE)),
    (b"opendocument.", FileKind("an OpenDocument file")),
    (b"application/epub+zip", FileKind("an e-book (EPUB)", TEXT)),
    (b"Index/Tables/", FileKind("a Numbers spreadsheet", TABLE)),
    (b"Index/Document.iwa", FileKind("a Pages document", TEXT)),
)
IN_XML = (  # words at the beginning of an XML file
    (b"<svg", FileKind("a drawing (SVG)", PICTURE)),
    (b"<html", FileKind("a web page (HTML)", TEXT)),
    (b"Excel.Sheet", FileKind("an Excel spreadsheet", TABLE)),
    (b"Word.Document", FileKind("a Word document", TEXT)),
    (b"tiledversion=", FileKind("a map of Tiled", DATA)),
    *((sign, kind) for sign, kind in INSIDE if sign.startswith(b"opendocument.")),
)
OLD = (
    ("WordDocument", FileKind("an old Word document", TEXT)),
    ("Workbook", FileKind("an old Excel spreadsheet", TABLE)),
)


def find_kind(raw: bytes) -> FileKind | None:
    """The kind of a file; None for plain text, for JSON that nobody knows, and for unknown bytes."""
    return find_markup(raw) or find_document(raw) or _find_table(raw)


def find_markup(raw: bytes) -> FileKind | None:
    """The kind of a file that is neither plain text nor JSON; None for others and for unknown bytes."""
    start = _read_start(raw)
    found = next((kind for sign, kind in SIGNS if start.startswith(sign)), None)
    if found and (start.startswith(WRITTEN) or not _is_text(start)):
        return found
    if start.startswith(ZIP):
        return next((kind for sign, kind in INSIDE if sign in raw), FileKind("an archive (zip)", ARCHIVE))
    if start.startswith(OLE):
        old = (kind for name, kind in OLD if name.encode("utf-16-le") in raw)
        return next(old, FileKind("an old file of an office program"))
    if start.startswith(b"RIFF"):
        return RIFF.get(start[8:12])
    if start[257:262] == b"ustar":
        return FileKind("an archive (tar)", ARCHIVE)
    if start[4:8] == b"ftyp":
        return next(kind for brands, kind in BRANDS if start[8:12].startswith(brands))
    return _find_tags(start)


def _read_start(raw: bytes) -> bytes:
    """The first bytes of a file; of a text in UTF-8, without what may stand before its first sign."""
    start = raw[:START]
    if start.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        start = start.decode("utf-16", "ignore").encode()
    start = start.removeprefix(BOM_UTF8)
    return start.lstrip() if start.lstrip().startswith(WRITTEN) else start


def _is_text(start: bytes) -> bool:
    """Whether bytes may begin a text: then “BM” or “MZ” begins a name."""
    try:
        start[: START - 4].decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in start


def _find_tags(start: bytes) -> FileKind | None:
    """Web pages, drawings and other markup, e-mails, contacts."""
    if HTML.match(start):
        return FileKind("a web page (HTML)", TEXT)
    if start[:500].lstrip().startswith((b"<?xml", b"<svg")):
        return next((kind for sign, kind in IN_XML if sign in start), FileKind("an XML file"))
    if start.startswith(b"BEGIN:V"):
        return FileKind("a contact or a calendar", TEXT)
    if MAIL.match(start):
        return FileKind("an e-mail", TEXT)
    if start.lower().startswith((b"mime-version:", b"from: <saved by")):
        return FileKind("a saved web page", TEXT)
    return None


def find_document(raw: bytes) -> FileKind | None:
    """The kind of a JSON document, or of a list of them; no more than its first fields are read."""
    raw = raw.removeprefix(BOM_UTF8)
    listed = _read(raw, list[msgspec.Raw]) or _read_only_list(raw) or _read_lines(raw)
    if listed:
        first = find_document(bytes(listed[0])) if bytes(listed[0]).startswith(b"{") else None
        words = f"a list of {len(listed):,}, the first {first.words}" if first else ""
        return FileKind(words, first.family, inner=first.reader) if first else None
    fields = _read(raw, dict[str, msgspec.Raw]) or {}
    own = _read(bytes(fields.get("format", b"")), str)
    if own in FORMATS:
        words, reader = FORMATS[own]
        return FileKind(words, DATA, reader)
    found = ((words, more) for words, names, *more in FIELDS if fields.keys() >= names)
    kinds = (FileKind(words, _find_family(words), *more) for words, more in found)
    return next(kinds, None) or _find_database(fields) or _find_wrapped(fields)


def _find_family(words: str) -> str:
    return PEOPLE if words in (ACTOR, COMBATANTS) else DATA


def _find_database(fields: Mapping[str, msgspec.Raw]) -> FileKind | None:
    """A copy of the database in a browser, in which Owlbear Rodeo once kept its maps."""
    if _read(bytes(fields.get("formatName", b"")), str) != "dexie":
        return None
    is_owlbear = OWLBEAR.search(bytes(fields.get("data", b""))[:START])
    return FileKind("a backup of Owlbear Rodeo" if is_owlbear else "a copy of a database", DATA)


def _find_wrapped(fields: Mapping[str, msgspec.Raw]) -> FileKind | None:
    """A file around a document, or a list of some, that would be known by itself."""
    for name, encoded in fields.items():
        listed = _read(bytes(encoded), list[msgspec.Raw])
        inner = _read(bytes(listed[0]) if listed else bytes(encoded), dict[str, msgspec.Raw]) or {}
        known, *more = next((one[::2] for one in FIELDS if inner.keys() >= one[1]), ("",))
        if known:
            number = f"{len(listed):,} in it, the first {known}" if listed else f"{known} in it"
            family, is_read = _find_family(known), bool(more) or known in (ACTOR, COMBATANTS)
            field = name[:MAX_FIELD] if is_read else ""
            return FileKind(f"a file with {number}", family, field=field, inner="".join(more))
    return None


def _read_only_list(raw: bytes) -> list[msgspec.Raw] | None:
    """The list of a table that holds nothing else."""
    fields = _read(raw, dict[str, msgspec.Raw])
    return (
        _read(bytes(next(iter(fields.values()))), list[msgspec.Raw]) if fields and len(fields) == 1 else None
    )


def _read_lines(raw: bytes) -> list[bytes]:
    """The lines of a text with a table in each, as databases of Foundry VTT have them."""
    lines = [line for line in raw.splitlines() if line.strip()]
    return lines if len(lines) > 1 and all(line[:1] == b"{" and line[-1:] == b"}" for line in lines) else []


def _find_table(raw: bytes) -> FileKind | None:
    """A table as plain text: its first lines have the same number of cells, more than one."""
    lines = [line for line in raw[:START].removeprefix(BOM_UTF8).splitlines() if line.strip()][:2]
    counts = ([line.count(sign) for line in lines] for sign in (b"\t", b";", b","))
    is_table = len(lines) == 2 and any(one == two > 0 for one, two in counts)
    return (
        FileKind("a table (CSV)", TABLE) if is_table and not raw.lstrip().startswith((b"{", b"[")) else None
    )


def _read(raw: bytes, kind: type[T]) -> T | None:
    try:
        return read_json(raw, kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
