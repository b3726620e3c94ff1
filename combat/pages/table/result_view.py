"""The last roll as a card: dice, total against number, the outcome in a word, what changed.

A card says nothing that the log does not say to the same viewer: it is made from the facts they may see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple, TypeGuard

from msgspec.structs import replace

from characters.gear.catalogue import picture_of
from characters.gear.lists import find_average, say_average
from combat.audience.secrecy import view_obscured_health
from combat.audience.viewer import Viewer
from combat.display.combatants.tokens import make_past
from combat.display.dice import view_faces
from combat.display.log_view import Names, add_held, mark_of, names_of, tell_step
from combat.display.shapes.result_shapes import (
    Change,
    HolderView,
    LootAsk,
    LootItem,
    LootPerson,
    LootView,
    ResultView,
    Rolled,
)
from combat.display.shapes.table_shapes import CombatantView
from combat.models import StoredStep
from combat.play.handing_out import Due, find_due
from combat.play.writing.verification import read_step
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import KEPT
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.basics.words import capitalized
from combat.rules.core.declaration.parts import WEAPON
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_verdicts
from combat.rules.core.gm.actions import GM_ACTIONS
from combat.rules.core.gm.improvising import ACT, HAPPENS, WANTS
from combat.rules.core.gm.loot import (
    LEFT,
    SCENE,
    Holder,
    can_part,
    find_asks,
    find_holders,
    find_load,
    find_open,
    find_takers,
    name_money,
)
from combat.rules.core.sheets.catalogue import value_of
from combat.rules.core.state import events as e
from combat.rules.core.state.events import WOULD_HIT
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.state import CLOSED, Combatant, Item, State, is_acting
from combat.rules.core.turn.turns import DEFERRED
from combat.rules.core.wording import Line, Pen, find_defenses, find_words, name_free_dice, tell_facts
from combat.sharing.viewer_context import ViewerContext

from .waiting_view import find_given

IDS = re.compile(r"\bf\d+\b")  # of combatants, also in the ids of their items
MAX_CARDS = 8  # of steps that someone has not seen yet
CRITICAL, CRITICAL_TONE = "outcome.critical", "is-crit"
MISSES = "is-miss"
RANKS = ("is-plain", MISSES, "is-hit", CRITICAL_TONE)
GAINS = e.ConditionGained | e.ConditionChanged
CHANGES = GAINS | e.TrackChanged | e.ConditionEnded | e.ItemLost
RULED_CHANGES = CHANGES | e.Moved | e.ItemGained | e.Renamed  # of an improvised act
FREE = ("roll_dice", "gm_roll")
AGAIN, OVERRULED_TERM = "again", "term.overruled"
SPOKEN = (WANTS, HAPPENS)  # sentences of the log that hold someone's own words
ROLLED = e.Checked | e.TrackChanged | e.DiceRolled
PLACES = {"held": "in hand", "worn": "worn", "carried": "carried"}
UNSEEN = "only you see it"


def view_results(
    context: ViewerContext,
    rows: Iterable[StoredStep],
    combatants: Mapping[str, CombatantView],
    seen: str = "",
) -> tuple[ResultView, ...]:
    """The card of the last action, or of all since the step `seen`, oldest first; none if it rolled nothing.

    `rows` are the newest steps, newest first. Without a roll, a turn that passes and a change by the GM keep
    the card before them.
    """
    rows = list(rows)
    keys = [mark_of(row, context.viewer) for row in rows] if seen else []
    if seen in keys:
        fresh = [row for row in rows[: keys.index(seen)] if row.kind != COMMAND or not row.target]
        newer = list(find_cards(context, fresh, combatants, MAX_CARDS))
        if len(newer) > 1:
            return keep_health(context, newer[::-1], combatants)
    return keep_health(context, list(find_cards(context, rows, combatants, 1))[::-1], combatants)


def find_cards(
    context: ViewerContext, rows: Iterable[StoredStep], combatants: Mapping[str, CombatantView], most: int
) -> Iterator[tuple[StoredStep, ResultView]]:
    """The cards of steps, newest first, until a combatant's action before them that rolled nothing.

    Each shows the health of now.
    """
    found, is_diced, is_past, rows, system = 0, False, False, list(rows), context.system
    last = find_overrulable(context, rows)
    for row in rows:
        if row.struck or row.kind != COMMAND:
            continue
        step, card = read_whole(context, row), None
        if _may_roll(step):
            card = view_result(context, step, mark_of(row, context.viewer), combatants)
        if row.name in FREE:
            if card and not is_diced:
                is_diced = True
                yield row, replace(card, is_free=True, is_past=is_past)
            continue
        if card:
            found += 1
            card = offer_overruling(system, step, card) if row is last else card
            yield row, replace(card, is_past=is_past or row.name == system.actions.start)
        is_past = is_past or row.name == system.actions.advance
        if found == most or not (card or found or _keeps_card(system, row.name)):
            return


def keep_health(
    context: ViewerContext,
    cards: Sequence[tuple[StoredStep, ResultView]],
    combatants: Mapping[str, CombatantView],
) -> tuple[ResultView, ...]:
    """Cards with the health that each combatant had after their steps, and the faces of that moment."""
    rows = [row for row, card in cards if card.changes and row.number != context.encounter.steps]
    past = context.find_past(rows) if rows else {}
    shown = []
    for row, card in cards:
        if row.number in past:
            step = read_whole(context, row)
            then = find_then(context, step, past[row.number], combatants)
            old = view_result(context, step, card.key, then)
            card = replace(card, changes=old.changes) if old else card
        shown.append(card)
    return tuple(shown)


def read_whole(context: ViewerContext, row: StoredStep) -> Step:
    """A step with what the viewer reads with it since it happened in turns out of sight, as in their log."""
    step = read_step(row)
    if row.number not in context.told_lately.steps.values():
        return step
    held = [
        read_step(one) for one in add_held(context, [row], context.told_lately) if one.number != row.number
    ]
    return replace(step, facts=(*(fact for one in held for fact in one.facts), *step.facts))


def find_then(
    context: ViewerContext, step: Step, past: State, combatants: Mapping[str, CombatantView]
) -> Mapping[str, CombatantView]:
    """The rows of those whom a step changed, as they were after it: their faces, and their health.

    The health is as exact as the viewer may know it now.
    """
    system, viewer, now, found = context.system, context.viewer, context.known_state, dict(combatants)
    events = (fact.event for fact in viewer.select(step.facts))
    for who in {event.who for event in events if isinstance(event, CHANGES)}:
        if who in found and who in past.combatants:
            one = past.combatants[who]
            health = system.find_health(past, one)
            shown = view_obscured_health(system, now, one, viewer=viewer, health=health)
            look = make_past(system, found[who].look, one, down=health.is_out)
            found[who] = replace(found[who], health=shown, is_out=health.is_out, look=look)
    return found


def _keeps_card(system: System, name: str) -> bool:
    """Whether a step that rolled nothing leaves the card before it: a passed turn, a change by the GM."""
    return name == system.actions.advance or (name in GM_ACTIONS and name != ACT)


def find_overrulable(context: ViewerContext, rows: Iterable[StoredStep]) -> StoredStep | None:
    """The last step that counts, if the GM can overrule its rolls now: in the fight, not in a branch."""
    if not context.viewer.is_gm or context.pending or context.known_state.phase != "fight":
        return None
    last = next((row for row in rows if row.kind == COMMAND and not row.struck), None)
    return last if last and last.pk else None  # the rows of a branch are not stored


def offer_overruling(system: System, step: Step, card: ResultView) -> ResultView:
    """The card of the GM with a way to overrule each verdict that a modifier may change."""
    checks = enumerate(find_verdicts(system, step.facts, step.answers))
    offers = {number: system.draw(check.label) for number, check in checks if check}
    main, *others = (
        replace(rolled, overrule=offers.get(rolled.number, "")) for rolled in (card.main, *card.others)
    )
    return replace(card, main=main, others=tuple(others))


def view_result(
    context: ViewerContext, step: Step, key: str, combatants: Mapping[str, CombatantView]
) -> ResultView | None:
    """The card of one step; None if the viewer may see no roll in it."""
    return make_result(
        context.system, context.viewer, context.known_state, step=step, key=key, combatants=combatants
    )


def make_result(
    system: System,
    viewer: Viewer,
    known: State,
    step: Step,
    key: str,
    combatants: Mapping[str, CombatantView],
) -> ResultView | None:
    """The card of a step, from what a viewer may know."""
    told = _find_told(system, viewer, step, tuple(names_of(known).items()))
    if told is None:
        return None
    main, *others = told.rolls
    changes = view_changes(told.changes, combatants)
    waits = any(is_deferred(event, known) for event in told.deferred)
    wait = _say_wait(known, step) if waits else ""
    item = find_item(known, step) if main.who else ""
    return ResultView(
        key,
        main,
        tuple(others),
        changes=changes,
        why=told.lines,
        look=told.look,
        waits=wait,
        item=item,
        is_own=step.command.get("actor") in viewer.seats,
        said=find_said(viewer.select(step.facts)),
    )


def find_said(facts: Iterable[e.Fact]) -> str:
    """The words of an improvised act among the facts of a step; empty in any other."""
    events = (fact.event for fact in facts)
    return next(
        (str(one.args["words"]) for one in events if isinstance(one, e.Said) and one.key in SPOKEN), ""
    )


class _Changed(NamedTuple):
    """What the lines of a card say of one combatant, each with a kind, and whether harm came or not."""

    who: str
    words: tuple[tuple[str, str], ...]
    is_harmed: bool
    is_spared: bool


class _Told(NamedTuple):
    """What the card of a step shows, whatever rows the page has. The main roll comes first."""

    rolls: tuple[Rolled, ...]
    lines: tuple[Line, ...]
    look: str
    changes: tuple[_Changed, ...]
    deferred: tuple[e.Event, ...]


def _find_told(system: System, viewer: Viewer, step: Step, names: Names) -> _Told | None:
    """What the card of a step tells; None if the viewer may see no roll in it.

    `names` are those that the viewer may know.
    """
    facts, lines, look, *_ = tell_step(step, system.slug, viewer, names)
    pen = Pen(system, dict(names))
    rolls = list(view_rolls(pen, facts))
    if not rolls:
        return None
    if len({rolled.what for rolled in rolls}) == 1 and not any(rolled.verdict for rolled in rolls):
        rolls.sort(key=lambda rolled: -(rolled.total or 0))  # such as everybody's initiative
    at = find_main(rolls)
    deferred = tuple(fact.event for fact in step.facts if _is_deferring(fact.event))
    return _Told(
        (rolls[at], *rolls[at + 1 :], *rolls[:at]),
        lines,
        look,
        changes=tell_changes(pen, facts),
        deferred=deferred,
    )


def find_item(known: State, step: Step) -> str:
    """The name of the weapon of a step, as far as a viewer knows it; empty if it is gone."""
    actor = known.combatants.get(str(step.command.get("actor", "")))
    weapon = step.command.get("weapon")
    return next((one.name for one in actor.items if one.id == weapon), "") if actor else ""


def _say_wait(known: State, step: Step) -> str:
    """For whom a step's deferred effects wait; empty once everybody has acted."""
    acting = [who for who in known.combatants if is_acting(known, who)]
    others = [who for who in acting if who != step.command.get("actor")] or acting
    names = " and ".join(known.combatants[who].name for who in others)
    return f"Applies after {names} act{'' if len(others) > 1 else 's'}." if others else ""


