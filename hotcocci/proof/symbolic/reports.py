# SPDX-License-Identifier: GPL-2.0
"""Results that report a fault to the caller, which then uses nothing that the function did not set.

An error number does. So does any other result that no path without a fault returns: the number of
bytes not copied, false, NULL. A length, or a pointer that is always valid, does not.
"""

from __future__ import annotations

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.context import Context
from hotcocci.proof.symbolic.state import Path, UnsupportedError
from hotcocci.proof.symbolic.values import Word

# include/linux/err.h
MAX_ERRNO = 4095


def no_error(word: Word, bits: int) -> z3.BoolRef:
    """The condition for a result to be no error number, as an integer or a pointer."""
    least = (1 << bits) - MAX_ERRNO
    return v.truth(v.settled(v.below(word, least, bits)))


def require_reports(context: Context) -> None:
    """Raise UnsupportedError if a path without a fault may return what is to report one."""
    for path, word in context.reports:
        for other, answer in context.answers:
            if answer is None or _may_be_equal(context, (path, word), (other, answer)):
                raise UnsupportedError(
                    "after a fault memory differs, and the result may be that of a path without one"
                )


def _may_be_equal(
    context: Context, one: tuple[Path, Word], other: tuple[Path, Word]
) -> bool:
    """Whether two results may be the same. They are from different calls, so that equal variables differ."""
    assert context.result is not None
    bits = 8 * context.result.size
    for (path, word), (_, constant) in ((one, other), (other, one)):
        if isinstance(constant, int):
            same = v.settled(v.equal(word, constant, bits))
            return context.solver.possible(path, v.truth(same))
    return True
