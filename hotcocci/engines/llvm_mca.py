# SPDX-License-Identifier: GPL-2.0
"""Run llvm-mca: how many instructions of a stream a processor finishes per cycle."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hotcocci.tree.process import run

TIMEOUT = 60.0
# Newest first: a new one knows more processors. Debian's packages have the version in the name.
NAMES = (*(f"llvm-mca-{number}" for number in range(24, 13, -1)), "llvm-mca")
ERROR = re.compile(r"^[^\n:]*:(\d+):\d+: error: ", re.MULTILINE)
UNKNOWN = "not a recognized processor"


@lru_cache(maxsize=1)
def program() -> str | None:
    """The newest llvm-mca that is installed, None if there is none."""
    return next((name for name in NAMES if shutil.which(name)), None)


def rates(
    triple: str, processor: str, head: str, streams: Sequence[Sequence[str]]
) -> list[float | None]:
    """The instructions per cycle of each stream of assembly lines; None if it is not known.

    ``head`` selects the syntax. Instructions that llvm-mca cannot read are left out. The rate is that
    of the block's reciprocal throughput: only the processor's width and units limit it. llvm-mca's
    cycles are those of a loop, where a register that is read and later written for something else
    delays the next iteration; the code of a path is no loop.
    """
    found: list[float | None] = [None] * len(streams)
    name = program()
    if name is None or not any(streams):
        return found
    lines = [head]
    for number, stream in enumerate(streams):
        lines += [f"# LLVM-MCA-BEGIN {number}", *stream, f"# LLVM-MCA-END {number}"]
    argv = [name, f"-mtriple={triple}", f"-mcpu={processor}", "-json", "-iterations=1"]
    with TemporaryDirectory(prefix="hotcocci-mca-") as folder:
        source = Path(folder) / "streams.s"
        # A second time without what it could not read.
        for _ in range(2):
            source.write_text("\n".join(lines) + "\n")
            outcome = run([*argv, str(source)], source.parent, TIMEOUT)
            failed = {int(line) for line in ERROR.findall(outcome.err)}
            if not failed:
                break
            lines = ["" if n in failed else line for n, line in enumerate(lines, 1)]
    if outcome.status != 0 or UNKNOWN in outcome.err:
        return found
    for region in json.loads(outcome.out)["CodeRegions"]:
        summary = region["SummaryView"]
        # Of instructions that need no unit it is 0.
        if summary["BlockRThroughput"]:
            rate = summary["Instructions"] / summary["BlockRThroughput"]
            found[int(region["Name"])] = round(rate, 2)
    return found
