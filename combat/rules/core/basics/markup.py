"""Text as people paste it: the marks of lists, of tables and of Markdown, and full-width commas."""

from __future__ import annotations

import re

# The marks of lists, of every editor: dashes, dots, squares, arrows, ticks, boxes, numbers
BULLET = re.compile(
    r"\s*(?:(?:[-*–—+]|>+|->|=>)\s+|[•·▪▫‣⁃◦●○◉■□◆◇◾◽➢➤➔→⇒▶►▸★☆☐☑☒✓✔✗✘❖\uf0b7\uf0a7\uf0d8]\ufe0f?\s*"
    r"|\[[ xX]?\]\s*|\d{1,2}[.)]\s+|[a-z]\)\s+|[a-z]\.\s+(?=\d)|[ox]\s+(?=\d))+"
)
HEADING = re.compile(r"\s*#{1,6}(?:\s+|(?=[^\W\d]))")
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
    lines = (take_off_heading(line) for line in strip_markup(text).splitlines())
    return "\n".join(" ".join(_take_off_bullet(line).replace("|", " ").split()) for line in lines)


def take_off_heading(line: str) -> str:
    """The line without the sign of a heading."""
    found = HEADING.match(line)
    return line[found.end() :] if found else line


def _take_off_bullet(line: str) -> str:
    """The line without the bullet it begins with: a dash or a number in the middle is none."""
    found = BULLET.match(line)
    return line[found.end() :] if found else line


def _is_rule(line: str) -> bool:
    """Whether a line is only drawn, such as the one below the head of a table."""
    return not line.strip(" \t\r\n|:=_-+") and any(sign * (1 if "|" in line else 3) in line for sign in "-=_")


def _blank(line: str) -> str:
    return "".join(letter if letter in "\r\n" else " " for letter in line)
