# SPDX-License-Identifier: GPL-2.0
"""The closed list of reasons why a place is reported and not rewritten."""

from __future__ import annotations

REASONS = {
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
    "macro-body": "The accesses stand in a macro; every use of it would change.",
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
    "loop-unbounded": "The number of rounds is not known before the loop begins.",
    "loop-body": "The loop does more than its accesses: a call, a jump, or another base.",
    "atomic-context": (
        "A lock that forbids sleeping is held, and page faults are not disabled: a fault here"
        " may sleep, which is a bug of its own."
    ),
    "type-unknown": (
        "The type of what is copied was not found in the headers, or it differs between architectures"
        " or configurations."
    ),
    "untyped": "The kernel's pointer is a void *: it does not say what is copied.",
    "no-members": (
        "The structure cannot be copied member by member: it has a union, a bit-field, a long array or"
        " an unaligned member, or its members differ between architectures."
    ),
    "size-differs": "What is copied is not the whole object that the kernel's pointer leads to.",
    "bool": "A bool is copied: whatever byte user space gives is kept, where an access would make it 0 or 1.",
    "pointer-value": "A pointer is copied: the types of what it points to would have to agree.",
    "padding": (
        "The structure has padding on some machine: a copy fills it from user space, reading the"
        " members would leave what was in it."
    ),
    "not-hot": (
        "The place is not known to run often, or marked as unlikely, and the rewrite takes more lines than it replaces:"
        " --profile tells better."
    ),
    "large": "More than 32 bytes: the routine of copy_from_user() and copy_to_user() is made for that.",
    "count-used": (
        "The number of bytes that were not copied is handed on or computed with; an access gives"
        " -EFAULT instead."
    ),
    "result-unclear": "What is done with the result of the copy could not be made out.",
    "range-elsewhere": "The range was checked elsewhere; a window would check it again.",
    "no-call-between": (
        "No call stands between the loads: compilers make one of them, or load the pointer once more"
        " at most, behind a store."
    ),
    "loads-apart": "No path makes two of the loads: they stand on different ways through the function.",
    "credentials-change": (
        "The credentials of the task, or the task, change here: the loads do not give the same."
    ),
    "capability-between": (
        "A capability is asked for between the loads: a security module decides, and the task is"
        " marked for having used it."
    ),
    "unusual-form": (
        "A load is written in a form that another text cannot simply take the place of, or no name"
        " or place for a local was found."
    ),
    "sizes-unknown": (
        "The sizes that the copy is really made with could not be told: the commands or the callers are"
        " defined elsewhere."
    ),
    "size-given": (
        "The size is a count or a length that somebody gives when the kernel runs: whether small ones are frequent,"
        " only a trace tells."
    ),
    "one-size": (
        "A single small size is copied here: a function and a switch for it are more text than they are worth."
    ),
    "sizes-large": (
        "None of the sizes that commands or callers give is small and frequent: the routine of"
        " copy_from_user() and copy_to_user() is made for large ones."
    ),
    "buffer-elsewhere": (
        "The kernel's pointer may lead to memory that is not this function's own: its alignment and its"
        " size, and who looks at it after a fault, cannot be seen here."
    ),
    "buffer-size": "The size of the buffer on the stack could not be told from the headers.",
    "several-copies": (
        "The function makes several such copies: the code for the listed sizes would be there as often."
    ),
    "name-taken": "The name that the new function would have is taken in this file.",
    "chain-alone": (
        "No other chain of the function begins alike: only a copy of the last member nearer to the root would"
        " cut it."
    ),
    "credentials-prefix": (
        "What the chains have in common are the credentials of the task, of which LD301 tells."
    ),
    "chain-merged": (
        "Nothing between the loads of what the chains have in common keeps a compiler from making them once."
    ),
    "chain-changes": (
        "What the chains have in common may change between, or is loaded so that each load is made: a call, a"
        " store, a lock, a barrier, READ_ONCE() or a member of a union."
    ),
    "out-of-line": (
        "A header could hold what the function does, which is for its maintainer to decide; nothing in it is"
        " static."
    ),
    "static-object": "The function uses what is static in its file, which a header would have to name.",
    "parameter": "It is a parameter: the type of the function is not changed here.",
    "may-not-fit": "What the variable is given may be wider or negative: the narrow type cuts it off.",
    "declared-together": "It is declared together with others, or another variable has its name.",
    "narrow-use": (
        "A use may tell an int from an unsigned int, or needs the narrow type: an address, sizeof, a"
        " complement, a step, a comparison with what may be negative, an argument of unknown type."
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
