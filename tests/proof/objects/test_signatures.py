# SPDX-License-Identifier: GPL-2.0
"""Locations of call arguments, by architecture, and what format strings ask for."""

import pytest

from hotcocci.proof.objects.arm64 import Arm64
from hotcocci.proof.objects.powerpc import PowerPC32
from hotcocci.proof.objects.processor import passed
from hotcocci.proof.objects.signatures import Signature, Value, asked
from hotcocci.proof.objects.x86 import X86Processor

X86, ARM, POWERPC = X86Processor.convention, Arm64.convention, PowerPC32.convention
INT, LONG_LONG = Value(4), Value(8)
# Words of seven arguments, all in the first seven registers.
SEVEN = [(n,) for n in range(7)]


def record(size: int) -> Value:
    return Value(size, record=True)


@pytest.mark.parametrize(
    ("convention", "parameters", "words"),
    [
        (X86, (INT, LONG_LONG, INT), [(0,), (1,), (2,)]),
        (POWERPC, (INT, LONG_LONG, INT), [(0,), (2, 3), (4,)]),
        (POWERPC, (LONG_LONG, INT), [(0, 1), (2,)]),
        (POWERPC, (*[INT] * 7, LONG_LONG, INT), [*SEVEN, (8, 9), (10,)]),
        (POWERPC, (*[INT] * 9, LONG_LONG), [*SEVEN, (7,), (8,), (10, 11)]),
        (X86, (record(16), INT), [(0, 1), (2,)]),
        (X86, (record(24), INT), [(6, 7, 8), (0,)]),
        (X86, (*[INT] * 5, record(16), INT, INT), [*SEVEN[:5], (6, 7), (5,), (8,)]),
        (ARM, (*[INT] * 7, record(16), INT), [*SEVEN, (8, 9), (10,)]),
        (ARM, (record(16), INT), [(0, 1), (2,)]),
        (ARM, (record(24), INT), [(0,), (1,)]),
        (POWERPC, (record(4), INT), [(0,), (1,)]),
    ],
)
def test_words(convention, parameters, words):
    found = passed(convention, Signature(parameters, None))

    assert [each.words for each in found] == words


def test_a_record_in_memory_is_compared_by_contents():
    (found,) = passed(ARM, Signature((record(24),), None))

    assert found.value == Value(8, 24, constant=True, made=True)


@pytest.mark.parametrize(
    ("convention", "result", "hidden"),
    [
        (X86, record(16), 0),
        (X86, record(24), 1),
        (ARM, record(24), 0),
        (POWERPC, record(4), 1),
        (POWERPC, LONG_LONG, 0),
    ],
)
def test_location_of_a_returned_record(convention, result, hidden):
    found = passed(convention, Signature((INT,), result))

    assert len(found) == 1 + hidden
    assert found[-1].words == (hidden,)


def test_format_strings_give_argument_types():
    four, eight, string = Value(4), Value(8), Value(8, 0, constant=True)
    assert asked("printk", "100%% of %s", 8) == (string,)
    found = asked("printk", "%-8.*s%#lx %llu %hhu", 8)
    assert found == (four, string, eight, eight, four)
    found = asked("printk", "%zu %lu %lld %pI4", 4)
    assert found == (four, four, eight, Value(4, 0, constant=True))
