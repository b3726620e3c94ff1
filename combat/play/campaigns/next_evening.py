"""The next evening of a campaign: when and where it plays, who comes, and the address for calendars."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from characters.guests import Guest
from characters.models import Character
from combat.models import Campaign, CampaignCalendar, CampaignMember, EveningAnswer, GameEvening
from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from cosmos_site.base.tags import derive_token, find_digest

from ..writing.locking import hold_campaign
from .chest import Visitor, find_mine, find_party, is_gm, may_use

MAX_PLACE, MAX_NOTE, MAX_REMARK, MAX_ZONE = 200, 500, 120, 60
MAX_AHEAD = timedelta(days=731)
LONGEST = timedelta(days=1)
IN_CALENDAR = 20  # evenings that calendars read, newest first
SALT = "combat.calendar"
CHANGED = "The evening changed meanwhile: read it again, then answer."
EDITED = "The evening changed meanwhile: compare, then save again."
GONE = "No evening is set any more: the page is now current."


@dataclass(frozen=True)
class Wanted:
    """An evening as its GM wants it: the day and the time in a time zone, how many minutes, where."""

    day: date
    at: time
    zone: str
    minutes: int
    place: str = ""
    note: str = ""


@dataclass(frozen=True)
class Comer:
    """Someone of the party: who plays, whom, and what they answered; `is_old` if the evening moved since."""

    name: str
    characters: tuple[str, ...]
    answer: EveningAnswer | None
    is_old: bool = False
    is_me: bool = False


# ---------------------------------------------------------------- when


def find_next(campaign: Campaign) -> GameEvening | None:
    """The evening that is not over yet; None if none is set."""
    return next(iter(find_upcoming([campaign.pk])), None)


def find_upcoming(campaigns: Iterable[Any]) -> list[GameEvening]:
    """The evenings of some campaigns that are not over yet, the earliest first."""
    now = timezone.now()
    open_ones = GameEvening.objects.filter(campaign__in=campaigns, withdrawn=None, starts__gt=now - LONGEST)
    return [one for one in open_ones.select_related("campaign").order_by("starts", "pk") if one.ends > now]


def find_past(campaign: Campaign) -> list[GameEvening]:
    """The evenings of a campaign that are over, newest first."""
    held = campaign.evenings.filter(withdrawn=None, starts__lt=timezone.now())
    return [one for one in held[:IN_CALENDAR] if one.ends <= timezone.now()]


def clean_place(words: str) -> str:
    """Where an evening is, on one line; Refused if it is too long."""
    place = tidy(words)
    if len(place) > MAX_PLACE:
        raise Refused("bad_value", f"A place has at most {MAX_PLACE} characters: shorten it.")
    return place


def clean_zone(words: str) -> str:
    """The name of a time zone; Refused for one that does not exist."""
    name = tidy(words)
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refused("bad_value", "Name a time zone, such as Europe/Berlin or UTC.") from None
    return name


def find_moment(wanted: Wanted) -> datetime:
    """When an evening begins; Refused for a time that is past, too far off, or skipped by clocks there."""
    local = datetime.combine(wanted.day, wanted.at)
    now = timezone.now()
    days = (wanted.day - now.date()).days
    if days < -1:
        raise Refused("bad_value", "That is past: choose a day from today on.")
    if days > MAX_AHEAD.days:
        raise Refused("bad_value", "That is more than 2 years ahead: choose an earlier day.")
    zone = ZoneInfo(wanted.zone)
    starts = local.replace(tzinfo=zone).astimezone(UTC)
    if starts.astimezone(zone).replace(tzinfo=None) != local:
        raise Refused("bad_value", "The clocks skip that time there: choose another.")
    if starts <= now:
        raise Refused("bad_value", "That is past: choose a later time.")
    return starts


def set_evening(campaign: Campaign, wanted: Wanted, seen: str) -> GameEvening:
    """Set the next evening, or change it. `seen` is the mark of what the form was opened with.

    Refused("stale") if it is another one now. Answers stay, marked as of before if the time is another.
    """
    starts = find_moment(wanted)
    with hold_campaign(campaign, "changed"):
        known = find_next(campaign)
        if mark(known) != seen:
            raise Refused("stale", EDITED)
        evening = known or GameEvening(campaign=campaign, uid=secrets.token_hex(16))
        evening.starts, evening.zone, evening.minutes = starts, wanted.zone, wanted.minutes
        evening.place, evening.note = wanted.place, wanted.note
        evening.changes += 1 if known else 0
        evening.save()
        if not CampaignCalendar.objects.filter(campaign=campaign).exists():
            _make_address(campaign)
    return evening


def withdraw(campaign: Campaign, seen: str) -> GameEvening:
    """Call the next evening off: calendars show it as canceled. Refused if it is another one now."""
    with hold_campaign(campaign, "changed"):
        evening = _find_seen(campaign, seen, EDITED)
        evening.withdrawn = timezone.now()
        evening.changes += 1
        evening.save(update_fields=["withdrawn", "changes", "changed"])
    return evening


def mark(evening: GameEvening | None) -> str:
    """What a form sends back to tell which evening it was opened with; empty for none."""
    return f"{evening.pk}-{evening.changes}" if evening else ""


def _find_seen(campaign: Campaign, seen: str, changed: str) -> GameEvening:
    """The next evening, if it is still the one that was seen; Refused if not."""
    evening = find_next(campaign)
    if evening is None:
        raise Refused("stale", GONE)
    if mark(evening) != seen:
        raise Refused("stale", changed)
    return evening


# ---------------------------------------------------------------- who comes


def find_evenings(visitor: Visitor) -> list[GameEvening]:
    """The next evening of each campaign that someone runs or plays in, the earliest first."""
    people = Character.objects.filter(npc=False, deleted_at=None, archived=False)
    mine = (
        people.filter(pk__in=visitor.sheets)
        if isinstance(visitor, Guest)
        else people.filter(owner=visitor.pk)
    )
    played = CampaignMember.objects.filter(character__in=mine).values("campaign")
    campaigns = Campaign.objects.filter(Q(pk__in=played) | Q(owner=visitor.pk), archived=False)
    found: dict[int, GameEvening] = {}
    for evening in find_upcoming(campaigns.values("pk")):
        found.setdefault(evening.campaign_id, evening)
    return [evening for evening in found.values() if may_use(visitor, evening.campaign)]


def answer(campaign: Campaign, visitor: Visitor, reply: str, note: str, seen: str) -> EveningAnswer:
    """Say whether someone of the party comes; a later answer replaces it. Refused for anyone else."""
    if reply not in dict(EveningAnswer.REPLIES):
        raise Refused("bad_value", "Choose Coming, Maybe or Cannot.")
    remark = tidy(note)
    if len(remark) > MAX_REMARK:
        raise Refused("bad_value", f"A remark has at most {MAX_REMARK} characters: shorten it.")
    mine = find_mine(visitor, campaign)
    if not mine or is_gm(visitor, campaign):
        raise Refused("not_allowed", "Only the players of the party answer.")
    with hold_campaign(campaign, "changed"):
        evening = _find_seen(campaign, seen, CHANGED)
        evening.answers.filter(character__in=mine).delete()
        said = {"reply": reply, "note": remark, "starts": evening.starts}
        if isinstance(visitor, User):
            return evening.answers.update_or_create(defaults=said, user=visitor)[0]
        made = [EveningAnswer(evening=evening, character=one, **said) for one in mine]
        return EveningAnswer.objects.bulk_create(made)[0]


def find_my_answer(evening: GameEvening, visitor: Visitor) -> EveningAnswer | None:
    """What someone has answered for the time that is set now; None before they did."""
    said = evening.answers.filter(starts=evening.starts)
    if isinstance(visitor, Guest):
        return said.filter(character__in=visitor.sheets).first()
    return said.filter(Q(user=visitor.pk) | Q(character__owner=visitor.pk)).first()


def list_comers(campaign: Campaign, evening: GameEvening, visitor: Visitor) -> list[Comer]:
    """The party with their answers, each player once; the GM's own characters are not asked."""
    answers = list(evening.answers.all())
    by_user = {one.user_id: one for one in answers if one.user_id}
    by_character = {one.character_id: one for one in answers if one.character_id}
    mine = {one.pk for one in find_mine(visitor, campaign)}
    groups: dict[tuple[str, int], list[Character]] = {}
    for one in find_party(campaign):
        if one.owner_id != campaign.owner_id:
            key = ("user", one.owner_id) if one.owner_id else ("guest", one.pk)
            groups.setdefault(key, []).append(one)
    comers = []
    for (kind, number), people in groups.items():
        theirs = by_user.get(number) if kind == "user" else None
        said = theirs or next((by_character[one.pk] for one in people if one.pk in by_character), None)
        owner = people[0].owner
        comers.append(
            Comer(
                owner.get_username() if owner else people[0].name,
                tuple(one.name for one in people) if owner else (),
                said,
                is_old=said is not None and said.starts != evening.starts,
                is_me=not mine.isdisjoint(one.pk for one in people),
            )
        )
    return sorted(comers, key=lambda one: one.name.casefold())


