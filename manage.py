#!/usr/bin/env python3
"""The command line of Cosmos Table: `manage.py play` starts it, `manage.py help` lists the rest."""

import sys

from cosmos_site.cli import run

if __name__ == "__main__":
    run(sys.argv)
