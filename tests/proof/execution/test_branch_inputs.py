# SPDX-License-Identifier: GPL-2.0
"""Tracing comparison operands to inputs, and choosing inputs that flip the branch."""

from __future__ import annotations

from hotcocci.proof.execution.inputs import Argument, Memory
from hotcocci.proof.execution.branch_inputs import (
    Choices,
    chosen_ways,
    learn,
    other_ways,
)
from hotcocci.proof.execution.trace import RETURNED, Seen, Trace

# An ioctl command: direction 1, size 0x1234, type 0x9a, number 0x5c
COMMAND = 1 << 30 | 0x1234 << 16 | 0x9A << 8 | 0x5C
READ = {Argument(1): COMMAND, Memory(0x1000, 8): 0x1122334455667788}


def seen(left: int, right: int, mask: bool = False, branch: int = 1) -> Seen:
    return Seen(branch, 2, left, right, 4, mask, len(READ))


def test_type_of_a_command() -> None:
    changed = COMMAND & ~0xFF00 | ord("d") << 8
    assert ((Argument(1), changed),) in list(other_ways(seen(0x9A, ord("d")), READ))


def test_size_after_subtracting_the_smallest_case() -> None:
    changed = COMMAND & ~(0x3FFF << 16) | 64 << 16
    assert ((Argument(1), changed),) in list(other_ways(seen(0x1234 - 4, 60), READ))


def test_common_bits_of_two_numbers() -> None:
    read = {Argument(1): 0xB1A92000, Memory(0x1000, 4): 0xF1392F00}
    common = 0xB1A92000 & 0xF1392F00
    found = list(other_ways(seen(common, 0x40000000, mask=True), read))
    both = (
        (Memory(0x1000, 4), 0xF1392F00 | 0x40000000),
        (Argument(1), 0xB1A92000 | 0x40000000),
    )
    assert any(set(changes) == set(both) for changes in found)


def test_numbers_of_a_switch_by_bit_tests() -> None:
    path = (seen(0x1234, 4), seen(0x1234, 8), seen(0x1234, 24))
    trace = Trace((), RETURNED, "", {}, (), seen=path)
    choices: Choices = {}
    learn(choices, trace)
    sizes = {
        dict(changed)[Argument(1)] >> 16 & 0x3FFF
        for changed in chosen_ways(trace, READ, choices)
    }
    assert {4, 8, 24} <= sizes


def test_entries_of_a_table_searched_in_another_run() -> None:
    # snd_seq_ioctl() compares the command with its handlers until one matches.
    table = (0x80045300, 0xC0105301, 0xC0BC5302)
    whole = tuple(seen(entry, COMMAND) for entry in table)
    choices: Choices = {}
    learn(choices, Trace((), RETURNED, "", {}, (), seen=whole))
    first = Trace((), RETURNED, "", {}, (), seen=(seen(table[0], table[0]),))
    read = {Argument(1): table[0]}
    changed = {dict(each)[Argument(1)] for each in chosen_ways(first, read, choices)}
    assert changed == set(table)


def test_a_single_comparison_offers_no_choices() -> None:
    trace = Trace((), RETURNED, "", {}, (), seen=(seen(COMMAND, 0x12345678),))
    choices: Choices = {}
    learn(choices, trace)
    assert chosen_ways(trace, READ, choices) == []


def test_the_sign_of_a_number_tested_with_itself() -> None:
    # _IOC_DIR(cmd) & _IOC_READ
    found = list(other_ways(seen(COMMAND, COMMAND, mask=True), READ))
    assert ((Argument(1), COMMAND ^ 1 << 31),) in found


def test_the_sign_of_common_bits() -> None:
    read = {Argument(1): 0x31A92000, Memory(0x1000, 4): 0x71392F00}
    common = 0x31A92000 & 0x71392F00
    found = list(other_ways(seen(common, common, mask=True), read))
    both = {Argument(1): 0xB1A92000, Memory(0x1000, 4): 0xF1392F00}
    assert both in [dict(changes) for changes in found]


def test_a_16_bit_number_that_wraps() -> None:
    read = {Memory(0x2000, 2): 0x9001}
    # The operand is a sum that wraps: subtract 0x7102.
    left = 0x9001 + 0x7102 & 0xFFFF
    found = list(other_ways(seen(left, 0x7102), read))
    assert ((Memory(0x2000, 2), 0),) in found
