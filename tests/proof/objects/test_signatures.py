# SPDX-License-Identifier: GPL-2.0
"""Locations of call arguments, by architecture, what else a call reads, and which targets have a processor."""

import pytest

from hotcocci.errors import EngineError
from hotcocci.proof.compiled_task import processor_for
from hotcocci.proof.symbolic.arm64 import Arm64, relocated
from hotcocci.proof.objects.image import PAGE, Layout, Registry
from hotcocci.proof.objects.marks import Uses
from hotcocci.proof.symbolic.powerpc import PowerPC32
from hotcocci.proof.objects.processor import arguments, passed
from hotcocci.proof.objects.signatures import Signature, Value
from hotcocci.proof.symbolic import x86
from hotcocci.tree.build import Build
from hotcocci.tree.targets import TARGETS

X86, ARM, POWERPC = x86.CONVENTION, Arm64.convention, PowerPC32.convention
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


def test_what_a_call_reads_beside_its_parameters():
    printk = Signature((Value(8, 1, constant=True),), INT, variadic=True)
    uses = Uses((8, 4, 0, 8, 0, 0, 0, 0), stacked=4)
    found = arguments(X86, "printk", printk, uses)
    assert [each.words for each in found] == [(0,), (1,), (3,), (6,), (7,)]
    assert [each.value.size for each in found] == [8, 4, 8, 8, 8]
    assert all(each.value.constant for each in found)
    scanned = arguments(X86, "sscanf", printk, uses)
    assert [each.value.constant for each in scanned] == [True, *[False] * 4]
    # Through a pointer, nothing else tells.
    found = arguments(POWERPC, "a pointer", None, Uses((4, 0, 4) + (0,) * 5, stacked=1))
    assert [each.words for each in found] == [(0,), (2,), (8,)]
    assert arguments(X86, "printk", printk, None) is None


LAYOUT = Layout(
    image=0xC100_0000,
    spacing=0x2000,
    outside=0xC101_0000,
    room=0x2000,
    stack=range(0xF000_0000, 0xF001_0000),
    percpu=0xFF00_0000,
    user_low=0x1000,
    user_high=0x8000_0000,
    kernel=0xC000_0000,
    end=0xFFF0_0000,
    pointer=4,
    order="big",
)


@pytest.mark.parametrize(
    "target", [TARGETS["i386"], TARGETS["powerpc-book3s64"], TARGETS["arm64-clang"]]
)
def test_unsupported_targets_have_no_processor(target, tmp_path):
    build = Build(tmp_path, tmp_path, target, (), ())  # type: ignore[arg-type]

    assert processor_for(build) is None


def test_a_section_that_outgrows_its_room_is_an_error():
    registry = Registry(LAYOUT)
    assert registry.section(".text", PAGE) == LAYOUT.image
    registry.section(".text", 4 * PAGE)

    with pytest.raises(EngineError, match="grew by more than"):
        registry.section(".text", 4 * PAGE + 1)


def test_too_many_sections_are_an_error():
    registry = Registry(LAYOUT)
    for number in range(4):
        registry.section(str(number), 1)

    with pytest.raises(EngineError, match="too many sections"):
        registry.section("one more", 1)


def test_relocations_of_arm64():
    # bl to a target 8 bytes back, and to one out of range
    assert relocated(0x94000000, 283, 0x1008, 0x1000) == 0x97FFFFFE
    assert relocated(0x94000000, 283, 0x1000, 0x1000 + (1 << 27)) is None
    # adrp x0 to three pages on, ldr x1, [x0, #0x128], add x0, x0, #0x128
    assert relocated(0x90000000, 275, 0x1FFC, 0x4128) == 0xF0000000
    assert relocated(0xF9400001, 286, 0x2000, 0x4128) == 0xF9409401
    assert relocated(0x91000000, 277, 0x2000, 0x4128) == 0x9104A000
    assert relocated(0, 999, 0, 0) is None
