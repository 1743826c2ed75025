# SPDX-License-Identifier: GPL-2.0
"""Record the side effects of instructions: ports, fences, locked and device accesses."""

from __future__ import annotations

from collections.abc import Callable

from hotcocci.proof.execution.image import Image
from hotcocci.proof.execution.processor import Processor, Step, listing
from hotcocci.proof.execution.state import Running
from hotcocci.proof.execution.trace import LOAD, STORE, Call

# Device accessors are inline assembly in there (build_mmio_read() of x86's asm/io.h).
DEVICE = "/asm/io.h"


def devices(
    at: Callable[[int], tuple[str, int]], processor: Processor, image: Image
) -> frozenset[int]:
    """The instructions that access devices; ``at`` returns the file and line of an instruction."""
    return frozenset(
        address
        for function in image.functions
        for address, step in listing(processor, image, function)
        if step.access is not None and f"/{at(address)[0]}".endswith(DEVICE)
    )


def act(machine: Running, address: int, step: Step) -> None:
    """Record the side effect of an instruction that is about to run."""
    if address in machine.image.fixups:
        return
    where: tuple[str, ...] = ()
    on_stack = False
    if step.access is not None:
        at = machine.processor.address(machine.engine, step.access)
        on_stack = machine.space.is_stack(at)
        where = ("stack" if on_stack else f"{at:#x}", str(step.size))
    if step.effect:
        values = tuple(
            f"{machine.processor.value(machine.engine, each):#x}"
            for each in step.operands
        )
        _event(machine, step.effect, (*where, *values))
    elif not on_stack:
        _event(machine, f"device {STORE if step.stores else LOAD}", where)


def _event(machine: Running, name: str, arguments: tuple[str, ...]) -> None:
    written = frozenset(machine.state.shared.items())
    same = frozenset(machine.state.same)
    machine.event(Call(name, arguments, written, same))
