# SPDX-License-Identifier: GPL-2.0
"""The differences that the conditions of rewriting allow, by the names that every witness uses."""

from __future__ import annotations

ZEROED = "on a fault the destination is not zeroed"
STOPS = "nothing is accessed after the first fault"
REFUSED = "a range that leaves user space is refused before the first access"
LATE = (
    "a range that leaves user space is found out by an access, not by the check before"
)
CALLED = "calls in stored values are made before the first access"
CHECKED = "a pointer to kernel memory is refused, which was not checked"
PARTS = "a copy that faults may leave other bytes behind than accesses do"
