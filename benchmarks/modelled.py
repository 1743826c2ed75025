#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the cycles that the model says rewrites save with those of native runs here.

    python3 benchmarks/modelled.py FILE… [--rule CODE] [--processor NAME]

The rewrites of the files are measured natively, and modelled for this machine's processor (default:
Zen 5), as they are measured: opening and closing user access cost nothing, and returns go through
thunks of 60 cycles or none. Prints a line for each function: core cycles saved with plain returns,
measured and modelled, and the same with thunks.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.findings import Gain  # noqa: E402
from hotcocci.pipeline.checks import check_changes  # noqa: E402
from hotcocci.pipeline.measuring import measure, this_machine  # noqa: E402
from hotcocci.pipeline.paths import trees  # noqa: E402
from hotcocci.pipeline.preparing import prepared  # noqa: E402
from hotcocci.pipeline.proving import propose  # noqa: E402
from hotcocci.pipeline.settings import Settings  # noqa: E402
from hotcocci.proof.measure.figures import Measured, Timing  # noqa: E402
from hotcocci.proof.model.cycles import cycles  # noqa: E402
from hotcocci.proof.model.processor import Cost, Processor  # noqa: E402
from hotcocci.proof.model.processors import PROCESSORS  # noqa: E402
from hotcocci.tree.targets.x86_64 import X86_64  # noqa: E402

FREE = Cost(0, "three nops")
THUNK = Cost(60, "SRSO thunk")


def main() -> int:
    """Print a table and the median of the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--rule", dest="rules", action="append", default=[])
    parser.add_argument("--processor", default="Zen 5")
    options = parser.parse_args()
    known = next(p for p in PROCESSORS if p.name == options.processor)
    settings = Settings(tier="prepared", rules=tuple(options.rules), show="cold")
    print("| function | plain, measured | modelled | thunks, measured | modelled |")
    print("|---|--:|--:|--:|--:|")
    errors: list[list[float]] = [[], []]
    for tree, paths in trees(options.files):
        changes = propose(tree, paths, settings).changes
        build = prepared(tree, X86_64, settings)
        proofs = check_changes(tree, changes, build, settings)
        gains = {
            (gain.unit, gain.function): gain
            for proof in proofs.values()
            for gain in proof.gains
        }
        for each in measure(tree, changes, (), this_machine(), settings):
            gain = gains.get((each.unit, each.function))
            if each.why or gain is None or gain.before.success is None:
                why = each.why or "its path is not counted"
                print(f"{each.unit}: {each.function}(): {why}", file=sys.stderr)
                continue
            print(line(each, gain, known, errors))
    for name, found in zip(("plain returns", "thunks"), errors, strict=True):
        if found:
            print(f"{name}: median error {median(map(abs, found)):.1f} cycles")
    return 0


def line(
    each: Measured, gain: Gain, known: Processor, errors: list[list[float]]
) -> str:
    """The row of a function; adds its errors."""
    plain, usual, thunks = (
        next((t for t in each.timings if (t.stand_in, t.thunks) == kind), None)
        for kind in (("0 cycles", False), ("12 cycles", False), ("12 cycles", True))
    )
    cells = [f"`{each.function}()`"]
    for timing, thunk, found in ((plain, FREE, errors[0]), (thunks, THUNK, errors[1])):
        as_measured = replace(known, open=FREE, close=FREE, thunk=thunk)
        modelled = saved(gain, as_measured)
        if timing is None or modelled is None:
            cells += ["", ""]
            continue
        # What thunks add, without the stand-in that they were measured with.
        native = core_cycles(timing) - (
            core_cycles(usual) - core_cycles(plain)
            if thunk is THUNK and usual and plain
            else 0
        )
        found.append(modelled - native)
        cells += [f"{native:.0f}", f"{modelled:.0f}"]
    return f"| {' | '.join(cells)} |"


def core_cycles(timing: Timing) -> float:
    """The core cycles saved, by the median of the turns."""
    return timing.saved.median * (timing.ratio if timing.unit == "TSC" else 1)


def saved(gain: Gain, processor: Processor) -> float | None:
    """The core cycles that the model says are saved; None if a path is unknown."""
    before, after = gain.before.success, gain.after.success
    if before is None or after is None:
        return None
    return cycles(before, processor) - cycles(after, processor)


if __name__ == "__main__":
    sys.exit(main())
