#!/usr/bin/env python3
"""The command line of Cosmos Table: `manage.py play` starts it, `manage.py help` lists the rest."""

import sys


def main() -> None:
    """Run one management command; what is wrong with disk or database is said in a sentence."""
    from django.core.management import execute_from_command_line

    from cosmos_site.launch import prepare_environment

    prepare_environment(sys.argv)
    try:
        if sys.argv[1:2] == ["migrate"]:
            see_database()
        execute_from_command_line(sys.argv)
    except Exception as problem:
        from cosmos_site.base.system_errors import explain  # late: it needs the settings

        if "--traceback" in sys.argv or not (sentence := explain(problem)):
            raise
        sys.exit(sentence)


def see_database() -> None:
    """Fail if the database cannot be written; Django's own look at it would blame something else."""
    import django
    from django.db import transaction

    django.setup()
    with transaction.atomic():
        pass


if __name__ == "__main__":
    main()
