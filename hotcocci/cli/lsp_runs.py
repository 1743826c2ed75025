# SPDX-License-Identifier: GPL-2.0
"""Looking at a file for an editor: commands in processes of their own, which can be ended at any time."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.output.sarif_results import Log, read
from hotcocci.pipeline.fingerprint import CHECKOUT
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.entry import SPATCH
from hotcocci.rules.rulebook import WINDOW_RULES, rule

START = "import sys; from hotcocci.cli.main import main; sys.exit(main())"
# Seconds until one that was told to end is killed.
PATIENCE = 5.0


def commands(settings: Settings) -> list[list[str]]:
    """What is asked about a file: ``lint`` and ``check``, or the one that has the rules asked for.

    Of the engines of ``check`` only spatch is as fast as that.
    """
    windows = [code for code in settings.rules if rule(code) in WINDOW_RULES]
    others = [code for code in settings.rules if code not in windows]
    both = ("timeout", "cache_dir", "baseline")
    asked = []
    if others or not windows:
        own = _told(settings, (*both, "api", "min_run", "profile", "hot"))
        asked.append(["lint", *own, *(f"--rule={code}" for code in others)])
    if windows or not others:
        own = _told(settings, both)
        asked.append(
            ["check", "--engine", SPATCH, *own, *(f"--rule={c}" for c in windows)]
        )
    return asked


def _told(settings: Settings, names: Sequence[str]) -> list[str]:
    """The options of these names that have a value, as words."""
    given = [(name, getattr(settings, name)) for name in names]
    words = [f"--{n.replace('_', '-')}={v}" for n, v in given if v is not None]
    # Other files wait their turn, rather than other parts of this one.
    return [*words, "--jobs=1", "--format=sarif"]


async def look(path: Path, asked: Sequence[list[str]]) -> Log:
    """What these commands find in a file as it is saved.

    Raises UserError with what one complained of. When the task is cancelled the processes, and all
    that they started, are ended before this is left.
    """
    tasks = [asyncio.create_task(_run(path, command)) for command in asked]
    try:
        logs = await asyncio.gather(*tasks)
    finally:
        # If one complains, or we are cancelled, the others end, too.
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    found = (result for log in logs for result in log.results)
    return Log(
        tuple(sorted(found, key=lambda result: result.line)),
        tuple(dict.fromkeys(reason for log in logs for reason in log.skipped)),
    )


async def _run(path: Path, command: list[str]) -> Log:
    # It need not be installed where run.py is called.
    paths = [str(CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", START, *command, str(path)),
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
        return read(out.decode("utf-8"), path.resolve().as_uri())
    except ValueError as error:
        raise UserError(
            f"cannot read what {command[0]} says of {path}: {error}"
        ) from error


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
