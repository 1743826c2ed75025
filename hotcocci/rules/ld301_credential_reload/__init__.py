# SPDX-License-Identifier: GPL-2.0
"""LD301: credentials loaded again after a call."""

from __future__ import annotations

from hotcocci.findings import MANUAL, PREPARED, SAFE
from hotcocci.rules.entry import LOADS, Rule, Words
from hotcocci.tree.select import CREDENTIAL

RULE = Rule(
    code="LD301",
    title="credentials loaded again after a call",
    family=LOADS,
    script="cocci/credential_reload.cocci",
    mention=CREDENTIAL,
    tiers=(SAFE, PREPARED, MANUAL),
    doc=(
        "Two or more loads of current->cred in a function, by current_cred(), current_user_ns(), "
        "current_fsuid() or another accessor of linux/cred.h, with a call in between. Only a task itself changes "
        "its credentials, but the compiler cannot know that: load them once, into a local variable."
    ),
    words=Words(
        "load the credentials of current once",
        "Only a task itself changes its credentials, but the compiler cannot know that and loads them again "
        "after each call. Load them once.",
    ),
    reasons={
        "no-call-between": (
            "No call is between the loads: the compiler merges them, or loads the pointer once more at most, after a"
            " store."
        ),
        "loads-apart": (
            "The loads are on different paths; none makes two of them, except in different iterations of a loop."
        ),
        "credentials-change": "The credentials of the task, or the task, change between the loads.",
        "credentials-change-elsewhere": (
            "The function changes the credentials of the task, though not between the loads; it is left alone."
        ),
        "capability-between": (
            "A capability check is between the loads: a security module decides, and PF_SUPERPRIV may be set."
        ),
    },
    shared_reasons=(
        "ifdef",
        "unusual-form",
    ),
    must_save_loads=True,
    alike=True,
    example="credential-member",
    options=(
        "It is run with `--profile FILE`, whose functions it lists, with `--rule LD301`, or with `--show cold`: a load "
        "that hits the cache costs little elsewhere.",
        "`--tier prepared` adds rewrites whose calls between the loads are in other files or through pointers, and "
        "those that add a load on some path; the finding names the first such call.",
    ),
    proof=(
        "The function behaves the same before and after, for all inputs if that can be shown, if no function "
        "that it calls changes the credentials of the task. A rewrite that saves no load is refused."
    ),
)
