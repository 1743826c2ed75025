# SPDX-License-Identifier: GPL-2.0
"""sparse runs with kbuild's flags; failures are reported."""

import shutil
from pathlib import Path

import pytest

from hotcocci.engines.compiler import sparse
from hotcocci.errors import EngineError
from hotcocci.tree.build import Build
from hotcocci.tree.targets import TARGETS

SOURCE = """\
int f(int *p);
int f(int *p)
{
	int __attribute__((noderef, address_space(__user))) *q = p;

	return !!q;
}
"""


def build_in(folder: Path, *checkflags: str) -> Build:
    return Build(folder, folder, TARGETS["x86-64"], checkflags, ())


def test_a_complaint_in_two_lines_is_one_message(tmp_path):
    if shutil.which("sparse") is None:
        pytest.skip("sparse is not installed")
    source = tmp_path / "fs/a.c"
    source.parent.mkdir(exist_ok=True)
    source.write_text(SOURCE)
    (message,) = sparse(build_in(tmp_path, "-m64"), ["gcc", "-O2"], source, tmp_path)
    assert (message.file, message.line) == ("fs/a.c", 4)
    assert "different address spaces" in message.text
    assert "expected int [noderef] __user *q got int *p" in message.text


def test_failures_are_reported(tmp_path, monkeypatch):
    with pytest.raises(EngineError, match="new enough"):
        sparse(build_in(tmp_path), ["gcc"], tmp_path / "a.c", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match="not installed"):
        sparse(build_in(tmp_path, "-m64"), ["gcc"], tmp_path / "a.c", tmp_path)


def test_a_build_of_smatch_in_the_path_is_passed_over(tmp_path, program):
    if shutil.which("sparse") is None:
        pytest.skip("sparse is not installed")
    other = program("sparse", "echo a.c:9:1: warning: of another sparse >&2")
    with pytest.raises(AssertionError):
        test_a_complaint_in_two_lines_is_one_message(tmp_path)
    (other.parent / "smatch_data").mkdir()
    test_a_complaint_in_two_lines_is_one_message(tmp_path)


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo hello", "it prints 'hello', which is no answer"),
        ("printf 'a.c:1:2: warn' >&2", "its output is cut off after"),
    ],
)
def test_output_that_is_no_answer(tmp_path, program, script, why):
    program("sparse", script)
    with pytest.raises(EngineError, match=why):
        sparse(build_in(tmp_path, "-m64"), ["gcc"], tmp_path / "a.c", tmp_path)
