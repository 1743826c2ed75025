# SPDX-License-Identifier: GPL-2.0
"""UW01: the result of a begin is not tested."""

from __future__ import annotations

from hotcocci.findings import SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW01",
    title="the result of a begin is not tested",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
    ),
    doc=(
        "user_access_begin() and its kin return whether the range is user memory, and open the window only "
        "then. Where the result is not tested, an access goes wherever the pointer says (CVE-2017-5123); "
        "where the failed path ends a window that was never opened, it closes somebody else's."
    ),
    script=WINDOW_SCRIPT,
)
