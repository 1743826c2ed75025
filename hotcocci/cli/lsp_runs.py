# SPDX-License-Identifier: GPL-2.0
"""Looking at a file for an editor: ``lint`` in a process of its own, which can be ended at any time."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path

from hotcocci.cli.inputs import CHECKOUT
from hotcocci.errors import UserError
from hotcocci.output.sarif_results import Log, read

START = "import sys; from hotcocci.cli.main import main; sys.exit(main())"
# Seconds until one that was told to end is killed.
PATIENCE = 5.0


def arguments(options: argparse.Namespace) -> list[str]:
    """How ``lint`` is told what ``lsp`` was told."""
    told = [word for code in options.rule for word in ("--rule", code)]
    for name in ("api", "min_run", "timeout", "cache_dir", "profile", "hot"):
        value = getattr(options, name)
        if value is not None:
            told += [f"--{name.replace('_', '-')}", str(value)]
    if options.baseline is not None:
        told += ["--baseline", str(options.baseline)]
    # Other files wait their turn, rather than other parts of this one.
    return [*told, "--jobs", "1"]


async def look(path: Path, told: list[str]) -> Log:
    """What is found in a file as it is saved.

    Raises UserError with what ``lint`` complained of. When the task is cancelled the process, and all
    that it started, is ended before this is left.
    """
    # It need not be installed where run.py is called.
    paths = [str(CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", START, "lint", str(path), "--format", "sarif", *told),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    try:
        out, err = await process.communicate()
    finally:
        await _end(process)
    if process.returncode not in (0, 1):
        said = err.decode("utf-8", "replace").strip().splitlines()
        reason = said[-1] if said else f"it ended with {process.returncode}"
        raise UserError(reason.removeprefix("hotcocci: "))
    try:
        return read(out.decode("utf-8"))
    except ValueError as error:
        raise UserError(f"cannot read what lint says of {path}: {error}") from error


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    # It ends its own workers and programs then.
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), PATIENCE)
    except asyncio.TimeoutError:
        process.kill()
        await process.wait()
