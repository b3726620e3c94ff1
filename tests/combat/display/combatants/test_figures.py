"""Figures: each part has shape, hatching and word; a foe's show no more than the table tells of health."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from django.template.loader import render_to_string

from characters.display.figures import HATCHES, OUTLINES, FigureView, draw_figure, outline_of_box
from combat.audience.secrecy import obscure_health
from combat.audience.viewer import GM, Viewer
from combat.display.combatants.cards import Figures
from combat.rules.core.declaration.characters import Track
from combat.rules.core.declaration.parts import Figure, Look, Part, round_to_quarter
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import Combatant, State, replace
from tests.combat.rules import tiny
from tests.combat.rules.games import set_up
from tests.typed import sure

WORDS = ("health.fresh", "health.hurt", "health.badly_hurt", "health.near_the_end", "health.down")
MAX_HITS = 6


def make_figure(state: State, combatant: Combatant) -> Figure:
    now = combatant.tracks["hits"]
    level = 4 - max(0, min(4, 4 * now // MAX_HITS))
    strike = ("strike", {"target": ""})
    head = Part(
        key="head", label="Head", now=now, most=MAX_HITS, level=level, word=WORDS[level],
        armor="armor 2", text="It matters.", rule="TINY-STR-01", track="hits", actions=(strike,),
    )  # fmt: skip
    arm = Part(key="left_arm", label="Left arm", now=3, most=3, word=WORDS[0], track="arm")
    return Figure(shape="human", title="Body", parts=(head, arm))


SYSTEM: System = replace(
    tiny.SYSTEM,
    characters=replace(
        tiny.SYSTEM.characters, tracks=(*tiny.SYSTEM.characters.tracks, Track("arm", "arm", 0))
    ),
    look=Look(figure=make_figure),
)


def begin(shown: str = "word", hits: int = 3) -> State:
    """The made-up duel with its first combatant as a player's, all at this many hits."""
    state = set_up(tiny.SYSTEM).state
    combatants = {
        who: replace(f, pc=number == 0, tracks={**f.tracks, "hits": hits, "arm": 3})
        for number, (who, f) in enumerate(state.combatants.items())
    }
    return replace(state, combatants=combatants, options={**state.options, "foe_health": shown})


def look(state: State, viewer: Viewer, number: int = 1, actor: str = "") -> FigureView | None:
    combatant = list(state.combatants.values())[number]
    return Figures(SYSTEM, state, viewer, actor).view(combatant)


def seat(state: State) -> Viewer:
    return Viewer("seat", frozenset([next(iter(state.combatants))]))


def test_the_gm_and_the_owner_see_everything() -> None:
    state = begin()
    for found in (look(state, GM), look(state, seat(state), 0)):
        assert found
        head = found.parts[0]
        assert (head.number, head.armor, head.text) == ("3 of 6", "armor 2", "It matters.")
        assert head.hatch == "hatch-bad"


def test_hurt_parts_are_named_beside_the_folded_figure() -> None:
    hurt, whole = look(begin(), GM), look(begin(hits=MAX_HITS), GM)
    assert hurt
    assert whole
    assert [one.spoken for one in hurt.hurt] == ["Head: Badly hurt, 3 of 6"]
    assert not whole.hurt


def test_an_enemy_is_a_word_and_no_number() -> None:
    state = begin("word")
    found = sure(look(state, seat(state)))
    head = found.parts[0]
    assert head.word == "Badly hurt"
    assert (head.number, head.armor, head.text, head.rule, head.bar) == ("", "", "", "", None)


def test_an_enemy_is_a_bar_and_no_word() -> None:
    state = begin("bar", hits=4)
    found = sure(look(state, seat(state)))
    head = found.parts[0]
    assert (head.word, head.number, head.armor, head.bar) == ("", "", "", 75)
    assert "about 75% left" in head.spoken


def test_a_bar_is_as_long_as_the_viewer_may_know() -> None:
    """Exact where numbers are told, a quarter where bars are, and none where only a word is."""
    shown = {"owner": look(begin(hits=4), GM)}
    for how in ("bar", "word"):
        state = begin(how, hits=4)
        shown[how] = look(state, seat(state))
    assert {who: sure(found).parts[0].left for who, found in shown.items()} == {
        "owner": 66,
        "bar": 75,
        "word": None,
    }
    bars = {
        who: len(
            [
                one
                for one in render(replace_rules(sure(found))).iter("svg")
                if one.get("class") == "figure-bar"
            ]
        )
        for who, found in shown.items()
    }
    assert bars == {"owner": 2, "bar": 2, "word": 0}


def test_of_an_enemy_nothing_is_drawn_where_nothing_is_told() -> None:
    state = begin("nothing")
    assert look(state, seat(state)) is None
    assert look(state, seat(state), 0), "one's own is always there"
    assert look(state, Viewer()) is None


@pytest.mark.parametrize(
    ("now", "most", "left"), [(6, 6, 100), (5, 6, 100), (3, 6, 50), (1, 6, 25), (0, 6, 0)]
)
def test_bars_tell_quarters(now: int, most: int, left: int) -> None:
    assert round_to_quarter(now, most) == left


