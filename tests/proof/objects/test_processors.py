# SPDX-License-Identifier: GPL-2.0
"""Which targets have a processor, and the addresses of sections."""

import pytest

from hotcocci.errors import EngineError
from hotcocci.proof.compiled_task import processor_for
from hotcocci.proof.objects.image import PAGE, Layout, Registry
from hotcocci.tree.build import Build
from hotcocci.tree.targets import TARGETS

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
