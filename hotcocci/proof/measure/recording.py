# SPDX-License-Identifier: GPL-2.0
"""Record a run in the emulator so that a process can repeat it: memory, and what callees did."""

from __future__ import annotations

from dataclasses import dataclass, field

from unicorn import x86_const as uc

from hotcocci.proof.execution.image import Function
from hotcocci.proof.execution.inputs import Input
from hotcocci.proof.execution.machine import NOWHERE, Machine
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.trace import Trace

WORD = 8
Pages = dict[int, bytes]


@dataclass(frozen=True)
class Answer:
    """What one call did: its result, and the words of memory that it changed."""

    name: str
    address: int
    value: int
    written: tuple[tuple[int, bytes], ...]


@dataclass(frozen=True)
class Recording:
    """One run: memory before and after it, the calls, and the instructions that it executed.

    ``registers`` are the argument registers, ``stack`` is the stack pointer at entry, ``value`` the
    result register at the end. ``instructions`` has the addresses in order, with repetitions.
    """

    function: Function
    given: Input
    trace: Trace
    before: Pages
    after: Pages
    answers: tuple[Answer, ...]
    registers: tuple[int, ...]
    stack: int
    gs: int
    value: int
    instructions: tuple[int, ...]


@dataclass
class _Tape:
    """What the run in progress has shown so far."""

    pages: tuple[int, ...]
    before: Pages = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)
    instructions: list[int] = field(default_factory=list)
    registers: tuple[int, ...] = ()
    stack: int = 0
    gs: int = 0


class Recorder(Machine):
    """An emulator that can also record a run."""

    _tape: _Tape | None = None

    def record(self, function: Function, given: Input) -> Recording:
        """Run a function with an input twice: to learn which pages it uses, and to record it."""
        self.run(function, given)
        tape = self._tape = _Tape(tuple(sorted(self.space.used())))
        try:
            trace, _ = self.run(function, given)
        finally:
            self._tape = None
        return Recording(
            function,
            given,
            trace,
            tape.before,
            self.space.used(),
            tuple(tape.answers),
            tape.registers,
            tape.stack,
            tape.gs,
            self._register(uc.UC_X86_REG_RAX),
            tuple(tape.instructions),
        )

    def _go(self, start: int, limit: int) -> None:
        tape = self._tape
        if tape is not None:
            tape.before = {page: self.space.read(page, PAGE) for page in tape.pages}
            tape.registers = tuple(map(self._register, self.processor.arguments))
            tape.stack = self.processor.stack(self.engine)
            tape.gs = self._register(uc.UC_X86_REG_GS_BASE)
        super()._go(start, limit)

    def _on_instruction(
        self, _uc: object, address: int, _size: int, _data: object
    ) -> None:
        tape = self._tape
        if tape is None:
            super()._on_instruction(_uc, address, _size, _data)
            return
        outside = self._step(address) is NOWHERE
        started = bool(tape.instructions) and address in self._starts
        if not (outside or started):
            tape.instructions.append(address)
            super()._on_instruction(_uc, address, _size, _data)
            return
        name = self._starts.get(address) or self.image.registry.outside(address)
        before, thunk = self.space.used(), self._is_thunk(name or "")
        super()._on_instruction(_uc, address, _size, _data)
        if not thunk and not self.state.end:
            written = tuple(changed(before, self.space.used()))
            value = self._register(uc.UC_X86_REG_RAX)
            tape.answers.append(Answer(name or "", address, value, written))

    def _is_thunk(self, name: str) -> bool:
        return self.processor.special(self.engine, name) is not None

    def _register(self, number: int) -> int:
        return int(self.engine.reg_read(number))


def changed(before: Pages, after: Pages) -> list[tuple[int, bytes]]:
    """The words that differ, with their new contents."""
    found = []
    for page, new in after.items():
        old = before.get(page, b"")
        if old == new:
            continue
        for at in range(0, PAGE, WORD):
            if old[at : at + WORD] != new[at : at + WORD]:
                found.append((page + at, new[at : at + WORD]))
    return found
