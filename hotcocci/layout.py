# SPDX-License-Identifier: GPL-2.0
"""Locate the project's own files, and the command by which a user calls it: checkout or installed."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
# The folder that the package is imported from: the checkout, or site-packages.
IMPORTS = _PACKAGE.parent
# setup.py installs cocci/, checkers/ and docs/rules/ inside the package; in a checkout they are beside it.
INSTALLED = (_PACKAGE / "cocci").is_dir()
# The folder that has them.
DATA = _PACKAGE if INSTALLED else IMPORTS
# A Markdown page per rule: CODE.md.
PAGES = DATA / "docs/rules"
# What messages call us.
PROGRAM = "hotcocci" if INSTALLED else "run.py"


def page_of(rule: str) -> str | None:
    """The URI of a rule's page; None for a new rule, as long as none was generated."""
    page = PAGES / f"{rule}.md"
    return page.as_uri() if page.is_file() else None


def setup_hint(extra: str, command: str) -> str:
    """Say how to install an extra of setup.cfg, which this command needs."""
    if INSTALLED:
        return f"install it with 'pip install hotcocci[{extra}]'"
    return f"install it with 'python3 run.py --setup {command}'"
