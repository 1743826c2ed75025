# SPDX-License-Identifier: GPL-2.0
"""Run sparse on one file, as make C=2 does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from hotcocci.engines.messages import Message, garbled, parse
from hotcocci.errors import EngineError
from hotcocci.tree.build import Build
from hotcocci.tree.process import MissingProgram, Outcome, run

TIMEOUT = 120.0
# The second line of a complaint about types: "f.c:1:2:    expected int *p".
CONTINUED = re.compile(r"\n[^\n:]+:\d+:\d+: {3,}(?=\S)")


def messages(
    build: Build, argv: Sequence[str], source: Path, root: Path
) -> tuple[Message, ...]:
    """sparse's messages about a source file below ``root``.

    ``argv`` is the compiler and its flags as they would compile the file. Raises
    EngineError.
    """
    if not build.checkflags:
        raise EngineError(
            "this tree's kbuild finds no sparse that is new enough for it"
        )
    # The default limit of 100 warnings may hide those for the changed lines.
    flags = ["-fmax-warnings=unlimited", *build.checkflags, *argv[1:]]
    outcome = _run(flags, source, build.out)
    why = garbled(outcome.err) or garbled(outcome.out)
    if why:
        raise EngineError(f"sparse: {why}")
    return parse(CONTINUED.sub(" ", outcome.err), str(root))


def _run(flags: Sequence[str], source: Path, folder: Path) -> Outcome:
    try:
        outcome = run(["sparse", *flags, str(source)], folder, TIMEOUT)
    except MissingProgram as error:
        raise EngineError(
            "sparse is not installed (Debian: apt install sparse)"
        ) from error
    return outcome
