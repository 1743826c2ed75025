# SPDX-License-Identifier: GPL-2.0
"""What memory and registers hold that nobody initialised: something else with every ``Input.poison``.

Two runs that differ in nothing else tell what depends on it. Both sides of a comparison have the
same, so that what is left uninitialised on both compares as equal.
"""

from __future__ import annotations

# Of the stack, by Input.poison. All bits differ between the first two; the last one is what a
# stack often holds, and what a test for 0 is decided by.
STACK = (b"\xa5", b"\x5a", b"\x00")
# Freed memory, likewise (include/linux/poison.h: POISON_FREE is the first).
FREED = (b"\x6b", b"\x94", b"\x00")
KINDS = len(STACK)
# Registers as a function finds them, and as a call leaves those that it may spoil.
FOUND, SPOILED = 0x5A, 0x6B


def returned(result: str, poison: int) -> bool:
    """Whether a result is what the stack holds that nobody initialised: it says nothing."""
    fill = STACK[poison].hex()
    digits = result.removeprefix("0x")
    return (
        fill != "00" and len(digits) in (8, 16) and digits == fill * (len(digits) // 2)
    )


def register(kind: int, poison: int, number: int, size: int) -> int:
    """What a register of ``size`` bytes holds; ``kind`` is FOUND or SPOILED, ``number`` which one."""
    if poison == 2:
        return 0
    if poison == 1:
        fill = int.from_bytes(bytes([~kind & 0xFF]) * size, "little")
        return fill - number
    return (kind << 8 | kind) << 8 * size - 16 | number
