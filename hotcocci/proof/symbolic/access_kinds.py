# SPDX-License-Identifier: GPL-2.0
"""Dispatch user accesses: by an instruction, a string operation or a routine."""

from __future__ import annotations

from hotcocci.proof.symbolic import bulk, user
from hotcocci.proof.symbolic.access import Side
from hotcocci.proof.symbolic.architecture import STRING
from hotcocci.proof.symbolic.code import block
from hotcocci.proof.symbolic.state import Access, State
from hotcocci.proof.symbolic.values import Word


def reached(side: Side, at: str) -> tuple[State, Access | None]:
    """The user access that is about to be made, or the state after its fault.

    ``at`` is the number of the event, as text. Raises ForkNeeded, ValueNeeded and UnsupportedError.
    """
    code, pc = side.code, side.state.pc
    if code.image.routines.get(pc) in code.arch.whole:
        return bulk.reached(side, at)
    if block(code, pc).decoded.kind == STRING:
        return bulk.reached(side, at)
    return user.reached(side, at)


def succeeded(side: Side, access: Access, data: Word | None) -> State:
    """The state after an access that loaded ``data``."""
    made = bulk.succeeded if access.block else user.succeeded
    return made(side, access, data)
