"""The usual actions come first, then the game's groups, and last the impossible ones with reasons."""

from __future__ import annotations

from msgspec.structs import replace
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import expect

from combat.display.forms.usual_odds import ATTACK
from combat.display.shapes.chips import OtherTarget
from combat.pages.table.action_groups import (
    _is_vain,
    _move_vain,
    make_groups,
    put_spent_last,
    put_vain_last,
    view_action,
)
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import AllOf, Precondition, find_reasons
from combat.rules.core.state.state import State
from tests.combat.markup import Page
from tests.combat.visit import PIRATE, SLUG, ZARA, Visit, state_of
from tests.typed import sure

GAP = 40  # pixels at most between the field of a search and what it finds


def usual(page: Page) -> list[str]:
    """The labels of the first row."""
    row = page.one("section", class_="usual")
    return [page.all("b", inside=link)[0].text[:-2] for link in page.all("a", inside=row, class_="action")]


def test_usual_actions_have_digits_and_stand_in_no_group(visit: Visit) -> None:
    page = visit.page()
    row = page.one("section", class_="usual")
    links = page.all("a", inside=row, class_="action")
    assert [link["data-key"] for link in links] == [str(n) for n in range(1, len(links) + 1)]
    assert usual(page)[0] == "Attack"
    everywhere = [link["id"] for link in page.all("a", class_="action")]
    assert len(everywhere) == len(set(everywhere))


def test_what_was_done_last_leads_the_next_time(visit: Visit) -> None:
    assert "Total Defense" not in usual(visit.page())[:1]
    visit.do("total_defense", combatant=ZARA, dice="app")
    for _ in state_of(visit.pk).order:
        visit.do(find_system(SLUG).actions.advance)
    assert usual(visit.page())[0] == "Total Defense"


def test_way_there_comes_first_where_no_enemy_is_in_reach(visit: Visit) -> None:
    visit.do("hide", target=PIRATE)
    visit.do("remove", target=PIRATE)
    assert "Attack" not in usual(visit.page())
    assert usual(visit.page())[0] == "Move"


def test_fold_not_now_counts_and_explains_impossible_actions(visit: Visit) -> None:
    page = visit.page()
    fold = page.one("details", id="not-now")
    labels = [
        e.text for box in page.all("div", inside=fold, class_="action-off") for e in page.all("a", inside=box)
    ]
    count = int(page.one("summary", inside=fold).text.removeprefix("Not now (").removesuffix(")"))
    assert count == len(labels) > 3
    assert "open" not in fold.attrs
    assert all(
        page.one("small", inside=box).text for box in page.all("div", inside=fold, class_="action-off")
    )


def test_impossible_gm_actions_are_folded_below_the_possible(visit: Visit) -> None:
    page = visit.page()
    panel, fold = page.one("details", id="gm-actions"), page.one("details", id="gm-not-now")
    greyed = page.all("div", inside=panel, class_="action-off")
    assert greyed
    assert all(one.is_in(fold) for one in greyed)
    assert not page.all("a", inside=fold, class_="action")
    assert "open" not in fold.attrs
    inside = [one.attrs.get("id") for one in page.all(inside=panel)]
    links = [one["id"] for one in page.all("a", inside=panel, class_="action")]
    assert inside.index(links[-1]) < inside.index("gm-not-now")


def test_what_several_actions_share_is_checked_once_for_all(visit: Visit) -> None:
    asked: list[str] = []

    def refuse(word: str) -> Precondition:
        def check(_state: State, _actor: str) -> None:
            asked.append(word)
            if word != "free":
                raise Refused("not_allowed", word)

        return check

    free, shared, own = refuse("free"), refuse("shared"), refuse("own")
    state, known = state_of(visit.pk), find_system(SLUG).actions.by_name["attack"]
    checks = (AllOf((free, shared)), AllOf((free, own)), free, AllOf((shared, own)))
    actions = tuple(replace(known, check_now=check) for check in checks)
    assert find_reasons(actions, state, state.active) == ["shared", "own", "", "shared"]
    assert asked == ["free", "shared", "own"]


def test_form_of_an_impossible_action_opens_all_the_same(visit: Visit) -> None:
    page = visit.page(do="reload", combatant=ZARA)
    assert page.one("form", id="form-reload").is_in(page.one("section", id="turn"))


