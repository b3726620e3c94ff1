"""Styles that stay cheap for a browser on a slow phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SHEETS = sorted((Path(__file__).resolve().parents[2] / "static" / "css").rglob("*.css"))
IGNORED = re.compile(r"/\*.*?\*/|url\([^)]*\)", re.DOTALL)
BEFORE_BLOCK = re.compile(r"([^{};]+)\{")
NEGATIVE = re.compile(r":(?:not|has)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|::[\w-]+")
NAMES_SOMETHING = re.compile(r"[.#\[]|^[a-z]|:(?:is|where)\(")


def split(selector: str, at: str) -> list[str]:
    """The parts of a selector between these signs, but not inside brackets."""
    parts, depth = [""], 0
    for sign in selector:
        depth += (sign in "([") - (sign in ")]")
        if sign in at and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def find_broad(style: str) -> Iterator[str]:
    """Selectors that ask `:has()` of one element to choose any others below or beside it."""
    for found in BEFORE_BLOCK.findall(IGNORED.sub("", style)):
        for selector in split(found, ",") if not found.strip().startswith("@") else ():
            *others, last = split(selector, " >+~\n")
            if ":has(" in "".join(others) and not NAMES_SOMETHING.search(NEGATIVE.sub("", last)):
                yield selector


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_has_chooses_only_elements_with_a_name(sheet: Path) -> None:
    """Such a rule makes the browser compute the style of the whole page after any change inside it."""
    assert list(find_broad(sheet.read_text("utf-8"))) == []


def test_broad_selectors_are_found() -> None:
    broad = ".a:has(#b) .c > :not(.d, .e)", ".a:has(b) > *", "@media x { .a:has(b) + :hover"
    narrow = (
        ".a:has(#b) .c > :is(p, .d)",
        ".a:has(> *)",
        ".a:has(:focus) .b:not(:has(*))",
        ":not(:has(a)) p::after",
    )
    assert len(list(find_broad("".join(f"{one} {{}}\n" for one in broad)))) == len(broad)
    assert list(find_broad("".join(f"{one} {{}}\n" for one in narrow))) == []
