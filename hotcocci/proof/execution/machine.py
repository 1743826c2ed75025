# SPDX-License-Identifier: GPL-2.0
"""Run a function once in the emulator and record everything that is visible outside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import unicorn
from unicorn import unicorn_const as ucc

from hotcocci.errors import TryAgain
from hotcocci.machine.elf import COLD
from hotcocci.proof.execution.arguments import give, shared
from hotcocci.proof.execution.calls import call, check_closed, outside
from hotcocci.proof.execution.image import Function, Image
from hotcocci.proof.execution.inputs import Argument, Input, set_bytes, word
from hotcocci.proof.execution.locals import Local
from hotcocci.proof.execution.marks import ATTEMPT, BARRIER, CHECK, Range
from hotcocci.proof.execution.memory import (
    KERNEL_BASE,
    KERNEL_PAGES,
    STACK_BASE,
    USER_BASE,
    USER_END,
    AddressSpace,
    OutOfMemory,
)
from hotcocci.proof.execution.memory_hooks import (
    on_stack,
    on_user,
    on_write,
    remember,
)
from hotcocci.proof.execution.passing import is_returned
from hotcocci.proof.execution.processor import (
    COPY,
    SYSTEM,
    TRAP,
    Processor,
    Step,
    decoded,
    listing,
)
from hotcocci.proof.execution.signatures import Value
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.state import Running, State, trace
from hotcocci.proof.execution.trace import (
    ENDLESS,
    LOAD,
    OOPS,
    RETURNED,
    STOPPED,
    STORE,
    UNKNOWN,
    Call,
    Event,
    Trace,
    Warned,
)
from hotcocci.proof.execution.user_accesses import (
    copied,
    guarded,
    is_kernel,
    reaches_kernel,
)
from hotcocci.proof.symbolic.prover import Question

# Device accessors are inline assembly in there (build_mmio_read() of x86's asm/io.h).
DEVICE = "/asm/io.h"

# Limit on instructions of one run; a longer one probably loops over random numbers.
LIMIT = 12_000
# Limit on events of one run, for the same reason.
EVENTS = 2_000
# Argument words on the stack.
STACKED = 4
# The smallest page size of any emulator, in bytes.
GRAIN = 1024
NOWHERE = Step(0)
# User access routines and their size in bytes; "nocheck" ones leave the range check to their
# callers (arch/x86/lib/getuser.S). Copies check their range (lib/usercopy.c).
CHECKS = re.compile(r"__(?:get|put)_user_(?:nocheck_)?(\d+)$")
COPIES = ("_copy_from_user", "_copy_to_user")


def _again(error: unicorn.UcError) -> None:
    """Raise TryAgain if an error of the emulator is the machine's: it got no memory."""
    if error.errno == ucc.UC_ERR_NOMEM:
        raise TryAgain("the emulator got no memory") from error


