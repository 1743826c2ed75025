# SPDX-License-Identifier: GPL-2.0
"""UW00: a comment that allows what is not there."""

from __future__ import annotations

from hotcocci.rules.entry import Rule, WINDOWS

RULE = Rule(
    code="UW00",
    title="a comment that allows what is not there",
    family=WINDOWS,
    engines=(),
    doc=(
        "/* hotcocci: allow UW05 - why */ on the line that a finding is told with, or on a line of its own "
        "right before it, allows that rule there, of windows or of rewrites. One that allows nothing, gives "
        "no reason or names no rule is reported, so that none outlives what it was written for: by check "
        "where it names a rule of windows or none, else by lint, whatever a profile says of the function."
    ),
)
