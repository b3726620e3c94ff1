"""The report in pictures: map, verdict, strength by round, turning points, damage, luck."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from characters.faces import split_name
from combat.display.combatants.tokens import Look
from combat.display.dice import view_faces
from combat.display.log_view import mark_of, names_of, view_log
from combat.display.map.scene import view_present_scene
from combat.display.shapes.kin import count_names, part
from combat.display.shapes.result_shapes import Face, ResultView, Rolled
from combat.display.shapes.scene_shapes import SceneView
from combat.display.shapes.table_shapes import CombatantView, SquadView
from combat.models import StoredStep
from combat.play.after.reports import Fight, StrengthCurve, Swing, find_curve, find_swings
from combat.play.campaigns.roster import find_side
from combat.play.writing.verification import read_step
from combat.rules.core.basics.words import Phrase, joined, say
from combat.rules.core.report.corrections import Mended
from combat.rules.core.report.luck import RollChance, add_up
from combat.rules.core.sides import find_outcome
from combat.rules.core.space import Spot
from combat.rules.core.state import events as e
from combat.rules.core.wording import Pen, tell_facts, tell_once
from combat.sharing.viewer_context import ViewerContext

from ..home.pictures import find_frame
from ..table.end_view import find_doer, measure_table
from ..table.result_view import MISSES, view_result
from ..table.rows import find_people
from ..table.shapes import find_standing_steps
from ..table.squads import add_squads
from .charts import Chart, Curve, Side, draw_chart, draw_curve
from .shapes import BEFORE_ARMOR, CombatantReport, Report, find_rare, tell_roll, view_luck

MOST_CARDS, MOST_READ, MOST_ODD, MOST_LUCKY = 4, 24, 2, 7
WHOLE_SCENE = 48  # meters: a wider scene is shown around its people
SHOWN = (900, 440, 13)  # pixels: the map at the end on a wide screen, and its words
COVERED = 1.0  # meters about the middle of a token at scale 1 that no tag lies on
LARGER = 1.1  # words need a little more room than they take
BY_HAND = "why.gm"  # why a number changed that the GM set without another reason
MOST_FALLEN = 4  # names on a card
GRAVE = ("dead", "dying", "unconscious", "wound")  # kinds of what happened to someone, the worst first


@dataclass(frozen=True)
class Label:
    """Words on the map, their middle `x` and line `y` in meters; a tag has a ground, `down` from there.

    Sizes are those of the words, so that a tag keeps beside its name where both are larger.
    """

    x: float
    y: float
    words: str
    down: float = 0
    is_tag: bool = False

    @property
    def wide(self) -> float:
        """The width of its ground, in sizes of its words."""
        return round(0.54 * len(self.words) + 0.8, 2)

    @property
    def top(self) -> float:
        """Where its ground begins."""
        return round(self.down - 1.1, 2)

    @property
    def half(self) -> float:
        """Half of that."""
        return round(self.wide / 2, 2)

    def meets(self, other: Label, size: float) -> bool:
        """Whether two would lie on each other, with words of this size in meters."""
        near = (self.wide + other.wide) / 2 * size
        apart = self.y + self.down * size - other.y - other.down * size
        return abs(self.x - other.x) < near and abs(apart) < 1.45 * size

    def covers(self, spot: Spot, scale: float, size: float) -> bool:
        """Whether its ground would lie on a token of this scale, with words of this size in meters."""
        disc, middle = COVERED * scale, self.y + (self.top + 0.75) * size
        return abs(self.x - spot[0]) < self.half * size + disc and abs(middle - spot[1]) < 0.75 * size + disc


@dataclass(frozen=True)
class EndMap:
    """The map at the end of a fight; `font` is the size of its words in meters."""

    scene: SceneView
    labels: tuple[Label, ...]
    font: float


@dataclass(frozen=True)
class Card:
    """A turning point: who did what to whom with which dice, and a side's part of all strength in percent.

    `since` names the step before it, where a what-if branch begins.
    """

    number: int
    round: int
    before: int
    after: int
    by: Look | None
    who: Look | None
    text: str
    kind: str
    faces: tuple[Face, ...]
    word: str
    tone: str
    small: str
    since: str


@dataclass(frozen=True)
class Odd:
    """An unlikely roll: its dice, how unlikely, and what it was."""

    faces: tuple[Face, ...]
    odds: str
    text: str


@dataclass(frozen=True)
class DamageRow:
    """A combatant with their face, their row of the report, and the squad they are in."""

    look: Look | None
    row: CombatantReport
    squad: SquadView | None = None


@dataclass(frozen=True)
class DamageGroup:
    """The rows of a squad, of namesakes of one side, or a single row; the sums say “at least” where a part is
    unknown."""

    rows: tuple[DamageRow, ...]

    @property
    def squad(self) -> SquadView | None:
        """The squad that these are."""
        return self.rows[0].squad

    @property
    def name(self) -> str:
        """What they are called together."""
        if self.squad:
            return self.squad.name
        name = split_name(self.rows[0].row.name)[0]
        return f"{len(self.rows)} × {name}" if len(self.rows) > 1 else name

    @property
    def taken(self) -> str:
        """What they took together."""
        return add_points([one.row.taken for one in self.rows])

    @property
    def dealt(self) -> str:
        """What they dealt together."""
        return add_points([one.row.points for one in self.rows])


def add_points(words: Sequence[str]) -> str:
    """The sum of points as rows say them: “12”, “at least 3”, or a dash for what is unknown."""
    known = [int(number) for word in words for number in re.findall(r"\d+", word)]
    if all(word.isdecimal() for word in words):
        return str(sum(known))
    return f"at least {sum(known)}" if any(known) else "–"


@dataclass(frozen=True)
class Pictures:
    """All pictures of a report. `own` is the side of the player characters."""

    verdict: tuple[str, ...]
    numbers: tuple[tuple[str, str], ...]
    end_map: EndMap | None
    own: str
    chart: Chart
    cards: tuple[Card, ...]
    damage: tuple[DamageRow, ...]
    curve: Curve | None
    lucky: str
    odd: tuple[Odd, ...]

    @property
    def damage_groups(self) -> tuple[DamageGroup, ...]:
        """The damage by groups, in the order of the first row of each."""
        squads = {one.squad.ids for one in self.damage if one.squad}
        names = [
            one.squad.ids if one.squad else (split_name(one.row.name)[0], one.row.side) for one in self.damage
        ]
        return tuple(DamageGroup(tuple(rows)) for rows in part(self.damage, names, together=squads))

    @property
    def moment(self) -> Card | None:
        """The turning point to remember: a critical result, else the one that moved most."""
        critical = [card for card in self.cards if card.tone == "is-crit"]
        return max(critical or self.cards, key=lambda card: abs(card.after - card.before), default=None)


def view_pictures(context: ViewerContext, fight: Fight, report: Report) -> Pictures:
    """The pictures for one viewer, from what they may know."""
    system, known = context.system, context.known_state
    people = add_squads(context.known_state, find_people(context), is_gm=False)
    mended = fight.tallies.ledger.mended
    course = find_curve(system, fight.moves, context.viewer, context.full_state, mended)
    own = find_side(known)
    swings, cards = _find_cards(context, course, own, people=people, mended=mended)
    chances = [chance for chance in fight.chances if chance.check.who in people]
    curve, lucky = _view_curve(chances, people)
    rows = [one for one in people if one in fight.after.combatants]
    damage = [
        DamageRow(people[who].look, row, people[who].squad)
        for who, row in zip(rows, report.combatants, strict=True)
    ]
    names = {who: one.name for who, one in people.items()}
    return Pictures(
        verdict=tuple(_tell_verdict(context, fight, people)),
        numbers=_count(context, fight, report),
        end_map=_view_end(context, course, people),
        own=own,
        chart=draw_chart(course, _list_sides(course, own, people), swings),
        cards=tuple(cards),
        damage=tuple(sorted(damage, key=lambda one: (one.row.side != own, -one.row.bar))),
        curve=curve,
        lucky=lucky,
        odd=tuple(
            Odd(view_faces(one.check.roll), _say_odds(one.rarity), tell_roll(context, one, names))
            for one in find_rare(chances)[:MOST_ODD]
        ),
    )


def _tell_verdict(context: ViewerContext, fight: Fight, people: Mapping[str, CombatantView]) -> Iterable[str]:
    """Who beat whom in how many rounds, and who is down or dead; who still stands is said elsewhere."""
    rounds = f"{fight.after.round} round{'' if fight.after.round == 1 else 's'}"
    if not fight.is_over:
        yield f"The fight is still on, in round {fight.after.round}."
        return
    outcome = find_outcome(context.system, fight.after, people)
    if outcome.winner and not outcome.beaten:
        yield f"The {outcome.winner} alone are left after {rounds}."
    elif outcome.winner:
        yield f"The {outcome.winner} beat the {' and the '.join(outcome.beaten)} in {rounds}."
    elif not outcome.standing:
        yield f"Nobody is left standing after {rounds}."
    else:
        yield f"It ends after {rounds} with nobody beaten."
    fates: dict[str, list[str]] = {}
    for one in people.values():
        if fate := _find_fate(one):
            fates.setdefault(fate, []).append(one.name)
    for fate, names in fates.items():
        yield f"{fate[:1].upper()}{fate[1:]}: {', '.join(count_names(names))}."


def _find_fate(one: CombatantView) -> str:
    """What became of someone who is out, as their token shows it; empty for the others."""
    if one.look.dead:
        return "dead"
    return "down" if one.look.down else "surrendered" if one.given_up else ""


def _count(context: ViewerContext, fight: Fight, report: Report) -> tuple[tuple[str, str], ...]:
    """Five numbers with their labels: rounds, both times, rolls and damage."""
    steps = find_standing_steps(context).filter(round__gt=0, number__gte=fight.number)
    seconds, rolls = measure_table(steps)
    known = {one.id for one in fight.after.combatants.values()} - context.unknown
    dealt = sum(tally.dealt + tally.rolled for who, tally in fight.tallies.of.items() if who in known)
    return (
        (str(report.rounds), "round" if report.rounds == 1 else "rounds"),
        (report.time, "in the game"),
        (f"{max(1, round(seconds / 60))} min", "at the table"),
        (str(rolls), "roll" if rolls == 1 else "rolls"),
        (str(dealt), "damage seen" if context.obscured else "damage"),
    )


def _view_end(
    context: ViewerContext, course: StrengthCurve, people: dict[str, CombatantView]
) -> EndMap | None:
    """The map as it is now, with tags on those who are out; None if nothing is drawn."""
    scene = view_present_scene(context, people)
    if not scene.is_drawn:
        return None
    if max(scene.box[2:]) > WHOLE_SCENE and scene.tokens:
        scene = replace(scene, box=find_frame(scene))
    width, height, size = SHOWN
    font = round(size / min(width / scene.box[2], height / scene.box[3]), 3)
    labels = tuple(_place_labels(scene, course, people, font))
    return EndMap(scene, labels, font)


def _place_labels(
    scene: SceneView, course: StrengthCurve, people: Mapping[str, CombatantView], size: float
) -> Iterable[Label]:
    """Names; those who are out have a tag with their name, where it meets no other words, nor a token."""
    names = {one.id: one.label for one in scene.tokens if not one.seated}
    tags = {one.id: _say_fate(one.id, course, people) for one in scene.tokens}
    spots = {
        one.id: (one.spot[0] + one.scale * one.name_x, one.spot[1] + one.scale * one.name_at)
        for one in scene.tokens
    }
    placed = [
        Label(round(x, 2), round(y, 2), names[who])
        for who, (x, y) in spots.items()
        if names.get(who) and not tags[who]
    ]
    for one in scene.tokens:
        if not tags[one.id]:
            continue
        (x, y), name = spots[one.id], names.get(one.id, "")
        words = f"{name}: {tags[one.id]}" if name else tags[one.id]
        downs = (0, -1.5, -3, 3, 4.5, 6) if one.name_at < 0 else (0, 1.5, 3, -3, -4.5, -6)
        tries = [Label(round(x, 2), round(y, 2), words, down, is_tag=True) for down in downs]
        free = (
            label
            for label in tries
            if not any(label.meets(other, LARGER * size) for other in placed)
            and not any(
                label.covers(token.spot, token.scale, size) for token in scene.tokens if not token.seated
            )
        )
        if label := next(free, Label(round(x, 2), round(y, 2), name) if name else None):
            placed.append(label)
    return placed


def _say_fate(who: str, course: StrengthCurve, people: Mapping[str, CombatantView]) -> str:
    """What became of someone and in which round; empty if they still fight."""
    fate, fell = _find_fate(people[who]), course.falls.get(who)
    return f"{fate}, round {fell}" if fate and fell else fate


def _list_sides(course: StrengthCurve, own: str, people: Mapping[str, CombatantView]) -> list[Side]:
    """The sides of a fight, the player characters' first, each with the face of its first."""
    sides = sorted(dict.fromkeys(course.sides.values()), key=lambda side: side != own)
    found = []
    for side in sides:
        first = next((one for one in people.values() if one.side == side), None)
        tone = first.tone if first else "is-foe"
        found.append(Side(side, tone, _stand_up(first.look) if first else None))
    return found


