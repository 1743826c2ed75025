# SPDX-License-Identifier: GPL-2.0
"""Read a profile from the output of perf report, perf script or perf annotate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, islice
from pathlib import Path

from hotcocci.engines.perf import annotate, report, script
from hotcocci.engines.perf.profile import Profile
from hotcocci.errors import UserError

# Lines to examine: a header of perf record (--header) may come first.
LOOKED_AT = 5000
# Lines are cut here: only mangled names of other languages are longer.
LONGEST = 4000
WRITE_IT = (
    "write it with 'perf report --stdio', 'perf script' or 'perf annotate --stdio'"
)
# Magic of perf.data in either byte order (tools/perf/Documentation/perf.data-file-format.txt)
_MAGIC = ("PERFILE2", "2ELIFREP")

Reader = Callable[[Iterable[str]], Profile]


def read(path: Path) -> Profile:
    """Read the profile in a file.

    Raises UserError if the file cannot be read, is not perf's output, or names no kernel
    function.
    """
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            lines = (
                line if len(line) <= LONGEST else f"{line[:LONGEST]}\n" for line in file
            )
            head = list(islice(lines, LOOKED_AT))
            profile = _reader(head)(chain(head, lines))
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}: name a file with perf's output"
        ) from error
    except UserError as error:
        raise UserError(f"{path}: {error}") from error
    if not profile.shares:
        raise UserError(
            f"{path}: this profile has no kernel functions: record one as root, "
            "without ':u' after the event"
        )
    return profile


def _reader(head: list[str]) -> Reader:
    """The reader for output that starts with these lines. Raises UserError."""
    if head and head[0].startswith(_MAGIC):
        raise UserError(
            "this is perf record's binary output: convert it with 'perf report --stdio -i FILE'"
        )
    for line in head:
        if annotate.HEADING.match(line):
            return annotate.read
        if report.HEADING.match(line) or report.is_row(line):
            return report.read
        if line[0] == "#":
            continue
        if script.HEADER.match(line) or line[0] == "\t" and script.FRAME.match(line):
            return script.read
    if any(map(annotate.INSTRUCTION.match, head)):
        return annotate.read
    raise UserError(f"this is not a profile: {WRITE_IT}")
