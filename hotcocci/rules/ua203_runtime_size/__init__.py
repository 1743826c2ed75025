# SPDX-License-Identifier: GPL-2.0
"""UA203: copy of a size only known at run time."""

from __future__ import annotations

from hotcocci.findings import PREPARED, SPATCH
from hotcocci.rules.entry import ACCESSES, Rule, Words

RULE = Rule(
    code="UA203",
    title="copy of a size only known at run time",
    family=ACCESSES,
    engines=(SPATCH,),
    script="cocci/small_copy.cocci",
    tiers=(PREPARED,),
    doc=(
        "A dispatcher copies the number of bytes in an ioctl command, or a function the number its caller passes, "
        "usually a few words. A helper with a switch over the sizes of the commands or callers copies those inline "
        "and leaves all others to copy_from_user() or copy_to_user(). The sizes are read from the headers: up to "
        "eight sizes of at most 64 bytes, each of one command in 40 or more. The code grows, and a copy that faults "
        "half-way may have moved other bytes than before. In hot functions, counts and lengths given at run time "
        "are reported too, but not rewritten: nothing says which values are frequent."
    ),
    words=Words(
        "copy the usual sizes inline",
        "The copy size is only known at run time, so the copy calls a routine made for large copies. Copy the "
        "usual sizes inline and leave all others to that routine.",
    ),
    reasons={
        "sizes-unknown": (
            "The sizes are not known: the commands or the callers are defined elsewhere."
        ),
        "size-given": (
            "The size is given or chosen at run time; only a trace shows whether small ones are frequent."
        ),
        "one-size": "Only one small size is copied here; a helper with a switch is not worth it.",
        "sizes-large": (
            "No size of 16 bytes or less is frequent among the commands or callers; leave larger ones to"
            " copy_from_user() and copy_to_user()."
        ),
        "buffer-elsewhere": (
            "The kernel buffer may not be this function's own: its alignment, its size and its use after a fault are"
            " not known here."
        ),
        "buffer-size": "The size of the buffer on the stack is not known.",
        "several-copies": "The function makes several such copies; the code for the sizes would be repeated for each.",
        "name-taken": "The name of the new helper is already used in this file.",
    },
    shared_reasons=(
        "fault-handled",
        "value-read-on-fault",
        "ifdef",
        "atomic-context",
        "count-used",
        "result-kept",
        "result-unclear",
    ),
    one_of_many=True,
    example="switch-commands",
    options=(
        "`--api classic|masked|scoped` chooses how windows are opened; the default is the best the tree has.",
        "`--profile FILE` says which functions are hot; the default is the lists in `hotcocci/tree/hot`.",
    ),
    proof=(
        "The same bytes are copied for the sizes of the switch and for all others, and the function returns the "
        "same value. If it faults half-way, other bytes may have been moved; the finding says so."
    ),
)
