# SPDX-License-Identifier: GPL-2.0
"""Find the files that may define functions with given names, by grep.

A tree has a gigabyte of text, and the functions in a profile are not known in advance.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run

# Files per call: their names must fit on a command line.
_AT_ONCE = 1000
_SECONDS = 300


def defining(root: Path, files: Sequence[str], names: Iterable[str]) -> list[str]:
    """The files, relative to the tree, that may define or declare one of the names.

    Raises UserError if grep is not installed.
    """
    wanted = sorted(name for name in names if name.isidentifier())
    if not wanted:
        return []
    found: list[str] = []
    with tempfile.NamedTemporaryFile("w", suffix=".grep") as patterns:
        # After a type, at the start of a line, or as in SYSCALL_DEFINE3(read, …
        patterns.writelines(
            rf"^([A-Za-z_].*[ *(	])?{n}[ 	]*[(,]" + "\n" for n in wanted
        )
        patterns.flush()
        for start in range(0, len(files), _AT_ONCE):
            some = files[start : start + _AT_ONCE]
            argv = ["grep", "-slE", "-D", "skip", "-f", patterns.name, "--", *some]
            found += _lines(argv, root)
    return found


def _lines(argv: Sequence[str], root: Path) -> list[str]:
    try:
        outcome = run(argv, root, _SECONDS)
    except MissingProgram as error:
        raise UserError(f"{error} is not installed: install it") from error
    # Its status is 1 without a match, 2 for a missing file, which spatch reports.
    return outcome.out.splitlines()
