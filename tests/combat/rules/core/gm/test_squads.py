"""The GM forms and splits squads: who may be one, what they are called, and what everyone reads."""

from __future__ import annotations

from string import ascii_uppercase

import pytest

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import MAX_LENGTH
from combat.rules.core.gm.squads import name_squad
from combat.rules.core.state.events import EVERYONE, InitiativeSet, OrderSet
from combat.rules.core.state.state import encode, replace
from combat.rules.core.turn.squads import SQUAD, find_members, find_others, list_squads, share_harm
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Script, Stage


def join(stage: Stage, count: int = 3, name: str = "Thug", **more: str) -> list[str]:
    """Let Brawlers of this name join the fight; return their ids."""
    before = set(stage.state.combatants)
    dice = [(3,)] * count if stage.state.phase == "fight" else []
    stage.do("join", block="brawler", name=name, count=count, dice=dice, side="enemies", **more)
    return [who for who in stage.state.combatants if who not in before]


def refuse(stage: Stage, *people: str, **more: str) -> str:
    return stage.refused("join_squad", targets=list(people), **more).message


def test_squad_is_named_after_its_people_and_everyone_reads_it(duel: Stage) -> None:
    first, second = join(duel), join(duel, 2)
    duel.do("join_squad", targets=first)
    assert read_log(duel)[0] == "Thug 1, Thug 2 and Thug 3 act as one: Thug squad A."
    duel.do("join_squad", targets=second)
    assert list_squads(duel.state) == {
        ("Thug squad A", "enemies"): tuple(first),
        ("Thug squad B", "enemies"): tuple(second),
    }
    assert find_members(duel.state, first[1]) == tuple(first)
    assert [one.id for one in find_others(duel.state, duel[first[1]])] == [first[0], first[2]]
    assert find_members(duel.state, "f1") == ()
    duel.do("split_squad", target=second[1])
    assert read_log(duel)[0] == "Thug 4 and Thug 5 act on their own again: Thug squad B is split."
    assert list(list_squads(duel.state)) == [("Thug squad A", "enemies")]
    assert SQUAD not in duel[second[0]].marks


def test_more_join_a_squad_and_it_keeps_its_name(duel: Stage) -> None:
    people = join(duel, 4)
    duel.do("join_squad", targets=people[:2])
    duel.do("join_squad", targets=people)
    assert list_squads(duel.state) == {("Thug squad A", "enemies"): tuple(people)}
    assert name_squad(duel.state, tuple(people[:2])) == "Thug squad B"


def test_a_squad_has_one_score_and_one_place(duel: Stage) -> None:
    people = join(duel)
    duel.edit(people[1], initiative=9)
    duel.edit(people[2], initiative=None)
    a, b, c = people
    duel.state = replace(duel.state, order=(a, "f1", b, "f2", c, "f3"))
    facts = duel.do("join_squad", targets=people)
    assert duel.state.order == (a, b, c, "f1", "f2", "f3")
    assert [fact.event.who for fact in facts if isinstance(fact.event, InitiativeSet)] == [a]
    assert [duel[who].initiative for who in people] == [9, 9, None]
    assert all(fact.to != EVERYONE for fact in facts if isinstance(fact.event, OrderSet | InitiativeSet))
    duel.do("reorder", target=b, after="f3")
    assert duel.state.order == (a, c, b, "f1", "f2", "f3")


def test_who_cannot_be_a_squad_is_told_why_and_nothing_changes(duel: Stage) -> None:
    (first, second), before = join(duel, 2), duel.state
    assert refuse(duel, first) == "A squad has two or more: select another combatant."
    assert refuse(duel, first, first) == "A squad has two or more: select another combatant."
    duel.edit(second, pc=True)
    assert refuse(duel, first, second) == "Someone plays Thug 2: select only NPCs."
    duel.edit(second, pc=False, side="others")
    assert refuse(duel, first, second) == "Thug 2 is on another side: select one side."
    duel.edit(second, side="enemies", sheet={**duel[second].sheet, "other": 1})
    assert refuse(duel, first, second) == "Thug 2 has another sheet than Thug 1: select one kind."
    duel.state = before
    assert refuse(duel) == "Select combatants first."
    assert (
        duel.refused("split_squad", target=first).message == "Thug 1 is in no squad: select one of a squad."
    )
    duel.do("join_squad", targets=[first, second], name="Two")
    assert refuse(duel, second, first) == "They are a squad already: split it first."
    fourth, fifth = join(duel, 2)
    assert refuse(duel, fourth, fifth, name="Two") == "There is a squad “Two” already: enter another name."
    assert encode(duel.state) != encode(before)


