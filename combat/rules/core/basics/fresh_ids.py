"""Ids of what a GM adds: drawn at random they do not tell how many others there are, also hidden ones.

A program that submits a command draws its seed; the command keeps it, so that a replay makes the same ids.
"""

from __future__ import annotations

from collections.abc import Container
from hashlib import blake2b

FEWEST, MOST = 10**8, 10**9  # of nine digits, so that no numbered id is among them


def make_id(kind: str, seed: str, number: int, taken: Container[str]) -> str:
    """A new id from the seed of a command; without a seed, the one with this number."""
    fresh = f"{kind}{_scatter(seed, number) if seed else number}"
    return make_id(kind, seed, number + 1, taken) if fresh in taken else fresh


def _scatter(seed: str, number: int) -> int:
    digest = blake2b(f"{seed}.{number}".encode(), digest_size=8).digest()
    return FEWEST + int.from_bytes(digest) % (MOST - FEWEST)
