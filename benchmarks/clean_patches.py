#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Lint patches of history: what does ``lint --diff`` say of lines that people added and others merged?

    python3 benchmarks/clean_patches.py OLD NEW [--number N] [--seed N] [--adding] [LINT-OPTION…]

OLD and NEW are two versions of a kernel. A patch is all that changed in a file with user accesses; with --adding,
only those that add some. Prints what ``lint`` says of them in NEW, which a person has to read.
"""

from __future__ import annotations

import argparse
import difflib
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ACCESS = re.compile(r"\b(?:__)?(?:get_user|put_user|copy_from_user|copy_to_user)\s*\(")


def main() -> int:
    """Print the findings and how many patches were read."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--adding", action="store_true")
    options, more = parser.parse_known_args()
    files = sorted(options.new.rglob("*.c"))
    random.Random(options.seed).shuffle(files)
    with tempfile.TemporaryDirectory() as folder:
        number = 0
        for number, patch in enumerate(
            patches(files, options.old, options.new, options.adding), 1
        ):
            Path(folder, f"{number:05}.patch").write_text(patch, encoding="latin-1")
            if number == options.number:
                break
        print(f"{number} patches", flush=True)
        lint = [sys.executable, str(ROOT / "run.py"), "lint", str(options.new)]
        return subprocess.run([*lint, "--diff", folder, *more], check=False).returncode


def patches(files: list[Path], old: Path, new: Path, adding: bool) -> Iterator[str]:
    """The changes to each of these files that has user accesses."""
    for file in files:
        name = file.relative_to(new)
        if not (old / name).is_file():
            continue
        text = file.read_text(encoding="latin-1")
        before = (old / name).read_text(encoding="latin-1")
        if not ACCESS.search(text) or text == before or not text.endswith("\n"):
            continue
        lines = [
            *difflib.unified_diff(
                before.splitlines(True), text.splitlines(True), f"a/{name}", f"b/{name}"
            )
        ]
        added = (line for line in lines if line.startswith("+"))
        if not adding or any(map(ACCESS.search, added)):
            yield "".join(lines)


if __name__ == "__main__":
    sys.exit(main())
