# SPDX-License-Identifier: GPL-2.0
"""Where the numbers of a comparison came from, and what would decide it the other way."""

from __future__ import annotations

from hotcocci.proof.execution.inputs import Argument, Memory
from hotcocci.proof.execution.otherwise import chosen_ways, other_ways
from hotcocci.proof.execution.trace import RETURNED, Seen, Trace

# An ioctl command: direction 1, size 0x1234, type 0x9a, number 0x5c
COMMAND = 1 << 30 | 0x1234 << 16 | 0x9A << 8 | 0x5C
READ = {Argument(1): COMMAND, Memory(0x1000, 8): 0x1122334455667788}


def seen(left: int, right: int, mask: bool = False, branch: int = 1) -> Seen:
    return Seen(branch, 2, left, right, 4, mask, len(READ))


def test_type_of_a_command() -> None:
    made = COMMAND & ~0xFF00 | ord("d") << 8
    assert ((Argument(1), made),) in list(other_ways(seen(0x9A, ord("d")), READ))


def test_size_from_which_the_smallest_case_was_taken() -> None:
    made = COMMAND & ~(0x3FFF << 16) | 64 << 16
    assert ((Argument(1), made),) in list(other_ways(seen(0x1234 - 4, 60), READ))


def test_bits_that_two_numbers_have_in_common() -> None:
    read = {Argument(1): 0xB1A92000, Memory(0x1000, 4): 0xF1392F00}
    common = 0xB1A92000 & 0xF1392F00
    found = list(other_ways(seen(common, 0x40000000, mask=True), read))
    both = (
        (Memory(0x1000, 4), 0xF1392F00 | 0x40000000),
        (Argument(1), 0xB1A92000 | 0x40000000),
    )
    assert any(set(changes) == set(both) for changes in found)


def test_numbers_of_a_switch_that_tests_bits() -> None:
    path = (seen(0x1234, 4), seen(0x1234, 8), seen(0x1234, 24))
    trace = Trace((), RETURNED, "", {}, (), seen=path)
    sizes = {
        dict(made)[Argument(1)] >> 16 & 0x3FFF for made in chosen_ways(trace, READ)
    }
    assert {4, 8, 24} <= sizes
