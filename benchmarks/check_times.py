#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Times ``run.py check``: a whole tree with spatch alone, and each file with all engines.

spatch checks the tree with an empty cache, and again with a filled one. Then all installed engines
check each file with windows alone, with prepared kernels but nothing else cached. Nothing is
written into the tree.

    python3 benchmarks/check_times.py TREE [--cache-dir FOLDER] [--files N]

FOLDER keeps prepared kernels from one run to the next; results are not kept.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.cache import FILE_NAME, Cache  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402
from hotcocci.tree.select import (  # noqa: E402
    WINDOW,  # noqa: E402
    mentioning,
    mentions,
)

# The same files in every run
SEED = 1


def check(path: Path, cache: Path, *more: str) -> float:
    """Run a check and return the seconds it takes; it must not fail."""
    start = time.monotonic()
    ran = subprocess.run(
        [sys.executable, str(ROOT / "run.py"), "check", str(path)]
        + ["--cache-dir", str(cache), *more],
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode > 1:
        sys.exit(ran.stderr)
    return time.monotonic() - start


def forget(cache: Path) -> None:
    """Drop cached results; prepared kernels stay."""
    for file in cache.glob(f"{FILE_NAME}*"):
        file.unlink()


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--cache-dir", type=Path)
    parser.add_argument("--files", type=int, help="limit to N files, chosen at random")
    options = parser.parse_args()
    tree = find_tree(options.tree)
    with tempfile.TemporaryDirectory() as folder:
        cache = options.cache_dir or Path(folder)
        forget(cache)
        cold = check(tree.root, cache, "--engine", "spatch")
        again = check(tree.root, cache, "--engine", "spatch")
        print(f"whole tree, spatch: cold {cold:.1f} s, again {again:.1f} s")
        with Cache(cache) as opened:
            files = mentioning(mentions(tree, [tree.root], opened, [WINDOW])[0], WINDOW)
        sources = [file for file in files if file.endswith(".c")]
        if options.files:
            sources = random.Random(SEED).sample(sources, options.files)
        # The first run prepares the kernels.
        check(tree.root, cache)
        forget(cache)
        taken = {file: check(tree.root / file, cache) for file in sources}
        print(
            f"{len(taken)} files, all engines: median {statistics.median(taken.values()):.1f} s, "
            f"over 10 s: {sum(seconds > 10 for seconds in taken.values())}"
        )
        for file, seconds in sorted(taken.items(), key=lambda t: -t[1])[:5]:
            print(f"{seconds:6.1f} s  {file}")


if __name__ == "__main__":
    main()
