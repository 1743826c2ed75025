# SPDX-License-Identifier: GPL-2.0
"""Compiling a unit so that its machine code can be told by lines of its source."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from hotcocci.engines.compiler import Compiled, compile_unit
from hotcocci.tree.unit import Unit

# What is inlined, called and stored stays what it is without these: they keep the code of
# different statements apart and in order, and branches in place of tables.
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
    # Of two equal functions one would be the other's code, without lines.
    "-fno-ipa-icf",
    # Warnings are for those who compile for other reasons.
    "-w",
)


def compile_legibly(unit: Unit, scratch: Path) -> Compiled:
    """The object of a unit in ``scratch``, with lines and inlined functions.

    Asked again with the same scratch folder and an unchanged source, it compiles nothing. Raises
    BuildError if there is no compiler.
    """
    return _compiled(unit, scratch, unit.source.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _compiled(unit: Unit, scratch: Path, _changed: int) -> Compiled:
    return compile_unit(unit, scratch / f"{unit.source.stem}.o", LEGIBLE)
