"""Cosmos Engine, personal scale: the system declaration.

The core, the pages and the tests know this game only from here.
"""

from __future__ import annotations

from .system import SYSTEM

__all__ = ["SYSTEM"]
