# SPDX-License-Identifier: GPL-2.0
"""Single instructions in the symbolic engine, compared with the emulator."""

import pytest
import z3
from emulated import SUBJECTS, emulated, translated

from hotcocci.proof.symbolic import values as v

ALL = [(target, name) for target, subject in SUBJECTS.items() for name in subject.codes]
# Branches and bit tests need known numbers.
KNOWN = ("bt", "branch")


@pytest.mark.parametrize(("target", "name"), ALL)
def test_results_are_those_of_the_emulator(target, name):
    """Of known numbers, and of formulas of unknown ones evaluated for them."""
    subject = SUBJECTS[target]
    width = subject.width
    code = bytes.fromhex(subject.codes[name])
    wanted = emulated(subject, name)
    for given, results in wanted.items():
        found = [v.plain(word) for word in translated(subject, code, given)]
        assert found == results, [hex(each) for each in given]
    if name.startswith(KNOWN):
        return
    variables = tuple(z3.BitVec(f"number {n}", width) for n in range(3))
    formulas = [v.term(word, width) for word in translated(subject, code, variables)]
    for given, results in [*wanted.items()][::4]:
        known = [
            (variable, z3.BitVecVal(value, width))
            for variable, value in zip(variables, given, strict=True)
        ]
        evaluated = [z3.simplify(z3.substitute(each, *known)) for each in formulas]
        assert [each.as_long() for each in evaluated] == results


@pytest.mark.parametrize("target", SUBJECTS)
def test_all_call_clobbered_registers_are_known(target):
    arch = SUBJECTS[target].arch
    start = {*arch.start("new"), arch.registers.link}
    assert set(arch.registers.spoiled) <= start