def is_deferred(event: e.Event, known: State) -> bool:
    """Whether an event is an effect that waits for all who act at the same time.

    It is not, for a viewer who does not know of someone in it.
    """
    if not _is_deferring(event):
        return False
    return known.combatants.keys() >= set(IDS.findall(f"{event.key} {event.value}"))


def _is_deferring(event: e.Event) -> TypeGuard[e.Marked]:
    return isinstance(event, e.Marked) and event.key.startswith(DEFERRED) and event.value is not None


def find_main(rolls: Sequence[Rolled]) -> int:
    """The place of a card's main roll: the first with an outcome, or the best of several attacks.

    The others follow, those after it first, such as its damage.
    """
    first = max(rolls, key=lambda rolled: bool(rolled.verdict))
    same = [n for n, rolled in enumerate(rolls) if (rolled.who, rolled.what) == (first.who, first.what)]
    return max(same, key=lambda n: (bool(rolls[n].verdict), RANKS.index(rolls[n].tone)))


def _may_roll(step: Step) -> bool:
    """Whether anybody may see a roll in a step."""
    for fact in step.facts:  # noqa: SIM110 - of every new step: a generator takes twice as long
        if isinstance(fact.event, ROLLED) or isinstance(fact.redacted, ROLLED):
            return True
    return False


