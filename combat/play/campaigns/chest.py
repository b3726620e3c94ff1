"""What passes between the sheets of a campaign in peace, and its party's chest, each with what was done.

A thing is in one place only: the chest's row and then both sheets are locked, and a transfer is done once. In
a fight a thing passes by an action of the game (rules/core/gm/handing.py), so what leaves a sheet meanwhile
is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet

from characters.access import can_edit
from characters.gear import passing
from characters.gear.item_service import is_counted
from characters.guests import Guest
from characters.models import Character
from characters.services import character_service
from combat.audience.removals import is_out
from combat.models import Campaign, Chest, Encounter, Transfer
from combat.play.writing.encounter_service import read_state
from combat.play.writing.locking import alone
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import MAX_ALIKE

from .roster import find_character_id

MAX_OFFERS, MAX_THINGS, MAX_MONEY = 20, 500, 10**12
KEPT = 200  # lines of the log of a chest
OVER = "That offer is over: the page is now current."
DONE_ALREADY = "That is done already: the page is now current."
Visitor = User | AnonymousUser


@dataclass(frozen=True)
class Wish:
    """What someone wants to pass: an item of the giver by its id and how many, or an amount of money.

    `once` is the mark of the form that asks.
    """

    item: str = ""
    count: int = 1
    money: int = 0
    once: str = ""


# ---------------------------------------------------------------- who


def find_parties(character: Character) -> QuerySet[Campaign]:
    """The campaigns that a character belongs to."""
    return Campaign.objects.filter(members__character=character, archived=False).order_by("-changed", "-pk")


def find_party(campaign: Campaign, slug: str = "") -> QuerySet[Character]:
    """The characters of a campaign, of one game or of all."""
    party = Character.objects.filter(campaigns__campaign=campaign, npc=False, deleted_at=None, archived=False)
    return (party.filter(system=slug) if slug else party).select_related("owner").order_by("name", "pk")


def find_mine(visitor: Visitor, campaign: Campaign, slug: str = "") -> list[Character]:
    """The characters of a campaign that someone may change."""
    return [one for one in find_party(campaign, slug) if can_edit(visitor, one)]


def may_use(visitor: Visitor, campaign: Campaign) -> bool:
    """Whether someone may read the chest of a campaign and use it: its GM, and who plays in its party.

    Whom the GM removed from its tables may not.
    """
    if campaign.owner_id == visitor.pk:
        return True
    if not find_mine(visitor, campaign):
        return False
    table = Encounter.objects.filter(campaign=campaign).order_by("-pk").first()
    is_guest = isinstance(visitor, Guest)  # their seat is open, else they were none
    return is_guest or table is None or not is_out(table, Q(user=visitor.pk))


def is_gm(visitor: Visitor, campaign: Campaign) -> bool:
    """Whether someone runs a campaign."""
    return campaign.owner_id == visitor.pk


# ---------------------------------------------------------------- what there is


def find_chest(campaign: Campaign, slug: str) -> Chest:
    """The chest of a campaign for a game; a new one is empty and not stored."""
    known = Chest.objects.filter(campaign=campaign, system=slug).first()
    return known or Chest(campaign=campaign, system=slug)


def find_log(campaign: Campaign, slug: str) -> QuerySet[Transfer]:
    """What went into a chest and out of it, newest first."""
    known = Transfer.objects.filter(campaign=campaign, system=slug)
    done = known.filter(state__in=(Transfer.DONE, Transfer.UNDONE))
    return done.filter(Q(giver_name="") | Q(taker_name=""))


def find_offers(character: Character) -> QuerySet[Transfer]:
    """What is offered to a character."""
    return Transfer.objects.filter(taker=character, state=Transfer.OPEN).order_by("pk")


def find_offered(character: Character) -> QuerySet[Transfer]:
    """What a character offers others."""
    return Transfer.objects.filter(giver=character, state=Transfer.OPEN).order_by("pk")


def find_last(campaign: Campaign, slug: str) -> Transfer | None:
    """The last act of a chest that stands: what undo takes back."""
    return find_log(campaign, slug).filter(state=Transfer.DONE).first()


def may_undo(visitor: Visitor, act: Transfer) -> bool:
    """Whether someone may take back an act of a chest: the GM, and whose sheet it changed."""
    if is_gm(visitor, act.campaign):
        return True
    sheet = act.giver or act.taker
    return sheet is not None and can_edit(visitor, sheet)


def list_things(chest: Chest) -> list[tuple[str, str, int]]:
    """The things in a chest: its id there, its name, how many."""
    system = find_system(chest.system)
    return [
        (one["key"], passing.name_thing(system, _bare(one)), passing.count_thing(one)) for one in chest.things
    ]


def say_act(act: Transfer) -> str:
    """An act of a chest in words, without its author."""
    if act.giver_name:
        return f"added {act.what} from {act.giver_name}"
    if act.taker_name:
        return f"took {act.what} for {act.taker_name}"
    return f"added {act.what}"


@dataclass(frozen=True)
class Passing:
    """What a sheet shows: its campaigns, what is offered to it and by it, what it got last from someone."""

    campaigns: tuple[Campaign, ...]
    offers: tuple[Transfer, ...] = ()
    offered: tuple[Transfer, ...] = ()
    got: Transfer | None = None


def find_passing(character: Character) -> Passing:
    """What passes between a sheet and those of its party: two queries at most."""
    campaigns = tuple(find_parties(character))
    if not campaigns:
        return Passing(())
    known = Transfer.objects.filter(Q(taker=character) | Q(giver=character, state=Transfer.OPEN))
    acts = list(known.exclude(giver_name="").exclude(taker_name="").order_by("-pk")[: 2 * MAX_OFFERS])
    open_acts = [act for act in acts if act.state == Transfer.OPEN]
    done = (act for act in acts if act.state == Transfer.DONE and act.giver_id)
    return Passing(
        campaigns,
        tuple(act for act in open_acts if act.taker_id == character.pk),
        tuple(act for act in open_acts if act.giver_id == character.pk),
        next(done, None),
    )


# ---------------------------------------------------------------- acts


def pass_now(
    visitor: Visitor,
    campaign: Campaign,
    giver: Character | None,
    taker: Character | None,
    wish: Wish,
) -> Transfer:
    """Put something of one's own character into the chest, or take something out for them."""
    one = giver or taker
    if one is None or (giver and taker) or not can_edit(visitor, one):
        raise Refused("not_allowed", "Only what is yours goes into the chest, and out of it to yours.")
    with _hold(campaign, one.system) as chest:
        act = _write_down(campaign, chest, giver, taker, wish, visitor.get_username())
        return _carry_out(chest, act)


