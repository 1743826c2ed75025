# SPDX-License-Identifier: GPL-2.0
"""Where a branch that is taken again is another turn of a loop."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest
import z3

from hotcocci.proof.symbolic import search
from hotcocci.proof.symbolic.joint import Joint
from hotcocci.proof.symbolic.state import ForkNeeded, Inside, Path, State

CONTEXT = cast(
    Any, SimpleNamespace(solver=SimpleNamespace(possible=lambda path, way: True))
)


def forked(sites: Sequence[int | None]) -> None:
    """Take a branch both ways, in routines called at these sites; None is outside of any."""
    state = State(0x1000, {}, cast(Any, {}))
    joint = Joint((state, state), path=Path())
    for site in sites:
        inside = None if site is None else Inside("__put_user_4", 0, site)
        joint = joint.with_state(0, search.replace(joint.states[0], inside=inside))
        fork = ForkNeeded(z3.Bool("below"), 0x2000)
        joint = search._forked(CONTEXT, joint, 0, fork)[0]


def test_each_call_of_an_access_routine_has_turns_of_its_own():
    forked([1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize("site", [None, 1])
def test_a_branch_at_one_place_is_a_loop(site):
    with pytest.raises(search._CutError):
        forked([site] * 6)
