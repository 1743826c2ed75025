# SPDX-License-Identifier: GPL-2.0
"""Reasons why a place is reported and not rewritten, which several rules give: each rule has its own besides."""

from __future__ import annotations

SHARED = {
    "below-min-run": (
        "The run is shorter than --min-run: a classic window of one or two accesses costs"
        " more than it saves on x86-64, where opening it takes an LFENCE."
    ),
    "no-gain-arch": (
        "On this architecture user_access_begin() is only access_ok(); each access inside"
        " still opens and closes user space, so a window buys nothing."
    ),
    "second-base": (
        "Accesses through another pointer stand between those through this one; a window"
        " has one base."
    ),
    "base-changes": "The pointer is changed between the accesses, other than by a constant step.",
    "base-in-call": (
        "The pointer is computed inside the access and its type is not written there, so no"
        " variable can be declared for it."
    ),
    "cast-pointer": (
        "The address of a field is cast inside the access: the width of the access is not"
        " the field's, and the range cannot be computed from the type."
    ),
    "call-between": "A call between the accesses may not run while user access is open.",
    "different-exits": "The accesses leave in different ways on a fault; one label cannot serve.",
    "other-errno": "A fault gives something other than -EFAULT here.",
    "fault-handled": "A fault does not simply leave: the code goes on, or does something of its own.",
    "work-before-test": (
        "Other work is done between the accesses and the test of their error; leaving early"
        " would skip it."
    ),
    "value-read-on-fault": (
        "A variable that get_user() sets to zero on a fault is read after the fault;"
        " unsafe_get_user() leaves it alone."
    ),
    "double-fetch": "The same user word is fetched twice; the number of fetches must stay.",
    "u64-arm32": (
        "Eight bytes are fetched in code that arm32 builds, where __get_user() of eight"
        " bytes does not link (arch/arm/include/asm/uaccess.h)."
    ),
    "ifdef": "A preprocessor line stands inside the run; not every configuration was seen.",
    "cleanup-scope": (
        "A guard() or __free() variable is in force at the accesses or at the label but not"
        " at both; a jump may not cross its scope."
    ),
    "no-place-for-label": "The end of the function is no place a label can be put at.",
    "variable-index": (
        "An array is indexed by a variable: the range cannot be computed, or the bounds"
        " check of UBSAN would be a call inside the window."
    ),
    "range-unknown": (
        "The place lies in an array at the end of the structure, or in one whose bound was not"
        " found: sizeof() of the structure does not cover it."
    ),
    "bitfield": "The access is to a bit-field or a structure, not to a scalar.",
    "mixed-condition": "Whether an access is made depends on another part of the same condition.",
    "result-ignored": (
        "The result of the accesses is ignored: after a fault the next one is still made, in"
        " a window it would not be."
    ),
    "side-effect-argument": (
        "An argument assigns, increments or fetches from user space; inside a window it may"
        " be evaluated twice."
    ),
    "atomic-context": (
        "A lock that forbids sleeping is held, and page faults are not disabled: a fault here"
        " may sleep, which is a bug of its own."
    ),
    "type-unknown": (
        "The type of what is copied was not found in the headers, or it differs between architectures"
        " or configurations."
    ),
    "size-differs": "What is copied is not the whole object that the kernel's pointer leads to.",
    "bool": "A bool is copied: whatever byte user space gives is kept, where an access would make it 0 or 1.",
    "count-used": (
        "The number of bytes that were not copied is handed on or computed with; an access gives"
        " -EFAULT instead."
    ),
    "result-unclear": "What is done with the result of the copy could not be made out.",
    "unusual-form": (
        "A load is written in a form that another text cannot simply take the place of, or no name"
        " or place for a local was found."
    ),
    "no-gain": (
        "The rewrite was compiled and costs more than it saves where nothing fails: more calls, opens"
        " and closes of user access and fences, or as many of them and more instructions;"
        " the message has the numbers."
    ),
    "overlaps": "Another rule rewrites the same lines: that rewrite comes first, this one is looked for in what it leaves.",
    "comment": "The finding is a comment that is to allow something here, and is wrong or allows nothing.",
    "failed-proof": "The rewrite was made and did not pass its gate; the message says what failed.",
}
"""Reason code to one sentence."""
