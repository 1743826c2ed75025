# SPDX-License-Identifier: GPL-2.0
"""Single instructions in the symbolic engine, compared with the emulator."""

from __future__ import annotations

import pytest
import z3
from emulated import SUBJECTS, emulated, inputs, translated

from hotcocci.proof.symbolic import values as v

ALL = [(target, name) for target, subject in SUBJECTS.items() for name in subject.codes]
# Branches and bit tests need known numbers.
KNOWN = ("bt", "branch")


@pytest.mark.parametrize(("target", "name"), ALL)
def test_known_numbers(target: str, name: str) -> None:
    subject = SUBJECTS[target]
    code = bytes.fromhex(subject.codes[name])
    for given in inputs(subject, name):
        found = [v.plain(word) for word in translated(subject, code, given)]
        wanted = emulated(subject, code, given)
        assert found == wanted, [hex(each) for each in given]


@pytest.mark.parametrize(
    ("target", "name"), [each for each in ALL if not each[1].startswith(KNOWN)]
)
def test_unknown_numbers(target: str, name: str) -> None:
    """A formula of unknown numbers evaluates to the emulator's result."""
    subject = SUBJECTS[target]
    width = subject.width
    code = bytes.fromhex(subject.codes[name])
    variables = tuple(z3.BitVec(f"number {n}", width) for n in range(3))
    formulas = [v.term(word, width) for word in translated(subject, code, variables)]
    for given in inputs(subject, name)[::3]:
        known = [
            (variable, z3.BitVecVal(value, width))
            for variable, value in zip(variables, given, strict=True)
        ]
        found = [z3.simplify(z3.substitute(each, *known)) for each in formulas]
        assert [each.as_long() for each in found] == emulated(subject, code, given)


@pytest.mark.parametrize("target", SUBJECTS)
def test_all_call_clobbered_registers_are_known(target: str) -> None:
    arch = SUBJECTS[target].arch
    start = {*arch.start("new"), arch.registers.link}
    assert set(arch.registers.spoiled) <= start
