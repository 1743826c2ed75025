# SPDX-License-Identifier: GPL-2.0
"""UW21: access outside any window."""

from __future__ import annotations

from hotcocci.findings import SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW21",
    title="access outside any window",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
    ),
    doc=(
        "unsafe_get_user() and its variants check nothing and open nothing. Outside a window they fault under "
        "SMAP and PAN; without these, they read or write any address they are given."
    ),
    script=WINDOW_SCRIPT,
)
