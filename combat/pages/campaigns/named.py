"""Notes of a campaign and of a fight as they are read: the names of the people there lead to them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from characters.models import Character
from combat.display.plane.land import list_ranks
from combat.display.shapes.table_shapes import CombatantView
from combat.templatetags.table import mark
from cosmos_site.base.markdown import draw_markdown

Html = SafeString | str

PIECES = re.compile(r"(<[^>]*>)")
SHORTEST = 3  # letters of a word that stands for a whole name
PLAIN = ("a", "code", "pre")  # no names are sought inside


def draw_notes(text: str, people: Iterable[Character], reader: int) -> Html:
    """A text in Markdown as HTML, in which each name of these people is a link.

    It leads to the sheet if that is the reader's, else to where they stand on the page.
    """
    links = {name: _link(name, one, reader) for name, one in find_names(people).items()}
    return link_names(draw_markdown(text), links)


def link_fighters(html: Html, fighters: Mapping[str, CombatantView], slug: str, table: str) -> Html:
    """A drawn note of a fight, in which each name of someone there leads to their row at the table.

    So does the first word of a name, unless it is a rank, or another name has it.
    """
    short = {who: _find_first(one.name, slug) for who, one in fighters.items()}
    often = Counter([*short.values(), *(one.name for one in fighters.values())])
    links = dict[str, SafeString]()
    for who, one in fighters.items():
        for name in filter(None, (short[who], one.name)):
            link = '<a class="named" href="{}?combatant={}">{}{}</a>'
            if often[name] == 1:
                links[name] = format_html(link, table, who, mark(one.look.plain), name)
    return link_names(html, links)


def link_names(html: Html, links: Mapping[str, SafeString]) -> Html:
    """Drawn Markdown, in which each of these names is its link; none within a link or code."""
    if not links:
        return html
    longest = sorted(links, key=lambda name: (-len(name), name))
    sought = re.compile(rf"(?<!\w)({'|'.join(re.escape(_write(name)) for name in longest)})(?!\w)")
    written = {_write(name): link for name, link in links.items()}
    drawn, inside = list[str](), 0
    for piece in PIECES.split(html):
        if tag := re.match(rf"<(/?)(?:{'|'.join(PLAIN)})\b", piece):
            inside += -1 if tag[1] else 1
        is_words = not piece.startswith("<") and not inside
        drawn.append(sought.sub(lambda found: written[found[1]], piece) if is_words else piece)
    return mark_safe("".join(drawn))  # noqa: S308 - the pieces are safe HTML, the links are escaped


def draw_parts(text: str, people: Iterable[Character], reader: int) -> tuple[Html, Html]:
    """The first paragraph of a text, with its heading if it begins with one, and the rest, both drawn."""
    parts = re.split(r"\n\s*\n", text.strip().replace("\r\n", "\n"))
    first = 2 if parts[0].startswith("#") and "\n" not in parts[0] else 1
    if parts[0].count("```") % 2:  # code may have empty lines
        first = len(parts)
    there = list(people)
    shown, rest = (draw_notes("\n\n".join(some), there, reader) for some in (parts[:first], parts[first:]))
    return shown, rest


def find_names(people: Iterable[Character]) -> Mapping[str, Character]:
    """What may stand for each of them: their name, and a word of it that no other has.

    That is the first word of characters and the last of NPCs, as in Captain Vox, unless it is a rank.
    """
    there = list(people)
    short = {one.pk: _shorten(one) for one in there}
    often = Counter([*short.values(), *(one.name for one in there)])
    found = {short[one.pk]: one for one in there if often[short[one.pk]] == 1 and short[one.pk]}
    return found | {one.name: one for one in there if often[one.name] == 1}


def _write(name: str) -> str:
    """The name as it stands in drawn Markdown."""
    return escape(name, quote=False).replace('"', "&quot;")


def _shorten(one: Character) -> str:
    words = one.name.split()
    return _find_first(" ".join(reversed(words)) if one.npc else one.name, one.system)


def _find_first(name: str, slug: str) -> str:
    """The first of several words, if it can stand for the whole name."""
    word, *more = name.split() or [""]
    usable = more and word.isalpha() and word[:1].isupper() and len(word) >= SHORTEST
    return word if usable and word.casefold() not in list_ranks(slug) else ""


def _link(name: str, one: Character, reader: int) -> SafeString:
    if one.owner_id == reader:
        return format_html('<a class="named" href="{}">{}</a>', reverse("character", args=[one.pk]), name)
    return format_html('<a class="named" href="#person-{}">{}</a>', one.pk, name)
