"""Namesakes told as one: "11 × Street thug", the named before them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from characters.faces import split_name

from .result_shapes import Someone, Standing

T = TypeVar("T")
FEW = 3  # namesakes that are still told one by one are fewer


def gather(people: Sequence[Someone]) -> tuple[Someone, ...]:
    """The named, then each kind of namesakes as one who stands for all: the most first.

    Namesakes are those of one name and side, apart from their numbers.
    """
    groups = _group((split_name(one.name)[0], one.look.tone) for one in people)
    single, many = list[Someone](), list[Someone]()
    for members in _take(people, groups):
        if len(members) < FEW:
            single += members
        else:
            many.append(_stand_for(members))
    single.sort(key=lambda one: bool(split_name(one.name)[1]))
    return (*single, *sorted(many, key=lambda one: -one.count))


def count_names(names: Sequence[str]) -> list[str]:
    """Names for a sentence: the named, then "11 × Street thug" for namesakes of three or more."""
    groups = _take(names, _group(split_name(name)[0] for name in names))
    single = [name for members in groups if len(members) < FEW for name in members]
    many = [members for members in groups if len(members) >= FEW]
    return [*single, *(f"{len(each)} × {split_name(each[0])[0]}" for each in many)]


def part(
    things: Sequence[T], names: Sequence[Hashable], together: Collection[Hashable] = ()
) -> list[list[T]]:
    """Things in lists by their names: three or more of one name together, all others alone.

    Those whose name is one of `together` are in one list however few they are.
    """
    found: list[list[T]] = []
    for places in _group(names):
        members = [things[place] for place in places]
        is_list = len(members) >= FEW or names[places[0]] in together
        found += [members] if is_list else [[one] for one in members]
    return found


def _group(keys: Iterable[Hashable]) -> list[list[int]]:
    """The places of equal keys, in the order of the first of each."""
    places: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return list(places.values())


def _take(things: Sequence[T], groups: list[list[int]]) -> list[list[T]]:
    return [[things[place] for place in group] for group in groups]


def _stand_for(members: Sequence[Someone]) -> Someone:
    """One for all of them, with how many are in which state."""
    states = Counter(_find_state(one) for one in members)
    first = members[0]
    return replace(
        first,
        name=split_name(first.name)[0],
        look=replace(first.look, badge=""),
        id="",
        count=len(members),
        states=tuple(Standing(word, tone, number) for (word, tone), number in states.most_common() if word),
        members=tuple(members),
    )


def _find_state(one: Someone) -> tuple[str, str]:
    if one.given_up:
        return "surrendered", ""
    return (one.health.word.lower(), one.health.tone) if one.health.shown else ("", "")
