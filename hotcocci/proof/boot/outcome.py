# SPDX-License-Identifier: GPL-2.0
"""Read the results for each tested function from the kernel's console."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hotcocci.engines.qemu import Console
from hotcocci.findings import DIFFERENT, NOT_PROVEN, PERMITTED, SAME, Execution
from hotcocci.proof.boot.subject import Subject
from hotcocci.proof.permitted import CHECKED, PARTS, STOPS, ZEROED

TARGET = "x86-64 (booted)"
# The driver's counters of permitted differences
NAMES = {"zeroed": ZEROED, "later": STOPS, "parts": PARTS, "checked": CHECKED}
# Why the old code oopses: bad user pointers alone never cause that
CRASHES = "the old code follows a pointer in its arguments or reads past them"
# At most this many lines of a crash are printed
SHOWN = 12
_SAID = re.compile(r"^(?:\[ *[\d.]+\] )?hotcocci: (\w+) (\w+)(?: (.*))?$")
_CRASH = re.compile(
    r"Oops|BUG:|RIP: 0010|Kernel panic|general protection|Unable to mount"
)


@dataclass(frozen=True)
class Said:
    """The console output for one function.

    ``end`` has the counters, None if the test did not finish; ``begun`` is False if it did not
    start. ``died`` is the side that oopsed; ``unstable``: two runs with the same arguments differ.
    """

    begun: bool
    end: dict[str, int] | None
    different: str
    died: str
    unstable: bool
    traces: tuple[str, ...]


def said_of(symbol: str, console: Console) -> Said:
    """Read the output for one function."""
    lines = [(word, rest) for word, name, rest in _lines(console) if name == symbol]
    words = dict(lines)
    end = words.get("end")
    counts = (
        {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", end)}
        if end is not None
        else None
    )
    return Said(
        "begin" in words,
        counts,
        words.get("different", ""),
        words.get("died", ""),
        "unstable" in words,
        tuple(rest for word, rest in lines if word == "trace"),
    )


def verdict(subject: Subject, console: Console, timeout: float) -> Execution:
    """Return the verdict on one function; NOT_PROVEN unless its test finished."""
    said = said_of(subject.caller.symbol, console)
    result = Execution(
        TARGET,
        subject.unit,
        subject.caller.function.name,
        NOT_PROVEN,
        traces=said.traces,
    )
    if said.died == "after":
        crash = (*said.traces, *_crash(console))
        return replace(
            result,
            verdict=DIFFERENT,
            detail="the kernel crashes in this function",
            traces=crash,
        )
    if said.died:
        return replace(result, detail=f"not called: {CRASHES}")
    if said.unstable:
        why = "two runs of the old code with the same arguments differ"
        return replace(result, detail=why)
    if said.different:
        return replace(result, verdict=DIFFERENT, detail=said.different)
    if said.end is None:
        why = _unfinished(said, console, timeout)
        return replace(result, detail=why, traces=_crash(console))
    result = replace(result, runs=said.end["runs"], faults=said.end["faults"])
    if not result.faults:
        return replace(result, detail="no run reached a user access")
    permitted = tuple(name for count, name in NAMES.items() if said.end[count])
    return replace(
        result, verdict=PERMITTED if permitted else SAME, permitted=permitted
    )


def _unfinished(said: Said, console: Console, timeout: float) -> str:
    if not console.ended:
        where = "in this function" if said.begun else "before calling it"
        return f"the kernel did not finish within {timeout:.0f} s, {where}"
    if not said.begun:
        return "the kernel ended before calling it"
    return "the kernel did not finish the test"


def _crash(console: Console) -> tuple[str, ...]:
    """The console from the first line of a crash on, or its last lines."""
    lines = console.text.splitlines()
    first = next((n for n, line in enumerate(lines) if _CRASH.search(line)), None)
    if first is None:
        return tuple(lines[-3:])
    return tuple(line for line in lines[first:] if "hotcocci:" not in line)[:SHOWN]


def _lines(console: Console) -> Iterator[tuple[str, str, str]]:
    for line in console.text.splitlines():
        match = _SAID.match(line)
        if match:
            yield match[1], match[2], match[3] or ""
