# SPDX-License-Identifier: GPL-2.0
"""Calls between the loads whose code is not seen: in another file, or through a pointer.

Such code may change the credentials of the task. Few functions do; that this one does not is for a
person to say, so the rewrite is not ``safe``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hotcocci.c.source import NAME
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.loads.credential_loads import Load
from hotcocci.rewrite.loads.credential_opaque import unseen


def unseen_call(
    context: Context, loads: Sequence[Load], between: Callable[[int], bool]
) -> str | None:
    """What is called between the loads and not seen, for a message; None if all is seen.

    ``between`` tells whether an offset is on a path from one load to another.
    """
    root, file = context.options.root, context.facts.file
    own = {load.start for load in loads}
    for token in unseen(root, file, context.function.name, context.tokens):
        if token.start not in own and between(token.start):
            what = f"{token.text}()" if token.kind == NAME else "what is called"
            return f"{what} at line {context.source.line_of(token.start)}"
    return None
