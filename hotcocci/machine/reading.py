# SPDX-License-Identifier: GPL-2.0
"""Compile and read one object: its windows, its control flow, and the source lines to report them at."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from hotcocci.c.source import Source
from hotcocci.engines.compiler import Compiled, compile_unit
from hotcocci.findings import Report
from hotcocci.machine import elf
from hotcocci.machine.arm64 import Arm64
from hotcocci.machine.code import CALL, CLOSE, OPEN, RETURN, Architecture, Marks
from hotcocci.machine.dwarf import Frame, Lines
from hotcocci.machine.elf import Address, ElfError, ObjectFile
from hotcocci.machine.flow import Event, Flow, Last, Spot
from hotcocci.machine.powerpc import PowerPC
from hotcocci.machine.statements import BEGINS, ENDS, around, exits, leads
from hotcocci.machine.x86 import X86
from hotcocci.tree.command import Unit
from hotcocci.tree.kernel import OPENS, may_sleep, uaccess_safe
from hotcocci.tree.source import decode, read, text_beside

# Written by arch/arm64/tools/gen-cpucaps.awk
CAPABILITIES = "arch/arm64/include/generated/asm/cpucap-defs.h"
# The tree's own list of functions that do not return
NORETURNS = "tools/objtool/noreturns.h"
# Copy and clear routines in assembly that architectures without objtool call with user access open.
ASSEMBLY = frozenset(
    # arch/powerpc/include/asm/{uaccess,checksum}.h
    "__copy_tofrom_user __copy_tofrom_user_base __copy_tofrom_user_power7 "
    "__copy_tofrom_user_power7_vmx __arch_clear_user copy_mc_generic "
    # arch/powerpc/include/asm/book3s/64/kup.h: only called with all access closed
    "do_uaccess_flush "
    # arch/arm64/include/asm/uaccess.h
    "__arch_copy_from_user __arch_copy_to_user memcpy_page_flushcache __copy_user_flushcache "
    # arch/x86/include/asm/uaccess_32.h
    "__copy_user_ll __copy_from_user_ll_nocache_nozero".split()
)
# The trampoline of a static call (include/linux/static_call_types.h)
STATIC_CALL = "__SCT__"
# Architecture names for the functions in `OPENS`: arch/x86/lib/{get,put}user.S, usercopy.c
HELPER = re.compile(r"__(?:get|put)_user_(?:nocheck_)?\d+$")
OPENING = re.compile(rf"\b(?:{'|'.join(sorted(OPENS))})\s*\(")
MEMORY = re.compile(r"(?:__)?mem(?:cpy|set|move)$")
NAMED = re.compile(r"\b(?:__)?mem(?:cpy|set|move)\b")
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
# These keep the code of different statements apart and in order, and use branches instead of
# jump tables. Inlining, calls and stores stay the same.
LEGIBLE = (
    *"-g1 -gdwarf-4 -gstatement-frontiers -fno-jump-tables -fno-schedule-insns".split(),
    *"-fno-schedule-insns2 -fno-crossjumping -fno-tree-tail-merge".split(),
    *"-fno-if-conversion -fno-if-conversion2 -fno-reorder-blocks".split(),
    "-fno-shrink-wrap",
    # Of two identical functions, one would have no code and no lines.
    "-fno-ipa-icf",
    # Nobody reads the warnings here.
    "-w",
)


class Reading:
    """The object of a unit. Raises ElfError if it cannot be read."""

    def __init__(self, unit: Unit, path: Path) -> None:
        self.object = ObjectFile(path)
        kind = architecture(self.object, unit.build.out)
        self.lines = Lines(self.object)
        self.source_lines = SourceLines(unit, self.lines)
        self.marks: Marks = kind.marks(self.object, self.lines.names)
        ends, watch = noreturn(unit.build.tree), self.source_lines.watch
        self.flow = Flow(self.object, kind, self.marks, ends, watch)


def architecture(obj: ObjectFile, out: Path) -> Architecture:
    """The decoder for an object of the build in ``out``.

    Raises ElfError for an unknown architecture.
    """
    if obj.machine in (elf.X86_64, elf.I386):
        return X86(obj.bits)
    if obj.machine in (elf.POWERPC, elf.POWERPC64):
        return PowerPC()
    if obj.machine == elf.ARM64:
        return Arm64(_pan(out))
    raise ElfError(f"user access on {obj.machine} is not known")


@lru_cache(maxsize=4)
def _pan(out: Path) -> int:
    """The number of the capability ARM64_HAS_PAN in a build. Raises ElfError."""
    text = (out / CAPABILITIES).read_text()
    found = re.search(r"^#define ARM64_HAS_PAN\s+(\d+)", text, re.MULTILINE)
    if found is None:
        raise ElfError(f"{CAPABILITIES} does not number ARM64_HAS_PAN")
    return int(found[1])


def allowed(tree: Path) -> frozenset[str]:
    """Functions that may be called inside a window: this tree's objtool list, and `ASSEMBLY`."""
    return ASSEMBLY | uaccess_safe(tree)


