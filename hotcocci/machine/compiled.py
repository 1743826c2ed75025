# SPDX-License-Identifier: GPL-2.0
"""Compile a unit so that its object code maps to source lines."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from hotcocci.engines.compiler import Compiled, compile_unit
from hotcocci.tree.unit import Unit

# These keep the code of different statements apart and in order, and use branches instead of
# jump tables. Inlining, calls and stores stay the same.
LEGIBLE = (
    "-g1",
    "-gdwarf-4",
    "-gstatement-frontiers",
    "-fno-jump-tables",
    "-fno-schedule-insns",
    "-fno-schedule-insns2",
    "-fno-crossjumping",
    "-fno-tree-tail-merge",
    "-fno-if-conversion",
    "-fno-if-conversion2",
    "-fno-reorder-blocks",
    "-fno-shrink-wrap",
    # Of two identical functions, one would have no code and no lines.
    "-fno-ipa-icf",
    # Nobody reads the warnings here.
    "-w",
)


def compile_legibly(unit: Unit, scratch: Path) -> Compiled:
    """Compile a unit into ``scratch`` with line and inlining information.

    The result is cached for the same scratch directory and an unchanged source. Raises
    BuildError if there is no compiler.
    """
    return _compiled(unit, scratch, unit.source.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _compiled(unit: Unit, scratch: Path, _changed: int) -> Compiled:
    return compile_unit(unit, scratch / f"{unit.source.stem}.o", LEGIBLE)
