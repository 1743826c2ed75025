# SPDX-License-Identifier: GPL-2.0
"""Reasons not to rewrite that several rules share; a rule's own reasons are in its entry."""

from __future__ import annotations

SHARED = {
    "below-min-run": "Fewer accesses than --min-run.",
    "no-gain-arch": (
        "user_access_begin() is only access_ok() on this architecture: each access still opens and closes"
        " user access, so a window saves nothing."
    ),
    "no-window-api": (
        "The tree has no user_access_begin(pointer, size), which checks the range, or its unsafe_get_user() and"
        " unsafe_put_user() take no label: rewrites write no other form (include/linux/uaccess.h)."
    ),
    "second-base": "Accesses through another pointer are in between; a window has one base.",
    "base-changes": (
        "The user pointer, or an object that it is read from, is assigned or declared between the accesses; only"
        " p++ inside an access and p += sizeof(T) after one of a T are followed."
    ),
    "base-in-call": (
        "The user pointer is not a variable that a window can use, and its type is not known well enough to"
        " declare one."
    ),
    "cast-pointer": (
        "The user pointer is cast inside the access, and not from the address of a member of that size or"
        " more: its type does not give the range of the window."
    ),
    "call-between": (
        "A function or macro is called between the accesses; it may not run while user access is open."
    ),
    "statement-between": (
        "A loop, a jump or another statement between the accesses cannot be part of a window."
    ),
    "different-exits": "The accesses have different exit paths on a fault; one label cannot serve both.",
    "fault-handled": "On a fault the code goes on, or does more than return.",
    "fault-in-macro": (
        "A macro decides what follows a fault, and may leave the function: a label cannot take its place."
    ),
    "work-before-test": (
        "No exit on the error follows the last access directly; leaving early would skip what comes first."
    ),
    "value-read-on-fault": (
        "A variable that get_user() zeroes on a fault may be read afterwards; unsafe_get_user() does not write it."
    ),
    "double-fetch": "The same user word is fetched twice; the number of fetches must stay.",
    "u64-arm32": (
        "Eight bytes are fetched in code that processors of 32 bits can run: on arm32, __get_user() of eight bytes"
        " does not link (arch/arm/include/asm/uaccess.h), nor does get_user() without an MMU; on sparc32 both return"
        " the upper half alone (arch/sparc/include/asm/uaccess_32.h)."
    ),
    "ifdef": (
        "A preprocessor conditional is between the accesses or around them: some configurations lack part of"
        " the code."
    ),
    "cleanup-scope": (
        "A guard() or __free() variable is in scope at the accesses or at the label, but not at both; a jump"
        " must not cross it."
    ),
    "no-place-for-label": "The exit path cannot move to a label at the end of the function.",
    "variable-index": (
        "A variable indexes what may be an array: the range is not known, or UBSAN may call its bounds check"
        " inside the window."
    ),
    "range-unknown": (
        "The element is before the user pointer, at an offset that is not known, in an array at the end of the"
        " structure, or in one of unknown size: sizeof() of the structure may not cover it."
    ),
    "bitfield": "The access is to a bit-field or a structure, not to a scalar.",
    "mixed-condition": "The access shares its condition or its statement with something else.",
    "result-ignored": (
        "The result of the accesses is ignored: after a fault the next one is still made, in a window it would"
        " not be."
    ),
    "side-effect-argument": (
        "An argument has an assignment, an increment, a call or a user access in it; the rewrite may evaluate"
        " it more than once."
    ),
    "atomic-context": (
        "A lock that forbids sleeping is held and page faults are not disabled: a fault here may sleep, which"
        " is a bug of its own."
    ),
    "type-unknown": (
        "The type of the kernel object is not known, or it differs between architectures or configurations."
    ),
    "size-differs": "The kernel pointer does not lead to a single object of the size that is copied.",
    "bool": "A bool is copied: the copy keeps any byte from user space, an access would make it 0 or 1.",
    "count-used": (
        "The number of bytes left is returned, passed on or computed with; an access gives -EFAULT instead."
    ),
    "result-unclear": "The use of the copy's result was not understood.",
    "unaligned": (
        "The pointer is to bytes, so user space may pass any address: the copy takes it, but get_user() and"
        " put_user() fault where a machine has no unaligned accesses (sparc64)."
    ),
    "unusual-form": (
        "A load is in a form that cannot be replaced, or there is no name or no place for a local variable."
    ),
    "no-gain": (
        "The rewrite saves nothing on any processor: no cycles on the non-faulting path, by an estimate or as it"
        " was compiled, or few for code that grows, or none of the loads that it is for; the message says which."
    ),
    "small-gain": (
        "The rewrite saves too little for how seldom the code runs, or no more than some processor loses, or is in a"
        " sample or a test; --show cold offers it (docs/cycles.md)."
    ),
    "one-copy": (
        "The lines are new, the code is not known to run often, or a window is not possible, and the accesses make up"
        " a structure or an array: one copy of it is simpler than a window."
    ),
    "overlaps": "Another rule rewrites the same lines; this rewrite is looked for again after that one.",
    "comment": "The finding is a comment that should allow something here, and is wrong or allows nothing.",
    "failed-proof": "The rewrite did not pass its proof; the message says what failed.",
}
"""One sentence for each reason."""

# Why hotcocci.rewrite.copies.instead leaves a call as it is
OF_CALLS = (
    "no-gain-arch",
    "ifdef",
    "side-effect-argument",
    "type-unknown",
    "size-differs",
    "count-used",
    "result-unclear",
    "unaligned",
)
