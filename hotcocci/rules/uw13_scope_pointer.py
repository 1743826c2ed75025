# SPDX-License-Identifier: GPL-2.0
"""UW13: a scope whose pointer is no plain identifier."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW13",
    title="a scope whose pointer is no plain identifier",
    family=WINDOWS,
    engines=(SPATCH,),
    doc=(
        "scoped_user_*_access(p, label) declares a constant pointer of the name it is given."
    ),
    script=WINDOW_SCRIPT,
)
