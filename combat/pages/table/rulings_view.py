"""What was ruled once, as tiles of who can do it again, and for the GM as an answer in one tap."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, repeat

from msgspec.structs import replace

from combat.audience.things import RULING
from combat.display.combatants.tokens import name_fully
from combat.display.forms.improvising import find_chance, name_check, say_ruling
from combat.display.shapes.table_shapes import CombatantView
from combat.display.shapes.wish_shapes import Pairs, Person, RulingTile
from combat.play.campaigns.rulings import find_precedents
from combat.play.improvising import Wish
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.engine import (
    describe_spending,
    find_action,
    spending_of,
)
from combat.rules.core.gm.improvising import Improvise, find_cost
from combat.rules.core.gm.rulings import (
    USE,
    UseRuling,
    find_ruling,
    find_target,
    make_act,
    needs_target,
    rank_targets,
)
from combat.rules.core.gm.verbs import Understood
from combat.rules.core.state.rulings import THEM, Ruling
from combat.rules.core.state.state import Combatant, is_acting, present
from combat.sharing.viewer_context import ViewerContext

MAX_LOOKS = 1000  # while counting the chances of one tile, at most a thirtieth of a second
MAX_NAME = 40  # letters of a ruling that is called by its words
BEGINNING = re.compile(
    r"^\s*(?:(?:can|could)\s+)?(?:I|we)(?:['’]\w+)?(?:\s+|$)"
    r"(?:gonna\s+|(?:try|want|going|would like|like|attempt)\s+to\s+)*",
    re.IGNORECASE,
)


def view_tiles(context: ViewerContext, who: str, rows: Mapping[str, CombatantView]) -> tuple[RulingTile, ...]:
    """What a combatant of the viewer can do again, as their page may show it."""
    one = context.obscured_state.combatants.get(who)
    if one is None or not context.viewer.plays(who) or context.obscured_state.phase != "fight":
        return ()
    return tuple(_view_tile(context, one, ruling, rows) for ruling in one.all_rulings)


def _view_tile(
    context: ViewerContext, one: Combatant, ruling: Ruling, rows: Mapping[str, CombatantView]
) -> RulingTile:
    system, state = context.system, context.obscured_state
    is_open = context.viewer.is_gm or not ruling.secret
    people = tuple(_list_targets(context, one, ruling, rows, is_open=is_open)) if needs_target(ruling) else ()
    target = next((each.id for each in people), find_target(state, one.id, ruling))
    tile = RulingTile(
        who=one.id,
        id=ruling.id,
        name=ruling.name,
        secret=ruling.secret,
        people=people,
        target=target,
    )
    cost, refusal = _ask_price(context, one, ruling, target)
    tile = replace(tile, cost=cost)
    try:
        act = make_act(system, state, one.id, ruling, target)
        if ruling.opposed == THEM:  # each face has its own chance
            said, chance = f"{name_check(system, state, one.id, act.check)}, opposed", ""
        else:
            said = say_ruling(system, state, act, with_number=is_open)
            chance = find_chance(system, state, act) if is_open else ""
    except Refused as refused:
        return replace(tile, refused=refused.message)
    return replace(tile, said=said, chance=chance, refused=refusal)


def _ask_price(context: ViewerContext, one: Combatant, ruling: Ruling, target: str) -> tuple[str, str]:
    """What using a ruling takes from the turn, and why it cannot be used now: asked up to its first roll."""
    system, state = context.system, context.known_state
    label = find_cost(system, ruling.cost).label if ruling.cost else ""
    if not is_acting(state, one.id):
        return label, "In their turn." if context.viewer.is_gm else "In your turn."
    again = UseRuling(actor=one.id, ruling=ruling.id, target=target)
    try:
        spending = spending_of(system, state, find_action(system, USE), again)
    except Refused as refused:
        return label, refused.message
    return describe_spending(system, spending) if spending.traded else label, ""


def _list_targets(
    context: ViewerContext,
    one: Combatant,
    ruling: Ruling,
    rows: Mapping[str, CombatantView],
    *,
    is_open: bool,
) -> Iterator[Person]:
    """All to whom it can be done, the likely ones first, with the chance of each who rolls against it openly.

    A page counts so much and no more: in a crowd the last ones have no chance beside them.
    """
    system, state = context.system, context.obscured_state
    give_up = chain(repeat(False, MAX_LOOKS), repeat(True)).__next__
    for each in rank_targets(system, state, one.id, ruling):
        chance = ""
        if ruling.opposed == THEM and is_open:
            chance = find_chance(system, state, make_act(system, state, one.id, ruling, each.id), give_up)
        look = rows[each.id].look.plain if each.id in rows else None
        yield Person(each.id, name_fully(state, each), look, f"{chance}%" if chance else "")


def name_ruling(understood: Understood) -> str:
    """What a ruling is called: how its words begin, without the "I" or "I try to"."""
    words = BEGINNING.sub("", understood.act.words).strip(" .,!?") or understood.verb
    short = words if len(words) <= MAX_NAME else f"{words[:MAX_NAME].rsplit(' ', 1)[0]} …"
    return f"{short[:1].upper()}{short[1:]}"


def list_earlier(context: ViewerContext, actor: str) -> Pairs:
    """The rulings in this fight and its campaign, each name once: those of this actor first."""
    people = sorted(present(context.known_state), key=lambda one: one.id != actor)
    found = dict[str, tuple[str, str]]()
    for one in people:
        for ruling in one.all_rulings:
            found.setdefault(ruling.name.casefold(), (f"{one.id}/{ruling.id}", ruling.name))
    for ruling in _find_precedents(context):
        found.setdefault(ruling.name.casefold(), (f"/{ruling.name}", ruling.name))
    return tuple(found.values())


def _find_precedents(context: ViewerContext) -> list[Ruling]:
    campaign = context.find_campaign(RULING)
    return find_precedents(campaign, context.system.slug) if campaign else []


def apply_earlier(context: ViewerContext, wish: Wish, about: str, chosen: str) -> Improvise:
    """The act of an earlier ruling, for who wants it now; Refused if it is gone, or if it is about nobody."""
    owner, _, ruling_id = chosen.partition("/")
    if owner:
        ruling = find_ruling(context.known_state[owner], ruling_id)
    elif (found := next((one for one in _find_precedents(context) if one.name == ruling_id), None)) is None:
        raise Refused("unknown", "That ruling is gone: reload the page.")
    else:
        ruling = found
    act = make_act(context.system, context.known_state, wish.who, ruling, about)
    return replace(act, words=wish.words or act.words, keep=ruling.name)
