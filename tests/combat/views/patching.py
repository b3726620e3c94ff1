"""A page as a tree of elements, and what htmx does to it with an answer in parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.http import HttpResponse
from django.test import Client

from tests.combat.desk import ALONE


@dataclass(eq=False)
class Node:
    """An element, or with an empty tag a text."""

    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None

    def walk(self) -> Iterator[Node]:
        """This element and all inside it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def find(self, name: str) -> Node:
        """The element with an id."""
        (found,) = (node for node in self.walk() if node.attrs.get("id") == name)
        return found

    def put(self, *nodes: Node) -> None:
        """Other nodes in place of this one."""
        assert self.parent
        around = self.parent.children
        at = around.index(self)
        around[at : at + 1] = nodes
        for node in nodes:
            node.parent = self.parent

    def lines(self, depth: int = 0) -> Iterator[str]:
        """What it shows, a line for each element and text, without what differs from answer to answer."""
        if not self.tag:
            if words := " ".join(self.text.split()):
                yield f"{'  ' * depth}{words}"
            return
        attrs = dict(self.attrs)
        if attrs.get("name") == "csrfmiddlewaretoken":
            attrs.pop("value")
        yield f"{'  ' * depth}<{self.tag} {sorted(attrs.items())}>"
        for child in self.children:
            yield from child.lines(depth + 1)


class Reader(HTMLParser):
    """Makes the tree."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.root = self.open = Node("page")
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, parent=self.open)
        self.open.children.append(node)
        if tag not in ALONE:
            self.open = node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, parent=self.open)
        self.open.children.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.tag == tag, f"</{tag}> ends <{self.open.tag}>"
        assert self.open.parent
        self.open = self.open.parent

    def handle_data(self, data: str) -> None:
        self.open.children.append(Node("", text=data, parent=self.open))


def parse(html: str) -> Node:
    """The tree of a page or of a part of one."""
    return Reader(html).root


class OpenPage:
    """Somebody's page, kept open: it asks for what it lacks and takes it in, as parts.js and htmx do."""

    def __init__(self, client: Client, path: str) -> None:
        self.client, self.path = client, path
        self.whole = 0  # how often the table came whole
        self.size = 0  # characters of the last answer
        self.root = Node("page")
        self.look()

    @property
    def table(self) -> Node:
        """What changes."""
        return self.root.find("table")

    @property
    def headers(self) -> dict[str, str]:
        """What a question of the page brings along."""
        parts = self.table.attrs["data-parts"] if self.root.children else ""
        return {"HX-Request": "true"} | ({"X-Parts": parts} if parts else {})

    def look(self, query: str = "") -> None:
        """Read the page again."""
        self.take(self.client.get(self.path + query, headers=self.headers))

    def post(self, **fields: str) -> int:
        """Do something there."""
        answer = self.client.post(self.path, fields, headers=self.headers)
        self.take(answer)
        return int(answer.status_code)

    def take(self, answer: HttpResponse) -> None:
        """Take in an answer, whole or in parts."""
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
        """One out-of-band swap."""
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
        """Those inside that stay are taken over as they are."""
        for stub in [one for one in node.walk() if "hx-preserve" in one.attrs]:
            assert not stub.children
            stub.put(self.root.find(stub.attrs["id"]))

    def settle(self) -> None:
        """What holds for the whole page goes to the table and into its forms."""
        now = self.root.find("table-now")
        data = {name: value for name, value in now.attrs.items() if name.startswith("data-")}
        self.table.attrs.update(data)
        for name in data:
            del now.attrs[name]
        for node in self.table.walk():
            if node.attrs.get("name") == "version" and node.attrs.get("type") == "hidden":
                node.attrs["value"] = data["data-version"]

    def shows(self) -> list[str]:
        """What it shows."""
        return list(self.table.lines())


def open_anew(page: OpenPage) -> list[str]:
    """What the same person's page shows when it is fetched whole."""
    return OpenPage(page.client, page.path).shows()
