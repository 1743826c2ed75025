# SPDX-License-Identifier: GPL-2.0
"""Interface to the symbolic engine.

pyvex and z3 are imported here and not before, as only the ``prove`` extra installs them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from hotcocci.proof.objects.altered import other_data
from hotcocci.proof.objects.compiled import Side
from hotcocci.proof.objects.credentials import Credentials
from hotcocci.proof.objects.image import Function
from hotcocci.proof.objects.processor import Processor
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

    from hotcocci.proof.symbolic.arm64 import Arm64
    from hotcocci.proof.symbolic.equivalence import Subject, equivalent
    from hotcocci.proof.symbolic.powerpc import PowerPC32
    from hotcocci.proof.symbolic.x86 import X86

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
    arch: Arm64 | PowerPC32 | X86 = X86()
    if question.target == "arm64":
        arch = Arm64(question.processor)
    elif question.target.startswith("powerpc-"):
        arch = PowerPC32(question.processor, question.target == "powerpc-book3s32")
    registry = question.sides[0].image.registry
    return equivalent(
        (subjects[0], subjects[1]),
        arch,
        question.processor.constants(registry),
        question.safe,
        question.noreturn,
        question.credentials,
        question.processor.private,
        effort,
    )
