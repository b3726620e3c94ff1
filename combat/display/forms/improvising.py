"""Improvised acts in words and forms: what was understood, what is offered, and what the GM can rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from django.http import QueryDict
from msgspec.structs import replace

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.basics.numbers import MAX_COMMAND_NUMBER, read_whole
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.gm.acts.endings import HINDERS, LASTS
from combat.rules.core.gm.battle_map import name_door
from combat.rules.core.gm.decisions import zone_id_of
from combat.rules.core.gm.improvising import ACT, MAX_WORDS, Improvise, find_overridden, read_check
from combat.rules.core.gm.loot import can_part
from combat.rules.core.gm.verbs import Span, Understood, find_open_costs
from combat.rules.core.odds.enumeration import GiveUp, TooMany, never
from combat.rules.core.odds.odds import brief_chance
from combat.rules.core.space import map_of
from combat.rules.core.space.battle_map import DOOR
from combat.rules.core.state.rulings import CheckFields, Effect
from combat.rules.core.state.state import State, find_own_condition, present

from ..combatants.tokens import Look, name_fully
from ..shapes.wish_shapes import (
    ActView,
    CostChoice,
    EffectView,
    Ending,
    Following,
    Grade,
    Pairs,
    Part,
    Person,
    RulingForm,
)
from .odds_panel import percent, percents

RANK = re.compile(r"\s[+−-]?\d+$")  # after the name of a skill in a form
CHECK, OPPOSED, NOTHING = "check", "opposed", "nothing"
SIDE, ZONE, NEAR = "side:", "zone:", "near:"  # before ids in fields of the form
SURRENDERS, LEAVES, PRONE = "surrenders", "leaves", "prone"
NO_LOOKS: Mapping[str, Look] = {}
WORKS, FAILS = "works", "fails"
BAR_HEIGHT = 40
COUNTS = ("clock", "counter")
ON = "on"  # the field of a kind that says whether it follows; without it the others are only proposed
FIELDS = ("who", "key", "to", "n", "turns", "dice", "text")  # of all kinds


class EffectKind(NamedTuple):
    """A kind of thing that can follow from an act: its words and its sign.

    `main` is the field that cannot be empty; `needs` is the list of things that has to have one.
    """

    label: str
    sign: str
    main: str
    needs: str = ""


KINDS = {
    "harm": EffectKind("Damage", "harm", "dice"),
    "condition": EffectKind("Condition", "stunned", "key"),
    "points": EffectKind("Bonus or penalty", "boost", "n"),
    "place": EffectKind("Place", "move", "to"),
    "item": EffectKind("Item", "item", "key", "items"),
    "door": EffectKind("Door", "skill", "key", "doors"),
    "count": EffectKind("Counter or clock", "time", "key", "counts"),
    "side": EffectKind("Side", "guard", "key"),
    "leaves": EffectKind("Leaves", "wait", "key"),
    "words": EffectKind("Words", "talk", "text"),
}


# ---------------------------------------------------------------- words


def split_words(words: str, spans: Iterable[Span]) -> tuple[Part, ...]:
    """The words in parts, those that were understood apart from the others."""
    found, at = list[Part](), 0
    for span in spans:
        found += [Part(words[at : span.start]), Part(words[span.start : span.end], span.what)]
        at = span.end
    return tuple(part for part in (*found, Part(words[at:])) if part.text)


def view_act(
    system: System,
    state: State,
    act: Improvise,
    *,
    for_gm: bool,
    hides: bool = False,
    give_up: GiveUp = never,
) -> ActView:
    """An act in words, from what its reader may know; odds are counted from this state."""
    shown = not act.secret or for_gm
    cost = next((c for c in _list_costs(system, state, act.actor) if c.key == act.cost), None)
    works = () if hides else describe_all(system, state, act.works)
    fails = () if hides or not act.check else describe_all(system, state, act.fails)
    keep = "" if hides or not shown else act.keep
    base = ActView(cost=cost, secret=act.secret, works=works, fails=fails, keep=keep)
    if not act.check:
        return base
    try:
        check = name_check(system, state, act.actor, act.check)
        base = replace(base, check=check, opposed=_name(state, act.opposed) if act.opposed else "")
        if not shown:
            return replace(base, dice=_say_dice(system, state, act, is_secret=True))
        number = "" if act.opposed else _say_number(system, act.check)
        chance = find_chance(system, state, act, give_up)
        base = replace(base, number=number, chance=chance, dice=_say_dice(system, state, act))
        return base if act.opposed else replace(base, **_find_need(system, state, act))
    except Refused:  # such as a skill that the state they know does not allow now
        return base


def _list_costs(system: System, state: State, actor: str) -> Iterator[CostChoice]:
    """All that an act of this actor can cost in this game, and how many of each are left in the turn."""
    rules, one = system.actions.improvising, state.combatants.get(actor)
    for cost in rules.costs if rules else ():
        yield CostChoice(cost.key, cost.label, one.budget.get(cost.key, 0) if one else 0)


def name_check(system: System, state: State, actor: str, fields: CheckFields) -> str:
    """What a check is called: its skill and attribute."""
    rules, given = system.actions.improvising, dict(fields)
    if rules is None:
        return ""
    known = {field.name: field for field in rules.check.find_fields(state, actor)}
    labels = [
        RANK.sub("", option.label)
        for name in rules.figures.asks
        if given.get(name) and name in known
        for option in known[name].options
        if option.value == given[name]
    ]
    return " with ".join(labels)


def _say_number(system: System, fields: CheckFields) -> str:
    """The step of difficulty in words: "against 14", "Difficult (−2)"."""
    rules = system.actions.improvising
    given = dict(fields).get(rules.figures.grade, "") if rules else ""
    for step in rules.figures.grades if rules else ():
        if step.value == given:
            is_number = step.shown.isdigit()
            return f"against {step.shown}" if is_number else f"{step.word} ({step.shown})"
    return given


def say_ruling(system: System, state: State, act: Improvise, *, with_number: bool) -> str:
    """What a ruling rolls, in a few words: "Athletics with Coordination against 17"."""
    check = name_check(system, state, act.actor, act.check)
    if act.opposed:
        return f"{check} against {_name(state, act.opposed)}"
    return f"{check} {_say_number(system, act.check)}" if with_number else check


def _say_dice(system: System, state: State, act: Improvise, is_secret: bool = False) -> str:
    """The dice with what is added: "2d10 + 8". Of a secret number, without the step of difficulty."""
    rules = system.actions.improvising
    if rules is None or rules.check.preview is None:
        return ""
    fields = act.check
    if is_secret:
        usual = rules.figures.usual
        fields = tuple((k, usual if k == rules.figures.grade else v) for k, v in fields)
    preview = rules.check.preview(state, read_check(system, state, act.actor, fields))
    points = add_up(preview.modifiers)
    return f"{preview.dice} {'−' if points < 0 else '+'} {abs(points)}" if points else preview.dice


def _find_need(system: System, state: State, act: Improvise) -> dict[str, Any]:
    """What the dice have to show, in words, and as bars if there are two of them."""
    rules = system.actions.improvising
    if rules is None or rules.check.preview is None:
        return {}
    preview = rules.check.preview(state, read_check(system, state, act.actor, act.check))
    number, points, dice = add_up(preview.against), add_up(preview.modifiers), parse_dice(preview.dice)
    if not preview.modifiers and dice.count == 1:
        return {"need": f"{number} or less on the dice"}
    need = number - points
    ends = (dice.count, dice.count * dice.sides)
    return {
        "need": f"{need} or more on the dice",
        "bars": _make_bars(dice.count, dice.sides, need),
        "ends": ends,
    }


def _make_bars(count: int, sides: int, need: int) -> tuple[tuple[int, int, bool], ...]:
    if count != 2 or sides > 20:
        return ()
    ways: dict[int, int] = {}
    for faces in product(range(1, sides + 1), repeat=count):
        ways[sum(faces)] = ways.get(sum(faces), 0) + 1
    return tuple(
        (n, BAR_HEIGHT * w // sides, total >= need) for n, (total, w) in enumerate(sorted(ways.items()))
    )


def find_chance(system: System, state: State, act: Improvise, give_up: GiveUp = never) -> str:
    """The chance of an act in percent; "" if there is too much to count, or if it is not rolled."""
    chance = _count_chance(system, state, act, give_up)
    return "" if chance is None else percent(chance)


def find_chances(system: System, state: State, act: Improvise) -> dict[str, str]:
    """The chance of each ending in percent, together 100; "" if there is too much to count."""
    chance = _count_chance(system, state, act)
    shown = ("", "") if chance is None else percents((chance, 1 - chance))
    return dict(zip((WORKS, FAILS), shown, strict=True))


def _count_chance(system: System, state: State, act: Improvise, give_up: GiveUp = never) -> float | None:
    if not act.check:
        return None
    action, trial = find_action(system, ACT), replace(act, works=(), fails=(), secret=False)
    for one in (trial, replace(trial, cost="")):
        try:
            return brief_chance(system, state, action, command=one, give_up=give_up)
        except Refused:
            continue
        except TooMany:
            return None
    return None


def describe_all(system: System, state: State, effects: Iterable[Effect]) -> tuple[Following, ...]:
    """What follows from an act, a sentence each, by the names that the reader of this state may know."""
    return tuple(
        Following(_find_sign(system, state, effect), describe_effect(system, state, effect))
        for effect in effects
    )


def _find_sign(system: System, state: State, effect: Effect) -> str:
    """The sign of one thing that follows: of a condition its own."""
    if effect.kind == "condition":
        own = find_own_condition(state, effect.key)
        return own.sign if own else system.kinds.of_condition(effect.key)
    return KINDS["count" if effect.kind in COUNTS else effect.kind].sign


def describe_effect(system: System, state: State, effect: Effect) -> str:
    """One thing that follows, in words."""
    who = ", ".join(_name(state, one) for one in effect.who)
    if effect.kind == "harm":
        return f"{who}: {effect.dice} damage"
    if effect.kind == "condition":
        label = (
            system.characters.conditions[effect.key].label
            if effect.key in system.characters.conditions
            else ""
        )
        label = label or next((o.name for o in state.all_own_conditions if o.id == effect.key), "a condition")
        return f"{who}: {label}{_say_turns(effect.n)}"
    if effect.kind == "points":
        return f"{who}: {say_number(effect.n, signed=True)} on all rolls{_say_turns(effect.turns)}"
    if effect.kind == "place":
        return f"{who}: {_say_place(state, effect)}"
    if effect.kind == "item":
        to = f"goes to {_name(state, effect.to)}" if effect.to else "falls"
        return f"{_find_item(state, effect)} {to}"
    if effect.kind == "door":
        return f"{_find_door(state, effect.key)} {'opens' if effect.n else 'is shut'}"
    if effect.kind in COUNTS:
        return f"{_find_count(state, effect)} {say_number(effect.n, signed=True)}"
    if effect.kind == "side":
        return f"{who}: joins the {effect.key}"
    if effect.kind == "leaves":
        return f"{who}: {'gives up' if effect.key == SURRENDERS else 'leaves the fight'}"
    return effect.text


def _say_turns(turns: int) -> str:
    return f" for {turns} turn{'' if turns == 1 else 's'}" if turns else ""


def _name(state: State, who: str) -> str:
    one = state.combatants.get(who)
    return name_fully(state, one) if one else "someone"


def _say_place(state: State, effect: Effect) -> str:
    if effect.to:
        return f"beside {_name(state, effect.to)}"
    zone = next((zone.name for zone in state.scene.zones if zone.id == effect.key), "another place")
    return f"to {zone}"


def _find_item(state: State, effect: Effect) -> str:
    owners = (state.combatants[one] for one in effect.who if one in state.combatants)
    return next((item.name for one in owners for item in one.items if item.id == effect.key), "Something")


def _find_door(state: State, door: str) -> str:
    wall = next((wall for wall in map_of(state.scene).walls if wall.id == door), None)
    return name_door(wall) if wall else "A door"


def _find_count(state: State, effect: Effect) -> str:
    if effect.kind == "clock":
        return next((one.name for one in state.all_clocks if one.id == effect.key), "A clock")
    owners = (state.combatants[one] for one in effect.who if one in state.combatants)
    return next((c.name for one in owners for c in one.all_counters if c.id == effect.key), "A counter")


# ---------------------------------------------------------------- the GM's form


def view_ruling(
    system: System,
    state: State,
    understood: Understood,
    number: int,
    typed: QueryDict,
    *,
    hides: bool = False,
    kept: str = "",
    earlier: Pairs = (),
    looks: Mapping[str, Look] = NO_LOOKS,
) -> RulingForm:
    """The form of an act as it was understood; what the GM has chosen in it since stays.

    What follows is proposed again as soon as the act concerns someone else.
    """
    is_typed = "mode" in typed
    act = _read_roll(system, understood.act, typed) if is_typed else understood.act
    rules, actor = system.actions.improvising, act.actor
    figures = rules.figures if rules else None
    known = {field.name: field for field in rules.check.find_fields(state, actor)} if rules and actor else {}
    asked = tuple(known[name] for name in figures.asks) if figures and actor else ()
    chosen, grade = dict(act.check), figures.usual if figures else ""
    grade = dict(act.check).get(figures.grade, grade) if figures else ""
    open_costs = find_open_costs(system, state, actor)
    costs = tuple(cost for cost in _list_costs(system, state, actor) if cost.key in open_costs)
    mode = NOTHING if not act.check else OPPOSED if act.opposed else CHECK
    things = _list_things(system, state, act)
    stays = is_typed and typed.get("was", "") == typed.get("about", "")
    return RulingForm(
        number=number,
        who=actor,
        name=_name(state, actor) if actor else "The scene",
        look=looks.get(actor),
        words=act.words,
        parts=split_words(act.words, understood.spans),
        mode=mode,
        fields=tuple((field, chosen.get(field.name, field.value)) for field in asked),
        against=tuple(
            (field, dict(act.counter or act.check).get(field.name, field.value)) for field in asked
        ),
        opposed=act.opposed or act.about,
        about=act.about,
        faces=_list_faces(state, actor, looks),
        most=MAX_WORDS,
        grade=grade,
        grades=view_grades(system, state, act, grade),
        dice=try_dice(system, state, act),
        costs=(*costs, CostChoice("", "Free")),
        cost=act.cost if act.cost in open_costs else "",
        secret=act.secret,
        hides=hides,
        kept=kept,
        keep=not is_typed or bool(typed.get("keep")),
        earlier=earlier,
        overrides=say_override(system, state, act),
        endings=_view_endings(system, state, act, things, typed if stays else QueryDict()),
        **things,
    )


def say_override(system: System, state: State, act: Improvise) -> str:
    """Which rule a GM sets aside by an act, as the log will say it; "" for none."""
    why = find_overridden(system, state, act)
    return f"{why}: ruled all the same" if why else ""


def _list_faces(state: State, actor: str, looks: Mapping[str, Look]) -> tuple[Person, ...]:
    """All whom an act of this actor may concern, in their order at the table."""
    here = (one for one in present(state) if one.id != actor)
    return tuple(Person(one.id, name_fully(state, one), looks.get(one.id)) for one in here)


def view_grades(system: System, state: State, act: Improvise, grade: str) -> tuple[Grade, ...]:
    """The steps of difficulty, each with its chance for this check; that of the form is chosen."""
    rules = system.actions.improvising
    if rules is None or not act.actor or not act.check or act.opposed:
        return ()
    found = []
    for step in rules.figures.grades:
        fields = tuple((k, v) for k, v in act.check if k != rules.figures.grade)
        one = replace(act, check=(*fields, (rules.figures.grade, step.value)))
        chance = find_chance(system, state, one)
        found.append(Grade(step.value, step.shown, step.word, chance, step.value == grade))
    return tuple(found)


def try_dice(system: System, state: State, act: Improvise) -> str:
    """The dice with what is added, without the step of difficulty; "" if they cannot be rolled."""
    try:
        return _say_dice(system, state, act, is_secret=True) if act.check else ""
    except Refused:
        return ""


def _view_endings(
    system: System, state: State, act: Improvise, things: Mapping[str, Pairs], typed: QueryDict
) -> tuple[Ending, ...]:
    """Both endings: a row for each kind of thing that can follow, filled in; as typed if something was."""
    chances = find_chances(system, state, act)
    endings = ((WORKS, "If it works", act.works, act.about), (FAILS, "If it fails", act.fails, ""))
    found = []
    for ending, label, effects, whom in endings:
        by_kind = {("count" if effect.kind in COUNTS else effect.kind): effect for effect in effects}
        usual = _list_usual(system, state, act, things, whom or act.actor)
        rows = [_view_effect(kind, by_kind.get(kind), row) for kind, row in usual.items()]
        if typed:
            rows = [_view_typed(row, ending, typed) for row in usual.values()]
        found.append(Ending(ending, label, chances[ending], tuple(rows)))
    return tuple(found)


def _list_usual(
    system: System, state: State, act: Improvise, things: Mapping[str, Pairs], whom: str
) -> dict[str, EffectView]:
    """A row for each kind that has something to choose, with what is usual for `whom`."""
    rules, one = system.actions.improvising, state.combatants.get(act.actor)
    near = act.about if whom != act.about else act.actor
    goods = [value for value, _ in things["items"] if value.startswith(f"{whom}/")]
    fields: dict[str, dict[str, str]] = {
        "harm": {"dice": rules.figures.harm if rules else "1d6"},
        "condition": {"key": PRONE if PRONE in dict(things["conditions"]) else _first(things["conditions"])},
        "points": {"n": str(HINDERS), "turns": str(LASTS)},
        "place": {"to": f"{NEAR}{near}" if near else _first(things["places"])},
        "item": {
            "key": next(iter(goods), _first(things["items"])),
            "to": act.actor if whom != act.actor else "",
        },
        "door": {"key": _first(things["doors"]), "n": "1"},
        "count": {"key": _first(things["counts"]), "n": "1"},
        "side": {"key": one.side if one and whom != act.actor else _first(things["sides"])},
        "leaves": {"key": LEAVES},
        "words": {},
    }
    who = (whom,) if whom else ()
    return {
        kind: EffectView(kind, about.label, used=False, sign=about.sign, who=who, **fields[kind])
        for kind, about in KINDS.items()
        if not about.needs or things[about.needs]
    }


def _first(pairs: Pairs) -> str:
    return pairs[0][0] if pairs else ""


def _view_effect(kind: str, effect: Effect | None, usual: EffectView) -> EffectView:
    if effect is None:
        return usual
    to, key = effect.to, effect.key
    if kind == "place":
        to, key = f"{NEAR}{to}" if to else f"{ZONE}{key}", ""
    if kind == "item":
        key = f"{effect.who[0]}/{key}" if effect.who else key
    if kind == "count":
        key = f"{effect.kind}:{'/'.join((*effect.who, key))}"
    if kind == "leaves":
        key = key or LEAVES
    return EffectView(
        kind,
        usual.label,
        used=True,
        sign=usual.sign,
        who=effect.who,
        key=key,
        n=str(effect.n) if effect.n or kind == "door" else "",
        turns=str(effect.turns) if effect.turns else "",
        text=effect.text,
        dice=effect.dice,
        to=to,
    )


def _view_typed(usual: EffectView, ending: str, typed: QueryDict) -> EffectView:
    """A row as someone has filled it in, right or wrong."""
    given = {field: typed.get(f"{ending}.{usual.kind}.{field}") for field in FIELDS}
    known = {field: value for field, value in given.items() if value is not None and field != "who"}
    who = (given["who"],) if given["who"] else usual.who
    return replace(usual, used=bool(typed.get(f"{ending}.{usual.kind}.{ON}")), who=who, **known)


def _list_things(system: System, state: State, act: Improvise) -> dict[str, Pairs]:
    """All that can be chosen in the endings of an act, those whom it concerns first."""
    first = [act.about, act.actor]
    here = sorted(present(state), key=lambda one: first.index(one.id) if one.id in first else len(first))
    battle_map = map_of(state.scene)
    people = tuple((one.id, name_fully(state, one)) for one in here)
    sides = tuple(dict.fromkeys(one.side for one in here))
    zones = tuple((f"{ZONE}{zone.id}", zone.name) for zone in state.scene.zones)
    counters = [(one, counter) for one in here for counter in one.all_counters]
    kinds = system.characters.conditions.values()
    return {
        "people": people,
        "groups": (
            *((f"{SIDE}{side}", f"all {side}") for side in sides),
            *((key, f"everyone in {name}") for key, name in zones),
        ),
        "conditions": (
            *((kind.kind, kind.label) for kind in sorted(kinds, key=lambda kind: kind.label)),
            *((own.id, own.name) for own in state.all_own_conditions),
        ),
        "places": (*((f"{NEAR}{who}", f"beside {name}") for who, name in people), *zones),
        "items": tuple(
            (f"{one.id}/{item.id}", f"{item.name} ({name_fully(state, one)})")
            for one in here
            for item in one.items
            if can_part(system, item)
        ),
        "doors": tuple((wall.id, name_door(wall)) for wall in battle_map.walls if wall.kind == DOOR),
        "counts": (
            *((f"clock:{clock.id}", clock.name) for clock in state.all_clocks),
            *((f"counter:{one.id}/{c.id}", f"{c.name} ({one.name})") for one, c in counters),
        ),
        "sides": tuple((side, side) for side in sides),
    }


def read_ruling(system: System, state: State, understood: Improvise, posted: Mapping[str, str]) -> Improvise:
    """The act that a posted form rules; what it does not name is as it was understood."""
    act = _read_roll(system, understood, posted)
    works, fails = (tuple(_read_effects(state, posted, ending)) for ending in (WORKS, FAILS))
    return replace(act, works=works, fails=fails if act.check else ())


def _read_roll(system: System, understood: Improvise, posted: Mapping[str, str]) -> Improvise:
    """What a posted form rolls, and what that costs; what follows is as it was understood."""
    rules, mode = system.actions.improvising, posted.get("mode", NOTHING)
    check: CheckFields = ()
    counter: CheckFields = ()
    opposed = posted.get("opposed", "") if mode == OPPOSED else ""
    if rules and mode in (CHECK, OPPOSED):
        check = _read_check(rules.figures.asks, posted, "check")
        grade = posted.get("grade", "") or rules.figures.usual
        check = (*check, (rules.figures.grade, grade if mode == CHECK else rules.figures.usual))
        if opposed:
            counter = (*_read_check(rules.figures.asks, posted, "against"), check[-1])
    return replace(
        understood,
        words=posted.get("words", "") or understood.words,
        check=check,
        opposed=opposed,
        counter=counter,
        cost=posted.get("cost", ""),
        secret=bool(posted.get("secret")) and bool(check),
    )


def _read_check(asks: tuple[str, ...], posted: Mapping[str, str], prefix: str) -> CheckFields:
    return tuple((name, posted[f"{prefix}.{name}"][:60]) for name in asks if posted.get(f"{prefix}.{name}"))


def _read_effects(state: State, posted: Mapping[str, str], ending: str) -> Iterator[Effect]:
    """What follows: each kind that is switched on; Refused if one of them says nothing."""
    for kind, about in KINDS.items():
        if not posted.get(f"{ending}.{kind}.{ON}"):
            continue
        given = {field: posted.get(f"{ending}.{kind}.{field}", "").strip() for field in FIELDS}
        if given[about.main] in ("", "0"):
            raise Refused("bad_value", f"{about.label} is empty: fill it in, or take it away.")
        yield _read_effect(state, kind, given)


def _read_effect(state: State, kind: str, given: Mapping[str, str]) -> Effect:
    """One thing that follows, as its row says."""
    who, key, n = tuple(_expand(state, given["who"])), given["key"], _read_number(given["n"])
    if kind == "place":
        return _read_place(who, given["to"])
    if kind == "count":
        return _read_counted(key, n)
    owner, _, item = key.partition("/")
    made = {
        "harm": Effect(kind="harm", who=who, dice=given["dice"][:20]),
        "condition": Effect(kind="condition", who=who, key=key, n=n),
        "points": Effect(kind="points", who=who, n=n, turns=_read_number(given["turns"]) or 1),
        "item": Effect(kind="item", who=(owner,), key=item, to=given["to"]),
        "door": Effect(kind="door", key=key, n=n),
        "side": Effect(kind="side", who=who, key=key[:60]),
        "leaves": Effect(kind="leaves", who=who, key=SURRENDERS if key == SURRENDERS else ""),
        "words": Effect(kind="words", text=given["text"]),
    }
    return made[kind]


def _read_place(who: tuple[str, ...], to: str) -> Effect:
    if to.startswith(NEAR):
        return Effect(kind="place", who=who, to=to.removeprefix(NEAR))
    return Effect(kind="place", who=who, key=to.removeprefix(ZONE))


def _read_counted(key: str, n: int) -> Effect:
    """A clock, or the counter of someone: "clock:c1", "counter:f2/n1"."""
    what, _, which = key.partition(":")
    owner, _, one = which.rpartition("/")
    if what == "clock":
        return Effect(kind="clock", key=one, n=n)
    return Effect(kind="counter", who=(owner,) if owner else (), key=one, n=n)


def _expand(state: State, whom: str) -> Iterator[str]:
    """The combatants that a choice names: one, a side, or everyone in a zone."""
    if whom.startswith(SIDE):
        yield from (one.id for one in present(state) if one.side == whom.removeprefix(SIDE))
    elif whom.startswith(ZONE):
        zone = whom.removeprefix(ZONE)
        yield from (one.id for one in present(state) if zone_id_of(state, one) == zone)
    elif whom:
        yield whom


def _read_number(words: str) -> int:
    """A whole number of a field; 0 if it is empty."""
    if not words:
        return 0
    number = read_whole(words)
    if number is None or abs(number) > MAX_COMMAND_NUMBER:
        raise Refused("bad_value", f"Enter a smaller whole number instead of “{words[:20]}”.")
    return number
