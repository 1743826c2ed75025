# SPDX-License-Identifier: GPL-2.0
"""A call reads only the registers that its function has arguments in; copy routines of older kernels."""

from types import SimpleNamespace
from typing import Any

import pytest

from emulated import TREE

from hotcocci.proof.objects.processor import Convention
from hotcocci.proof.objects.signatures import Signature
from hotcocci.proof.symbolic.access import Side, Stable
from hotcocci.proof.symbolic.memory import Terms
from hotcocci.proof.symbolic.state import Call, Path, Routine, State, ViolationError
from hotcocci.proof.symbolic.step import call, step
from hotcocci.proof.symbolic.x86 import X86


def test_a_call_without_arguments_reads_none():
    """Dead registers are not in a state (liveness.py): reading one would end the comparison."""
    arch = SimpleNamespace(
        registers=SimpleNamespace(arguments=(72, 64, 32)), convention=Convention(8, 6)
    )
    code = SimpleNamespace(
        arch=arch,
        question=SimpleNamespace(safe=frozenset(), noreturn=frozenset()),
        signatures=SimpleNamespace(of=lambda name: Signature((), None)),
        image=SimpleNamespace(uses={}),
    )
    side: Any = SimpleNamespace(
        state=SimpleNamespace(open=False, registers={}, site=0), code=code, arch=arch
    )
    event = call(side, "tick")
    assert isinstance(event, Call) and not event.arguments


COPY, KERNEL, USER = 0x1000, 1 << 63, 0x4000_0000


def about_to_copy(*, opened: bool) -> Any:
    """The side that is about to copy 5 bytes to user space; the upper half of the size is anything."""
    arch = X86(TREE)
    registers = dict(
        zip(arch.registers.arguments, (USER, KERNEL, 7 << 32 | 5), strict=False)
    )
    image = SimpleNamespace(
        routines={COPY: "copy_user_generic_string"},
        segment=lambda pc: (COPY, b""),
        labels={},
        marks={},
    )
    question = SimpleNamespace(safe=frozenset({"copy_user_generic_string"}))
    terms = Terms(64, "little")
    code = SimpleNamespace(
        arch=arch, image=image, question=question, entries={}, terms=terms
    )
    state = State(COPY, registers, {}, open=opened)
    return Side(code, Path(), state, Stable(frozenset(), None))


def test_a_copy_that_opens_user_access_itself_takes_32_bits_of_its_size():
    event = step(about_to_copy(opened=False), "1")
    assert event == Routine("copy_user_generic_string", USER, KERNEL, 5, False)


def test_a_copy_that_opens_user_access_itself_is_not_made_in_a_window():
    with pytest.raises(ViolationError, match="with user access open"):
        step(about_to_copy(opened=True), "1")