class Machine:
    """An emulator with the image of old or new code loaded.

    ``number`` is the side of the question, 0 before the change and 1 after it. The emulator does not
    step into the object's other functions, except those that the other side has inlined.
    """

    def __init__(self, question: Question, number: int) -> None:
        side = question.sides[number]
        self.processor = processor = question.processor
        self.image = image = side.image
        self.signatures = side.signatures
        self.safe = question.safe
        self.noreturn = question.noreturn
        self.credentials = question.credentials
        self.through = side.through
        constants = processor.constants(image.registry)
        try:
            self.engine = processor.engine()
            self.space = AddressSpace(
                self.engine,
                processor.layout,
                image.segments,
                constants,
                image.variables,
            )
        except unicorn.UcError as error:
            _again(error)
            raise
        self.locals: tuple[Local, ...] = ()
        self.state = State(Input(0))
        self._devices = devices(side.at, processor, image)
        # Total of all runs. A limit on this is the same on any machine.
        self.instructions = 0
        self._steps: dict[int, Step] = {}
        # The object's other functions are not run, like external ones.
        self._starts = {
            f.start: f.name
            for f in image.functions
            if not f.name.endswith(COLD) and f.name not in question.inline[number]
        }
        self._back = processor.layout.end
        self._mask = (1 << 8 * processor.layout.pointer) - 1
        self._hook()

    def run(self, function: Function, given: Input) -> Trace:
        """Run a function. A run that exceeds LIMIT instructions ends as ENDLESS."""
        state = self.state = State(given)
        layout = self.processor.layout
        self.space.reset(given.seed, set_bytes(given, layout.order))
        self.locals = self.signatures.locals(function.name)
        self.processor.enter(self.engine, self.space, function.start, self._back)
        for number in range(len(self.processor.arguments) + STACKED):
            give(self, number, self.argument(given, number))
        stack = self.processor.stack(self.engine)
        state.frame = stack + self.processor.convention.frame
        self._go(function.start)
        self.instructions += state.instructions
        return trace(state, self._result(function))

    def argument(self, given: Input, number: int) -> int:
        """The value of an argument of the tested function."""
        value = given.values.get(Argument(number))
        if value is None:
            value = self.processor.layout.number(word(given.seed, f"argument {number}"))
        return value & self._mask

    def stop(self, end: str, detail: str = "") -> None:
        """End the run; only the first reason is kept."""
        if not self.state.end:
            self.state.end, self.state.detail = end, detail
        self.engine.emu_stop()

    def event(self, event: Event) -> None:
        """Record an event that is visible outside the function."""
        self.state.events.append(event)
        if len(self.state.events) > EVENTS:
            self.stop(ENDLESS, f"it caused more than {EVENTS} events")

    def write(self, address: int, data: bytes) -> None:
        """Write kernel memory on behalf of the running code."""
        if not self.space.is_stack(address):
            remember(self, address, data)
        self.space.write(address, data)

    def _go(self, start: int) -> None:
        try:
            self.engine.emu_start(start, self._back, count=LIMIT)
        except unicorn.UcError as error:
            _again(error)
            self.stop(UNKNOWN, str(error))
        except OutOfMemory:
            self.stop(ENDLESS, "it touches more memory than the emulator has")
        if not self.state.end and self.processor.here(self.engine) == self._back:
            if self.processor.is_open(self.engine):
                self.state.violations.append("it returns with user access open")
            self.stop(RETURNED)
        self.stop(ENDLESS, f"it did not end within {LIMIT} instructions")

    def _result(self, function: Function) -> str:
        """The result as text; empty for void and if the function did not return."""
        pointer = self.processor.layout.pointer
        signature = self.signatures.of(function.name)
        kind = Value(pointer) if signature is None else signature.result
        if kind is None or self.state.end != RETURNED:
            return ""
        if not is_returned(self.processor.convention, kind):
            return ""
        value = self.processor.result(self.engine, kind.size)
        target = 0 if kind.size == pointer else None
        return shared(self, value, Value(kind.size, target))

    def _hook(self) -> None:
        add = self.engine.hook_add
        add(ucc.UC_HOOK_TLB_FILL, self._on_page)
        add(ucc.UC_HOOK_CODE, self._on_instruction)
        kernel_end = KERNEL_BASE + KERNEL_PAGES * PAGE - 1
        add(
            ucc.UC_HOOK_MEM_WRITE,
            partial(on_write, self),
            begin=KERNEL_BASE,
            end=kernel_end,
        )
        stack_end = STACK_BASE + self.processor.layout.stack_size - 1
        add(
            ucc.UC_HOOK_MEM_WRITE,
            partial(on_stack, self),
            begin=STACK_BASE,
            end=stack_end,
        )
        kinds = ucc.UC_HOOK_MEM_READ | ucc.UC_HOOK_MEM_WRITE
        add(kinds, partial(on_user, self), begin=USER_BASE, end=USER_END - 1)

    def _on_page(
        self, _uc: object, address: int, _access: int, entry: object, _data: object
    ) -> bool:
        address &= self._mask
        layout = self.processor.layout
        if address < layout.user_low or address >= layout.end + PAGE:
            self.stop(OOPS, f"accessing {address:#x}")
            return False
        entry.paddr = self.space.physical(address & -GRAIN)  # type: ignore[attr-defined]
        entry.perms = ucc.UC_PROT_ALL  # type: ignore[attr-defined]
        return True

    def _on_instruction(
        self, _uc: object, address: int, _size: int, _data: object
    ) -> None:
        address &= self._mask
        state = self.state
        state.instructions += 1
        step = self._step(address)
        if step is NOWHERE:
            outside(self, address)
        elif state.instructions > 1 and address in self._starts:
            call(self, self._starts[address])
        else:
            self._plain(address, step)
            state.previous = address

    def _plain(self, address: int, step: Step) -> None:
        """Handle an instruction of the tested code that is not a call."""
        if step.effect or address in self._devices:
            act(self, address, step)
        if address in self.image.labels:
            self._labelled(address, step)
        elif address in self.image.marks:
            self._marked(self.image.marks[address])
        else:
            self._routine(address)
            if address in self.image.fixups and (step.access or step.kind == COPY):
                if guarded(self, address, step) and step.kind == SYSTEM:
                    self._system(address, step)
            elif step.kind == SYSTEM:
                self._system(address, step)
            elif step.kind == COPY:
                copied(self, address, step)
            elif step.kind == TRAP:
                self._trapped(address, step)

    def _step(self, address: int) -> Step:
        step = self._steps.get(address)
        if step is None:
            step = self._steps[address] = self._decode(address)
        return step

    def _decode(self, address: int) -> Step:
        return decoded(self.processor, self.image, address) or NOWHERE

    def _system(self, address: int, step: Step) -> None:
        following = self.processor.perform(self.engine, address, step)
        self.processor.go(self.engine, following)

    def _labelled(self, address: int, step: Step) -> None:
        """Take a static branch according to the input's static keys."""
        label = self.image.labels[address]
        taken = label.taken != (label.key in self.state.given.keys)
        following = label.target if taken else address + step.length
        self.processor.go(self.engine, following)

    def _marked(self, directions: int) -> None:
        """Record the begin or end of a window, or a range check."""
        if directions & (ATTEMPT | BARRIER):
            return
        base, length = (self.engine.reg_read(r) for r in self.processor.marked)
        state = self.state
        if directions & CHECK:
            state.pointers.append(base)
            state.checked.add(base + length)
            return
        state.range = Range(base, length, directions) if directions else None
        if directions:
            state.pointers.append(base)
        if directions:
            state.checked.add(base + length)

    def _routine(self, address: int) -> None:
        """Record entry to a user access routine, with its user pointer."""
        name = self.image.routines.get(address)
        if name is None:
            return
        if self.image.function_at(self.state.previous):
            check_closed(self, name)
        if name in self.processor.copies:
            given = [
                self.processor.argument(self.engine, number)
                for number in range(self.processor.copies[name])
            ]
            if all(is_kernel(self, at) for at in given):
                for at in given:
                    reaches_kernel(self, at)
        pointer = self.processor.checked(self.engine, name)
        if pointer is not None:
            self.state.pointers.append(pointer)
            size = CHECKS.match(name)
            if size:
                ends = self.state.trusting if "nocheck" in name else self.state.checked
                ends.add(pointer + int(size[1]))
            elif name in COPIES:
                length = self.processor.argument(self.engine, 2)
                self.state.checked.add(pointer + length)

    def _trapped(self, address: int, step: Step) -> None:
        values = {self.processor.value(self.engine, each) for each in step.operands}
        if len(values) == 1:
            return
        if address in self.image.warnings:
            self.event(Warned())
            fixup = self.image.fixups.get(address)
            following = fixup.target if fixup else address + step.length
            self.processor.go(self.engine, following)
        else:
            self.stop(STOPPED, "BUG()")


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
