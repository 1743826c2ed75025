# SPDX-License-Identifier: GPL-2.0
"""Memory that other threads may write concurrently."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import unicorn
from unicorn.unicorn_const import UC_ERR_INSN_INVALID, UC_ERR_NOMEM

from hotcocci.errors import TryAgain
from hotcocci.proof.execution.machine import Machine
from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.trace import UNKNOWN
from hotcocci.proof.execution.x86 import LAYOUT

KERNEL = 0xFFFF_9000_0000_0000


class CountingEngine:
    """An engine that counts the pages it is given."""

    def __init__(self) -> None:
        self.engine = unicorn.Uc(unicorn.UC_ARCH_X86, unicorn.UC_MODE_64)
        self.filled = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.engine, name)

    def mem_write(self, address: int, data: bytes) -> None:
        self.filled += len(data) == PAGE
        self.engine.mem_write(address, data)


@pytest.fixture
def space() -> AddressSpace:
    engine = CountingEngine()
    engine.ctl_set_tlb_mode(unicorn.UC_TLB_VIRTUAL)
    memory = AddressSpace(engine, LAYOUT, {}, {})
    memory.reset(1, {KERNEL + 8: 0x11})
    return memory


def test_others_write_all_but_the_run_s_own_memory_and_arguments(
    space: AddressSpace,
) -> None:
    space.write(KERNEL + 16, b"\x22")
    space.keep(KERNEL + 16, b"\x22")
    before = space.read(KERNEL, PAGE)
    space.refill("a call 0")
    after = space.read(KERNEL, PAGE)
    assert (after[8], after[16]) == (0x11, 0x22)
    assert sum(a != b for a, b in zip(before, after, strict=True)) > PAGE // 2
    space.refill("a call 1", [(KERNEL + 32, before[32:64])])
    again = space.read(KERNEL, PAGE)
    assert (again[8], again[16], again[32:64]) == (0x11, 0x22, before[32:64])
    assert again != after


def test_the_next_run_starts_with_the_same_memory(space: AddressSpace) -> None:
    before = space.read(KERNEL, PAGE)
    space.refill("a call 0")
    assert space.read(KERNEL, PAGE) != before
    space.reset(1, {})
    after = space.read(KERNEL, PAGE)
    assert [n for n in range(PAGE) if before[n] != after[n]] == [8]


def test_only_reused_pages_are_refilled(space: AddressSpace) -> None:
    # ioprio_get() of 7.2 walks thread lists: 1300 calls, more than a page for each.
    for page in range(500):
        space.read(KERNEL + page * PAGE, 1)
    before = space.engine.filled
    for call in range(100):
        space.refill(f"a call {call}")
        space.read(KERNEL + call * PAGE, 1)
    assert space.engine.filled == before + 100


def test_the_stack_holds_poison_at_the_start_of_a_run(space: AddressSpace) -> None:
    stack = LAYOUT.stack
    assert space.read(stack, 4) == b"\xa5" * 4
    space.write(stack, b"\x11")
    space.reset(1, {})
    assert space.read(stack, 4) == b"\xa5" * 4


@pytest.mark.parametrize(
    ("error", "end"), [(UC_ERR_NOMEM, None), (UC_ERR_INSN_INVALID, UNKNOWN)]
)
def test_a_lack_of_memory_says_nothing_about_the_code(
    error: int, end: str | None
) -> None:
    def emu_start(*_: object, **__: object) -> None:
        raise unicorn.UcError(error)

    ends: list[str] = []
    machine = SimpleNamespace(
        engine=SimpleNamespace(emu_start=emu_start),
        state=SimpleNamespace(end=UNKNOWN),
        stop=lambda end, _: ends.append(end),
        _back=0,
    )
    if end is None:
        with pytest.raises(TryAgain, match="no memory: try again"):
            Machine._go(machine, 0)
        return
    Machine._go(machine, 0)
    assert ends[0] == end
