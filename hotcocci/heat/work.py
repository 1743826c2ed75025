# SPDX-License-Identifier: GPL-2.0
"""What an operation takes beside the lines of a finding, against which a gain in it is measured."""

from __future__ import annotations

import re

# Cycles that an operation takes at least, by what a finding runs once for.
_WORK = """
signal 2000
open() 2000
openat() 2000
newstat() 1500
newlstat() 1500
newfstat() 600
newfstatat() 1500
statx() 1500
waitid() 1000
wait4() 1000
clone() 20000
clone3() 20000
mmap() 1500
munmap() 1500
sendmsg() 1500
recvmsg() 800
page fault 1000
packet 1000
context switch 1000
copied sound period 5000
video frame 2000
USB transfer 2000
binder transaction 10000
virtual CPU's exit 1500
GPU submission 5000
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
