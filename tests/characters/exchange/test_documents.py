"""Characters as documents: export and import, all problems at once, nothing half-imported; the roster."""

from __future__ import annotations

import copy
import json
from base64 import b64encode
from collections.abc import Callable
from io import BytesIO
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from characters.exchange import documents as exchange
from characters.exchange import reading
from characters.exchange.previews import preview, store, write_documents
from characters.exchange.reading import MAX_PROBLEMS, ValidationFailed
from characters.models import Character, CharacterChange
from characters.services import character_service
from combat.rules import SYSTEMS
from combat.rules.core.basics.checking import Problem
from cosmos_site.base.pictures import PORTRAIT, remake
from tests.characters.conftest import SHEET, words_of
from tests.site.pictures import picture

Make = Callable[..., Character]
IMPORT = "/characters/import/"


def document(*characters: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"format": exchange.FORMAT, "version": exchange.VERSION, "characters": list(characters), **more}


def one(name: str = "Zara", **more: Any) -> dict[str, Any]:
    return {"system": "cosmos", "name": name, "sheet": copy.deepcopy(SHEET), "notes": "", **more}


def problems(data: Any) -> dict[str, str]:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    with pytest.raises(ValidationFailed) as caught:
        exchange.read_document(raw)
    return {problem.place: problem.message for problem in caught.value.problems}


def take_in(owner: User, data: Any) -> list[Character]:
    return store(owner, preview(json.dumps(data), "cosmos", {}), npc=False)


# ---------------------------------------------------------------- export and import


def test_export_comes_back_as_it_was(ana_client: Client, zara: Character) -> None:
    character_service.change(zara.pk, "All", notes="Two\nlines, “quotes”, 漢字.")
    answer = ana_client.get(f"/characters/{zara.pk}/export/")
    assert answer["Content-Disposition"] == 'attachment; filename="zara.json"'
    assert answer["Content-Type"] == "application/json"
    posted = ana_client.post(
        IMPORT, {"file": SimpleUploadedFile("zara.json", answer.content), "twins": "again"}
    )
    made = Character.objects.exclude(pk=zara.pk).get()
    zara.refresh_from_db()
    assert posted["Location"] == f"/characters/{made.pk}/"
    assert (made.name, made.sheet, made.notes) == (zara.name, zara.sheet, zara.notes)


def test_face_and_portrait_come_back(ana_client: Client, zara: Character) -> None:
    shown = remake(picture(), PORTRAIT)
    character_service.change(zara.pk, "Face", face="pilot")
    character_service.keep_portrait(zara.pk, shown.digest, shown.image, by="ana")
    raw = ana_client.get(f"/characters/{zara.pk}/export/").content
    ana_client.post(IMPORT, {"file": SimpleUploadedFile("zara.json", raw), "twins": "again"})
    made = Character.objects.exclude(pk=zara.pk).get()
    assert made.face == "pilot"
    assert made.portraits.get().digest == made.portrait != ""
    answer = ana_client.get(f"/characters/{made.pk}/portrait/{made.portrait}.webp")
    assert answer.content[:4] == b"RIFF"
    assert ana_client.get("/characters/all.json").content.count(b'"portrait"') == 2


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"<svg></svg>", "This is a drawing (SVG): send"),
        (picture(size=(600, 20)), "600 × 20 pixels: send at most 512 per side"),
        (b"x" * 500_001, "too large"),
    ],
)
def test_portrait_in_a_document_is_trusted_no_more_than_others(
    ana_client: Client, sent: bytes, said: str
) -> None:
    raw = json.dumps(document(one(), one("Mara", portrait=b64encode(sent).decode()))).encode()
    answer = ana_client.post(IMPORT, {"file": SimpleUploadedFile("two.json", raw), "twins": "again"})
    assert answer.status_code == 422
    assert "characters[1].portrait" in answer.content.decode()
    assert said in answer.content.decode()
    assert not Character.objects.exists()


