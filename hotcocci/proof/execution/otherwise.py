# SPDX-License-Identifier: GPL-2.0
"""What would decide a comparison the other way: where its numbers came from, and what to put there.

A number tells its place by itself, as what the emulator fills memory with is random. It may have been
moved by an addition, multiplied by a size, packed among other bits, or be what two
numbers have in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, zip_longest

from hotcocci.engines.machine.code import signed
from hotcocci.proof.execution.inputs import Argument, Memory, Origin
from hotcocci.proof.execution.trace import Seen, Trace

# How far a value may have been moved by additions on its way to a comparison, in bytes.
NEAR = 4096
# Of what was read, as much is taken for a factor or a base of an array.
RECENT = 48
# Sizes of elements that arrays of user space have.
FACTORS = (1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64)
# The bits that small numbers are packed in, as those of an ioctl command: number, type and size
# (13 of size on powerpc, include/uapi/asm-generic/ioctl.h).
FIELDS = (8, 13, 14, 16)
SHIFTS = (0, 8, 16, 24, 32, 48)
# The largest number that the smallest case of a switch over such a number has.
CASE = 8

# As many numbers of one branch are learnt.
CHOSEN = 64

# By branch, and by whether they were the right side of a comparison, what its other side was.
Choices = dict[tuple[int, bool], dict[int, None]]
# Places and the values they are given.
Changes = tuple[tuple[Origin, int], ...]


def other_ways(seen: Seen, read: Mapping[Origin, int]) -> Iterator[Changes]:
    """Values that may decide a comparison otherwise."""
    mask = (1 << 8 * seen.size) - 1
    recent = recent_first(read)
    read = dict(recent)
    if seen.mask:
        yield from _other_bits(seen, read, mask)
        return
    for mine, other in ((seen.left, seen.right), (seen.right, seen.left)):
        for origin, held, delta in origins(mine, seen.size, read):
            for change in (0, 1, -1):
                low = (other + change - delta) & mask
                yield ((origin, (held & ~mask) | low),)
    for mine, other in ((seen.left, seen.right), (seen.right, seen.left)):
        for origin, held, shift, bits, delta in _fields(mine & mask, recent):
            for change in (0, 1, -1):
                field = (other + change - delta) & ((1 << bits) - 1)
                rest = held & ~(((1 << bits) - 1) << shift)
                yield ((origin, rest | field << shift),)
    # sizeof() times a number; a pointer and the end of its array differ by such a product.
    for product, wanted in (
        (seen.left, seen.right),
        (seen.right, seen.left),
        (seen.left - seen.right, 0),
        (seen.right - seen.left, 0),
    ):
        for origin, factor, delta in multiples(product & mask, seen.size, recent):
            for change in (0, 1, -1):
                yield ((origin, ((wanted - delta) // factor + change) & mask),)


def _other_bits(seen: Seen, read: Mapping[Origin, int], mask: int) -> Iterator[Changes]:
    """Values for which bits that are tested come out otherwise."""
    bits = seen.right if seen.right != seen.left else mask
    sign = mask ^ mask >> 1
    direct = False
    for origin, held, delta in origins(seen.left, seen.size, read):
        if delta == 0:
            direct = True
            if seen.left == seen.right:
                # Whether it is 0, or, with the rest as it is, below 0.
                yield from (((origin, 0),), ((origin, 1),), ((origin, held ^ sign),))
                yield ((origin, mask),)
            else:
                yield from (((origin, held | bits),), ((origin, held & ~bits),))
    if direct or seen.size < 4:
        return
    # What two numbers have in common: what the caller asks for and what a table allows.
    for (one, held), (other, also) in combinations(read.items(), 2):
        if held & also & mask == seen.left & mask != 0:
            if seen.left == seen.right:
                yield (one, held | sign), (other, also | sign)
                yield ((one, held & ~sign),)
            yield (one, held | bits), (other, also | bits)
            yield ((one, held & ~bits),)


def origins(
    value: int, size: int, read: Mapping[Origin, int]
) -> Iterator[tuple[Origin, int, int]]:
    """Where a value may come from: the place, what it held, and what was added to it since."""
    mask = (1 << 8 * size) - 1
    value &= mask
    for origin, held in read.items():
        delta = signed(value - held, 8 * size)
        # Small numbers are all near each other.
        if delta == 0 or (held & mask > 4 * NEAR and abs(delta) <= NEAR):
            yield origin, held, delta
        elif size == 8 and value >> 32 == 0 and value == held & 0xFFFF_FFFF:
            # compat_ptr()
            yield origin, held, 0
    if 0xFF < value <= 0xFFFF:
        # What a sum of two bytes' width wraps at: any number may have been added.
        for origin, held in read.items():
            if isinstance(origin, Memory) and origin.size == 2:
                delta = signed(value - held, 16)
                if abs(delta) > NEAR:
                    yield origin, held, delta


def recent_first(read: Mapping[Origin, int]) -> list[tuple[Origin, int]]:
    """What was read last, and the arguments: what was read last was probably read for this."""
    items = list(read.items())
    arguments = [item for item in items[:-RECENT] if isinstance(item[0], Argument)]
    return [*reversed(items[-RECENT:]), *arguments]


def multiples(
    value: int, size: int, read: Sequence[tuple[Origin, int]]
) -> Iterator[tuple[Origin, int, int]]:
    """Which places hold a number of which the value is a multiple, near enough: count * sizeof()."""
    mask = (1 << 8 * size) - 1
    if size < 4:
        return
    for origin, held in read:
        if held & mask <= NEAR:
            continue
        # As it is, and as a negative number of 32 bits.
        for number in {held, held - (held >> 31 << 32)}:
            for factor in FACTORS:
                delta = signed(value - number * factor, 8 * size)
                if abs(delta) <= NEAR:
                    yield origin, factor, delta


def learn(choices: Choices, trace: Trace) -> None:
    """Note the numbers that one value was compared with at one branch, if these are several.

    The cases of a switch, as a test of their bits tells all of them at once; the entries of a table
    that is searched. A search that ends at the first entry has seen no more: what one run learns
    is for all.
    """
    found: dict[tuple[int, int, bool], dict[int, None]] = {}
    for seen in trace.seen:
        if not seen.mask:
            found.setdefault((seen.branch, seen.left, False), {})[seen.right] = None
            # A small number is that of the code itself, and what varies is a counter.
            if seen.right > 0xFFFF:
                found.setdefault((seen.branch, seen.right, True), {})[seen.left] = None
    for (branch, _, is_right), numbers in found.items():
        known = choices.setdefault((branch, is_right), {})
        if len(numbers) > 1 and len(known) < CHOSEN:
            known.update(numbers)


def chosen_ways(
    trace: Trace, read: Mapping[Origin, int], choices: Choices
) -> list[Changes]:
    """The numbers that a switch lets through, or a search in a table.

    Where a number may come from several places, the first place comes first for all numbers.
    """
    recent = recent_first(read)
    by_number: dict[tuple[int, int], dict[Changes, None]] = {}
    done: set[tuple[int, int]] = set()
    for seen in trace.seen:
        for mine, is_right in ((seen.left, False), (seen.right, True)):
            numbers = choices.get((seen.branch, is_right))
            if not numbers or (seen.branch, mine) in done:
                continue
            done.add((seen.branch, mine))
            mask = (1 << 8 * seen.size) - 1
            whole = [(o, h, 0, 8 * seen.size, 0) for o, h in recent if h & mask == mine]
            parts = [] if is_right else _fields(mine, recent)
            for origin, held, shift, bits, delta in (*whole, *parts):
                rest = held & ~(((1 << bits) - 1) << shift)
                for number in numbers:
                    field = (number - delta) & ((1 << bits) - 1)
                    made = ((origin, rest | field << shift),)
                    by_number.setdefault((seen.branch, number), {})[made] = None
    turns = zip_longest(*by_number.values())
    return list(dict.fromkeys(made for turn in turns for made in turn if made))


def _fields(
    value: int, read: Sequence[tuple[Origin, int]]
) -> Iterator[tuple[Origin, int, int, int, int]]:
    """Which places hold a number among other bits: the place, what it holds, shift, bits, and what was added.

    A switch takes its smallest case away before it compares.
    """
    for origin, held in read:
        for bits in FIELDS:
            for shift in SHIFTS if value >> bits == 0 else ():
                # A number that has no more bits than those of itself is told by additions.
                if not held >> bits:
                    continue
                delta = value - (held >> shift & (1 << bits) - 1)
                if delta == 0 or (bits > 8 and value > CASE and abs(delta) <= CASE):
                    yield origin, held, shift, bits, delta
