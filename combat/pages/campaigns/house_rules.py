"""The house rules of a campaign: each with the book's way, and what it does to two usual attacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.access import find_owned, person_of
from combat.display.forms.odds_panel import COUNTER, percent
from combat.display.forms.usual_odds import ATTACK, find_usual, strikes
from combat.models import Campaign
from combat.play.campaigns import campaigns
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.book import TABLE_OPTIONS, TableOption
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.state.state import State, is_acting
from cosmos_site.base.forms import is_htmx, see_other

from ..home.pictures import play_steps
from ..prep.forms import OptionsForm

MAX_LOOKS = 3000  # while counting an attack; one that takes more is not an example
SHOWN = 2  # attacks
CHANGED = "changed"  # the group of what differs from the book


@dataclass(frozen=True)
class RuleChoice:
    """A value of a house rule as a chip: as it is sent, in words, whether it is chosen and the book's."""

    value: Any
    words: str
    is_on: bool
    is_book: bool


@dataclass(frozen=True)
class RuleRow:
    """A house rule: what it is about, its choices, and the book's way if it differs; or one of the table."""

    key: str
    label: str
    about: str
    ruling: str
    field: forms.BoundField
    choices: tuple[RuleChoice, ...]
    book: str = ""
    of_table: bool = False


@dataclass(frozen=True)
class RuleGroup:
    """The house rules under one heading; `elsewhere` of them are changed, and stand in the first group."""

    key: str
    label: str
    icon: str
    rows: tuple[RuleRow, ...]
    elsewhere: int = 0


@dataclass(frozen=True)
class Chance:
    """What an attack is with one value of a rule: percent, and loss on average; blank if refused."""

    words: str
    percent: str
    mean: str
    is_now: bool
    is_book: bool


@dataclass(frozen=True)
class Effect:
    """What a rule does to one attack, by its values; `harm` is what a hit takes."""

    words: str
    harm: str
    chances: tuple[Chance, ...]

    @property
    def is_same(self) -> bool:
        """Whether the rule leaves the attack as it is."""
        return len({(one.percent, one.mean) for one in self.chances}) == 1


@dataclass(frozen=True)
class Attack:
    """A moment of the game's demo in which someone can attack."""

    state: State
    who: str
    action: str
    target: str


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_rules(request: HttpRequest, pk: int, slug: str) -> HttpResponse:
    """The page of the house rules for a campaign's new encounters of a game; `does` asks what one does."""
    campaign = find_owned(request, Campaign.objects, pk)
    if slug not in SYSTEMS:
        raise Http404("Game not found.")
    system, options = find_system(slug), dict(campaign.options.get(slug, {}))
    state = State(slug, options=options)
    known = {one.key: one for one in system.book.all_options}
    asked = known.get(request.GET.get("does", ""))
    context = {"campaign": campaign, "system": system}
    if asked:
        context |= {"asked": asked, **_ask_effects(person_of(request), system, options, asked)}
        if is_htmx(request) and request.method != "POST":
            return render(request, "combat/campaigns/rule_does.html", context)
    form = OptionsForm(system, state, request.POST if request.method == "POST" else None, settings=False)
    if request.method == "POST":
        changes = form.carry_out(lambda said: form.find_changes())
        if changes is not None:
            campaigns.set_rules(campaign, slug, [(key, value) for _, key, value in changes])
            messages.success(request, f"House rules saved. New encounters of {system.name} start with them.")
            answer = see_other("campaign", campaign.pk)
            answer["Location"] += "#rules"
            return answer
    groups = _view_groups(form)
    context |= {"form": form, "groups": groups, "changed": sum(one.elsewhere for one in groups)}
    return render(request, "combat/campaigns/campaign_rules.html", context, status=form.status)


def _ask_effects(
    person: User, system: System, options: Mapping[str, Any], asked: TableOption
) -> dict[str, Any]:
    """What a rule does, counted in turn with the odds of all tables; why not, if there is no room now."""
    try:
        with COUNTER.count(f"rules of {person.pk}"):
            return {"effects": find_effects(system, options, asked)}
    except Refused as refused:
        return {"effects": (), "busy": refused.message}


