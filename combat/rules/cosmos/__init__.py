"""Cosmos Engine, personal scale: the system declaration.

Everything the core, the pages and the tests know of this game stands here.
"""

from __future__ import annotations

from .system import SYSTEM

__all__ = ["SYSTEM"]
