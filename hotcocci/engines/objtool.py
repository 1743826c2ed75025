# SPDX-License-Identifier: GPL-2.0
"""Check the windows in one object: by objtool --uaccess and, on any architecture, by following its machine code.

objtool checks calls, returns and nesting inside open windows. It does not check accesses
outside windows or ranges, and stops at the first problem on a path; tools/objtool/Documentation/objtool.txt
explains its messages. Addresses are mapped to source lines.

We follow every path of every function that opens user access: no call with the window open, one end on
every exit path, no nested windows, no end without a window. machine/{x86,powerpc,arm64}.py
recognize the instructions that open and close, as in Linux 6.12 and 7.2.
"""

import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.engines.compiler import by_place, garbled
from hotcocci.errors import EngineError
from hotcocci.findings import OBJECTS, OBJTOOL, Note, Report, Skip
from hotcocci.machine import code
from hotcocci.machine.elf import Address, ElfError, Symbol
from hotcocci.machine.flow import Event
from hotcocci.machine.reading import Reading, allowed, compile_legibly, reports
from hotcocci.tree.build import Build
from hotcocci.tree.command import Unit
from hotcocci.tree.process import Outcome, run

TIMEOUT = 120.0
# "x.o: warning: objtool: f+0x12: ...", since 6.15 also "x.o: error: objtool: ...".
SAID = re.compile(r"^.*?(?:warning|error): objtool: (?P<text>.*)$")
NAMED = re.compile(r"\bobjtool: ")
OFFSET = re.compile(r"\+0x[0-9a-f]+")
# "f.cold+0x1c: call to g() with UACCESS enabled"; "f.cold()+0x1c" before 5.18
PLACED = re.compile(
    r"(?P<symbol>[\w.$]+)(?:\(\))?\+(?P<offset>0x[0-9a-f]+): (?P<what>.*)$"
)
# All that validate_call(), validate_return() and validate_uaccess() of tools/objtool/check.c
# print about user access; {dynamic} is a call through a pointer.
CALLED = re.compile(r"call to (?P<callee>\S+?)(?:\(\))? with UACCESS enabled")
WINDOWS = {
    "return with UACCESS enabled": code.RETURN,
    "recursive UACCESS enable": code.OPEN,
    "redundant UACCESS disable": code.CLOSE,
}
POINTER = "{dynamic}"


@dataclass(frozen=True)
class _Complaint:
    """A complaint about user access at an instruction; ``callee`` is only set for calls."""

    what: str
    symbol: str
    offset: int
    callee: str = ""


def check(unit: Unit, scratch: Path) -> tuple[Report, ...]:
    """Check the windows of a unit with objtool; reports are sorted by file and line.

    The unit is compiled into ``scratch``. Raises EngineError, also if the unit does not
    compile or its target has no objtool, and BuildError if there is no compiler.
    """
    if not unit.build.objtool:
        raise EngineError(f"the tree has none for {unit.build.target.name}")
    made = _compiled(unit, scratch)
    said = list(_of_windows(_said(unit.build, made)))
    if not said:
        return ()
    try:
        reading = Reading(unit, made)
        return by_place(r for complaint in said for r in _reports(reading, complaint))
    except ElfError as error:
        raise EngineError(str(error)) from error


def _compiled(unit: Unit, scratch: Path) -> Path:
    """The object of a unit."""
    compiled = compile_legibly(unit, scratch)
    if compiled.object is None:
        raise EngineError(f"it does not compile: {compiled.error}")
    return compiled.object


def warnings(build: Build, object_file: Path) -> list[str]:
    """objtool's warnings about an object, as "function: complaint".

    Offsets into functions are left out, as they differ between two versions of a file.
    Raises EngineError if objtool fails without a warning.
    """
    return [OFFSET.sub("", text) for text in _said(build, object_file)]


