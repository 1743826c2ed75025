# SPDX-License-Identifier: GPL-2.0
"""What an operation takes beside the lines of a finding, against which a gain in it is measured."""

from __future__ import annotations

import re

# Cycles that an operation takes at least, by what a finding runs once for. A benchmark counts 2,816
# instructions for stat(). The others are estimated, with care: what sleeps takes two context switches, a
# request waits for a device, a period of sound or a transfer is copied.
_WORK = """
newstat() 1500
newlstat() 1500
newfstatat() 1500
statx() 1500
open() 1500
openat() 1500
futex_wait() 2000
nanosleep() 2000
clock_nanosleep() 2000
signal 2000
copied sound period 5000
USB transfer 2000
binder transaction 10000
request 5000
"""
_CYCLES = {
    what: float(cycles)
    for what, _, cycles in (line.rpartition(" ") for line in _WORK.strip().split("\n"))
}
# Who runs it makes no difference; in a loop, a gain is that of a round.
_OF = re.compile(
    r"^(?!in a loop).*?\bper (?:32-bit )?(.*?)(?: of an? [\w-]+ program)*$"
)


def work(per: str | None) -> float:
    """The cycles that an operation takes at least, by what a line runs once for; 0 if that is not known."""
    found = _OF.match(per or "")
    return _CYCLES.get(found[1], 0.0) if found else 0.0
