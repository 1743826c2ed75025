# SPDX-License-Identifier: GPL-2.0
"""Run a function once in the emulator and record everything that is visible outside it."""

import unicorn
from unicorn import unicorn_const as ucc

from hotcocci.errors import TryAgain
from hotcocci.proof.objects.image import PAGE, Function
from hotcocci.proof.objects.marks import ATTEMPT, BARRIER, CHECK
from hotcocci.proof.objects.processor import is_returned
from hotcocci.proof.objects.signatures import Value
from hotcocci.proof.symbolic.x86 import CONVENTION, LAYOUT
from hotcocci.proof.replay import cpu, events
from hotcocci.proof.replay.compare import (
    CLOSED,
    ENDLESS,
    LOAD,
    OOPS,
    RETURNED,
    STOPPED,
    STORE,
    UNKNOWN,
    Access,
    Call,
    Run,
    Trace,
    Warned,
)
from hotcocci.proof.replay.cpu import OutOfMemory, Step, decoded, word
from hotcocci.proof.symbolic.prover import Argument, Input, Question
from hotcocci.proof.symbolic.state import Window

# The target whose code is run.
TARGET = "x86-64"
# Device accessors are inline assembly in there (build_mmio_read() of x86's asm/io.h).
DEVICE = "/asm/io.h"
# Limit on instructions of one run; a longer one probably loops over random numbers.
LIMIT = 12_000
# Argument words on the stack.
STACKED = 4
# The smallest page size of the emulator, in bytes.
GRAIN = 1024


def run(question: Question, number: int, function: Function, given: Input) -> Trace:
    """Run a function; one that exceeds LIMIT instructions ends as ENDLESS.

    ``number`` is the side of the question, 0 before the change and 1 after it. The emulator does not
    step into the object's other functions, except those that the other side has inlined. Raises TryAgain
    if there is no memory for the emulator.
    """
    side = question.sides[number]
    starts = side.image.opaque(question.inline[number])
    try:
        locals_ = side.signatures.locals(function.name)
        made = Run(question=question, side=side, given=given, locals=locals_)
        Machine(made, starts).go(function)
    except unicorn.UcError as error:
        _again(error)
        raise
    made.result = _result(made, function)
    return made


def _again(error: unicorn.UcError) -> None:
    """Raise TryAgain if an error of the emulator is the machine's: it got no memory."""
    if error.errno == ucc.UC_ERR_NOMEM:
        raise TryAgain("the emulator got no memory") from error


def _result(made: Run, function: Function) -> str:
    """The result as text; empty for void and if the function did not return."""
    signature = made.side.signatures.of(function.name)
    kind = Value(events.POINTER) if signature is None else signature.result
    if kind is None or made.end != RETURNED or not is_returned(CONVENTION, kind):
        return ""
    kind = Value(kind.size, 0 if kind.size == events.POINTER else None)
    return events.shared(made, made.cpu.result(kind.size), kind)


