# SPDX-License-Identifier: GPL-2.0
"""Run old and new code in the emulator to see whether a counter-example is real."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from hotcocci.proof.execution.compare import difference, is_usable, side_by_side
from hotcocci.proof.execution.image import Function
from hotcocci.proof.execution.inputs import Argument, Input, Memory, Origin
from hotcocci.proof.execution.machine import STACKED, Machine
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.trace import Trace
from hotcocci.proof.symbolic.prover import Question

# How many seeds to run a counter-example with, as it does not set everything.
SEEDS = 8
# How many user pointers to move into user memory, and to where: below 4 GB for compat_ptr().
POINTERS = 12
USER, ROOM = 0x2000_0000, 0x10_0000
# How many of the first accesses to let fault.
FAULTS = 8
# Limit on instructions of the old side for one function: some seconds.
INSTRUCTIONS = 400_000
NARROW = 0xFFFF_FFFF

Functions = tuple[Function, Function]
# What differs, and both runs side by side
Difference = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Replay:
    """Both sides of a question, to be run."""

    question: Question

    def of(self, functions: Functions, example: Input | None) -> Difference | None:
        """The difference that a counter-example shows, or one like it; None if none does.

        Solvers like the corners of user space, and calls change no memory that an example sets. So the
        same, and random numbers, are run with user pointers well inside of user space, without a fault
        and with one at each of the first accesses.
        """
        for given in examples(example) if example is not None else ():
            found = self._run(functions, given)
            if found:
                return found
        old, plain = self._machines[0], Input(0)
        most = old.instructions + INSTRUCTIONS
        bases = (replace(example, hit=None), plain) if example is not None else (plain,)
        for base, seed in product(bases, range(SEEDS)):
            if old.instructions > most:
                break
            given, trace = self._settled(functions[0], replace(base, seed=seed))
            for each in (given, replace(given, moving=True), *_faulting(given, trace)):
                found = self._run(functions, each)
                if found:
                    return found
        return None

    def _run(self, functions: Functions, given: Input) -> Difference | None:
        """The difference that one input shows."""
        old = self._machines[0].run(functions[0], given)
        if not is_usable(old):
            return None
        new = self._machines[1].run(functions[1], given)
        layout = self.question.processor.layout
        found = difference(old, new, layout, given.moving)
        return (found, side_by_side(old, new)) if found else None

    def _settled(self, function: Function, given: Input) -> tuple[Input, Trace]:
        """An input with the user pointers of the old code moved into user memory, and its run."""
        machine = self._machines[0]
        trace = machine.run(function, given)
        for number in range(POINTERS):
            wrong = (p for p in trace.pointers if not USER <= p < USER + 64 * ROOM)
            pointer = next(wrong, None)
            found = _origin(machine, given, trace, pointer) if pointer else None
            if found is None:
                break
            origin, ahead = found
            at = USER + (number + 1) * ROOM - ahead
            given = replace(given, values={**given.values, origin: at})
            trace = machine.run(function, given)
        return given, trace

    @cached_property
    def _machines(self) -> tuple[Machine, Machine]:
        return Machine(self.question, 0), Machine(self.question, 1)


def examples(given: Input) -> list[Input]:
    """A counter-example with several seeds for what it does not set."""
    still = [replace(given, seed=seed) for seed in range(SEEDS)]
    return [*still, *(replace(each, moving=True) for each in still)]


def _faulting(given: Input, trace: Trace) -> Iterator[Input]:
    """The input with a fault at each of the first accesses of its run."""
    for access in trace.accesses[:FAULTS]:
        yield replace(given, hit=(access.address, 1))


def _origin(
    machine: Machine, given: Input, trace: Trace, pointer: int
) -> tuple[Origin, int] | None:
    """The origin of a pointer in this run, and its offset from there; None if there is none.

    Memory is random, so that a number names the place that it was read from.
    """
    size = machine.processor.layout.pointer
    held: list[tuple[Origin, int]] = [
        (Argument(n), machine.argument(given, n))
        for n in range(len(machine.processor.arguments) + STACKED)
    ]
    held += trace.results.items()
    held += [(Memory(at, size), word) for at, word in machine.space.words()]
    near = [
        (ahead, origin)
        for origin, value in held
        for ahead in {pointer - value, pointer - (value & NARROW)}
        if 0 <= ahead < PAGE
    ]
    ahead, origin = min(near, key=lambda each: each[0], default=(0, None))
    return (origin, ahead) if origin is not None else None