def _stand_up(look: Look, *, down: bool = False) -> Look:
    """Someone as they came into the fight, or as they lie after a blow."""
    return replace(look.plain, down=down, heading=look.heading)


def _find_cards(
    context: ViewerContext,
    course: StrengthCurve,
    own: str,
    people: Mapping[str, CombatantView],
    mended: Iterable[Mended],
) -> tuple[list[Swing], list[Card]]:
    """The turning points that the viewer can read, in order, each with its card."""
    swings = find_swings(course, own)[:MOST_READ]
    rows = find_standing_steps(context).filter(number__in=[swing.number for swing in swings])
    by_number = {row.number: row for row in rows}
    found = [
        swing
        for swing in swings
        if swing.number in by_number
        and view_log(context, [by_number[swing.number]])
        and not _is_correction(by_number[swing.number])
    ]
    kept = sorted(found[:MOST_CARDS], key=lambda swing: swing.place)
    right = Counter[tuple[int, str]]()
    for one in mended:
        right[one.blow.step, one.who] += one.more
    cards = [
        _view_card(context, right, number, swing=swing, row=by_number[swing.number], people=people)
        for number, swing in enumerate(kept, start=1)
    ]
    return kept, cards


def _is_correction(row: StoredStep) -> bool:
    """Whether figures of a sheet were corrected: that tells of the sheet, not of the fight."""
    return any(isinstance(fact.event, e.SheetSet) for fact in read_step(row).facts)


