# SPDX-License-Identifier: GPL-2.0
"""Contents of uninitialised memory and registers.

Old and new code get the same, so memory that both leave uninitialised compares equal.
"""

from __future__ import annotations

STACK = b"\xa5"
# POISON_FREE (include/linux/poison.h)
FREED = b"\x6b"
# Registers at function entry, and call-clobbered registers after a call.
FOUND, SPOILED = 0x5A, 0x6B


def returned(result: str) -> bool:
    """Whether a result is stack poison, which cannot be compared."""
    digits = result.removeprefix("0x")
    return len(digits) in (8, 16) and digits == STACK.hex() * (len(digits) // 2)


def register(kind: int, number: int, size: int) -> int:
    """The contents of register ``number``, ``size`` bytes wide; ``kind`` is FOUND or SPOILED."""
    return (kind << 8 | kind) << 8 * size - 16 | number
