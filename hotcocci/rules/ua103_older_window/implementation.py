# SPDX-License-Identifier: GPL-2.0
"""The implementation of UA103."""

from __future__ import annotations

from hotcocci.rules.implementation import Implementation
from hotcocci.rules.ua103_older_window.decide import decide
from hotcocci.tree.select import BEGIN
from hotcocci.windows.vocabulary import BEGINS


def _may_match(_: str) -> bool:
    return True


IMPLEMENTATION = Implementation(
    BEGIN,
    _may_match,
    decide,
    frozenset({"access_ok", *BEGINS}),
    uses_hotness=True,
)
