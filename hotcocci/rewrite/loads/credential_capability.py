# SPDX-License-Identifier: GPL-2.0
"""Questions for a capability: a security module is asked, the task is marked for having used it."""

from __future__ import annotations

import re
from functools import lru_cache

from hotcocci.c.source import NAME, closing
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.loads.credential_changes import bodies
from hotcocci.rewrite.loads.credential_loads import Load

# kernel/capability.c and what is named after it: PF_SUPERPRIV is set, an audit record may be written.
_CAPABLE = re.compile(
    r"\w*capable\w*|has_(?:ns_)?capability\w*|security_capable\w*|smack_privileged\w*"
)


def asks(name: str) -> bool:
    """Whether a function of that name asks for a capability."""
    return _CAPABLE.fullmatch(name) is not None


@lru_cache(maxsize=4)
def askers(text: str) -> frozenset[str]:
    """The functions and macros of a file that ask for a capability themselves."""
    if "capab" not in text:
        return frozenset()
    return frozenset(
        name
        for name, body in bodies(text).items()
        if any(token.kind == NAME and asks(token.text) for token in body)
    )


def capability_between(context: Context, loads: list[Load]) -> int | None:
    """Where a capability is asked for between the first load and the last, or in a round of both."""
    low, high = loads[0].end, loads[-1].start
    for load in loads:
        for start, end in context.rounds(load.start):
            low, high = min(low, start), max(high, end)
    tokens = context.tokens
    ours = askers(context.source.text)
    for index, (token, follower) in enumerate(zip(tokens, tokens[1:])):
        if follower.text == "(" and (asks(token.text) or token.text in ours):
            last = closing(tokens, index + 1)
            # What is asked with is evaluated first.
            if last is not None and low <= tokens[last].start < high:
                return token.start
    return None
