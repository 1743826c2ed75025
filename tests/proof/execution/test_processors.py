# SPDX-License-Identifier: GPL-2.0
"""Which targets have an emulated processor, and its memory."""

from __future__ import annotations

from pathlib import Path

import pytest
import unicorn

from hotcocci.errors import EngineError
from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.processors import processor_for
from hotcocci.proof.execution.space import PAGE, Layout, Registry
from hotcocci.tree.build import Build
from hotcocci.tree.targets import TARGETS
from hotcocci.tree.targets.clang import with_clang

LAYOUT = Layout(
    image=0xC100_0000,
    spacing=0x2000,
    outside=0xC101_0000,
    room=0x2000,
    stack=0xF000_0000,
    stack_size=0x1_0000,
    percpu=0xFF00_0000,
    user_low=0x1000,
    user_high=0x8000_0000,
    kernel=0xC000_0000,
    end=0xFFF0_0000,
    pointer=4,
    order="big",
    high_bits=0xC000_0000,
    aligned=4,
)


@pytest.mark.parametrize(
    "target",
    [TARGETS["i386"], TARGETS["powerpc-book3s64"], with_clang(TARGETS["arm64"])],
)
def test_unsupported_targets_have_no_processor(target: object, tmp_path: Path) -> None:
    build = Build(tmp_path, tmp_path, target, (), ())  # type: ignore[arg-type]

    assert processor_for(build) is None


def test_random_words_are_pointers_to_kernel_memory() -> None:
    data = LAYOUT.pointing(bytes([0x12, 0x34, 0x56, 0x7B]) * 2)

    assert data == bytes([0xD2, 0x34, 0x56, 0x78]) * 2
    assert LAYOUT.number(0x1234_567B) == 0xD234_5678


def _space() -> AddressSpace:
    mode = unicorn.UC_MODE_PPC32 | unicorn.UC_MODE_BIG_ENDIAN
    engine = unicorn.Uc(unicorn.UC_ARCH_PPC, mode)
    engine.ctl_set_tlb_mode(unicorn.UC_TLB_VIRTUAL)
    return AddressSpace(engine, LAYOUT, {}, {})


def test_concurrent_writes_do_not_depend_on_the_first_read() -> None:
    """Data left on one side by an earlier run must not be visible."""
    early, late = _space(), _space()
    at = 0xC800_0000
    for space in (early, late):
        space.reset(1, {})
    before = early.read(at, 16)
    for space in (early, late):
        space.refill("a call", {})

    assert early.read(at, 16) == late.read(at, 16) != before
    late.reset(1, {})
    assert late.read(at, 16) == before


def test_a_section_that_outgrows_its_room_is_an_error() -> None:
    registry = Registry(LAYOUT)
    assert registry.section(".text", PAGE) == LAYOUT.image
    registry.section(".text", 4 * PAGE)

    with pytest.raises(EngineError, match="grew by more than"):
        registry.section(".text", 4 * PAGE + 1)


def test_too_many_sections_are_an_error() -> None:
    registry = Registry(LAYOUT)
    for number in range(4):
        registry.section(str(number), 1)

    with pytest.raises(EngineError, match="too many sections"):
        registry.section("one more", 1)
