# SPDX-License-Identifier: GPL-2.0
"""A counter-example stays one where z3 gives up on what is only wanted of it."""

import z3

from hotcocci.proof.symbolic.example import _modelled, _where_possible
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import Path, UnsupportedError

WORD = z3.BitVec("argument 0", 64)
PATH = Path().with_(WORD > 7)


class GivesUp(Solver):
    """A solver that does not know."""

    def possible(self, path: Path, condition: object = 1) -> bool:
        raise UnsupportedError("z3 gave up")


def test_what_cannot_hold_or_is_not_known_is_left_out():
    assert _where_possible(Solver(), PATH, WORD == 8).conditions[-1].eq(WORD == 8)
    assert _where_possible(Solver(), PATH, WORD == 1) is PATH
    assert _where_possible(GivesUp(), PATH, WORD == 8) is PATH


def test_a_model_that_is_not_known(monkeypatch):
    assert _modelled(PATH) is not None
    monkeypatch.setattr("hotcocci.proof.symbolic.example.Solver", GivesUp)
    assert _modelled(PATH) is None
