# SPDX-License-Identifier: GPL-2.0
"""Which files define functions of given names: by lines that look like it, as grep finds them.

A tree has a gigabyte of text, and which functions a profile names is not known before.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run

# Files of one call: their names have to fit on a command line.
_AT_ONCE = 1000
_SECONDS = 300


def defining(root: Path, files: Sequence[str], names: Iterable[str]) -> list[str]:
    """Those of the files, relative to the tree, that define or declare one of the names.

    Raises UserError if grep is not there, or fails.
    """
    wanted = sorted(name for name in names if name.isidentifier())
    if not wanted:
        return []
    found: list[str] = []
    with tempfile.NamedTemporaryFile("w", suffix=".grep") as patterns:
        # Behind a type, at the beginning of a line, or as SYSCALL_DEFINE3(read, …
        patterns.writelines(
            rf"^([A-Za-z_].*[ *(	])?{n}[ 	]*[(,]" + "\n" for n in wanted
        )
        patterns.flush()
        for start in range(0, len(files), _AT_ONCE):
            some = files[start : start + _AT_ONCE]
            argv = ["grep", "-slE", "-f", patterns.name, "--", *some]
            found += _lines(argv, root)
    return found


def _lines(argv: Sequence[str], root: Path) -> list[str]:
    try:
        outcome = run(argv, root, _SECONDS)
    except MissingProgram as error:
        raise UserError(f"{error} is not installed: install it") from error
    # 1 is for no match, 2 for a file that is gone, which spatch tells of.
    if outcome.status is None or outcome.status < 0:
        raise UserError("grep did not end: run the command again")
    return outcome.out.splitlines()