def _say_reinforcements(facts: Iterable[e.Event], people: Mapping[str, CombatantView]) -> str:
    """Who came in a step, as far as the viewer knows them; empty if nobody did."""
    came = [event.combatant.id for event in facts if isinstance(event, e.CombatantJoined)]
    names = count_names([people[who].name for who in came if who in people])
    return f"Reinforcements: {join_names(names)}." if names else ""


def _view_card(
    context: ViewerContext,
    right: Mapping[tuple[int, str], int],
    number: int,
    swing: Swing,
    row: StoredStep,
    people: Mapping[str, CombatantView],
) -> Card:
    step = read_step(row)
    selected = context.viewer.select(step.facts)
    facts = [fact.event for fact in selected]
    result = view_result(context, step, mark_of(row, context.viewer), people)
    (logged,) = view_log(context, [row])
    by, who = people.get(find_doer(facts, swing.who)), people.get(swing.who)
    names = [people[one].name for one in swing.fallen or (swing.who,) if one in people]
    main = find_roll(result, names) if result else None
    rolled = None if main and swing.fallen and is_beside(main, names) else main
    changes = next((one.told for one in result.changes if who and one.name == who.name), ()) if result else ()
    is_right = (swing.number, swing.who) in right
    worst = sorted(
        (one for one in changes if not is_right or (swing.fallen and one[0] in GRAVE)),
        key=lambda one: GRAVE.index(one[0]) if one[0] in GRAVE else len(GRAVE),
    )
    several = names if len(swing.fallen) > 1 else []
    item = result.item if result else ""
    more = right.get((swing.number, swing.who), 0)
    small = item if several else _say_damage(context, facts, swing.who, item=item, more=more)
    told = [f"{main.deed}." if main and main.deed and (by or changes) else ""]
    came = "" if swing.fallen else _say_reinforcements(facts, people)
    if came:
        told = [came]
    elif several:
        told.append(say_fallen(several))
    elif worst and (worst[0][0] in GRAVE or not small):
        told.append(worst[0][1])
    elif swing.fallen and main and (not rolled or main.target not in names):
        told.append(say_fallen(names))
    text = " ".join(filter(None, told)) or _tell_by_hand(context, selected, swing.who)
    return Card(
        number=number,
        round=swing.round,
        before=round(swing.before),
        after=round(swing.after),
        by=_stand_up(by.look) if by and by is not who else None,
        who=_stand_up(who.look, down=bool(swing.fallen)) if who else None,
        text=text or " ".join(line.text for line in logged.lines[:2]),
        kind=logged.look or (result.look if result else ""),
        faces=rolled.faces if rolled else (),
        word=rolled.verdict if rolled else "",
        tone=rolled.tone if rolled else "is-plain",
        small=small,
        since=_find_before(context, row),
    )


