#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs the commands in benchmarks/results/tables.md again, and writes what they print into it.

    python3 benchmarks/measured.py --tree linux-6.12=FOLDER --tree linux-7.2=FOLDER [--only TEXT]

A command is in a comment, ``<!-- run: COMMAND -->``; its output follows, up to ``<!-- end -->``. It is
run by a shell in the root of the project, with the folder in place of the name of each tree; --only
takes the commands that contain a text. Each output is written as soon as it is there, so that a run
can be interrupted. All commands together take a day on two cores.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "benchmarks/results/tables.md"
BLOCK = re.compile(
    r"^<!-- run: (?P<command>.*?) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL
)

TREE = re.compile(r"(?<![\w/])linux-\d[\d.]*\d")


def commands(text: str) -> list[str]:
    """The commands of a page, in order."""
    return [match["command"] for match in BLOCK.finditer(text)]


def replaced(text: str, command: str, output: str) -> str:
    """The page with the output of a command; what is no Markdown table is shown verbatim."""
    shown = output.strip("\n")
    if not re.search(r"^\|--", shown, re.MULTILINE):
        shown = f"```\n{shown}\n```"

    def block(match: re.Match[str]) -> str:
        if match["command"] != command:
            return match.group()
        return f"<!-- run: {command} -->\n`{command}`\n\n{shown}\n\n<!-- end -->"

    return BLOCK.sub(block, text)


def run(command: str, trees: dict[str, str]) -> str:
    """What a command prints, with the names of trees in place of their folders.

    Raises RuntimeError if it fails. An exit code of 1 means findings.
    """
    missing = {name for name in TREE.findall(command) if name not in trees}
    if missing:
        raise RuntimeError(f"{command}: needs --tree {min(missing)}=FOLDER")
    line = TREE.sub(lambda m: trees[m.group()], command)
    line = re.sub(r"^(run\.py|benchmarks/\S+)", f"'{sys.executable}' \\1", line)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        line, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        raise RuntimeError(
            f"{command}: exit code {done.returncode}: {done.stderr[-500:]}"
        )
    output = done.stdout
    for name, folder in trees.items():
        output = output.replace(str(Path(folder).resolve()), name)
    return output


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--tree", action="append", default=[], metavar="NAME=FOLDER", dest="trees"
    )
    parser.add_argument("--only", default="", metavar="TEXT")
    return parser.parse_args()


def main() -> int:
    """Run the commands; returns the exit code."""
    options = parse()
    trees = dict(named.split("=", 1) for named in options.trees)
    failed = 0
    for command in commands(PAGE.read_text(encoding="utf-8")):
        if options.only not in command:
            continue
        begun = time.monotonic()
        try:
            output = run(command, trees)
        except RuntimeError as error:
            print(error, file=sys.stderr)
            failed += 1
            continue
        # Read again: somebody may have edited the page meanwhile.
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(replaced(page, command, output), encoding="utf-8")
        print(f"{time.monotonic() - begun:7.1f} s  {command}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
