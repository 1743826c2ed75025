# SPDX-License-Identifier: GPL-2.0
"""What the symbolic engine has to know of an architecture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import pyvex

from hotcocci.proof.execution.image import Fixup
from hotcocci.proof.execution.passing import Convention
from hotcocci.proof.execution.space import Layout
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.state import State, UnsupportedError
from hotcocci.proof.symbolic.values import Word

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


@dataclass(frozen=True)
class Decoded:
    """One instruction: its bytes, what it is, and its text.

    A string operation has ``size`` bytes an element, and ``fills`` if it reads no memory.
    ``ends`` tells that the code need not go on with the next; ``calls`` is the
    address that it calls or jumps to, ``through`` tells that a register says which.
    """

    length: int
    kind: str
    text: str
    size: int = 0
    fills: bool = False
    ends: bool = False
    calls: int | None = None
    through: bool = False


@dataclass(frozen=True)
class Registers:
    """Registers by their place in VEX's guest state, in bytes.

    ``arguments`` and ``spoiled`` as the calling convention has them, ``numbered`` as the
    exception table numbers them, ``marked`` as execution/marks.py uses them.
    """

    width: int
    sp: int
    results: tuple[int, int]
    arguments: tuple[int, ...]
    spoiled: tuple[int, ...]
    numbered: tuple[int, ...]
    marked: tuple[int, int]


def get(state: State, offset: int, size: int, width: int) -> Word:
    """A register, or a part of one, by its place in the guest state and its bytes."""
    start = offset & -(width // 8)
    value = state.registers.get(start)
    if value is None:
        raise UnsupportedError(f"it reads the register at {offset} of the guest state")
    low = 8 * (offset - start)
    return v.extract(value, low + 8 * size - 1, low) if 8 * size < width else value


def put(
    registers: dict[int, Word], offset: int, value: Word, size: int, width: int
) -> None:
    """Set a register, or a part of one."""
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


class Architecture(Protocol):
    """One architecture; a file of this package says what is its own."""

    name: str
    layout: Layout
    convention: Convention
    registers: Registers
    # Registers that hold flags, the one first that says how they follow from the others.
    flags: Sequence[int]
    # Of string operations: the count, and destination and source.
    counter: int
    # What locals are counted from, by its number in debug information.
    framed: Mapping[int, int]
    moved: tuple[int, int]
    # Routines that copy: destination, source, bytes.
    loads: Sequence[str]
    stores: Sequence[str]

    def lift(self, code: bytes, address: int, count: int) -> pyvex.IRSB:
        """So many instructions in VEX."""

    def decode(self, code: bytes, address: int) -> Decoded:
        """What the instruction at an address is. Raises UnsupportedError."""

    def start(self, side: str) -> dict[int, Word]:
        """The registers with which a function is entered, but for arguments and stack."""

    def fault(self, state: State, fixup: Fixup) -> State:
        """Go on as the exception table says. Raises UnsupportedError."""

    def special(self, state: State, name: str) -> Special | None:
        """What a routine of other objects is, if it is no call."""

    def returns(self, name: str) -> bool:
        """Whether a routine of other objects returns to its caller's caller."""

    def jumps(self, name: str) -> bool:
        """Whether a routine of other objects is a jump through a register."""

    def condition(self, name: str, arguments: Sequence[Word]) -> Word:
        """What a helper of VEX computes. Raises UnsupportedError."""
