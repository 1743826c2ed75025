# SPDX-License-Identifier: GPL-2.0
"""UA203: copy of a size only known at run time."""

from __future__ import annotations

from hotcocci.findings import PREPARED, READ, WRITE
from hotcocci.rules.entry import WITH_API, WITH_PROFILE, Rule, Words
from hotcocci.tree.select import COPY

RULE = Rule(
    code="UA203",
    title="copy of a size only known at run time",
    script="cocci/small_copy.cocci",
    mention=COPY,
    tiers=(PREPARED,),
    doc=(
        "A dispatcher copies the number of bytes in an ioctl command, or a function the number its caller passes, "
        "usually a few words. copy_from_user_small() and copy_to_user_small() copy 4, 8, 16, 24 and 32 bytes inline, "
        "4 and 8 on 32-bit machines, and leave all else to copy_from_user() and copy_to_user(), also after a fault: "
        "what is left uncopied and zeroed stays the same, and so do all checks of the kernel object. One pair in "
        "include/linux/uaccess.h serves all call sites, each of which changes by a name. If the tree has no such pair, "
        "the patch adds it: 'series' as a patch of its own before those of the callers. make coccicheck cannot change "
        "a second file and uses the helpers only in a tree that has them. "
        "The sizes of commands are read from the headers. A trace replaces them: --sizes FILE chooses the sizes that "
        "are copied inline by how often a kernel copied each. Where it says which function copied, it also decides "
        "on counts and lengths given at run time, which are otherwise only reported, and only in hot functions: "
        "nothing else says which values are frequent."
    ),
    words=Words(
        "copy the usual sizes inline",
        "The copy size is only known at run time, so the copy calls a routine made for large copies. {calls} "
        "the usual sizes inline and leaves all others to that routine.",
    ),
    needs=Words(
        "add copy_from_user_small() and copy_to_user_small()",
        "Some copies have a size that is only known at run time and is mostly a few words, such as that of an "
        "ioctl's argument. copy_from_user() and copy_to_user() call a routine made for large copies, which takes "
        "longer than such a copy. Add variants that copy the usual sizes inline and leave all others to that "
        "routine. They check the kernel object as the originals do, and call them after a fault, so that the "
        "result is theirs. Their users follow, and were compiled and compared with this patch applied.",
    ),
    calls={
        READ: "copy_from_user_small() reads",
        WRITE: "copy_to_user_small() writes",
    },
    reasons={
        "sizes-unknown": (
            "The sizes are not known: the commands or the callers are defined elsewhere."
        ),
        "size-given": (
            "The size is given or chosen at run time; only a trace shows whether small ones are frequent."
        ),
        "one-size": "Only one small size is copied here; a helper with a switch is not worth it.",
        "sizes-large": (
            "No size of 16 bytes or less is frequent among the commands or callers, or most of them have none of the"
            " sizes that are copied inline; keep copy_from_user() and copy_to_user()."
        ),
        "unchecked-copy": (
            "__copy_from_user() and __copy_to_user() leave out the range check that the helper makes."
        ),
        "several-copies": "The function makes several such copies; the code for the sizes would be repeated for each.",
        "name-taken": "The name of the helper is already used in this file for something else.",
        "no-header": "The tree has no include/linux/uaccess.h to put the helper in.",
    },
    shared_reasons=(
        "no-gain-arch",
        "no-window-api",
        "ifdef",
        "atomic-context",
    ),
    example="switch-commands",
    options=(
        WITH_API,
        WITH_PROFILE,
        "`--sizes FILE` is a trace of the sizes that were copied: a bpftrace map (`@[SIZE]: COUNT` or "
        "`@[FUNCTION, SIZE]: COUNT`), or what `perf script` or `perf trace` prints of a probe with the size.",
    ),
    proof=(
        "The same bytes are copied for the sizes of the switch and for all others, and the function returns the "
        "same value. If a word faults, the general copy runs from the start: it leaves the same bytes."
    ),
)
