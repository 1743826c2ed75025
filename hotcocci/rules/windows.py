# SPDX-License-Identifier: GPL-2.0
"""The rules of user access windows, all of them checked by hotcocci/windows and the checkers/."""

from __future__ import annotations

from functools import partial

from hotcocci.findings import CLANG_TIDY, OBJECTS, OBJTOOL, SMATCH, SPATCH
from hotcocci.rules.entry import WINDOWS, Rule

SCRIPT = "cocci/user_access_window.cocci"

_rule = partial(Rule, family=WINDOWS)
# Those that the semantic patch finds, among other engines
_seen = partial(_rule, script=SCRIPT)

RULES = (
    _rule(
        "UW00",
        "unused or malformed allowance comment",
        engines=(),
        example="uw00-nothing-wrong",
        doc="/* hotcocci: allow UW05 - why */, on the line of a finding or on a line of its own right above it, "
        "suppresses that rule there. A comment that suppresses nothing, gives no reason or names no rule is "
        "reported, so that stale ones are removed: by check for window rules, by lint for all others.",
    ),
    _seen(
        "UW01",
        "begin without a test of its result",
        engines=(SPATCH, SMATCH),
        example="uw01-result-ignored",
        doc="user_access_begin() and its variants return false if the range is not user memory, and open the "
        "window only if it is. If the result is ignored, an access goes wherever the pointer says "
        "(CVE-2017-5123); if the failure path ends the window too, it closes one that was never opened.",
    ),
    _seen(
        "UW02",
        "window not ended exactly once",
        engines=(SPATCH, SMATCH, OBJTOOL, OBJECTS),
        example="uw02-return-inside",
        doc="Every path out of a window (fall-through, fault label, return, goto, break, continue) must pass "
        "exactly one end. If it is missing, user memory stays open to the rest of the kernel; a second one "
        "closes a window that the caller may hold. Fixed in 0b2c8f8b6b0c and e6a9522ac3ff.",
    ),
    _seen(
        "UW03",
        "begin and end of different flavours",
        engines=(SPATCH, SMATCH),
        example="uw03-read-ended-as-write",
        doc="user_read_access_begin() pairs with user_read_access_end(), user_write_access_begin() with "
        "user_write_access_end(). x86 ignores the flavour; on powerpc, the end then locks another direction "
        "than the one that was unlocked.",
    ),
    _seen(
        "UW04",
        "access in the wrong direction for its window",
        engines=(SPATCH, SMATCH),
        example="uw04-put-in-read",
        doc="unsafe_get_user() in a window opened for writing, or unsafe_put_user() in one opened for reading. "
        "Most architectures open both directions; powerpc book3s64 faults on either, book3s32 on the store "
        "(9dc086f1e9ef).",
    ),
    _rule(
        "UW05",
        "access outside the range of its window",
        engines=(CLANG_TIDY,),
        example="uw05-sizeof-pointer",
        doc="begin(p, size) checks [p, p + size) and nothing else: an access through another pointer, past the "
        "end, beyond a size computed from void * (1 byte), or beyond one that was rounded up after the begin "
        "is not checked (3c2659bd1db8).",
    ),
    _seen(
        "UW06",
        "call inside a window",
        engines=(SPATCH, SMATCH, OBJTOOL, OBJECTS),
        example="uw06-extern-call",
        doc="An out-of-line function called in a window runs with user memory open. Only code that is always "
        "inlined may be called there, and the few functions that objtool lists as safe "
        "(tools/objtool/check.c). An inline helper that calls such a function on every path is one too.",
    ),
    _seen(
        "UW07",
        "helper in a window that may not be inlined",
        engines=(SPATCH, CLANG_TIDY),
        example="uw07-statement",
        doc="static inline is a hint: KASAN and UBSAN builds put such functions out of line (226d44acf6df, "
        "1fe4002cf7f2). Make a helper that is used in a window a macro or __always_inline.",
        hygiene=True,
    ),
    _rule(
        "UW08",
        "implicit memset() or memcpy() inside a window",
        engines=(CLANG_TIDY, OBJTOOL, OBJECTS),
        example="uw08-struct-assignment",
        doc="A structure assignment, an initializer of an aggregate, or a variable declared in the window under "
        "INIT_STACK_ALL may be compiled to a call.",
    ),
    _seen(
        "UW09",
        "call that may sleep inside a window",
        engines=(SPATCH, SMATCH, OBJTOOL, OBJECTS),
        example="uw09-resched-in-loop",
        doc="An explicit schedule() does not save the user access state: it leaks into the next task, or is lost "
        "(788aa64c01f1). A page fault that sleeps is fine, since exception entry saves the state.",
    ),
    _seen(
        "UW10",
        "window inside a window",
        engines=(SPATCH, SMATCH, OBJTOOL, OBJECTS),
        example="uw10-get-user-inside",
        doc="get_user(), copy_to_user() and another begin open and close user access themselves, so they close "
        "the enclosing window; powerpc does not support nesting at all.",
    ),
    _seen(
        "UW11",
        "argument with side effects inside a window",
        engines=(SPATCH, CLANG_TIDY),
        example="uw11-call-in-value",
        doc="get_user() and put_user() evaluate their arguments before user access is open; the unsafe accessors "
        "do so inside the window, and an architecture may evaluate the pointer twice, as riscv's macros do in "
        "7.2: p++ is reported where one of the tree does. Compute the argument before the window if it calls a "
        "function or changes a variable (2a418cf3f5f1, d02f6b7dab82).",
    ),
    _rule(
        "UW12",
        "fault label outside the cleanup scope of the access",
        engines=(CLANG_TIDY,),
        example="uw12-guard",
        doc="On a fault, the access jumps to its label by asm goto. If that leaves the scope of a __cleanup "
        "variable, clang rejects it and gcc miscompiles it. Trees that wrap unsafe_get_user() and "
        "unsafe_put_user() with a local label are safe for these two, not for other accessors.",
    ),
    _seen(
        "UW13",
        "scope on an expression that is not a plain identifier",
        engines=(SPATCH,),
        example="uw13-member",
        doc="scoped_user_*_access(p, label) declares a constant pointer with the name of its first argument.",
    ),
    _seen(
        "UW14",
        "access through a pointer that the window did not mask",
        engines=(SPATCH, CLANG_TIDY),
        example="uw14-member-before-mask",
        doc="A masked begin checks nothing: it returns a pointer that is safe. In a scope only the pointer that it "
        "declares is. An access through the original, or through a pointer derived from it before, has no "
        "range check at all, in a helper that is given such a pointer too.",
    ),
    _rule(
        "UW15",
        "first access of a masked window not at its start",
        engines=(CLANG_TIDY,),
        example="uw15-masked-far",
        doc="Masking moves a bad pointer to the guard page: the first access must be within a page of the masked "
        "pointer, and the following ones at increasing addresses.",
    ),
    _seen(
        "UW16",
        "fault label of a scope inside it, or one that ends it again",
        engines=(SPATCH, CLANG_TIDY),
        example="uw16-end-at-label",
        doc="A scope closes itself on every exit. Its label must be outside and must not end the window again.",
    ),
    _seen(
        "UW17",
        "break or continue that leaves only the scope",
        engines=(SPATCH, CLANG_TIDY),
        example="uw17-break",
        doc="A scope is implemented as loops that run once: a break or continue in it leaves the scope, not the "
        "loop around it.",
    ),
    _seen(
        "UW18",
        "likely() or unlikely() around a begin",
        engines=(SPATCH,),
        example="uw18-half-of-condition",
        doc="With PROFILE_ALL_BRANCHES, these hide the begin from objtool (18372ef87665).",
    ),
    _rule(
        "UW19",
        "8-byte access that an architecture does not have",
        engines=(CLANG_TIDY,),
        example="uw19-member",
        doc="unsafe_get_user() of 8 bytes fails to link on 32-bit ARM in trees where ARM has no 8-byte "
        "__get_user().",
    ),
    _seen(
        "UW20",
        "unsafe accessor that some architecture expands wrongly",
        engines=(SPATCH,),
        example="uw20-dangling-else",
        doc="Some architectures define these macros as an if without an else, or with a trailing semicolon, which "
        "breaks an if with an else around them: use braces. Others declare variables in them, which an "
        "argument of the same name would refer to.",
    ),
    _seen(
        "UW21",
        "access outside any window",
        engines=(SPATCH, SMATCH),
        example="uw21-after-end",
        doc="unsafe_get_user() and its variants check nothing and open nothing. Outside a window they fault under "
        "SMAP and PAN; without these, they read or write any address they are given.",
    ),
    _seen(
        "UW22",
        "second pointer that nothing has checked",
        engines=(SPATCH,),
        example="uw22-set-again",
        doc="A window checks the range of one pointer. A second pointer needs its own access_ok() before the "
        "window, and even then nothing keeps the processor from speculating past that check. So does the "
        "same variable if it is set again after the begin, or moved where the begin was for sizeof(*p).",
    ),
    _seen(
        "UW23",
        "copy of run-time size without check_object_size()",
        engines=(SPATCH,),
        example="uw23-size-of-argument",
        doc="Under HARDENED_USERCOPY, copy_to_user() checks that the kernel object is as large as the copy; "
        "unsafe_copy_to_user() does not (5f1eb1ff58ea).",
    ),
    _seen(
        "UW24",
        "debugging hooks that a window skips",
        engines=(SPATCH,),
        example="uw24-begin",
        doc="put_user() and copy_to_user() call might_fault(), should_fail_usercopy() and sanitizer hooks; on "
        "most architectures a window calls none of them. That is accepted, but belongs in the changelog.",
        on_request=True,
    ),
    _seen(
        "UW25",
        "window opened wider than used",
        engines=(SPATCH,),
        example="uw25-only-reads",
        doc="user_access_begin() or scoped_user_rw_access() opens both directions, but the window only reads or "
        "only writes. powerpc then leaves a direction open that it could have kept locked, and book3s32 pays "
        "for opening writes where reads need nothing. Nothing is reported in code of an architecture that "
        "does not tell the directions apart, nor if the window holds assembly or calls whose accesses are "
        "not known.",
    ),
)