def test_all_of_a_squad_may_take_its_name_again(duel: Stage) -> None:
    people = join(duel, 3)
    duel.do("join_squad", targets=people[:2])
    assert name_squad(duel.state, tuple(people)) == "Thug squad A"
    assert name_squad(duel.state, tuple(people[:2])) == "Thug squad A"
    assert name_squad(duel.state, tuple(people[1:])) == "Thug squad B", "one of its squad would stay"
    duel.do("join_squad", targets=people)
    assert list_squads(duel.state) == {("Thug squad A", "enemies"): tuple(people)}


def test_a_squad_is_called_after_the_first_of_those_chosen(duel: Stage) -> None:
    guards, thugs = join(duel, 2, "Guard"), join(duel, 2)
    assert name_squad(duel.state, (guards[0], thugs[0])) == "Guard squad A"
    duel.do("join_squad", targets=[guards[0], thugs[0]])
    assert list(list_squads(duel.state)) == [("Guard squad A", "enemies")]


def test_squads_are_told_apart_by_two_letters_after_z(duel: Stage) -> None:
    people = join(duel, 2)
    for number, letter in enumerate(ascii_uppercase):
        mates = join(duel, 2)
        assert name_squad(duel.state, tuple(mates)) == f"Thug squad {letter}", number
        duel.do("join_squad", targets=mates)
    assert name_squad(duel.state, tuple(people)) == "Thug squad AA"
    long = join(duel, 2, "T" * MAX_LENGTH)
    assert len(name_squad(duel.state, tuple(long))) == MAX_LENGTH - 1


def share(stage: Stage, who: str, points: int, most: int) -> tuple[int, int, str]:
    return share_harm(context_of(stage), who, points, most)


def context_of(stage: Stage) -> RuleContext:
    return RuleContext(stage.system, stage.state, Script(()))


def knock_down(stage: Stage, who: str) -> None:
    stage.do("adjust", target=who, track="hits", to=0)
    assert stage.has(who, "down")


@pytest.mark.parametrize(
    ("points", "most", "shares"),
    [
        (3, 1, (1, 2, "mate")),
        (2, 1, (1, 1, "mate")),
        (3, 0, (3, 0, "")),
        (3, -1, (3, 0, "")),
        (3, 3, (3, 0, "")),
        (3, 4, (3, 0, "")),
        (0, 0, (0, 0, "")),
    ],
)
def test_what_is_beyond_the_most_is_for_a_mate_who_stands(
    duel: Stage, points: int, most: int, shares: tuple[int, int, str]
) -> None:
    first, mate, _ = people = join(duel)
    duel.do("join_squad", targets=people)
    bears, over, taker = shares
    assert share(duel, first, points, most) == (bears, over, mate if taker else "")


def test_the_last_who_stands_bears_all_and_who_is_alone_too(duel: Stage) -> None:
    first, second, third = people = join(duel)
    assert share(duel, first, 3, 1) == (3, 0, "")
    duel.do("join_squad", targets=people)
    assert share_harm(context_of(duel), first, 3, 1, (second,)) == (1, 2, third)
    assert share_harm(context_of(duel), first, 3, 1, (second, third)) == (3, 0, "")
    knock_down(duel, second)
    assert share(duel, first, 3, 1) == (1, 2, third)
    assert share(duel, third, 3, 1) == (1, 2, first)
    knock_down(duel, third)
    assert share(duel, first, 3, 1) == (3, 0, "")


@pytest.mark.parametrize("gone", [1, 2])
def test_who_leaves_leaves_the_squad_and_one_alone_is_none(duel: Stage, gone: int) -> None:
    people = join(duel)
    duel.do("join_squad", targets=people)
    duel.do("remove_each", targets=people[:gone])
    left = tuple(people[gone:])
    assert find_members(duel.state, people[2]) == (left if gone == 1 else ())
