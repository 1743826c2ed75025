#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Measures the processor time of lint, known and unknown, also as ratios that other machines have, too.

    python3 benchmarks/speed.py TREE [--next OTHER]

Prints a row for each command: seconds with all child processes, and these as a ratio to what was measured
in the same run: five million empty loops of Python, a walk that asks for the status of each C file, and
'spatch --parse-c' on the whole text of each file that lint passes to spatch for any rule. That parses and
does nothing else, so it is the least that any use of spatch takes. ``--next`` is a tree of another version.

All is done in copies beside the tree, most of them of hard links, of which the tree's own files keep their
contents. The cache is an empty one.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.pipeline.examine import worth_parsing  # noqa: E402
from hotcocci.pipeline.run import running  # noqa: E402
from hotcocci.pipeline.settings import Settings  # noqa: E402
from hotcocci.rules.rulebook import MENTIONS, REWRITE_RULES  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402
from hotcocci.tree.select import mentioning, mentions  # noqa: E402
from hotcocci.tree.source import SETTLED_NS  # noqa: E402

# Files of 1,300 to 4,200 lines with findings, and one in which only a line is changed.
FILES = ("drivers/gpu/drm/drm_ioctl.c", "sound/core/pcm_native.c", "kernel/time/time.c")
EDITED = FILES[1]
HEADER = "include/linux/uaccess.h"
# After a body's first brace, in which it is a change of code.
BRACE, LINE = b"\n{\n", b"\n{\n\tbarrier();\n"
PART = 100
LOOPS = "for _ in range(5_000_000): pass"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree", type=Path, metavar="TREE")
    parser.add_argument("--next", type=Path, metavar="OTHER", help="another version")
    options = parser.parse_args()
    tree = options.tree.resolve()
    with tempfile.TemporaryDirectory(dir=tree.parent, prefix="speed-") as scratch:
        here = Path(scratch)
        own = copied(tree, here / "own", "-al")
        loops = best(lambda: spent([sys.executable, "-c", LOOPS]))
        walk = best(lambda: spent(["sh", "-c", listing(own)]))
        parse = parsed(own, here / "parsed")
        print(f"Loops {loops:.2f} s, a walk {walk:.2f} s, parsing {parse:.1f} s\n")
        print("| what | seconds | loops | walks | parses |\n|---|--:|--:|--:|--:|")
        for what, seconds in rows(tree, own, here, options.next):
            ratios = (
                f"{seconds / loops:.1f} | {seconds / walk:.1f} | {seconds / parse:.2f}"
            )
            print(f"| {what} | {seconds:.2f} | {ratios} |", flush=True)
    return 0


def rows(
    tree: Path, own: Path, here: Path, following: Path | None
) -> Iterator[tuple[str, float]]:
    """Each command and what it takes, in ``own``, a copy of the tree."""
    for file in FILES:
        yield f"lint {file}, empty cache", linted(here / Path(file).stem, own / file)
    lint = partial(linted, here / "cache")
    yield "lint TREE, empty cache", lint(own)
    # Files that have just been written or linked are known for certain only some seconds later.
    time.sleep(SETTLED_NS / 1e9)
    lint(own)
    yield "the same again", lint(own)
    yield f"lint {FILES[0]}, known", lint(own / FILES[0])
    edited = (own / EDITED).read_bytes().replace(BRACE, LINE, 1)
    yield f"lint --stdin {EDITED}, a line added", lint(own / EDITED, edited)
    written(own / EDITED, edited)
    yield f"lint {EDITED}, a line added", lint(own / EDITED)
    written(own / EDITED, (tree / EDITED).read_bytes())
    lint(own)
    written(own / HEADER, (own / HEADER).read_bytes() + b"/* one more line */\n")
    yield f"lint TREE, a comment in {HEADER}", lint(own)
    linked = copied(own, here / "linked", "-al")
    time.sleep(SETTLED_NS / 1e9)
    yield "lint TREE, after cp -al", lint(own)
    yield "lint that copy", lint(linked)
    yield "lint a copy by cp -a", lint(copied(own, here / "whole", "-a"))
    if following:
        yield f"lint {following.name}, {tree.name} being known", lint(following)


def copied(tree: Path, to: Path, how: str) -> Path:
    """A copy of a tree by cp."""
    subprocess.run(["cp", how, str(tree), str(to)], check=True)
    return to


def written(file: Path, data: bytes) -> None:
    """Write a file that is not the one that other names of it are."""
    file.unlink()
    file.write_bytes(data)


def linted(cache: Path, path: Path, text: bytes | None = None) -> float:
    """The processor time of lint, with a text for that of the file if there is one."""
    argv = [sys.executable, str(ROOT / "run.py"), "lint"]
    argv += [*(["--stdin"] if text is not None else []), str(path)]
    return spent(argv, text, XDG_CACHE_HOME=str(cache))


def spent(argv: list[str], text: bytes | None = None, **variables: str) -> float:
    """The processor time of a command with its children; exits if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, **variables}
    done = subprocess.run(argv, input=text, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(argv[:4])}: {os.fsdecode(done.stderr).strip()[-500:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(measured: Callable[[], float]) -> float:
    """The least of five: what it takes without others."""
    return min(measured() for _ in range(5))


def listing(tree: Path) -> str:
    """The shell command that lists the C files of a tree with their status."""
    return f"find '{tree}' -name '*.[ch]' -printf '%T@ %s\\n'"


def parsed(root: Path, cache: Path) -> float:
    """What it takes to parse each file that lint passes to spatch once, whole."""
    tree = find_tree(root)
    files: set[str] = set()
    with running(tree, Settings(cache_dir=cache)) as run:
        mentioned, _ = mentions(tree, [root], run.cache, MENTIONS)
        for rule in REWRITE_RULES:
            own = mentioning(mentioned, rule.mention) if rule.mention else []
            files.update(worth_parsing(run, rule, own))
    parse = ["spatch", "--macro-file", str(ROOT / "cocci/macros.h"), "--parse-c"]
    names = [str(root / file) for file in sorted(files)]
    # Of all at once, it overflows its stack.
    parts = [names[at : at + PART] for at in range(0, len(names), PART)]
    return sum(spent([*parse, *part]) for part in parts)


if __name__ == "__main__":
    sys.exit(main())
