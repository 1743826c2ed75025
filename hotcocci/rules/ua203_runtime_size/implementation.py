# SPDX-License-Identifier: GPL-2.0
"""The implementation of UA203."""

from __future__ import annotations

from pathlib import Path

from hotcocci.rewrite.copies.calls import COPIES
from hotcocci.rewrite.copies.dispatch import may_hold_dispatch
from hotcocci.rules.ua203_runtime_size.callers import folder_state
from hotcocci.rules.ua203_runtime_size.decide import decide
from hotcocci.rules.implementation import Implementation
from hotcocci.rules.ua203_runtime_size.helper import HEADER
from hotcocci.tree.select import COPY
from hotcocci.tree.stamps import stamps


def _state(root: Path, file: str) -> bytes:
    """A digest that changes with the commands and callers of a file, and with the helpers' header."""
    return folder_state(root, file) + stamps([str(root / HEADER)]).encode()


IMPLEMENTATION = Implementation(
    COPY, may_hold_dispatch, decide, COPIES, uses_hotness=True, extra_key=_state
)
