"""A random world of one game, made by the forms of its pages: people, a map, dangers, who plays whom."""

from __future__ import annotations

from random import Random

from characters.faces import VEHICLE
from combat.rules import find_system
from tests.combat.rules.stage import Stage
from tests.walker.people import GM, PLAYERS, SECRET
from tests.walker.reading import Fields, Offer
from tests.walker.walking import Walk

CAMPAIGNS, NEW = "/campaigns/", "/encounters/new/?system={slug}"
PREP, SCENE, SHARE, TABLE, WHATIF = "~/prep/", "~/scene/", "~/share/", "~/", "~/whatif/"
TYPED = "option-typed_dice"
OFTEN = 0.6  # of what a fight may have and many have not
MOST_VEHICLES = 6
KINDS = ("wall", "door", "zone", "obstacle", "light", "area", "window", "way")
WIDE, DEEP = 20, 14  # meters of the part of a map that is drawn on


def make_world(walk: Walk) -> None:
    """An encounter with sheets and people, some hidden, two of most things, a map, dangers and seats.

    Its fight begins.
    """
    chance = walk.chance
    walk.careful = False
    begin(walk)
    draw(walk)
    bring(walk)
    for secret in ("", "", "", f"{SECRET}3", f"{SECRET}4"):
        join(walk, secret)
    drive(walk)
    change_settings(walk)
    seat(walk)
    for name in ("Alarm", "Air"):
        shown = {"name": [name], "size": ["4"], "shown": [chance.choice(("all", "gm"))]}
        walk.ask(GM, TABLE, "start_clock", shown)
    walk.ask(GM, TABLE, "note", {"text": [f"{SECRET}note: the lock is rigged"]})
    if chance.random() < 0.5:
        walk.ask(GM, TABLE, "fog")
    hold_back(walk)
    walk.careful = True
    walk.open_all()
    walk.ask(GM, TABLE, find_system(walk.slug).actions.start)
    begin_much(walk)


def begin(walk: Walk) -> None:
    """A new encounter on a ready scene or open ground, with an example of people; often of a campaign."""
    if walk.chance.random() < OFTEN:
        walk.ask(GM, CAMPAIGNS, "", {"name": ["The Reach"]})

    def choose(offer: Offer) -> Fields:
        return {
            "name": [f"Walk {walk.seed}"],
            "scene": [walk.chance.choice(["", *offer.options_of("scene")])],
            "campaign": [*offer.options_of("campaign")[:1], ""][:1],
        }

    walk.ask(GM, NEW.format(slug=walk.slug), "", choose)
    assert walk.table.pk, "no encounter was made"


def draw(walk: Walk) -> None:
    """Two of some shapes at whole meters, sometimes on two decks, now and then in fog."""
    chance = walk.chance
    if chance.random() < 0.4:
        walk.ask(GM, SCENE, "deck_above")
    for kind in chance.sample(KINDS, 3):
        for _ in range(2):
            name = [f"{SECRET}area"] if kind == "area" else [""]
            walk.ask(GM, SCENE, "draw", {"kind": [kind], "points": [draw_points(chance)], "name": name})
    if chance.random() < 0.3:
        walk.ask(GM, SCENE, "map", {"sky": [chance.choice(("", "dusk", "night"))], "fog": ["on"]})


def draw_points(chance: Random) -> str:
    """Two different corners."""
    x, y = chance.randint(0, WIDE), chance.randint(0, DEEP)
    wide, deep = chance.randint(1, 8), chance.randint(1, 6)
    return f"{x},{y}; {x + wide},{y + deep}"


def bring(walk: Walk) -> None:
    """The players' own characters come with their sheets."""
    for number in range(2):

        def choose(offer: Offer, number: int = number) -> Fields:
            return {"character": offer.options_of("character")[number : number + 1], "new_side": ["crew"]}

        walk.ask(GM, PREP, "", choose)


