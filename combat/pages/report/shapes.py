"""The report of a fight as pages and files show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from combat.display.forms.odds_panel import percent
from combat.display.rules_view import RulesView, view_rules
from combat.display.shapes.kin import count_names
from combat.play.after.learned import Learned, RuleCount
from combat.play.after.reports import FIGHTS, Fight, find_forecast
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.book import TableOption
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.forecast import is_undecided, sum_up
from combat.rules.core.report.luck import Luck, RollChance, Tally, add_up
from combat.rules.core.sides import find_able
from combat.rules.core.state.state import Combatant, present
from combat.rules.core.wording import Pen, find_deed, is_typed
from combat.sharing.viewer_context import ViewerContext

from ..table.shapes import describe_time

FORMAT, VERSION = "cosmos-table-report", 1
HEAD = "| Combatant | Dealt | Taken | Absorbed | Healed | Luck |"
RULE = "| --- | ---: | ---: | ---: | ---: | --- |"
MOMENTS = 5
BEFORE_ARMOR = "before armor"  # where the viewer knows the rolled damage, but not what got through
FAIR = 0.5  # an event this likely is nothing special


@dataclass(frozen=True)
class LuckView:
    """Luck in words: successful rolls, the expected number, and the percentage of fights with less luck."""

    rolls: int
    good: int
    expected: str
    percent: int


@dataclass(frozen=True)
class CombatantReport:
    """A row of the report: points, meters, turns; `bar` and `borne` are percent of the highest of anybody.

    A dash stands for what the viewer may not know; `dealt` is what they know of, or saw rolled, and says so.
    `hits` are those of the attacks that they saw, such as "6 of 7"; empty without one.
    """

    name: str
    side: str
    is_standing: bool
    dealt: str
    taken: str
    absorbed: str
    healed: int
    hits: str
    turns: int
    meters: str
    downed: int
    weapons: str
    inflicted: str
    actions: str
    seconds: str
    luck: LuckView
    bar: int
    borne: int

    @property
    def unborne(self) -> int:
        """Where a bar begins that ends at the right."""
        return 100 - self.borne

    @property
    def points(self) -> str:
        """What was dealt, without how it was counted."""
        return self.dealt.removesuffix(f" {BEFORE_ARMOR}")

    @property
    def note(self) -> str:
        """How it was counted; empty if as usual."""
        return BEFORE_ARMOR if self.dealt != self.points else ""


@dataclass(frozen=True)
class Moment:
    """Something unlikely that happened; `percent` is its chance."""

    text: str
    percent: str


@dataclass(frozen=True)
class Report:
    """The whole report. `left` actions are still to be counted, `unplayed` fights still to be played.

    `spent` says who spent points of luck. `tried` are the rolls whose purpose someone typed. `outsiders` says
    how likely the result was. `rules` is the version of the rules, with later changes.
    """

    name: str
    game: str
    is_over: bool
    rounds: int
    time: str
    standing: str
    combatants: tuple[CombatantReport, ...]
    luck: LuckView
    spent: tuple[str, ...]
    moments: tuple[Moment, ...]
    tried: tuple[str, ...]
    outsiders: str
    undone: int
    left: int
    unplayed: int
    rules: RulesView


def _say_standing(able: Iterable[Combatant], known: Mapping[str, str]) -> str:
    """Who can still fight, side by side, namesakes with their number; empty for nobody."""
    sides: dict[str, list[str]] = {}
    for one in able:
        sides.setdefault(one.side, []).append(known[one.id])
    return "; ".join(f"{', '.join(count_names(names))} ({side})" for side, names in sides.items())


def view_report(context: ViewerContext, fight: Fight) -> Report:
    """The report for one viewer: only about combatants that they know."""
    system, state = context.system, fight.after
    people = [f for f in present(context.known_state) if f.id in state.combatants]
    known = {combatant.id: combatant.name for combatant in people}
    chances = [chance for chance in fight.chances if chance.check.who in known]
    able = {f.id: f for f in find_able(system, state) if f.id in known}
    tallies = [fight.tallies.of.get(who, Tally()) for who in known]
    most = max((max(t.dealt + t.rolled, t.taken) for t in tallies), default=0) or 1
    outsiders, unplayed = _chance_of_winners(context, fight) if fight.is_over and not fight.left else ("", 0)
    return Report(
        name=context.encounter.name,
        game=system.name,
        is_over=fight.is_over,
        rounds=state.round,
        time=describe_time(state.clock - fight.before.clock),
        standing=_say_standing(able.values(), known),
        combatants=tuple(
            _view_row(context, fight, one, is_standing=one.id in able, most=most) for one in people
        ),
        luck=view_luck(add_up(chances)),
        spent=tuple(
            tell_spent(name, fight.tallies.of.get(who, Tally()))
            for who, name in known.items()
            if fight.tallies.of.get(who, Tally()).luck
        ),
        moments=_find_moments(context, chances, known),
        tried=tuple(tell_roll(context, one, known) for one in chances if is_typed(one.check)),
        outsiders=outsiders,
        undone=fight.undone if context.viewer.is_gm else 0,
        left=fight.left,
        unplayed=unplayed,
        rules=view_rules(system, state),
    )


def _view_row(
    context: ViewerContext, fight: Fight, one: Combatant, is_standing: bool, most: int
) -> CombatantReport:
    who, tally = one.id, fight.tallies.of.get(one.id, Tally())
    return CombatantReport(
        name=one.name,
        side=fight.after.combatants[who].side,
        is_standing=is_standing,
        dealt=" ".join(filter(None, say_dealt(tally, bool(context.obscured - {who})))),
        taken="–" if who in context.obscured else str(tally.taken),
        absorbed="–" if who in context.obscured else str(tally.absorbed),
        healed=tally.healed,
        hits=say_hits(tally),
        turns=tally.turns,
        meters=say_number(round(tally.meters, 1)),
        downed=tally.downed,
        weapons=_list(tally.weapons),
        inflicted=_list(tally.inflicted),
        actions=_list(_name_actions(context, tally.actions)),
        seconds=describe_time(round(fight.seconds.get(who, 0))),
        luck=view_luck(add_up([chance for chance in fight.chances if chance.check.who == who])),
        bar=round(100 * (tally.dealt + tally.rolled) / most),
        borne=round(100 * tally.taken / most),
    )


def say_dealt(tally: Tally, is_part: bool) -> tuple[str, str]:
    """Damage dealt, and a note; if part of it is secret, the known part, and what was rolled for the rest."""
    if not is_part:
        return str(tally.dealt), ""
    if tally.rolled:
        return str(tally.dealt + tally.rolled), BEFORE_ARMOR
    return (f"at least {tally.dealt}" if tally.dealt else "–"), ""


def say_hits(tally: Tally) -> str:
    """How many attacks hit, of all: "6 of 7"; empty without an attack."""
    return f"{tally.hits} of {tally.attacks}" if tally.attacks else ""


def _name_actions(context: ViewerContext, actions: Counter[str]) -> Counter[str]:
    named: Counter[str] = Counter()
    for key, count in actions.items():
        try:
            named[context.system.draw(find_action(context.system, key).label)] += count
        except Refused:  # the game no longer has it
            named[key] += count
    return named


def _list(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counted.most_common())


def view_luck(luck: Luck) -> LuckView:
    """Luck as shown."""
    share = min(99, max(1, round(100 * luck.percentile)))  # never luckier than all fights, or than none
    return LuckView(luck.rolls, luck.good, say_number(round(luck.expected, 1)), share)


def _find_moments(
    context: ViewerContext, chances: Iterable[RollChance], names: dict[str, str]
) -> tuple[Moment, ...]:
    return tuple(
        Moment(tell_roll(context, one, names), f"{percent(one.rarity)}%") for one in find_rare(chances)
    )


def find_rare(chances: Iterable[RollChance]) -> list[RollChance]:
    """The unlikeliest rolls, the rarest first."""
    return sorted((one for one in chances if one.rarity < FAIR), key=lambda one: one.rarity)[:MOMENTS]


def tell_roll(context: ViewerContext, one: RollChance, names: dict[str, str]) -> str:
    """A roll and its outcome, in words."""
    pen = Pen(context.system, names)
    return f"{pen.say(find_deed(pen, one.check))}: {'success' if one.check.good else 'failure'}"


def _chance_of_winners(context: ViewerContext, fight: Fight) -> tuple[str, int]:
    """How likely the winners' victory was at the start, and how many fights are still to be played.

    Empty if no side has won alone, and for viewers who do not know everybody.
    """
    sides = {combatant.side for combatant in find_able(context.system, fight.after)}
    if len(sides) != 1 or not fight.chances or context.unknown:
        return "", 0
    played, side = find_forecast(context.encounter, fight), "".join(sides)
    if not played.endings:
        return "", 0
    left = 0 if played.is_done else FIGHTS - len(played.endings)
    if is_undecided(played.endings):
        return f"The {side} won. Most forecast fights do not end, so nothing says how likely that was.", left
    forecast = sum_up(played.endings)
    share = forecast.wins.get(side, 0)
    how = "against the odds" if share < 0.4 else "as expected" if share > 0.6 else "an even fight"
    told = f"The {side} won {how}: they win {percent(share)}% of {forecast.fights} forecast fights."
    return told, left


def write_json(report: Report) -> dict[str, object]:
    """The report as plain values."""
    return {"format": FORMAT, "version": VERSION, **asdict(report)}


def write_markdown(report: Report) -> str:
    """The report as Markdown, to paste into a chat or a wiki."""
    rounds = f"{report.rounds} {'round' if report.rounds == 1 else 'rounds'}"
    lines = [f"# {report.name}", "", f"{report.game}, {rounds}, {report.time}.", ""]
    lines += [
        f"Played by version {report.rules.version} of the rules.",
        *(f"- Since version {change.version}: {change.text}" for change in report.rules.changes),
        "",
    ]
    lines += [f"Still standing: {report.standing or 'nobody'}.", report.outsiders, "", HEAD, RULE]
    for row in report.combatants:
        numbers = f"{row.dealt} | {row.taken} | {row.absorbed} | {row.healed}"
        lines.append(f"| {_cell(row.name)} | {numbers} | {tell_luck(row.luck)} |")
    lines += ["", f"Luck of all: {tell_luck(report.luck)}", *report.spent]
    lines += [f"- {_cell(moment.text)} ({moment.percent})" for moment in report.moments]
    return "\n".join(lines) + "\n"


def tell_spent(name: str, tally: Tally) -> str:
    """Who spent points of luck, and how many of them helped."""
    points = "1 point" if tally.luck == 1 else f"{tally.luck} points"
    if not tally.turned:
        return f"{name} spent {points} of luck in vain."
    helped = "it" if tally.luck == 1 else f"{tally.turned}"
    return f"{name} spent {points} of luck: {helped} turned a failure into a success."


def tell_luck(luck: LuckView) -> str:
    """Luck in one line."""
    if not luck.rolls:
        return "no checks"
    return f"{luck.good} of {luck.rolls}, {luck.expected} expected; luckier than {luck.percent}% of fights"


def _cell(text: str) -> str:
    """Text that is safe in a table of Markdown."""
    return text.replace("\\", "\\\\").replace("|", "\\|")


@dataclass(frozen=True)
class RuleView:
    """A house rule, its value and the usual one, its ruling, and what came of it."""

    label: str
    value: str
    usual: str
    ruling: str
    told: str


@dataclass(frozen=True)
class LearnedView:
    """The house rules in play, the GM's modifiers as sentences, and comparisons that had no time."""

    rules: tuple[RuleView, ...]
    modifiers: tuple[str, ...]
    left: int


