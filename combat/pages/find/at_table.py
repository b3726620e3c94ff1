"""What can be found at a table, by what one viewer may know and do there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from characters.models import Character
from combat.display.combatants.tokens import Look, name_fully
from combat.play.campaigns.table_notes import ON_ENCOUNTER, ON_SCENE, OWN, SHARED, find_notes
from combat.rules.core.declaration.book import StatBlock
from combat.rules.core.space import find_zone
from combat.rules.core.state.state import present
from combat.sharing.viewer_context import ViewerContext, find_handouts
from cosmos_site.base.markdown import cut_markdown

from ..help.views import cut_around
from ..table.action_groups import list_possible
from ..table.rows import view_known
from ..table.shapes import find_usual, view_gm_actions

ROW_FORMS = {"damage": "Damage", "heal": "Heal", "condition": "Conditions", "place": "Reposition"}
# The pages of a table, by the name of their address: what they are called, and what else they have
FOR_ALL = {
    "log": ("Log", "the whole story, step by step"),
    "dice": ("Dice", "seals, rolls and their proof"),
    "report": ("Report", "what happened, in numbers"),
    "handouts": ("Handouts", "texts and pictures that are shown"),
}
FOR_SEATS = {
    "branches": ("What if…", "play on from any step"),
    "programs": ("Programs", "tokens for programs that play a seat"),
}
FOR_GM = {
    "prep": ("Prepare", "people, scene, house rules"),
    "scene": ("Draw the scene", "map editor: walls, doors, light"),
    "forecast": ("Forecast", "the chances of each side"),
    "fault": ("Report a fault", "a file that names nobody"),
}
FOR_OWNER = {"share": ("Share", "links, codes and seats")}
MOST = 6  # shown of each kind
MOST_OF_ONE = 40  # shown of a kind that was chosen
MAX_TEXT = 240  # characters around a word


def find_people(context: ViewerContext) -> Iterator[Hit]:
    """The combatants that the viewer knows of; those they play open with their actions."""
    state, viewer, rows = context.known_state, context.viewer, view_known(context)
    for one in present(state):
        opens = viewer.is_gm or (viewer.plays(one.id) and state.phase == "fight")
        place = _link(context, combatant=one.id) if opens else f"{_link(context)}#row-{one.id}"
        yield Hit(name_fully(state, one), place, one.side, look=rows[one.id].look)


def find_actions(context: ViewerContext) -> Iterator[Hit]:
    """What is possible now: for whom the table shows, for the GM, and the forms of the GM's rows."""
    state, viewer = context.known_state, context.viewer
    if viewer.is_spectator or context.pending or (state.is_paused and not viewer.is_gm):
        return
    who = find_usual(state, [one.id for one in present(state)], viewer)
    if state.phase == "fight" and who in state.combatants:
        shown = context.obscured_state
        for action in list_possible(context.system, shown, shown.combatants[who]):
            name = name_fully(state, state.combatants[who])
            yield Hit(action.label, _link(context, combatant=who, do=action.name), name)
    if viewer.is_gm:
        yield from _find_gm_actions(context)


def _find_gm_actions(context: ViewerContext) -> Iterator[Hit]:
    state = context.known_state
    if not present(state):
        return
    offer = view_gm_actions(context.system, state)
    for group in offer.groups if offer else ():
        for action in group.actions:
            yield Hit(action.label, _link(context, do=action.name), group.label)
    for one in present(state):
        for row, label in ROW_FORMS.items():
            yield Hit(f"{label}: {name_fully(state, one)}", _link(context, combatant=one.id, row=row))


def find_zones(context: ViewerContext) -> Iterator[Hit]:
    """The zones that the viewer may know, each with who is seen there; the GM's lead to their form."""
    state, scene = context.known_state, f"{_link(context)}#scene"
    people: dict[str, list[str]] = {}
    for one in present(state):
        if zone := find_zone(state.scene, one.at):
            people.setdefault(zone.id, []).append(one.name)
    for zone in state.scene.zones:
        yield Hit(zone.name, scene, ", ".join(people.get(zone.id, ())))


def find_shown_handouts(context: ViewerContext) -> Iterator[Hit]:
    """The handouts that the viewer sees at the table."""
    for one in find_handouts(context):
        yield Hit(one.title, reverse("handout", args=[context.encounter.pk, one.pk]), "shown here")


