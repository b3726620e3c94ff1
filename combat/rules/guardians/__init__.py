"""Cosmic Guardians: the system declaration.

Everything the core, the pages and the tests need to know of this game is in this folder. The mechanics are
those of the page "Combat: Offense and Defense" of realityfault.org, restated in our own words. What the page
lacks, such as weapons and opponents, is our own and can be changed.
"""

from __future__ import annotations

from .system import SYSTEM

__all__ = ["SYSTEM"]
