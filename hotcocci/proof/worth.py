# SPDX-License-Identifier: GPL-2.0
"""Whether a rewrite is worth its while on a target, by what it costs before and after."""

from __future__ import annotations

from hotcocci.findings import Cost, Count


def worse(before: Cost, after: Cost) -> str:
    """What got worse where nothing fails, in numbers; empty if nothing that counts did.

    A call, an open or close of user access and a fence each cost as much as many other
    instructions: only where their number is the same do instructions decide. Nothing is said
    where the path of success could not be told.
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


# The rules whose rewrites are refused where they save no load
SAVES_LOADS = frozenset({"LD301", "LD302"})

# The rules whose rewrites are refused where no target's code gets smaller
SHRINKS = frozenset({"LD304"})


def smaller(before: Cost, after: Cost) -> bool:
    """Whether a function takes fewer instructions, or as many in fewer bytes."""
    old, new = before.whole.instructions, after.whole.instructions
    return (new, after.size) < (old, before.size)


def loads_saved(before: Cost, after: Cost) -> int:
    """How many loads a rewrite saves where nothing fails, or in all where that path is not known."""
    if before.success is None or after.success is None:
        return before.whole.loads - after.whole.loads
    return before.success.loads - after.success.loads


# A stand-in for cycles: opening or closing user access, a call or a fence against any other
# instruction. Leroy's profile (ALSA pcm, 2025-06-13) puts 9 * 2 switches near a third of a path.
EXPENSIVE = 10


def saved(before: Cost, after: Cost) -> int | None:
    """What a rewrite saves where nothing fails, in instructions; negative if it costs more.

    A call, an open or close of user access and a fence each count as EXPENSIVE instructions. None
    where the path of success could not be told.
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
