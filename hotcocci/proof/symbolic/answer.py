# SPDX-License-Identifier: GPL-2.0
"""What a comparison for all inputs says of a function."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.proof.execution.inputs import Input

PROVEN, DIFFERS, UNKNOWN = "proven", "differs", "unknown"


@dataclass(frozen=True)
class Answer:
    """What the comparison for all inputs says.

    ``what`` says what differs, or why nothing is known. ``turns`` is how often loops were run
    where there are any that were not run to their end, else 0. ``paths`` were gone to their
    end. ``permitted`` are permitted differences, ``assumed`` what has to be so. ``example`` is an
    input for which it differs, if one could be made.
    """

    verdict: str
    what: str = ""
    paths: int = 0
    turns: int = 0
    permitted: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    example: Input | None = None
