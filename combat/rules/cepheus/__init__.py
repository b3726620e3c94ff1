"""Cepheus: a 2d6 game of personal and vehicle combat, in the chapter's full form.

`system.py` declares everything that the core, the pages and the tests need to know of this game. Rules and
figures come from the Open Game Content of its System Reference Document under the Open Game License 1.0a (see
OGL-1.0a.txt and NOTICE), restated in our own words.
"""

from __future__ import annotations

from .system import SYSTEM

__all__ = ["SYSTEM"]
