# SPDX-License-Identifier: GPL-2.0
"""The implementation of LD303."""

from __future__ import annotations

from hotcocci.rules.ld303_trivial_accessor.decide import decide
from hotcocci.rules.implementation import hot_load

IMPLEMENTATION = hot_load(decide, accessors=True)