def view_rolls(pen: Pen, facts: Iterable[e.Fact]) -> Iterator[Rolled]:
    """The rolls in facts; a check has its number among the checks.

    The outcome of an attack that was defended is the defense.
    """
    checks, events = count(), [fact.event for fact in facts]
    defenses = find_defenses(events)
    for place, event in enumerate(events):
        number = next(checks) if isinstance(event, e.Checked) else -1
        if rolled := view_roll(pen, event):
            rolled = replace(rolled, number=number)
            if defense := defenses.get(place):
                rolled = replace(rolled, verdict=pen.outcome(defense), tone=MISSES, is_defended=True)
            yield rolled


def find_source(check: e.Checked) -> str:
    """Where the dice of a check come from; "again" if they are kept since a roll before it was overruled."""
    is_own = any(one.label == OVERRULED_TERM for one in check.modifiers)
    return AGAIN if check.roll.source == KEPT and not is_own else check.roll.source


def view_roll(pen: Pen, event: e.Event) -> Rolled | None:
    """The roll in an event: a check, or dice of damage or healing; None without one."""
    if isinstance(event, e.Checked):
        deed, words = say_deed(pen, event)
        return Rolled(
            who=pen.names.get(event.who, ""),
            what=pen.draw(event.what),
            target=pen.names.get(event.target, ""),
            faces=view_faces(event.roll),
            total=event.total,
            against=event.against,
            against_label=pen.draw(event.against_label) if _has_number(event) else "",
            verdict="" if event.outcome == str(event.total) else pen.outcome(event),  # a number needs none
            tone=find_tone(event),
            source=find_source(event),
            added=find_added(event),
            summed=_is_summed(event.roll),
            deed=deed,
            words=words,
        )
    if isinstance(event, e.DiceRolled):
        roll, deed = event.roll, pen.say(name_free_dice(event))
        if event.term:
            faces = tuple(face for one in (roll, *event.more) for face in view_faces(one))
            return Rolled(event.term, faces, event.total, source=roll.source, deed=deed, words=deed)
        return Rolled(
            roll.dice,
            view_faces(roll),
            roll.total,
            source=roll.source,
            added=roll.plus,
            summed=True,
            deed=deed,
            words=deed,
        )
    if isinstance(event, e.TrackChanged) and event.roll and event.roll.faces:
        roll, words = event.roll, pen.draw(event.roll.why)
        return Rolled(
            words,
            view_faces(roll),
            event.dealt,
            source=roll.source,
            added=roll.plus + event.dealt - roll.total,
            summed=_is_summed(roll),
            deed=capitalized(words),
            words=words,
        )
    return None


