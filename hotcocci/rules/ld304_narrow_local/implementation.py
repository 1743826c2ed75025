# SPDX-License-Identifier: GPL-2.0
"""The implementation of LD304."""

from __future__ import annotations

from hotcocci.rules.ld304_narrow_local.decide import decide
from hotcocci.rules.implementation import hot_load

IMPLEMENTATION = hot_load(decide)
