# SPDX-License-Identifier: GPL-2.0
"""The implementation of UA202."""

from __future__ import annotations

from hotcocci.rewrite.copies.calls import COPIES
from hotcocci.rules.ua202_struct_copy.decide import decide
from hotcocci.rewrite.prefilter import may_hold_small_copy
from hotcocci.rules.working import Working
from hotcocci.tree.select import COPY

WORKING = Working(COPY, may_hold_small_copy, decide, COPIES, heat=True, hot_only=True)
