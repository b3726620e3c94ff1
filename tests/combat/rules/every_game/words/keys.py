"""Keys of words in code: which keys it uses, and with what values it fills them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

import msgspec

from combat.rules.core.basics.words import KEY, load_words
from combat.rules.core.declaration.system import CORE_WORDS, System, _find_declared

CORE = CORE_WORDS.parent
APP = CORE.parents[1]
ROOT = APP.parent
TOLD = (ast.Call, ast.Constant, ast.Expr, ast.JoinedStr)  # the nodes that tell of keys
FILLERS = {"say": 0, "write": 0, "either": 0, "overrule": 1}  # the key's place among the arguments


class Use(msgspec.Struct, frozen=True):
    """A key in code: a pattern of it, its place, and its filling if that can be seen."""

    pattern: str
    place: str
    filled: frozenset[str] | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the whole key is in the code."""
        return KEY.fullmatch(self.pattern) is not None

    def fits(self, key: str) -> bool:
        """Whether the key is, or may be, this one."""
        return key == self.pattern if self.is_plain else re.fullmatch(self.pattern, key) is not None


def find_sections(words: Iterable[str]) -> frozenset[str]:
    """What the keys of a catalog begin with."""
    return frozenset(key.partition(".")[0] for key in words)


def find_missing(keys: Iterable[str], uses: Iterable[Use]) -> list[str]:
    """The keys that no use is, nor may be."""
    uses = list(uses)
    plain = {use.pattern for use in uses if use.is_plain}
    patterns = [re.compile(pattern) for pattern in {use.pattern for use in uses if not use.is_plain}]
    return sorted(key for key in keys if key not in plain and not any(p.fullmatch(key) for p in patterns))


def own_words(system: System) -> dict[str, str]:
    """The texts of a game's own words.toml."""
    path = system.folder / "words.toml"
    return load_words(path) if path.exists() else {}


def core_words() -> dict[str, str]:
    """The texts of the core's words.toml."""
    return load_words(CORE_WORDS)


def declared_words(system: System) -> dict[str, str]:
    """A game's declared texts, by key."""
    return _find_declared(system)


def find_uses(folder: Path) -> tuple[Use, ...]:
    """Every key of words in the modules of a folder."""
    return tuple(use for path in sorted(folder.rglob("*.py")) for use in _find_in_file(path))


@cache
def _find_in_file(path: Path) -> tuple[Use, ...]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple(_find_in(tree, path.relative_to(ROOT)))


def _find_in(tree: ast.AST, path: Path) -> Iterator[Use]:
    nodes = [node for node in ast.walk(tree) if isinstance(node, TOLD)]
    words = {id(text) for text in _find_docstrings(nodes)} | {id(part) for part in _find_parts(nodes)}
    for node in nodes:
        if isinstance(node, ast.Call):
            words |= {id(key) for key in _find_key_nodes(node)}
            yield from _read_call(node, f"{path}:{node.lineno}")
    for node in nodes:
        if id(node) in words:
            continue
        if isinstance(node, ast.Constant) and _is_key(node.value):
            yield Use(node.value, f"{path}:{node.lineno}")
        if isinstance(node, ast.JoinedStr) and (pattern := _read_pattern(node)):
            yield Use(pattern, f"{path}:{node.lineno}")


def _is_key(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(KEY.fullmatch(value)) and not value.endswith(".toml")


def _find_docstrings(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def _find_parts(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The texts inside f-strings: parts of keys, not keys."""
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield from node.values


def _name_of(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _find_key_nodes(node: ast.Call) -> list[ast.Constant]:
    """The constants that hold the key of a call with a visible filling."""
    name = _name_of(node)
    at = 0 if name == "Said" else FILLERS.get(name, -1)
    if at < 0 or len(node.args) <= at:
        return []
    key = node.args[at]
    parts = [key.body, key.orelse] if isinstance(key, ast.IfExp) else [key]
    return [part for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def _read_call(node: ast.Call, place: str) -> Iterator[Use]:
    """The keys of a call to `say`, `overrule`, `Said` or a pen, with their filling."""
    name = _name_of(node)
    filled = _find_filled(node, name)
    for constant in _find_key_nodes(node):
        key = str(constant.value)
        if name in ("write", "either"):
            if not re.fullmatch(r"[a-z_]+", key):
                continue
            key = f"log.{key}"
        if KEY.fullmatch(key):
            yield Use(key, place, filled)
        if name == "either":
            yield Use(f"{key}_why", place, None if filled is None else filled | {"why"})


def _find_filled(node: ast.Call, name: str) -> frozenset[str] | None:
    """The placeholders that a call fills; None if that cannot be seen."""
    if any(word.arg is None for word in node.keywords):
        return None
    words = {word.arg: word.value for word in node.keywords if word.arg}
    if name == "overrule":
        return frozenset(("who", *words))
    if name != "Said":
        return frozenset(words)
    args = words.get("args", node.args[3] if len(node.args) > 3 else None)
    if args is None:
        return frozenset(("who", "target"))
    if not isinstance(args, ast.Dict):
        return None
    keys = [str(key.value) for key in args.keys if isinstance(key, ast.Constant)]
    return frozenset(("who", "target", *keys)) if len(keys) == len(args.keys) else None


def _read_pattern(node: ast.JoinedStr) -> str:
    """The keys that an f-string may make, if it begins with a section."""
    first = node.values[0]
    if not isinstance(first, ast.Constant) or not re.match(r"[a-z][a-z0-9_]*\.", str(first.value)):
        return ""
    parts: list[Any] = [
        re.escape(str(v.value)) if isinstance(v, ast.Constant) else r"[\w.-]+" for v in node.values
    ]
    pattern = "".join(parts)
    return pattern if re.fullmatch(r"[\w.\\+\[\]-]+", pattern) else ""
