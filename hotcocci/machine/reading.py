# SPDX-License-Identifier: GPL-2.0
"""Compile and read one object: its lines and windows, the control flow of its functions, and what they call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from hotcocci.engines.call_names import OPENS, may_sleep
from hotcocci.engines.compiler import Compiled, compile_unit
from hotcocci.findings import Report
from hotcocci.machine.arm64 import Arm64
from hotcocci.machine.code import CALL, CLOSE, OPEN, RETURN, Architecture, Marks
from hotcocci.machine.dwarf import Lines
from hotcocci.machine.elf import (
    ARM64,
    I386,
    POWERPC,
    POWERPC64,
    X86_64,
    ElfError,
    ObjectFile,
)
from hotcocci.machine.flow import Event, Flow
from hotcocci.machine.powerpc import PowerPC
from hotcocci.machine.source_lines import SourceLines
from hotcocci.machine.x86 import X86
from hotcocci.tree.command import Unit
from hotcocci.tree.kernel import uaccess_safe

# Written by arch/arm64/tools/gen-cpucaps.awk
CAPABILITIES = "arch/arm64/include/generated/asm/cpucap-defs.h"
# The tree's own list of functions that do not return
NORETURNS = "tools/objtool/noreturns.h"
# Copy and clear routines in assembly that architectures without objtool call with user access
# open.
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
# These keep the code of different statements apart and in order, and use branches instead of
# jump tables. Inlining, calls and stores stay the same.
LEGIBLE = (
    "-g1",
    "-gdwarf-4",
    "-gstatement-frontiers",
    "-fno-jump-tables",
    "-fno-schedule-insns",
    "-fno-schedule-insns2",
    "-fno-crossjumping",
    "-fno-tree-tail-merge",
    "-fno-if-conversion",
    "-fno-if-conversion2",
    "-fno-reorder-blocks",
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
        self.flow = Flow(
            self.object,
            kind,
            self.marks,
            noreturn(unit.build.tree),
            self.source_lines.watch,
        )


def architecture(obj: ObjectFile, out: Path) -> Architecture:
    """The decoder for an object of the build in ``out``.

    Raises ElfError for an unknown architecture.
    """
    if obj.machine in (X86_64, I386):
        return X86(obj.bits)
    if obj.machine in (POWERPC, POWERPC64):
        return PowerPC()
    if obj.machine == ARM64:
        return Arm64(_pan(out))
    raise ElfError(f"user access on {obj.machine} is not known")


@lru_cache(maxsize=4)
def _pan(out: Path) -> int:
    """The number of the capability ARM64_HAS_PAN in a build. Raises ElfError."""
    found = re.search(
        r"^#define ARM64_HAS_PAN\s+(\d+)",
        (out / CAPABILITIES).read_text(),
        re.MULTILINE,
    )
    if found is None:
        raise ElfError(f"{CAPABILITIES} does not number ARM64_HAS_PAN")
    return int(found[1])


def allowed(tree: Path) -> frozenset[str]:
    """Functions that may be called inside a window: this tree's objtool list, and `ASSEMBLY`."""
    return ASSEMBLY | uaccess_safe(tree)


@lru_cache(maxsize=4)
def noreturn(tree: Path) -> frozenset[str]:
    """Functions that do not return, from this tree's objtool."""
    try:
        text = (tree / NORETURNS).read_text(encoding="latin-1")
    except FileNotFoundError:
        return frozenset()
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
    """What is wrong at an instruction: one report, or one for each return statement that shares the code."""
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
