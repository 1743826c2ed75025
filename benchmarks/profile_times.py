#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Times reading a large generated perf script, and checks the shares.

python3 benchmarks/profile_times.py [--megabytes N]
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hotcocci.engines.perf import read  # noqa: E402

DEPTH = 18
FUNCTIONS = [f"function_{number}.isra.0" for number in range(2000)]


def main() -> int:
    """Print a line for each format; returns 1 if a share is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=100)
    size = parser.parse_args().megabytes * 1_000_000
    wrong = 0
    for chains in (True, False):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            expected = write(file, size, chains)
            start = time.monotonic()
            shares = read(Path(file.name)).shares
            seconds = time.monotonic() - start
        wrong += sum(
            abs(shares[name] - part) > 0.001 for name, part in expected.items()
        )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        form = "with call chains" if chains else "without"
        print(
            f"perf script {form}: {size / 1e6:.0f} MB, {len(shares)} functions, "
            f"{seconds:.1f} s, peak {peak:.0f} MiB"
        )
    print(f"wrong shares: {wrong}")
    return 1 if wrong else 0


def write(file: IO[str], size: int, chains: bool) -> dict[str, float]:
    """Write samples up to a size; returns each function's share in percent."""
    chance = random.Random(1)
    weights = [1.0 / (number + 1) for number in range(len(FUNCTIONS))]
    counted: Counter[str] = Counter()
    written = samples = 0
    while written < size:
        for name in chance.choices(FUNCTIONS, weights, k=1000):
            text = "".join(sample(name, samples, chains, chance))
            written += len(text)
            samples += 1
            counted[name.partition(".")[0]] += 1
            file.write(text)
    file.flush()
    return {name: 100 * number / samples for name, number in counted.items()}


def sample(
    name: str, number: int, chains: bool, chance: random.Random
) -> Iterator[str]:
    """Format one sample."""
    head = f"bench  {4000 + number % 7} [{number % 8:03}] {number / 4000:.6f}: 250000 cycles:P: "
    address = 0xFFFFFFFF81000000 + chance.randrange(1 << 24)
    first = f"{address:16x} {name}+{address & 0xFF:#x} ([kernel.kallsyms])\n"
    if not chains:
        yield f"{head} {first}"
        return
    yield f"{head}\n\t{first}"
    for caller in chance.choices(FUNCTIONS, k=DEPTH):
        address += 64
        yield f"\t{address:16x} {caller}+0x1c ([kernel.kallsyms])\n"
    yield "\n"


if __name__ == "__main__":
    sys.exit(main())
