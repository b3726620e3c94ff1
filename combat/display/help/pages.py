"""The help pages: their names, titles and order."""

from __future__ import annotations

from dataclasses import dataclass


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
    HelpPage("printing", "Printing", "Sheets, logs and reports on paper."),
    HelpPage("faults", "When something is wrong", "Go on playing, and report the fault."),
)
BY_NAME = {page.name: page for page in PAGES}


def find_neighbours(page: HelpPage) -> tuple[HelpPage | None, HelpPage | None]:
    """The pages before and after one; None at either end."""
    at = PAGES.index(page)
    return (PAGES[at - 1] if at else None), (PAGES[at + 1] if at + 1 < len(PAGES) else None)