def test_unknown_face_is_named() -> None:
    assert problems(document(one(face="ghost"))) == {
        "characters[0].face": "There is no such face: choose one of those shown."
    }


def test_all_are_exported_and_come_back_together(ana_client: Client, ana: User, make: Make) -> None:
    for name in ("Zara", "Mara"):
        make(name)
    raw = ana_client.get("/characters/all.json").content
    assert [c["name"] for c in json.loads(raw)["characters"]] == ["Mara", "Zara"]
    assert ana_client.post(IMPORT, {"text": raw.decode(), "twins": "again"})["Location"] == "/characters/"
    assert Character.objects.filter(owner=ana).count() == 4


def test_more_than_a_document_holds_are_exported_in_several(ana_client: Client, ana: User) -> None:
    names = {f"Zara {number}" for number in range(exchange.MAX_AT_ONCE + 1)}
    Character.objects.bulk_create(
        Character(owner=ana, system="cosmos", name=name, sheet=SHEET) for name in names
    )
    answer = ana_client.get("/characters/all.json")
    assert answer["Content-Disposition"] == 'attachment; filename="characters.zip"'
    assert answer["Content-Type"] == "application/zip"
    with ZipFile(BytesIO(answer.content)) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert list(files) == ["characters-1.json", "characters-2.json"]
    Character.objects.all().delete()
    for text in files.values():
        assert ana_client.post(IMPORT, {"text": text}).status_code == 302
    assert set(Character.objects.values_list("name", flat=True)) == names


def test_document_that_would_be_too_large_is_cut_in_two(monkeypatch: pytest.MonkeyPatch, make: Make) -> None:
    made = [make(f"Zara {number}", notes="x" * 5_000) for number in range(3)]
    monkeypatch.setattr(reading, "MAX_DOCUMENT_BYTES", 15_000)
    read = [exchange.read_document(raw) for raw in write_documents(made)]
    assert [[one.name for one in some] for some in read] == [["Zara 0", "Zara 1"], ["Zara 2"]]


def test_document_from_the_import_page_is_taken_in(ana_client: Client) -> None:
    example = ana_client.get(IMPORT).context["example"]
    assert ana_client.post(IMPORT, {"text": example}).status_code == 302
    assert Character.objects.get().name == "Someone"


def test_import_page_describes_every_field(ana_client: Client) -> None:
    page = ana_client.get(IMPORT).content.decode()
    for word in (
        exchange.FORMAT,
        "PRE (1 to 10)",
        "Awareness (skill)",
        "synaptic",
        "military",
        "bleeding",
        "credits",
    ):
        assert word in page, word


def test_schema_accepts_what_is_exported(ana_client: Client, zara: Character) -> None:
    schema = json.loads(ana_client.get("/characters/schema/cosmos.json").content)
    name = schema["$ref"].rpartition("/")[2]
    # For those who take up more than one square, or count something, and for NPCs
    optional = {"metres", "counters", "alias", "flees"}
    assert set(schema["$defs"][name]["properties"]) == set(zara.sheet) | optional
    assert ana_client.get("/characters/schema/chess.json").status_code == 404


# ---------------------------------------------------------------- all errors at once


