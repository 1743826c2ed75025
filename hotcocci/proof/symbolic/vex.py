# SPDX-License-Identifier: GPL-2.0
"""Run a VEX block on words that may be unknown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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


class Memory:
    """The memory that a block accesses; what is not implemented is refused."""

    def load(self, address: Word, size: int) -> Word:
        """Load ``size`` bytes."""
        raise UnsupportedError("a load")

    def store(self, address: Word, value: Word, size: int) -> None:
        """Store ``size`` bytes."""
        raise UnsupportedError("a store")

    def exchange(self, address: Word, expected: Word, value: Word, size: int) -> Word:
        """Locked compare and exchange; return the old value."""
        raise UnsupportedError("an exchange")

    def linked(self, address: Word, size: int) -> Word:
        """Load and watch an address (load-linked)."""
        raise UnsupportedError("an exclusive load")

    def conditional(self, address: Word, value: Word, size: int) -> Truth:
        """Store unless the watched address was written; return whether it was stored."""
        raise UnsupportedError("an exclusive store")


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
        return self._made(address, size)

    def store(self, address: Word, value: Word, size: int) -> None:
        """Record a store."""
        self._made(address, size, value)

    def exchange(self, address: Word, expected: Word, value: Word, size: int) -> Word:
        """Record an exchange, which the load of the old value is part of."""
        self.size, self.expected = 0, expected
        return self._made(address, size, value)

    def linked(self, address: Word, size: int) -> Word:
        """Load what memory holds."""
        return self._made(address, size)

    def conditional(self, address: Word, value: Word, size: int) -> Truth:
        """Record a store, which another access may prevent."""
        self._made(address, size, value)
        return self.succeeds

    def _made(self, address: Word, size: int, value: Word | None = None) -> Word:
        if self.size:
            raise UnsupportedError("two accesses of one instruction")
        self.address, self.size, self.value = address, size, value
        return v.extract(self.answer, 8 * size - 1, 0)


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

    ``decide`` says which way a branch goes, given its condition and address. Raises
    UnsupportedError.
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
                run.temporaries[statement.tmp] = _value(run, statement.data)
            elif tag == "Ist_Put":
                size = run.size(statement.data)
                value = _value(run, statement.data)
                put(registers, statement.offset, value, size, arch.registers)
            elif tag == "Ist_Store":
                _require_order(run, statement.end)
                value = _value(run, statement.data)
                memory.store(
                    _value(run, statement.addr), value, run.size(statement.data)
                )
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
            elif tag == "Ist_CAS":
                _exchange(run, statement)
            elif tag == "Ist_LLSC":
                _linked(run, statement)
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


def _exchange(run: _Run, statement: Any) -> None:
    if statement.dataHi is not None:
        raise UnsupportedError("a compare and exchange of two words")
    size = run.size(statement.dataLo)
    run.temporaries[statement.oldLo] = run.memory.exchange(
        _value(run, statement.addr),
        _value(run, statement.expdLo),
        _value(run, statement.dataLo),
        size,
    )


def _linked(run: _Run, statement: Any) -> None:
    address = _value(run, statement.addr)
    if statement.storedata is None:
        bits = run.block.tyenv.sizeof(statement.result)
        made = run.memory.linked(address, bits // 8)
    else:
        value = _value(run, statement.storedata)
        size = run.size(statement.storedata)
        made = run.memory.conditional(address, value, size)
    run.temporaries[statement.result] = made


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
        condition = _value(run, expression.cond)
        width = 8 * run.size(expression)
        if expression.result_size(run.block.tyenv) == 1:
            width = 1
        return v.choice(
            condition,
            _value(run, expression.iftrue),
            _value(run, expression.iffalse),
            width,
        )
    if tag == "Iex_CCall":
        arguments = [_value(run, each) for each in expression.args]
        return run.arch.condition(expression.cee.name, arguments)
    raise UnsupportedError(tag)
