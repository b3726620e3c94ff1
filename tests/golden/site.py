"""The pages around the table, as those who use them read them: lists, campaigns, sheets, gear, preparing.

The table itself is in `playing`; what a rulebook or a page of Help says has its own tests.
"""

from __future__ import annotations

from django.contrib.auth.models import User

from tests.combat.pages.table.patching import OpenPage
from tests.golden.playing import Pages
from tests.golden.reading import read_lines
from tests.tools.layout.pages import Place, World

# Their words are those of other pages, or of files with tests of their own
LEFT_OUT = (
    *("table", "seat", "watch", "branch", "rule", "help", "nothing", "front", "gone", "code", "copies"),
    *("log", "dice", "replay", "share"),
)
CHOSEN = (
    Place("encounters of a game", "gm", "/encounters/?game=starshock"),
    Place("encounters that are over", "gm", "/encounters/?state=over"),
    Place("encounters with a word", "gm", "/encounters/?q=docking&look=pictures"),
    Place("archive", "gm", "/encounters/?show=archived"),
    Place("characters of a game", "gm", "/characters/?game=cepheus"),
    Place("NPCs with a word", "gm", "/characters/npcs/?q=captain"),
    Place("armor of a game", "gm", "/gear/?game=starshock&kind=armor"),
    Place("find a person", "gm", "/find/?q=captain"),
)


def read_site(gm: User) -> Pages:
    """The lines of each page, by its name."""
    world = World(gm)
    places = [*world.list_places(), *CHOSEN]
    wanted = [one for one in places if not one.name.startswith(LEFT_OUT) and "#" not in one.address]
    return {one.name.replace(" ", "-").replace(",", ""): read_place(world, one) for one in wanted}


def read_place(world: World, place: Place) -> list[str]:
    """What the person of a place reads there."""
    return read_lines(OpenPage(world.browsers[place.who], place.address).root)
