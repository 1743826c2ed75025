# SPDX-License-Identifier: GPL-2.0
"""UW01: begin without a test of its result."""

from __future__ import annotations

from hotcocci.findings import SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW01",
    title="begin without a test of its result",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
    ),
    doc=(
        "user_access_begin() and its variants return false if the range is not user memory, and open the "
        "window only if it is. If the result is ignored, an access goes wherever the pointer says "
        "(CVE-2017-5123); if the failure path ends the window too, it closes one that was never opened."
    ),
    script=WINDOW_SCRIPT,
)
