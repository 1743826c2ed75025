# SPDX-License-Identifier: GPL-2.0
"""Numbers with what they count."""

from __future__ import annotations


def count(number: int, what: str) -> str:
    """A number and what it counts, in the plural where it takes one."""
    return f"{number} {what}" + ("" if number == 1 else "s")
