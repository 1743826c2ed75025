# SPDX-License-Identifier: GPL-2.0
"""UW00: unused or malformed allowance comment."""

from __future__ import annotations

from hotcocci.rules.entry import Rule, WINDOWS

RULE = Rule(
    code="UW00",
    title="unused or malformed allowance comment",
    family=WINDOWS,
    engines=(),
    doc=(
        "/* hotcocci: allow UW05 - why */, on the line of a finding or on a line of its own right above it, "
        "suppresses that rule there. A comment that suppresses nothing, gives no reason or names no rule is "
        "reported, so that stale ones are removed: by check for window rules, by lint for all others."
    ),
)
