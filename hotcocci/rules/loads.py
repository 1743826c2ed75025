# SPDX-License-Identifier: GPL-2.0
"""Loads that a function makes again, or one behind the other, and that can be saved."""

from __future__ import annotations

from hotcocci.findings import PREPARED, SAFE
from hotcocci.rules.entry import SPATCH, Rule

LOAD_RULES: tuple[Rule, ...] = (
    Rule(
        code="LD301",
        title="credentials loaded again behind a call",
        engines=(SPATCH,),
        script="cocci/credential_reload.cocci",
        tiers=(SAFE, PREPARED),
        doc=(
            "Two or more loads of current->cred in a function, by current_cred(), current_user_ns(), "
            "current_fsuid() or another accessor of linux/cred.h, with a call between. No one but the task "
            "itself changes its credentials, which a compiler cannot know: a local holds them for all."
        ),
    ),
)
