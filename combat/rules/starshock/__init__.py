"""Star Shock: the system declaration.

Everything the core, the pages and the tests need to know of this game is in this folder. The game is by Ben
Kantor; its text, published under CC BY-NC-SA 4.0, is not here: only its mechanics and figures, in our own
words.
"""

from __future__ import annotations

from .system import SYSTEM

__all__ = ["SYSTEM"]