def add_new(visitor: Visitor, campaign: Campaign, slug: str, name: str, wish: Wish) -> Transfer:
    """Put money or an item of the catalogue, by its name, into the chest: the GM's alone."""
    if not is_gm(visitor, campaign):
        raise Refused("not_allowed", "Only the GM adds what nobody had.")
    with _hold(campaign, slug) as chest:
        system = find_system(slug)
        thing = {} if wish.money else _find_new(system, name, wish.count)
        what = _say_money(system, wish.money) if wish.money else _say(system, thing)
        act = _create(chest, wish, what, visitor.get_username())
        _put_in_chest(chest, act, thing)
        return _end(act, chest)


def offer(visitor: Visitor, campaign: Campaign, giver: Character, taker: Character, wish: Wish) -> Transfer:
    """Offer something of one's own character to another one: it passes when they take it."""
    if not can_edit(visitor, giver):
        raise Refused("not_allowed", "Offer what is yours.")
    check_free(giver)
    with _hold(campaign, giver.system) as chest:
        if find_offered(giver).count() >= MAX_OFFERS:
            raise Refused("not_allowed", f"{giver.name} offers {MAX_OFFERS} things: take one back first.")
        return _write_down(campaign, chest, giver, taker, wish, visitor.get_username())


def answer(visitor: Visitor, number: int, takes: bool) -> Transfer:
    """Take what is offered to one's own character, or decline it; who offers it declines to take it back."""
    act = _find_offer(number)
    mine = [one for one in (act.giver, act.taker) if one is not None and can_edit(visitor, one)]
    if not mine or (takes and act.taker not in mine):
        raise Refused("unknown", OVER)
    if not takes:
        if not Transfer.objects.filter(pk=act.pk, state=Transfer.OPEN).update(
            state=Transfer.DECLINED, ended_by=visitor.get_username()
        ):
            raise Refused("stale", OVER)
        return act
    with _hold(act.campaign, act.system) as chest:
        fresh = _find_offer(number)  # the other tap may have been faster
        party = set(find_party(act.campaign, act.system).values_list("pk", flat=True))
        if not {fresh.giver_id, fresh.taker_id} <= party:
            raise Refused("stale", OVER)
        return _carry_out(chest, fresh)


