# SPDX-License-Identifier: GPL-2.0
"""Loads that a function makes again, or one behind the other, and that can be saved."""

from __future__ import annotations

from hotcocci.rules.entry import Rule

LOAD_RULES: tuple[Rule, ...] = ()
