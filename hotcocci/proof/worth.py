# SPDX-License-Identifier: GPL-2.0
"""Decide from the costs before and after whether a rewrite pays off on a target."""

from __future__ import annotations

from hotcocci.findings import Cost, Count


def worse(before: Cost, after: Cost) -> str:
    """Describe what got worse on the non-faulting path, with figures; empty if nothing did.

    Calls, opens and closes of user access, and fences are much more expensive than other
    instructions, so instructions decide only if the number of these is the same. Empty as well if a
    path is unknown.
    """
    old, new = before.success, after.success
    if old is None or new is None:
        return ""
    if _expensive(new) > _expensive(old):
        return (
            f"calls, user access opens and closes, and fences: {_expensive(old)} -> "
            f"{_expensive(new)} ({_listed(old)} before, {_listed(new)} after)"
        )
    if _expensive(new) == _expensive(old) and new.instructions > old.instructions:
        return (
            f"instructions: {old.instructions} -> {new.instructions}, with the same number of "
            f"calls, user access opens and closes, and fences ({_expensive(new)})"
        )
    return ""


def loads_saved(before: Cost, after: Cost) -> int:
    """The number of loads saved on the non-faulting path, or in the whole function if it is unknown."""
    if before.success is None or after.success is None:
        return before.whole.loads - after.whole.loads
    return before.success.loads - after.success.loads


# Weight of a call, fence, or open or close of user access in instructions. In Leroy's profile (ALSA
# pcm, 2025-06-13) 9 * 2 switches are near a third of a path.
EXPENSIVE = 10


def saved(before: Cost, after: Cost) -> int | None:
    """The weighted instructions saved on the non-faulting path; negative if it costs more.

    Calls, opens and closes of user access, and fences count EXPENSIVE each. None if a path is
    unknown.
    """
    old, new = before.success, after.success
    if old is None or new is None:
        return None
    fewer = _expensive(old) - _expensive(new)
    return old.instructions - new.instructions + (EXPENSIVE - 1) * fewer


def _expensive(count: Count) -> int:
    return count.calls + count.switches + count.fences


def _listed(count: Count) -> str:
    return f"{count.calls} + {count.switches} + {count.fences}"
