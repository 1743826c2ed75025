# SPDX-License-Identifier: GPL-2.0
"""Numbers with nouns."""

from __future__ import annotations


def count(number: int, what: str) -> str:
    """Return a number and a noun, in the plural unless the number is 1."""
    return f"{number} {what}" + ("" if number == 1 else "s")
