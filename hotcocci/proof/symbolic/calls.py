# SPDX-License-Identifier: GPL-2.0
"""Calls that leave the function: their arguments, and how it continues; what is done in their place.

That is moves and fills of kernel memory."""

from collections.abc import Iterator
from dataclasses import replace

import z3

from hotcocci.proof.objects.processor import arguments, is_returned
from hotcocci.proof.objects.signatures import Signature, Value
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side
from hotcocci.proof.symbolic.architecture import Architecture, with_registers
from hotcocci.proof.symbolic.state import Argument, Call, State, UnsupportedError
from hotcocci.proof.symbolic.values import Word

# Largest move or fill done word by word, in bytes.
MOVED = 4096


def given(side: Side, name: str, signature: Signature | None) -> tuple[Argument, ...]:
    """The arguments of a call at its entry. Raises UnsupportedError if they are not known."""
    convention = side.arch.convention
    if signature is not None:
        result = signature.result
        if convention.elsewhere and result and not is_returned(convention, result):
            # The address of the result is not an argument (x8 of ARM64).
            raise UnsupportedError(f"{name}() returns a struct in memory")
        if signature.variadic and not signature.parameters:
            why = f"{name}() is declared without its parameters, or not at all"
            raise UnsupportedError(why)
    uses = side.code.image.uses.get(side.state.site)
    found = arguments(convention, name, signature, uses)
    if found is None:
        raise UnsupportedError(f"the parameters of {name}() are unknown")
    return tuple(
        Argument(_held(side, each.words, each.value.size), each.value) for each in found
    )


def _stacked(side: Side, above: int) -> Word:
    """A word that the caller of a function has put on the stack."""
    convention = side.arch.convention
    sp = side.state.registers[side.arch.registers.sp]
    return side.load(side.after(sp, convention.stack + above), convention.word)


def _part(word: Word, size: int) -> Word:
    return v.plain(v.extract(word, 8 * size - 1, 0))


def _pointing(side: Side, word: Word) -> Word:
    """Reduce a word that may be a stack or object address, or something else, to one of these.

    Raises ForkNeeded, and UnsupportedError for a computed stack address.
    """
    if isinstance(word, int):
        return word
    stack, image = side.arch.layout.stack, side.code.image
    found: Word = word
    if any(n in stack or image.segment(n) is not None for n in v.numbers(word)):
        found = side.resolved(word)
    if not isinstance(found, int) and any(n in stack for n in v.numbers(found)):
        raise UnsupportedError("a call is passed a computed stack address")
    return found


def _held(side: Side, words: tuple[int, ...], size: int) -> Word:
    """The value held by words as Passed numbers them."""
    arch, convention = side.arch, side.arch.convention
    parts: list[tuple[Word, int]] = []
    for number in words:
        if number < convention.registers:
            word = side.state.registers[arch.registers.arguments[number]]
        else:
            above = (number - convention.registers) * convention.word
            word = _stacked(side, above)
        parts.append((word, convention.word))
    found = v.joined(parts, side.terms.order)
    return _pointing(side, _part(found, size)) if size else 0


