# SPDX-License-Identifier: GPL-2.0
"""The implementation of LD304."""

from __future__ import annotations

from hotcocci.rules.ld304_narrow_local.decide import decide
from hotcocci.rules.working import hot_load

WORKING = hot_load(decide)
