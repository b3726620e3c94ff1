"""Someone who can be added to a fight, as a card: face, numbers, best attack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from msgspec import structs
from msgspec.structs import replace

from characters.display.attacks import AttackView, view_attacks
from characters.display.figures import FigureView, PartLink, PartView, show_figure
from characters.games import check_sheet, find_problems, make_state
from combat.audience.secrecy import knows_health
from combat.audience.viewer import Viewer
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Field, find_refusal
from combat.rules.core.declaration.characters import Health
from combat.rules.core.declaration.parts import Figure, Offer, Part
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME
from combat.rules.core.state.state import Combatant, State

from .tokens import Look, find_look

NPC = "npc:"  # before the number of an NPC, in the choice of stat blocks
BOOK = "book"
TOLD = ("Armor", "Defense", "Resistance", "Toughness")  # numbers of a card, as far as a game has them
MAX_TOLD = 2
ROW_LINKS = (("Damage here…", "damage"), ("Heal here…", "heal"))


@dataclass(frozen=True)
class Danger:
    """How often the party wins, in percent, against as many of them as it has people, in so many fights.

    `segments` of four are filled. Without fights so far there is no `level`.
    """

    percent: int
    fights: int
    people: int
    running: bool
    level: str = ""
    tone: str = ""
    segments: int = 0


@dataclass(frozen=True)
class Card:
    """Someone who can be added: what they are, how much they bear, their best attack, how dangerous.

    `source` is what the filter asks for: own ones, the book, or a pack by its number; `pack` is its name.
    """

    key: str
    name: str
    kind: str
    summary: str
    is_own: bool
    look: Look
    health: Health
    numbers: tuple[tuple[str, str], ...]
    attacks: tuple[AttackView, ...]
    danger: Danger | None = None
    pack: str = ""
    source: str = BOOK

    @property
    def number(self) -> str:
        """The number of an own NPC's sheet."""
        return self.key.removeprefix(NPC)

    @property
    def attack(self) -> AttackView | None:
        """The attack that a card shows."""
        return self.attacks[0] if self.attacks else None


def make_card(
    system: System, key: str, name: str, about: tuple[str, str], *, sheet: Any, face: str = ""
) -> Card | None:
    """The card of a sheet, with its kind and summary; None for one that is no longer valid."""
    plain, is_own = dict(sheet), key.startswith(NPC)
    if is_own:
        if find_problems(system, plain):
            return None
        plain = check_sheet(system, plain)
    state = make_state(system, name, plain)
    made = state[ME]
    told = {one.label: one.value for one in system.characters.facts_of(state, made) if one.label in TOLD}
    look = find_look(system, made, "is-foe", active=False, down=False)
    return Card(
        key,
        name,
        *about,
        is_own=is_own,
        look=structs.replace(look, face=(face or look.face) if look.face else ""),
        health=system.characters.health(made),
        numbers=tuple((label, str(told[label])) for label in TOLD if label in told)[:MAX_TOLD],
        attacks=list_attacks(system, state, made),
    )


def list_attacks(system: System, state: Any, made: Any) -> tuple[AttackView, ...]:
    """The attacks of a card; none where the game cannot tell them of a sheet alone, as of a vehicle."""
    try:
        return view_attacks(system, state, made, {})
    except (Refused, KeyError):
        return ()


# The parts of a combatant as a viewer may know them, with what they can do to each.


Values = frozenset[str] | None  # that a field takes; None for any
Fields = frozenset[tuple[str, Values]]  # of a form, by their names


def list_offers(figure: Figure) -> tuple[str, ...]:
    """The names of the actions that the parts of a figure offer."""
    return tuple(dict.fromkeys(name for part in figure.parts for name, _ in part.actions))


