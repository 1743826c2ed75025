# SPDX-License-Identifier: GPL-2.0
"""The permitted differences between old and new code, as every report names them."""

from __future__ import annotations

ZEROED = "the destination is not zeroed on a fault"
STOPS = "user accesses stop at the first fault"
REFUSED = (
    "a range not entirely in user space is now refused before the first user access"
)
LATE = "a range not entirely in user space now fails at an access, not at the check"
UNREFUSED = "a range not entirely in user space is no longer refused if no access leaves user space"
LOADED_LATE = "loads that now fail where the check did may write their destinations"
PARTS = "a faulting copy may transfer other bytes than separate accesses do"

# Those after a fault that need a result which tells callers of it.
REPORTED = frozenset({PARTS, STOPS, ZEROED, LOADED_LATE})
