# SPDX-License-Identifier: GPL-2.0
"""What the symbolic engine has to know of an architecture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import archinfo
import pyvex

from hotcocci.proof.execution.image import Fixup
from hotcocci.proof.execution.passing import Convention
from hotcocci.proof.execution.space import Layout
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.state import State, UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word

# What an instruction is to the engine.
PLAIN = "plain"
# An access that the exception table covers.
USER = "user"
# Moves or fills as many bytes as a register says.
STRING = "string"
TRAP = "trap"
OPENS, CLOSES = "opens", "closes"
NOTHING = "nothing"
# Seen by other processors or devices: a locked operation, a fence, port I/O.
LOCKED, FENCE, PORT = "locked", "fence", "port"
VOLATILE = "volatile"
# Keeps speculation within bounds.
BOUND = "bound"
# A load that watches an address, and the store that succeeds if nobody else stored there.
LINKED, CONDITIONAL = "linked", "conditional"
# cpu_relax()
RELAX = "relax"
# A move from or to a register that VEX does not have.
SYSTEM = "system"


@dataclass(frozen=True)
class Decoded:
    """One instruction: its bytes, what it is, and its text.

    A string operation has ``size`` bytes an element, and ``fills`` if it reads no memory.
    ``ends`` tells that the code need not go on with the next; ``calls`` is the
    address that it calls or jumps to, ``through`` tells that a register says which.
    ``code`` is the word of a system instruction. Other accesses are not moved over an ``ordered``
    one. ``unless`` is the place of a register and the number for which it does not trap.
    """

    length: int
    kind: str
    text: str
    size: int = 0
    fills: bool = False
    ends: bool = False
    calls: int | None = None
    through: bool = False
    code: int = 0
    ordered: bool = False
    unless: tuple[int, int] | None = None


@dataclass(frozen=True)
class Registers:
    """Registers by their place in VEX's guest state, in bytes.

    ``arguments`` and ``spoiled`` as the calling convention has them, ``numbered`` as the
    exception table numbers them, ``marked`` as execution/marks.py uses them. ``link`` holds the
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
        """How many bits a register has."""
        return 8 if register in self.single else self.width

    def whole(self, offset: int, bits: int) -> int:
        """The register that a part of it belongs to, by their places."""
        if offset in self.single and bits == self.bits(offset):
            return offset
        return offset & -(self.width // 8)

    def result(self, size: int) -> tuple[int, ...]:
        """The registers of a result of so many bytes, the lowest part first."""
        if 8 * size <= self.width:
            return self.results[:1]
        return self.results[::-1] if self.downwards else self.results


def get(state: State, offset: int, size: int, known: Registers) -> Word:
    """A register, or a part of one, by its place in the guest state and its bytes."""
    return part_of(state.registers, offset, size, known)


def part_of(
    registers: Mapping[int, Word], offset: int, size: int, known: Registers
) -> Word:
    """Likewise of registers by their places. Raises UnsupportedError for one without a value."""
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
    if offset in known.single and size == 1:
        registers[offset] = value
        return
    width = known.width
    whole = width // 8
    start = offset & -whole
    if size >= whole:
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
    """The state with other values in whole registers."""
    return replace(state, registers={**state.registers, **changes})


@dataclass(frozen=True)
class Special:
    """A routine of other objects that is no call: it returns at once, or jumps."""

    returns: bool = False
    jumps: Word | None = None


def offsets(arch: archinfo.Arch, names: str) -> tuple[int, ...]:
    """The places of registers in VEX's guest state, by their names."""
    return tuple(int(arch.registers[name][0]) for name in names.split())


class Architecture(Protocol):
    """One architecture; a file of this package says what is its own.

    What is implemented here is for those on which nothing is special.
    """

    name: str
    # As VEX and its register file know it.
    arch: archinfo.Arch
    layout: Layout
    convention: Convention
    registers: Registers
    # Registers that hold flags, the one first that says how they follow from the others.
    flags: Sequence[int] = ()
    # Of string operations, where there are any: the count, and destination and source.
    counter: int = -1
    moved: tuple[int, int] = (-1, -1)
    # What locals are counted from, by its number in debug information.
    framed: Mapping[int, int]
    # Routines that copy from and to user memory: destination, source, bytes. Of ``both`` the
    # pointers tell the direction; those that fill have no source.
    loads: Sequence[str]
    stores: Sequence[str]
    both: Sequence[str] = ()
    fills: Sequence[str]
    # Of these, the ones of assembly that are taken as one access, with user access open.
    whole: frozenset[str]
    # Whether user memory can be read with user access closed.
    readable: bool = False
    # Whether all that a fault sets to 0 is known by zeroed(): not where C code does it.
    tells_zeros: bool
    # Ends of blocks of VEX that the processor does not have.
    ignored: frozenset[str]
    # The address of the running task, None where a variable of the processor holds it.
    task: int | None
    # Routines that record calls: their call is patched out.
    tracers: Sequence[str]

    def poisoned(self, side: str) -> dict[int, Word]:
        """The general registers, each with what nobody wrote."""
        return {
            offset: v.unknown(f"poison {side} register {number}", self.registers.width)
            for number, offset in enumerate(self.registers.numbered)
        }

    def lift(self, code: bytes, address: int, count: int) -> pyvex.IRSB:
        """So many instructions in VEX."""
        return pyvex.lift(
            code, address, self.arch, max_inst=count, max_bytes=len(code), opt_level=1
        )

    def decode(self, code: bytes, address: int) -> Decoded:
        """What the instruction at an address is. Raises UnsupportedError."""

    def start(self, side: str) -> dict[int, Word]:
        """The registers with which a function is entered, but for arguments and stack."""

    def fault(self, state: State, fixup: Fixup) -> State:
        """Go on as the exception table says. Raises UnsupportedError."""

    def zeroed(self, fixup: Fixup | None, routine: str) -> int | None:
        """The register that a fault sets to 0 in place of what was to be loaded.

        By what the exception table says, or by the user access routine that has returned.
        """
        return None

    def perform(self, state: State, found: Decoded) -> State:
        """Do a system instruction, but for going on. Raises UnsupportedError."""
        raise UnsupportedError(f"'{found.text}'")

    def untagged(self, address: Word) -> Word:
        """A user address as the processor uses it."""
        return address

    def unmasked(self, address: Word) -> tuple[Word, Truth]:
        """What the code has masked for an access, and when that is the same address."""
        return address, 1

    def special(self, state: State, name: str) -> Special | None:
        """What a routine of other objects is, if it is no call."""
        return Special(returns=True) if name in self.tracers else None

    def returns(self, name: str) -> bool:
        """Whether a routine of other objects returns to its caller's caller."""
        return False

    def jumps(self, name: str) -> bool:
        """Whether a routine of other objects is a jump through a register."""
        return False

    def condition(self, name: str, arguments: Sequence[Word]) -> Word:
        """What a helper of VEX computes. Raises UnsupportedError."""
        raise UnsupportedError(f"helper {name}")
