"""A page as a tree of elements, and the changes that a browser makes to it with an answer in regions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from django.test import Client

from tests.combat.markup import ALONE, TAG, read_attributes
from tests.typed import Answer


@dataclass(eq=False)
class Node:
    """An element, or with an empty tag a text."""

    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None
    has_id: bool = False  # it, or something inside

    def hold(self, tag: str, source: str) -> Node:
        """Put an element at its end."""
        node = Node(tag, read_attributes(source), parent=self)
        self.children.append(node)
        if "id" in node.attrs:
            node.note_id()
        return node

    def note_id(self) -> None:
        """Note that it has an id, so that it is found from all that it stands in."""
        node: Node | None = self
        while node and not node.has_id:
            node.has_id, node = True, node.parent

    def hold_text(self, source: str) -> None:
        """Put a text at its end, if there is any."""
        if source:
            self.children.append(Node("", text=unescape(source), parent=self))

    def walk(self) -> Iterator[Node]:
        """This element and all inside it."""
        return iter(self.list_all())

    def list_all(self) -> list[Node]:
        """This element and all inside it, in order."""
        found, left = [], [self]
        while left:
            node = left.pop()
            found.append(node)
            if node.children:
                left += node.children[::-1]
        return found

    def find(self, name: str) -> Node:
        """The element with an id."""
        (found,) = self.find_all(name)
        return found

    def find_all(self, name: str) -> Iterator[Node]:
        """All elements with an id."""
        if self.attrs.get("id") == name:
            yield self
        for child in self.children:
            if child.has_id:
                yield from child.find_all(name)

    def put(self, *nodes: Node) -> None:
        """Put other nodes in place of this one."""
        assert self.parent
        around = self.parent.children
        at = around.index(self)
        around[at : at + 1] = nodes
        for node in nodes:
            node.parent = self.parent
            if node.has_id:
                self.parent.note_id()

    def lines(self, depth: int = 0) -> Iterator[str]:
        """The visible content, a line for each element and text, without what differs between answers."""
        if not self.tag:
            if words := " ".join(self.text.split()):
                yield f"{'  ' * depth}{words}"
            return
        attrs = self.attrs
        if attrs.get("name") == "csrfmiddlewaretoken":
            attrs = {name: value for name, value in attrs.items() if name != "value"}
        yield f"{'  ' * depth}<{self.tag} {sorted(attrs.items())}>"
        for child in self.children:
            yield from child.lines(depth + 1)


def parse(html: str) -> Node:
    """The tree of a page or of a part of one."""
    root = now = Node("page")
    at = 0
    for found in TAG.finditer(html):
        now.hold_text(html[at : found.start()])
        at = found.end()
        if tag := found["tag"]:
            node = now.hold(tag.lower(), found["attrs"])
            if node.tag not in ALONE and not found["attrs"].endswith("/"):
                now = node
        elif end := found["end"]:
            assert now.tag == end.lower(), f"</{end}> ends <{now.tag}>"
            assert now.parent
            now = now.parent
        elif code := found["code"]:
            now.hold(code, found["of_code"]).hold_text(found["body"])
    now.hold_text(html[at:])
    return root


class OpenPage:
    """A person's open page: it requests what it lacks and merges it. `folds` are the ids of open ones."""

    def __init__(self, client: Client, path: str, folds: str = "") -> None:
        self.client, self.path, self.folds = client, path, folds
        self.whole = 0  # how often the whole table came
        self.size = 0  # characters of the last answer
        self.sent: list[str] = []  # the ids of the elements in it
        self.root = Node("page")
        self.look()

    @property
    def table(self) -> Node:
        """The changing part."""
        return self.root.find("table")

    @property
    def versions(self) -> set[str]:
        """The versions of its regions."""
        return {node.attrs["data-v"] for node in self.table.walk() if "data-v" in node.attrs}

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a request from the page."""
        known = {"X-Regions": " ".join(self.versions)} if self.root.children else {}
        return {"HX-Request": "true", "X-Folds": self.folds} | known

    def look(self, query: str = "") -> None:
        """Read the page again."""
        self.take(self.client.get(self.path + query, headers=self.headers))

    def post(self, **fields: str) -> int:
        """Post a form there."""
        answer = self.client.post(self.path, fields, headers=self.headers)
        self.take(answer)
        return int(answer.status_code)

    def take(self, answer: Answer) -> None:
        """Merge an answer, whole or in regions, as regions.js does."""
        content = answer.content.decode()
        self.size = len(content)
        if answer.headers.get("HX-Reswap") != "regions":
            self.root, self.whole = parse(content), self.whole + 1
            return
        *fresh, now = [one for one in parse(content).children if one.tag]
        fixed, *lists = [words.split() for words in now.attrs.pop("data-regions").split("|")]
        self.sent = [one.attrs["id"] for one in fresh]
        at_once = {one.attrs["id"]: one for one in fresh}
        for hole in [one for node in fresh for one in node.walk() if "data-slot" in one.attrs]:
            filling = at_once.pop(hole.attrs["id"], None)
            hole.put(filling or self.root.find(hole.attrs["id"]))
        for name, node in at_once.items():
            if node.attrs["data-v"] in fixed:
                self.root.find(name).put(node)
        for place, *names in lists:
            self.order(self.root.find(place), names, fresh)
        self.table.attrs.update({name: value for name, value in now.attrs.items() if name[:5] == "data-"})
        for node in self.table.walk():
            if node.attrs.get("name") == "version" and node.attrs.get("type") == "hidden":
                node.attrs["value"] = self.table.attrs["data-version"]
        assert self.versions == {*fixed, *[name for _, *names in lists for name in names]}

    def order(self, place: Node, names: list[str], fresh: list[Node]) -> None:
        """Put exactly these regions into a list."""
        known = [one for one in (*place.children, *fresh) if one.tag]
        place.children = [one for name in names for one in known if one.attrs["data-v"] == name]
        for one in place.children:
            one.parent = place
            if one.has_id:
                place.note_id()

    def shows(self) -> list[str]:
        """The visible content."""
        return list(self.table.lines())


def open_anew(page: OpenPage) -> list[str]:
    """The same person's page, fetched whole."""
    return OpenPage(page.client, page.path, page.folds).shows()
