# SPDX-License-Identifier: GPL-2.0
"""Check that every access is inside the range and direction of its window.

objtool and sparse do not check this, but gcc can. The file is compiled with our own linux/uaccess.h found first:
opening a window stores its base, length and directions in variables of the file, and an access compares itself
with these. As nothing else writes the variables, constant propagation decides each comparison for which the window
is the same on all paths. Undecided ones leave a call to a function with a warning attribute.
"""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.engines.compiler import Compiled, Message, compile_file
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command
from hotcocci.tree.source import decode, read

HEADER = "linux/uaccess.h"
# Report where a macro is used, not where it is defined. Nobody needs an object.
FLAGS = ("-ftrack-macro-expansion=0", "-S")
OUTSIDE = "hotcocci_outside"
UNPROVED = "hotcocci_unproved"
UNKNOWN = "hotcocci_unknown"

# The C source that takes the place of linux/uaccess.h
SHADOW = Path(__file__).with_suffix(".h")


@dataclass(frozen=True)
class Ranges:
    """The accesses that are not proven to be inside their window.

    ``outside`` certainly are not. ``unproved`` are in a window of constant length, but through another pointer
    than the window's. ``unknown`` use the window's pointer with an unbounded index, or a window whose length is
    known only at run time or that another function opened; nothing follows from those. The text of a message is
    its source line. ``error`` says why the file does not compile; then all others are empty.
    """

    outside: tuple[Message, ...] = ()
    unproved: tuple[Message, ...] = ()
    unknown: tuple[Message, ...] = ()
    error: str = ""


def check(
    build: Build, command: Command, overlay: Path, scratch: Path, *more: str
) -> Ranges:
    """Compile a file of an overlay with range checks and read the result from gcc's warnings.

    ``scratch`` is a folder for temporary files, ``more`` are flags. Raises BuildError if there is no compiler.
    """
    header = scratch / "ranges" / HEADER
    header.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SHADOW, header)
    flags = (f"-I{scratch / 'ranges'}", *FLAGS, *more)
    compiled = compile_file(build, command, overlay, scratch / "ranges.o", flags)
    if compiled.object is None:
        return Ranges(error=compiled.error)
    outside = _accesses(compiled, OUTSIDE, overlay, "outside its window")
    unproved = _accesses(
        compiled, UNPROVED, overlay, "not proven to be inside its window"
    )
    unknown = _accesses(compiled, UNKNOWN, overlay, "in a window of unknown length")
    if not (unproved or unknown):
        return Ranges(outside)
    # A second run decides more: an access is proven or outside if either run says so.
    again = (*flags, "-DHOTCOCCI_FORGET")
    other = compile_file(build, command, overlay, scratch / "ranges.o", again)
    if other.object is None:
        return Ranges(outside, unproved, unknown)
    left = {m.line for m in other.messages if f"call to '{UNPROVED}'" in m.text}
    refuted = _accesses(other, OUTSIDE, overlay, "outside its window")
    known = {(m.file, m.line) for m in outside}
    outside += tuple(m for m in refuted if (m.file, m.line) not in known)
    return Ranges(outside, tuple(m for m in unproved if m.line in left), unknown)


def _accesses(
    compiled: Compiled, function: str, overlay: Path, complaint: str
) -> tuple[Message, ...]:
    """The accesses for which a call of this function was left."""
    called = [m for m in compiled.messages if f"call to '{function}'" in m.text]
    accesses = []
    for message in called:
        lines = decode(read(overlay / message.file)).splitlines()
        source = lines[message.line - 1].strip()
        accesses.append(replace(message, text=f"{complaint}: {source}"))
    return tuple(accesses)
