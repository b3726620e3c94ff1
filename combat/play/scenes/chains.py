"""Chains of walls, made simpler until a map can hold them: caves come with thousands of corners."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import hypot

Place = tuple[float, float]
Chain = list[Place]
PIECE = 500  # walls of a chain that are looked at together
SLACKS = (0.001, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5)  # shares of a cell: how far a wall may move


@dataclass(frozen=True)
class Fitted:
    """Chains that fit, and what was done to them."""

    chains: list[Chain]
    report: tuple[str, ...] = ()


def fit_chains(chains: list[Chain], most: int, cell: float) -> Fitted:
    """The chains with at most so many walls, moved as little as that needs; else only the longest ones."""
    count = sum(len(chain) - 1 for chain in chains)
    chains = [chain[at : at + PIECE + 1] for chain in chains for at in range(0, len(chain) - 1, PIECE)]
    for slack in SLACKS:
        simpler = [simplify(chain, slack * cell) for chain in chains]
        simpler = [chain for chain in simpler if len(chain) > 1]
        left = sum(len(chain) - 1 for chain in simpler)
        if left <= most:
            moved = round(slack * cell, 2)
            told = f"Simplified: {_count_pieces(count)} became {left}, moved by up to {moved:g} m."
            return Fitted(simpler, (told,) if slack > SLACKS[0] else ())
    kept: list[Chain] = []
    room = most
    for chain in sorted(simpler, key=lambda chain: -_find_length(chain)):
        kept.append(chain[: room + 1])
        room -= len(kept[-1]) - 1
        if room <= 0:
            break
    told = f"Left out: {_count_pieces(left - most)}, the shortest first. A map has up to {most}."
    return Fitted([chain for chain in kept if len(chain) > 1], (told,))


def _count_pieces(number: int) -> str:
    return f"{number} piece{'' if number == 1 else 's'} of wall"


def _find_length(chain: Chain) -> float:
    return sum(hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairwise(chain))


def simplify(chain: Chain, slack: float) -> Chain:
    """The chain without corners that are at most so many metres from what is left (Douglas and Peucker)."""
    kept = {0, len(chain) - 1}
    waiting = [(0, len(chain) - 1)]
    while waiting:
        first, last = waiting.pop()
        far, at = slack, 0
        for number in range(first + 1, last):
            if (away := _find_distance(chain[number], chain[first], chain[last])) > far:
                far, at = away, number
        if at:
            kept.add(at)
            waiting += [(first, at), (at, last)]
    corners = [chain[number] for number in sorted(kept)]
    return [place for number, place in enumerate(corners) if not number or place != corners[number - 1]]


def _find_distance(place: Place, a: Place, b: Place) -> float:
    """Metres from a place to the line between two others."""
    across, down = b[0] - a[0], b[1] - a[1]
    square = across * across + down * down
    share = ((place[0] - a[0]) * across + (place[1] - a[1]) * down) / square if square else 0.0
    share = min(1.0, max(0.0, share))
    return hypot(place[0] - a[0] - share * across, place[1] - a[1] - share * down)
