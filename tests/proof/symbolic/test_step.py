# SPDX-License-Identifier: GPL-2.0
"""A call reads only the registers that its function has arguments in."""

from types import SimpleNamespace
from typing import Any

from hotcocci.proof.objects.processor import Convention
from hotcocci.proof.objects.signatures import Signature
from hotcocci.proof.symbolic.state import Call
from hotcocci.proof.symbolic.step import call


def test_a_call_without_arguments_reads_none():
    """Dead registers are not in a state (liveness.py): reading one would end the comparison."""
    arch = SimpleNamespace(
        registers=SimpleNamespace(arguments=(72, 64, 32)), convention=Convention(8, 6)
    )
    code = SimpleNamespace(
        arch=arch,
        question=SimpleNamespace(safe=frozenset(), noreturn=frozenset()),
        signatures=SimpleNamespace(of=lambda name: Signature((), None)),
    )
    side: Any = SimpleNamespace(
        state=SimpleNamespace(open=False, registers={}), code=code
    )
    event = call(side, "tick")
    assert isinstance(event, Call) and not event.arguments
