"""What is wrong with the file of a map, in words: the field, and what it should be."""

from __future__ import annotations

import codecs
import re

import msgspec

from combat.rules.core.basics.typed import read_json
from cosmos_site.base.file_kinds import DATA, EDITOR, PEOPLE, PICTURE, find_kind

MAP, SCENE = "Universal VTT file", "scene of Foundry VTT"
WORKS = f"choose a .dd2vtt, .uvtt or .df2vtt file, or a {SCENE}."
NOT_JSON = f"Not a {MAP}: {WORKS}"
MAX_FIELD = 80  # characters of a field's name
_AT = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?$", re.DOTALL)
_MISSING = re.compile(r"missing required field `(?P<field>\w+)`")
_EXPECTED = re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<got>[^`]+)`")
_KINDS = {
    "object": "a group of fields",
    "array": "a list",
    "str": "text",
    "float": "a number",
    "int": "a number",
    "bool": "true or false",
    "null": "null",
}
_WANTED = {**_KINDS, "int": "a whole number"}


class _SceneFields(msgspec.Struct):
    """The fields that every scene of Foundry VTT has, and no other map."""

    walls: msgspec.Raw
    grid: msgspec.Raw


def name_kind(raw: bytes) -> str:
    """Why a file of another kind is no map, and what works instead; empty for maps, and for unknown files."""
    kind = find_kind(raw)
    if kind is None or kind.reader == EDITOR:  # it is a map, with a flaw in a field
        return ""
    if kind.family == PICTURE:
        return f"This is {kind.words}, not a {MAP}: lay it under the map with “Add picture”."
    if kind.words.startswith("a list of"):
        return f"This is {kind.words}: export one of them, and send that."
    works = "export it as one, or add a picture of it and draw." if kind.family in (DATA, PEOPLE) else WORKS
    return kind.refuse(f"a {MAP}", works)


def is_map(raw: bytes) -> bool:
    """Whether a file looks like a map that we read."""
    raw = raw.removeprefix(codecs.BOM_UTF8)
    return is_scene(raw) or _read_fields(raw).keys() >= {"resolution", "line_of_sight"}


def is_scene(raw: bytes) -> bool:
    """Whether a file looks like a scene of Foundry VTT."""
    try:
        read_json(raw, _SceneFields)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return False
    return True


def _read_fields(raw: bytes) -> dict[str, msgspec.Raw]:
    """The fields of a JSON object, still encoded; none of anything else."""
    try:
        return read_json(raw, dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return {}


def describe_error(error: str, kind: str) -> str:
    """A decoder's error about a file of this kind as a refusal that names the field."""
    found = _AT.match(error)
    what, where = (found["what"], found["where"] or "") if found else (error, "")
    where = where.replace("[...]", "")[:MAX_FIELD]
    if missing := _MISSING.search(what):
        whole = ".".join(filter(None, (where, missing["field"])))
        return f"Not a {kind}: it has no “{whole}”. Export it again."
    field = f"“{where}”" if where else "the file"
    if kinds := _EXPECTED.search(what):
        both = kinds["got"], kinds["wanted"].removesuffix(" | null")
        got, wanted = (
            kinds.get(kind, "something else") for kinds, kind in zip((_KINDS, _WANTED), both, strict=True)
        )
        return f"Not a {kind}: {field} is {got} and should be {wanted}."
    return f"Not a {kind}: {field} cannot be read. Export it again."
