"""The command `cosmos-table`: what it takes for `play`, and what for other commands."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest
from django.test import Client

from cosmos_site import cli

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("", "play"),
        ("--port 9000 --no-demo", "play --port 9000 --no-demo"),
        ("--help", "play --help"),
        ("play --port 9000", "play --port 9000"),
        ("backup FILE --data there", "backup FILE --data there"),
        ("help", "help"),
    ],
)
def test_options_alone_are_meant_for_play(words: str, meant: str) -> None:
    assert cli.add_play(words.split()) == meant.split()


def test_version_is_that_of_the_project(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = f"cosmos-table {PROJECT['project']['version']}\n"
    monkeypatch.setattr(sys, "argv", ["/anywhere/cosmos-table", "--version"])
    cli.main()
    assert capsys.readouterr().out == said
    cli.run(["manage.py", "--version"])
    assert capsys.readouterr().out == said


@pytest.mark.django_db
def test_pages_and_health_tell_the_same_version(client: Client) -> None:
    """Exports and backups: their own tests."""
    version = PROJECT["project"]["version"]
    for address in ("/help/", "/help/gm/", "/rules/", "/rules/about/"):
        assert f"Cosmos Table {version} · " in client.get(address).content.decode(), address
    assert client.get("/healthz").json()["release"] == version


def test_command_runs_what_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[list[str]] = []
    monkeypatch.setattr(cli, "run", runs.append)
    monkeypatch.setattr(sys, "argv", ["/anywhere/cosmos-table", "--data", "here"])
    cli.main()
    assert runs == [["cosmos-table", "play", "--data", "here"]]
