"""The house rules of a campaign: each with the book's way, and what it does to two usual attacks."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.access import find_owned, person_of
from combat.models import Campaign
from combat.play.campaigns import campaigns
from combat.rules import SYSTEMS, find_system
from combat.rules.core.state.state import State
from cosmos_site.base.forms import is_htmx, see_other

from ..prep.forms import OptionsForm
from ..prep.rule_effects import ask_effects
from ..prep.rule_rows import RuleRow, view_row

CHANGED = "changed"  # the group of what differs from the book


@dataclass(frozen=True)
class RuleGroup:
    """The house rules under one heading; `elsewhere` of them are changed, and stand in the first group."""

    key: str
    label: str
    icon: str
    rows: tuple[RuleRow, ...]
    elsewhere: int = 0


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
        context |= {"asked": asked, **ask_effects(person_of(request), system, options, asked)}
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


def _view_groups(form: OptionsForm) -> list[RuleGroup]:
    """What is changed, then the other rules by subject."""
    changed, others = list[RuleRow](), list[RuleGroup]()
    for group in form.groups:
        rows = [view_row(form, one) for one in group["fields"]]
        usual = tuple(one for one in rows if not one.book)
        changed += [one for one in rows if one.book]
        others.append(
            RuleGroup(group["key"], group["label"], group["icon"], usual, elsewhere=len(rows) - len(usual))
        )
    first = [RuleGroup(CHANGED, "Changed", "ruling", tuple(changed))] if changed else []
    return first + others
