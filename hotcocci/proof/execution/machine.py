# SPDX-License-Identifier: GPL-2.0
"""One function run once in the emulator, and all that can be seen of it from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import unicorn
from unicorn import unicorn_const as ucc

from hotcocci.engines.machine.elf import COLD
from hotcocci.proof.execution.arguments import give, shared
from hotcocci.proof.execution.calls import call, check_closed, outside
from hotcocci.proof.execution.comparing import compare_operands
from hotcocci.proof.execution.credentials import Credentials
from hotcocci.proof.execution.effects import act
from hotcocci.proof.execution.guarded import copied, guarded, is_kernel
from hotcocci.proof.execution.image import Function, Image
from hotcocci.proof.execution.inputs import (
    Argument,
    Input,
    Origin,
    set_bytes,
    word,
)
from hotcocci.proof.execution.locals import Local
from hotcocci.proof.execution.marks import ATTEMPT, CHECK, Range
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
from hotcocci.proof.execution.watching import (
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

# Instructions of one run: what is longer is a loop over random numbers.
LIMIT = 12_000
# Events of one run, likewise.
EVENTS = 2_000
# Words of arguments on the stack.
STACKED = 4
# Bytes of the longest instruction.
LONGEST = 15
# Bytes of the smallest pages that an emulator has.
GRAIN = 1024
NOWHERE = Step(0)
# Routines that check the range themselves, or leave it to others (arch/x86/lib/getuser.S), and its
# size; copies do (lib/usercopy.c).
CHECKS = re.compile(r"__(?:get|put)_user_(?:nocheck_)?(\d+)$")
COPIES = ("_copy_from_user", "_copy_to_user")


class Machine:
    """An emulator with one side's image in it.

    Calls of the object's own functions are not followed but those of ``inline``, which the
    other side has in place of the call. Those of ``safe`` may be made with user access open;
    those of ``noreturn`` end the run. Calls leave the ``credentials`` alone. ``through`` tells
    what calls through pointers are given, by the instruction.
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
        # Instructions of which a run is to tell whether it reached them.
        self.watched: frozenset[int] = frozenset()
        # Instructions whose accesses are volatile; those of devices are true.
        self.observed: Mapping[int, bool] = {}
        # Of all runs together: what a limit on work can be told by, on any machine alike.
        self.instructions = 0
        self._steps: dict[int, Step] = {}
        # Other functions of the object are not run: they are as opaque as those of others.
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
        """Run a function; returns what it did, and where its values came from.

        A run of more than ``limit`` instructions is given up.
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
        """The addresses of a function's instructions, from its first to its last, and what they are."""
        at = function.start
        while at < function.end:
            step = self._step(at)
            yield at, step
            at += max(step.length, 1)

    def stop(self, end: str, detail: str = "") -> None:
        """End the run; the first reason counts."""
        if not self.state.end:
            self.state.end, self.state.detail = end, detail
        self.engine.emu_stop()

    def event(self, event: Event) -> None:
        """Note what others can see of the run."""
        self.state.events.append(event)
        if len(self.state.events) > EVENTS:
            self.stop(ENDLESS, f"it caused more than {EVENTS} events")

    def write(self, address: int, data: bytes) -> None:
        """Write to kernel memory on behalf of the code that runs."""
        self.space.write(address, data)
        if not self.space.is_stack(address):
            remember(self, address, data)

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
        """What was returned; empty for void, and where nothing was returned."""
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
        """An instruction of the code at hand; what calls another function stays the previous one."""
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
        """A static branch: which way it goes is a matter of the kernel's settings."""
        label = self.image.labels[address]
        self.state.keys.add(label.key)
        taken = label.taken != (label.key in self.state.given.keys)
        following = label.target if taken else address + step.length
        self.processor.go(self.engine, following)

    def _marked(self, directions: int) -> None:
        """A window begins or ends."""
        if directions & ATTEMPT:
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
        """Note the pointer that a user access routine is entered with."""
        name = self.image.routines.get(address)
        if name is None:
            return
        if self.image.function_at(self.state.previous):
            check_closed(self, name, address)
            self.state.site = self.state.previous
        if name in self.processor.copies:
            copying(self.state)
            self.state.unchecked |= all(
                is_kernel(self, self.processor.argument(self.engine, number))
                for number in range(self.processor.copies[name])
            )
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
