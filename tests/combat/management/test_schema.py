"""The published schemas: exports fit them, and what they refuse is no document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from characters.exchange.documents import Document as Characters
from characters.exchange.documents import Exported
from characters.services.character_service import create
from combat.management.commands.schema import KINDS, find_schema
from combat.models import Encounter, ShareLink
from combat.pages.table.stream import HELLO
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import create_encounter, undo
from combat.rules import SYSTEMS, find_system
from combat.sharing.links import make_link
from tests.combat.cast import come
from tests.combat.rules.games import every_slug
from tests.combat.rules.stored import every_fight
from tests.combat.visit import play


def check_by_tag(validator: Any, branches: list[Any], instance: Any, schema: Any) -> Iterator[Any]:
    """`anyOf` of tagged records: only the branch that the tag names can fit, and it is checked alone."""
    told = schema.get("discriminator", {})
    tag = instance.get(told.get("propertyName")) if isinstance(instance, dict) else None
    named = told.get("mapping", {}).get(tag) if isinstance(tag, str) else None
    if named:
        yield from validator.descend(instance, {"$ref": named})
    else:
        yield from PLAIN.VALIDATORS["anyOf"](validator, branches, instance, schema)


PLAIN = jsonschema.Draft202012Validator


@cache
def find_validator(kind: str) -> jsonschema.Draft202012Validator:
    """What compares documents of a kind with their schema, whose references all lead to its own records.

    What fits a record once fits it again: the same event stands in many documents.
    """
    schema = find_schema(kind)
    records = {f"#/$defs/{name}": record for name, record in schema.get("$defs", {}).items()}
    fitting: set[tuple[str, bytes]] = set()

    def follow(validator: Any, where: str, instance: Any, _: Any) -> Iterator[Any]:
        told = where, msgspec.json.encode(instance)
        if told not in fitting:
            wrong = list(validator.descend(instance, records[where]))
            if not wrong:
                fitting.add(told)
            yield from wrong

    quick = jsonschema.validators.extend(PLAIN, {"anyOf": check_by_tag, "$ref": follow})
    found: jsonschema.Draft202012Validator = quick(schema)
    return found


def check(kind: str, plain: Any) -> list[str]:
    """The first error of a document against its schema, if any."""
    return [e.message for e in islice(find_validator(kind).iter_errors(plain), 1)]


@pytest.mark.parametrize("kind", KINDS)
def test_schema_is_one(kind: str) -> None:
    out = StringIO()
    call_command("schema", kind, stdout=out)
    jsonschema.Draft202012Validator.check_schema(json.loads(out.getvalue()))


def test_schema_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("schema", "starship")


def test_tag_of_a_record_alone_fits_its_branch() -> None:
    """So that it may be checked alone."""
    schema = find_schema("encounter")
    unions = list(find_unions(schema))
    assert unions
    for union in unions:
        name, mapping = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
        assert sorted(mapping.values()) == sorted(one["$ref"] for one in union["anyOf"] if "$ref" in one)
        for tag, where in mapping.items():
            record = schema["$defs"][where.rpartition("/")[2]]
            assert record["properties"][name]["enum"] == [tag]
            assert name in record["required"]


def find_unions(plain: Any) -> Iterator[dict[str, Any]]:
    """The unions of tagged records in a schema."""
    if isinstance(plain, dict) and "discriminator" in plain:
        yield plain
    for part in plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ():
        yield from find_unions(part)


@pytest.mark.slow
@every_fight
def test_stored_fight_fits(path: Path) -> None:
    plain = json.loads(path.read_bytes())
    assert check("encounter", plain) == []
    short = {**plain, "steps": plain["steps"][:1]}
    assert check("encounter", {**short, "steps": [{"number": "one"}]})
    assert check("encounter", {k: v for k, v in short.items() if k != "start"})


@every_slug
def test_every_block_of_the_library_fits_its_games_sheet(slug: str) -> None:
    sheets = [block.sheet for block in find_system(slug).book.find_blocks().values()]
    assert sheets
    assert [problem for sheet in sheets for problem in check(f"sheet:{slug}", sheet)] == []
    assert check(f"sheet:{slug}", {**sheets[0], "wings": 2})


def test_document_of_characters_fits() -> None:
    made = Characters("cosmos-table-characters", 1, (Exported("cosmos", "Zara", {"attributes": {}}),))
    plain = msgspec.to_builtins(made)
    assert check("characters", json.loads(json.dumps(plain))) == []
    assert check("characters", {**plain, "characters": [{"name": "Zara"}]})


# ---- The answers of a table: full, and empty ----


@pytest.mark.slow
@every_slug
def test_what_every_encounter_answers_fits(gm: User, gm_client: Client, slug: str) -> None:
    """Of a game's encounter without combatants, its demo fight at the start, and after its script."""
    script = find_system(slug).demo.make_first().script
    check_encounter(gm_client, create_encounter(gm, slug, ""))
    fight = make_demo_fight(gm, slug)
    play(fight.pk, script[:1])
    check_encounter(gm_client, fight)
    check_report(gm_client, fight)
    play(fight.pk, script[1:])
    undo(fight.pk)
    check_encounter(gm_client, fight)
    check_report(gm_client, fight)


def read(client: Client, address: str) -> Any:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content.decode()
    return json.loads(answer.content)


def check_encounter(gm_client: Client, fight: Encounter) -> None:
    """Check its export, its log for a spectator, and its state for programs."""
    assert check("encounter", read(gm_client, f"/encounters/{fight.pk}/export/")) == []
    watcher = come(fight, ShareLink.WATCH, "Wim")
    story = read(watcher, f"/encounters/{fight.pk}/export/")
    assert check("log", story) == []
    assert check("log", {**story, "format": "cosmos-table-log"})
    assert check("log", {**story, "lines": [{"round": 1}]})
    _, token = make_link(fight, ShareLink.WATCH, "")
    state = read(Client(), f"/api/v1/{token}/")
    assert check("state", state) == []
    assert check("state", {**state, "version": 2})
    assert check("state", {**state, "combatants": [{"id": "f1"}]})


def check_report(gm_client: Client, fight: Encounter) -> None:
    report = read(gm_client, f"/encounters/{fight.pk}/report/?as=json")
    assert check("report", report) == []
    assert check("report", {**report, "format": "other"})
    assert check("report", {key: value for key, value in report.items() if key != "luck"})


def test_refusal_and_first_event_fit(db: None) -> None:
    assert check("problem", json.loads(Client().get("/api/v1/nothing/").content)) == []
    assert check("problem", {})
    assert check("hello", json.loads(HELLO.split("data: ")[1])) == []
    assert check("hello", {"format": "cosmos-table-events"})


def test_all_characters_of_a_person_fit_even_if_there_are_none(gm: User, gm_client: Client) -> None:
    assert check("characters", read(gm_client, "/characters/all.json")) == []
    for slug in SYSTEMS:
        for block in list(find_system(slug).book.find_blocks().values())[:2]:
            create(gm, slug, block.name, block.sheet, notes="line\nline")
    everyone = read(gm_client, "/characters/all.json")
    assert len(everyone["characters"]) > 4
    assert check("characters", everyone) == []
    for one in everyone["characters"]:
        assert check(f"sheet:{one['system']}", one["sheet"]) == []
