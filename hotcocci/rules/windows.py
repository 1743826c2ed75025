# SPDX-License-Identifier: GPL-2.0
"""Rules of user access windows, hand-written or generated."""

from __future__ import annotations

import re

from hotcocci.rules.entry import (
    CLANG_TIDY,
    OBJECTS,
    OBJTOOL,
    SMATCH,
    SPARSE,
    SPATCH,
    Rule,
)

SCRIPT = "cocci/user_access_window.cocci"

WINDOW_RULES = (
    Rule(
        code="UW00",
        title="a comment that allows what is not there",
        engines=(),
        doc=(
            "/* hotcocci: allow UW05 - why */ on the line that a finding is told with, or on a line of its own "
            "right before it, allows that rule there, of windows or of rewrites. One that allows nothing, gives "
            "no reason or names no rule is reported, so that none outlives what it was written for: by check "
            "where it names a rule of windows or none, else by lint, whatever a profile says of the function."
        ),
    ),
    Rule(
        code="UW01",
        title="the result of a begin is not tested",
        engines=(
            SPATCH,
            SMATCH,
        ),
        doc=(
            "user_access_begin() and its kin return whether the range is user memory, and open the window only "
            "then. Where the result is not tested, an access goes wherever the pointer says (CVE-2017-5123); "
            "where the failed path ends a window that was never opened, it closes somebody else's."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW02",
        title="a window is not ended exactly once",
        engines=(
            SPATCH,
            SMATCH,
            SPARSE,
            OBJTOOL,
            OBJECTS,
        ),
        doc=(
            "Every way out of a window, through labels and over return, goto, break and continue, passes exactly "
            "one end. A missing one leaves user memory open to the whole kernel; a second one closes a window "
            "that the caller holds, and Takashi Iwai's build of ALSA stopped at one. Fixed in 0b2c8f8b6b0c and "
            "e6a9522ac3ff."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW03",
        title="begin and end are of different flavours",
        engines=(
            SPATCH,
            SMATCH,
        ),
        doc=(
            "user_read_access_begin() is ended by user_read_access_end(), and likewise for write and for both. "
            "x86 does not care; powerpc locks another direction than the one it unlocked."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW04",
        title="an access against the direction of its window",
        engines=(
            SPATCH,
            SMATCH,
        ),
        doc=(
            "unsafe_get_user() in a window opened for writing, or unsafe_put_user() in one opened for reading. "
            "Most architectures map both to both; powerpc book3s64 faults on either, book3s32 on the store "
            "(9dc086f1e9ef)."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW05",
        title="an access outside the range of its window",
        engines=(CLANG_TIDY,),
        doc=(
            "begin(p, size) checks [p, p + size) and nothing else: an access through another pointer, behind the "
            "end, or of a size that was computed from void * (1 byte) is not checked at all (3c2659bd1db8)."
        ),
    ),
    Rule(
        code="UW06",
        title="a call inside a window",
        engines=(SPATCH, SMATCH, OBJTOOL, OBJECTS),
        doc=(
            "Code that runs out of line in a window runs with user memory open. Only what is inlined for certain "
            "may stand there, and the few functions that objtool lists as safe (tools/objtool/check.c)."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW07",
        title="a helper inside a window that need not be inlined",
        engines=(
            SPATCH,
            CLANG_TIDY,
        ),
        doc=(
            "static inline is a wish: KASAN and UBSAN builds put such functions out of line (226d44acf6df, "
            "1fe4002cf7f2). A helper used in a window is a macro or __always_inline."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW08",
        title="an implicit memset() or memcpy() inside a window",
        engines=(
            CLANG_TIDY,
            OBJTOOL,
            OBJECTS,
        ),
        doc=(
            "A structure assignment, an initialiser of an aggregate, or a variable declared in the window under "
            "INIT_STACK_ALL becomes a call."
        ),
    ),
    Rule(
        code="UW09",
        title="something that may sleep inside a window",
        engines=(
            SPATCH,
            SMATCH,
            OBJTOOL,
            OBJECTS,
        ),
        doc=(
            "An explicit schedule() does not save the state of user access: it leaks into the next task, or is "
            "lost (788aa64c01f1). A page fault that sleeps is fine, as exceptions save it."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW10",
        title="a window inside a window",
        engines=(
            SPATCH,
            SMATCH,
            OBJTOOL,
            OBJECTS,
        ),
        doc=(
            "get_user(), copy_to_user(), access by another begin and the like open and close by themselves, and "
            "so close the window they stand in; powerpc does not support nesting at all."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW11",
        title="an argument that does more than load and compute",
        engines=(
            SPATCH,
            CLANG_TIDY,
        ),
        doc=(
            "get_user() and put_user() evaluate their arguments before they open; the unsafe ones do so inside "
            "the window, and an architecture may evaluate the pointer twice. What calls or changes something is "
            "computed before (2a418cf3f5f1, d02f6b7dab82)."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW12",
        title="a fault label outside a cleanup scope that the access is in",
        engines=(CLANG_TIDY,),
        doc=(
            "The access jumps to its label by asm goto. Out of a scope with __cleanup variables that jump is "
            "rejected by clang and miscompiled by gcc. Trees that wrap unsafe_get_user() and unsafe_put_user() "
            "with a local label are safe for these two, not for other accessors."
        ),
    ),
    Rule(
        code="UW13",
        title="a scope whose pointer is no plain identifier",
        engines=(SPATCH,),
        doc=(
            "scoped_user_*_access(p, label) declares a constant pointer of the name it is given."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW14",
        title="an access past the checked pointer of its scope",
        engines=(
            SPATCH,
            CLANG_TIDY,
        ),
        doc=(
            "In a scope only the pointer that the scope declares is masked. One that was derived from the "
            "caller's pointer before the scope goes around the only check there is."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW15",
        title="the first access of a masked window is not at its start",
        engines=(CLANG_TIDY,),
        doc=(
            "Masking keeps a pointer below the guard page: the first access has to lie in the first page behind "
            "it, the next ones at rising addresses."
        ),
    ),
    Rule(
        code="UW16",
        title="a scope whose fault label ends it, or lies in it",
        engines=(
            SPATCH,
            CLANG_TIDY,
        ),
        doc=(
            "A scope closes itself however it is left. Its label stands outside, and must not end the window "
            "again."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW17",
        title="break or continue leaves a scope, not the loop around it",
        engines=(
            SPATCH,
            CLANG_TIDY,
        ),
        doc=(
            "A scope is made of loops that run once. A break in it ends the scope and nothing else."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW18",
        title="likely() or unlikely() around a begin",
        engines=(SPATCH,),
        doc=(
            "With PROFILE_ALL_BRANCHES these hide the begin from objtool (18372ef87665)."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW19",
        title="an 8-byte access where an architecture has none",
        engines=(CLANG_TIDY,),
        doc=(
            "unsafe_get_user() of 8 bytes does not link on 32-bit ARM before it learned them."
        ),
    ),
    Rule(
        code="UW20",
        title="an unsafe accessor that is not a statement of its own block",
        engines=(SPATCH,),
        doc=(
            "Some architectures define these macros as an if without else, or ending in a semicolon, and use "
            "names of their own for what they are given. Braces around them are always right."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW21",
        title="an access outside any window",
        engines=(
            SPATCH,
            SMATCH,
        ),
        doc=(
            "unsafe_get_user() and its kin check nothing and open nothing. Without a window around them they "
            "fault under SMAP and PAN, and where there is neither they read wherever they are told."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW22",
        title="a second pointer whose range nobody checked",
        engines=(SPATCH,),
        doc=(
            "A window checks the range of one pointer. Another one needs its own access_ok() before the window; "
            "inside it there is no barrier against speculation behind it."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW23",
        title="a copy of run-time size without check_object_size()",
        engines=(SPATCH,),
        doc=(
            "copy_to_user() checks under HARDENED_USERCOPY that the kernel object is as large as what is copied; "
            "unsafe_copy_to_user() does not (5f1eb1ff58ea)."
        ),
        script=SCRIPT,
    ),
    Rule(
        code="UW24",
        title="debug hooks that a window does not have",
        engines=(SPATCH,),
        doc=(
            "put_user() and copy_to_user() call might_fault(), should_fail_usercopy() and the sanitizers' checks; "
            "a window calls none of them on most architectures. That is accepted, and belongs in the changelog."
        ),
        script=SCRIPT,
        on_request=True,
    ),
)

# What may sleep when it is called: UW09, where any other call is UW06. Names as objects have
# them too, and beginnings of names.
SLEEPS = frozenset(
    "schedule cond_resched __cond_resched might_sleep __might_sleep __might_resched mutex_lock mutex_lock_interruptible "
    "mutex_lock_killable down down_read down_write down_interruptible down_killable msleep msleep_interruptible "
    "usleep_range usleep_range_state ssleep wait_for_completion wait_on_bit preempt_schedule "
    "preempt_schedule_notrace preempt_schedule_thunk dynamic_cond_resched dynamic_might_resched "
    "__SCT__cond_resched __SCT__might_resched lock_page folio_lock "
    "mmap_read_lock mmap_write_lock synchronize_rcu flush_work".split()
)
SLEEPING_FAMILIES = (
    "schedule_timeout",
    "wait_event",
    "mutex_lock_",
    "down_read_",
    "down_write_",
)
# What opens and closes user access by itself: UW10
OPENS = frozenset(
    "get_user put_user __get_user __put_user copy_from_user copy_to_user __copy_from_user __copy_to_user "
    "_copy_from_user _copy_to_user copy_in_user clear_user __clear_user strncpy_from_user strnlen_user "
    "copy_struct_from_user get_user_inline put_user_inline raw_copy_from_user raw_copy_to_user".split()
)


# Macros that end in a call, whatever else they do
COPIES = frozenset(
    "memcpy memmove memset memcmp memchr strlen strcpy strscpy strncpy".split()
)
PRINTS = re.compile(
    r"_?printk(?:_once|_ratelimited)?|(?:pr|dev|netdev)_(?:emerg|alert|crit|err|warn|notice|info|debug|dbg)\w*|WARN(?:_ONCE)?|trace_\w+"
)


def is_copy(name: str) -> bool:
    """Whether it is a string function, a call unless the compiler knows the size."""
    return name in COPIES


def prints(name: str) -> bool:
    """Whether a macro of that name prints or traces, which is a call."""
    return PRINTS.fullmatch(name) is not None


def may_sleep(name: str) -> bool:
    """Whether a call of that name may sleep."""
    return name in SLEEPS or name.startswith(SLEEPING_FAMILIES)
