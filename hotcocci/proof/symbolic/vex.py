# SPDX-License-Identifier: GPL-2.0
"""Run a VEX block on words that may be unknown."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import pyvex

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.architecture import Architecture, part_of, put
from hotcocci.proof.symbolic.operations import (
    UnknownOperationError,
    operation,
    overflows,
)
from hotcocci.proof.symbolic.state import DivisionError, UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word

# The exit that VEX takes on a division by zero
DIVISION = "Ijk_SigFPE_IntDiv"
ORDINARY = ("Ijk_Boring", "Ijk_Call", "Ijk_Ret")


class Memory(Protocol):
    """The memory that a block accesses."""

    def load(self, address: Word, size: int) -> Word:
        """Load ``size`` bytes."""

    def store(self, address: Word, value: Word, size: int) -> None:
        """Store ``size`` bytes."""


@dataclass
class Single(Memory):
    """Records the single access of an instruction; memory holds ``answer``.

    ``size`` is 0 before it is made. An exchange that expects another value than the answer stores nothing, and
    so does a conditional store unless it ``succeeds``.
    """

    answer: Word = 0
    succeeds: Truth = 1
    address: Word = 0
    size: int = 0
    value: Word | None = None
    expected: Word | None = None

    def load(self, address: Word, size: int) -> Word:
        """Load what memory holds."""
        self.store(address, None, size)
        return v.extract(self.answer, 8 * size - 1, 0)

    def store(self, address: Word, value: Word | None, size: int) -> None:
        """Record a store, or a load of what is no value."""
        if self.size:
            raise UnsupportedError("two accesses of one instruction")
        self.address, self.size, self.value = address, size, value


@dataclass
class _Run:
    """A block in progress: its temporaries, and the registers it changes."""

    block: pyvex.IRSB
    registers: dict[int, Word]
    memory: Memory
    decide: Callable[[Truth, int], bool]
    arch: Architecture
    temporaries: dict[int, Any]

    def size(self, expression: Any) -> int:
        """The size of an expression in bytes; 1 for a condition."""
        bits: int = expression.result_size(self.block.tyenv)
        return max(bits // 8, 1)


def execute(
    block: pyvex.IRSB,
    registers: dict[int, Word],
    memory: Memory,
    decide: Callable[[Truth, int], bool],
    arch: Architecture,
) -> Word:
    """Run a block, updating ``registers``; return the address to continue at.

    ``decide`` says which way a branch goes, given its condition and address. Raises UnsupportedError.
    """
    run = _Run(block, registers, memory, decide, arch, {})
    here = block.addr
    try:
        for statement in block.statements:
            tag = statement.tag
            if tag == "Ist_WrTmp":
                made = statement.data
                if made.tag == "Iex_Binop" and made.op.startswith("Iop_DivMod"):
                    ends = (_value(run, each) for each in made.args)
                    if decide(overflows(made.op, *ends), here):
                        raise DivisionError
                run.temporaries[statement.tmp] = _value(run, made)
            elif tag == "Ist_Put":
                value, size = _value(run, statement.data), run.size(statement.data)
                put(registers, statement.offset, value, size, arch.registers)
            elif tag == "Ist_Store":
                _require_order(run, statement.end)
                value, size = _value(run, statement.data), run.size(statement.data)
                memory.store(_value(run, statement.addr), value, size)
            elif tag == "Ist_Exit":
                if statement.jumpkind in arch.ignored:
                    continue
                divides = statement.jumpkind == DIVISION
                if statement.jumpkind not in ORDINARY and not divides:
                    raise UnsupportedError(f"{statement.jumpkind} at {here:#x}")
                if decide(_value(run, statement.guard), here):
                    if divides:
                        raise DivisionError
                    return int(statement.dst.value)
            elif tag == "Ist_IMark":
                here = statement.addr
            elif tag in ("Ist_CAS", "Ist_LLSC"):
                if not isinstance(memory, Single):
                    raise UnsupportedError("an atomic operation among others")
                (_exchange if tag == "Ist_CAS" else _linked)(run, memory, statement)
            elif tag == "Ist_Dirty":
                raise UnsupportedError(f"helper {statement.cee.name}")
            elif tag not in ("Ist_NoOp", "Ist_AbiHint", "Ist_MBE"):
                raise UnsupportedError(f"{tag} at {here:#x}")
        if block.jumpkind not in ORDINARY:
            raise UnsupportedError(f"{block.jumpkind} at {here:#x}")
        return _value(run, block.next)
    except UnknownOperationError as error:
        raise UnsupportedError(f"{error} at {here:#x}") from error


def _require_order(run: _Run, endness: str) -> None:
    wanted = "Iend_LE" if run.arch.layout.order == "little" else "Iend_BE"
    if endness != wanted:
        raise UnsupportedError("an access in the other order of bytes")


def _exchange(run: _Run, memory: Single, statement: Any) -> None:
    """A locked compare and exchange, which the load of the old value is part of."""
    if statement.dataHi is not None:
        raise UnsupportedError("a compare and exchange of two words")
    address, size = _value(run, statement.addr), run.size(statement.dataLo)
    memory.size, memory.expected = 0, _value(run, statement.expdLo)
    run.temporaries[statement.oldLo] = memory.load(address, size)
    memory.value = _value(run, statement.dataLo)


def _linked(run: _Run, memory: Single, statement: Any) -> None:
    """A load-linked, or a store-conditional, which another access may prevent."""
    address, data = _value(run, statement.addr), statement.storedata
    if data is None:
        size = run.block.tyenv.sizeof(statement.result) // 8
        run.temporaries[statement.result] = memory.load(address, size)
    else:
        memory.store(address, _value(run, data), run.size(data))
        run.temporaries[statement.result] = memory.succeeds


def _value(run: _Run, expression: Any) -> Any:
    tag = expression.tag
    if tag == "Iex_RdTmp":
        return run.temporaries[expression.tmp]
    if tag == "Iex_Const":
        return int(expression.con.value)
    if tag == "Iex_Get":
        size = run.size(expression)
        return part_of(run.registers, expression.offset, size, run.arch.registers)
    if tag in ("Iex_Binop", "Iex_Unop"):
        return operation(expression.op)(*[_value(run, a) for a in expression.args])
    if tag == "Iex_Load":
        _require_order(run, expression.end)
        return run.memory.load(_value(run, expression.addr), run.size(expression))
    if tag == "Iex_ITE":
        parts = expression.cond, expression.iftrue, expression.iffalse
        condition, one, other = (_value(run, each) for each in parts)
        return v.choice(condition, one, other, expression.result_size(run.block.tyenv))
    if tag == "Iex_CCall":
        arguments = [_value(run, each) for each in expression.args]
        return run.arch.condition(expression.cee.name, arguments)
    raise UnsupportedError(tag)
