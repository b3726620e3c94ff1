"""The shapes of what is left after a fight."""

from __future__ import annotations

from characters.display.shapes import Shape

from ..combatants.tokens import Look


class LootPerson(Shape, frozen=True):
    """Someone who can get something; `load` is what they carry, in words for the GM."""

    id: str
    name: str
    look: Look | None = None
    load: str = ""


class LootItem(Shape, frozen=True):
    """A thing that can be taken. `note` says where it is, and to the GM whether players see it.

    `asked` are those of the viewer's own who ask for it, `rivals` the names of all others who do. For the GM
    `to` is the id of whom it is set out for, empty if it stays, and `picture` the icon of what it is.
    A row of `count` equal things has all their ids, with commas.
    """

    id: str
    name: str
    note: str
    left: bool = False
    asked: tuple[LootPerson, ...] = ()
    open_to: tuple[LootPerson, ...] = ()
    rivals: tuple[str, ...] = ()
    to: str = ""
    picture: str = ""
    count: int = 1

    @property
    def first(self) -> str:
        """The id of the first of a row's things."""
        return self.id.partition(",")[0]


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
    `is_hidden`: not every player knows of them. `is_ally`: what they have is theirs, and no loot.
    `rows` are the things as they are set out, equal ones in one row.
    """

    id: str
    name: str
    look: Look | None
    items: tuple[LootItem, ...]
    money: str = ""
    is_secret: bool = False
    has_pile: bool = False
    is_hidden: bool = False
    is_ally: bool = False
    rows: tuple[LootItem, ...] = ()

    @property
    def count(self) -> int:
        """The number of things that are not left behind."""
        return sum(not item.left for item in self.items)


class LootView(Shape, frozen=True):
    """What is left after a fight, as one viewer may see it.

    `takers` are those whom the GM can give things to, `asks` what players ask for. `money` is the game's
    money, empty if it has none; so many `coins` are to be handed out. `given` is what a player's own were
    given, as sentences.
    """

    holders: tuple[HolderView, ...]
    takers: tuple[LootPerson, ...] = ()
    asks: tuple[LootAsk, ...] = ()
    money: str = ""
    given: tuple[str, ...] = ()
    coins: int = 0

    @property
    def kinds(self) -> int:
        """The number of rows to set out."""
        return sum(len(holder.rows) for holder in self.holders)

    @property
    def is_open(self) -> bool:
        """Whether something is still to be handed out."""
        return bool(self.coins) or any(row.to for holder in self.holders for row in holder.rows)

    @property
    def each(self) -> str:
        """What each of the takers gets of the money at least."""
        return f"{self.coins // len(self.takers):,}" if self.takers else ""

    @property
    def all_coins(self) -> str:
        """The money to hand out."""
        return f"{self.coins:,}"

    @property
    def rich(self) -> tuple[HolderView, ...]:
        """The holders with money."""
        return tuple(holder for holder in self.holders if holder.money)
