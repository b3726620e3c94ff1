"""Count the Python calls of a passed turn, for every demo fight: `python -m tests.site.speed.turns`.

Calls are those of Python functions in the whole request, as cProfile counts them: no machine's pace changes
them. The page has what it was sent last, as a browser does. The first turns fill the caches and do not count.
The dice, the masks of tokens and the order of sets are always the same, so that two runs count the same.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import random
import sys
import tempfile
from unittest.mock import patch

import django
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.test.utils import setup_databases, teardown_databases

WARM, TURNS = 30, 20
SECRET = "7" * 64  # of the dice
ORDER = "PYTHONHASHSEED"


def count(slug: str, number: int) -> tuple[cProfile.Profile, int]:
    """The calls of `TURNS` passed turns of a demo by its GM, and the characters of their answers."""
    from django.contrib.auth.models import User

    from combat.play.demo import make_demo_fight
    from tests.combat.views.table.patching import OpenPage

    chance = random.Random(1)
    client, gm = Client(), User.objects.get_or_create(username="gm")[0]
    client.force_login(gm)
    with patch("combat.play.writing.encounter_service.make_secret", return_value=SECRET):
        fight = make_demo_fight(gm, slug, number)
    page = OpenPage(client, f"/encounters/{fight.pk}/")
    page.post(do="start", dice="app")
    profiler, size = cProfile.Profile(builtins=False), 0
    for turn in range(WARM + TURNS):
        if turn < WARM:
            page.post(do="next_turn")
            continue
        with patch("random.SystemRandom.getrandbits", lambda _, bits: chance.getrandbits(bits)):
            answer = profiler.runcall(client.post, page.path, {"do": "next_turn"}, headers=page.headers)
        page.take(answer)
        size += page.size
    return profiler, size


def main() -> None:
    """Print a line for each demo fight, and the functions called most often if asked."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--only", default="", help="part of a game's short name")
    asked.add_argument("--most", type=int, default=0, help="list the functions called most often")
    asked.add_argument("--by", default="ncalls", help="the order of that list: ncalls, tottime, cumtime")
    options = asked.parse_args()
    if os.environ.get(ORDER) != "0":
        command = [sys.executable, "-m", "tests.site.speed.turns", *sys.argv[1:]]
        os.execve(sys.executable, command, os.environ | {ORDER: "0"})
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
        profiler, size = count(slug, number)
        calls = sum(entry.callcount for entry in profiler.getstats()) / TURNS  # pstats loses equal names
        sys.stdout.write(
            f"{f'{slug}:{number}':16} {calls:6.0f} calls a turn  {size / TURNS:6.0f} characters\n"
        )
        sys.stdout.flush()
        if options.most:
            pstats.Stats(profiler).sort_stats(options.by).print_stats(options.most)


if __name__ == "__main__":
    main()
