"""The help pages, open to all, also without an account; the hints of a first fight, reports of faults."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import unescape
from importlib.resources import files
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_http_methods

from combat.play.after.faults import MAX_SAID, make_report
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.book.rulebook import mentions
from combat.rules.core.declaration.system import System
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import find_named, forget_seen, keep_seen
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import answer_file
from cosmos_site.base.forms import SiteForm

from ..book.examples import find_hit
from ..home.pictures import view_demos
from .marks import view_marks

MAX_QUERY = 100  # characters of a search
WHOLE, BARE = "help/page.html", "help/bare.html"
PART = re.compile(r'<section id="([\w-]+)".*?</section>', re.DOTALL)
HEADING = re.compile(r"<h2[^>]*>(.*?)</h2>", re.DOTALL)
UNREAD = re.compile(r"<svg.*?</svg>|<[^>]+>", re.DOTALL)
# Words of a question that say nothing about what it asks
SMALL = re.compile(
    "a|an|and|are|can|do|does|for|how|i|in|is|it|my|of|on|or|our|the|they|this|to|we|what|where|who"
)
AROUND = 90  # characters before and after the first word that was found


@dataclass(frozen=True)
class HelpPage:
    """A page of help: its name in addresses, its title, and what it is for."""

    name: str
    title: str
    about: str

    @property
    def template(self) -> str:
        """The template with its text, named like the page, with underscores."""
        return f"help/{self.name.replace('-', '_')}.html"


PAGES = (
    HelpPage("gm", "Five minutes for the GM", "From an empty table to the first turn."),
    HelpPage("running", "Questions at the table", "What a GM asks in the middle of a fight."),
    HelpPage("between", "Before and after a fight", "Campaigns, NPCs, backups, other GMs, your account."),
    HelpPage("player", "Two minutes for a player", "Join, wait for your turn, act."),
    HelpPage("marks", "What each mark means", "Icons, tokens, health, conditions and results."),
    HelpPage("dice", "Dice and trust", "Sealed rolls, real dice, replay: what is proven and what is not."),
    HelpPage("house-rules", "House rules", "Where to set them, and what they change."),
    HelpPage("maps", "Maps", "Zones, walls, doors, light, fog and pictures."),
    HelpPage("elsewhere", "Players elsewhere", "Let people in who are not in your network."),
    HelpPage(
        "hosting", "Hosting", "A table of your own, or a site for many: starting it, backups, variables."
    ),
    HelpPage("printing", "Printing", "Sheets, logs and reports on paper."),
    HelpPage("faults", "When something is wrong", "Go on playing, and report the fault."),
)


@dataclass(frozen=True)
class Topic:
    """Questions of one kind, with its icon: each leads to a part of a page, as "page#part"."""

    title: str
    look: str
    questions: tuple[tuple[str, str], ...]


TOPICS = (
    Topic(
        "Before the fight",
        "flag",
        (
            ("How do I place people?", "gm#prepare"),
            ("Can I use my own map?", "maps#import"),
            ("What are zones?", "maps#zones"),
            ("Who comes? Roll", "between#who-comes"),
            ("Where do campaigns come in?", "between#campaigns"),
        ),
    ),
    Topic(
        "At the table",
        "play",
        (
            ("How does a turn go?", "gm#table"),
            ("What do the signs mean?", "marks#icons"),
            ("Why this result?", "marks#results"),
            ("Ten thugs and no time?", "running#thugs"),
            ("What do players not see?", "player#know"),
        ),
    ),
    Topic(
        "Players and screens",
        "phone",
        (
            ("How do they join?", "gm#share"),
            ("How do I get an account?", "player#sheet"),
            ("They are somewhere else", "elsewhere#start"),
            ("Can we roll real dice?", "dice#real"),
            ("What can I hide?", "running#secrets"),
        ),
    ),
    Topic(
        "Own material",
        "pen",
        (
            ("House rules", "house-rules#where"),
            ("NPCs of my own", "between#npcs"),
            ("Draw a map", "maps#draw"),
            ("Conditions of my own", "running#condition"),
            ("Sheets on paper", "printing#sheets"),
        ),
    ),
    Topic(
        "When something is wrong",
        "lock",
        (
            ("What do I do first?", "faults#first"),
            ("Report a fault", "faults#report"),
            ("A rule is applied wrong", "faults#rule"),
            ("I see a hit differently", "running#overrule"),
            ("Undo a mistake", "running#undo"),
        ),
    ),
)
BY_NAME = {page.name: page for page in PAGES}


def find_neighbours(page: HelpPage) -> tuple[HelpPage | None, HelpPage | None]:
    """The pages before and after one; None at either end."""
    at = PAGES.index(page)
    return (PAGES[at - 1] if at else None), (PAGES[at + 1] if at + 1 < len(PAGES) else None)


def _find_first() -> System:
    return find_system(next(iter(SYSTEMS)))


def _show_first() -> dict[str, Any]:
    """Pictures of the first game: the scene of its demo fight, and the card of an attack."""
    slug = _find_first().slug
    return {"picture": view_demos(slug)[0].picture, "hit": find_hit(slug)}


def read_hosting() -> SafeString:
    """The text of `cosmos_site/HOSTING.md` below its title."""
    from markdown_it import MarkdownIt  # no other page needs it

    text = files("cosmos_site").joinpath("HOSTING.md").read_text("utf-8").partition("\n")[2]
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return mark_safe(html.replace("<pre>", '<pre tabindex="0" aria-label="Commands">'))  # noqa: S308 - our own text


# What the text of a page is made from, by its name
SOURCES: dict[str, Callable[[], dict[str, Any]]] = {
    "marks": lambda: {"marks": view_marks()},
    "gm": lambda: {"example": _find_first().book.imports.example, "game": _find_first(), **_show_first()},
    "player": _show_first,
    "hosting": lambda: {"hosting": read_hosting()},
    "house-rules": lambda: {"games": [find_system(slug) for slug in SYSTEMS]},
}


@cache
def _read_parts() -> tuple[Part, ...]:
    """The parts of all pages, as a search reads them."""
    found: list[Part] = []
    for page in PAGES:
        context = {**_find_context(page, BARE), "outside": None}  # which one host alone sees
        found += read_parts(page.name, render_to_string(page.template, context))
    return tuple(found)


def _find_questions(part: Part) -> str:
    """The questions that a part answers."""
    at = f"{part.page}#{part.anchor}"
    return " ".join(words for topic in TOPICS for words, place in topic.questions if place == at)


def find_answers(asked: str) -> list[tuple[HelpPage, Hit]]:
    """The parts of help that answer a question or have its words, the best first, each with its page."""
    return [(BY_NAME[one.part.page], one) for one in search(_read_parts(), asked, _find_questions)]


def _find_context(page: HelpPage, frame: str) -> dict[str, Any]:
    """What the text of a page is drawn with, inside a frame: all of a page, or nothing."""
    parts = () if frame == BARE else [part for part in _read_parts() if part.page == page.name]
    return {
        "page": page,
        "frame": frame,
        "parts": parts,
        **(SOURCES[page.name]() if page.name in SOURCES else {}),
    }


@require_http_methods(["GET", "HEAD"])
def list_pages(request: HttpRequest) -> HttpResponse:
    """Three ways in, questions by topic, and all help pages, each with what it is for; `q` searches them."""
    asked = request.GET.get("q", "").strip()[:MAX_QUERY]
    hits = find_answers(asked)
    topics = [(topic, [(words, *at.split("#")) for words, at in topic.questions]) for topic in TOPICS]
    more = {"q": asked, "hits": hits, **_show_first()}
    return render(request, "help/list.html", {"pages": PAGES, "topics": topics, **more})


@require_http_methods(["GET", "HEAD"])
def show_page(request: HttpRequest, name: str) -> HttpResponse:
    """One page of help."""
    page = BY_NAME.get(name)
    if page is None:
        raise Http404("There is no such page of help. The list is at /help/.")
    before, after = find_neighbours(page)
    return render(request, page.template, {"before": before, "after": after, **_find_context(page, WHOLE)})


@require_http_methods(["GET", "HEAD", "POST"])
def change_hints(request: HttpRequest) -> HttpResponse:
    """`seen` names a hint, or the people whose hints are all seen; `do=again` shows all of them again."""
    if request.method != "POST":
        return redirect("help")
    if request.POST.get("do") == "again":
        back = HttpResponseRedirect(f"{reverse('help')}#hints", status=303)
        forget_seen(request, back)
        messages.success(request, "The hints appear in your next fight.")
        return back
    keys = find_named(request.POST.get("seen", ""))
    if not keys:
        raise Http404("There is no such hint.")
    answer = HttpResponse(status=204)
    keep_seen(request, answer, keys)
    return answer


class FaultForm(SiteForm):
    """What happened, in the GM's words."""

    said = forms.CharField(
        label="What happened, and what did you expect?",
        required=False,
        widget=forms.Textarea({"rows": 5, "maxlength": MAX_SAID}),
        help_text="These words go into the file as they are. Name no one.",
    )


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def report_fault(request: HttpRequest, pk: int) -> HttpResponse:
    """What a report holds; a POST answers with the file. Only the GM may know a whole fight."""
    context, refused = find_gm_context(request, pk), None
    said = request.POST.get("said", "").replace("\r\n", "\n").strip()
    if request.method == "POST":
        try:
            raw = make_report(context.encounter, reverse("table", args=[pk]), said, _read_browser(request))
        except Refused as problem:
            refused = problem
        else:
            return answer_file(raw, f"fault-{timezone.now():%Y-%m-%d-%H%M%S}.json")  # no encounter's name
    shown = {"encounter": context.encounter, "refused": refused, "form": FaultForm(initial={"said": said})}
    return render(request, "help/fault/fault.html", shown, status=status_of(refused) if refused else 200)