def say_deed(pen: Pen, check: e.Checked) -> tuple[str, str]:
    """A check as in the log, without its outcome: what is done, and that with its sum if it has a number."""
    deed, sums = find_words(pen, check)
    done = pen.say(deed)
    return done, done if not _has_number(check) else pen.write("check_open", deed=deed, sums=sums)


def _has_number(check: e.Checked) -> bool:
    """Whether a check had a number to reach, of which its reader may know nothing more."""
    return check.against is not None or check.against_label == e.UNKNOWN_NUMBER


def find_added(check: e.Checked) -> int | None:
    """The points that a check adds to its faces; None if they are hidden, or if the dice count another way.

    The dice are beside its modifiers, or the first of these.
    """
    roll, added = check.roll, add_up(check.modifiers)
    sums = (roll.total + added, added if check.modifiers else roll.total)
    return roll.plus + check.total - roll.total if check.total in sums else None


def _is_summed(roll: Roll) -> bool:
    return roll.natural + roll.plus == roll.total


def find_tone(check: e.Checked) -> str:
    """The CSS class of an outcome: critical, good, bad; plain while a defense can still change it."""
    if check.outcome == CRITICAL:
        return CRITICAL_TONE
    if check.outcome == WOULD_HIT:
        return RANKS[0]
    return "is-hit" if check.good else MISSES


