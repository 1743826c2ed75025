# SPDX-License-Identifier: GPL-2.0
"""UA203: copy of a size that run time knows."""

from __future__ import annotations

from hotcocci.findings import PREPARED
from hotcocci.rules.entry import ACCESSES, Rule, SPATCH, Words

RULE = Rule(
    code="UA203",
    title="copy of a size that run time knows",
    family=ACCESSES,
    engines=(SPATCH,),
    script="cocci/small_copy.cocci",
    tiers=(PREPARED,),
    doc=(
        "A dispatcher copies as many bytes as an ioctl command says, or a function as many as its caller says, and "
        "these are a few words most often. A helper with a switch over the sizes that the commands or callers "
        "really give copies them inline, and hands all others to copy_from_user() or copy_to_user(). The sizes are "
        "read from the headers: those of at least one command in 40, up to 64 bytes, eight of them at most. Code "
        "grows by them, and a copy that faults half-way may have moved other bytes than before. In functions that run "
        "often it is also told of counts and lengths that are given at run time: nothing says which of them are "
        "frequent, so nothing is rewritten."
    ),
    words=Words(
        "copy the usual sizes inline",
        "The size of a copy is known at run time only, so that it calls a routine that is made for large copies. "
        "Copy the sizes that callers usually ask for inline, and leave all others to that routine.",
    ),
    reasons={
        "sizes-unknown": (
            "The sizes that the copy is really made with could not be told: the commands or the callers are"
            " defined elsewhere."
        ),
        "size-given": (
            "The size is a count or a length that somebody gives when the kernel runs: whether small ones are frequent,"
            " only a trace tells."
        ),
        "one-size": "A single small size is copied here: a function and a switch for it are more text than they are worth.",
        "sizes-large": (
            "None of the sizes that commands or callers give is small and frequent: the routine of"
            " copy_from_user() and copy_to_user() is made for large ones."
        ),
        "buffer-elsewhere": (
            "The kernel's pointer may lead to memory that is not this function's own: its alignment and its"
            " size, and who looks at it after a fault, cannot be seen here."
        ),
        "buffer-size": "The size of the buffer on the stack could not be told from the headers.",
        "several-copies": "The function makes several such copies: the code for the listed sizes would be there as often.",
        "name-taken": "The name that the new function would have is taken in this file.",
    },
    shared_reasons=(
        "fault-handled",
        "value-read-on-fault",
        "ifdef",
        "atomic-context",
        "count-used",
        "result-unclear",
    ),
    example="switch-commands",
    options=(
        "`--api classic|masked|scoped` chooses how the window is opened; by default the best that the tree has.",
        "`--profile FILE` tells which functions are hot; without it the lists of `hotcocci/tree/hot` do.",
    ),
    proof=(
        "The same bytes are moved for the sizes of the switch and for all others, and the function returns "
        "the same. On a fault half-way other bytes may have been moved; the finding says so."
    ),
)