# ---------------------------------------------------------------- the address for calendars


def find_token(campaign: Campaign) -> str:
    """The token of a campaign's address; empty if there is none, or one of another secret key."""
    found = CampaignCalendar.objects.filter(campaign=campaign).first()
    token = derive_token(SALT, campaign.pk, found.nonce) if found else ""
    return token if found and find_digest(token) == found.digest else ""


def find_calendar(token: str) -> Campaign | None:
    """The campaign whose address has this token."""
    found = CampaignCalendar.objects.select_related("campaign").filter(digest=find_digest(token)).first()
    return found.campaign if found else None


def renew_address(campaign: Campaign) -> None:
    """End the address of a campaign's calendar, and make another."""
    with hold_campaign(campaign, "changed"):
        _make_address(campaign)


def _make_address(campaign: Campaign) -> None:
    nonce = secrets.token_urlsafe(16)
    new = {"nonce": nonce, "digest": find_digest(derive_token(SALT, campaign.pk, nonce))}
    CampaignCalendar.objects.update_or_create(defaults=new, campaign=campaign)


def find_for_calendar(campaign: Campaign) -> list[GameEvening]:
    """The evenings that a calendar reads, also those that were called off, newest first."""
    return list(campaign.evenings.all()[:IN_CALENDAR])
