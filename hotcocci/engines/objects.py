# SPDX-License-Identifier: GPL-2.0
"""Check the windows in the object code of one unit, also on architectures without objtool.

On every path of every function that opens user access: no call with the window open, one end on
every exit path, no nested windows, no end without a window. machine/{x86,powerpc,arm64}.py
recognize the instructions that open and close, as in Linux 6.12 and 7.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hotcocci.errors import EngineError
from hotcocci.findings import OBJECTS, Note, Report, Skip
from hotcocci.machine import code
from hotcocci.machine.elf import ElfError, Symbol
from hotcocci.machine.flow import Event
from hotcocci.machine.reading import (
    Reading,
    allowed,
    compile_legibly,
    reports,
)
from hotcocci.tree.command import Unit


def check(unit: Unit, scratch: Path) -> tuple[tuple[Report, ...], tuple[Skip, ...]]:
    """Compile a unit into ``scratch`` and follow its windows; the reports, and the functions skipped.

    A function that changes user access in an unknown way is skipped as a whole. Raises
    EngineError, and BuildError if there is no compiler.
    """
    compiled = compile_legibly(unit, scratch)
    if compiled.object is None:
        raise EngineError(f"it does not compile: {compiled.error}")
    try:
        reading = Reading(unit, compiled.object)
    except ElfError as error:
        raise EngineError(str(error)) from error
    safe = allowed(unit.build.tree)
    found: dict[tuple[str, str, int], Report] = {}
    skipped = []
    todo = [(function, False) for function in reading.flow.functions()]
    done = set()
    while todo:
        function, inside = todo.pop(0)
        done.add((function.name, inside))
        events = reading.flow.events(function, inside)
        if any(event.what == code.UNKNOWN for event in events):
            why = f"{function.name}() changes user access in an unknown way"
            skipped.append(Skip(unit.command.file, why))
            continue
        helpers = _helpers(reading, events)
        for helper in helpers.values():
            if (helper.name, True) not in done:
                todo.append((helper, True))
        wrong = [e for e in events if e.callee not in safe and e.callee not in helpers]
        hidden = [e for e in wrong if _hidden(reading, e)]
        if hidden:
            why = f"{function.name}() calls user_access_save(), which leaves no code to follow"
            skipped.append(Skip(unit.command.file, why))
            wrong = [e for e in wrong if e not in hidden]
        for report in _reports(reading, wrong):
            found.setdefault((report.rule, report.file, report.line), report)
    ordered = sorted(found.values(), key=lambda r: (r.file, r.line, r.rule))
    return tuple(ordered), tuple(skipped)


def _hidden(reading: Reading, event: Event) -> bool:
    """Whether a call may follow a user_access_save() that left no code."""
    if event.what != code.CALL or reading.marks.saves:
        return False
    frame = reading.source_lines.inside(event.address, event.begun)
    return frame is not None and reading.source_lines.saves(frame)


def _helpers(reading: Reading, events: list[Event]) -> dict[str, Symbol]:
    """The functions called in a window that are written for that."""
    found = {}
    for event in events:
        called = reading.flow.called(event.callee) if event.callee else None
        if called is not None and called.address is not None:
            if reading.source_lines.deliberate(called.address):
                found[event.callee] = called
    return found


def _reports(reading: Reading, events: list[Event]) -> Iterator[Report]:
    for event in events:
        notes = tuple(
            Note(r.file, r.line, "the window is opened here")
            for r in _openings(reading, event)
        )
        for report in reports(reading, event, OBJECTS):
            yield replace(report, notes=notes)


def _openings(reading: Reading, event: Event) -> list[Report]:
    frames = {reading.source_lines.frame(address) for address in event.begun}
    return sorted(
        (reading.source_lines.report("", f, "", "") for f in frames if f is not None),
        key=lambda r: (r.file, r.line),
    )