def test_all_problems_are_listed_with_their_places(ana_client: Client) -> None:
    sheet = {
        **copy.deepcopy(SHEET),
        "attributes": {"PRE": 11, "LUCK": 3},
        "skills": {"Magic": 1},
        "flying": True,
    }
    sheet["items"][0]["loaded"] = 500
    posted = document(one(sheet=sheet), one("", system="chess", sheet={}, notes=7), {"name": "Bo"}, extra=1)
    answer = ana_client.post(IMPORT, {"text": json.dumps(posted)})
    assert answer.status_code == 422
    found = {problem.place: problem.message for problem in answer.context["problems"]}
    assert found["extra"].startswith("is unknown here")
    assert found["characters[0].sheet.attributes.PRE"] == "must be at most 10"
    assert found["characters[0].sheet.attributes.LUCK"].startswith("there is no such attribute")
    assert found["characters[0].sheet.attributes.RES"] == "is missing"
    assert found["characters[0].sheet.skills.Magic"].startswith("there is no such skill")
    assert found["characters[0].sheet.flying"].startswith("is unknown here")
    assert found["characters[0].sheet.items[0].loaded"] == "must be 0 to 15"
    assert found["characters[1].name"] == "A name needs 1 to 60 characters."
    assert found["characters[1].system"] == "must be one of: " + ", ".join(SYSTEMS)
    assert found["characters[1].notes"] == "must be text, not a whole number"
    assert found["characters[2].system"] == "is missing"
    assert found["characters[2].sheet"] == "is missing"
    page = answer.content.decode()
    assert "<b>Nothing was imported.</b>" in page
    assert "<code>characters[0].sheet.attributes.PRE</code>" in page
    assert not Character.objects.exists()


def test_one_bad_character_keeps_the_good_ones_out(ana: User) -> None:
    data = document(one("Good"), one("Bad", sheet={}))
    with pytest.raises(ValidationFailed):
        take_in(ana, data)
    assert not Character.objects.exists()


def test_failure_in_the_middle_leaves_nothing(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(rows: Any) -> None:
        assert Character.objects.count() == 2  # written, but rolled back
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(CharacterChange, "objects", SimpleNamespace(bulk_create=fail))
    with pytest.raises(RuntimeError):
        take_in(ana, document(one("First"), one("Second")))
    assert not Character.objects.exists()


def test_roomless_import_is_refused(ana: User, zara: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(character_service, "MAX_CHARACTERS", 2)
    with pytest.raises(ValidationFailed) as caught:
        take_in(ana, document(one("A"), one("B")))
    assert str(caught.value.problems[0]) == "characters: has 2; there is room for 1"
    assert Character.objects.count() == 1


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b'{"a": 1', "is not JSON"),
        (b'{"a": NaN}', "is not JSON"),
        (b'"\\ud800"', "is not JSON"),
        (b"[" * 50_000, "nested too deeply"),
        (b"1" * 10_000, "is not JSON"),
        (b" " * 1_000_001, "is larger than 1 MB"),
        (b"null", "must be a table of named values"),
        (b"[]", "must be a table of named values"),
    ],
)
def test_what_is_no_document_is_told(raw: bytes, words: str) -> None:
    assert words in problems(raw)[""]


def test_other_formats_and_versions_are_told() -> None:
    told = "must be cosmos-table-characters, version 1"
    assert problems(document(one(), format="something-else"))["format"] == told
    assert problems(document(one(), version=2))["format"] == told


def test_empty_and_overlong_lists_are_told() -> None:
    assert problems(document())["characters"] == "must have at least 1 entries"
    assert problems(document(*[one()] * 51))["characters"] == "must have at most 50 entries"


@pytest.mark.parametrize(
    ("sheet", "place"),
    [
        ({"name": "a\x00b"}, "characters[0].sheet.name"),
        ({"abilities": {"hp": 10**30}}, "characters[0].sheet.abilities.hp"),
        ({"credits": 10**30}, "characters[0].sheet.credits"),
        ({"credits": 1.5}, "characters[0].sheet.credits"),
        ({"credits": True}, "characters[0].sheet.credits"),
        ({"tracks": {"hp": 10**9}}, "characters[0].sheet.tracks.hp"),
        (
            {"items": [{"id": "i1", "kind": "weapon", "record": {"id": "x"}}]},
            "characters[0].sheet.items[0].record.name",
        ),
        (
            {"items": [{"id": "i1", "kind": "weapon", "entry": "pistol"}]},
            "characters[0].sheet.items[0].loaded",
        ),
        ({"conditions": [{"kind": "charging"}]}, "characters[0].sheet.conditions[0].kind"),
        ({"items": [{}] * 201}, "characters[0].sheet.items[0].id"),
    ],
)
def test_strange_values_are_told_where_they_stand(sheet: dict[str, Any], place: str) -> None:
    assert place in problems(document(one(sheet={**SHEET, **sheet})))