class Figures:
    """The figures of a page, and what its viewer can do to their parts now; each action is checked only once.

    With `actor`, the parts have links to the actions that this combatant can take against them. Links without
    a combatant mean `usual`: so figures stay the same in the next turn.
    """

    def __init__(
        self, system: System, state: State, viewer: Viewer, actor: str = "", usual: str = ""
    ) -> None:
        self.system, self.state, self.viewer = system, state, viewer
        self.named = "" if actor == usual else actor
        self.actor = actor if actor and viewer.plays(actor) else ""
        self.shown, self.is_gm = system.option(state, "foe_health"), viewer.is_gm
        self.fields: dict[str, Fields | None] = {}  # of each action, which do not depend on the target

    def view(self, combatant: Combatant, is_open: bool = True) -> FigureView | None:
        """The figure of a combatant, as far as the table's setting for health shows it.

        One that is not open has only its title.
        """
        figure = self.system.look.figure(self.state, combatant) if self.system.look.figure else None
        shown = "number" if knows_health(self.state, combatant, self.viewer) else self.shown
        if figure is None or shown == "nothing":
            return None
        if not is_open:
            return FigureView(figure.title)
        drawn = show_figure(self.system, figure, shown)
        fields = tuple([(name, self.find_fields(name)) for name in list_offers(figure)])
        return _add_links(self.system, figure, drawn, _Means(combatant.id, self.named, self.is_gm, fields))

    def find_fields(self, name: str) -> Fields | None:
        """What the fields of an action's form take; None if the viewer cannot take the action now."""
        if name not in self.fields:
            action = self.system.actions.by_name.get(name)
            may = action is not None and (self.is_gm or action.who != "gm")
            self.fields[name] = self._list_fields(action) if action and may else None
        return self.fields[name]

    def _list_fields(self, action: Action) -> Fields | None:
        actor = "" if action.who == "gm" else self.actor
        if (action.who != "gm" and not actor) or find_refusal(action, self.state, actor):
            return None
        return frozenset((f.name, _find_values(f)) for f in action.find_fields(self.state, actor))


class _Means(NamedTuple):
    """What the links of a figure depend on besides it.

    `named` is the actor as the links name them, empty if they need not; `fields` are those of each action
    that the parts offer.
    """

    whose: str
    named: str
    is_gm: bool
    fields: tuple[tuple[str, Fields | None], ...]


def _add_links(system: System, figure: Figure, drawn: FigureView, means: _Means) -> FigureView:
    links = _Links(system, means)
    pairs = zip(drawn.parts, figure.parts, strict=True)
    return replace(drawn, parts=tuple([_with_links(one, links.find_all(part)) for one, part in pairs]))


def _with_links(part: PartView, links: tuple[PartLink, ...]) -> PartView:
    return replace(part, links=links) if links else part


class _Links:
    """The links of the parts of one figure."""

    def __init__(self, system: System, means: _Means) -> None:
        self.system, self.whose, self.is_gm = system, means.whose, means.is_gm
        self.named = [("combatant", means.named)] if means.named else []
        self.fields = {name: dict(fields) for name, fields in means.fields if fields is not None}

    def find_all(self, part: Part) -> tuple[PartLink, ...]:
        """The links of a part: the game's offers, then what only the GM may do."""
        found = [link for offer in part.actions for link in self._find_link(offer)]
        if self.is_gm and part.track:
            found += [self._make_row_link(word, row, part.track) for word, row in ROW_LINKS]
        return tuple(found)

    def _make_row_link(self, word: str, row: str, track: str) -> PartLink:
        return PartLink(word, (("combatant", self.whose), ("row", row), ("track", track)))

    def _find_link(self, offer: Offer) -> list[PartLink]:
        name, filled = offer
        fields = self.fields.get(name)
        if fields is None:
            return []
        words = [(key, value or self.whose) for key, value in filled.items()]
        if [key for key, value in words if not _takes(fields, key, value)]:
            return []
        action = self.system.actions.by_name[name]
        who = [] if action.who == "gm" else self.named
        return [PartLink(action.label, (*who, ("do", name), *words))]


def _find_values(field: Field) -> Values:
    """The values that a field offers; None if it takes any."""
    open_ones = (option.value for option in field.options if not option.refused)
    return frozenset(open_ones) if field.options else None


def _takes(fields: dict[str, Values], key: str, value: str) -> bool:
    """Whether a form has this field, and the field takes the value."""
    if key not in fields:
        return False
    values = fields[key]
    return values is None or value in values
