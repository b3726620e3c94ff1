"""Play the maps by name: no test begins Django here."""

from __future__ import annotations

import os
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from tests.combat.rules.every_game.random_maps.playing import main

    sys.exit(main(sys.argv[1:]))