def _read_browser(request: HttpRequest) -> dict[str, str]:
    return {"agent": request.headers.get("User-Agent", ""), "window": request.POST.get("window", "")}


# A search in the texts of help: each part of a page by its heading.


@dataclass(frozen=True)
class Part:
    """A part of a page of help: its page, its anchor, its heading and its words."""

    page: str
    anchor: str
    title: str
    text: str


@dataclass(frozen=True)
class Hit:
    """A part that was found, with the words around the first one."""

    part: Part
    said: str


def read_parts(page: str, html: str) -> Iterator[Part]:
    """The parts of a page: its sections, or all of it if it has none."""
    found = [(one[1], one[0]) for one in PART.finditer(html)]
    for anchor, inside in found:
        heading = HEADING.search(inside)
        title = _read(heading[1]) if heading else ""
        yield Part(page, anchor, title, _read(inside).removeprefix(title).strip())
    if not found:
        yield Part(page, "main", "", _read(html))


def _read(html: str) -> str:
    return " ".join(unescape(UNREAD.sub(" ", html)).split())


def search(parts: Iterable[Part], asked: str, ask: Callable[[Part], str]) -> list[Hit]:
    """The parts with every word, those first that have one in their heading or in the questions of `ask`."""
    said = re.findall(r"\w[\w’'-]*", asked.casefold())
    words = [word for word in said if not SMALL.fullmatch(word)] or said
    if not words:
        return []
    found = [one for one in parts if mentions(f"{one.title} {one.text} {ask(one)}".casefold(), words)]
    found.sort(key=lambda one: not any(mentions(f"{one.title} {ask(one)}".casefold(), [w]) for w in words))
    return [Hit(one, cut_around(one.text, words)) for one in found]


def cut_around(text: str, words: Sequence[str]) -> str:
    """The text around the first of the words; its beginning where only a question has them."""
    at = next((place for word in words if (place := text.casefold().find(word)) >= 0), 0)
    start, end = text.find(" ", max(0, at - AROUND)) if at > AROUND else 0, text.rfind(" ", at, at + AROUND)
    is_whole = at + AROUND >= len(text)
    return (
        f"{'… ' if start else ''}{text[start : None if is_whole else end].strip()}{'' if is_whole else ' …'}"
    )