def undo(visitor: Visitor, campaign: Campaign, slug: str, number: int) -> Transfer:
    """Take back the last act of a chest; Refused if another one came after it, or what it moved is gone."""
    with _hold(campaign, slug) as chest:
        act = find_last(campaign, slug)
        if act is None or act.pk != number:
            raise Refused("stale", "Someone acted after that: the page is now current.")
        if not may_undo(visitor, act):
            raise Refused("not_allowed", f"{act.by} did that: ask them, or the GM.")
        _go_back(chest, act, visitor.get_username())
        return act


def give_back(visitor: Visitor, number: int) -> Transfer:
    """Give back what one's own character took from another: just that goes back, to where it was."""
    act = Transfer.objects.select_related("campaign", "giver", "taker").filter(pk=number).first()
    if act is None or act.taker is None or act.giver is None or not can_edit(visitor, act.taker):
        raise Refused("unknown", OVER)
    with _hold(act.campaign, act.system) as chest:
        act.refresh_from_db(fields=["state"])
        if act.state != Transfer.DONE:
            raise Refused("stale", OVER)
        _go_back(chest, act, visitor.get_username())
        return act


def check_free(character: Character) -> None:
    """Refuse to take something off the sheet of someone in a running fight: there it is an action."""
    fights = character.participations.filter(encounter__archived=False, encounter__phase="fight")
    for found in fights.select_related("encounter"):
        one = read_state(found.encounter).combatants.get(found.combatant)
        if one and not one.gone and find_character_id(one) == character.pk:
            text = f"{character.name} is in a fight: hand it over there, or when it ends."
            raise Refused("not_allowed", text)


# ---------------------------------------------------------------- helpers


@contextmanager
def _hold(campaign: Campaign, slug: str) -> Iterator[Chest]:
    """The chest of a campaign, locked until the block ends: all that passes in a campaign waits here."""
    with alone():
        Chest.objects.get_or_create(campaign=campaign, system=slug)
        chest = Chest.objects.select_for_update().filter(campaign=campaign, system=slug).first()
        if chest is None:
            raise Refused("stale", "This campaign was deleted.")
        yield chest


def _lock(character: Character | None) -> Character | None:
    """A sheet as it is now, locked; Refused if it was deleted."""
    if character is None:
        return None
    found = Character.objects.select_for_update().filter(pk=character.pk, deleted_at=None).first()
    if found is None:
        raise Refused("stale", f"{character.name} was deleted.")
    return found


def _find_offer(number: int) -> Transfer:
    known = Transfer.objects.select_related("campaign", "giver", "taker")
    act = known.filter(pk=number, state=Transfer.OPEN).first()
    if act is None:
        raise Refused("stale", OVER)
    return act


def _write_down(
    campaign: Campaign,
    chest: Chest,
    giver: Character | None,
    taker: Character | None,
    wish: Wish,
    by: str,
) -> Transfer:
    """A new transfer of something that is there, not yet done; Refused if it is not."""
    system = find_system(chest.system)
    for one in (giver, taker):
        if one and not find_party(campaign, chest.system).filter(pk=one.pk).exists():
            raise Refused("bad_target", f"{one.name} is not in the party of this campaign.")
    if giver and taker and giver.pk == taker.pk:
        raise Refused("bad_target", f"{giver.name} has that already: choose someone else.")
    if wish.money:
        what = _say_money(system, wish.money)
        if giver:
            passing.add_money(system, giver.sheet, -wish.money)
    elif giver:
        fresh = Character.objects.get(pk=giver.pk)
        what = _say(system, passing.take_out(system, fresh.sheet, wish.item, wish.count)[1])
    else:
        what = _say(system, {**_find_in_chest(chest, wish), **_count_as(chest, wish)})
    return _create(chest, wish, what, by, giver, taker)


def _create(
    chest: Chest,
    wish: Wish,
    what: str,
    by: str,
    giver: Character | None = None,
    taker: Character | None = None,
) -> Transfer:
    if wish.once and Transfer.objects.filter(once=wish.once[:32]).exists():
        raise Refused("stale", DONE_ALREADY)
    return Transfer.objects.create(
        campaign_id=chest.campaign_id,
        system=chest.system,
        giver=giver,
        taker=taker,
        giver_name=giver.name if giver else "",
        taker_name=taker.name if taker else "",
        what=what[:120],
        item=wish.item[:60],
        count=wish.count,
        money=wish.money,
        by=by[:150],
        once=wish.once[:32],
    )


