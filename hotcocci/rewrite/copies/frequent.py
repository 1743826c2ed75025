# SPDX-License-Identifier: GPL-2.0
"""Choose the run-time sizes of copies that deserve code of their own."""

from __future__ import annotations

from collections.abc import Sequence

# Larger copies are what copy_from_user() is for.
MOST_BYTES = 64
# A size of fewer than one copy in so many is left to the general copy.
SHARE = 40
# Each size adds code.
MOST_SIZES = 6


def frequent(sizes: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The sizes to copy inline, smallest first, of a table of sizes and how often each occurs.

    They are 4 bytes and multiples of 8 up to `MOST_BYTES`, each of one copy in `SHARE` or more; the most
    frequent ones if there are more than `MOST_SIZES`.
    """
    total = sum(count for size, count in sizes if size)
    fit = [
        (count, -size)
        for size, count in sizes
        if (size == 4 or 0 < size <= MOST_BYTES and size % 8 == 0)
        and count * SHARE >= total
    ]
    return tuple(sorted(-size for _, size in sorted(fit)[-MOST_SIZES:]))
