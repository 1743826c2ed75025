# SPDX-License-Identifier: GPL-2.0
"""The implementation of UA102."""

from __future__ import annotations

from hotcocci.c.unseen import ACCESSES
from hotcocci.rewrite.prefilter import may_hold_loop
from hotcocci.rules.ua102_user_access_loop.decide import decide
from hotcocci.rules.implementation import Implementation
from hotcocci.tree.select import ACCESS

IMPLEMENTATION = Implementation(ACCESS, may_hold_loop, decide, ACCESSES)
