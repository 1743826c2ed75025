# SPDX-License-Identifier: GPL-2.0
"""Record the operands of comparisons, so that explore.py can search for other outcomes."""

from __future__ import annotations

from typing import Protocol

import unicorn

from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.processor import Processor, Step
from hotcocci.proof.execution.state import State


class Comparing(Protocol):
    """The parts of Machine that this module uses."""

    engine: unicorn.Uc
    processor: Processor
    space: AddressSpace
    state: State


def compare_operands(machine: Comparing, step: Step) -> None:
    """Record the operands of a comparison that is about to run."""
    state, layout = machine.state, machine.processor.layout
    values = []
    for operand in step.operands[:2]:
        if operand.place is None:
            values.append(machine.processor.value(machine.engine, operand))
            continue
        at = machine.processor.address(machine.engine, operand.place)
        if not layout.user_low <= at < layout.end:
            return
        data = machine.space.read(at, operand.size)
        values.append(int.from_bytes(data, layout.order))
    if len(values) == 2 and step.chosen:
        size = step.operands[0].size
        pairs = _numbers_of_bits(values[0], values[1], 8 * size)
        state.compared[:] = [(*pair, size, False) for pair in pairs]
    elif len(values) == 2:
        if layout.user_high in values:
            state.pointers += values
            state.checked |= {value for value in values if value != layout.user_high}
        if not step.further:
            state.compared.clear()
        state.compared.append((values[0], values[1], step.operands[0].size, step.mask))


def _numbers_of_bits(bits: int, number: int, width: int) -> list[tuple[int, int]]:
    """Bit numbers that a bit test may use: one with the other outcome, then the other set bits."""
    number %= width
    is_set = bits >> number & 1
    others = [n for n in range(width) if (bits >> n & 1) != is_set]
    also = [n for n in range(width) if bits >> n & 1 and n != number]
    return [(number, n) for n in dict.fromkeys([*others[:1], *also])]
