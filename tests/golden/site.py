"""The pages around the table, as those who use them read them: lists, campaigns, sheets, gear, preparing.

The table's usual pages are in `playing`; what a rulebook or a page of Help says has its own tests.
"""

from __future__ import annotations

from django.contrib.auth.models import User

from characters.creation import builder
from characters.creation.creation_view import find_ready, view_creation
from characters.creation.steps import WHO, view_wizard, write_query
from combat.play.campaigns.random_tables import find_ready_tables
from combat.play.scenes.ready import GROUPS
from combat.rules import find_system
from tests.combat.pages.campaigns.test_evening import make_job
from tests.combat.pages.table.patching import OpenPage, parse
from tests.combat.pages.whatif.test_branch_tree import keep
from tests.combat.visit import PIRATE, SLUG
from tests.golden.playing import Pages
from tests.golden.reading import read_lines
from tests.tools.layout.pages import OTHERS, Place, World

# Their words are those of other pages, or of files with tests of their own
LEFT_OUT = {
    *("table", "table, map first", "table, action form", "table, before", "table, after"),
    *(f"table, {slug}" for slug in OTHERS),
    *("seat", "seat, map first", "seat, after", "watch", "watch, after", "branch, map first"),
    *("rules", "rulebook", "rulebooks side by side", "rulebook, chapter", "help", "help for players"),
    *("front", "gone", "code", "copies", "log", "share", "share, full"),
}
ROWS = ("damage", "heal", "condition", "figures", "quick", "place", "rename", "resize", "reorder", "budget")
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
    wanted = [one for one in places if one.name not in LEFT_OUT and "#" not in one.address]
    pages = {one.name.replace(" ", "-").replace(",", ""): read_place(world, one) for one in wanted}
    return pages | read_parts(world) | read_played(world) | read_making(world)


def read_parts(world: World) -> Pages:
    """The forms of a row, without the table around them, and the library of scenes, drawn."""
    gm, asks = world.browsers["gm"], {"HX-Request": "true"}
    table, scenes = f"/encounters/{world.fight.pk}/", f"/encounters/{world.fresh.pk}/prep/scenes/"
    return {
        **{
            f"row-{row}": read_lines(
                OpenPage(gm, f"{table}?combatant={PIRATE}&row={row}").root.find("row-window")
            )
            for row in ROWS
        },
        **{
            f"scenes-{group.lower()}": read_lines(
                parse(gm.get(scenes, {"group": group}, headers=asks).content.decode())
            )
            for group in GROUPS
        },
    }


def read_making(world: World) -> Pages:
    """Each step of making a character of each game, from its first ready one, and all of it on one page."""
    pages: Pages = {}
    for slug in (SLUG, *OTHERS[:-1]):
        system = find_system(slug)
        ready = find_ready(system)[0].archetype
        made = builder.begin_as(system, ready, ready.names[0])
        steps = view_wizard(view_creation(made), WHO).steps
        asked = {step.key: write_query(made, at=step.key) for step in steps}
        asked["free"] = write_query(builder.switch(made), at=WHO)
        for name, query in asked.items():
            page = f"making-{slug}-{name}"
            pages[page] = read_place(world, Place(page, "gm", f"/characters/new/?{query}"))
    return pages


def read_played(world: World) -> Pages:
    """Forecasts of an evening, of a fight under way and of a prepared one, and the tables of who comes."""
    make_job(world.evening)
    for fight in (world.fight, world.fresh):
        fight.refresh_from_db()
        keep(fight.pk, fight.stamp(is_gm=True), won=55, away=15, stuck=3)
    here, new = (f"/encounters/{one.pk}/" for one in (world.fight, world.fresh))
    tables = f"/campaigns/{world.full.pk}/tables/"
    return {
        name: read_place(world, Place(name, "gm", address))
        for name, address in {
            "played-evening": f"/campaigns/{world.evening.pk}/evening/",
            "played-forecast": f"{here}forecast/",
            "played-prep": f"{new}prep/",
            "tables-kept": f"{tables}?table=Dock",
            "tables-ready": f"{tables}?ready={find_ready_tables(find_system(SLUG))[0].name}",
        }.items()
    }


def read_place(world: World, place: Place) -> list[str]:
    """What the person of a place reads there."""
    return read_lines(parse(world.browsers[place.who].get(place.address).content.decode()))
