"""Compressed answers."""

import gzip

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from cosmos_site.compression import MAX_RANDOM_BYTES, SHORT, compress, compressed

LONG = b"<li>Next turn</li>" * 100


@compressed
def say(request: HttpRequest, words: bytes) -> HttpResponse:
    return HttpResponse(words)


def ask(takes: str, words: bytes = LONG) -> HttpResponse:
    return say(RequestFactory().get("/", headers={"Accept-Encoding": takes}), words)


@pytest.mark.parametrize("takes", ["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8"])
def test_who_takes_gzip_gets_it(takes: str) -> None:
    answer = ask(takes)
    assert gzip.decompress(answer.content) == LONG
    assert answer["Content-Encoding"] == "gzip"
    assert int(answer["Content-Length"]) == len(answer.content) < len(LONG)
    assert answer["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("takes", ["", "br", "identity", "xgzip"])
def test_who_takes_none_gets_it_as_it_is(takes: str) -> None:
    answer = ask(takes)
    assert answer.content == LONG
    assert not answer.has_header("Content-Encoding")
    assert answer["Vary"] == "Accept-Encoding"  # so no cache gives anybody the other's


def test_what_is_short_stays_as_it_is() -> None:
    answer = ask("gzip", b"x" * (SHORT - 1))
    assert answer.content == b"x" * (SHORT - 1)
    assert not answer.has_header("Content-Encoding")


def test_its_size_is_another_each_time() -> None:
    sizes = {len(compress(LONG)) for _ in range(200)}
    assert len(sizes) > MAX_RANDOM_BYTES / 2
    assert max(sizes) - min(sizes) < MAX_RANDOM_BYTES
