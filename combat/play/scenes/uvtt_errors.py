"""What is wrong with a Universal VTT file, in words: the field, and what it should be."""

from __future__ import annotations

import codecs
import re

import msgspec

from combat.rules.core.basics.typed import read_json
from combat.rules.core.engine.document import FORMAT

PROGRAMS = (  # by fields that only their files have
    ("a scene of Foundry VTT", {"walls", "tokens"}),
    ("an actor of Foundry VTT", {"prototypeToken"}),
    ("a dungeon of Watabou", {"rects", "doors"}),
    ("a town of Watabou", {"features", "type"}),
    ("a dungeon of donjon", {"cells", "cell_bit"}),
    ("a project of Dungeondraft", {"header", "world"}),
)
NOT_JSON = "Not a Universal VTT file: choose a .dd2vtt, .uvtt or .df2vtt file."
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


def name_program(raw: bytes) -> str:
    """What a JSON file of another kind is, and what works instead; empty for one that nobody knows."""
    found = _read_fields(raw)
    if bytes(found.get("format", b"")) == msgspec.json.encode(FORMAT):
        return "This is an encounter exported from a table: Encounters → Import reads it."
    named = next((name for name, fields in PROGRAMS if found.keys() >= fields), "")
    if not named:
        return ""
    return f"This is {named}, not a Universal VTT file: export it as one, or add a picture of it and draw."


def is_map(raw: bytes) -> bool:
    """Whether a file looks like a Universal VTT file."""
    return _read_fields(raw.removeprefix(codecs.BOM_UTF8)).keys() >= {"resolution", "line_of_sight"}


def _read_fields(raw: bytes) -> dict[str, msgspec.Raw]:
    """The fields of a JSON object, still encoded; none of anything else."""
    try:
        return read_json(raw, dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return {}


def describe_error(error: str) -> str:
    """A decoder's error as a refusal that names the field."""
    found = _AT.match(error)
    what, where = (found["what"], found["where"] or "") if found else (error, "")
    where = where.replace("[...]", "")[:MAX_FIELD]
    if missing := _MISSING.search(what):
        whole = ".".join(filter(None, (where, missing["field"])))
        return f"Not a Universal VTT file: it has no “{whole}”. Export it again."
    field = f"“{where}”" if where else "the file"
    if kinds := _EXPECTED.search(what):
        got, wanted = _name(kinds["got"]), _name(kinds["wanted"].removesuffix(" | null"))
        return f"Not a Universal VTT file: {field} is {got} and should be {wanted}."
    return f"Not a Universal VTT file: {field} cannot be read. Export it again."


def _name(kind: str) -> str:
    return _KINDS.get(kind, "something else")
