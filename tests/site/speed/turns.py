"""Count the Python calls of a passed turn, for every demo fight: `python -m tests.site.speed.turns`.

Calls are those of Python functions in the whole request, as cProfile counts them: no machine's pace changes
them. The page has what it was sent last, as a browser does. The first turns fill the caches and do not count.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import sys
import tempfile

import django
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.test.utils import setup_databases, teardown_databases

WARM, TURNS = 30, 20


def count(slug: str, number: int) -> tuple[pstats.Stats, int]:
    """The calls of `TURNS` passed turns of a demo by its GM, and the bytes of their answers."""
    from django.contrib.auth.models import User

    from combat.play.demo import make_demo_fight
    from tests.combat.views.table.patching import OpenPage

    client, gm = Client(), User.objects.get_or_create(username="gm")[0]
    client.force_login(gm)
    page = OpenPage(client, f"/encounters/{make_demo_fight(gm, slug, number).pk}/")
    page.post(do="start", dice="app")
    profiler, size = cProfile.Profile(builtins=False), 0
    for turn in range(WARM + TURNS):
        if turn < WARM:
            page.post(do="next_turn")
            continue
        answer = profiler.runcall(client.post, page.path, {"do": "next_turn"}, headers=page.headers)
        page.take(answer)
        size += page.size
    return pstats.Stats(profiler), size


def main() -> None:
    """Print a line for each demo fight, and the functions called most often if asked."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--only", default="", help="part of a game's short name")
    asked.add_argument("--most", type=int, default=0, help="list the functions called most often")
    asked.add_argument("--by", default="ncalls", help="the order of that list: ncalls, tottime, cumtime")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "tests.site.speed.settings", "COSMOS_DATA": folder}
        django.setup()
        settings.ALLOWED_HOSTS = ["testserver"]
        call_command("collectstatic", verbosity=0, interactive=False)
        made = setup_databases(verbosity=0, interactive=False)
        measure(options)
        teardown_databases(made, verbosity=0)


def measure(options: argparse.Namespace) -> None:
    """Count the calls of each demo fight that is asked for."""
    from combat.rules import SYSTEMS, find_system

    demos = [(slug, number) for slug in SYSTEMS for number in range(len(find_system(slug).demo.make_all()))]
    for slug, number in demos:
        if options.only not in f"{slug}:{number}":
            continue
        stats, size = count(slug, number)
        calls = stats.total_calls / TURNS  # type: ignore[attr-defined]
        sys.stdout.write(
            f"{f'{slug}:{number}':16} {calls:6.0f} calls a turn  {size / TURNS:6.0f} characters\n"
        )
        sys.stdout.flush()
        if options.most:
            stats.sort_stats(options.by).print_stats(options.most)


if __name__ == "__main__":
    main()
