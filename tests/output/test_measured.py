# SPDX-License-Identifier: GPL-2.0
"""Measurements as text and JSON."""

from __future__ import annotations

import json

from hotcocci.output.measured import document, text
from hotcocci.proof.measure.figures import Figure, Measured, Timing
from hotcocci.proof.measure.machine import Machine

FIGURE = Figure(10.0, 11.5, 11.0, 12.25)
TIMING = Timing("6 cycles", True, False, "TSC", 1.6, *[FIGURE] * 6)
DONE = Measured("a.c", "f", "g", "", (2, 2, 3, 3), (1, 0), ("cli",), (TIMING,))


def test_text_has_a_row_for_each_timing() -> None:
    lines = text(DONE, lambda name: name)
    assert lines[:3] == [
        "a.c: f(), inlined into g()",
        "  2 of 2 changed accesses before, 3 of 3 after; 1 call before, 0 after",
        "  left out on both sides: cli",
    ]
    assert lines[3] == "  cycles of the time stamp counter; 1.6 core cycles each"
    assert lines[-1].split()[:3] == ["6", "cycles", "thunks,"]
    assert "10.0 / 11.5" in lines[-1] and "11.0 to 12.2" in lines[-1]


def test_a_failure_is_one_line() -> None:
    lines = text(Measured("a.c", "f", why="signal 11 at 0x1, address 0x2"), str)
    assert lines == ["a.c: f()", "  not measured: signal 11 at 0x1, address 0x2"]


def test_json_has_everything() -> None:
    found = json.loads(document(Machine("A", frozenset()), [DONE]))
    assert found["machine"] == "A"
    assert found["functions"][0]["timings"][0]["saved"]["least"] == 10.0
