# SPDX-License-Identifier: GPL-2.0
"""What the comparisons of a run compare: explore.py asks how they could come out otherwise."""

from __future__ import annotations

from typing import Protocol

import unicorn

from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.processor import Processor, Step
from hotcocci.proof.execution.state import State


class Comparing(Protocol):
    """What is needed of a machine."""

    engine: unicorn.Uc
    processor: Processor
    space: AddressSpace
    state: State


def compare_operands(machine: Comparing, step: Step) -> None:
    """Note what a comparison is about to compare."""
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
    """The number of a bit, and each for which the test comes out otherwise, then the set ones."""
    number %= width
    is_set = bits >> number & 1
    others = [n for n in range(width) if (bits >> n & 1) != is_set]
    also = [n for n in range(width) if bits >> n & 1 and n != number]
    return [(number, n) for n in dict.fromkeys([*others[:1], *also])]
