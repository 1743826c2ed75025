#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Time from opening or editing a file to its findings in the language server.

usage: lsp_times.py FILE…

For each file of a kernel tree, without and with a cache and after an edit, prints the elapsed time and
the processor time of the server and all that it runs, in seconds. The cache is a temporary one.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests/cli")]

from lsp_client import connected  # noqa: E402


def main(names: list[str]) -> int:
    """Measure the files and print a table."""
    print("| file | | elapsed | processor time |\n|---|---|--:|--:|")
    for name in names:
        with tempfile.TemporaryDirectory(prefix="hotcocci-lsp-") as cache:
            for state in ("unknown", "known", "edited"):
                before = _used()
                elapsed = asyncio.run(_time(Path(name), Path(cache), state == "edited"))
                used = _used() - before
                print(f"| {name} | {state} | {elapsed:.1f} | {used:.1f} |", flush=True)
    return 0


async def _time(file: Path, cache: Path, edit: bool) -> float:
    """Seconds from opening the file, or from an edit after that, to its findings."""
    async with connected("--cache-dir", cache) as editor:
        start = time.monotonic()
        editor.open(file)
        await editor.diagnostics()
        if edit:
            text = file.read_text(encoding="utf-8")
            start = time.monotonic()
            editor.change(file, 2, text.replace("\tint ", "\tint  "))
            # First the findings that have moved, then those of the new text.
            await editor.diagnostics()
            await editor.diagnostics()
        elapsed = time.monotonic() - start
        await editor.leave()
    return elapsed


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
