# SPDX-License-Identifier: GPL-2.0
"""Select the functions in which a semantic patch matches all statements."""

from __future__ import annotations

from hotcocci.c.matches import source_of
from hotcocci.findings import Facts
from hotcocci.rewrite.copies.dispatch import may_be_dispatch
from hotcocci.rewrite.copies.sizes import is_constant
from hotcocci.rewrite.prefilter import loop_around


def several(function: Facts) -> bool:
    """Whether a function has more than one access."""
    return len(function.accesses) > 1


def several_or_loop(function: Facts) -> bool:
    """Whether a function has more than one access, or one in a loop."""
    source = source_of(function.file)
    return several(function) or any(
        loop_around(source.text, source.range(access.call)[0])
        for access in function.accesses
    )


def has_small_copy(function: Facts) -> bool:
    """Whether a function has a copy of a scalar or a structure, or of a size that may be known at run time."""
    source = source_of(function.file)
    return any(
        is_constant(access.size)
        or may_be_dispatch(source.text, source.range(access.call)[0], callers=False)
        for access in function.accesses
    )