def tell_changes(pen: Pen, facts: tuple[e.Fact, ...]) -> tuple[_Changed, ...]:
    """What facts say of each combatant with a name, in their order."""
    told: dict[str, dict[str, tuple[str, str]]] = {}
    tracks = [fact.event for fact in facts if isinstance(fact.event, e.TrackChanged)]
    harmed = {event.who for event in tracks}
    spared = harmed - {event.who for event in tracks if event.new != event.old}
    is_ruled = bool(find_said(facts))
    for number, (event, line) in enumerate(tell_facts(pen.system, facts, pen.names)):
        if not isinstance(event, RULED_CHANGES) or event.who not in pen.names:
            continue
        if isinstance(event, CHANGES) or is_ruled:
            key = event.condition.id if isinstance(event, GAINS) else str(number)
            told.setdefault(event.who, {})[key] = (line.look, line.text)
    return tuple(
        _Changed(who, tuple(words.values()), who in harmed, who in spared) for who, words in told.items()
    )


def view_changes(told: Iterable[_Changed], combatants: Mapping[str, CombatantView]) -> tuple[Change, ...]:
    """The changes of those who have a row, in the order of a card."""
    shown = [(one, combatants[one.who]) for one in told if one.who in combatants]
    shown.sort(key=lambda each: (not each[1].is_out, not each[0].is_harmed, each[0].is_spared))
    return tuple(
        [
            Change(
                row.name, replace(row.look, active=False), one.words, row.health if one.is_harmed else None
            )
            for one, row in shown
        ]
    )


# What is left after a fight, as one viewer sees it: the GM all of it, players what lies open.


Asks = Mapping[str, tuple[LootPerson, ...]]


def view_loot(
    context: ViewerContext, rows: Iterable[StoredStep], combatants: Mapping[str, CombatantView]
) -> LootView | None:
    """What can be handed out or asked for once a fight is over; None before, and for spectators."""
    viewer, state = context.viewer, context.full_state
    if state.phase != "over" or viewer.is_spectator or context.encounter.downtime:
        return None
    holders = [one for one in find_holders(context.system, state) if _is_known(one, combatants)]
    asks, open_now = _find_asks(context, combatants), find_open(context.system, state)
    if not viewer.is_gm:
        found = (
            _view_open(context, one, combatants, asks=asks, open_now=open_now.get(one.id, ()))
            for one in holders
        )
        return LootView(
            tuple(one for one in found if one.items or one.money), given=find_given(context, rows)
        )
    views = tuple(_view_all(context, one, combatants, open_now.get(one.id)) for one in holders)
    takers = tuple(
        replace(_view_person(combatants[one.id]), load=_say_load(context, one))
        for one in find_takers(context.system, state)
    )
    due = find_due(context.system, state)
    return LootView(
        tuple(_set_out(context, views, due, asks)),
        takers,
        tuple(_list_asks(context, views, asks)),
        name_money(context.system),
        coins=due.coins,
    )


