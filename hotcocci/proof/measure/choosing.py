# SPDX-License-Identifier: GPL-2.0
"""Choose the run to time: one on which both sides make all changed accesses, and nothing fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotcocci.proof.execution.explore import SEEDS, explore
from hotcocci.proof.execution.image import Function
from hotcocci.proof.execution.inputs import Input
from hotcocci.proof.execution.trace import (
    RETURNED,
    Access,
    Fault,
    Trace,
    Warned,
    is_error,
)
from hotcocci.proof.measure.recording import Recorder


@dataclass(frozen=True)
class Subject:
    """One side of a function: its emulator, its code, and the changed accesses and instructions."""

    recorder: Recorder
    function: Function
    accesses: frozenset[int]
    lines: frozenset[int]


def choose(sides: Sequence[Subject]) -> Input | None:
    """The input on which both sides reach most of the change without a fault; None if there is none.

    Of several, one that returns no error, and of these the one with the fewest instructions.
    """
    corpus: list[Input] = []
    for side in sides:
        side.recorder.watched = side.accesses | side.lines
        corpus = explore(side.recorder, side.function, corpus, len(side.accesses))
    corpus = corpus or [Input(seed) for seed in range(SEEDS)]
    best: tuple[tuple[int, ...], Input] | None = None
    for given in corpus:
        # The memory of the process does not change during a call.
        if given.moving or given.poison or given.faulty:
            continue
        traces = [side.recorder.run(side.function, given)[0] for side in sides]
        if not all(map(_succeeds, traces)) or _accessed(traces[0]) != _accessed(
            traces[1]
        ):
            continue
        pairs = list(zip(sides, traces, strict=True))
        key = (
            sum(len(t.reached & side.accesses) for side, t in pairs),
            sum(len(t.reached & side.lines) for side, t in pairs),
            not any(is_error(trace.result) for trace in traces),
            -sum(trace.instructions for trace in traces),
        )
        if best is None or key > best[0]:
            best = key, given
    return best[1] if best is not None and any(best[0][:2]) else None


def _succeeds(trace: Trace) -> bool:
    """Whether a run returned, without a fault or a warning."""
    failed = any(isinstance(event, (Fault, Warned)) for event in trace.events)
    return trace.end == RETURNED and not failed


def _accessed(trace: Trace) -> dict[tuple[str, int], int]:
    """The bytes of user memory that a run accessed, whatever the width of its accesses."""
    found = {}
    for event in trace.events:
        if isinstance(event, Access):
            for offset, byte in enumerate(event.data):
                found[event.kind, event.address + offset] = byte
    return found
