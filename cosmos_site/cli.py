"""The command line: `cosmos-table` where the program is installed, `manage.py` in a checkout."""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from combat.rules.core.basics.release import PROGRAM, RELEASE

from .launch import leave_no_trace, prepare_environment, tell_missing

VERSION = "--version"  # Django would print its own


def main() -> None:
    """`cosmos-table`: open the table, or run the management command that is named."""
    run([PROGRAM, *add_play(sys.argv[1:])])


def add_play(words: Sequence[str]) -> list[str]:
    """The words of a command line; with options only, or none, they are meant for `play`."""
    is_named = bool(words) and (words[0] == VERSION or not words[0].startswith("-"))
    return list(words) if is_named else ["play", *words]


def run(argv: Sequence[str]) -> None:
    """Run one management command; explain trouble with disk or database in one sentence.

    The first word is the name of the program.
    """
    write_anywhere()
    if argv[1:] == [VERSION]:
        print(PROGRAM, RELEASE)  # noqa: T201 - the answer
        return
    if argv[1:2] == ["mcp"]:  # a client: it needs no Django, and has no data of its own
        from .mcp_tools import serve

        serve(argv[2:])
        return
    from django.core.management import execute_from_command_line

    prepare_environment(argv)
    if argv[1:2] == ["migrate"] and (missing := tell_missing(os.environ)):
        sys.exit(missing)
    try:
        if argv[1:2] == ["migrate"]:
            see_database()
        execute_from_command_line(list(argv))
    except SystemExit as end:
        if end.code:
            leave_no_trace()
        raise
    except Exception as problem:
        from .base.system_errors import explain  # imported late: it needs the settings

        if "--traceback" in argv or not (sentence := explain(problem)):
            raise
        sys.exit(sentence)


def write_anywhere() -> None:
    """Print a question mark for a character that the terminal does not have, such as “…” in ASCII."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def see_database() -> None:
    """Fail if the database cannot be written; Django's own check would blame something else."""
    import django
    from django.db import transaction

    django.setup()
    with transaction.atomic():
        pass
