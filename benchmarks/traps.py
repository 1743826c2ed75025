#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts what commands that only read a tree run or load from one full of traps, by strace.

Prints for each command: the programs that it started, those of them that are in the tree, files of the tree
that were opened as code (modules, .pth files, libraries, hooks), and the traps that were sprung.

    python3 benchmarks/traps.py
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.tree.traps import arm, git, lay, sprung  # noqa: E402

LAMP = "drivers/lamp.c"
RUN = str(ROOT / "run.py")
COMMANDS = {
    "lint": (RUN, "lint", "--churn", "."),
    "lint --diff-base": (RUN, "lint", "--diff-base", "HEAD", "."),
    "why": (RUN, "why", f"{LAMP}:34"),
    "check --engine spatch": (RUN, "check", "--engine", "spatch", "."),
    "lsp": (str(ROOT / "benchmarks/lsp_times.py"), f"{{root}}/{LAMP}"),
}
# The folder and the path of a call that succeeded.
CALL = re.compile(
    r'(?P<name>execve|openat)\((?:AT_FDCWD<(?P<folder>[^>]*)>, )?"(?P<path>[^"]*)".* = \d+'
)
CODE = re.compile(r"\.(py|pyc|pth|so)$|/hooks/")


def main() -> int:
    """Run the commands; returns the exit code."""
    found = 0
    print("command | programs started | in the tree | opened as code | traps sprung")
    for name, command in COMMANDS.items():
        with tempfile.TemporaryDirectory(prefix="hotcocci-traps-") as folder:
            root = prepared(Path(folder).resolve())
            started, run, loaded = traced(root, command)
            caught = sprung(root)
        print(f"{name} | {started} | {len(run)} | {len(loaded)} | {len(caught)}")
        for each in (*run, *loaded, *caught):
            print(f"    {each}")
            found = 1
    return found


def prepared(folder: Path) -> Path:
    """A tree full of traps, in a git repository with others; a change is not committed."""
    root = folder / "tree"
    shutil.copytree(ROOT / "kernel-fixtures/classic", root)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "tree")
    lay(root)
    arm(root)
    with (root / LAMP).open("a") as stream:
        stream.write("/* changed */\n")
    return root


def traced(root: Path, command: tuple[str, ...]) -> tuple[int, list[str], list[str]]:
    """How many programs a command starts, and the files of the tree that it runs and loads."""
    log = root.parent / "log"
    strace = ["strace", "-f", "-y", "-e", "trace=execve,openat", "-o", str(log)]
    subprocess.run(
        [*strace, sys.executable, *(word.format(root=root) for word in command)],
        cwd=root,
        env={**os.environ, "XDG_CACHE_HOME": str(root.parent / "cache")},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    calls = [CALL.search(line) for line in log.read_text(errors="replace").splitlines()]
    started, run, loaded = 0, [], []
    for call in calls:
        if call is None:
            continue
        path = Path(call["folder"] or root, call["path"])
        inside = Path(os.path.normpath(path)).is_relative_to(root)
        if call["name"] == "execve":
            started += 1
            run += [str(path)] if inside else []
        elif inside and CODE.search(str(path)):
            loaded.append(str(path))
    return started, run, loaded


if __name__ == "__main__":
    sys.exit(main())