def join(walk: Walk, secret: str) -> None:
    """One or two of the game's own stat blocks join a side; a `secret` one is hidden under that name."""
    chance = walk.chance

    def choose(offer: Offer) -> Fields:
        changes = {
            "block": [chance.choice(offer.options_of("block"))],
            "count": ["1" if secret else chance.choice("112")],
            "new_side": ["raiders" if secret else chance.choice(("crew", "raiders"))],
            "zone": [chance.choice(["", *offer.options_of("zone")])],
        }
        return changes | ({"name": [secret], "hidden": ["on"]} if secret else {})

    walk.ask(GM, PREP, "join", choose)


def drive(walk: Walk) -> None:
    """Two vehicles where the game has them, and by chance; two people are inside one."""
    chance, blocks = walk.chance, find_vehicles(walk.slug)
    if not blocks or chance.random() > OFTEN:
        return
    for _ in range(2):
        walk.ask(GM, PREP, "join", {"block": [chance.choice(blocks)], "count": ["1"], "new_side": ["crew"]})
    people = [one.id for one in walk.table.state.combatants.values() if not one.hidden][:2]

    def choose(offer: Offer) -> Fields:
        inside = [zone for zone in offer.options_of("zone") if zone.startswith("inside:")]
        return {"targets": people, "zone": [chance.choice(inside)]} if inside else {}

    walk.ask(GM, PREP, "arrange", choose)


def find_vehicles(slug: str) -> list[str]:
    """The stat blocks of a game's vehicles."""
    stage, found = Stage(find_system(slug)), list[str]()
    for key, block in stage.system.book.find_blocks().items():
        if not block.option and len(found) < MOST_VEHICLES:
            one = stage[stage.add("Alone", block=key)]
            found += [key] if stage.system.look.find_nature(one) == VEHICLE else []
    return found


def hold_back(walk: Walk) -> None:
    """Two of the last to join arrive later, each by themselves."""
    for last, at in zip(list(walk.table.state.combatants)[-2:], ("2", "3"), strict=False):
        if walk.chance.random() < OFTEN:
            walk.ask(GM, PREP, "hold_back", {"targets": [last], "when": ["round"], "at_round": [at]})


def begin_much(walk: Walk) -> None:
    """Each player has a wish, and a branch begins."""
    for who in PLAYERS:
        if walk.chance.random() < OFTEN:
            walk.ask(who, TABLE, "ask_wish", {"words": [f"{SECRET}{who} and I swing on the hook"]})
    if walk.chance.random() < OFTEN:
        walk.ask(walk.chance.choice((GM, PLAYERS[0])), WHATIF, "begin")


def change_settings(walk: Walk) -> None:
    """Some house rules and some of what surrounds the fight."""
    chance = walk.chance
    if chance.random() < OFTEN:
        walk.ask(GM, PREP, "options", wanted="gravity=zero")
    if chance.random() < OFTEN:
        walk.ask(GM, f"{PREP}?open=table", "options", {TYPED: ["on"]}, wanted=TYPED)

    def choose(offer: Offer) -> Fields:
        chosen = [choice for choice in offer.choices if choice.options]
        return {one.name: [chance.choice(one.options)] for one in chance.sample(chosen, min(3, len(chosen)))}

    for _ in range(chance.randint(0, 2)):
        walk.ask(GM, PREP, "options", choose, anywhere=True)


def seat(walk: Walk) -> None:
    """Two players and a watcher come; each player is given somebody who is in sight."""
    walk.come()
    people = [one for one in walk.table.state.combatants.values() if not one.hidden]
    heroes = sorted(people, key=lambda one: not one.pc)[:2]
    for number, who in enumerate(one.id for one in heroes):

        def choose(offer: Offer, who: str = who, number: int = number) -> Fields:
            return {"combatant": [who], "seat": [offer.options_of("seat")[number]]}

        walk.ask(GM, SHARE, "assign", choose)
