"""Text as people paste it: the marks of lists, of tables and of Markdown, and full-width commas."""

from __future__ import annotations

import re

BULLET = re.compile(r"\s*(?:[-*–—>]\s+|[•·▪‣◦]\s*|\[[ xX]?\]\s*|\d{1,2}[.)]\s+)+")
HEADING = re.compile(r"\s*#{1,6}\s+")
MARKUP = re.compile(r"\*\*|__|`|(?<![\w*])\*(?=\w)|(?<=[\w:.])\*(?![\w*])")
WIDE = str.maketrans("，、；：（）｜", ",,;:()|")  # full-width marks


def strip_markup(text: str) -> str:
    """The text with blanks in place of Markdown and the usual marks for wide ones: every place stays.

    The head of a table is blank as well, the line below it with it.
    """
    plain = MARKUP.sub(lambda found: " " * len(found[0]), text.translate(WIDE))
    lines = plain.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if _is_rule(line):
            lines[number] = _blank(line)
            if "|" in line and number:
                lines[number - 1] = _blank(lines[number - 1])
    return "".join(lines)


def take_off_marks(text: str) -> str:
    """The text without bullets, headings' signs, Markdown and the frames of tables."""
    lines = (HEADING.sub("", line, count=1) for line in strip_markup(text).splitlines())
    return "\n".join(" ".join(_take_off_bullet(line).replace("|", " ").split()) for line in lines)


def _take_off_bullet(line: str) -> str:
    """The line without the bullet it begins with: a dash or a number in the middle is none."""
    found = BULLET.match(line)
    return line[found.end() :] if found else line


def _is_rule(line: str) -> bool:
    """Whether a line is only drawn, such as the one below the head of a table."""
    return not line.strip(" \t\r\n|:=_-") and any(sign * 3 in line for sign in "-=_")


def _blank(line: str) -> str:
    return "".join(letter if letter in "\r\n" else " " for letter in line)
