# SPDX-License-Identifier: GPL-2.0
"""The result of a symbolic comparison."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.proof.execution.inputs import Input

PROVEN, DIFFERS, UNKNOWN = "proven", "differs", "unknown"


@dataclass(frozen=True)
class Answer:
    """The result of a comparison for all inputs.

    ``what`` is the difference, or the reason for UNKNOWN. ``turns`` is the number of loop
    iterations that a bounded proof covers, 0 for a full one. ``paths`` counts the paths followed to
    their end. ``permitted`` are the permitted differences, ``assumed`` the assumptions. ``example``
    is an input that shows the difference, if one could be made.
    """

    verdict: str
    what: str = ""
    paths: int = 0
    turns: int = 0
    permitted: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    example: Input | None = None
