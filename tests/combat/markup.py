"""A page as a flat list of elements. Attributes and texts are read when a test asks for them."""

from __future__ import annotations

import re
from collections import defaultdict
from html import unescape
from typing import Any

CODE = {"script", "style"}  # what stands inside is no markup
ALONE = {"area", "br", "hr", "img", "input", "link", "meta", "wbr"}  # elements without an end tag
ATTRIBUTES = r"""[^"'>]*+(?:"[^"]*+"[^"'>]*+|'[^']*+'[^"'>]*+)*+"""  # nothing in them is tried twice
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


class Element:
    """An element of a page: its tag, its attributes, the text inside, its place."""

    __slots__ = ("_attrs", "_text", "begin", "end", "last", "number", "page", "parent", "source", "tag")

    def __init__(
        self, page: Page, tag: str, source: str, parent: Element | None, number: int, begin: int
    ) -> None:
        self.page = page
        self.tag = tag
        self.source = source  # its attributes as they are written
        self.parent = parent
        self.number = number  # of its elements
        self.begin = self.end = begin  # its content, in characters of the page
        self.last = number  # the number of the last element inside
        self._attrs: dict[str, str] | None = None
        self._text: str | None = None

    @property
    def attrs(self) -> dict[str, str]:
        if self._attrs is None:
            self._attrs = read_attributes(self.source)
        return self._attrs

    @property
    def text(self) -> str:
        """All text inside, without superfluous space."""
        if self._text is None:
            html = self.page.html
            is_code = self.tag in CODE
            found = html[self.begin : self.end] if is_code else read_text(html, self.begin, self.end)
            self._text = " ".join(found.split())
        return self._text

    @property
    def parents(self) -> tuple[Element, ...]:
        """All that it stands in, from the outermost."""
        return (*self.parent.parents, self.parent) if self.parent else ()

    def __getitem__(self, name: str) -> str:
        return self.attrs.get(name, "")

    __contains__ = None  # Python would ask for one attribute after another, for ever

    def is_in(self, other: Element) -> bool:
        """Whether this element is inside another."""
        return self.page is other.page and other.number < self.number <= other.last


class Page:
    """The elements of a page, in order."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.elements: list[Element] = []
        self._by_tag: defaultdict[str, list[Element]] = defaultdict(list)
        opened: list[Element] = []
        for found in TAG.finditer(html):
            kind = found.lastgroup  # of the kinds of marks, the last group that it has
            if kind == "attrs":
                tag, source = found.group("tag", "attrs")
                self._begin(tag.lower(), source, found.end(), opened)
            elif kind == "end":
                self._end(found["end"].lower(), found.start(), opened)
            elif kind == "body":
                code, source = found.group("code", "of_code")
                self._begin(code, source, found.start("body"), opened)
                self._end(code, found.end("body"), opened)
        self._end("", len(html), opened)

    def _begin(self, tag: str, source: str, begin: int, opened: list[Element]) -> None:
        elements = self.elements
        made = Element(self, tag, source, opened[-1] if opened else None, len(elements), begin)
        elements.append(made)
        self._by_tag[tag].append(made)
        if tag not in ALONE and source[-1:] != "/":
            opened.append(made)

    def _end(self, tag: str, end: int, opened: list[Element]) -> None:
        """End the innermost open element of a tag, and all inside it that were left open."""
        last = len(self.elements) - 1
        while opened:
            ended = opened.pop()
            ended.end, ended.last = end, last
            if ended.tag == tag:
                return

    def all(self, tag: str = "", inside: Element | None = None, **attrs: str) -> list[Element]:
        """The elements of a tag with attributes such as `aria_label`; `class_` is one class among several."""
        wanted = attrs.pop("class_", "")
        asked = {name.replace("_", "-"): value for name, value in attrs.items()}
        found = self._around(tag, inside)
        for value in filter(None, (wanted, *asked.values())):  # few may have it: read the others' no further
            found = [e for e in found if value in e.source or "&" in e.source]
        return [
            e
            for e in found
            if all(e.attrs.get(name) == value for name, value in asked.items())
            and (not wanted or wanted in e["class"].split())
        ]

    def _around(self, tag: str, inside: Element | None) -> list[Element]:
        """The elements of a tag inside another, in order."""
        if inside and inside.page is not self:
            return []
        if tag:
            found = self._by_tag[tag]
            return [e for e in found if e.is_in(inside)] if inside else found
        return self.elements[inside.number + 1 : inside.last + 1] if inside else self.elements

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


def find_versions(html: str) -> str:
    """The versions of the regions that a browser has after an answer, as its next request sends them."""
    named = re.search(r'data-regions="([^"]*)"', html)
    return named[1].replace("|", " ") if named else " ".join(re.findall(r'data-v="([^"]+)"', html))
