#!/usr/bin/env python3
"""The command line of Cosmos Table: `manage.py play` starts it, `manage.py help` lists the rest."""

import sys


def main() -> None:
    """Run one management command."""
    from django.core.management import execute_from_command_line

    from cosmos_site.launch import prepare_environment

    prepare_environment(sys.argv)
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
