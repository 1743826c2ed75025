# SPDX-License-Identifier: GPL-2.0
"""What each command runs from the tree, and what it writes: the table of the README."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

WIDTH = 100
NOTHING = "nothing"
# Commands, what they run from the tree, what they write
TABLE = (
    (
        ("lint", "why", "check --engine spatch", "lsp", "rules", "doctor"),
        NOTHING,
        "the cache",
    ),
    (
        ("patch", "prove", "loads", "check with any other engine"),
        "its Makefiles and scripts, host programs built from it (objtool, fixdep), `scripts/checkpatch.pl`",
        "the cache; the tree only with `patch --apply`",
    ),
    (
        ("bench", "patch --bench", "prove --bench", "series --bench"),
        "as `patch`; and it boots a kernel built from the tree under QEMU; with `--native` nothing",
        "the cache; the file of `--save`",
    ),
    (
        ("series",),
        "as `patch`, and `scripts/get_maintainer.pl`",
        "the cache; the branch, its configuration and `refs/hotcocci/`; the mails of `--output`",
    ),
    (
        ("cache", "completion"),
        NOTHING,
        "`cache clear` and `prune` remove parts of the cache",
    ),
    (
        ("install --tree", "checkers install --smatch"),
        NOTHING,
        "that tree, until you use `--remove`; that smatch tree",
    ),
    (
        ("checkers build", "new-rule"),
        NOTHING,
        "this checkout: `checkers/clang-tidy/build`; the files of the rule",
    ),
)


def markdown() -> str:
    """Return the table for a document."""
    rows = ("| command | runs from the tree | writes |", "|---|---|---|")
    own = (f"| {_commands(row[0])} | {row[1]} | {row[2]} |" for row in TABLE)
    return "\n".join((*rows, *own)) + "\n"


def lines() -> Iterator[str]:
    """Yield what commands run from the tree, for a terminal."""
    yield "what commands run from the tree:"
    quiet = [
        command for names, runs, _ in TABLE if runs == NOTHING for command in names
    ]
    rows = [(names, runs) for names, runs, _ in TABLE if runs != NOTHING]
    for names, runs in [(quiet, NOTHING), *rows]:
        said = f"{', '.join(names)}: {runs}".replace("`", "")
        yield from textwrap.wrap(
            said, WIDTH, initial_indent="  ", subsequent_indent="    "
        )


def _commands(names: tuple[str, ...]) -> str:
    """The commands in code style; words after the options of one stay text."""
    words = (name.partition(" with ") for name in names)
    return ", ".join(f"`{word}`{link}{rest}" for word, link, rest in words)
