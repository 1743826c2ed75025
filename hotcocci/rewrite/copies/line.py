# SPDX-License-Identifier: GPL-2.0
"""The straight line that a copy stands in, and what is left of it on a fault."""

from __future__ import annotations

from hotcocci.c.expression import Expr, Unary
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.copies.calls import Copy, lvalue, uncast
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.runs import Run, owner, pointer_names, straight_lines
from hotcocci.rewrite.shapes import leaving
from hotcocci.rewrite.steps import Copied, UserAccess
from hotcocci.rewrite.surroundings import targets
from hotcocci.rewrite.window import Refusal


def as_run(copy: Copy, members: tuple[str, ...] = ()) -> Run | None:
    """The copy as a run by itself; None if it stands in no straight line.

    ``members`` are the paths of what is accessed one by one.
    """
    context = copy.context
    source, function = context.source, context.function
    user, kernel = pointer_names(source, function, context.facts)
    kernel_ = uncast(copy.kernel)
    value: Expr = Unary(kernel_.start, kernel_.end, "*", kernel_)
    if isinstance(kernel_, Unary) and kernel_.operator == "&":
        value = kernel_.operand
    copied = Copied(
        squeeze(lvalue(copy)),
        squeeze(copy.text(copy.kernel)),
        squeeze(copy.text(copy.size)),
        members,
    )
    access = UserAccess(
        copy.access,
        copy.start,
        copy.end,
        copy.direction,
        value,
        copy.user,
        bases.find_base(source.text, copy.user, user, kernel),
        copied,
    )
    owned = {id(owner(function, copy.start)): [access]}
    for line in straight_lines(source, function, owned):
        for index, step in enumerate(line):
            if access in step.accesses:
                return Run(function, (access,), line, index, index)
    return None


def dies_on_fault(copy: Copy) -> bool:
    """Whether nobody can see what a fault leaves in the kernel's object."""
    run = as_run(copy)
    if run is None or not copy.context.is_local(run.accesses[0].value):
        return False
    left = leaving(run, copy.context)
    return not isinstance(left, Refusal) and targets(run, copy.context, left) is None
