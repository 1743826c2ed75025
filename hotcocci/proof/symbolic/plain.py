# SPDX-License-Identifier: GPL-2.0
"""Run what is no event: blocks of plain instructions, and moves and fills of kernel memory."""

from __future__ import annotations

from dataclasses import replace

import z3

from hotcocci.proof.objects.signatures import Signature, Value
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side, resolve
from hotcocci.proof.symbolic.architecture import with_registers
from hotcocci.proof.symbolic.calls import leave
from hotcocci.proof.symbolic.code import Block
from hotcocci.proof.symbolic.state import UnsupportedError, ValueNeeded
from hotcocci.proof.symbolic.values import Word

# VEX's jump kind for a block that ends at an unknown instruction.
UNTRANSLATED = "Ijk_NoDecode"
# The state's pc during an indirect call.
UNKNOWN = 0
# Largest move or fill done word by word, in bytes.
MOVED = 4096
# Most elements of a string move whose ends may overlap: each load depends on all stores before it.
ELEMENTS = 512


def plain(side: Side, found: Block) -> None:
    assert found.vex is not None
    if found.vex.jumpkind == UNTRANSLATED:
        line = side.code.line(found.last)
        raise UnsupportedError(f"unsupported instruction at line {line}")
    registers, after = side.run(found.vex, side)
    side.state = replace(side.state, registers=registers, site=found.last)
    go_on(side, after)


def go_on(side: Side, after: Word) -> None:
    """Continue at an address; an unknown one is an indirect call."""
    after = resolve(side.path, side.code.terms, after)
    if isinstance(after, int):
        side.state = replace(side.state, pc=after)
        return
    side.state = replace(side.state, pc=UNKNOWN, target=after)


# memcpy() and friends, which gcc calls without a declaration.
def moves(word: int) -> Signature:
    """The prototype of such a function; ``word`` is the size of a pointer in bytes."""
    return Signature((Value(word, 0), Value(word, 0), Value(word)), Value(word, 0))


def imitated(side: Side, name: str, known: list[Word]) -> bool:
    """Imitate a function that gcc calls implicitly; return False if its size is not known."""
    target, second, size = known[0], known[1], side.path.known(v.plain(known[2]))
    sets = name.endswith("memset")
    if not sets and _overlaps(side, target, second, size):
        # memmove() and memcpy() differ there.
        return False
    if not isinstance(size, int):
        if not (sets and _filled_up(side, target, second, size)):
            return False
    elif size > MOVED:
        return False
    elif sets:
        side.fill(target, second, size)
    else:
        side.move(target, second, size)
    answer(side, target)
    return True


def _overlaps(side: Side, target: Word, source: Word, size: Word) -> bool:
    """Whether the ends of a copy may overlap, other than exactly."""
    ends = [side.place(each) for each in (target, source)]
    if ends[0].base == ends[1].base:
        away = abs(ends[0].offset - ends[1].offset)
        return away != 0 and not (isinstance(size, int) and away >= size)
    # Pointers do not lead to a local that has not escaped.
    return not any(side.is_local(each) and not side.is_shared(each) for each in ends)


def _filled_up(side: Side, target: Word, byte: Word, size: z3.BitVecRef) -> bool:
    """Handle a memset() that zeroes the rest of a faulted copy; return whether it was one."""
    partial = side.state.partial
    if partial is None:
        return False
    width = side.code.terms.width
    target = resolve(side.path, side.code.terms, target)
    rest = v.plain(v.subtract(v.add(target, size, width), partial.size, width))
    same = rest == partial.target if isinstance(rest, int) else False
    if not isinstance(rest, int) and not isinstance(partial.target, int):
        places = side.code.terms.place(rest), side.code.terms.place(partial.target)
        same = places[0] == places[1]
    left = v.plain(partial.left)
    if not same or isinstance(left, int) or not size.eq(left):
        return False
    done = v.subtract(partial.size, size, width)
    low = v.term(v.extract(byte, 7, 0), 8)
    for n in range(partial.size):
        at = v.add(partial.target, n, width)
        before = v.term(side.load(at, 1), 8)
        side.store(at, z3.If(z3.ULT(n, v.term(done, width)), before, low), 1)
    return True


def answer(side: Side, value: Word) -> None:
    """Return from a function that changed nothing else."""
    changes = {side.code.arch.registers.results[0]: value}
    side.state = with_registers(side.state, changes)
    side.state = leave(side)


def string(side: Side, found: Block) -> None:
    """A copy or fill within the kernel."""
    state, arch, width = side.state, side.code.arch, side.code.terms.width
    count = side.path.known(v.plain(state.registers[arch.counter]))
    if not isinstance(count, int):
        raise ValueNeeded(count, state.pc)
    size = count * found.decoded.size
    if size > MOVED:
        raise UnsupportedError(f"a move of {size} bytes")
    target, source = (state.registers[offset] for offset in arch.moved)
    unit = found.decoded.size
    changes: dict[int, Word] = {
        arch.counter: 0,
        arch.moved[0]: v.add(target, size, width),
    }
    if found.decoded.fills:
        fill = state.registers[arch.registers.results[0]]
        for n in range(0, size, unit):
            word = v.extract(fill, 8 * unit - 1, 0)
            side.store(v.add(target, n, width), word, unit)
    elif _overlaps(side, target, source, size):
        if count > ELEMENTS:
            raise UnsupportedError(f"a move of {size} bytes that may overlap")
        # Upwards, element by element: what was stored may be loaded again.
        for n in range(0, size, unit):
            word = side.load(v.add(source, n, width), unit)
            side.store(v.add(target, n, width), word, unit)
        changes[arch.moved[1]] = v.add(source, size, width)
    else:
        side.move(target, source, size)
        changes[arch.moved[1]] = v.add(source, size, width)
    side.state = replace(with_registers(side.state, changes), pc=found.end)
