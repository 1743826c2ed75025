# SPDX-License-Identifier: GPL-2.0
"""When a rewrite costs more than it saves."""

import pytest

from hotcocci.findings import Cost, Count
from hotcocci.saves import loads_saved, worse


def cost(*success):
    return Cost(Count(*success) if success else None, Count(99, 9, 9, 9), 400)


# Instructions, calls, switches, fences: before, after, and the message.
CASES = {
    "fewer of all": ((80, 9, 18, 0), (13, 0, 2, 1), ""),
    "the same": ((20, 1, 2, 0), (20, 1, 2, 0), ""),
    "more instructions, fewer calls": ((20, 3, 6, 0), (32, 0, 2, 1), ""),
    "a fence for a call": ((20, 1, 2, 0), (20, 0, 2, 1), ""),
    "more fences": ((20, 1, 2, 0), (10, 1, 2, 1), "3 -> 4 (1 + 2 + 0 before"),
    "more switches": ((20, 0, 2, 0), (10, 0, 4, 0), "2 -> 4"),
    "more calls": ((20, 0, 2, 0), (10, 1, 2, 0), "2 -> 3"),
    "more instructions": ((20, 0, 2, 1), (21, 0, 2, 1), "instructions: 20 -> 21"),
    "a fence for a call, and longer": ((20, 1, 2, 0), (21, 0, 2, 1), "20 -> 21"),
    "not told before": ((), (99, 9, 9, 9), ""),
    "not told after": ((1, 0, 0, 0), (), ""),
}


@pytest.mark.parametrize("case", CASES)
def test_worse(case):
    before, after, complaint = CASES[case]
    found = worse(cost(*before), cost(*after))
    assert bool(found) == bool(complaint) and complaint in found


def test_loads_saved():
    for before, after, number in (
        ((20, 2, 0, 0, 9), (20, 2, 0, 0, 7), 2),
        ((20, 2, 0, 0, 9), (18, 2, 0, 0, 9), 0),
        ((20, 2, 0, 0, 9), (18, 2, 0, 0, 10), -1),
        # Without a known path, the whole function counts.
        ((20, 2, 0, 0, 9), (), 0),
    ):
        assert loads_saved(cost(*before), cost(*after)) == number