def _view_groups(form: OptionsForm) -> list[RuleGroup]:
    """What is changed, then the other rules by subject."""
    changed, others = list[RuleRow](), list[RuleGroup]()
    for group in form.groups:
        rows = [_view_row(form, one) for one in group["fields"]]
        usual = tuple(one for one in rows if not one.book)
        changed += [one for one in rows if one.book]
        others.append(
            RuleGroup(group["key"], group["label"], group["icon"], usual, elsewhere=len(rows) - len(usual))
        )
    first = [RuleGroup(CHANGED, "Changed", "ruling", tuple(changed))] if changed else []
    return first + others


def _view_row(form: OptionsForm, field: forms.BoundField) -> RuleRow:
    system, key = form.system, field.html_name.removeprefix("option-")
    option = next(one for one in system.book.all_options if one.key == key)
    now, chosen = system.option(form.state, key), str(field.value())
    ruling = system.rulebook.rulings.get(option.ruling)
    return RuleRow(
        key,
        option.label,
        option.help if option in TABLE_OPTIONS else ruling.title if ruling else option.help,
        option.ruling,
        field,
        choices=tuple(
            RuleChoice(value, option.describe(value), str(value) == chosen, value == option.default)
            for value in _list_values(option, now)
        ),
        book="" if now == option.default else option.describe(option.default),
        of_table=option in TABLE_OPTIONS,
    )


def _list_values(option: TableOption, now: Any) -> tuple[Any, ...]:
    """The values that a rule can have, and the one that it has now."""
    if isinstance(option.default, bool):
        return (True, False)
    return tuple(dict.fromkeys((*option.choices, now)))


def find_effects(system: System, options: Mapping[str, Any], option: TableOption) -> tuple[Effect, ...]:
    """Two usual attacks of the game's demo with each value of a rule, those first that it changes.

    The other house rules are those given. None if the demo has no attack that can be counted.
    """
    now = options.get(option.key, option.default)
    found = (_count_attack(system, options, option, attack, now=now) for attack in find_attacks(system.slug))
    effects = [effect for effect in found if effect]
    return tuple(sorted(effects, key=lambda one: one.is_same)[:SHOWN])


def find_attacks(slug: str) -> tuple[Attack, ...]:
    """The attacks that people make in the first demo of a game, each at the first moment it is possible."""
    system = find_system(slug)
    demo, found = system.demo.make_first(), dict[tuple[str, str, str], Attack]()
    names = [one.name for one in system.actions.by_name.values() if one.who != "gm" and strikes(one)]
    names = [name for name in names if system.kinds.of_action(name) == ATTACK]
    for state, _ in play_steps(system, (*demo.setup, *demo.script)):
        for attack in _list_attacks(system, state, names):
            found.setdefault((attack.who, attack.action, attack.target), attack)
    return tuple(found.values())


def _list_attacks(system: System, state: State, names: list[str]) -> Iterator[Attack]:
    for who in state.combatants if state.phase == "fight" else ():
        for name in names if is_acting(state, who) else ():
            usual = find_usual(system, state, who, name)
            if usual and usual.is_legal:
                yield Attack(state, who, name, usual.target)


def _count_attack(
    system: System, options: Mapping[str, Any], option: TableOption, attack: Attack, now: Any
) -> Effect | None:
    """What a rule does to an attack; None if that has no chance, or is too much to count."""
    chances = []
    for value in _list_values(option, now):
        played = {**attack.state.options, **options, option.key: value}
        try:
            chance, mean = _count(system, msgspec.structs.replace(attack.state, options=played), attack)
        except TooMany:
            return None
        words = option.describe(value)
        chances.append(Chance(words, chance, mean, is_now=value == now, is_book=value == option.default))
    if not any(one.percent for one in chances):
        return None
    actor, target = attack.state[attack.who], attack.state[attack.target]
    words = f"{system.action(attack.action).label}: {actor.name} against {target.name}"
    return Effect(words, system.characters.health(target).label, tuple(chances))


def _count(system: System, state: State, attack: Attack) -> tuple[str, str]:
    """The chance of an attack in percent, and what its target loses on average; blank if it is refused."""
    try:
        usual = find_usual(system, state, attack.who, attack.action)
        if usual is None or usual.command is None:
            return "", ""
        command = msgspec.structs.replace(usual.command, target=attack.target)
        give_up = chain(repeat(False, MAX_LOOKS), repeat(True)).__next__
        odds = find_odds(system, state, usual.action, command, give_up)
    except Refused:
        return "", ""
    chance = odds.after if odds.after is not None else odds.headline.chance if odds.headline else None
    lost = sum(one.mean for one in odds.distributions if one.who == attack.target)
    return ("" if chance is None else percent(chance)), f"{lost:.1f}"
