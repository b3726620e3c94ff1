"""Totals of several sheets side by side: which skill words mean, and what each adds."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from characters.access import TRACKS
from characters.display.sheet_view import view_stat
from characters.display.totals import (
    _names,
    find_against,
    find_stats,
    find_total,
    list_stats,
    list_trained,
    rest,
    try_sheet,
)
from characters.games import plan_of
from combat.rules import SYSTEMS, find_system
from combat.rules.core.sheets.sheets import blank_draft

GAMES = [slug for slug in SYSTEMS if find_system(slug).book.sheets]
WITH_SKILLS = [slug for slug in GAMES if any(stat.offers for stat in plan_of(find_system(slug)).skills)]


@pytest.mark.parametrize(
    ("label", "wanted", "means"),
    [
        ("medicine", "i use medicine on it", True),
        ("medicine", "med", True),
        ("medicine", "xmed", False),
        ("medicine", "me", False),
        ("jack of all trades", "trades", True),
        ("jack of all trades", "trade", False),
        ("athletics", "run and athl", True),
        ("athletics", "run and jump", False),
    ],
)
def test_words_mean_what_they_name_or_begin(label: str, wanted: str, means: bool) -> None:
    parts = [word for word in wanted.split() if len(word) >= 3]
    assert _names(label, wanted, parts) == means


@pytest.mark.parametrize("slug", GAMES)
def test_the_whole_name_means_that_skill_alone(slug: str) -> None:
    system = find_system(slug)
    stats = list_stats(system)
    labels = [stat.label.casefold() for stat in stats]
    for stat in stats:
        same = [one for one, label in zip(stats, labels, strict=True) if label == stat.label.casefold()]
        assert list(find_stats(system, stat.label.upper())) == same


@pytest.mark.parametrize("slug", WITH_SKILLS)
def test_each_total_is_that_of_the_best_check(slug: str) -> None:
    """By which attribute, where there are several; learned or not."""
    system = find_system(slug)
    plan = plan_of(system)
    draft = blank_draft(plan)
    skill = next(stat for stat in plan.skills if stat.offers)
    learned = {**draft.skills, skill.key: skill.step(draft.skills.get(skill.key, skill.usual), 1)}
    ada, bo = (
        try_sheet(system, name, plan.write({}, one))
        for name, one in (("Ada", draft), ("Bo", replace(draft, skills=learned)))
    )
    assert list_trained(system, [ada]) == []
    assert list_trained(system, [ada, bo]) == list_trained(system, [bo]) == [skill]
    for tried in (ada, bo):
        for stat in list_stats(system):
            view = view_stat(system, tried.state, stat, tried.values.get(stat.key, stat.usual))
            found = find_total(system, tried, stat)
            if view.best is None or view.best.total is None:
                assert found is None
                continue
            assert found
            assert (found.number, found.shown, found.chance) == (view.best.total, view.best.shown, "")
            assert found.via == (view.best.label if len(stat.offers) > 1 else "")
            assert found.is_trained == (tried.values.get(stat.key, stat.usual) != stat.usual)
    against = {find_against(system, offer.action) for stat in list_stats(system) for offer in stat.offers}
    assert against <= {"tn", "difficulty", ""}
    assert find_against(system, "cake") == ""


def test_wounds_are_no_part_of_what_is_compared() -> None:
    name = next(iter(TRACKS))
    assert rest({"name": "Ada", name: 7}) == {"name": "Ada", name: 0}
    assert rest({"name": "Ada"}) == {"name": "Ada"}