def back(side: Side) -> int:
    """The return address of a function that was just entered."""
    registers, state = side.arch.registers, side.state
    if registers.link is not None:
        found = state.registers[registers.link]
    else:
        found = side.load(state.registers[registers.sp], registers.width // 8)
    if not isinstance(found, int):
        # The loop of a function that is called from several places, taken for one loop
        raise UnsupportedError("it returns to a place that differs by iteration")
    return found


def leave(side: Side) -> State:
    """Return from a function that was just entered."""
    state, known, to = side.state, side.arch.registers, back(side)
    if known.link is not None:
        # The return address below the stack pointer is dead, and so is the call site.
        link = v.unknown(f"poison {side.code.side} link", known.width)
        state = with_registers(state, {known.link: link})
    else:
        sp = v.add(state.registers[known.sp], known.width // 8, known.width)
        state = with_registers(state, {known.sp: sp})
    return replace(state, pc=to, target=None)


def spoiled(side: Side, at: str) -> dict[int, Word]:
    """The call-clobbered registers, with contents that differ between the sides."""
    arch = side.arch
    changes: dict[int, Word] = {
        register: v.unknown(
            f"poison {side.code.side} {at} {register}", arch.registers.bits(register)
        )
        for register in (*arch.registers.spoiled, *arch.flags)
    }
    # Flags depend on a number that the code tests, so it must be a constant.
    return changes | dict.fromkeys(arch.flags[:1], 0)


def answered(side: Side, call: Call, at: str) -> State:
    """The state after a call that both sides made, except for memory."""
    arch, width = side.arch, side.width
    changes = spoiled(side, at)
    size = 8 if call.result is None and not call.known else 0
    if call.result is not None:
        size = call.result.size
    if size > 2 * width // 8:
        size = width // 8
    found = _result(at, call.name, width)
    if size:
        low = min(8 * size, width)
        first, *second = arch.registers.result(size)
        above = found if arch.convention.extended else changes[first]
        rest = v.extract(above, width - 1, low) if low < width else 0
        word = v.extract(found, low - 1, 0)
        changes[first] = v.concat(rest, word, width - low, low) if low < width else word
        for each in second:
            changes[each] = v.extract(found, 2 * width - 1, width)
    return with_registers(leave(side), changes)


def result(moment: int, name: str, width: int) -> z3.BitVecRef:
    """The first word of a call's result."""
    return v.term(v.extract(_result(str(moment), name, width), width - 1, 0), width)


def truths(
    arch: Architecture, kind: Value | None, word: z3.BitVecRef
) -> Iterator[z3.BoolRef]:
    """What compilers take for granted of a value in a register: that a bool is 0 or 1."""
    if kind is not None and kind.boolean:
        yield z3.ULE(word if arch.convention.extended else z3.Extract(7, 0, word), 1)


def _result(at: str, name: str, width: int) -> Word:
    return v.unknown(f"result {at} {name}", 2 * width)


def imitated(side: Side, name: str, known: list[Word]) -> bool:
    """Imitate a function that gcc calls implicitly; return False if its size is not known."""
    target, second, size = known[0], known[1], side.path.known(v.plain(known[2]))
    sets = name.endswith("memset")
    if not sets and overlaps(side, target, second, size):
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


def overlaps(side: Side, target: Word, source: Word, size: Word) -> bool:
    """Whether the ends of a copy may overlap, other than exactly."""
    ends = [side.place(each) for each in (target, source)]
    if ends[0].base == ends[1].base:
        away = abs(ends[0].offset - ends[1].offset)
        return away != 0 and not (isinstance(size, int) and away >= size)
    # Pointers do not lead to a local that has not escaped.
    return not any(side.is_local(each) and not side.is_shared(each) for each in ends)


def _filled_up(side: Side, target: Word, byte: Word, size: z3.BitVecRef) -> bool:
    """Handle a memset() that zeroes the rest of a faulted copy; return whether it was one."""
    torn, width = side.state.torn, side.width
    if torn is None or torn.access.data is not None:
        return False
    whole = torn.access.size
    end = v.add(side.resolved(target), size, width)
    rest = v.plain(v.subtract(end, whole, width))
    same = side.terms.place(rest) == side.terms.place(torn.target)
    left = v.plain(torn.left)
    if not same or isinstance(left, int) or not size.eq(left):
        return False
    done = v.subtract(whole, size, width)
    low = v.term(v.extract(byte, 7, 0), 8)
    for n in range(whole):
        at = side.after(torn.target, n)
        before = v.term(side.load(at, 1), 8)
        side.store(at, z3.If(z3.ULT(n, v.term(done, width)), before, low), 1)
    return True


def answer(side: Side, value: Word) -> None:
    """Return from a function that changed nothing else."""
    changes = {side.arch.registers.results[0]: value}
    side.state = with_registers(side.state, changes)
    side.state = leave(side)
