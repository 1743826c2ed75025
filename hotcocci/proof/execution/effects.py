# SPDX-License-Identifier: GPL-2.0
"""Record the side effects of instructions: ports, fences, locked and device accesses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from hotcocci.proof.execution.arguments import Given
from hotcocci.proof.execution.image import Function
from hotcocci.proof.execution.processor import Step
from hotcocci.proof.execution.trace import LOAD, STORE, Call, Event

# Device accessors are inline assembly in there (build_mmio_read() of x86's asm/io.h).
DEVICE = "/asm/io.h"


class Acting(Given, Protocol):
    """The parts of Machine that this module uses."""

    observed: Mapping[int, bool]

    def event(self, event: Event) -> None:
        """Record an event that is visible outside the function."""


def observed(
    at: Callable[[int], tuple[str, int]],
    volatile: Iterable[tuple[str, int, bool]],
    listing: Callable[[Function], Iterable[tuple[int, Step]]],
    functions: Iterable[Function],
) -> dict[int, bool]:
    """The instructions with volatile accesses; True for those of devices.

    ``at`` returns the file and line of an instruction. ``volatile`` are the lines of volatile loads
    and stores from pointers.py.
    """
    known = set(volatile)
    found: dict[int, bool] = {}
    for function in functions:
        for address, step in listing(function):
            if step.access is None:
                continue
            file, line = at(address)
            if f"/{file}".endswith(DEVICE):
                found[address] = True
            elif (file.rpartition("/")[2], line, step.stores) in known:
                found[address] = False
    return found


def act(machine: Acting, address: int, step: Step) -> None:
    """Record the side effect of an instruction that is about to run."""
    device = machine.observed.get(address)
    if not step.effect and device is None or address in machine.image.fixups:
        return
    where: tuple[str, ...] = ()
    at = 0
    if step.access is not None:
        at = machine.processor.address(machine.engine, step.access)
        where = ("stack" if machine.space.is_stack(at) else f"{at:#x}", str(step.size))
    if step.effect:
        values = tuple(
            f"{machine.processor.value(machine.engine, each):#x}"
            for each in step.operands
            if each.place is None
        )
        _event(machine, step.effect, (*where, *values))
    elif machine.space.is_stack(at) or machine.space.is_percpu(at):
        # The current task: opening user access reads it on arm64 (uaccess_ttbr0_enable()).
        return
    elif device:
        _event(machine, f"device {STORE if step.stores else LOAD}", where)
    else:
        kind = STORE if step.stores else LOAD
        machine.state.volatile.append((kind, at, step.size))


def _event(machine: Acting, name: str, arguments: tuple[str, ...]) -> None:
    written = frozenset(machine.state.shared.items())
    same = frozenset(machine.state.same)
    machine.event(Call(name, arguments, written, machine.state.previous, same))