def test_long_list_of_problems_is_cut_and_counted(ana_client: Client) -> None:
    posted = document(*[one("", sheet={})] * 50, **{f"x{n}": n for n in range(80)})
    answer = ana_client.post(IMPORT, {"text": json.dumps(posted)})
    assert len(answer.context["problems"]) == MAX_PROBLEMS
    assert answer.context["left_out"] > 50


def test_nothing_sent_is_refused_in_words(ana_client: Client) -> None:
    answer = ana_client.post(IMPORT, {"text": "  "})
    assert answer.status_code == 422
    assert "Choose a file, or paste the document." in answer.content.decode()


def test_refused_text_is_still_there_to_mend(ana_client: Client) -> None:
    assert "{&quot;half&quot;:" in ana_client.post(IMPORT, {"text": '{"half":'}).content.decode()


def test_file_wins_over_text(ana_client: Client) -> None:
    good = SimpleUploadedFile("a.json", json.dumps(document(one("From a file"))).encode())
    ana_client.post(IMPORT, {"file": good, "text": "nonsense"})
    assert Character.objects.get().name == "From a file"


# ---------------------------------------------------------------- fuzzing

WORDS = [*words_of("cosmos weapon pistol held hp own"), exchange.FORMAT]
NAMES = words_of("""system name sheet notes format version characters attributes skills items tracks
    conditions abilities species PRE Combat id kind entry record loaded wear hp weapons gear damage effect
    traits""")
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
ATOMS = st.none() | st.booleans() | NUMBERS | st.text(max_size=5) | st.sampled_from(WORDS)
KEYS = st.sampled_from(NAMES) | st.text(max_size=3)
ANYTHING = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=20
)


def change_somewhere(data: Any, path: list[int], value: Any) -> Any:
    """A document with one value, found by a path of choices, replaced or removed."""
    here = data
    for step in path:
        keys = (
            list(here) if isinstance(here, dict) else list(range(len(here))) if isinstance(here, list) else []
        )
        if not keys:
            break
        key = keys[step % len(keys)]
        if isinstance(here[key], dict | list) and here[key] and step % 3:
            here = here[key]
            continue
        if value == "remove" and isinstance(here, dict):
            del here[key]
        else:
            here[key] = value
        break
    return data


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=3 * settings().max_examples // 2
)
@given(ANYTHING)
def test_any_json_is_taken_whole_or_told_what_is_wrong(ana: User, data: Any) -> None:
    before = Character.objects.count()
    made: list[Character] = []
    told: tuple[Problem, ...] = ()
    try:
        made = take_in(ana, data)
    except ValidationFailed as failed:
        told = failed.problems
    assert bool(made) != bool(told)
    assert Character.objects.count() == before + len(made)


@pytest.mark.slow
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=2 * settings().max_examples
)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=7), ATOMS | ANYTHING | st.just("remove"))
def test_sound_document_with_one_value_changed_breaks_nothing(
    ana: User, ana_client: Client, path: list[int], value: Any
) -> None:
    data = change_somewhere(document(one("A"), one("B")), path, value)
    before = Character.objects.count()
    answer = ana_client.post(IMPORT, {"text": json.dumps(data)})
    taken = Character.objects.count() - before
    assert answer.status_code in (302, 422)
    if answer.status_code == 422:
        assert taken == 0
        return
    assert taken == len(data["characters"])
    for made in Character.objects.all()[:2]:
        assert ana_client.get(f"/characters/{made.pk}/").status_code == 200
    Character.objects.all().delete()


@settings(max_examples=2 * settings().max_examples)
@given(st.binary(max_size=60))
def test_any_bytes_are_told_to_be_no_document(raw: bytes) -> None:
    with pytest.raises(ValidationFailed):
        exchange.read_document(raw)