class Machine:
    """The hooks of a run. ``starts`` are the object's functions that are not run, like external ones."""

    def __init__(self, made: Run, starts: dict[int, str]) -> None:
        self._run = made
        self._starts = starts
        self._image = made.side.image
        self._steps: dict[int, Step | None] = {}
        add = made.cpu.engine.hook_add
        add(ucc.UC_HOOK_TLB_FILL, self._on_page)
        add(ucc.UC_HOOK_CODE, self._on_instruction)
        both, size = ucc.UC_HOOK_MEM_READ | ucc.UC_HOOK_MEM_WRITE, cpu.PAGES * PAGE - 1
        add(both, self._on_user, begin=cpu.USER_BASE, end=cpu.USER_BASE + size)
        writes = ucc.UC_HOOK_MEM_WRITE
        add(writes, self._on_write, begin=cpu.KERNEL_BASE, end=cpu.KERNEL_BASE + size)
        assert cpu.KERNEL_BASE + size < cpu.STACK_BASE

    def go(self, function: Function) -> None:
        """Run the function to its end, or to a limit."""
        made = self._run
        for number in range(len(cpu.PASSED) + STACKED):
            value = made.given.values.get(Argument(number), word(f"argument {number}"))
            if number < len(cpu.PASSED):
                made.cpu.write(cpu.PASSED[number], value)
            else:
                data = (value & (1 << 64) - 1).to_bytes(events.POINTER, "little")
                made.memory.write(made.cpu.stack(number), data)
        try:
            made.cpu.engine.emu_start(function.start, LAYOUT.end, count=LIMIT)
        except unicorn.UcError as error:
            _again(error)
            made.stop(UNKNOWN, str(error))
        except OutOfMemory:
            made.stop(ENDLESS, "it touches more memory than the emulator has")
        if not made.end and made.cpu.read(cpu.RIP) == LAYOUT.end:
            if made.cpu.is_open():
                made.violations.append("it returns with user access open")
            made.stop(RETURNED)
        made.stop(ENDLESS, f"it did not end within {LIMIT} instructions")

    def _on_page(
        self, _uc: object, address: int, _access: int, entry: object, _data: object
    ) -> bool:
        address &= (1 << 64) - 1
        if address < LAYOUT.user_low or address >= LAYOUT.end + PAGE:
            self._run.stop(OOPS, f"accessing {address:#x}")
            return False
        entry.paddr = self._run.memory.physical(address & -GRAIN)  # type: ignore[attr-defined]
        entry.perms = ucc.UC_PROT_ALL  # type: ignore[attr-defined]
        return True

    def _on_user(
        self,
        _uc: object,
        access: int,
        physical: int,
        size: int,
        value: int,
        _data: object,
    ) -> None:
        """Record an access to user memory."""
        made = self._run
        at = made.memory.virtual(physical)
        stores = access == ucc.UC_MEM_WRITE
        if made.previous not in self._image.fixups or not made.cpu.is_open():
            made.violations.append(CLOSED)
        data = _written(value, size) if stores else made.memory.read(at, size)
        made.event(Access(STORE if stores else LOAD, at, data))

    def _on_write(
        self,
        _uc: object,
        _access: int,
        physical: int,
        size: int,
        value: int,
        _data: object,
    ) -> None:
        """Record a write to kernel memory."""
        at = self._run.memory.virtual(physical)
        self._run.remember(at, _written(value, size))

    def _on_instruction(
        self, _uc: object, address: int, _size: int, _data: object
    ) -> None:
        address &= (1 << 64) - 1
        made = self._run
        made.instructions += 1
        if address not in self._steps:
            self._steps[address] = decoded(self._image, address)
        step = self._steps[address]
        if step is None:
            events.outside(made, address)
        elif made.instructions > 1 and address in self._starts:
            events.call(made, self._starts[address])
        else:
            self._plain(address, step)
            made.previous = address

    def _plain(self, address: int, step: Step) -> None:
        """Handle an instruction of the tested code that is not a call."""
        made, image = self._run, self._image
        name = image.routines.get(address)
        if address in image.labels:
            # A static branch goes as the input's static keys say.
            label = image.labels[address]
            taken = label.taken != (label.key in made.given.keys)
            made.cpu.write(cpu.RIP, label.target if taken else address + step.length)
        elif address in image.marks:
            self._marked(image.marks[address])
        elif name is not None and image.function_at(made.previous):
            events.check_closed(made, name)
        if step.kind == cpu.TRAP:
            self._trapped(address, step)
        elif address in image.fixups and step.memory is not None:
            events.guarded(made, address, step)
        else:
            self._effect(address, step)

    def _marked(self, directions: int) -> None:
        """Record the begin or end of a window."""
        if directions & (ATTEMPT | BARRIER | CHECK):
            return
        base, length = self._run.cpu.read(cpu.RDI), self._run.cpu.read(cpu.RSI)
        self._run.window = Window(base, length, directions) if directions else None
        high = LAYOUT.user_high
        self._run.leaves_user |= bool(directions) and base < high < base + length

    def _effect(self, address: int, step: Step) -> None:
        """Record the side effect of an instruction that is about to run, or its access to a device."""
        made = self._run
        name = step.found.mnemonic if step.kind == cpu.EFFECT else ""
        if not name and step.memory is not None:
            device = f"/{made.side.at(address)[0]}".endswith(DEVICE)
            name = f"device {STORE if step.stores else LOAD}" if device else ""
        if not name:
            return
        what = made.cpu.operands(step)
        if step.memory is not None:
            at = made.cpu.address(step)
            place = "stack" if made.memory.is_stack(at) else f"{at:#x}"
            what = (place, str(step.size), *what)
        made.event(Call(name, what, frozenset(made.written.items())))

    def _trapped(self, address: int, step: Step) -> None:
        made = self._run
        if address not in self._image.warnings:
            made.stop(STOPPED, "BUG()")
            return
        made.event(Warned())
        fixup = self._image.fixups.get(address)
        made.cpu.write(cpu.RIP, fixup.target if fixup else address + step.length)


def _written(value: int, size: int) -> bytes:
    return (value & (1 << 8 * size) - 1).to_bytes(size, "little")