def test_odds_for_others_rest_on_parts_as_bad_as_they_look() -> None:
    state = begin("word", hits=4)
    foe = list(state.combatants)[1]
    seen = obscure_health(SYSTEM, state, seat(state))
    assert seen[foe].tracks["arm"] < 3, "a part whose number is not told is at its worse end"
    known = make_figure(seen, seen[foe]).parts[1]
    assert known.word == WORDS[0]
    assert obscure_health(SYSTEM, state, GM) is state


def render(figure: FigureView, **more: Any) -> ET.Element:
    shown = {"figure": figure, "whose": "f1", "slug": "cosmos", "place": "turn", "live": True, **more}
    html = render_to_string("characters/health/figure.html", shown).replace(" data-open>", ' data-open="">')
    html = html.replace(" open ", ' open="" ')
    return ET.fromstring(f"<div>{html}</div>")


def test_a_part_is_told_by_shape_hatching_and_word() -> None:
    state = begin(hits=1)
    found = sure(look(state, GM))
    page = render(replace_rules(found))
    head = next(a for a in page.iter("a") if a.get("id") == "turn-tap-f1-head")
    paths = list(head.iter("path"))
    assert paths[0].get("d") == OUTLINES["human"]["head"]
    assert paths[1].get("fill") == f"url(#{found.parts[0].hatch})"
    assert found.parts[0].word in (head.get("aria-label") or "")
    text = " ".join("".join(page.itertext()).split())
    assert found.parts[0].word in text
    assert "1 of 6" in text


def replace_rules(figure: FigureView) -> FigureView:
    """The figure without rules of the made-up game, which has no page."""
    return replace(figure, parts=tuple(replace(part, rule="") for part in figure.parts))


def test_a_chosen_part_is_open_and_the_others_are_not() -> None:
    state = begin()
    found = sure(look(state, GM))
    page = render(replace_rules(found), part="f1.head")
    opened = [fold.get("id") for fold in page.iter("details") if "open" in fold.attrib]
    assert opened == ["turn-part-f1-head"]


def test_paper_has_a_box_for_every_part_and_nothing_to_tap() -> None:
    state = begin()
    combatant = next(iter(state.combatants.values()))
    found = sure(draw_figure(SYSTEM, state, combatant))
    page = render(replace_rules(found), place="paper", live=False)
    assert not list(page.iter("a"))
    assert not list(page.iter("details"))
    boxes = [one for one in page.iter("span") if one.get("class") == "box"]
    assert len(boxes) == len(found.parts)
    first = " ".join("".join(next(page.iter("li")).itertext()).split())
    assert first.endswith("of 6"), first  # to fill in, of how many


def test_every_level_has_its_own_hatching() -> None:
    page = render_to_string("characters/health/figure_hatches.html")
    for hatch in HATCHES[1:]:
        assert f'id="{hatch}"' in page
    assert len(set(HATCHES)) == len(HATCHES)


def test_a_part_no_shape_knows_gets_a_box_of_its_own() -> None:
    assert len({outline_of_box(number) for number in range(6)}) == 6
    part = Part(key="engine", label="Engine", now=1, most=2)
    four = Figure(shape="", title="Parts", parts=(part,) * 4)
    boxes = replace(SYSTEM, look=Look(figure=lambda state, combatant: four))
    state = begin()
    found = sure(draw_figure(boxes, state, next(iter(state.combatants.values()))))
    assert len({one.outline for one in found.parts}) == 4
    assert found.box == "0 0 100 68"


def test_links_of_an_unchanged_body_follow_viewer_and_options() -> None:
    state = replace(begin("word"), phase="fight")
    mine, foe = list(state.combatants)[:2]
    body = make_figure(state, state[foe])
    system = replace(SYSTEM, look=Look(figure=lambda state, combatant: body))
    ready = replace(state[mine], budget={pool.key: pool.most for pool in SYSTEM.turn.pools})
    combatants = {**state.combatants, mine: ready}
    state = replace(state, active=mine, order=(mine, foe), combatants=combatants)

    def list_links(state: State, viewer: Viewer, who: str, actor: str, usual: str = "") -> list[str]:
        found = sure(Figures(system, state, viewer, actor, usual).view(state[who]))
        return [link.query for link in found.parts[0].links]

    full = list_links(state, GM, foe, mine)
    assert full == [
        f"?combatant={mine}&do=strike&target={foe}",
        f"?combatant={foe}&row=damage&track=hits",
        f"?combatant={foe}&row=heal&track=hits",
    ]
    assert list_links(state, seat(state), foe, mine) == full[:1], "the rest is the GM's"
    assert list_links(state, Viewer(), foe, mine) == []
    assert list_links(state, GM, foe, mine, mine)[0] == f"?do=strike&target={foe}"
    assert list_links(state, GM, mine, mine) == [query.replace(foe, mine) for query in full[1:]]
    assert list_links(state, seat(state), mine, mine) == [], "drawn as for the GM"
    others = replace(state, active=foe)
    assert list_links(others, GM, foe, mine) == full[1:], "it is not their turn"
    assert list_links(state, GM, foe, mine) == full
