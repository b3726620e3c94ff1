"""A page as a flat list of elements. Attributes and texts are read when a test asks for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Any

CODE = {"script", "style"}  # what stands inside is no markup
ALONE = {"area", "br", "hr", "img", "input", "link", "meta", "wbr"}  # elements without an end tag
ATTRIBUTES = r"""[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*"""
TAG = re.compile(
    rf"""<(?P<code>script|style)\b(?P<of_code>{ATTRIBUTES})>(?P<body>.*?)</(?P=code)\s*>"""
    rf"""|<(?P<tag>[a-zA-Z][^\s/>]*)(?P<attrs>{ATTRIBUTES})>"""
    r"""|</(?P<end>[a-zA-Z][^\s/>]*)[^>]*>"""
    r"""|<!--.*?-->|<![^>]*>""",
    re.DOTALL,
)
ATTRIBUTE = re.compile(r"""([^\s"'>/=][^\s>/=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?""")


def read_attributes(source: str) -> dict[str, str]:
    """The attributes that stand in a tag."""
    found = ATTRIBUTE.findall(source)
    return {name.lower(): unescape(double or single or bare) for name, double, single, bare in found}


def read_text(html: str, begin: int, end: int) -> str:
    """The text between two places of a page."""
    parts = []
    for found in TAG.finditer(html, begin, end):
        parts += [unescape(html[begin : found.start()]), found["body"] or ""]
        begin = found.end()
    return "".join([*parts, unescape(html[begin:end])])


@dataclass(eq=False)
class Element:
    """An element of a page: its tag, its attributes, the text inside, its place."""

    page: Page
    tag: str
    source: str  # its attributes as they are written
    parent: Element | None
    number: int  # of its elements
    begin: int  # its content, in characters of the page
    end: int
    last: int  # the number of the last element inside

    @cached_property
    def attrs(self) -> dict[str, str]:
        """Its attributes."""
        return read_attributes(self.source)

    @cached_property
    def text(self) -> str:
        """All text inside, without superfluous space."""
        html = self.page.html
        found = html[self.begin : self.end] if self.tag in CODE else read_text(html, self.begin, self.end)
        return " ".join(found.split())

    @property
    def parents(self) -> tuple[Element, ...]:
        """All that it stands in, from the outermost."""
        return (*self.parent.parents, self.parent) if self.parent else ()

    def __getitem__(self, name: str) -> str:
        return self.attrs.get(name, "")

    def is_in(self, other: Element) -> bool:
        """Whether this element is inside another."""
        return self.page is other.page and other.number < self.number <= other.last


class Page:
    """The elements of a page, in order."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.elements: list[Element] = []
        self._open: list[Element] = []
        for found in TAG.finditer(html):
            if tag := found["tag"]:
                self._begin(tag.lower(), found["attrs"], found.end())
            elif end := found["end"]:
                self._end(end.lower(), found.start())
            elif code := found["code"]:
                self._begin(code, found["of_code"], found.start("body"))
                self._end(code, found.end("body"))
        while self._open:
            self._end("", len(html))

    def _begin(self, tag: str, source: str, begin: int) -> None:
        number = len(self.elements)
        parent = self._open[-1] if self._open else None
        made = Element(self, tag, source, parent, number, begin, begin, number)
        self.elements.append(made)
        if tag not in ALONE and not source.endswith("/"):
            self._open.append(made)

    def _end(self, tag: str, end: int) -> None:
        """End the innermost open element of a tag, and all inside it that were left open."""
        while self._open:
            ended = self._open.pop()
            ended.end, ended.last = end, len(self.elements) - 1
            if ended.tag == tag:
                return

    def all(self, tag: str = "", inside: Element | None = None, **attrs: str) -> list[Element]:
        """The elements of a tag with attributes such as `aria_label`; `class_` is one class among several."""
        wanted = attrs.pop("class_", "")
        asked = {name.replace("_", "-"): value for name, value in attrs.items()}
        around = self.elements
        if inside:
            around = around[inside.number + 1 : inside.last + 1] if inside.page is self else []
        return [
            e
            for e in around
            if (not tag or e.tag == tag)
            and all(e.attrs.get(name) == value for name, value in asked.items())
            and (not wanted or wanted in e["class"].split())
        ]

    def one(self, tag: str = "", inside: Element | None = None, **attrs: str) -> Element:
        """The only such element."""
        (found,) = self.all(tag, inside, **attrs)
        return found

    def fields(self, form: Element) -> dict[str, Any]:
        """The data that a browser would post for a form without its buttons; several values as a list."""
        posted: dict[str, Any] = {}
        for element in self.all(inside=form):
            for value in self._values(element):
                name = element["name"]
                posted[name] = [*posted[name], value] if name in posted else [value]
        return {name: values if len(values) > 1 else values[0] for name, values in posted.items()}

    def _values(self, element: Element) -> list[str]:
        if not element["name"] or "disabled" in element.attrs or element.tag == "button":
            return []
        if element.tag == "select":
            options = [o for o in self.all("option", inside=element) if "disabled" not in o.attrs]
            chosen = [o for o in options if "selected" in o.attrs] or options[:1]
            return [o.attrs.get("value", o.text) for o in chosen]
        if element.tag != "input":
            return []
        if element["type"] in ("checkbox", "radio"):
            return [element.attrs.get("value", "on")] if "checked" in element.attrs else []
        return [element["value"]]


def fill_tags(brief: str, own: str) -> str:
    """All tags of a page's parts: those of an answer, and the page's own for names without one."""
    known = dict(word.split("=") for word in re.split(r"[ |]", own) if "=" in word)

    def fill(word: re.Match[str]) -> str:
        name = word[0]
        return f"{name}={known[name]}" if name in known else name

    return re.sub(r"[^ |]+", fill, brief)
