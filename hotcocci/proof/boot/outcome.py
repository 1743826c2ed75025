# SPDX-License-Identifier: GPL-2.0
"""What the console of a kernel says about each function it was made to call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hotcocci.engines.qemu import Console
from hotcocci.findings import DIFFERENT, NOT_PROVEN, PERMITTED, SAME, Execution
from hotcocci.proof.boot.subject import Subject
from hotcocci.proof.permitted import CHECKED, PARTS, STOPS, ZEROED

TARGET = "x86-64 (booted)"
# What the driver counts of what may differ, as the conditions of rewriting allow it.
NAMES = {"zeroed": ZEROED, "later": STOPS, "parts": PARTS, "checked": CHECKED}
# What an Oops in the function as it was says: user pointers alone never cause one.
CRASHES = "the old code follows a pointer in its arguments or reads past them"
# Lines of a crash that a reader gets to see.
SHOWN = 12
_SAID = re.compile(r"^(?:\[ *[\d.]+\] )?hotcocci: (\w+) (\w+)(?: (.*))?$")
_CRASH = re.compile(
    r"Oops|BUG:|RIP: 0010|Kernel panic|general protection|Unable to mount"
)


@dataclass(frozen=True)
class Said:
    """What was said of one function.

    ``end`` is None if its test did not come to its end, ``begun`` False if it never began.
    ``died`` is the side in which an Oops ended it; ``unstable`` is a function that did two
    things with the same arguments.
    """

    begun: bool
    end: dict[str, int] | None
    different: str
    died: str
    unstable: bool
    traces: tuple[str, ...]


def said_of(symbol: str, console: Console) -> Said:
    """All that concerns one function."""
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
    """The verdict on one function; not proven unless its test came to its end."""
    said = said_of(subject.caller.symbol, console)
    came = Execution(
        TARGET,
        subject.unit,
        subject.caller.function.name,
        NOT_PROVEN,
        traces=said.traces,
    )
    if said.died == "after":
        crash = (*said.traces, *_crash(console))
        return replace(
            came,
            verdict=DIFFERENT,
            detail="the kernel crashes in this function",
            traces=crash,
        )
    if said.died:
        return replace(came, detail=f"not called: {CRASHES}")
    if said.unstable:
        why = "two runs of the old code with the same arguments differ"
        return replace(came, detail=why)
    if said.different:
        return replace(came, verdict=DIFFERENT, detail=said.different)
    if said.end is None:
        why = _unfinished(said, console, timeout)
        return replace(came, detail=why, traces=_crash(console))
    came = replace(came, runs=said.end["runs"], faults=said.end["faults"])
    if not came.faults:
        return replace(came, detail="no run reached a user access")
    permitted = tuple(name for count, name in NAMES.items() if said.end[count])
    return replace(came, verdict=PERMITTED if permitted else SAME, permitted=permitted)


def _unfinished(said: Said, console: Console, timeout: float) -> str:
    if not console.ended:
        where = "in this function" if said.begun else "before calling it"
        return f"the kernel did not finish within {timeout:.0f} s, {where}"
    if not said.begun:
        return "the kernel ended before calling it"
    return "the kernel did not finish the test"


def _crash(console: Console) -> tuple[str, ...]:
    """The lines that tell of a crash, from the first on."""
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
