# SPDX-License-Identifier: GPL-2.0
"""Run a block of plain instructions."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.proof.symbolic.access import Side, resolve
from hotcocci.proof.symbolic.code import Block
from hotcocci.proof.symbolic.state import UnsupportedError
from hotcocci.proof.symbolic.values import Word
from hotcocci.proof.symbolic.vex import execute

# VEX's jump kind for a block that ends at an unknown instruction.
UNTRANSLATED = "Ijk_NoDecode"


def plain(side: Side, found: Block) -> None:
    assert found.vex is not None
    if found.vex.jumpkind == UNTRANSLATED:
        line = side.code.lines(found.last)
        raise UnsupportedError(f"unsupported instruction at line {line}")
    registers = dict(side.state.registers)
    after = execute(found.vex, registers, side, side.decided, side.code.arch)
    side.state = replace(side.state, registers=registers, site=found.last)
    go_on(side, after)


def go_on(side: Side, after: Word) -> None:
    """Continue at an address; an unknown one is an indirect call."""
    after = resolve(side.path, side.code.terms, after)
    if isinstance(after, int):
        side.state = replace(side.state, pc=after)
        return
    side.state = replace(side.state, pc=UNKNOWN, target=after)


# The state's pc during an indirect call.
UNKNOWN = 0