def find_roll(result: ResultView, names: Collection[str]) -> Rolled:
    """The roll of a step that struck one of these, else its main one."""
    rolls = (result.main, *result.others)
    return next((one for one in rolls if one.target in names and _struck(one)), result.main)


def is_beside(roll: Rolled, names: Collection[str]) -> bool:
    """Whether a roll that failed is not what took these out: they did not make it themselves."""
    return roll.tone == MISSES and roll.who not in names


def _struck(roll: Rolled) -> bool:
    return bool(roll.verdict) and roll.tone != MISSES


def _tell_by_hand(context: ViewerContext, facts: Iterable[e.Fact], who: str) -> str:
    """How the GM changed someone's numbers, and what followed; empty if something else changed them."""
    pen, changed, then = Pen(context.system, names_of(context.known_state)), list[Phrase](), list[str]()
    for event, line in tell_facts(context.system, facts, pen.names):
        if isinstance(event, e.ConditionGained) and event.who == who:
            said = line.text.removeprefix(pen.names[who]).rstrip(".")
            then.append(said[2:3].lower() + said[3:] if said.startswith(": ") else said.strip())
    for event in (fact.event for fact in tell_once(context.system, facts)):
        if isinstance(event, e.TrackChanged) and event.who == who and event.new != event.old:
            if event.why != BY_HAND or event.word == e.UNTOLD:
                return ""
            amount = say("log.by_hand", old=event.old, new=event.new, track=f"track.{event.track}")
            changed.append(say("log.now", shown=event.word) if event.word else amount)
    if not changed:
        return ""
    told = joined(changed)
    if then:
        return pen.write("changed_by_gm_then", who=who, what=told, then=then[0])
    return pen.write("changed_by_gm", who=who, what=told)


