"""What walks have found, with the fewest presses that failed then."""

from __future__ import annotations

from functools import partial

import pytest

from tests.conftest import CHANCE
from tests.walker.people import GM
from tests.walker.shrinking import replay
from tests.walker.walking import COME, Press, Walk

CAMPAIGN = Press(GM, "/campaigns/", "post /campaigns/  Create campaign", (("name", ("The Reach",)),))
HANDOUT = Press(GM, "/campaigns/1/", "post /campaigns/1/ do=handout do=handout")
LABORATORY = Press(
    GM,
    "/encounters/new/?system=starshock",
    "post /encounters/new/  Create: 4 allies against 5 on Freighter hold",
    (("name", ("Laboratory",)), ("scene", ("laboratory",))),
)
TYPED = Press(
    GM, "~/prep/?open=table", "post ~/prep/ do=options do=options", (("option-typed_dice", ("on",)),)
)
START = Press(GM, "~/", "post ~/ do=start dice=app")
DECLARED = Press(
    GM,
    "~/foe/?combatant=f1&target=f9",
    'card {"combatant": "f1", "do": "attack", "target": "f9", "weapon": "f1-1", "plan": "declare attack"}',
)
COPIED = Press(GM, "/characters/1/", "post /characters/1/ do=duplicate do=duplicate")
TO_TYPE = Press(
    GM,
    "/characters/1/?roll=check&skill=Nature&attribute=str&at=s-nature",
    "post /characters/1/ do=roll dice=table",
)
CUTTER = Press(
    GM,
    "/encounters/new/?system=cepheus",
    "post /encounters/new/  Create: 2 allies against 6 on Docking ring",
    (("name", ("Cutter",)), ("scene", ("patrol_cutter",))),
)
SAVED = Press(GM, "~/scene/?edit=zones:zone7", "post ~/scene/ deck=deck2&do=deck_save do=deck_save")
CREW = Press(
    GM,
    "/encounters/new/?system=guardians",
    "post /encounters/new/  Create: 4 allies against 3 on Office floor",
    (("name", ("Bay",)), ("scene", ("docking_bay",))),
)
SLIPPED = Press(GM, "~/?combatant=f1&row=heal&track=mp.torso", "post ~/ do=set_setting&key=footing value=75")
STREET = Press(
    GM,
    "/encounters/new/?system=guardians",
    "post /encounters/new/  Create: 4 allies against 3 on Office floor",
    (("name", ("Street",)), ("scene", ("street",))),
)
SEATED = Press(
    GM, "~/share/", "post ~/share/ do=assign do=assign", (("combatant", ("f1",)), ("seat", ("2",)))
)
FOG = Press(GM, "~/", "post ~/ do=fog do=fog")
INSIDE = Press("Otto", "~/?combatant=f1&do=move&to=zone:zone4", "post ~/ do=move&combatant=f1 dice=app")
POINTED = Press("Pia", "~/", "post ~/point/  Ping this place", (("place", ("@f8",)),))
TRADER = Press(
    GM,
    "/encounters/new/?system=cepheus_quick",
    "post /encounters/new/  Create: 2 allies against 6 on Docking ring",
    (("name", ("Trader",)), ("scene", ("free_trader",))),
)
DARK = Press(GM, "~/scene/", "post ~/scene/ do=map do=map", (("sky", ("night",)), ("fog", ("on",))))
AUTODOC = Press(
    GM,
    "~/prep/",
    "post ~/prep/ do=join join-add",
    (("block", ("autodoc",)), ("count", ("1",)), ("new_side", ("crew",)), ("zone", ("zone7",))),
)
BEHIND_DOOR = Press(GM, "~/?combatant=f9&do=attack", "post ~/ do=attack&combatant=f9 plan=door attack")
COMING = Press(GM, "~/", COME)
INTO_ROOM = (STREET, COMING, SEATED, FOG, START, INSIDE)
SEED = "finds"
FINDS = {  # by what holds now: the game, the presses, and the seed of the dice
    "handout without a title": ("cosmos", (CAMPAIGN, HANDOUT), SEED),
    "the price of a plan whose dice are still to be typed": (
        "starshock",
        (LABORATORY, TYPED, START, DECLARED),
        SEED,
    ),
    "dice of a sheet's roll that nobody has typed": ("starshock", (TO_TYPE,), SEED),
    "a part of a body that is chosen in a window stays so": ("guardians", (CREW, SLIPPED), SEED),
    "a move into a room that lies in fog": ("guardians", INTO_ROOM, SEED),
    "a move to the known part of a room": ("guardians", INTO_ROOM, "1"),
    "a plan against someone who cannot be seen": (
        "cepheus_quick",
        (TRADER, DARK, AUTODOC, FOG, START, BEHIND_DOOR),
        "alpha.5",
    ),
    "a deck that is saved as it is": ("cepheus", (CUTTER, SAVED), SEED),
    "the message of a page that is left before it is read": (
        "starshock",
        (LABORATORY, COMING, COPIED, POINTED),
        SEED,
    ),
}


@pytest.mark.slow
@pytest.mark.django_db(reset_sequences=True)
@pytest.mark.parametrize("find", FINDS)
def test_what_a_walk_found_holds_now(find: str) -> None:
    slug, presses, seed = FINDS[find]
    assert replay(partial(Walk, seed, slug, CHANCE.begin), presses) is None
