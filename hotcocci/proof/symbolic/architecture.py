# SPDX-License-Identifier: GPL-2.0
"""The interface of an architecture to the symbolic engine, beside that for linking (processor.py)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import Protocol

import archinfo
import pyvex

from hotcocci.proof.objects.image import Fixup
from hotcocci.proof.objects.processor import Processor
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.state import State, UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word


class Kind(StrEnum):
    """The kind of an instruction."""

    PLAIN = auto()
    # An access that the exception table covers
    USER = auto()
    # Moves or fills as many elements as a register says
    STRING = auto()
    TRAP = auto()
    # Opens or closes user access
    OPENS = auto()
    CLOSES = auto()
    NOTHING = auto()
    # Visible to other processors or devices: a locked operation, a fence, port I/O
    LOCKED = auto()
    FENCE = auto()
    PORT = auto()
    VOLATILE = auto()
    # A speculation barrier
    BOUND = auto()
    # Load-linked and store-conditional
    LINKED = auto()
    CONDITIONAL = auto()
    # A move from or to a register missing in VEX
    SYSTEM = auto()
    # An instruction whose effect is not modelled: it is compared with its operands, as an event
    OPAQUE = auto()


@dataclass(frozen=True)
class Decoded:
    """One instruction: its length in bytes, its kind, and its text.

    A string operation has ``size`` bytes an element, and ``fills`` if it reads no memory. ``ends`` tells that the
    code need not go on with the next; ``calls`` is the address that it calls or jumps to, ``through`` tells that a
    register says which. ``code`` is the word of a system instruction. Other accesses are not moved over an
    ``ordered`` one. ``unless`` is the place of a register and the number for which it does not trap. An opaque one
    ``reads`` and ``writes`` registers, and has ``places`` in memory: base, index (-1 for none), scale and offset.
    """

    length: int
    kind: Kind
    text: str
    size: int = 0
    fills: bool = False
    ends: bool = False
    calls: int | None = None
    through: bool = False
    code: int = 0
    ordered: bool = False
    unless: tuple[int, int] | None = None
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    places: tuple[tuple[int, int, int, int], ...] = ()


@dataclass(frozen=True)
class Registers:
    """Registers by their offset in VEX's guest state, in bytes.

    ``arguments`` and ``spoiled`` as the calling convention has them, ``numbered`` as the
    exception table numbers them, ``marked`` as objects/marks.py uses them. ``link`` holds the
    return address as a function is entered; with None it is on the stack. Of what takes two
    registers the first holds the upper half if they are ``downwards``. ``single`` are those of
    one byte. ``ambient`` are those that both sides must have alike wherever others look.
    """

    width: int
    sp: int
    results: tuple[int, int]
    arguments: tuple[int, ...]
    spoiled: tuple[int, ...]
    numbered: tuple[int, ...]
    marked: tuple[int, int]
    link: int | None = None
    downwards: bool = False
    single: frozenset[int] = frozenset()
    ambient: tuple[int, ...] = ()

    def bits(self, register: int) -> int:
        """The width of a register in bits."""
        return 8 if register in self.single else self.width

    def whole(self, offset: int, bits: int) -> int:
        """The offset of the register that contains a part, by the part's offset and width."""
        if offset in self.single and bits == self.bits(offset):
            return offset
        return offset & -(self.width // 8)

    def result(self, size: int) -> tuple[int, ...]:
        """The registers of a result of ``size`` bytes, the lowest part first."""
        if 8 * size <= self.width:
            return self.results[:1]
        return self.results[::-1] if self.downwards else self.results


def part_of(
    registers: Mapping[int, Word], offset: int, size: int, known: Registers
) -> Word:
    """A register, or a part of one, by its offset in the guest state and its size in bytes.

    Raises UnsupportedError for one without a value.
    """
    start = known.whole(offset, 8 * size)
    width = known.bits(start)
    value = registers.get(start)
    if value is None:
        raise UnsupportedError(f"it reads the register at {offset} of the guest state")
    low = 8 * (offset - start)
    return v.extract(value, low + 8 * size - 1, low) if 8 * size < width else value


def put(
    registers: dict[int, Word], offset: int, value: Word, size: int, known: Registers
) -> None:
    """Set a register, or a part of one."""
    start = known.whole(offset, 8 * size)
    width = known.bits(start)
    if 8 * size >= width:
        registers[start] = value
        return
    old = registers.get(start, 0)
    low, high = 8 * (offset - start), 8 * (offset - start + size)
    if low:
        value = v.concat(value, v.extract(old, low - 1, 0), 8 * size, low)
    if high < width:
        value = v.concat(v.extract(old, width - 1, high), value, width - high, high)
    registers[start] = value


def with_registers(state: State, changes: Mapping[int, Word]) -> State:
    """The state with changed values of whole registers."""
    return replace(state, registers={**state.registers, **changes})


@dataclass(frozen=True)
class Special:
    """A routine of other objects that is not called: it jumps to what a ``register`` holds, or returns at once.

    What ``leaves`` is the return of the function that jumps there.
    """

    register: int | None = None
    leaves: bool = False


def offsets(arch: archinfo.Arch, names: str) -> tuple[int, ...]:
    """The offsets of registers in VEX's guest state, by name."""
    return tuple(int(arch.registers[name][0]) for name in names.split())


class Architecture(Processor, Protocol):
    """One architecture, implemented by a file of this package.

    The methods implemented here are defaults.
    """

    # The architecture in VEX.
    arch: archinfo.Arch
    registers: Registers
    # Registers of the flags; the first holds the operation that defines them.
    flags: Sequence[int] = ()
    # Registers of string operations, if any: the count; destination and source.
    counter: int = -1
    moved: tuple[int, int] = (-1, -1)
    # Base registers of locals, by their number in debug information.
    framed: Mapping[int, int]
    # Routines that copy from and to user memory: destination, source, bytes. For ``both``, the
    # pointers give the direction; ``fills`` have no source.
    loads: Sequence[str]
    stores: Sequence[str]
    both: Sequence[str] = ()
    fills: Sequence[str]
    # Those in assembly, which count as a single access with user access open.
    whole: frozenset[str]
    # Those of them that open and close user access themselves; of the number of bytes they take 32 bits.
    opening: frozenset[str] = frozenset()
    # Whether user memory can be read with user access closed.
    readable: bool = False
    # Whether zeroed() knows all values that a fault sets to 0, so that no C code does it.
    tells_zeros: bool
    # Block ends in VEX that this processor does not have.
    ignored: frozenset[str]
    # The address of the current task; None if a per-CPU variable holds it.
    task: int | None

    def poisoned(self, side: str) -> dict[int, Word]:
        """The general registers, each with an unknown value."""
        return {
            offset: v.unknown(f"poison {side} register {number}", self.registers.width)
            for number, offset in enumerate(self.registers.numbered)
        }

    def lift(self, code: bytes, address: int, count: int) -> pyvex.IRSB:
        """Lift ``count`` instructions to VEX."""
        return pyvex.lift(
            code, address, self.arch, max_inst=count, max_bytes=len(code), opt_level=1
        )

    def decode(self, code: bytes, address: int) -> Decoded:
        """Decode the instruction at an address. Raises UnsupportedError."""

    def start(self, side: str) -> dict[int, Word]:
        """The registers on entry to a function, except arguments and stack."""

    def fault(self, state: State, fixup: Fixup) -> State:
        """Continue at the fixup of a fault. Raises UnsupportedError."""

    def zeroed(self, fixup: Fixup | None, routine: str) -> int | None:
        """The register that a fault sets to 0 instead of the loaded value, or None.

        Decided by the exception table entry, or by the user access routine that returned.
        """
        return None

    def perform(self, state: State, found: Decoded) -> State:
        """Apply a system instruction without advancing. Raises UnsupportedError."""
        raise UnsupportedError(f"'{found.text}'")

    def untagged(self, address: Word) -> Word:
        """A user address as the processor uses it."""
        return address

    def unmasked(self, address: Word) -> tuple[Word, Truth]:
        """The address before masking, and the condition under which masking keeps it."""
        return address, 1

    def special(self, name: str) -> Special | None:
        """The treatment of a routine of other objects that is not called, or None."""
        return Special() if name in self.tracers else None

    def condition(self, name: str, arguments: Sequence[Word]) -> Word:
        """Evaluate a helper of VEX. Raises UnsupportedError."""
        raise UnsupportedError(f"helper {name}")
