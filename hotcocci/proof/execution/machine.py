# SPDX-License-Identifier: GPL-2.0
"""Run a function once in the emulator and record everything that is visible outside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import unicorn
from unicorn import unicorn_const as ucc

from hotcocci.engines.machine.elf import COLD
from hotcocci.proof.execution.arguments import give, shared
from hotcocci.proof.execution.calls import call, check_closed, outside
from hotcocci.proof.execution.comparison_hooks import compare_operands
from hotcocci.proof.execution.credentials import Credentials
from hotcocci.proof.execution.effects import act
from hotcocci.proof.execution.user_accesses import (
    copied,
    guarded,
    is_kernel,
    reaches_kernel,
)
from hotcocci.proof.execution.image import Function, Image
from hotcocci.proof.execution.inputs import (
    Argument,
    Input,
    Origin,
    set_bytes,
    word,
)
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
from hotcocci.proof.execution.passing import is_returned
from hotcocci.proof.execution.processor import (
    BRANCH,
    COMPARE,
    COPY,
    SYSTEM,
    TRAP,
    Processor,
    Step,
)
from hotcocci.proof.execution.signatures import Signature, Signatures, Value
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.memory_hooks import (
    on_read,
    on_stack,
    on_user,
    on_write,
    remember,
)
from hotcocci.proof.execution.state import (
    State,
    branched,
    copying,
    trace,
    violate,
)
from hotcocci.proof.execution.trace import (
    ENDLESS,
    OOPS,
    RETURNED,
    STOPPED,
    UNKNOWN,
    Event,
    Trace,
    Warned,
)

# Limit on instructions of one run; a longer one probably loops over random numbers.
LIMIT = 12_000
# Limit on events of one run, for the same reason.
EVENTS = 2_000
# Argument words on the stack.
STACKED = 4
# Size in bytes of the longest instruction.
LONGEST = 15
# The smallest page size of any emulator, in bytes.
GRAIN = 1024
NOWHERE = Step(0)
# User access routines and their size in bytes; "nocheck" ones leave the range check to their
# callers (arch/x86/lib/getuser.S). Copies check their range (lib/usercopy.c).
CHECKS = re.compile(r"__(?:get|put)_user_(?:nocheck_)?(\d+)$")
COPIES = ("_copy_from_user", "_copy_to_user")


class Machine:
    """An emulator with the image of old or new code loaded.

    It does not step into the object's other functions, except those in ``inline``, which the other
    side has inlined. Functions in ``safe`` may be called with user access open; those in
    ``noreturn`` end the run. Calls do not change ``credentials``. ``through`` returns the signature
    of the indirect call at an instruction.
    """

    def __init__(
        self,
        processor: Processor,
        image: Image,
        signatures: Signatures,
        inline: frozenset[str] = frozenset(),
        safe: frozenset[str] = frozenset(),
        noreturn: frozenset[str] = frozenset(),
        credentials: Credentials | None = None,
        through: Callable[[int], Signature | None] = lambda _: None,
    ) -> None:
        self.processor = processor
        self.image = image
        self.signatures = signatures
        self.safe = safe
        self.noreturn = noreturn
        self.credentials = credentials
        self.through = through
        self.engine = processor.engine()
        constants = processor.constants(image.registry)
        self.space = AddressSpace(
            self.engine, processor.layout, image.segments, constants, image.variables
        )
        self.locals: tuple[Local, ...] = ()
        self.state = State(Input(0))
        # Instructions whose execution is recorded in Trace.reached.
        self.watched: frozenset[int] = frozenset()
        # Instructions with volatile accesses; True for those of devices.
        self.observed: Mapping[int, bool] = {}
        # Total of all runs. A limit on this is the same on any machine.
        self.instructions = 0
        self._steps: dict[int, Step] = {}
        # The object's other functions are not run, like external ones.
        self._starts = {
            f.start: f.name
            for f in image.functions
            if not f.name.endswith(COLD) and f.name not in inline
        }
        self._back = processor.layout.end
        self._mask = (1 << 8 * processor.layout.pointer) - 1
        self._hook()

    def run(
        self, function: Function, given: Input, limit: int = LIMIT
    ) -> tuple[Trace, dict[Origin, int]]:
        """Run a function; return its trace and the origin of each value it read.

        A run that exceeds ``limit`` instructions ends as ENDLESS.
        """
        state = self.state = State(given, self.processor.layout.order)
        layout = self.processor.layout
        self.space.reset(given.seed, set_bytes(given, layout.order), given.poison)
        self.processor.poison = given.poison
        self.locals = self.signatures.locals(function.name)
        self.processor.enter(self.engine, self.space, function.start, self._back)
        for number in range(len(self.processor.arguments) + STACKED):
            origin = Argument(number)
            value = given.values.get(origin)
            if value is None:
                value = layout.number(word(given.seed, f"argument {number}"))
            value &= self._mask
            state.read[origin] = value
            state.pointed.setdefault(value, origin)
            give(self, number, value)
        stack = self.processor.stack(self.engine)
        state.frame = stack + self.processor.convention.frame
        self._go(function.start, limit)
        self.instructions += state.instructions
        return trace(state, self._result(function)), state.read

    def listing(self, function: Function) -> Iterator[tuple[int, Step]]:
        """The address and decoded instruction of each instruction of a function."""
        at = function.start
        while at < function.end:
            step = self._step(at)
            yield at, step
            at += max(step.length, 1)

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

    def _go(self, start: int, limit: int) -> None:
        try:
            self.engine.emu_start(start, self._back, count=limit)
        except unicorn.UcError as error:
            self.stop(UNKNOWN, str(error))
        except OutOfMemory:
            self.stop(ENDLESS, "it touches more memory than the emulator has")
        if not self.state.end and self.processor.here(self.engine) == self._back:
            if self.processor.is_open(self.engine):
                violate(self.state, "it returns with user access open", self._back)
            self.stop(RETURNED)
        self.stop(ENDLESS, f"it did not end within {limit} instructions")

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
            ucc.UC_HOOK_MEM_READ,
            partial(on_read, self),
            begin=KERNEL_BASE,
            end=kernel_end,
        )
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
        if address in self.watched:
            state.reached.add(address)
        if state.branch:
            branched(state, address)
        step = self._step(address)
        if step is NOWHERE:
            outside(self, address)
        elif state.instructions > 1 and address in self._starts:
            call(self, self._starts[address], address)
        else:
            self._plain(address, step)
            state.previous = address

    def _plain(self, address: int, step: Step) -> None:
        """Handle an instruction of the tested code that is not a call."""
        if step.effect or address in self.observed:
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
            elif step.kind == COMPARE:
                compare_operands(self, step)
            elif step.kind == BRANCH:
                if step.operands:
                    compare_operands(self, step)
                self.state.branch = address
            elif step.kind == TRAP:
                self._trapped(address, step)

    def _step(self, address: int) -> Step:
        step = self._steps.get(address)
        if step is None:
            step = self._steps[address] = self._decode(address)
        return step

    def _decode(self, address: int) -> Step:
        segment = self.image.segment(address)
        if segment is None:
            return NOWHERE
        start, data = segment
        return self.processor.step(
            address, bytes(data[address - start : address - start + LONGEST])
        )

    def _system(self, address: int, step: Step) -> None:
        following = self.processor.perform(self.engine, address, step)
        self.processor.go(self.engine, following)

    def _labelled(self, address: int, step: Step) -> None:
        """Take a static branch according to the input's static keys."""
        label = self.image.labels[address]
        self.state.keys.add(label.key)
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
            state.checked.add(base + length)
            return
        state.range = Range(base, length, directions) if directions else None
        if directions:
            state.checked.add(base + length)
        state.windows += bool(directions)
        state.window = state.windows if directions else 0

    def _routine(self, address: int) -> None:
        """Record entry to a user access routine, with its user pointer."""
        name = self.image.routines.get(address)
        if name is None:
            return
        if self.image.function_at(self.state.previous):
            check_closed(self, name, address)
            self.state.site = self.state.previous
        if name in self.processor.copies:
            copying(self.state)
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