def _carry_out(chest: Chest, act: Transfer) -> Transfer:
    """Do a transfer: off one sheet or out of the chest, and onto the other or into it."""
    system, source = find_system(chest.system), f"{character_service.TRANSFER}{act.pk}"
    giver, taker = _lock_both(act)
    thing: dict[str, Any] = {}
    if giver:
        check_free(giver)
        if act.money:
            sheet = passing.add_money(system, giver.sheet, -act.money)
        else:
            sheet, thing = passing.take_out(system, giver.sheet, act.item, act.count)
        whom = act.taker_name or "the chest"
        _change(giver, sheet, f"Gave {act.what} to {whom}", act.by, source)
    else:
        thing = _take_from_chest(chest, act)
    if taker:
        if act.money:
            sheet, there = passing.add_money(system, taker.sheet, act.money), ""
        else:
            sheet, there = passing.put_in(system, taker.sheet, thing)
        whose = act.giver_name or "the chest"
        _change(taker, sheet, f"Got {act.what} from {whose}", act.by, source)
        act.goes = {**act.goes, "thing": thing, "there": there}
    else:
        _put_in_chest(chest, act, thing)
    return _end(act, chest)


def _lock_both(act: Transfer) -> tuple[Character | None, Character | None]:
    """Both sheets of a transfer, locked in the order of their numbers."""
    people = sorted(filter(None, (act.giver, act.taker)), key=lambda one: one.pk)
    locked = {one: _lock(one) for one in people}
    return act.giver and locked[act.giver], act.taker and locked[act.taker]


def _change(character: Character, sheet: dict[str, Any], what: str, by: str, source: str) -> None:
    character_service.change(character.pk, what, by=by, source=source, sheet=sheet)


def _end(act: Transfer, chest: Chest) -> Transfer:
    chest.save()
    act.state = Transfer.DONE
    act.save()
    old = find_log(act.campaign, act.system).values_list("pk", flat=True)[KEPT:]
    Transfer.objects.filter(pk__in=list(old)).delete()
    return act


def _go_back(chest: Chest, act: Transfer, by: str) -> None:
    """Take back a transfer: the other side gives up just that, and it is again where it was."""
    system, source = find_system(chest.system), f"{character_service.TRANSFER}{act.pk}"
    giver, taker = _lock_both(act)
    if (act.giver_name and giver is None) or (act.taker_name and taker is None):
        raise Refused("not_allowed", "A sheet of that is deleted: it cannot go back.")
    thing = act.goes.get("thing", {})
    if taker:
        check_free(taker)
        sheet = _give_up(system, taker, act, thing)
        _change(taker, sheet, f"Gave back {act.what}", by, source)
    else:
        _leave_chest(chest, act, thing)
    if giver:
        if act.money:
            sheet = passing.add_money(system, giver.sheet, act.money)
        else:
            sheet = passing.put_back(system, giver.sheet, thing, act.item)
        _change(giver, sheet, f"Got back {act.what}", by, source)
    elif taker and act.money:
        chest.money += act.money
    elif taker:
        _join_chest(system, chest, thing, act.item)
    chest.save()
    act.state, act.ended_by = Transfer.UNDONE, by[:150]
    act.save()


def _give_up(system: System, taker: Character, act: Transfer, thing: dict[str, Any]) -> dict[str, Any]:
    """The sheet of who got something without it; Refused if it is no longer as they got it."""
    if act.money:
        return passing.add_money(system, taker.sheet, -act.money)
    try:
        sheet, left = passing.take_out(system, taker.sheet, act.goes["there"], act.count)
    except Refused:
        left = {}
    if not left or not passing.is_same(left, thing):
        raise Refused("not_allowed", f"{taker.name} has no {act.what} as it was: it cannot go back.")
    return sheet


# ---------------------------------------------------------------- the chest itself


def _find_in_chest(chest: Chest, wish: Wish | Transfer) -> dict[str, Any]:
    """A thing in the chest; Refused names who was faster if it is gone, or fewer are left."""
    found: dict[str, Any] | None = next((one for one in chest.things if one["key"] == wish.item), None)
    if found is None or passing.count_thing(found) < max(1, wish.count):
        raise _find_faster(chest, found is not None)
    if wish.count < 1:
        raise Refused("bad_value", f"Take 1 to {passing.count_thing(found)}.")
    return found


