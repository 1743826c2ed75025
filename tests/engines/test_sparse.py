# SPDX-License-Identifier: GPL-2.0
"""sparse runs with kbuild's flags; failures are reported."""

import shutil
from dataclasses import replace

import pytest

from hotcocci.engines.compiler import sparse
from hotcocci.errors import EngineError

SOURCE = """\
int f(int *p);
int f(int *p)
{
	int __attribute__((noderef, address_space(__user))) *q = p;

	return !!q;
}
"""


def test_a_complaint_in_two_lines_is_one_message(unit):
    if shutil.which("sparse") is None:
        pytest.skip("sparse is not installed")
    unit.source.write_text(SOURCE)
    (message,) = sparse(unit.build, ["gcc", "-O2"], unit.source, unit.root)
    assert (message.file, message.line) == ("fs/a.c", 4)
    assert "different address spaces" in message.text
    assert "expected int [noderef] __user *q got int *p" in message.text


def test_failures_are_reported(unit, monkeypatch):
    with pytest.raises(EngineError, match="new enough"):
        sparse(replace(unit.build, checkflags=()), ["gcc"], unit.source, unit.root)
    monkeypatch.setenv("PATH", str(unit.root))
    with pytest.raises(EngineError, match="not installed"):
        sparse(unit.build, ["gcc"], unit.source, unit.root)


def test_a_build_of_smatch_in_the_path_is_passed_over(unit, program):
    if shutil.which("sparse") is None:
        pytest.skip("sparse is not installed")
    other = program("sparse", "echo a.c:9:1: warning: of another sparse >&2")
    with pytest.raises(AssertionError):
        test_a_complaint_in_two_lines_is_one_message(unit)
    (other.parent / "smatch_data").mkdir()
    test_a_complaint_in_two_lines_is_one_message(unit)
