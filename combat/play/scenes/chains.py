"""Chains of walls, simplified until a map can hold them: caves come with thousands of corners.

The work is bounded: a chain is split into pieces, each corner is compared with at most PIECE others, and
how far a wall may move is chosen by counting.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, inf

from combat.rules.core.gm.battle_map import MIN_METERS

Place = tuple[float, float]
Chain = list[Place]
PIECE = 50  # walls of a chain that are simplified together: the work grows with its square
SLACKS = (0.001, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5)  # shares of a cell: how far a wall may move


@dataclass(frozen=True)
class Fitted:
    """Chains that fit, and what was done to them."""

    chains: list[Chain]
    report: tuple[str, ...] = ()


def fit_chains(chains: list[Chain], most: int, cell: float) -> Fitted:
    """The chains with at most `most` walls, moved as little as possible; else only the longest ones.

    Walls too short for a map are left out, and their neighbours meet.
    """
    count = sum(len(chain) - 1 for chain in chains)
    fitted, told = _fit(chains, most, cell, count)
    kept = [_join_short(chain) for chain in fitted]
    if short := sum(map(len, fitted)) - sum(map(len, kept)):
        told = (*told, f"Left out: {_count_pieces(short)} shorter than {MIN_METERS * 100:g} cm.")
    return Fitted([chain for chain in kept if len(chain) > 1], told)


def _fit(chains: list[Chain], most: int, cell: float, count: int) -> tuple[list[Chain], tuple[str, ...]]:
    """The simplified chains with at most `most` walls in all, and what was done to them."""
    straight = [simplify(chain, SLACKS[0] * cell) for chain in chains]
    ranked = [(chain, find_slacks(chain)) for chain in straight if len(chain) > 1]
    for slack in SLACKS:
        left = sum(sum(stays > slack * cell for stays in slacks) - 1 for _, slacks in ranked)
        if left <= most:
            break
    simpler = [_keep(chain, slacks, slack * cell) for chain, slacks in ranked]
    if left > most:
        told = f"Left out: {_count_pieces(left - most)}, the shortest first. A map has up to {most}."
        return list(_keep_longest(simpler, most)), (told,)
    if slack == SLACKS[0]:
        return simpler, ()
    moved = round(slack * cell, 2)
    return simpler, (f"Simplified: {_count_pieces(count)} became {left}, moved by up to {moved:g} m.",)


def _keep_longest(chains: list[Chain], room: int) -> Iterator[Chain]:
    """The longest chains, up to `room` walls in all."""
    for chain in sorted(chains, key=lambda chain: -_total_length(chain)):
        if room <= 0:
            return
        yield chain[: room + 1]
        room -= len(chain) - 1


def _join_short(chain: Chain) -> Chain:
    """The chain without corners too close to the one before; its ends stay in place."""
    kept = chain[:1]
    for place in chain[1:]:
        if _is_apart(kept[-1], place):
            kept.append(place)
    while len(kept) > 1 and not _is_apart(kept[-1], chain[-1]) and kept[-1] != chain[-1]:
        kept.pop()
        if _is_apart(kept[-1], chain[-1]):
            kept.append(chain[-1])
    return kept


def _is_apart(one: Place, other: Place) -> bool:
    """Whether a wall from one place to another is long enough for a map."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) >= MIN_METERS


def _count_pieces(number: int) -> str:
    return f"{number} piece{'' if number == 1 else 's'} of wall"


def _total_length(chain: Chain) -> float:
    return sum(hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairwise(chain))


def simplify(chain: Chain, slack: float) -> Chain:
    """The chain without corners within `slack` meters of the rest (Douglas and Peucker)."""
    return _keep(chain, find_slacks(chain), slack)


def _keep(chain: Chain, slacks: list[float], slack: float) -> Chain:
    """The corners that stay if walls may move by `slack` meters, without repeats in a row."""
    corners = [place for place, stays in zip(chain, slacks, strict=True) if stays > slack]
    return [place for number, place in enumerate(corners) if not number or place != corners[number - 1]]


def find_slacks(chain: Chain) -> list[float]:
    """For each corner, how far walls may move (meters) before it is dropped; ends of pieces always stay."""
    slacks = [inf] * len(chain)
    last = len(chain) - 1
    waiting = [(at, min(at + PIECE, last), inf) for at in range(0, last, PIECE)]
    while waiting:
        first, end, most = waiting.pop()
        if end - first < 2:
            continue
        away, at = _farthest_corner(chain, first, end)
        stays = min(away, most)
        slacks[at] = stays
        waiting += [(first, at, stays), (at, end, stays)]
    return slacks


def _farthest_corner(chain: Chain, first: int, last: int) -> tuple[float, int]:
    """The distance of the farthest corner between two others from the line between those, and its number."""
    (x, y), (end_x, end_y) = chain[first], chain[last]
    across, down = end_x - x, end_y - y
    square = across * across + down * down or 1.0
    best, at = -1.0, first + 1
    for number in range(first + 1, last):
        right, low = chain[number]
        right, low = right - x, low - y
        share = (right * across + low * down) / square
        share = 0.0 if share < 0 else 1.0 if share > 1 else share
        right, low = right - share * across, low - share * down
        away = right * right + low * low
        if away > best:
            best, at = away, number
    return best**0.5, at
