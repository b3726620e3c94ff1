"""What this game does in play with a record of its tables: checks with terms, damage, places, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import (
    Answer,
    ChoiceRequest,
    Request,
    answer_choice,
    answer_roll,
)
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.characters import Use
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.starshock.body.doses import start_lasting
from combat.rules.starshock.book import tables
from combat.rules.starshock.book.tables import (
    Armor,
    Consumable,
    Feature,
    Gravity,
    Lasting,
    Maneuver,
    Skill,
    Thing,
    Weapon,
)
from combat.rules.starshock.characters import conditions
from combat.rules.starshock.characters.sheet import find_uses, weapon_item
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, sheet

WEAK: dict[str, Any] = {"str": 0, "dex": 0, "int": 0, "prs": 0}
FOR_FEATURES = ("dagger", "titanium_revolver")


class Easy:
    """Gives every die the same face, and takes the options of these labels or values, else the default."""

    def __init__(self, face: int, *picks: str) -> None:
        self.face, self.picks = face, picks

    def answer(self, context: RuleContext, request: Request) -> Answer:
        if not isinstance(request, ChoiceRequest):
            dice = parse_dice(request.dice)
            return answer_roll(request, (min(self.face, dice.sides),) * dice.count, "table")
        allowed = (option for option in request.options if not option.refused)
        wanted = (option.value for option in allowed if {option.label, option.value} & {*self.picks})
        return answer_choice(request, next(wanted, request.default), "gm")


class Play:
    """A stage on which anything is tried, and what came of it."""

    def __init__(self, *zones: str, **options: Any) -> None:
        self.stage = StarStage(*zones, **options)
        self.seen: list[Any] = []

    def do(self, name: str, actor: str = "", face: int = 5, *picks: str, **fields: Any) -> None:
        """Try a command with easy answers, and note what came of it."""
        action = find_action(self.stage.system, name)
        data = {"actor": actor, **fields} if actor else fields
        try:
            command = read_command(action, data)
            done = run(self.stage.system, self.stage.state, action, command, Easy(face, *picks))
        except Refused as refused:
            self.seen.append((name, refused.message))
            return
        assert isinstance(done, Done)
        self.stage.state = done.state
        self.seen.append((name, [f.event for f in done.facts if isinstance(f.event, e.Checked)]))
        self.look()

    def look(self) -> None:
        """Note how everyone is, without the records of their items."""
        self.seen += [
            (who, one.tracks, one.conditions, one.at, one.budget, one.marks, _list_items(one.items))
            for who, one in self.stage.state.combatants.items()
        ]

    def preview(self, name: str, actor: str, **fields: Any) -> None:
        """Note the sums of a form, or why there are none."""
        try:
            self.seen.append(self.stage.preview(name, actor, **fields).modifiers)
        except Refused as refused:
            self.seen.append(refused.message)


def _list_items(items: tuple[Any, ...]) -> list[Any]:
    return [(item.id, item.place, item.loaded, item.count) for item in items]


# ---------------------------------------------------------------- weapons


def play_weapon(weapon: Weapon) -> Any:
    """The range of a weapon, its hands and its load."""
    return [*_aim_far(weapon), *_handle(weapon)]


def play_maneuver(maneuver: Maneuver) -> Any:
    """A maneuver in zones and on a map, by each weapon that has it; a general one by a baton."""
    names = [w.id for w in tables.weapons().values() if maneuver.id in w.maneuvers] or ["baton"]
    return [
        _buy(name, maneuver, face, on_map) for name in names for on_map in (False, True) for face in (5, 6)
    ]


def _buy(weapon: str, maneuver: Maneuver, face: int, on_map: bool) -> Any:
    play = Play("dock", "hold", "deck", generic_maneuvers="on" if weapon == "baton" else "off")
    stage = play.stage
    if on_map:
        stage.map()
    for name, x in (("Ada", 0), ("Bo", 1), ("Cy", 5 if on_map else 2)):
        stage.add(name, "allies" if name == "Ada" else "enemies", (x, 0), sheet(**WEAK))
    held = replace(weapon_item(weapon), id="w1", place="held")
    stage.edit(ADA, items=(held,))
    stage.begin(ADA, BO, actions=3)
    play.do("attack", ADA, face, maneuver.name, CY, target=BO, weapon=held.id)
    play.do("change_items", ADA, stow=(held.id,))
    stage.turn(BO, 1)
    play.do("stand_up", BO)
    return play.seen


def _arm(play: Play, weapon: Weapon, *places: str, **more: Any) -> None:
    """Ada with one such weapon in each of these places, and Bo beside her."""
    play.stage.hero("Ada", zone="dock", **more)
    play.stage.foe("Bo", zone="dock", **WEAK)
    made = [replace(weapon_item(weapon.id), id=f"w{n}", place=place) for n, place in enumerate(places)]
    play.stage.edit(ADA, items=(*made, *play.stage[ADA].items))
    play.stage.begin(ADA, BO, actions=3)


def _aim_far(weapon: Weapon) -> list[Any]:
    """The attack on someone further and further away, or why there is none."""
    play = Play(*(f"z{n}" for n in range(8)))
    _arm(play, weapon, "held")
    for zone in play.stage.state.scene.zones:
        play.stage.put(BO, zone.id)
        play.preview("attack", ADA, target=BO, weapon="w0")
    return play.seen


def _handle(weapon: Weapon) -> list[Any]:
    """Two of it drawn, the Armor with it, what it takes, and what it hits."""
    play = Play("dock", two_handed="enforced")
    _arm(play, weapon, "carried", "carried", gear=("simple_poison", "hypnotoxin"))
    play.do("change_items", ADA, draw=("w0",))
    play.stage.turn(ADA, 3)
    play.do("change_items", ADA, draw=("w1",))
    play.seen.append(play.stage.number(ADA, "Armor"))
    play.do("reload", ADA, item="w0", dose=play.stage.item(ADA, "simple_poison").id)
    play.do("reload", ADA, item="w1")
    for _ in range(5):
        play.stage.turn(ADA, 3)
        play.do("attack", ADA, 6, target=BO, weapon="w0")
    return play.seen


# ---------------------------------------------------------------- armor


def play_armor(armor: Armor) -> Any:
    """The values of someone who wears it, at each kind of table; a shot at them, and passing out."""
    seen: list[Any] = []
    for model in ("flat", "raises_one_attribute_before_max"):
        play = Play("dock", armor_conversion=model)
        play.stage.hero("Ada", "ray_gun", zone="dock")
        play.stage.foe("Bo", zone="dock", wears=armor.id)
        play.stage.begin(ADA, BO)
        play.seen += [play.stage.number(BO, value) for value in ("Armor", "Resistance")]
        play.do("attack", ADA, 6, target=BO, weapon=play.stage.weapon(ADA, "ray_gun"))
        play.do("adjust", "", 1, target=BO, track="damage", by=9)
        seen += play.seen
    return seen


# ---------------------------------------------------------------- doses and devices


def play_dose(dose: Consumable) -> Any:
    """A dose that the GM places, and one that someone takes."""
    play = Play("dock")
    play.stage.foe("Ada", zone="dock")
    play.stage.set_track(ADA, damage=6)
    for face in (1, 5):
        play.do("expose", "", face, target=ADA, thing=dose.id)
    bo = play.stage.hero("Bo", zone="dock", gear=(dose.id,))
    play.stage.begin(bo)
    play.do("use_consumable", bo, item=play.stage.item(bo, dose.id).id, target=bo)
    return play.seen


def play_lasting(row: Lasting) -> Any:
    """What someone under the lasting effect of a dose does in eight rounds, and after a rest."""
    kept = conditions.KINDS[row.id]
    conditions.KINDS[row.id] = conditions.make_lasting_kind(row)
    try:
        return _outlast(row)
    finally:
        conditions.KINDS[row.id] = kept


def _outlast(row: Lasting) -> Any:
    play = Play("dock")
    stage = play.stage
    stage.hero("Ada", zone="dock")
    stage.set_track(ADA, damage=9)
    stage.begin(ADA, actions=3)
    context = RuleContext(stage.system, stage.state, Easy(3))
    start_lasting(context, ADA, row.id, "SS-OTHER-24")
    stage.state = context.state
    for _ in range(8):
        play.do("check", ADA, attribute="str")
        play.do("check", ADA, attribute="dex")
        play.do("adjust", face=6, target=ADA, track="damage", by=1)
        play.do("next_turn", face=2)
        play.do("declare", ADA, actions=3)
    play.do("pass_time", face=6, hours=5, resting=True)
    return play.seen


def play_thing(thing: Thing) -> Any:
    """A device used from zone to zone and over some meters, and checks with it in the bag."""
    play = Play("dock", "hold", "deck", "roof")
    stage = play.stage
    stage.hero("Ada", zone="dock", gear=(thing.id,))
    stage.foe("Bo", zone="dock")
    stage.begin(ADA, BO)
    for skill in ("Stealth", "Melee", "Medicate"):
        play.preview("check", ADA, attribute="dex", skill=skill)
    play.preview("emergency_medicate", ADA, target=ADA)
    before, item = stage.state, stage.item(ADA, thing.id).id
    for zone in ("dock", "hold", "deck", "roof"):
        stage.state = before
        stage.put(BO, zone)
        play.do("use_device", ADA, 2, item=item, target=BO)
    for meters in range(20):
        stage.state = before
        stage.map()
        stage.edit(ADA, at=Point(0, 0))
        stage.edit(BO, at=Point(meters, 0))
        play.do("use_device", ADA, 2, item=item, target=BO)
    return play.seen


# ---------------------------------------------------------------- features


def play_feature(feature: Feature) -> Any:
    """Checks, falls, hands, attacks and blindness of someone with a feature, and when it works again."""
    play = Play("dock", "hold")
    stage = play.stage
    for name in ("Ada", "Bo"):
        stage.hero(name, *FOR_FEATURES, zone="dock", gear=("medical_kit",))
    stage.edit(ADA, sheet={**stage[ADA].sheet, "features": [feature.id]})
    stage.begin(ADA, BO, actions=3)
    before = stage.state
    for attribute in WEAK:
        play.do("check", ADA, 2, feature.id, attribute=attribute)
    stage.state = before
    fists, dagger, revolver = (stage.weapon(ADA, name) for name in ("unarmed", *FOR_FEATURES))
    for weapon in (fists, dagger, revolver):
        stage.state = before
        for face in (1, 6):
            play.do("attack", ADA, face, feature.id, target=BO, weapon=weapon)
            stage.turn(ADA, 3)
    play.do("end_fight")
    play.do("start")
    stage.state = before
    play.do("change_items", ADA, stow=(dagger, revolver))
    play.do("drop_prone", ADA)
    play.do("fall", target=ADA, metres=15)
    stage.state = before
    stage.hold(BO, "ray_gun")
    stage.turn(BO)
    play.do("attack", BO, 6, target=ADA, weapon=stage.weapon(BO, "ray_gun"))
    stage.state = before
    stage.map()
    stage.give(ADA, "blinded")
    stage.edit(ADA, at=Point(0, 0))
    for meters in range(20):
        stage.edit(BO, at=Point(meters, 0))
        play.preview("attack", ADA, target=BO, weapon=revolver)
    return [*play.seen, *_list_uses(feature)]


def _list_uses(feature: Feature) -> list[Use]:
    """When a feature works again; the game makes this list once, at its start."""
    return [use for use in find_uses() if use.key == f"used {feature.id}"]


# ---------------------------------------------------------------- skills and places


def play_skill(skill: Skill) -> Any:
    """A check with a skill by someone without it, and by someone who is blind."""
    play = Play("dock")
    play.stage.hero("Ada", zone="dock")
    play.stage.begin(ADA)
    play.preview("check", ADA, attribute="int", skill=skill.id)
    play.stage.give(ADA, "blinded")
    play.preview("check", ADA, attribute="int", skill=skill.id)
    return play.seen


def play_gravity(gravity: Gravity) -> Any:
    """A fall of 30 m."""
    play = Play("dock")
    play.stage.hero("Ada", zone="dock")
    play.do("set_setting", key="gravity", value=gravity.id)
    play.do("fall", target=ADA, metres=30)
    return play.seen


PROBES: dict[str, Callable[[Any], Any]] = {
    "weapons": play_weapon,
    "armors": play_armor,
    "consumables": play_dose,
    "lasting": play_lasting,
    "things": play_thing,
    "features": play_feature,
    "skills": play_skill,
    "GRAVITIES": play_gravity,
    "maneuvers": play_maneuver,
}
