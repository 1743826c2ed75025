# SPDX-License-Identifier: GPL-2.0
"""Interface to the symbolic engine.

pyvex and z3 are imported here and not before, as only the ``prove`` extra installs them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from hotcocci.proof.execution.compiled import Side
from hotcocci.proof.execution.credentials import Credentials
from hotcocci.proof.execution.data import other_data
from hotcocci.proof.execution.image import Function
from hotcocci.proof.execution.processor import Processor
from hotcocci.proof.symbolic.answer import UNKNOWN, Answer

# Effort per function (solver.py), about a minute; memory of z3 in megabytes.
EFFORT = 200_000_000
MEGABYTES = 4096


@dataclass(frozen=True)
class Question:
    """Both sides of a file, and what is known of its calls (machine.py)."""

    target: str
    sides: tuple[Side, Side]
    inline: tuple[frozenset[str], frozenset[str]]
    processor: Processor
    safe: frozenset[str]
    noreturn: frozenset[str]
    credentials: Credentials


def for_all(
    question: Question,
    functions: tuple[Function, Function],
    sites: tuple[frozenset[int], frozenset[int]],
    effort: int = EFFORT,
) -> Answer:
    """Compare old and new code of a function for all inputs.

    ``sites`` are the user accesses on changed lines, by side; ``effort`` limits the work.
    """
    images = question.sides[0].image, question.sides[1].image
    data = other_data(*images, functions[0].name)
    if data:
        return Answer(UNKNOWN, f"the contents of {data} changed")
    import z3

    from hotcocci.proof.symbolic.equivalence import Subject, equivalent
    from hotcocci.proof.symbolic.targets import architecture

    z3.set_param("memory_max_size", MEGABYTES)
    # z3 takes numbers as decimal text, and a page of memory is a number of 9,865 digits.
    sys.set_int_max_str_digits(0)
    subjects = [
        Subject(
            side.image,
            side.signatures,
            function,
            inline,
            side.signatures.locals(function.name),
            side.line,
            accesses,
        )
        for side, function, inline, accesses in zip(
            question.sides, functions, question.inline, sites, strict=True
        )
    ]
    registry = question.sides[0].image.registry
    return equivalent(
        (subjects[0], subjects[1]),
        architecture(question.target, question.processor),
        question.processor.constants(registry),
        question.safe,
        question.noreturn,
        question.credentials,
        question.processor.private,
        effort,
    )
