# SPDX-License-Identifier: GPL-2.0
"""sparse on one file, as make C=2 runs it: address spaces, contexts, endianness."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from hotcocci.engines.messages import Message, parse
from hotcocci.tree.build import Build
from hotcocci.tree.process import MissingProgram, run

TIMEOUT = 120.0
# The second half of a complaint about types: "f.c:1:2:    expected int *p".
CONTINUED = re.compile(r"\n[^\n:]+:\d+:\d+: {3,}(?=\S)")


class SparseError(Exception):
    """sparse could not be run, or did not end; the message says why."""


def messages(
    build: Build, argv: Sequence[str], source: Path, root: Path
) -> tuple[Message, ...]:
    """What sparse says about a source file below ``root``.

    ``argv`` is the compiler and its flags as they would compile the file. Raises
    SparseError.
    """
    if not build.checkflags:
        raise SparseError(
            "this tree's kbuild finds no sparse that is new enough for it"
        )
    # It stops at 100 warnings otherwise, before it comes to the changed lines.
    command = ["sparse", "-fmax-warnings=unlimited", *build.checkflags, *argv[1:]]
    try:
        outcome = run([*command, str(source)], build.out, TIMEOUT)
    except MissingProgram as error:
        raise SparseError(
            "sparse is not installed (Debian: apt install sparse)"
        ) from error
    if outcome.status is None:
        raise SparseError(f"sparse took over {TIMEOUT:.0f} s")
    if outcome.status < 0:
        raise SparseError(f"sparse crashed with signal {-outcome.status}")
    return parse(CONTINUED.sub(" ", outcome.err), str(root))
