"""Regions: the pieces that a page consists of, each drawn from one frozen value by one template.

A region is drawn once for equal values. Its version is a digest of what it shows, so it tells no secret
that the value may hold. An open page names the versions that it has, and an answer brings the regions
whose version it has not: `static/js/table/regions.js` puts them in place. What differs between answers,
such as the token of a form, is no part of the value: it is filled in when the region is sent.
"""

from __future__ import annotations

import hashlib
import re
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, ClassVar

import msgspec
from django.template import Context, Engine
from django.utils.safestring import SafeString, mark_safe

from characters.display.shapes import Shape
from combat.rules import find_system

VERSION_BYTES = 6
MOST_CACHED = 16_000_000  # characters of drawn regions: enough for a hundred tables
BLANK = "-"  # a version or the token of a form, until it is known
SLOT = re.compile(r'<(\w+) id="([\w-]+)" data-slot></\1>')  # the place of a region inside another
WAITS = '<fieldset class="waits"'  # around what no open command lets anybody do
INDENT = re.compile(r"\n\s+")
KEEPS_SPACE = ("<textarea", "<pre")
# What partials read by its own name, since whole pages give it so; tables have no fields of these names.
READ_IN_PAGES = """
advice again combatant clock door downtime empty_side figure fold form grid handles handouts has_figure
has_ready here is_chosen is_shown joining lacks_side look next_fight noted open open_name others overruling
owns part part_of passing pens questions ready refused room showing sides start_form start_picks step timer
way_out whose
"""


class Reader(Shape, frozen=True):
    """What kind of viewer a region is for."""

    is_gm: bool
    is_seated: bool
    is_spectator: bool


class Drawn(Shape, frozen=True):
    """A value of the encounter `id` to draw: a template finds each field once, in `table`.

    Fields in `OF_PAGE` are no part of a table: it finds these by their own names, as in a whole page.
    """

    id: int
    slug: str

    OF_PAGE: ClassVar[frozenset[str]] = frozenset()


class RegionShape(Drawn, frozen=True):
    """The value of a region. `here` is the address of the page; `owns`: the viewer owns the encounter."""

    viewer: Reader
    here: str
    owns: bool
    downtime: bool

    OF_PAGE = frozenset(READ_IN_PAGES.split())


class Region(msgspec.Struct, frozen=True):
    """A drawn region: the version of what it shows, and its HTML."""

    version: str
    html: SafeString


class RegionPage(msgspec.Struct, frozen=True):
    """A page: the version of its frame, its regions by the ids of their elements, and its lists of regions.

    A list is an element whose children are regions that come and go.
    """

    frame: str
    regions: Mapping[str, Region]
    lists: Mapping[str, tuple[Region, ...]]

    def __iter__(self) -> Iterator[Region]:
        yield from self.regions.values()
        for regions in self.lists.values():
            yield from regions

    @property
    def order(self) -> str:
        """All versions of the page, and those of each list in order."""
        fixed = " ".join([self.frame, *[region.version for region in self.regions.values()]])
        lists = [" ".join([name, *[one.version for one in regions]]) for name, regions in self.lists.items()]
        return "|".join([fixed, *lists])

    @property
    def by_name(self) -> dict[str, SafeString | list[SafeString]]:
        """The HTML of all regions, for the template of the whole page."""

        def fill(region: Region) -> SafeString:
            whole = SLOT.sub(lambda slot: self.regions[slot[2]].html, region.html)
            return mark_safe(whole)  # noqa: S308 - drawn by our templates

        found: dict[str, SafeString | list[SafeString]] = {}
        found |= {name.replace("-", "_"): fill(region) for name, region in self.regions.items()}
        found |= {name.replace("-", "_"): list(map(fill, all_)) for name, all_ in self.lists.items()}
        return found

    def render_missing(self, known: Collection[str]) -> str | None:
        """The HTML that a page with these versions lacks; None if its frame is another."""
        if self.frame not in known:
            return None
        return "\n".join([region.html for region in self if region.version not in known])


class RegionCache:
    """The regions that this process drew last, by the digests of their templates and values."""

    def __init__(self) -> None:
        self.regions: dict[bytes, Region] = {}
        self.size = 0  # characters
        self.lock = threading.Lock()

    def add(self, key: bytes, region: Region) -> None:
        """Keep a region; the oldest ones are dropped."""
        with self.lock:
            if key not in self.regions:
                self.regions[key] = region
                self.size += len(region.html)
            while self.size > MOST_CACHED:
                self.size -= len(self.regions.pop(next(iter(self.regions))).html)


def _encode_html(thing: Any) -> bytes:
    if isinstance(thing, SafeString):
        return thing.encode()
    raise TypeError(type(thing).__name__)


CACHE = RegionCache()
ENCODER = msgspec.msgpack.Encoder(enc_hook=_encode_html, order="deterministic")


def draw(template: str, shape: Drawn) -> Region:
    """The region of a value, drawn once. A value without a digest, such as a form, is drawn each time."""
    try:
        key = hashlib.blake2b(ENCODER.encode((template, shape)), digest_size=16).digest()
    except TypeError:
        return _draw(template, shape)
    region = CACHE.regions.get(key)
    if region is None:
        region = _draw(template, shape)
        CACHE.add(key, region)
    return region


def find_version(shown: str) -> str:
    """The version of what is shown: it tells no more than that."""
    raw = hashlib.blake2b(shown.encode(), digest_size=VERSION_BYTES).digest()
    return urlsafe_b64encode(raw).decode()


def _draw(template: str, shape: Drawn) -> Region:
    fields = msgspec.structs.asdict(shape)
    of_page = {name: fields.pop(name) for name in shape.OF_PAGE if name in fields}
    given = {
        **of_page,
        "table": {**fields, "version": BLANK},
        "system": find_system(shape.slug),
        "encounter": {"pk": shape.id},
        "csrf_token": BLANK,
        "v": BLANK,
    }
    html = Engine.get_default().get_template(template).render(Context(given, use_l10n=False)).strip()
    if not any(word in html for word in KEEPS_SPACE):
        html = INDENT.sub("\n", html)  # saves a quarter
    version = find_version(html)
    html = html.replace(f'data-v="{BLANK}"', f'data-v="{version}"')
    return Region(version, mark_safe(html))  # noqa: S308 - drawn by our template, which escapes


def shut(region: Region, why: str) -> Region:
    """A region while the table waits for dice or a choice: what would only be refused cannot be pressed.

    It has a version of its own, so that open pages take it in, and the usual one again afterwards.
    """
    if WAITS not in region.html:
        return region
    version = find_version(f"{region.version} {why}")
    html = region.html.replace(WAITS, f'{WAITS} disabled title="{why}"')
    html = html.replace(f'data-v="{region.version}"', f'data-v="{version}"')
    return Region(version, mark_safe(html))  # noqa: S308 - drawn by our template, which escapes


def fill_in(html: str, version: str, find_token: Callable[[], str]) -> SafeString:
    """Drawn regions with the version that they show, and the token, in their forms."""
    html = html.replace(f'name="version" value="{BLANK}"', f'name="version" value="{version}"')
    blank = f'name="csrfmiddlewaretoken" value="{BLANK}"'
    if blank in html:
        html = html.replace(blank, f'name="csrfmiddlewaretoken" value="{find_token()}"')
    return mark_safe(html)  # noqa: S308 - a stamp and a token of ours
