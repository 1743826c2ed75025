# SPDX-License-Identifier: GPL-2.0
"""Check that every access is inside the range and direction of its window.

objtool and sparse do not check this, but gcc can. The file is compiled with our own linux/uaccess.h
found first: opening a window stores its base, length and directions in variables of the file, and
an access compares itself with these. As nothing else writes the variables, constant propagation
decides each comparison for which the window is the same on all paths. Undecided ones leave a call
to a function with a warning attribute.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.engines.messages import Message
from hotcocci.engines.compiler import Compiled, compile_file
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command
from hotcocci.tree.source import decode, read

HEADER = "linux/uaccess.h"
# Report where a macro is used, not where it is defined.
FLAGS = ("-ftrack-macro-expansion=0",)
OUTSIDE = "hotcocci_outside"
UNPROVED = "hotcocci_unproved"
UNKNOWN = "hotcocci_unknown"

# C source. Directions: 1 read, 2 write; 0 is a closed window. Values come from and go to nowhere,
# as the object is discarded. The asm has no "memory" clobber, so the variables survive it.
SHADOW = r"""
#include_next <linux/uaccess.h>

#ifndef HOTCOCCI_RANGES
#define HOTCOCCI_RANGES

static const char *hotcocci_base __maybe_unused;
static unsigned long hotcocci_length __maybe_unused;
static int hotcocci_directions __maybe_unused;
static const char *hotcocci_name __maybe_unused;

/* const: or a call that turns out dead only later would clobber the variables. */
extern int hotcocci_outside(int n) __attribute__((const, warning("outside")));
extern int hotcocci_unproved(int n) __attribute__((const, warning("unproved")));
extern int hotcocci_unknown(int n) __attribute__((const, warning("unknown")));

/* Each place has its own number: calls of a const function are merged otherwise. */
#define hotcocci_say(what)	asm volatile("" : : "r" (what(__COUNTER__)))

static __always_inline unsigned long hotcocci_any(void)
{
	unsigned long value;

	asm volatile("" : "=r" (value));
	return value;
}

/*
 * One more on both sides of a subtraction, because of which gcc takes &p->field for
 * p + offset and not for an address that it knows nothing about.
 */
#define hotcocci_address(pointer)	((__force const char *)(pointer) + 1)

/*
 * Where the base was computed from another pointer, gcc may compute a place from that
 * one too, and the difference is no constant any more: let it forget where the base
 * came from. Only a variable can be forgotten.
 */
#ifdef HOTCOCCI_FORGET
#define hotcocci_forget(pointer)	asm volatile("" : "+r" (pointer))
#else
#define hotcocci_forget(pointer)	do { } while (0)
#endif

#define hotcocci_begin(directions, pointer, length)				\
({										\
	hotcocci_forget(pointer);						\
	hotcocci_base = hotcocci_address(pointer);				\
	hotcocci_length = (length);						\
	hotcocci_name = #pointer;						\
	hotcocci_directions = (directions);					\
	hotcocci_any() != 0;							\
})

