"""The published schemas: what is exported fits them, and what they refuse is no document."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from django.core.management import CommandError, call_command

from characters.exchange.documents import Document as Characters
from characters.exchange.documents import Exported
from combat.management.commands.schema import KINDS, find_schema
from combat.rules import SYSTEMS, find_system
from tests.combat.rules.stored import every_fight


def check(kind: str, plain: Any) -> list[str]:
    """What a document has against its schema."""
    return [e.message for e in jsonschema.Draft202012Validator(find_schema(kind)).iter_errors(plain)]


@pytest.mark.parametrize("kind", KINDS)
def test_schema_is_one(kind: str) -> None:
    out = StringIO()
    call_command("schema", kind, stdout=out)
    jsonschema.Draft202012Validator.check_schema(json.loads(out.getvalue()))


def test_other_kind_is_refused() -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("schema", "starship")


@pytest.mark.slow
@every_fight
def test_stored_fight_fits(path: Path) -> None:
    plain = json.loads(path.read_bytes())
    assert check("encounter", plain) == []
    assert check("encounter", {**plain, "steps": [{"number": "one"}]})
    assert check("encounter", {k: v for k, v in plain.items() if k != "start"})


@pytest.mark.parametrize("slug", list(SYSTEMS))
def test_every_block_of_the_library_fits_its_games_sheet(slug: str) -> None:
    sheets = [block.sheet for block in find_system(slug).find_blocks().values()]
    assert sheets
    assert [problem for sheet in sheets for problem in check(f"sheet:{slug}", sheet)] == []
    assert check(f"sheet:{slug}", {**sheets[0], "wings": 2})


def test_document_of_characters_fits() -> None:
    made = Characters("cosmos-table-characters", 1, (Exported("cosmos", "Zara", {"attributes": {}}),))
    plain = msgspec.to_builtins(made)
    assert check("characters", json.loads(json.dumps(plain))) == []
    assert check("characters", {**plain, "characters": []})
