# SPDX-License-Identifier: GPL-2.0
"""Read a profile in whatever form perf printed or recorded it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryFile

from hotcocci.engines.perf import annotate, report, script
from hotcocci.engines.perf.profile import Profile
from hotcocci.errors import UserError
from hotcocci.tree.process import environment, with_parent

# Lines to examine: a header of perf record (--header) may come first.
LOOKED_AT = 5000
# Lines are cut here: only mangled names of other languages are longer.
LONGEST = 4000
WRITE_IT = (
    "write it with 'perf report --stdio', 'perf script' or 'perf annotate --stdio'"
)
# Magic of perf.data in either byte order (tools/perf/Documentation/perf.data-file-format.txt)
_MAGIC = (b"PERFILE2", b"2ELIFREP")
# Lines that must all be samples of one line if nothing else says what they are.
_FLAT_LINES = 20

Reader = Callable[[Iterable[str]], Profile]


def read(path: Path) -> Profile:
    """Read the profile in a file.

    Raises UserError if the file cannot be read, is not perf's output, or names no kernel
    function.
    """
    try:
        # Opened once: it may be a pipe.
        with path.open("rb") as file:
            if file.peek(8)[:8] in _MAGIC:
                profile = _recorded(path)
            else:
                profile = _printed(TextIOWrapper(file, "utf-8", "replace"))
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


def _recorded(path: Path) -> Profile:
    """The profile in what perf record wrote. Raises UserError without perf, or if it fails."""
    perf = shutil.which("perf")
    if perf is None:
        raise UserError(
            "perf, which reads this recording, is not installed: apt-get install linux-perf, "
            "or convert it with 'perf report --stdio -i FILE'"
        )
    # Without debug information, looking for inlined functions is slow and finds none.
    argv = with_parent([perf, "script", "--no-inline", "-i", str(path)])
    with (
        TemporaryFile("w+") as complaints,
        subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=environment(),
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        assert process.stdout is not None, "it is a pipe"
        head = list(islice(process.stdout, 1))
        profile = script.read(_cut(chain(head, process.stdout))) if head else Profile()
        if process.wait():
            complaints.seek(0)
            said = complaints.readline().strip() or "it prints no reason"
            raise UserError(f"perf script fails on this recording: {said}")
    return profile


def _printed(text: Iterable[str]) -> Profile:
    lines = _cut(text)
    head = list(islice(lines, LOOKED_AT))
    return _reader(head)(chain(head, lines))


def _cut(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line if len(line) <= LONGEST else f"{line[:LONGEST]}\n"


def _reader(head: list[str]) -> Reader:
    """The reader for output that starts with these lines. Raises UserError."""
    for line in head:
        if report.TOP.match(line):
            return report.read
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
    written = [s for s in head if s.strip() and s[0] != "#"][:_FLAT_LINES]
    for pattern, reader in (
        (script.STACK, script.read_folded),
        (script.FLAT, script.read_flat),
    ):
        if written and all(pattern.match(line.rstrip("\n")) for line in written):
            return reader
    raise UserError(f"this is not a profile: {WRITE_IT}")
