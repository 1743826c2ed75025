# SPDX-License-Identifier: GPL-2.0
"""From a file that perf has printed to a profile, whichever of its commands it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, islice
from pathlib import Path

from hotcocci.engines.perf import annotate, report, script
from hotcocci.engines.perf.profile import Profile
from hotcocci.errors import UserError

# A header of perf record (--header) may come first.
LOOKED_AT = 5000
# Only names of other languages are longer; what follows them does not matter.
LONGEST = 4000
WRITE_IT = (
    "write it with 'perf report --stdio', 'perf script' or 'perf annotate --stdio'"
)
# What perf record writes, on disk and into a pipe (tools/perf/Documentation/perf.data-file-format.txt)
_MAGIC = ("PERFILE2", "2ELIFREP")

Reader = Callable[[Iterable[str]], Profile]


def read(path: Path) -> Profile:
    """The profile in a file.

    Raises UserError if it cannot be read, or is no text of perf's that tells of functions
    of the kernel.
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
            f"cannot read {path}: {error.strerror}: name a file that perf has printed"
        ) from error
    except UserError as error:
        raise UserError(f"{path}: {error}") from error
    if not profile.shares:
        raise UserError(
            f"{path}: this profile shows no function of the kernel: record one as root, "
            "without ':u' behind the event"
        )
    return profile


def _reader(head: list[str]) -> Reader:
    """Which command printed what begins so."""
    if head and head[0].startswith(_MAGIC):
        raise UserError(
            "this is what perf record writes: print it with 'perf report --stdio -i' and its name"
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
    raise UserError(f"this is no profile: {WRITE_IT}")
