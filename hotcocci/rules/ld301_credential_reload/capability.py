# SPDX-License-Identifier: GPL-2.0
"""Find capability checks: a security module decides, and they may set PF_SUPERPRIV."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from hotcocci.c.source import NAME, closing
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.loads.credential_loads import Load
from hotcocci.rules.ld301_credential_reload.definitions import (
    Definition,
    Effect,
    is_used,
    names_with,
)

# kernel/capability.c and functions with similar names: they set PF_SUPERPRIV and may
# write an audit record.
_CAPABLE = re.compile(
    r"\w*capable\w*|has_(?:ns_)?capability\w*|security_capable\w*|smack_privileged\w*"
)


def is_capability_check(name: str) -> bool:
    """Whether the name is that of a capability check."""
    return _CAPABLE.fullmatch(name) is not None


@lru_cache(maxsize=4)
def capability_checks(text: str, root: Path, file: str) -> frozenset[str]:
    """Names in a file and its headers that check a capability, directly or by calls."""
    return names_with(_CHECKING, root, file, text)


def _may_check(text: str) -> bool:
    return "capab" in text


def _checks(definition: Definition, ours: frozenset[str]) -> bool:
    body = definition.body
    return any(
        is_used(body, index, ours)
        or (token.kind == NAME and is_capability_check(token.text))
        for index, token in enumerate(body)
    )


def _names_capability(definition: Definition) -> bool:
    return "capab" in definition.text or "smack_privileged" in definition.text


_CHECKING = Effect(_may_check, _names_capability, _checks)


def capability_between(context: Context, loads: list[Load]) -> int | None:
    """The offset of a capability check between the first load and the last, or in a loop with both."""
    low, high = loads[0].end, loads[-1].start
    for load in loads:
        for start, end in context.repeated_ranges(load.start):
            low, high = min(low, start), max(high, end)
    tokens = context.tokens
    ours = capability_checks(
        context.source.text, context.options.root, context.facts.file
    )
    for index, (token, follower) in enumerate(zip(tokens, tokens[1:])):
        called = follower.text == "("
        if is_used(tokens, index, ours) or (called and is_capability_check(token.text)):
            last = closing(tokens, index + 1) if called else index
            # Arguments are evaluated before the call.
            if last is not None and low <= tokens[last].start < high:
                return token.start
    return None