def find_table_notes(context: ViewerContext) -> Iterator[Hit]:
    """The notes at the table that the viewer may read."""
    titles = {OWN: "My notes", SHARED: "Shared notes", ON_ENCOUNTER: "Encounter", ON_SCENE: "Scene"}
    people, page = context.known_state.combatants, reverse("notes", args=[context.encounter.pk])
    for about, note in find_notes(context.encounter, context.viewer, context.seat).items():
        title = titles.get(about) or (people[about].name if about in people else "")
        if note.text and title:
            yield Hit(title, f"{page}#notes-{about}", "note", text=note.text)


def find_settings(context: ViewerContext) -> Iterator[Hit]:
    """The environment and the house rules of the table, for the GM."""
    if context.viewer.is_gm:
        book, place = context.system.book, f"{reverse('prep', args=[context.encounter.pk])}#options"
        for setting in context.system.find_settings(context.known_state):
            yield Hit(setting.label, place, "environment")
        for option in book.all_options:
            yield Hit(option.label, place, "house rule")


def find_table_pages(context: ViewerContext, owns: bool) -> Iterator[Hit]:
    """The pages of the table that the viewer may open."""
    encounter, viewer = context.encounter, context.viewer
    yield Hit("Table", _link(context), encounter.name)
    shown = FOR_ALL | (FOR_SEATS if not viewer.is_spectator else {})
    shown |= (FOR_GM if viewer.is_gm else {}) | (FOR_OWNER if owns else {})
    for name, (label, about) in shown.items():
        yield Hit(label, reverse(name, args=[encounter.pk]), about)


def _link(context: ViewerContext, **asked: Any) -> str:
    """The address of the table, with what it opens."""
    address = reverse("table", args=[context.encounter.pk])
    return f"{address}?{urlencode(asked)}" if asked else address


# What a search offers, and how well it fits the words.


@dataclass(frozen=True)
class Hit:
    """Something to find: its name, its address, and a few words about it.

    `also` is searched and not shown; of `text`, in Markdown, the words around the first that was found.
    `figure` is a number of it, as a price. `is_rule`: a page that has the rulebook beside it opens it there.
    What it is: the short name of its `game`, the `look` of a combatant, a `character` with a face, a stat
    `block`, or the `icon` of a kind.
    """

    name: str
    address: str
    about: str = ""
    also: str = ""
    text: str = ""
    figure: str = ""
    is_rule: bool = False
    game: str = ""
    look: Look | None = None
    character: Character | None = None
    block: StatBlock | None = None
    icon: str = ""


@dataclass(frozen=True)
class Kind:
    """What was found of one kind, the best first; `more` were left out. `sign` is the icon of the kind."""

    title: str
    hits: tuple[Hit, ...]
    more: int = 0
    sign: str = ""

    @property
    def count(self) -> int:
        """How many were found, with those that were left out."""
        return len(self.hits) + self.more


def choose(
    title: str, words: Sequence[str], offered: Iterable[Hit], *, most: int = MOST, sign: str = ""
) -> Kind:
    """The hits that have every word, in any order; `words` are casefolded.

    The name itself comes first, then words that begin a word of the name, then those that begin one beside
    it, then those inside.
    """
    rated = [(rate, hit) for hit in offered if (rate := _rate(hit, words)) is not None]
    rated.sort(key=lambda one: one[0])
    shown = tuple([_cut_text(hit, words) for _, hit in rated[:most]])
    return Kind(title, shown, max(0, len(rated) - most), sign)


def _rate(hit: Hit, words: Sequence[str]) -> int | None:
    """How far the words are from the beginnings of the name's: -1 is best; None if one is missing."""
    name, everything = hit.name.casefold(), f"{hit.name} {hit.about} {hit.also} {hit.text}".casefold()
    if not all(word in everything for word in words):
        return None
    if name.split() == list(words):
        return -1
    return sum(0 if _begins(word, name) else 1 if _begins(word, everything) else 2 for word in words)


def _begins(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}", text) is not None


def _cut_text(hit: Hit, words: Sequence[str]) -> Hit:
    """The hit with what its text says around the first of the words."""
    if not hit.text:
        return hit
    return replace(hit, about=f"{hit.about}: {cut_markdown(cut_around(hit.text, words), MAX_TEXT)}")
