"""A player's form: the usual choice, one line of odds, and everything else behind a fold."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Seat
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.state.state import present
from tests.combat.cast import come
from tests.combat.markup import Element, Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import Visit, begun, load, questions, read, state_of


def sit_at(pk: int) -> tuple[Client, str]:
    """A player with the first hero, and that hero."""
    hero = next(one.id for one in present(state_of(pk)) if one.pc)
    return come(load(pk), "play", "Pia", hero), hero


def names_in(page: Page) -> set[str]:
    """The names of all fields of the open form."""
    form = page.one("form", class_="action-form")
    tags = ("input", "select", "textarea")
    return {field["name"] for tag in tags for field in page.all(tag, inside=form)}


def is_folded(element: Element) -> bool:
    """Whether it lies in a closed fold."""
    return any(parent.tag == "details" and "open" not in parent.attrs for parent in element.parents)


@pytest.mark.slow
@every_slug
def test_players_and_gm_have_the_same_fields_and_rules(gm: User, gm_client: Client, slug: str) -> None:
    """Folding loses neither a choice nor a citation."""
    pk = begun(gm, slug).pk
    client, hero = sit_at(pk)
    links = read(client.get(f"/encounters/{pk}/?combatant={hero}")).all("a")
    actions = [one["href"].partition("do=")[2] for one in links if one.attrs.get("id", "").startswith("act-")]
    seated, master = Visit(client, pk), Visit(gm_client, pk)
    for visit in (seated, master):
        visit.stay()
    opened = [f"?combatant={hero}&do={action}" for action in dict.fromkeys(actions)]
    compared = 0
    for href in opened:
        mine, whole = (read(one.get(href)) for one in (seated, master))
        if not mine.all("form", class_="action-form"):
            continue
        compared += 1
        assert names_in(mine) == names_in(whole), href
        rules = [
            {link["href"] for link in page.all("a", class_="rule", inside=page.one(class_="action-form"))}
            for page in (mine, whole)
        ]
        assert rules[0] == rules[1], href
    assert compared or slug == "starshock"


def test_only_the_usual_choice_is_in_sight(visit: Visit) -> None:
    client, hero = sit_at(visit.pk)
    page = read(client.get(f"{visit.here}?combatant={hero}&do=attack"))
    form = page.one("form", class_="action-form")
    fields = [*page.all("select", inside=form), *page.all("input", inside=form)]
    shown = {field["name"] for field in fields if field["type"] != "hidden" and not is_folded(field)}
    assert shown - {""} == {"target", "weapon"}  # and the line that opens these on a phone
    (line,) = page.all("p", class_="odds-main")
    assert line.text.startswith("97% to succeed")
    assert not is_folded(line)
    assert all(is_folded(one) for one in page.all("ul", class_="mods", inside=form))


def test_fold_is_open_where_something_in_it_is_unusual(visit: Visit) -> None:
    client, hero = sit_at(visit.pk)
    usual = read(client.get(f"{visit.here}?combatant={hero}&do=attack")).one("details", id="fold")
    other = read(client.get(f"{visit.here}?combatant={hero}&do=attack&attacks=2")).one("details", id="fold")
    assert ("open" in usual.attrs, "open" in other.attrs) == (False, True)


def test_player_who_attacks_reads_who_is_asked_and_the_odds(gm: User, gm_client: Client) -> None:
    """An attack at +2 hits on 6 of two dice: 72%. The one asked and the GM have the answers instead."""
    pk = begun(gm, "cepheus").pk
    state = state_of(pk)
    actor = state[state.active]
    target = next(each for each in state.combatants.values() if each.side != actor.side)
    attacker, attacked = (come(load(pk), "play", name) for name in ("Ada", "Bo"))
    for name, who in (("Ada", actor), ("Bo", target)):
        Seat.objects.filter(name=name).update(combatants=[who.id])
    weapon = next(item.id for item in actor.items if item.place == "held")
    submit(pk, Submission("attack", {"actor": actor.id, "target": target.id, "weapon": weapon}))
    assert questions(pk)
    card = read(attacker.get(f"/encounters/{pk}/")).one("section", id="prompt")
    item = next(item.name for item in actor.items if item.id == weapon)
    deed = f"{actor.name} → {target.name} · {item}"
    assert card.text == f"→ Attack {deed} 72% to succeed {target.name} decides"
    for client in (attacked, gm_client):
        page = read(client.get(f"/encounters/{pk}/"))
        lines = page.all("p", class_="odds-main", inside=page.one("section", id="prompt"))
        assert lines
        assert all(line.text.endswith("to be hit") for line in lines)


def test_card_promises_nothing_once_dice_fell(gm: User) -> None:
    pk = begun(gm).pk
    client, hero = sit_at(pk)
    foe = next(one.id for one in present(state_of(pk)) if not one.pc)
    weapon = next(item.id for item in state_of(pk)[hero].items if item.place == "held")
    submit(pk, Submission("attack", {"actor": hero, "target": foe, "weapon": weapon}, typed=True))
    assert questions(pk)
    assert not read(client.get(f"/encounters/{pk}/")).all("p", class_="odds-main")
