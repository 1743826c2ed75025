# SPDX-License-Identifier: GPL-2.0
"""Mark where windows begin and end, and with which range, in the object itself.

Machine code does not always show the range: on x86-64 access_ok() of a constant size checks the
base only. The file is compiled with our own linux/uaccess.h found first. It adds a NOP at each
begin and end of a window and at each range check, and a table of their addresses.
"""

from __future__ import annotations

import re
import shutil
import struct
from dataclasses import dataclass
from pathlib import Path

SECTION = ".hotcocci.marks"
# The condition on which an architecture takes one of two kinds of windows (include/linux/uaccess.h), and
# the flag to compile what others take.
MASKED = "can_do_masked_user_access()"
CLASSIC = "-DHOTCOCCI_CLASSIC"
# The flag to move each masked address, so that an access through the pointer that was not masked differs:
# a mask changes no address that user space may use, but a processor that speculates needs it.
SHIFTED = "-DHOTCOCCI_SHIFTED"
MASKS = re.compile(r"masked_user\w*_begin|scoped_(?:masked_)?user_\w+")
HEADER = "linux/uaccess.h"
READ, WRITE = 1, 2
# Flag: the window is requested and may be refused.
ATTEMPT = 4
# Flag: a range check without a window.
CHECK = 8
# barrier() of linux/compiler.h: it emits no instruction, but is all that orders stores on
# strongly ordered processors.
BARRIER = 16

# The C source that takes the place of linux/uaccess.h
SHADOW = Path(__file__).with_suffix(".h")

# linux/compiler.h defines barrier() only if it is not defined yet.
_BARRIER = (
    '__asm__ __volatile__("771: nop\\n"'
    ' "\\t.pushsection .hotcocci.marks, \\"a\\"\\n"'
    f' "\\t.long 771b - ., {BARRIER}\\n"'
    ' "\\t.popsection\\n"'
)
BARRIERS = (
    f'-Dbarrier()={_BARRIER} ::: "memory")',
    f'-Dbarrier_data(ptr)={_BARRIER} :: "r"(ptr) : "memory")',
)


@dataclass(frozen=True)
class Range:
    """The range of user memory that a window was opened for, and the allowed directions."""

    start: int
    length: int
    directions: int

    def covers(self, address: int, size: int) -> bool:
        """Whether an access is within the range."""
        return self.start <= address and address + size <= self.start + self.length


def flags(scratch: Path, barriers: bool) -> tuple[str, ...]:
    """Compiler flags that leave marks in the object; writes the header below ``scratch``.

    ``barriers`` marks compiler barriers too.
    """
    header = scratch / "marks" / HEADER
    if not header.exists():
        header.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(SHADOW, header)
    return (f"-I{scratch / 'marks'}", *(BARRIERS if barriers else ()))


def table(data: bytes, base: int, order: str) -> dict[int, int]:
    """Read the marks of a section at ``base``: address to directions, 0 for an end."""
    found = {}
    for at in range(0, len(data) - 7, 8):
        distance, directions = struct.unpack_from(f"{order}iI", data, at)
        found[base + at + distance] = directions
    return found
