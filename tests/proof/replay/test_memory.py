# SPDX-License-Identifier: GPL-2.0
"""The memory of a run: both sides find the same, and the input's bytes."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
import unicorn
from unicorn.unicorn_const import UC_ERR_INSN_INVALID, UC_ERR_NOMEM

from hotcocci.errors import TryAgain
from hotcocci.proof.objects.image import PAGE
from hotcocci.proof.symbolic.x86 import LAYOUT
from hotcocci.proof.replay.compare import UNKNOWN
from hotcocci.proof.replay.cpu import PAGES, Cpu, OutOfMemory, Space
from hotcocci.proof.replay.machine import Machine
from hotcocci.proof.symbolic.prover import Input, Memory, Origin
from hotcocci.proof.work import MEMORY

KERNEL = 0xFFFF_9000_0000_0000


def space_with(values: Mapping[Origin, int]) -> Space:
    return Space(Cpu().engine, LAYOUT, {}, {}, values)


def test_memory_depends_on_addresses_and_the_input_alone():
    one, other = space_with({}), space_with({Memory(KERNEL + 8, 2): 0x2211})
    other.read(KERNEL + PAGE, 1)
    was, now = one.read(KERNEL, PAGE), other.read(KERNEL, PAGE)
    assert now[8:10] == b"\x11\x22"
    assert was[:8] + was[10:] == now[:8] + now[10:] != bytes(PAGE - 2)
    assert other.clean(KERNEL + 9) == 0x22


def test_what_is_written_across_pages_is_read_again():
    space = space_with({})
    space.write(KERNEL + PAGE - 2, b"abcd")
    assert space.read(KERNEL + PAGE - 2, 4) == b"abcd"
    assert space.clean(KERNEL + PAGE) == space_with({}).read(KERNEL + PAGE, 1)[0]


def test_a_run_gets_so_many_pages():
    space = space_with({})
    with pytest.raises(OutOfMemory):
        for number in range(PAGES + 1):
            space.read(KERNEL + number * PAGE, 1)


def test_many_runs_have_room_in_one_process():
    def taken() -> int:
        return int(Path("/proc/self/statm").read_text().split()[0]) * PAGE

    before = taken()
    spaces = [space_with({}) for _ in range(8)]
    assert all(space.read(KERNEL, 1) for space in spaces)
    assert taken() - before < MEMORY / 8


@pytest.mark.parametrize(
    ("error", "end"), [(UC_ERR_NOMEM, None), (UC_ERR_INSN_INVALID, UNKNOWN)]
)
def test_a_lack_of_memory_says_nothing_about_the_code(
    error: int, end: str | None
) -> None:
    def emu_start(*_: object, **__: object) -> None:
        raise unicorn.UcError(error)

    def nothing(*_: object, **__: object) -> int:
        return 0

    ends: list[str] = []
    run = SimpleNamespace(
        given=Input(),
        cpu=SimpleNamespace(
            engine=SimpleNamespace(emu_start=emu_start, hook_add=nothing),
            **dict.fromkeys(("read", "write", "stack"), nothing),
        ),
        memory=SimpleNamespace(write=nothing),
        side=SimpleNamespace(image=None),
        end=UNKNOWN,
        stop=lambda end, _: ends.append(end),
    )
    machine = Machine(run, {})  # type: ignore[arg-type]
    if end is None:
        with pytest.raises(TryAgain, match="no memory: try again"):
            machine.go(SimpleNamespace(start=0))  # type: ignore[arg-type]
        return
    machine.go(SimpleNamespace(start=0))  # type: ignore[arg-type]
    assert ends[0] == end