def say_fallen(names: Sequence[str]) -> str:
    """Who can no longer fight, of several: all names, or those of the first three and how many more."""
    if len(names) > MOST_FALLEN:
        names = [*names[: MOST_FALLEN - 1], f"{len(names) - MOST_FALLEN + 1} others"]
    return f"{join_names(names)} can no longer fight."


def join_names(names: Sequence[str]) -> str:
    """Names as a sentence lists them."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _find_before(context: ViewerContext, row: StoredStep) -> str:
    """The name of the last step before one that the viewer can read; empty without one."""
    earlier = find_standing_steps(context).filter(number__lt=row.number).order_by("-number").first()
    return mark_of(earlier, context.viewer) if earlier else ""


def _say_damage(context: ViewerContext, facts: Iterable[e.Event], who: str, item: str, more: int) -> str:
    """The weapon and the damage with `more` as corrected; before armor, where what it took is secret."""
    losses = [event for event in facts if isinstance(event, e.TrackChanged) and event.who == who and event.by]
    if who in context.obscured:
        points = sum({event.roll: event.dealt for event in losses if event.roll}.values())
    else:
        points = sum(abs(event.new - event.old) for event in losses) + more
    note = f" {BEFORE_ARMOR}" if who in context.obscured else ""
    return ", ".join(filter(None, (item, f"{points} damage{note}" if points else "")))


def _view_curve(
    chances: Iterable[RollChance], people: Mapping[str, CombatantView]
) -> tuple[Curve | None, str]:
    """Luck as a curve: one by one whom people play, the others by side; and who was luckiest, in words."""
    groups: dict[str, list[RollChance]] = {}
    looks: dict[str, Look] = {}
    for chance in chances:
        one = people[chance.check.who]
        key = one.name if one.played else one.side
        groups.setdefault(key, []).append(chance)
        looks.setdefault(key, _stand_up(one.look))
    lucks = {key: add_up(found) for key, found in groups.items()}
    if not lucks:
        return None, ""
    far = sorted(lucks, key=lambda key: -abs(lucks[key].percentile - 0.5))[:MOST_LUCKY]
    curve = draw_curve((key, looks[key], view_luck(lucks[key]).percent, lucks[key].percentile) for key in far)
    return curve, say_luckiest({key: view_luck(luck).percent for key, luck in lucks.items()})


def say_luckiest(percents: Mapping[str, int]) -> str:
    """Who was luckiest: all with the same percent as shown, nobody if that is everybody."""
    most = max(percents.values())
    best = [key for key, percent in percents.items() if percent == most]
    if len(best) == len(percents) > 1:
        return f"All were as lucky: luckier than {most}% of fights."
    return f"{join_names(best)}: luckier than {most}% of fights."


def _say_odds(chance: float) -> str:
    return f"1 in {round(1 / chance)}" if chance <= 0.3 else f"{round(100 * chance)}%"
