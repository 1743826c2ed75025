# SPDX-License-Identifier: GPL-2.0
"""Select the functions in which a semantic patch matches all statements."""

from __future__ import annotations

from hotcocci.c.matches import source_of
from hotcocci.findings import Access, Facts
from hotcocci.rewrite.copies.dispatch import may_be_dispatch
from hotcocci.rewrite.copies.sizes import is_constant, is_record
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


def has_small_copy(function: Facts, everywhere: bool) -> bool:
    """Whether a function has a copy of a scalar, of a size known at run time, or if ``everywhere`` of a structure."""
    return any(_is_small(a, function, everywhere) for a in function.accesses)


def _is_small(access: Access, function: Facts, everywhere: bool) -> bool:
    source = source_of(function.file)
    if not is_constant(access.size):
        place = source.range(access.call)[0]
        return may_be_dispatch(source.text, place, callers=False)
    variables = {t.text: t.target for t in (*function.types, *function.locals)}
    return everywhere or not is_record(access.size, variables)