/* Whether a place is written as one of the base: "&p->array[i]" of "p", not of "pp". */
#define hotcocci_part(c)							\
	(((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z') ||		\
	 ((c) >= '0' && (c) <= '9') || (c) == '_')
#define hotcocci_of_base(text)							\
	(!__builtin_strncmp(&(text)[(text)[0] == '&'], hotcocci_name,		\
			    __builtin_strlen(hotcocci_name)) &&			\
	 !hotcocci_part((text)[((text)[0] == '&') +				\
			       __builtin_strlen(hotcocci_name)]))

#define hotcocci_end()	do { hotcocci_directions = 0; } while (0)

#define hotcocci_access(direction, pointer, size, label)			\
do {										\
	unsigned long __hc_offset = hotcocci_address(pointer) - hotcocci_base;	\
	unsigned long __hc_size = (size);					\
	int __hc_open = (hotcocci_directions & (direction)) != 0;		\
	int __hc_inside = (__hc_offset <= hotcocci_length) &			\
			  (__hc_size <= hotcocci_length - __hc_offset);		\
										\
	if (__builtin_constant_p(__hc_open) && !__hc_open)			\
		hotcocci_say(hotcocci_outside);						\
	else if (__builtin_constant_p(__hc_inside) && !__hc_inside)		\
		hotcocci_say(hotcocci_outside);						\
	else if (!__builtin_constant_p(__hc_open) ||				\
		 !__builtin_constant_p(hotcocci_length))			\
		hotcocci_say(hotcocci_unknown);					\
	else if (!__builtin_constant_p(__hc_inside) &&				\
		 __builtin_constant_p(hotcocci_of_base(#pointer)) &&		\
		 hotcocci_of_base(#pointer))					\
		hotcocci_say(hotcocci_unknown);					\
	else if (!__builtin_constant_p(__hc_inside))				\
		hotcocci_say(hotcocci_unproved);				\
	if (hotcocci_any())							\
		goto label;							\
} while (0)

#undef can_do_masked_user_access
#define can_do_masked_user_access()	0

#undef user_access_begin
#define user_access_begin(p, n)		hotcocci_begin(3, p, n)
#undef user_read_access_begin
#define user_read_access_begin(p, n)	hotcocci_begin(1, p, n)
#undef user_write_access_begin
#define user_write_access_begin(p, n)	hotcocci_begin(2, p, n)
#undef user_access_end
#define user_access_end()		hotcocci_end()
#undef user_read_access_end
#define user_read_access_end()		hotcocci_end()
#undef user_write_access_end
#define user_write_access_end()		hotcocci_end()

static __always_inline void hotcocci_scope_end(const void *pointer)
{
	hotcocci_end();
}
#define __scoped_user_read_access_end	hotcocci_scope_end
#define __scoped_user_write_access_end	hotcocci_scope_end
#define __scoped_user_rw_access_end	hotcocci_scope_end

#undef unsafe_get_user
#define unsafe_get_user(x, p, label)						\
do {										\
	hotcocci_access(1, p, sizeof(*(p)), label);				\
	(x) = (__force __typeof__(*(p)))hotcocci_any();				\
} while (0)

#undef unsafe_put_user
#define unsafe_put_user(x, p, label)						\
do {										\
	__typeof__(*(p)) __hc_value = (__force __typeof__(*(p)))(x);		\
										\
	asm volatile("" : : "m" (__hc_value));					\
	hotcocci_access(2, p, sizeof(*(p)), label);				\
} while (0)

#undef unsafe_copy_to_user
#define unsafe_copy_to_user(to, from, n, label)					\
do {										\
	(void)(from);								\
	hotcocci_access(2, to, n, label);					\
} while (0)

#undef unsafe_copy_from_user
#define unsafe_copy_from_user(to, from, n, label)				\
do {										\
	(void)(to);								\
	hotcocci_access(1, from, n, label);					\
} while (0)

#endif /* HOTCOCCI_RANGES */
"""


@dataclass(frozen=True)
class Ranges:
    """The accesses that are not proven to be inside their window.

    ``outside`` certainly are not. ``unproved`` are in a window of constant length, but through
    another pointer than the window's. ``unknown`` use the window's pointer with an unbounded index,
    or a window whose length is known only at run time or that another function opened; nothing
    follows from those. The text of a message is its source line. ``error`` says why the file does
    not compile; then all others are empty.
    """

    outside: tuple[Message, ...] = ()
    unproved: tuple[Message, ...] = ()
    unknown: tuple[Message, ...] = ()
    error: str = ""


def check(build: Build, command: Command, overlay: Path, scratch: Path) -> Ranges:
    """Compile a file of an overlay with range checks and read the result from gcc's warnings.

    ``scratch`` is a folder for temporary files. Raises BuildError if there is no compiler.
    """
    header = scratch / "ranges" / HEADER
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(SHADOW)
    flags = (f"-I{scratch / 'ranges'}", *FLAGS)
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
