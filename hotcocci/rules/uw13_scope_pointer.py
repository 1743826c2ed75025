# SPDX-License-Identifier: GPL-2.0
"""UW13: scope on an expression that is not a plain identifier."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW13",
    title="scope on an expression that is not a plain identifier",
    family=WINDOWS,
    engines=(SPATCH,),
    doc="scoped_user_*_access(p, label) declares a constant pointer with the name of its first argument.",
    script=WINDOW_SCRIPT,
)