def _set_out(
    context: ViewerContext, views: Iterable[HolderView], due: Due, asks: Asks
) -> Iterator[HolderView]:
    """The holders, allies last, each row of what is due marked for the first who asked, or who has fewest."""
    counts = dict.fromkeys(due.people, 0)
    for view in sorted(views, key=lambda view: view.is_ally):
        rows = []
        for item in _join_equal(view.items, lambda one: (asks.get(one.id, ()), one.id in due.items)):
            if item.first not in due.items:
                rows.append(item)
                continue
            asking = (one.id for one in asks.get(item.first, ()) if one.id in counts)
            to = next(asking, None) or min(counts, key=counts.__getitem__)
            counts[to] += item.count
            askers = asks.get(item.first, ())
            better = [(one.name, _say_better(context, one.id, item.first)) for one in askers]
            told = tuple(f"{name}: {words[:1].lower()}{words[1:]}" for name, words in better if words)
            rows.append(replace(item, to=to, askers=tuple(one.id for one in askers), better=told))
        yield replace(view, rows=tuple(rows))


def _join_equal(
    items: Iterable[LootItem], tell_apart: Callable[[LootItem], object] = lambda _: None
) -> Iterator[LootItem]:
    """One row for all equal things of a holder: those that read the same, and are not told apart."""
    groups: dict[object, list[LootItem]] = {}
    for item in items:
        groups.setdefault((replace(item, id=""), tell_apart(item)), []).append(item)
    for group in groups.values():
        yield replace(group[0], id=",".join(one.id for one in group), count=len(group))


def say_loot(context: ViewerContext) -> str:
    """What the GM can still hand out after a fight that is not closed; empty for others."""
    state = context.full_state
    if (
        not context.viewer.is_gm
        or state.phase != "over"
        or context.encounter.downtime
        or CLOSED in state.marks
    ):
        return ""
    due = find_due(context.system, state)
    if due.items:
        return f"loot ({len(due.items)})"
    return f"{due.coins:,} {name_money(context.system)}" if due.coins else ""


def _is_known(holder: Holder, combatants: Mapping[str, CombatantView]) -> bool:
    return holder.id == SCENE or holder.id in combatants


def _find_asks(context: ViewerContext, combatants: Mapping[str, CombatantView]) -> Asks:
    """Those who ask for a thing, by its id, as far as the viewer knows them."""
    found: dict[str, tuple[LootPerson, ...]] = {}
    for one, item in find_asks(context.known_state):
        if one.id in combatants:
            found[item] = (*found.get(item, ()), _view_person(combatants[one.id]))
    return found


def _view_person(one: CombatantView) -> LootPerson:
    return LootPerson(one.id, one.full_name, one.look)


def _say_load(context: ViewerContext, one: Combatant) -> str:
    """How much someone carries now."""
    count, weight = find_load(context.system, one)
    items = f"{count} item{'' if count == 1 else 's'}"
    return items if weight is None else f"{items}, {weight:.1f} kg"


