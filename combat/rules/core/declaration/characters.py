"""A game's characters: sheets, and the combatants they become with their numbers, conditions, health."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from ..basics.modifiers import Derived
from ..basics.numbers import say_whole
from ..basics.words import Label
from ..book.conditions import OF_EVERY_GAME, ConditionKind, OwnRules
from ..commands.context import RuleContext, Then
from ..state.state import Combatant, Condition, Item, Scalar, State

FOR_GOOD = "nothing"  # how a lasting condition ends: a row of the table shows it, a chip does not
FIGHT, DAY, SESSION = "fight", "day", "session"
DAY_SECONDS = 86_400
# The names of the health levels in stylesheets
TONES = ("is-well", "is-hurt", "is-injured", "is-critical", "is-dying")


def make_condition(state: State, kind: ConditionKind, **more: Any) -> Condition:
    """A new condition of a kind, with an unused id and the words of its kind."""
    more.setdefault("label", f"condition.{kind.kind}")
    more.setdefault("rule", kind.rule)
    return Condition(id=f"k{state.made + 1}", kind=kind.kind, **more)


class Track(msgspec.Struct, frozen=True):
    """A number of a combatant that changes in play. A track that `rises` counts harm, not life.

    Where the table shows health in words, the log adds the word to a change of the track. A track that says
    nothing of health, such as ammunition, has `tells_health` set to False. `most` finds the maximum, or
    the most harm that someone can bear, where it is not that of the sheet or of the health.
    """

    key: str
    label: str
    low: int | None = None
    rises: bool = False
    tells_health: bool = True
    most: Callable[[State, Combatant], int] | None = None


class SharedTrack(msgspec.Struct, frozen=True):
    """Points that several `tracks` share, in games that divide a wound among them.

    `harm` takes a number of points, divided by the rules and the player, and `heal` gives them back; both get
    the reason. Odds add the tracks up.
    """

    key: str
    label: str
    tracks: tuple[str, ...]
    harm: Callable[[RuleContext, str, int, Label], Then | None]
    heal: Callable[[RuleContext, str, int, Label], Then | None]


class Use(msgspec.Struct, frozen=True):
    """A limited use of a combatant: per fight, day or session.

    `key` is the mark that counts the uses (see core/turn/turns.py), or with `track` the number that is spent.
    Uses that last longer than a fight return to the sheet; numbers always do.
    """

    key: str
    label: str
    span: str
    rule: str = ""
    track: bool = False

    @property
    def word(self) -> str:
        """The key of its label."""
        return f"use.{self.key}"

    @property
    def goes_home(self) -> bool:
        """Whether a sheet stores it as a mark."""
        return self.span != FIGHT and not self.track


class Health(msgspec.Struct, frozen=True):
    """The health of a combatant: `now` and `most` in points, the label of the book's word, a share of 0 to 1.

    `level` is 0 (fine) to 4 (out) for color and shape; `is_out` if the combatant can no longer act. If harm
    is counted up (`rises`), `now` is the harm taken and `most` the most a combatant can bear. The share is
    always what is left: 1 for the unhurt. The GM may set any number, so keep `level` and `share` in range.
    `part` is the label of the part whose points the share is of, with these, if it is not of all points.
    """

    now: int
    most: int
    word: Label
    share: float
    level: int
    is_out: bool
    dead: bool = False
    label: str = "HP"
    rises: bool = False
    part: tuple[Label, int, int] | None = None

    def limit(self, most: int) -> Health:
        """The same health with another most, by house rules."""
        if most == self.most:
            return self
        part = max(0.0, min(1.0, self.now / most))
        return msgspec.structs.replace(self, most=most, share=1 - part if self.rises else part)

    @property
    def bar(self) -> int:
        """How full its bar is, in percent: what is left, also where harm is counted up."""
        return round(100 * self.share)

    @property
    def number(self) -> str:
        """ "44 / 104", or "3 of 13 damage" if harm is counted up."""
        now, most = say_whole(self.now), say_whole(self.most)
        return f"{now} of {most} {self.label}" if self.rises else f"{now} / {most}"

    @property
    def unhurt(self) -> str:
        """The number of someone unhurt, without its label: "104", or "0 of 13" if harm is counted up."""
        return f"0 of {say_whole(self.most)}" if self.rises else say_whole(self.most)


class Characters(msgspec.Struct, frozen=True, kw_only=True):
    """The characters of a game: sheets, and what is true of the combatants they become."""

    # The type of a sheet; `Combatant.sheet` holds it as plain data.
    sheet: type
    # Makes a combatant from an id, a name, a side, a sheet as plain data and the table's options.
    make_combatant: Callable[[str, str, str, dict[str, Any], dict[str, Scalar]], Combatant]
    # The health of a combatant.
    health: Callable[[Combatant], Health]
    # The numbers that follow from a sheet in this state, each with its terms.
    facts_of: Callable[[State, Combatant], tuple[Derived, ...]]
    # The numbers that change in play. The first one shows health.
    tracks: tuple[Track, ...]
    # Whether a combatant has the track of this key.
    owns_track: Callable[[Combatant, str], bool] = lambda combatant, key: True
    # Points that several tracks share, in games that divide a wound among them.
    shared_track: SharedTrack | None = None
    # The conditions of the book by kind.
    conditions: dict[str, ConditionKind] = {}
    # What conditions of the GM's own may do.
    own_conditions: OwnRules = OwnRules()
    # The limited uses per fight, day or session.
    uses: tuple[Use, ...] = ()
    # Whether a combatant can fight: nobody whose `health` is out, and a vehicle, for example, only with its
    # crew. Without it, everyone who is not out.
    can_fight: Callable[[State, Combatant], bool] | None = None
    # Borrowed items that a combatant can use, such as the guns of a vehicle.
    borrowed_items: Callable[[State, Combatant], tuple[Item, ...]] = lambda state, combatant: ()

    def find_track(self, key: str) -> Track:
        """The track of this key, or the track for points that several share."""
        if self.shared_track is not None and key == self.shared_track.key:
            return Track(key, self.shared_track.label, 0)
        return next(track for track in self.tracks if track.key == key)

    def find_tracks(self, combatant: Combatant) -> tuple[Track, ...]:
        """The tracks that a combatant has."""
        return tuple(track for track in self.tracks if self.owns_track(combatant, track.key))

    def find_fitting(self, nature: str) -> tuple[ConditionKind, ...]:
        """The conditions that the GM may give to those of a nature: the usual ones first, then as in the
        table."""
        fitting = (one for one in self.conditions.values() if one.can_choose and one.only in ("", nature))
        return tuple(sorted(fitting, key=lambda one: one.usual.get(nature, len(self.conditions))))

    def describe_condition(self, kind: str) -> ConditionKind:
        """The book's words on a condition; plain ones for a condition of the GM's own."""
        known = self.conditions.get(kind) or OF_EVERY_GAME.get(kind)
        return known or ConditionKind(kind, kind.replace("_", " ").capitalize(), "", ends="", rule="")

    def describe_held(self, held: Condition) -> ConditionKind:
        """The words on a condition that someone has, also on one of the GM's own."""
        own = held.own
        return self.describe_condition(held.kind) if own is UNSET else self.own_conditions.make_row(own)
