# SPDX-License-Identifier: GPL-2.0
"""Find the source lines for reports about object code."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from hotcocci.c.source import Source
from hotcocci.engines.call_names import OPENS
from hotcocci.findings import Report
from hotcocci.machine.dwarf import Frame, Lines
from hotcocci.machine.elf import Address
from hotcocci.machine.flow import Last, Spot
from hotcocci.machine.statements import BEGINS, ENDS, around, exits, leads
from hotcocci.tree.command import Unit
from hotcocci.tree.source import decode, read

UNSAFE = re.compile(r"unsafe_\w+$")
SAVES = re.compile(r"user_access_save$")
NOTRACE = re.compile(r"\b(?:notrace|noinstr)\b")
# A header that defines accessors rather than using them
DEFINES = re.compile(
    r"#\s*define\s+(?:user_(?:read_|write_)?access_begin|unsafe_[gp]et_user|scoped_user_read_access(?:_size)?)\b"
)
USES = re.compile(
    r"\b(?:user_(?:read_|write_|rw_)?access_begin|scoped_user_\w+|unsafe_(?:get|put|copy)_\w+)\s*\("
)


class SourceLines:
    """Maps the instructions of a unit's object to its own source files."""

    def __init__(self, unit: Unit, lines: Lines) -> None:
        self._root = unit.root.resolve()
        self._out = unit.build.out
        self._lines = lines
        self._own: dict[str, Path | None] = {}

    def frame(self, address: Address) -> Frame | None:
        """The innermost frame of an instruction in the unit's own files."""
        return next(
            (f for f in self._lines.frames(address) if self._path(f.file)), None
        )

    def text(self, frame: Frame) -> str:
        """The source line of a frame; empty if unknown."""
        source = self._source(frame.file)
        return source.line(frame.line) if source and frame.line else ""

    def inside(self, address: Address, begun: frozenset[Address]) -> Frame | None:
        """The frame to blame for an instruction inside a window.

        This is the innermost frame of the function that opened the window, or of a helper
        written to run in one; for other helpers, their caller is blamed.
        """
        own = self._owned(address)
        opened = {f.instance for f in map(self.frame, begun) if f is not None}
        for frame in own:
            if frame.instance in opened or self._runs_inside(frame):
                return frame
        return own[-1] if own else None

    def deliberate(self, entry: Address) -> bool:
        """Whether the function at an entry address is written to be called in a window.

        It accesses user memory, opens no window, and is notrace or noinstr, as a tracer would
        run with user access open. Example: __unsafe_setup_sigcontext() of powerpc.
        """
        own = self._owned(entry)
        source = self._source(own[-1].file) if own else None
        if source is None:
            return False
        head = source.line_starts[own[-1].line - 1]
        brace = source.text.find("\n{", head - 2)
        if brace < 0:
            return False
        before = max(
            source.text.rfind("\n\n", 0, brace), source.text.rfind("\n}", 0, brace)
        )
        traced = not NOTRACE.search(source.text, before + 1, brace)
        frame = replace(own[-1], line=source.line_of(brace + 1))
        return not traced and self._runs_inside(frame)

    def saves(self, frame: Frame) -> bool:
        """Whether the function of a frame saves and restores user access."""
        return self._holds(frame, SAVES)

    def opens(self, address: Address) -> bool:
        """Whether an instruction is part of a begin, or of an accessor that opens user access."""
        for frame in self._lines.frames(address):
            if self._path(frame.file):
                # The checked function may be such an accessor itself.
                return False
            if frame.function in OPENS or BEGINS.match(frame.function):
                return True
        return False

    def watch(self, address: Address, begun: frozenset[Address], last: Last) -> Last:
        """The last statements of a path after an instruction."""
        own = self._owned(address)
        if not own or self.text(own[-1]).startswith("}"):
            # All exit paths share the last line of a function.
            return last
        opened = {f.instance for f in map(self.frame, begun) if f is not None}
        inner = next((f for f in own if f.instance and f.instance in opened), None)
        return Last(
            self._passed(own[-1], last.outer),
            self._passed(inner, last.inner) if inner else last.inner,
        )

    def returns(
        self, address: Address, begun: frozenset[Address], last: frozenset[Last]
    ) -> list[Frame]:
        """The return statements that lead to a return instruction with a window open."""
        frames = self._owned(address)
        if not frames:
            return []
        inlined = [f for f in map(self.frame, begun) if f is not None and f.instance]
        found = set()
        for end in last:
            frame, spot = frames[-1], end.outer
            for opener in inlined:
                if end.inner.line and self._whole(opener):
                    frame, spot = opener, end.inner
            source = self._source(frame.file)
            assert source is not None
            line = exits(source, spot.line or frame.line, spot.fault, spot.shown)
            found.add(Frame(frame.file, line, frame.function, frame.instance))
        return sorted(found, key=lambda f: f.line)

    def _owned(self, address: Address) -> list[Frame]:
        """The frames in the unit's own files, innermost first."""
        return [f for f in self._lines.frames(address) if self._path(f.file)]

    def _passed(self, frame: Frame, spot: Spot) -> Spot:
        """The last statement after an instruction of a frame."""
        if self.text(frame).lstrip().startswith("return"):
            return replace(spot, shown=frame.line)
        source = self._source(frame.file)
        if spot.line and source and not leads(source, spot.line, frame.line):
            # The compiler moved this code here, as it does with constants and stores.
            return spot
        return Spot(frame.line)

    def report(self, rule: str, frame: Frame, message: str, engine: str) -> Report:
        """A report at a frame."""
        path = self._path(frame.file)
        assert path is not None
        name = str(path.relative_to(self._root))
        return Report(rule, name, frame.line, frame.function or None, message, engine)

    def _path(self, name: str) -> Path | None:
        """The path of a line table's file if it is one of the unit's own, or None."""
        if name not in self._own:
            path = (self._out / name).resolve()
            own = path.is_relative_to(self._root) and _windows(path)
            self._own[name] = path if own else None
        return self._own[name]

    def _source(self, name: str) -> Source | None:
        path = self._path(name)
        return _read(path) if path else None

    def _runs_inside(self, frame: Frame) -> bool:
        """Whether a function accesses user memory in its caller's window."""
        return self._holds(frame, UNSAFE) and not self._holds(frame, BEGINS)

    def _whole(self, frame: Frame) -> bool:
        """Whether a function that opens a window must also close it, and not its caller."""
        return self._holds(frame, ENDS) or self._holds(frame, UNSAFE)

    def _holds(self, frame: Frame, words: re.Pattern[str]) -> bool:
        """Whether the function of a frame contains a word that matches."""
        source = self._source(frame.file)
        place = around(source, frame.line) if source else None
        if source is None or place is None:
            return False
        start, end = (source.line_starts[line - 1] for line in place)
        return any(words.match(w) for w in re.findall(r"\w+", source.text[start:end]))


@lru_cache(maxsize=8)
def _read(path: Path) -> Source:
    return Source(str(path), decode(read(path)))


@lru_cache(maxsize=4096)
def _windows(path: Path) -> bool:
    """Whether a file is a C file, or a header whose functions use windows."""
    if path.suffix == ".c":
        return True
    if not path.is_file():
        return False
    text = _read(path).text
    return bool(USES.search(text)) and not DEFINES.search(text)
