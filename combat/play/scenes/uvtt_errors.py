"""What is wrong with a Universal VTT file, in words: the field, and what it should be."""

from __future__ import annotations

import re

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
