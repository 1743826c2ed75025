# SPDX-License-Identifier: GPL-2.0
"""Print measurements as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict

from hotcocci.plural import count
from hotcocci.proof.measure.figures import TSC, Figure, Measured, Timing
from hotcocci.proof.measure.machine import Machine

VERSION = 1
DONE = "natively, in user mode"
HEAD = (
    "stac, clac",
    "returns",
    "before",
    "after",
    "saved cycles",
    "quartiles",
    "before ns",
    "after ns",
    "saved ns",
)


def conditions(machine: Machine) -> list[str]:
    """How everything was measured, as lines of text."""
    return [
        f"measured {DONE}, on {machine.name}",
        "warm caches, predicted branches; user memory never faults; callees are stubs; cycles and ns "
        "are minimum / median of a call",
    ]


def text(measured: Measured, show: Callable[[str], str]) -> list[str]:
    """The measurement of a function as lines."""
    name = f"{measured.function}()" if measured.function else "the change"
    if measured.holder not in ("", measured.function):
        name += f", inlined into {measured.holder}()"
    lines = [f"{show(measured.unit)}: {name}"]
    if measured.why:
        return [*lines, f"  not measured: {measured.why}"]
    reached, of, now, of_now = measured.accesses
    made = f"  {reached} of {of} changed accesses before, {now} of {of_now} after"
    calls = f"{count(measured.calls[0], 'call')} before, {measured.calls[1]} after"
    lines.append(f"{made}; {calls}")
    if measured.dropped:
        lines.append(f"  left out on both sides: {', '.join(measured.dropped)}")
    first = measured.timings[0]
    if first.unit == TSC:
        said = f"  cycles of the time stamp counter; {first.ratio} core cycles each"
    else:
        said = "  cycles of the core"
    rows = [HEAD, *map(_row, measured.timings)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines.append(said)
    lines += ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return lines


def document(machine: Machine, measured: Sequence[Measured]) -> str:
    """All measurements as a JSON document."""
    found = {
        "version": VERSION,
        "machine": machine.name,
        "done": DONE,
        "functions": [asdict(each) for each in measured],
    }
    return json.dumps(found, indent=2)


def _row(timing: Timing) -> tuple[str, ...]:
    returns = "thunks" if timing.thunks else "plain"
    if not timing.hardened:
        returns += ", no hardened usercopy"
    return (
        timing.stand_in,
        returns,
        _figure(timing.before),
        _figure(timing.after),
        _figure(timing.saved),
        f"{timing.saved.low:.1f} to {timing.saved.high:.1f}",
        _figure(timing.before_ns),
        _figure(timing.after_ns),
        _figure(timing.saved_ns),
    )


def _figure(figure: Figure) -> str:
    return f"{figure.least:.1f} / {figure.median:.1f}"