def view_learned(system: System, learned: Learned) -> LearnedView:
    """What a fight taught, for the report."""
    options = {option.key: option for option in system.book.options}
    rules = tuple(_view_rule(options[one.key], one) for one in learned.rules if one.key in options)
    return LearnedView(rules, tuple(_tell_modifier(*one) for one in learned.modifiers), learned.left)


def _view_rule(option: TableOption, one: RuleCount) -> RuleView:
    value, usual = option.describe(one.value), option.describe(option.default)
    return RuleView(option.label, value, usual, ruling=option.ruling, told=_tell_rule(one))


def _tell_rule(one: RuleCount) -> str:
    """What a house rule changed: "Changed 3 of 42 steps; 1 would have asked another question." """
    steps = f"{one.compared} step{'' if one.compared == 1 else 's'}"
    if not one.different and not one.asks:
        return f"No difference in {steps}."
    parts = [f"changed {one.different} of {steps}"] if one.different else []
    if one.asks:
        of = "" if one.different else f" of {steps}"
        parts.append(f"{one.asks}{of} would have asked another question")
    told = "; ".join(parts)
    return f"{told[:1].upper()}{told[1:]}."


def _tell_modifier(why: str, points: int, times: int) -> str:
    count = "once" if times == 1 else f"{times} times"
    return f"{say_number(points, signed=True)} {why or 'without a reason'}: {count}"


@dataclass(frozen=True)
class MyFight:
    """What one of a player's own dealt and took, their luck, and their unlikeliest success in words.

    `note` says how `dealt` was counted, if not as usual; `hits` are those of their attacks.
    """

    name: str
    dealt: str
    note: str
    taken: int
    hits: str
    luck: LuckView
    best: str


def view_mine(context: ViewerContext, fight: Fight, who: str) -> MyFight:
    """What one of a player's own did in a fight."""
    names = {one.id: one.name for one in context.known_state.combatants.values()}
    tally = fight.tallies.of.get(who, Tally())
    chances = [one for one in fight.chances if one.check.who == who and who in names]
    best = next((tell_roll(context, one, names) for one in find_rare(chances) if one.check.good), "")
    dealt, note = say_dealt(tally, bool(context.obscured - {who}))
    return MyFight(
        names.get(who, ""),
        dealt,
        note,
        taken=tally.taken,
        hits=say_hits(tally),
        luck=view_luck(add_up(chances)),
        best=best,
    )