def test_attack_is_two_keys_away_and_actions_are_found_by_name(table: BrowserPage) -> None:
    """Those that a search hides are back in the next turn."""
    page, field = table, table.locator("#filter")
    shown = page.locator("#turn-actions a.action:visible > b")
    field.fill("disarm")
    expect(shown).to_have_text(["Disarm"])
    page.locator("button[value=next_turn]:visible").first.click()
    expect(field).to_have_value("")
    expect(shown.nth(8)).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator("#h-turn")).to_have_text("Zara")
    page.keyboard.press("/")
    page.keyboard.type("disarm")
    expect(page.locator("a.action:visible > b")).to_have_text(["Disarm"])
    place = sure(field.bounding_box())
    found = sure(page.locator("#turn-actions .action-group:visible").first.bounding_box())
    assert 0 <= found["y"] - place["y"] - place["height"] <= GAP, "what is found stands below the field"
    expect(page.locator("#turn-actions summary:visible")).to_have_count(1)
    expect(page.locator("[data-filter-none]")).to_be_hidden()
    field.fill("cake")
    expect(page.get_by_text("No action has these words.")).to_be_visible()
    assert field.bounding_box() == place
    field.fill("disarm")
    page.keyboard.press("Enter")
    expect(page.locator("#form-disarm")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("form.action-form")).to_have_count(0)
    expect(page.locator('a.action[data-key="1"]')).to_be_visible()
    expect(page.locator(".htmx-request, .htmx-settling, .htmx-added")).to_have_count(0)
    page.keyboard.press("1")
    expect(page.locator("#form-attack")).to_be_visible()
    page.locator("#roll-app").click()
    done = page.locator("article.result")
    expect(done.or_(page.locator(".prompt")).first).to_be_visible()  # a critical hit asks for its effect


def test_unaffordable_action_never_leads_even_if_pinned(visit: Visit) -> None:
    system = find_system(SLUG)
    one = replace(state_of(visit.pk)[ZARA], budget={pool.key: 1 for pool in system.turn.pools})
    (spent,) = [pool.key for pool in system.turn.pools if pool.label.startswith(system.action("move").cost)]
    assert put_spent_last(system, one, ("move", "attack")) == ("move", "attack")
    poor = replace(one, budget={**one.budget, spent: 0})
    assert put_spent_last(system, poor, ("move", "attack")) == ("attack", "move")


def test_an_attack_in_vain_stands_in_its_group(visit: Visit) -> None:
    """First in its group, without its key; not if a sheet has it pinned, or if it may hit another."""
    system = find_system(SLUG)
    attack, move, reload = (
        replace(view_action(system.action(name), "", look), key="1", brief="brief")
        for name, look in (("attack", ATTACK), ("move", ""), ("reload", ""))
    )
    vain, own = replace(attack, chance="0"), system.action("attack").group
    folded = replace(vain, key="", brief="")
    for label, lists in ((own, [[folded, reload]]), ("Other", [[reload], [folded]])):
        shown, groups = _move_vain(system, [[vain, move], [reload]], make_groups({label: [reload]}))
        assert shown == [[move], *lists]
        assert [list(group.actions) for group in groups] == lists
        assert [group.label for group in groups] == list(dict.fromkeys((label, own)))
    assert [_is_vain(replace(attack, chance=chance)) for chance in ("0", "", "1")] == [True, False, False]
    bo, cy = OtherTarget("f2", "Bo", "0"), OtherTarget("f3", "Cy", "20")
    others = ((bo,), (bo, cy), (cy, bo))
    assert [_is_vain(replace(vain, others=one)) for one in others] == [True, False, False]
    for kept in (attack, replace(vain, pinned=True), replace(move, chance="0")):
        shown, _ = _move_vain(system, [[kept, move], [reload]], make_groups({own: [reload]}))
        assert shown == [[kept, move], [reload]]
    ordered = put_vain_last([vain, move, replace(reload, chance="0"), replace(attack, chance="5")])
    assert [(one.name, one.key) for one in ordered] == [
        ("move", "1"),
        ("attack", "2"),
        ("attack", "3"),
        ("reload", "4"),
    ]