def _find_faster(chest: Chest, is_some_left: bool) -> Refused:
    last = find_log(chest.campaign, chest.system).filter(state=Transfer.DONE, giver_name="").first()
    if last is None or not last.taker_name:
        return Refused("stale", "That is no longer in the chest: the page is now current.")
    left = "fewer are left" if is_some_left else f"{last.what} is gone"
    return Refused("stale", f"{last.by} was faster: {left}.")


def _take_from_chest(chest: Chest, act: Transfer) -> dict[str, Any]:
    if act.money:
        if act.money > chest.money:
            text = f"There are {chest.money:,} in the chest: take at most that."
            raise Refused("no_budget", text)
        chest.money -= act.money
        return {}
    found = _find_in_chest(chest, act)
    part = {**_bare(found), **_count_as(chest, act)}
    _lessen(chest, found, act.count)
    return part


def _count_as(chest: Chest, wish: Wish | Transfer) -> dict[str, int]:
    found = next(one for one in chest.things if one["key"] == wish.item)
    return {passing.MAGAZINES if passing.MAGAZINES in found else "count": wish.count}


def _lessen(chest: Chest, found: dict[str, Any], count: int) -> None:
    """Take so many of a thing out of the chest."""
    left = passing.count_thing(found) - count
    field = passing.MAGAZINES if passing.MAGAZINES in found else "count"
    rest = [{**one, field: left} if one is found else one for one in chest.things if one is not found or left]
    chest.things = rest


def _put_in_chest(chest: Chest, act: Transfer, thing: dict[str, Any]) -> None:
    if act.money:
        if chest.money + act.money > MAX_MONEY:
            raise Refused("bad_value", f"A chest holds at most {MAX_MONEY:,}.")
        chest.money += act.money
        return
    key = _join_chest(find_system(chest.system), chest, thing, f"t{act.pk}")
    act.goes = {**act.goes, "thing": thing, "there": key}


def _join_chest(system: System, chest: Chest, thing: dict[str, Any], key: str) -> str:
    """Lay a thing into the chest, with its like or alone; returns its key there."""
    field = passing.MAGAZINES if passing.MAGAZINES in thing else "count"
    for place, one in enumerate(chest.things if passing.is_pile(system, thing) else ()):
        if passing.is_same({**_bare(one), field: 1}, {**thing, field: 1}):
            many = passing.count_thing(one) + passing.count_thing(thing)
            chest.things = [*chest.things[:place], {**one, field: many}, *chest.things[place + 1 :]]
            return str(one["key"])
    if len(chest.things) >= MAX_THINGS:
        raise Refused("not_allowed", f"A chest holds {MAX_THINGS} kinds of things: take some out first.")
    chest.things = [*chest.things, {**thing, "key": key}]
    return key


def _leave_chest(chest: Chest, act: Transfer, thing: dict[str, Any]) -> None:
    """Take what an act laid into the chest out of it again."""
    if act.money:
        if act.money > chest.money:
            raise Refused("not_allowed", "That money is spent: it cannot go back.")
        chest.money -= act.money
        return
    found = next((one for one in chest.things if one["key"] == act.goes.get("there")), None)
    if found is None or passing.count_thing(found) < passing.count_thing(thing):
        raise Refused("not_allowed", f"{act.what} is no longer in the chest: it cannot go back.")
    _lessen(chest, found, passing.count_thing(thing))


def _bare(thing: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in thing.items() if name != "key"}


def _find_new(system: System, name: str, count: int) -> dict[str, Any]:
    """An item of the catalogue by its name, as it lies in a chest."""
    catalogue = system.book.catalogue
    if catalogue is None:
        raise Refused("not_allowed", f"{system.name} has no catalogue.")
    words = name.strip().casefold()
    found = next((one for one in catalogue.find_entries() if one.name.casefold() == words), None)
    if found is None or catalogue.is_built_in(found.kind, found.record):
        raise Refused("unknown", "The catalogue has no item of that name: choose one of the list.")
    is_pile = is_counted(catalogue, found)
    if is_pile and not 1 <= count <= MAX_ALIKE:
        raise Refused("bad_value", f"Add 1 to {MAX_ALIKE} at a time.")
    if count != 1 and not is_pile:
        raise Refused("bad_value", "Add one at a time.")
    return passing.make_thing(system, found, count)


def _say(system: System, thing: dict[str, Any]) -> str:
    count, name = passing.count_thing(thing), passing.name_thing(system, _bare(thing))
    return f"{name} × {count}" if count > 1 else name


def _say_money(system: System, amount: int) -> str:
    unit = system.draw("money.one" if amount == 1 else "money.unit")
    return f"{amount:,} {unit}"
