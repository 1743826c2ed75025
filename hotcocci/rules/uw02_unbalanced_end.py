# SPDX-License-Identifier: GPL-2.0
"""UW02: a window is not ended exactly once."""

from __future__ import annotations

from hotcocci.findings import OBJECTS, OBJTOOL, SMATCH, SPARSE, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW02",
    title="a window is not ended exactly once",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
        SPARSE,
        OBJTOOL,
        OBJECTS,
    ),
    doc=(
        "Every way out of a window, through labels and over return, goto, break and continue, passes exactly "
        "one end. A missing one leaves user memory open to the whole kernel; a second one closes a window "
        "that the caller holds, and Takashi Iwai's build of ALSA stopped at one. Fixed in 0b2c8f8b6b0c and "
        "e6a9522ac3ff."
    ),
    script=WINDOW_SCRIPT,
)
