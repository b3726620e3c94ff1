"""The shapes of what is left after a fight."""

from __future__ import annotations

from characters.display.shapes import Shape

from ..combatants.tokens import Look


class LootPerson(Shape, frozen=True):
    """Someone who can get something."""

    id: str
    name: str


class LootItem(Shape, frozen=True):
    """A thing that can be taken. `note` says where it is, and to the GM whether players see it.

    `asked` are those of the viewer's own who ask for it, `rivals` the names of all others who do.
    """

    id: str
    name: str
    note: str
    left: bool = False
    asked: tuple[LootPerson, ...] = ()
    open_to: tuple[LootPerson, ...] = ()
    rivals: tuple[str, ...] = ()


class LootAsk(Shape, frozen=True):
    """Someone who asks for a thing of a holder, as the GM reads it."""

    who: LootPerson
    item: str
    name: str
    holder: str
    of: str


class HolderView(Shape, frozen=True):
    """Someone fallen, or the scene without an id, with what can be taken.

    `money` is what they have, in words; `is_secret`: the GM can show everyone what they carry;
    `is_hidden`: not every player knows of them.
    """

    id: str
    name: str
    look: Look | None
    items: tuple[LootItem, ...]
    money: str = ""
    is_secret: bool = False
    has_pile: bool = False
    is_hidden: bool = False

    @property
    def count(self) -> int:
        """The number of things that are not left behind."""
        return sum(not item.left for item in self.items)


class LootView(Shape, frozen=True):
    """What is left after a fight, as one viewer may see it.

    `takers` are those whom the GM can give things to, `asks` what players ask for. `money` is the game's
    money, empty if it has none. `given` is what a player's own were given, as sentences.
    """

    holders: tuple[HolderView, ...]
    takers: tuple[LootPerson, ...] = ()
    asks: tuple[LootAsk, ...] = ()
    money: str = ""
    given: tuple[str, ...] = ()

    @property
    def rich(self) -> tuple[HolderView, ...]:
        """The holders with money."""
        return tuple(holder for holder in self.holders if holder.money)
