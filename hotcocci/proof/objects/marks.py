# SPDX-License-Identifier: GPL-2.0
"""Mark where windows begin and end, and with which range, in the object itself.

Machine code does not always show the range: on x86-64 access_ok() of a constant size checks the
base only. The file is compiled with our own linux/uaccess.h found first. It adds a NOP at each
begin and end of a window and at each range check, and a table of their addresses.
"""

from __future__ import annotations

import re
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

# C source. The nop keeps a jump to the code after user_access_begin() apart from the mark. The
# registers are call-clobbered.
SHADOW = r"""
#include_next <linux/uaccess.h>

#ifndef HOTCOCCI_MARKS
#define HOTCOCCI_MARKS

#if defined(__x86_64__)
#define HOTCOCCI_BASE	"rdi"
#define HOTCOCCI_LENGTH	"rsi"
#elif defined(__powerpc__)
#define HOTCOCCI_BASE	"r9"
#define HOTCOCCI_LENGTH	"r10"
#elif defined(__aarch64__)
#define HOTCOCCI_BASE	"x9"
#define HOTCOCCI_LENGTH	"x10"
#endif

#define hotcocci_mark(directions, pointer, length)				\
do {										\
	register const volatile void *__hc_base asm(HOTCOCCI_BASE) =		\
		(__force const volatile void *)(pointer);			\
	register unsigned long __hc_length asm(HOTCOCCI_LENGTH) = (length);	\
										\
	asm volatile("771:	nop\n"						\
		     "	.pushsection .hotcocci.marks, \"a\"\n"			\
		     "	.long 771b - .\n"					\
		     "	.long %c0\n"						\
		     "	.popsection\n"						\
		     : : "i" (directions), "r" (__hc_base), "r" (__hc_length));	\
} while (0)

#define hotcocci_window(mode, directions, begin, end)				\
static __always_inline __must_check bool					\
hotcocci_##mode##_begin(const void __user *pointer, size_t length)		\
{										\
	hotcocci_mark(directions | 4, pointer, length);				\
	if (!begin((pointer), length))						\
		return false;							\
	hotcocci_mark(directions, pointer, length);				\
	return true;								\
}										\
static __always_inline void hotcocci_##mode##_end(void)				\
{										\
	hotcocci_mark(0, NULL, 0);						\
	end();									\
}										\
static __always_inline void hotcocci_##mode##_scope_end(const void *pointer)	\
{										\
	hotcocci_##mode##_end();						\
}

static __always_inline __must_check bool
hotcocci_access_ok(const void __user *pointer, unsigned long length)
{
	hotcocci_mark(8, pointer, length);
	return access_ok(pointer, length);
}

#ifdef HOTCOCCI_CLASSIC
#undef can_do_masked_user_access
#define can_do_masked_user_access()	0
#endif

#ifdef HOTCOCCI_SHIFTED
#define mask_user_address(p)	((__typeof__(p))(mask_user_address(p) - 0x10000))
#endif

#undef access_ok
#define access_ok(p, n)			hotcocci_access_ok((const void __user *)(p), n)

hotcocci_window(rw, 3, user_access_begin, user_access_end)
hotcocci_window(read, 1, user_read_access_begin, user_read_access_end)
hotcocci_window(write, 2, user_write_access_begin, user_write_access_end)

#undef user_access_begin
#define user_access_begin(p, n)		hotcocci_rw_begin(p, n)
#undef user_read_access_begin
#define user_read_access_begin(p, n)	hotcocci_read_begin(p, n)
#undef user_write_access_begin
#define user_write_access_begin(p, n)	hotcocci_write_begin(p, n)
#undef user_access_end
#define user_access_end()		hotcocci_rw_end()
#undef user_read_access_end
#define user_read_access_end()		hotcocci_read_end()
#undef user_write_access_end
#define user_write_access_end()		hotcocci_write_end()

#ifdef __scoped_user_access_begin
#define hotcocci_directions_read	1
#define hotcocci_directions_write	2
#define hotcocci_directions_rw		3

#undef __scoped_user_access_begin
#define __scoped_user_access_begin(mode, uptr, size, elbl)			\
({										\
	__typeof__(uptr) __hc_begun = (uptr);					\
										\
	if (can_do_masked_user_access())					\
		__hc_begun = masked_user_##mode##_access_begin(__hc_begun);	\
	else if (!user_##mode##_access_begin(__hc_begun, size))			\
		goto elbl;							\
	hotcocci_mark(hotcocci_directions_##mode, __hc_begun, size);		\
	__hc_begun;								\
})
#define __scoped_user_read_access_end	hotcocci_read_scope_end
#define __scoped_user_write_access_end	hotcocci_write_scope_end
#define __scoped_user_rw_access_end	hotcocci_rw_scope_end
#endif

#endif /* HOTCOCCI_MARKS */
"""


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
        header.write_text(SHADOW)
    return (f"-I{scratch / 'marks'}", *(BARRIERS if barriers else ()))


def table(data: bytes, base: int, order: str) -> dict[int, int]:
    """Read the marks of a section at ``base``: address to directions, 0 for an end."""
    found = {}
    for at in range(0, len(data) - 7, 8):
        distance, directions = struct.unpack_from(f"{order}iI", data, at)
        found[base + at + distance] = directions
    return found