def _view_all(
    context: ViewerContext,
    holder: Holder,
    combatants: Mapping[str, CombatantView],
    open_now: tuple[Item, ...] | None,
) -> HolderView:
    """Everything that a holder has, for the GM; `open_now` is None if not every player knows them."""
    seen, marks = {item.id for item in open_now or ()}, context.full_state.marks
    items = []
    for item in holder.items:
        left = f"{LEFT}{item.id}" in marks
        notes = (PLACES.get(item.place, ""), "left behind" if left else "" if item.id in seen else UNSEEN)
        picture = picture_of(context.system, item.kind, item.name)
        note = ", ".join(filter(None, notes))
        items.append(LootItem(item.id, _name(item), note, left=left, picture=picture))
    has_secrets = bool(holder.money) or any(UNSEEN in one.note for one in items)
    is_secret = open_now is not None and not holder.searched and has_secrets
    view = _view_holder(context, holder, combatants, items, is_secret=is_secret)
    has_pile = any(item.count > 1 for item in holder.items)
    return replace(view, has_pile=has_pile, is_hidden=open_now is None)


def _view_open(
    context: ViewerContext,
    holder: Holder,
    combatants: Mapping[str, CombatantView],
    asks: Asks,
    open_now: tuple[Item, ...],
) -> HolderView:
    """What a player sees of a holder's things, and who asks for them."""
    own = [
        _view_person(combatants[who])
        for who in combatants
        if who in context.viewer.seats and not context.system.characters.health(context.known_state[who]).dead
    ]
    on_ground = {item.id for item in context.known_state.ground}
    items = []
    for item in open_now:
        if holder.id == SCENE and item.id not in on_ground:
            continue
        asking = asks.get(item.id, ())
        mine = tuple(one for one in own if one in asking)
        rivals = tuple(one.name for one in asking if one not in own)
        free = tuple(one for one in own if one not in asking)
        items.append(
            LootItem(
                item.id,
                _name(item),
                PLACES.get(item.place, ""),
                left=False,
                asked=mine,
                open_to=free,
                rivals=rivals,
            )
        )
    view = _view_holder(context, holder, combatants, items, shows_money=holder.searched)
    return replace(view, rows=tuple(_join_equal(items)))


def _view_holder(
    context: ViewerContext,
    holder: Holder,
    combatants: Mapping[str, CombatantView],
    items: Iterable[LootItem],
    *,
    is_secret: bool = False,
    shows_money: bool = True,
) -> HolderView:
    one = combatants.get(holder.id)
    name = one.full_name if one else "On the ground"
    money = f"{holder.money:,} {name_money(context.system)}" if holder.money and shows_money else ""
    return HolderView(
        holder.id,
        name,
        one.look if one else None,
        items=tuple(items),
        money=money,
        is_secret=is_secret,
        is_ally=one is not None and one.tone == "is-ally",
    )


def _name(item: Item) -> str:
    return f"{item.name} × {item.count}" if item.count > 1 else item.name


def _say_better(context: ViewerContext, who: str, item_id: str) -> str:
    """How a weapon beats the best that someone holds: "Average 14, their Pistol 11"; empty if it does not."""
    system, state = context.system, context.full_state
    owners = (one.items for one in state.combatants.values())
    item = next((one for items in (state.ground, *owners) for one in items if one.id == item_id), None)
    if item is None or item.kind != WEAPON:
        return ""
    held = [one for one in state[who].items if one.kind == WEAPON and one.place == "held"]
    best = max((one for one in held if can_part(system, one)), key=_find_damage, default=None)
    if best is None or _find_damage(item) <= _find_damage(best):
        return ""
    average, own = say_average(_find_damage(item)), say_average(_find_damage(best))
    return f"Average {average}, their {best.name} {own}"


def _find_damage(weapon: Item) -> float:
    """The average of the damage dice of a weapon, in points."""
    return find_average(value_of(weapon.data, "damage"))


def _list_asks(context: ViewerContext, holders: Iterable[HolderView], asks: Asks) -> Iterable[LootAsk]:
    """What players ask for, thing by thing."""
    for holder in holders:
        for item in holder.items:
            for one in asks.get(item.id, ()):
                better = _say_better(context, one.id, item.id)
                yield LootAsk(one, item.id, item.name, holder=holder.id, of=holder.name, better=better)
