"""The decks of a scene in the editor, as a stack: what it shows, and what its buttons do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.http import QueryDict

from combat.display.forms.fields import check_form
from combat.play.scenes import stacking
from combat.play.scenes.imported import Imported
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.space import Deck, Scene, map_of
from combat.rules.core.space.decks import box_of, find_deck, is_within
from combat.rules.core.state.state import State, present
from combat.sharing.viewer_context import ViewerContext

from .editor import check_both, list_was, merge
from .shape_forms import DeckForm, find_changes, read_fields_of
from .zone_form import plain

MAX_LENGTH = 60  # of an id
SAVE = "deck_save"
NUDGES = {"deck_left": (-1, 0), "deck_right": (1, 0), "deck_higher": (0, -1), "deck_lower": (0, 1)}

SIGNS = tuple(zip(NUDGES, ("left", "right", "up", "down"), "←→↑↓", strict=True))


@dataclass(frozen=True)
class DeckCard:
    """A deck of the stack: its number from below, its form, who stands on it, and its ways to the next below.

    `apart` says how far it lies from right above that deck; empty if it does, or without a way. `shade` is
    the deck below as a path, and `aside` how far to the right that is drawn here, in meters.
    """

    id: str
    number: int
    name: str
    form: DeckForm
    was: list[tuple[str, str]]
    people: tuple[str, ...]
    ways: str
    apart: str
    shade: str
    aside: float
    is_first: bool
    is_last: bool


def view_stack(system: System, state: State, sent: QueryDict | None = None) -> tuple[DeckCard, ...]:
    """The decks of a scene from above; the form that was `sent` shows what was typed."""
    decks = stacking.sort_decks(map_of(state.scene))
    cards = [_view_card(system, state, deck, number=n, sent=sent) for n, deck in enumerate(decks, 1)]
    return tuple(reversed(cards))


def _view_card(system: System, state: State, deck: Deck, number: int, sent: QueryDict | None) -> DeckCard:
    built = map_of(state.scene)
    below = stacking.find_below(built, deck)
    now = _make_form(system, deck)
    is_sent = sent is not None and sent.get("deck") == deck.id
    return DeckCard(
        deck.id,
        number,
        deck.name,
        form=_make_form(system, deck, merge(sent, now)) if sent is not None and is_sent else now,
        was=list_was(now),
        people=_find_people(state, deck),
        ways=stacking.name_ways(built, deck),
        apart=_say_apart(stacking.find_offset(built, deck), system.space.unit),
        shade=_shade(state.scene, below) if below else "",
        aside=round(deck.shift - below.shift, 3) if below else 0.0,
        is_first=number == 1,
        is_last=number == len(built.decks),
    )


def _make_form(system: System, deck: Deck, sent: QueryDict | None = None) -> DeckForm:
    initial = {key: plain(value) for key, value in read_fields_of(deck).items()}
    return DeckForm(system, sent, initial=initial, auto_id=f"{deck.id}-%s")


def _find_people(state: State, deck: Deck) -> tuple[str, ...]:
    decks = map_of(state.scene).decks
    return tuple(one.name for one in present(state) if find_deck(decks, one.at.x, one.at.y) == deck)


def _say_apart(apart: tuple[float, float] | None, unit: str) -> str:
    if apart is None or not any(apart):
        return ""
    across, down = apart
    words = [f"{abs(across):g} {unit} {'right' if across > 0 else 'left'}"] if across else []
    words += [f"{abs(down):g} {unit} {'down' if down > 0 else 'up'}"] if down else []
    return ", ".join(words)


def _shade(scene: Scene, deck: Deck) -> str:
    """The walls and zones of a deck as one path."""
    box = box_of(deck)
    zones = (
        f"M{zone.x:g} {zone.y:g}h{zone.width:g}v{zone.depth:g}h{-zone.width:g}z"
        for zone in scene.zones
        if is_within(box, zone.x + zone.width / 2, zone.y + zone.depth / 2)
    )
    walls = (
        f"M{wall.x1:g} {wall.y1:g}L{wall.x2:g} {wall.y2:g}"
        for wall in map_of(scene).walls
        if is_within(box, (wall.x1 + wall.x2) / 2, (wall.y1 + wall.y2) / 2)
    )
    return "".join((*zones, *walls))


def add_imported(scene: Scene, found: Imported, cell: float) -> Scene:
    """The scene with an imported map as a deck on top, with all its levels; Refused for other squares."""
    if found.map.cell not in (0, cell):
        text = f"Its squares are {found.map.cell:g} m wide, here {cell:g}: enter {cell:g} as their side."
        raise Refused("bad_value", text)
    for drawn, name in [(level.map, level.name) for level in found.levels] or [(found.map, "")]:
        scene = stacking.stack_map(scene, drawn, found.zone, cell, name=name)
        if name:
            scene = stacking.change_deck(scene, map_of(scene).decks[-1].id, name=name)
    return scene


def tell_left_out(found: Imported) -> list[str]:
    """What of an imported map a deck does not take."""
    lines = ["Left out: its picture, a map has one picture under all decks."] if found.picture else []
    return [*lines, "Left out: where its tokens stand."] if found.starts else lines


# ---- What the buttons do ----


def _add(sent: QueryDict, context: ViewerContext) -> Scene:
    scene = context.known_state.scene
    cell = map_of(scene).cell or context.system.space.cell_meters
    return stacking.add_deck(scene, sent.get("do") == "deck_above", cell)


def _save(sent: QueryDict, context: ViewerContext) -> Scene:
    """Save the form of a deck; what only another GM changed stays."""
    scene = context.known_state.scene
    deck = stacking.find_by_id(scene, _read_id(sent))
    now = _make_form(context.system, deck)
    check_both(sent, now)
    form = check_form(_make_form(context.system, deck, merge(sent, now)))
    return stacking.change_deck(scene, deck.id, **find_changes(form, deck))


def _move(sent: QueryDict, context: ViewerContext) -> Scene:
    return stacking.move_deck(context.known_state.scene, _read_id(sent), sent.get("do") == "deck_up")


def _nudge(sent: QueryDict, context: ViewerContext) -> Scene:
    """Align a deck by one cell."""
    scene = context.known_state.scene
    cell = map_of(scene).cell or context.system.space.cell_meters
    across, down = NUDGES[sent.get("do", "")]
    return stacking.align_deck(scene, _read_id(sent), across * cell, down=down * cell)


def _lay_over(sent: QueryDict, context: ViewerContext) -> Scene:
    return stacking.lay_over(context.known_state.scene, _read_id(sent))


def _remove(sent: QueryDict, context: ViewerContext) -> Scene:
    state = context.known_state
    deck = stacking.find_by_id(state.scene, _read_id(sent))
    if people := _find_people(state, deck):
        verb = "stands" if len(people) == 1 else "stand"
        raise Refused("not_allowed", f"{', '.join(people[:3])} {verb} on {deck.name}: move them first.")
    return stacking.remove_deck(state.scene, deck.id)


def _read_id(sent: QueryDict) -> str:
    return sent.get("deck", "")[:MAX_LENGTH]


CHANGES: dict[str, Callable[[QueryDict, ViewerContext], Scene]] = {
    "deck_above": _add,
    "deck_below": _add,
    SAVE: _save,
    "deck_up": _move,
    "deck_down": _move,
    **dict.fromkeys(NUDGES, _nudge),
    "deck_over": _lay_over,
    "deck_remove": _remove,
}
