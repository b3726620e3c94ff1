"""What a person meets on a page: words, links, buttons, fields and their values, in order; no markup.

Of a drawing, each kind of shape has a count, and a digest of where all of them are. Classes that begin with
"is-" are read, too: they say what is marked, hidden or out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from hashlib import blake2b

from tests.combat.pages.table.patching import Node

# Words of these stand in one line with the words around them
INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "code",
    "em",
    "i",
    "kbd",
    "mark",
    "s",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
}
INLINE |= {"time", "tspan", "u", "var", "wbr"}
UNREAD = {"script", "style"}
HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}  # as Git looks for them in Markdown
FIELDS = ("input", "button", "select", "textarea", "option")
SPOKEN = ("aria-label", "alt", "title", "placeholder")
FIXED = {"icon", "qr"}  # drawings that are always the same, and those of links, which never are
NOT_DRAWN = ("aria-", "class", "focusable", "hx-", "id", "role", "tabindex")  # the rest places a shape
# Fields that hold no choice of a person: secrets, and versions of what the page shows
UNTOLD = {"csrfmiddlewaretoken", "version", "known", "nonce", "once"}
CHANGING = re.compile(
    r"(?<=/)(encounters|join|campaigns|characters)/[\w-]+|\b(at|for)=\d+|\b[0-9a-f]{12,64}\b|\?v=\w+"
    r"|won [^:]*: they win \d+% of \d+ forecast fights"  # as many as the machine plays in a second
)


class Reader:
    """Collects the lines of an element."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line = ""

    def read(self, node: Node) -> None:
        """Note what a person reads of an element and of all inside it."""
        if node.tag in UNREAD:
            return
        if not node.tag:
            self.line += node.text
            return
        is_block = node.tag not in INLINE
        if is_block:
            self.end_line()
        if node.tag == "svg":
            self.say(*describe_drawing(node))
        self.say(*[name for name in node.attrs.get("class", "").split() if name.startswith("is-")])
        self.say(HEADINGS.get(node.tag, ""), *[node.attrs[name] for name in SPOKEN if name in node.attrs])
        if node.tag == "a" and "href" in node.attrs:
            self.line += f"→{node.attrs['href']} "
        elif node.tag == "form" and "action" in node.attrs:
            self.line += f"⇒{node.attrs['action']} "
        elif node.tag in FIELDS:
            self.say(self.describe(node.tag, node.attrs))
        for child in node.children:
            self.read(child)
        if is_block:
            self.end_line()

    def describe(self, tag: str, attrs: dict[str, str]) -> str:
        """A field or a button: its kind, name and value, and whether it is chosen or out of use."""
        if attrs.get("name") in UNTOLD:
            return ""
        kind = attrs.get("type", "text") if tag == "input" else tag
        marks = [
            word for word in ("checked", "selected", "disabled", "required", "readonly") if word in attrs
        ]
        if attrs.get("aria-disabled") == "true" and "disabled" not in marks:
            marks.append("disabled")
        value = attrs.get("value", "")
        if kind == "hidden" and value.isdigit():  # the number of a row, which depends on earlier tests
            value = "#"
        words = " ".join([kind, f"{attrs.get('name', '')}={value}", *marks, attrs.get("formaction", "")])
        return f"[{words.strip()}]"

    def say(self, *words: str) -> None:
        """Note words that stand apart."""
        for word in words:
            if word:
                self.line += f" {word} "

    def end_line(self) -> None:
        """Put the words so far on a line."""
        if words := self.line.split():
            self.lines.append(CHANGING.sub("#", " ".join(words)))
        self.line = ""


def describe_drawing(drawing: Node) -> list[str]:
    """Each kind of shape of a drawing, as "circle.mark*3:1f2e3d"."""
    kinds = defaultdict[str, list[str]](list)
    for shape in drawing.walk() if FIXED.isdisjoint(drawing.attrs.get("class", "").split()) else ():
        drawn = [f"{key}={value}" for key, value in shape.attrs.items() if not key.startswith(NOT_DRAWN)]
        if drawn:
            kinds[".".join([shape.tag, *shape.attrs.get("class", "").split()[:1]])].append(" ".join(drawn))
    return [
        f"{kind}*{len(shapes)}:{blake2b('|'.join(shapes).encode(), digest_size=3).hexdigest()}"
        for kind, shapes in kinds.items()
    ]


def read_lines(node: Node) -> list[str]:
    """The lines that a person reads of an element."""
    reader = Reader()
    reader.read(node)
    reader.end_line()
    return reader.lines
