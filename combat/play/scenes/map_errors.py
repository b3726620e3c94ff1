"""What is wrong with the file of a map, in words: the field, and what it should be."""

from __future__ import annotations

import codecs
import re

import msgspec

from combat.rules.core.basics.typed import read_json
from combat.rules.core.engine.document import FORMAT

PROGRAMS = (  # by fields that only their files have
    ("an actor of Foundry VTT", {"prototypeToken"}),
    ("a dungeon of Watabou", {"rects", "doors"}),
    ("a town of Watabou", {"features", "type"}),
    ("a dungeon of donjon", {"cells", "cell_bit"}),
    ("a project of Dungeondraft", {"header", "world"}),
)
MAP, SCENE = "Universal VTT file", "scene of Foundry VTT"
NOT_JSON = f"Not a {MAP}: choose a .dd2vtt, .uvtt or .df2vtt file, or a {SCENE}."
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


class _SceneFields(msgspec.Struct):
    """The fields that every scene of Foundry VTT has, and no other map."""

    walls: msgspec.Raw
    grid: msgspec.Raw


def name_program(raw: bytes) -> str:
    """What a JSON file of another kind is, and what works instead; empty for one that nobody knows."""
    found = _read_fields(raw)
    if bytes(found.get("format", b"")) == msgspec.json.encode(FORMAT):
        return "This is an encounter exported from a table: Encounters → Import reads it."
    named = next((name for name, fields in PROGRAMS if found.keys() >= fields), "")
    if not named:
        return ""
    return f"This is {named}, not a {MAP}: export it as one, or add a picture of it and draw."


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
        got, wanted = (_KINDS.get(kind, "something else") for kind in both)
        return f"Not a {kind}: {field} is {got} and should be {wanted}."
    return f"Not a {kind}: {field} cannot be read. Export it again."
