"""The parts of a combatant as a viewer may know them, with what they can do to each."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from characters.display.figures import FigureView, PartLink, PartView, show_figure
from combat.audience.viewer import Viewer
from combat.rules.core.commands.commands import Action, Field, find_refusal
from combat.rules.core.declaration.figures import Offer, Part
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import Combatant, State

Forms = dict[str, tuple[Field, ...] | None]  # the fields of each action; None if it cannot be taken now
ROW_LINKS = (("Damage here…", "damage"), ("Heal here…", "heal"))


def view_figure(
    system: System,
    state: State,
    combatant: Combatant,
    viewer: Viewer,
    actor: str = "",
    forms: Forms | None = None,
    *,
    usual: str = "",
) -> FigureView | None:
    """The figure of a combatant, as far as the table's setting for health shows it.

    With `actor`, the parts have links to the actions that this combatant can take against them. `forms` are
    shared by all figures of a page: they are the same whoever the target is. An address that names nobody
    means the combatant `usual`: their links leave them out, so that the figures stay the same in the next turn.
    """
    figure = system.look.figure(state, combatant) if system.look.figure else None
    shown = system.option(state, "foe_health")
    if viewer.plays(combatant.id) or combatant.pc:
        shown = "number"
    if figure is None or shown == "nothing":
        return None
    drawn = show_figure(system, figure, shown)
    named = "" if actor == usual else actor
    offers = _Offers(system, state, combatant, viewer, actor, {} if forms is None else forms, named)
    pairs = zip(drawn.parts, figure.parts, strict=True)
    return replace(drawn, parts=tuple(_with_links(one, offers.find_links(part)) for one, part in pairs))


def _with_links(part: PartView, links: tuple[PartLink, ...]) -> PartView:
    return replace(part, links=links) if links else part


class _Offers:
    """What a viewer can do to the parts of one combatant now; each action is checked only once.

    `named` is the actor as the links name them, empty if they need not.
    """

    def __init__(
        self,
        system: System,
        state: State,
        combatant: Combatant,
        viewer: Viewer,
        actor: str,
        forms: Forms,
        named: str,
    ) -> None:
        self.system, self.state, self.combatant, self.viewer = system, state, combatant, viewer
        self.actor = actor if actor and viewer.plays(actor) else ""
        self.fields = forms
        self.named = {"combatant": named} if named else {}

    def find_links(self, part: Part) -> tuple[PartLink, ...]:
        """The links of a part: the game's offers, then what only the GM may do."""
        found = [link for offer in part.actions for link in self._find_link(offer)]
        if self.viewer.is_gm and part.track:
            found += [self._make_row_link(word, row, part.track) for word, row in ROW_LINKS]
        return tuple(found)

    def _make_row_link(self, word: str, row: str, track: str) -> PartLink:
        return PartLink(word, f"?{urlencode({'combatant': self.combatant.id, 'row': row, 'track': track})}")

    def _find_link(self, offer: Offer) -> list[PartLink]:
        name, filled = offer
        action = self.system.actions.by_name.get(name)
        if action is None or (action.who == "gm" and not self.viewer.is_gm):
            return []
        fields = self._find_fields(action)
        if fields is None or not all(self._takes(fields, filled, key) for key in filled):
            return []
        words = {key: value or self.combatant.id for key, value in filled.items()}
        who = {} if action.who == "gm" else self.named
        return [PartLink(action.label, f"?{urlencode({**who, 'do': name, **words})}")]

    def _find_fields(self, action: Action) -> tuple[Field, ...] | None:
        """The fields of an action's form; None if it cannot be taken now."""
        if action.name not in self.fields:
            actor = "" if action.who == "gm" else self.actor
            stopped = (action.who != "gm" and not actor) or find_refusal(action, self.state, actor)
            self.fields[action.name] = None if stopped else action.find_fields(self.state, actor)
        return self.fields[action.name]

    def _takes(self, fields: tuple[Field, ...], filled: dict[str, str], key: str) -> bool:
        """Whether a form has this field and offers its value."""
        field = next((field for field in fields if field.name == key), None)
        if field is None:
            return False
        value = filled[key] or self.combatant.id
        if not field.options:
            return True
        return any(option.value == value and not option.refused for option in field.options)
