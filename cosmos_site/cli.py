"""The command line: `cosmos-table` where the program is installed, `manage.py` in a checkout."""

import sys
from collections.abc import Sequence

from combat.rules.core.basics.release import PROGRAM, RELEASE

from .launch import prepare_environment


def main() -> None:
    """`cosmos-table`: open the table, or run the management command that is named."""
    words = sys.argv[1:]
    if words == ["--version"]:
        print(PROGRAM, RELEASE)  # noqa: T201 - the answer
    else:
        run([PROGRAM, *add_play(words)])


def add_play(words: Sequence[str]) -> list[str]:
    """The words of a command line; with options only, or none, they are meant for `play`."""
    is_named = bool(words) and not words[0].startswith("-")
    return list(words) if is_named else ["play", *words]


def run(argv: Sequence[str]) -> None:
    """Run one management command; explain trouble with disk or database in one sentence.

    The first word is the name of the program.
    """
    if argv[1:2] == ["mcp"]:  # a client: it needs no Django, and has no data of its own
        from .mcp_tools import serve

        serve(argv[2:])
        return
    from django.core.management import execute_from_command_line

    prepare_environment(argv)
    try:
        if argv[1:2] == ["collectstatic"]:
            refuse_collecting()
        if argv[1:2] == ["migrate"]:
            see_database()
        execute_from_command_line(list(argv))
    except Exception as problem:
        from .base.system_errors import explain  # imported late: it needs the settings

        if "--traceback" in argv or not (sentence := explain(problem)):
            raise
        sys.exit(sentence)


def refuse_collecting() -> None:
    """Stop where the static files came with the program: collecting would overwrite their list."""
    from django.conf import settings

    if settings.IS_INSTALLED:
        sys.exit(f"Nothing to collect: the static files came with the program, in {settings.STATIC_ROOT}")


def see_database() -> None:
    """Fail if the database cannot be written; Django's own check would blame something else."""
    import django
    from django.db import transaction

    django.setup()
    with transaction.atomic():
        pass
