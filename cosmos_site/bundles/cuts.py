"""Leaves out what a browser does not need of styles and scripts.

This module imports nothing of ours: the build of the wheel runs it as well.
"""

import re

SCRIPT_COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
INDENT = re.compile(r"\n\s+")
STYLE_COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)


def cut_style(text: str) -> str:
    """A style without its comments and indentation."""
    return INDENT.sub("\n", STYLE_COMMENT.sub("", text)).rstrip() + "\n"


def cut_script(text: str) -> str:
    """A script without its head, its lines of comment and its indentation; no text in it goes over lines."""
    return INDENT.sub("\n", SCRIPT_COMMENT.sub("", text)).rstrip() + "\n"
