"""One system: in every sheet letters, spaces, corners and heights take the names that one sheet gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "static" / "css"
SYSTEM = "page/cosmos.css"  # the sheet that gives the names their values
# A wall is read from afar: what stands on it is as large as the wall, not as a page
APART = {"watch.css", "table/moments.css", "page/board.css"}
SHEETS = {
    path.relative_to(FOLDER).as_posix(): path.read_text("utf-8") for path in sorted(FOLDER.rglob("*.css"))
}
NAMES = {
    "letters": ("tiny", "small", "body", "large", "xl", "title", "huge", "giant"),
    "spaces": ("s1", "s2", "s3", "s4", "s5", "s6"),
    "corners": ("r", "round", "cut-s", "cut-m", "cut-l"),
    "heights": ("h-s", "h", "h-l", "tap"),
}
EXCUSE = "off the scale: "  # a comment before a value, with its reason
LENGTH = re.compile(r"(?<![\w.#-])-?\d*\.?\d+(rem|em|px|cqw|cqi|vw|vh|dvh|%)?(?![\w.])")
ROOM = 2.8  # rem: as far in as this is room for something else, as a picture beside the words
PLAIN = r"0|1px|-1px|auto|inherit"
STEP = r"var\(--s[1-6]\)"
SPACE = re.compile(
    rf"(?:{PLAIN}|{STEP}|calc\(var\(--(?:s[1-6]|left)\) \* -1\)|calc\({STEP} \+ env\([\w-]+\)\)|env\([\w-]+\)"
    r"|calc\(\(var\(--tap\) - 1lh\) / 2\)|(?:calc\()?-?(?:1 \* )?var\(--(?!s\d)[\w-]+(?:, [^()]+)?\)\)?)"
)
GAP = re.compile(rf"(?:{PLAIN}|{STEP})")
RADIUS = re.compile(r"(?:0|inherit|var\(--(?:r|round)\))")
SIZE = re.compile(rf"(?:0|inherit|var\(--(?:{'|'.join(NAMES['letters'])})\))")
CUT = re.compile(r"(?:0|var\(--cut-[sml]\))")
RULE = re.compile(
    r"(?P<why>/\*(?:(?!\*/).)*\*/)?\s*(?P<name>--cut|[a-z][a-z-]*)\s*:\s*(?P<value>[^;{}]+);", re.DOTALL
)


BESIDE = re.compile(r"minmax\(0, 1fr\) (?:19|2[0-7])(?:\.\d+)?rem")  # a page, and what stands at its right
# What each sheet still has off the scale, with its reason, on a wall, on paper or in a row: never more
LEFT = {
    "characters/sheet.css": 2,
    "characters.css": 6,
    "charts.css": 3,
    "desk.css": 1,
    "gallery.css": 1,
    "help.css": 1,
    "map.css": 3,
    "page/board.css": 10,
    "page/cosmos.css": 3,
    "page/layout.css": 4,
    "page/results.css": 3,
    "page/road.css": 3,
    "page/table.css": 4,
    "sharing/share.css": 1,
    "table/decks.css": 2,
    "table/moments.css": 44,
    "watch.css": 18,
}


def split(value: str) -> list[str]:
    """The parts of a value, those in brackets whole."""
    return re.findall(r"(?:[^\s()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+", value)


def is_room(part: str) -> bool:
    """Whether a space is so wide that something else lies in it."""
    found = re.fullmatch(r"-?([\d.]+)rem", part)
    return bool(found and float(found[1]) >= ROOM) or bool(re.search(r"\d(?:d?v[hw]|%)", part))


def is_height(part: str) -> bool:
    """Whether a least height is one that a control could have."""
    found = re.fullmatch(r"([\d.]+)rem", part)
    return bool(found and 1.6 <= float(found[1]) <= 3.75)


def is_off(name: str, value: str) -> bool:
    """Whether a property takes a value that has no name."""
    parts = split(value.replace("!important", ""))
    if name == "font-size":
        return not all(map(SIZE.fullmatch, parts))
    if name == "font" and value != "inherit":
        return any(LENGTH.fullmatch(part.partition("/")[0]) and not part.isdigit() for part in parts)
    if name in ("gap", "row-gap", "column-gap"):
        return not all(map(GAP.fullmatch, parts))
    if re.fullmatch(r"(?:padding|margin)(?:-[a-z-]+)?", name):
        return not all(SPACE.fullmatch(part) or is_room(part) for part in parts)
    if re.fullmatch(r"border(?:-[a-z-]+)?-radius", name):
        return not all(map(RADIUS.fullmatch, parts))
    if name == "--cut":
        return not CUT.fullmatch(value)
    return name == "min-height" and is_height(value)


def drop(style: str, opening: str) -> str:
    """A style without the blocks that begin with this."""
    while (start := re.search(opening, style)) is not None:
        depth, end = 1, style.index("{", start.end() - 1) + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(style[end], 0)
            end += 1
        style = style[: start.start()] + style[end:]
    return style


def find_off(style: str) -> Iterator[str]:
    """The rules of a style that name no value of the system, and give no reason."""
    shown = drop(drop(style, r"@media print\b[^{]*\{"), r"[^{};/]*\.row-main[^{]*\{")
    for rule in RULE.finditer(shown):
        if EXCUSE not in (rule["why"] or "") and is_off(rule["name"], " ".join(rule["value"].split())):
            yield f"{rule['name']}: {rule['value']}"


def count_off(style: str) -> int:
    """How many values of a style have no name, excused or not."""
    return sum(is_off(rule["name"], " ".join(rule["value"].split())) for rule in RULE.finditer(style))


def find_rails(style: str) -> list[str]:
    """The columns of a style beside a page that do not take their width from its name."""
    return [
        rule["value"]
        for rule in RULE.finditer(style)
        if rule["name"] == "grid-template-columns"
        and BESIDE.fullmatch(rule["value"])
        and EXCUSE not in (rule["why"] or "")
    ]


@pytest.mark.parametrize("name", [name for name in SHEETS if name not in APART])
def test_a_sheet_takes_its_values_from_the_names(name: str) -> None:
    assert list(find_off(SHEETS[name])) == []


def test_the_names_get_their_values_in_one_place() -> None:
    every = "|".join(name for names in NAMES.values() for name in names)
    giving = re.compile(rf"(?m)^\s*--(?:{every}):")
    assert [
        name for name, text in SHEETS.items() if name not in {SYSTEM, *APART} and giving.search(text)
    ] == []
    for names in NAMES.values():
        assert all(re.search(rf"(?m)^\s*--{name}:", SHEETS[SYSTEM]) for name in names)


def test_no_sheet_gets_more_values_off_the_scale() -> None:
    assert {name: number for name, text in SHEETS.items() if (number := count_off(text))} == LEFT
    both = ".a { /* off the scale: a drawing's own unit */\n font-size: 15px; gap: 3px; margin: var(--s2); }"
    assert count_off(both) == 2


def test_what_stands_beside_a_page_is_as_wide_everywhere() -> None:
    assert {name: found for name, text in SHEETS.items() if (found := find_rails(text))} == {}
    beside = "grid-template-columns: minmax(0, 1fr)"
    assert find_rails(f".a {{ {beside} 21.5rem; }} .b {{ {beside} var(--rail); }}") == [
        "minmax(0, 1fr) 21.5rem"
    ]
    assert find_rails(f".a {{ /* off the scale: a code */ {beside} 20rem; }}") == []


def test_a_value_off_the_scale_is_found() -> None:
    off: tuple[str, ...] = (
        "font-size: 1rem",
        "font: 600 1rem/1.2 var(--text)",
        "gap: 0.3em",
        "padding: var(--s2) 10px",
    )
    off += ("margin: calc(var(--s2) + 2px)", "border-radius: 6px", "min-height: 3rem", "--cut: 0.3rem")
    for rule in off:
        assert list(find_off(f".a {{ {rule}; }}")) == [rule]
    kept: tuple[str, ...] = (
        "font: inherit",
        "gap: 0 var(--s2)",
        "margin: 0 auto calc(var(--s2) * -1)",
        "padding-left: 4.5rem",
    )
    kept += (
        "font: 600 var(--large)/1.2 var(--display)",
        "min-height: var(--h-l)",
        "border-radius: var(--round)",
    )
    for rule in kept:
        assert list(find_off(f".a {{ {rule}; }}")) == []
    assert list(find_off(".a { /* off the scale: a drawing's own unit */\n font-size: 15px; }")) == []