@lru_cache(maxsize=4)
def noreturn(tree: Path) -> frozenset[str]:
    """Functions that do not return, from this tree's objtool."""
    text = text_beside(tree / NORETURNS)
    return frozenset(re.findall(r"^NORETURN\((\w+)\)", text, re.MULTILINE))


def broken_rule(callee: str, line: str) -> str:
    """The rule that a call inside a window violates; ``line`` is its source line.

    ``callee`` is empty for a call through a pointer. Calls made by an accessor that opens user
    access itself, such as __might_fault() or memset(), count as that accessor.
    """
    name = callee.removeprefix(STATIC_CALL).partition(".")[0]
    if name in OPENS or HELPER.match(name) or OPENING.search(line):
        return "UW10"
    if may_sleep(name):
        return "UW09"
    if MEMORY.match(name) and not NAMED.search(line):
        return "UW08"
    return "UW06"


def plain(callee: str) -> str:
    """The source name of a callee with "()", or "a function pointer" if it is empty."""
    name = callee.removeprefix(STATIC_CALL).partition(".")[0]
    return f"{name}()" if name else "a function pointer"


def reports(reading: Reading, event: Event, engine: str) -> Iterator[Report]:
    """The violations at an instruction: one report, or one for each return statement that shares the code."""
    lines, at = reading.source_lines, event.address
    if event.what == RETURN:
        for place in lines.returns(at, event.begun, event.last):
            said = "this return is reached with the window open"
            yield lines.report("UW02", place, said, engine)
        return
    frame = lines.frame(at) if event.what == CLOSE else lines.inside(at, event.begun)
    if frame is None:
        return
    if event.what == CALL:
        called = broken_rule(event.callee, lines.text(frame))
        rule = "UW10" if lines.opens(at) else called
        said = f"{plain(event.callee)} is called with the window open"
    elif event.what == OPEN:
        rule, said = "UW10", "user access is opened in an open window"
    else:
        rule, said = "UW02", "user access is closed, but no window is open"
    yield lines.report(rule, frame, said, engine)


def compile_legibly(unit: Unit, scratch: Path) -> Compiled:
    """Compile a unit into ``scratch`` with line and inlining information.

    The result is cached for the same scratch directory and an unchanged source. Raises
    BuildError if there is no compiler.
    """
    return _compiled(unit, scratch, unit.source.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _compiled(unit: Unit, scratch: Path, _changed: int) -> Compiled:
    return compile_unit(unit, scratch / f"{unit.source.stem}.o", LEGIBLE)


class SourceLines:
    """Maps the instructions of a unit's object to its own source files."""

    def __init__(self, unit: Unit, lines: Lines) -> None:
        self._root = unit.root.resolve()
        self._out = unit.build.out
        self._lines = lines
        self._own: dict[str, Path | None] = {}

    def frame(self, address: Address) -> Frame | None:
        """The innermost frame of an instruction in the unit's own files."""
        return next(iter(self._owned(address)), None)

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
        opened = {frame.instance for frame in self._openers(begun)}
        blamed = (f for f in own if f.instance in opened or self._runs_inside(f))
        return next(blamed, own[-1] if own else None)

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
        before = max(source.text.rfind(end, 0, brace) for end in ("\n\n", "\n}"))
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
        opened = {frame.instance for frame in self._openers(begun)}
        inner = next((f for f in own if f.instance and f.instance in opened), None)
        within = self._passed(inner, last.inner) if inner else last.inner
        return Last(self._passed(own[-1], last.outer), within)

    def returns(
        self, address: Address, begun: frozenset[Address], last: frozenset[Last]
    ) -> list[Frame]:
        """The return statements that lead to a return instruction with a window open."""
        frames = self._owned(address)
        if not frames:
            return []
        inlined = [frame for frame in self._openers(begun) if frame.instance]
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

    def _openers(self, begun: frozenset[Address]) -> list[Frame]:
        """The frames of the instructions that opened a window."""
        return [frame for frame in map(self.frame, begun) if frame is not None]

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
    if path.suffix == ".c" or not path.is_file():
        return path.suffix == ".c"
    text = _read(path).text
    return bool(USES.search(text)) and not DEFINES.search(text)
