"""Shapes: what templates get."""

from __future__ import annotations

import msgspec


class Shape(msgspec.Struct, frozen=True, array_like=True):
    """Values for a template, which never change.

    A page makes hundreds of shapes, and these are made faster than dataclasses. The cache keys of regions
    are made of their values alone, without the names of their fields.
    """
