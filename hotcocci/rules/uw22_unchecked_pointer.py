# SPDX-License-Identifier: GPL-2.0
"""UW22: second pointer that nothing has checked."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW22",
    title="second pointer that nothing has checked",
    family=WINDOWS,
    engines=(SPATCH,),
    doc=(
        "A window checks the range of one pointer. A second pointer needs its own access_ok() before the "
        "window, and even then nothing keeps the processor from speculating past that check. So does the "
        "same variable if it is set again after the begin."
    ),
    script=WINDOW_SCRIPT,
)
