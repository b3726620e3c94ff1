"""A page as a tree of elements, and the changes that htmx makes to it with an answer in parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from django.test import Client

from tests.combat.markup import ALONE, TAG, fill_tags, read_attributes
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
    """A person's open page: it requests what it lacks and merges it, as parts.js and htmx do."""

    def __init__(self, client: Client, path: str) -> None:
        self.client, self.path = client, path
        self.whole = 0  # how often the whole table came
        self.size = 0  # characters of the last answer
        self.root = Node("page")
        self.look()

    @property
    def table(self) -> Node:
        """The changing part."""
        return self.root.find("table")

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a request from the page."""
        parts = self.table.attrs["data-parts"] if self.root.children else ""
        return {"HX-Request": "true"} | ({"X-Parts": parts} if parts else {})

    def look(self, query: str = "") -> None:
        """Read the page again."""
        self.take(self.client.get(self.path + query, headers=self.headers))

    def post(self, **fields: str) -> int:
        """Post a form there."""
        answer = self.client.post(self.path, fields, headers=self.headers)
        self.take(answer)
        return int(answer.status_code)

    def take(self, answer: Answer) -> None:
        """Merge an answer, whole or in parts."""
        content, has = answer.content.decode(), answer.headers.get("X-Parts")
        self.size = len(content)
        if not has:
            self.root, self.whole = parse(content), self.whole + 1
            return
        assert answer.headers["HX-Reswap"] == "none"
        for node in [one for one in parse(content).children if one.tag]:
            self.swap(node, node.attrs.pop("hx-swap-oob"))
        self.settle()

    def swap(self, node: Node, how: str) -> None:
        """Do one out-of-band swap."""
        if how == "delete":
            self.root.find(node.attrs["id"]).put()
        elif how == "true":
            self.keep(node)
            self.root.find(node.attrs["id"]).put(node)
        else:
            way, _, place = how.partition(":#")
            assert way == "afterbegin"
            target = self.root.find(place)
            for child in node.children:
                child.parent = target
            target.children[:0] = node.children

    def keep(self, node: Node) -> None:
        """Keep the elements inside that htmx preserves."""
        for stub in [one for one in node.walk() if "hx-preserve" in one.attrs]:
            assert not stub.children
            stub.put(self.root.find(stub.attrs["id"]))

    def settle(self) -> None:
        """Copy the data of the whole page to the table and into its forms."""
        now = self.root.find("table-now")
        data = {name: value for name, value in now.attrs.items() if name.startswith("data-")}
        whole = fill_tags(data["data-parts"], self.table.attrs["data-parts"])
        self.table.attrs.update(data | {"data-parts": whole})
        for name in data:
            del now.attrs[name]
        for node in self.table.walk():
            if node.attrs.get("name") == "version" and node.attrs.get("type") == "hidden":
                node.attrs["value"] = data["data-version"]

    def shows(self) -> list[str]:
        """The visible content."""
        return list(self.table.lines())


def open_anew(page: OpenPage) -> list[str]:
    """The same person's page, fetched whole."""
    return OpenPage(page.client, page.path).shows()
