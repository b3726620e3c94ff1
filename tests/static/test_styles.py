"""Styles that stay cheap for a browser on a slow phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

SHEETS = sorted((Path(__file__).resolve().parents[2] / "static" / "css").rglob("*.css"))
IGNORED = re.compile(r"/\*.*?\*/|url\([^)]*\)", re.DOTALL)
BEFORE_BLOCK = re.compile(r"([^{};]+)\{")
NEGATIVE = re.compile(r":(?:not|has)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|::[\w-]+")
EVERY_PSEUDO = re.compile(r"(?:^|[,{}])\s*\*?::(?:before|after)\s*[,{]", re.MULTILINE)
OF_THE_TABLE = re.compile(r"(?:\.table-page|#table|\.columns)(?::not\()?:has\((?!\s*>)[^)]*")
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


def find_in_sheets(find: Callable[[str], Iterable[str]]) -> list[str]:
    """What is found in any sheet, with its name."""
    assert SHEETS
    return [f"{sheet.name}: {found}" for sheet in SHEETS for found in find(sheet.read_text("utf-8"))]


def test_has_chooses_only_elements_with_a_name() -> None:
    """Such a rule makes the browser compute the style of the whole page after any change inside it."""
    assert find_in_sheets(find_broad) == []


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


def test_light_theme_is_one_rule_that_the_button_switches() -> None:
    """A second one would follow the system whatever a person has chosen."""
    asked = [
        sheet.name for sheet in SHEETS for _ in re.findall("prefers-color-scheme", sheet.read_text("utf-8"))
    ]
    assert asked == ["cosmos.css"]


def test_no_rule_is_for_the_pseudo_elements_of_every_element() -> None:
    """It would make the browser work out three styles for each element instead of one."""
    assert find_in_sheets(EVERY_PSEUDO.findall) == []


def test_has_looks_through_the_whole_table_at_no_press() -> None:
    """Of the page of a table, `:has()` asks for children alone, not thousands of elements."""
    assert find_in_sheets(OF_THE_TABLE.findall) == []


def test_costly_rules_are_found() -> None:
    for rule in ("*, ::before, ::after { a: b }", ".c { d: e }\n::after { a: b }", "*::before { a: b }"):
        assert EVERY_PSEUDO.search(rule), rule
    assert not EVERY_PSEUDO.findall(".a::before, .b > ::after { c: d }")
    assert OF_THE_TABLE.search(".table-page:not(:has(#tab-log:checked)) #log { a: b }")
    assert not OF_THE_TABLE.search(".table-page:has(> .messages > *) .b, .tabs:has(.c) ~ #table { a: b }")
