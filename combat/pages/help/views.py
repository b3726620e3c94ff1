"""The help pages, open to all, also without an account; the hints of a first fight, reports of faults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_http_methods

from combat.play.after.faults import MAX_SAID, make_report
from combat.play.notes.examples import make_example
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.hints import find_named, forget_seen, keep_seen
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import answer_file
from cosmos_site.base.forms import SiteForm

from .marks import view_marks


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
    HelpPage("player", "Two minutes for a player", "Join, wait for your turn, act."),
    HelpPage("marks", "What each mark means", "Icons, tokens, health, conditions and results."),
    HelpPage("dice", "Dice and trust", "Sealed rolls, real dice, replay: what is proven and what is not."),
    HelpPage("house-rules", "House rules", "Where to set them, and what they change."),
    HelpPage("maps", "Maps", "Zones, walls, doors, light, fog and pictures."),
    HelpPage("elsewhere", "Players elsewhere", "Let people in who are not in your network."),
    HelpPage("hosting", "Hosting", "A site for many tables: starting it, backups, variables."),
    HelpPage("printing", "Printing", "Sheets, logs and reports on paper."),
    HelpPage("faults", "When something is wrong", "Go on playing, and report the fault."),
)
BY_NAME = {page.name: page for page in PAGES}


def find_neighbours(page: HelpPage) -> tuple[HelpPage | None, HelpPage | None]:
    """The pages before and after one; None at either end."""
    at = PAGES.index(page)
    return (PAGES[at - 1] if at else None), (PAGES[at + 1] if at + 1 < len(PAGES) else None)


def _find_first() -> System:
    return find_system(next(iter(SYSTEMS)))


def read_hosting() -> SafeString:
    """The text of `cosmos_site/HOSTING.md` below its title."""
    from markdown_it import MarkdownIt  # no other page needs it

    text = files("cosmos_site").joinpath("HOSTING.md").read_text("utf-8").partition("\n")[2]
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return mark_safe(html.replace("<pre>", '<pre tabindex="0" aria-label="Commands">'))  # noqa: S308 - our own text


# What the text of a page is made from, by its name
SOURCES: dict[str, Callable[[], dict[str, Any]]] = {
    "marks": lambda: {"marks": view_marks()},
    "gm": lambda: {"example": make_example(_find_first()), "game": _find_first()},
    "hosting": lambda: {"hosting": read_hosting()},
    "house-rules": lambda: {"games": [find_system(slug) for slug in SYSTEMS]},
}


@require_http_methods(["GET", "HEAD"])
def list_pages(request: HttpRequest) -> HttpResponse:
    """All help pages, each with what it is for."""
    return render(request, "help/list.html", {"pages": PAGES})


@require_http_methods(["GET", "HEAD"])
def show_page(request: HttpRequest, name: str) -> HttpResponse:
    """One page of help."""
    page = BY_NAME.get(name)
    if page is None:
        raise Http404("There is no such page of help. The list is at /help/.")
    before, after = find_neighbours(page)
    more = SOURCES[name]() if name in SOURCES else {}
    return render(request, page.template, {"page": page, "before": before, "after": after, **more})


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
    """What the browser says of itself."""
    return {"agent": request.headers.get("User-Agent", ""), "window": request.POST.get("window", "")}
