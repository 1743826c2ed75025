# SPDX-License-Identifier: GPL-2.0
"""Contents of uninitialised memory and registers, selected by ``Input.poison``.

Two runs that differ only in poison show what depends on it. Old and new code get the same poison,
so memory that both leave uninitialised compares equal.
"""

from __future__ import annotations

# The stack, by Input.poison. All bits differ between the first two; zero is what real stacks often
# hold and what tests for 0 depend on.
STACK = (b"\xa5", b"\x5a", b"\x00")
# Freed memory, by Input.poison; the first is POISON_FREE (include/linux/poison.h).
FREED = (b"\x6b", b"\x94", b"\x00")
KINDS = len(STACK)
# Registers at function entry, and call-clobbered registers after a call.
FOUND, SPOILED = 0x5A, 0x6B


def returned(result: str, poison: int) -> bool:
    """Whether a result is stack poison, which cannot be compared."""
    fill = STACK[poison].hex()
    digits = result.removeprefix("0x")
    return (
        fill != "00" and len(digits) in (8, 16) and digits == fill * (len(digits) // 2)
    )


def register(kind: int, poison: int, number: int, size: int) -> int:
    """The contents of register ``number``, ``size`` bytes wide; ``kind`` is FOUND or SPOILED."""
    if poison == 2:
        return 0
    if poison == 1:
        fill = int.from_bytes(bytes([~kind & 0xFF]) * size, "little")
        return fill - number
    return (kind << 8 | kind) << 8 * size - 16 | number
