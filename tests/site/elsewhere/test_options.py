"""What `play --at`, `--cert` and `--key` may say."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management.base import CommandError

from cosmos_site.elsewhere.views import read_at, read_certificate


@pytest.mark.parametrize(
    ("typed", "host"),
    [
        ("https://table.example", "table.example"),
        ("HTTPS://Table.Example/", "table.example"),
        ("https://table.example:443", "table.example"),
        ("https://table.example:8443", "table.example:8443"),
        ("https://münchen.example", "xn--mnchen-3ya.example"),
        ("https://laptop", "laptop"),
    ],
)
def test_address_is_read(typed: str, host: str) -> None:
    assert read_at(typed) == host


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("table.example", "does not begin with https://"),
        ("http://table.example", "does not begin with https://"),
        ("https://", "names no host"),
        ("https://a b", "names no host"),
        ("https://203.0.113.7", "names no host"),
        ("https://[::1]", "names no host"),
        ("https://gm:x@table.example", "names no host"),
        ("https://localhost", "the visitor's own machine"),
        ("https://table.example/cosmos", "more after the name"),
        ("https://table.example?x=1", "more after the name"),
        ("https://table.example:x", "is none"),
        ("https://[", "is none"),
    ],
)
def test_no_address_is_told_what_would_be_one(typed: str, said: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as problem:
        read_at(typed)
    assert said in str(problem.value)
    assert "https://table.example" in str(problem.value)


def test_key_with_a_password_is_refused_and_nobody_asked(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    locked = serialization.BestAvailableEncryption(b"seven purple moons")
    path = tmp_path / "locked.key"
    form = serialization.PrivateFormat.PKCS8
    path.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, locked))
    with pytest.raises(CommandError):
        read_certificate(str(path), str(path))


def test_without_files_it_is_http() -> None:
    assert read_certificate("", "") is None
