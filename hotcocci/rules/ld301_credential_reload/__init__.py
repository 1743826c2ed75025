# SPDX-License-Identifier: GPL-2.0
"""LD301: credentials loaded again behind a call."""

from __future__ import annotations

from hotcocci.findings import PREPARED, SAFE
from hotcocci.rules.entry import LOADS, Rule, SPATCH, Words

RULE = Rule(
    code="LD301",
    title="credentials loaded again behind a call",
    family=LOADS,
    engines=(SPATCH,),
    script="cocci/credential_reload.cocci",
    tiers=(SAFE, PREPARED),
    doc=(
        "Two or more loads of current->cred in a function, by current_cred(), current_user_ns(), "
        "current_fsuid() or another accessor of linux/cred.h, with a call between. No one but the task "
        "itself changes its credentials, which a compiler cannot know: a local holds them for all."
    ),
    words=Words(
        "load the credentials of current once",
        "No one but the task itself changes its credentials, which a compiler cannot know: it loads them again "
        "after each call. Load them once.",
    ),
    reasons={
        "no-call-between": (
            "No call stands between the loads: compilers make one of them, or load the pointer once more"
            " at most, behind a store."
        ),
        "loads-apart": "No path makes two of the loads: they stand on different ways through the function.",
        "credentials-change": "The credentials of the task, or the task, change here: the loads do not give the same.",
        "capability-between": (
            "A capability is asked for between the loads: a security module decides, and the task is"
            " marked for having used it."
        ),
    },
    shared_reasons=(
        "ifdef",
        "unusual-form",
    ),
    must_save_loads=True,
    example="credential-member",
    options=(
        "`--tier prepared` adds the rewrites that need a preparation, which the finding names.",
    ),
    proof=(
        "The function does the same before and after, for all inputs where that can be shown, if no function "
        "that it calls changes the credentials of the task. A rewrite that saves no load is refused."
    ),
)
