# SPDX-License-Identifier: GPL-2.0
"""The gain of a rewrite: counts before and after, and the modelled cycles of functions (hotcocci/machine/costs)."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from statistics import median

from hotcocci.findings import Cost, Count, Cycles, Finding, Gain, Saves


def worse(before: Cost, after: Cost) -> str:
    """Describe what got worse on the non-faulting path, with figures; empty if nothing did.

    Calls, opens and closes of user access, and fences are much more expensive than other instructions, so
    instructions decide only if the number of these is the same. Empty as well if a path is unknown.
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

    Calls, opens and closes of user access, and fences count EXPENSIVE each. None if a path is unknown.
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


# LFENCE waits for the data of loads in flight; isync and isb do not. In a hot path some are from the
# second-level cache: 14 cycles on a Skylake server, 12 on Zen 3 (https://www.7-cpu.com/).
WAIT = 14.0
WAITING = ("x86-64", "i386")


def saves(modelled: Iterable[Cycles]) -> Saves | None:
    """The range of cycles saved over these processors; None without any."""
    fewer = [(each.mainstream, each.before - each.after) for each in modelled]
    usual = [number for mainstream, number in fewer if mainstream]
    return spanning([number for _, number in fewer], usual)


def of_gains(gains: Collection[Gain]) -> Saves | None:
    """The range of cycles that a function's code saves on some targets; None if they are not modelled."""
    found = saves(each for gain in gains for each in gain.cycles)
    if found is None:
        return None
    sides = [(g.target, g.before.success, g.after.success) for g in gains]
    wait = max(waiting(t, b.fences, a.fences) if a and b else 0.0 for t, b, a in sides)
    return replace(found, least=found.least - wait)


def is_of(gain: Gain, finding: Finding) -> bool:
    """Whether a function that was compiled is the one of a finding.

    Macros put a prefix before the name of a system call (__do_sys_) or a BPF helper (____).
    """
    name = re.escape(finding.function or "?")
    return bool(re.fullmatch(rf"(?:__\w*sys_|____)?{name}", gain.function))


def waiting(target: str, before: int, after: int) -> float:
    """The cycles that more fences than before may wait for loads."""
    return WAIT * max(after - before, 0) if target in WAITING else 0.0


def spanning(fewer: Collection[float], usual: Collection[float]) -> Saves | None:
    """The range of these cycles, and the median of those on usual processors, or of all without any.

    None without any cycles.
    """
    known = [round(number, 1) for number in fewer]
    if not known:
        return None
    return Saves(min(known), max(known), round(median(usual or known), 1))


def total(functions: Iterable[Sequence[Cycles]]) -> Saves | None:
    """The range of cycles saved by several functions of a target, each called once."""
    sums: dict[str, Cycles] = {}
    for each in chain.from_iterable(functions):
        so_far = sums.get(each.processor, replace(each, before=0.0, after=0.0))
        sums[each.processor] = replace(
            each, before=so_far.before + each.before, after=so_far.after + each.after
        )
    return saves(sums.values())


def typical(saves: Saves) -> str:
    """The typical cycles as text, with two digits: "~70"; an estimate has no more."""
    number = saves.typical
    step = 10 if abs(number) >= 100 else 1
    return f"~{round(number / step) * step:d}"


def cycles(range_: Saves) -> str:
    """A range of cycles as text: "12 to 45", or "3"."""
    least, most = f"{range_.least:z.0f}", f"{range_.most:z.0f}"
    return least if least == most else f"{least} to {most}"
