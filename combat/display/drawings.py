"""HTML drawn by templates, kept in this process by all that it was drawn from.

What differs from answer to answer, such as the token of a form, has a mark in its place and is filled in
afterwards.
"""

from __future__ import annotations

import hashlib
import re
import threading
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from sys import getsizeof
from typing import Any

import msgspec
from django.template import Context, Engine
from django.utils.crypto import salted_hmac
from django.utils.safestring import SafeString, mark_safe

from combat.rules.core.declaration.system import System
from cosmos_site.base.forms import KeptForm

TAG_BYTES = 4
INDENT = re.compile(r"\n\s+")
KEEPS_SPACE = ("<textarea", "<pre")
MAX_KEPT = 64_000_000  # bytes of drawings: enough for a hundred tables


# ---- Marks ----


@cache
def find_mark(what: str) -> str:
    """A placeholder in a drawing for a value of the answer; nobody can guess it or type it."""
    return f"~{salted_hmac('combat.parts', what).hexdigest()[:24]}~"


def fill_marks(html: str, find_token: Callable[[], str], version: str) -> SafeString:
    """A drawing with the token of its forms, if it has any, and the version it shows."""
    words = {"version": version}
    if find_mark("token") in html:
        words["token"] = find_token()
    return fill(html, words)


def fill(html: str, words: Mapping[str, str]) -> SafeString:
    """A drawing with these words, which are ours and need no escaping, in place of their marks."""
    for what, word in words.items():
        html = html.replace(find_mark(what), word)
    return mark_safe(html)  # noqa: S308 - drawn by our template


# ---- Drawing ----


class Drawing(msgspec.Struct, frozen=True):
    """An HTML drawing, and its tag; or with `parts` only those, which are found together."""

    html: SafeString
    tag: str
    parts: tuple[Drawing, ...] = ()

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return getsizeof(self.html) + sum([part.size for part in self.parts])


class Drawings:
    """The most recently used drawings of this process, by their values.

    They count in bytes: one "…" in a drawing doubles the memory for it.
    """

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0  # bytes
        self.kept: OrderedDict[bytes, Drawing] = OrderedDict()
        self.lock = threading.Lock()
        self.drawn = 0

    def draw(
        self,
        template: str,
        given: dict[str, Any],
        *,
        keep: bool = True,
        make: Callable[[str, dict[str, Any]], Drawing] | None = None,
    ) -> Drawing:
        """A template drawn with these values, perhaps by `make`; from the cache if it is there."""
        key = make_key(template, given) if keep else None
        if key is not None:
            with self.lock:
                found = self.kept.get(key)
                if found:
                    self.kept.move_to_end(key)
                    return found
        made = (make or self.make)(template, given)
        if key is not None:
            self.keep(key, made)
        return made

    def keep(self, key: bytes, made: Drawing) -> None:
        """Keep a drawing; the least recently used ones are dropped."""
        with self.lock:
            before = self.kept.pop(key, None)
            self.size += made.size - (before.size if before else 0)
            self.kept[key] = made
            while self.size > self.most:
                self.size -= self.kept.popitem(last=False)[1].size

    def make(self, template: str, given: dict[str, Any]) -> Drawing:
        """Draw the template."""
        self.drawn += 1
        marks = {"csrf_token": find_mark("token")}
        context = Context({**marks, **given}, use_l10n=False)  # numbers are the same in all languages
        html = Engine.get_default().get_template(template).render(context).strip()
        if not any(word in html for word in KEEPS_SPACE):
            html = INDENT.sub("\n", html)  # saves a quarter
        return Drawing(mark_safe(html), digest(html.encode()))  # noqa: S308 - drawn by our template, which escapes


DRAWINGS = Drawings(MAX_KEPT)


def write(drawing: Drawing, words: Mapping[str, str]) -> Drawing:
    """A drawing with these words, escaped, in place of their marks. Its tag tells them apart as well."""
    if not words:
        return drawing
    html = fill(drawing.html, {what: escape(word) for what, word in words.items()})
    return Drawing(html, digest("\0".join((drawing.tag, *words.values())).encode()))


def make_key(template: str, given: dict[str, Any]) -> bytes | None:
    """The cache key of a drawing; None if a value cannot be compared, such as a typed form."""
    system = given.get("system")
    known = {**given, "system": system.slug} if isinstance(system, System) else given
    try:
        raw = msgspec.msgpack.encode((template, known), enc_hook=_plain)
    except (TypeError, OverflowError):
        return None
    return hashlib.blake2b(raw, digest_size=16).digest()


def _plain(thing: Any) -> Any:
    if isinstance(thing, SafeString):
        return thing.encode()
    if isinstance(thing, KeptForm):
        return thing.find_drawn()
    raise TypeError(type(thing).__name__)


def digest(raw: bytes) -> str:
    """A short digest for a tag."""
    return urlsafe_b64encode(hashlib.blake2b(raw, digest_size=TAG_BYTES).digest()).decode().rstrip("=")