def _said(build: Build, object_file: Path) -> list[str]:
    """objtool's complaints with their positions."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-objtool-") as folder:
        # It rewrites the object in place, and refuses one that it has rewritten.
        copy = Path(folder) / "copy.o"
        shutil.copyfile(object_file, copy)
        program = build.out / "tools/objtool/objtool"
        outcome = run([str(program), *build.objtool, str(copy)], build.out, TIMEOUT)
    return _complaints(outcome)


def _complaints(outcome: Outcome) -> list[str]:
    found = [SAID.match(line) for line in (outcome.err + outcome.out).splitlines()]
    said = [match["text"].strip() for match in found if match]
    if outcome.status != 0 and not said:
        raise EngineError(outcome.err.strip() or f"ended with status {outcome.status}")
    why = garbled(outcome.err, NAMED) or garbled(outcome.out, NAMED)
    if why:
        raise EngineError(why)
    return said


def _of_windows(said: list[str]) -> Iterator[_Complaint]:
    for placed in filter(None, map(PLACED.match, said)):
        called = CALLED.match(placed["what"])
        what = code.CALL if called else WINDOWS.get(placed["what"])
        if what is not None:
            callee = called["callee"] if called and called["callee"] != POINTER else ""
            yield _Complaint(what, placed["symbol"], int(placed["offset"], 16), callee)


def _reports(reading: Reading, complaint: _Complaint) -> Iterator[Report]:
    """The reports for a complaint: one, or one per return statement that shares the code."""
    at = _address(reading, complaint)
    if complaint.what == code.CLOSE and reading.marks.at.get(at) == code.SAVE:
        # objtool allows this only in functions of uaccess_safe_builtin.
        return
    event = replace(_event(reading, at, complaint.what), callee=complaint.callee)
    yield from reports(reading, event, OBJTOOL)


def _address(reading: Reading, complaint: _Complaint) -> Address:
    """The address of the instruction, or of the one that it replaces as an alternative."""
    named = (s.address for s in reading.object.symbols if s.name == complaint.symbol)
    for start in filter(None, named):
        at = Address(start.section, start.offset + complaint.offset)
        return reading.marks.replaced.get(at, at)
    raise ElfError(f"objtool complains of {complaint.symbol}, which is not there")


def _event(reading: Reading, at: Address, what: str) -> Event:
    """The matching event from our own analysis, which knows the paths there."""
    function = reading.flow.holder(at)
    events = reading.flow.events(function) if function else []
    same = (e for e in events if (e.address, e.what) == (at, what))
    return next(same, Event(what, at))


def follow(unit: Unit, scratch: Path) -> tuple[tuple[Report, ...], tuple[Skip, ...]]:
    """Compile a unit into ``scratch`` and follow its windows; the reports, and the functions skipped.

    A function that changes user access in an unknown way is skipped as a whole. Raises
    EngineError, and BuildError if there is no compiler.
    """
    try:
        reading = Reading(unit, _compiled(unit, scratch))
    except ElfError as error:
        raise EngineError(str(error)) from error
    safe = allowed(unit.build.tree)
    found: list[Report] = []
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
        new = (h for h in helpers.values() if (h.name, True) not in done)
        todo += [(helper, True) for helper in new]
        wrong = [e for e in events if e.callee not in safe and e.callee not in helpers]
        hidden = [e for e in wrong if _hidden(reading, e)]
        if hidden:
            why = f"{function.name}() calls user_access_save(), which leaves no code to follow"
            skipped.append(Skip(unit.command.file, why))
            wrong = [e for e in wrong if e not in hidden]
        found += _followed(reading, wrong)
    return by_place(found), tuple(skipped)


def _hidden(reading: Reading, event: Event) -> bool:
    """Whether a call may follow a user_access_save() that left no code."""
    if event.what != code.CALL or reading.marks.saves:
        return False
    frame = reading.source_lines.inside(event.address, event.begun)
    return frame is not None and reading.source_lines.saves(frame)


def _helpers(reading: Reading, events: list[Event]) -> dict[str, Symbol]:
    """The functions called in a window that are written for that."""
    called = ((e.callee, reading.flow.called(e.callee)) for e in events if e.callee)
    deliberate = reading.source_lines.deliberate
    return {n: f for n, f in called if f and f.address and deliberate(f.address)}


def _followed(reading: Reading, events: list[Event]) -> Iterator[Report]:
    lines = reading.source_lines
    for event in events:
        frames = {frame for at in event.begun if (frame := lines.frame(at))}
        opened = (lines.report("", frame, "", "") for frame in frames)
        places = sorted((report.file, report.line) for report in opened)
        notes = tuple(Note(*place, "the window is opened here") for place in places)
        for report in reports(reading, event, OBJECTS):
            yield replace(report, notes=notes)
