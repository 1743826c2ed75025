# SPDX-License-Identifier: GPL-2.0
"""External programs: finding them, rates from llvm-mca, and new messages of compilers."""

import json

import pytest

from hotcocci.engines import clang_tidy, smatch
from hotcocci.engines.compiler import ERROR, WARNING, Message, new, parse, sparse
from hotcocci.engines.objtool import warnings
from hotcocci.engines.programs import Program, look
from hotcocci.errors import EngineError
from hotcocci.machine import costs
from hotcocci.machine.costs import rates
from hotcocci.tree.process import Outcome


def test_found_with_its_version(program):
    said = "[ $(pwd) = / ] && echo 'thing (GNU) v2.10.3-x, of 1.1.2020'"
    path = program("thing", said)
    (found,) = look([Program("thing", "all", "buy it")])
    assert (found.path, found.version) == (str(path), "2.10.3-x")


def test_a_git_program_is_found_in_its_exec_path(program):
    own = program("core/git-thing", "true")
    program("git", f"echo {own.parent}")
    (found,) = look([Program("git-thing", "all", "buy it")])
    assert found.path == str(own)


def test_a_header_stands_for_a_library():
    entries = [
        Program("libc", "", header="/usr/include/stdio.h"),
        Program("nolib", "", header="/usr/include/no-such-header.h"),
    ]
    libc, nolib = look(entries)
    assert libc.path is not None and nolib.path is None


X86 = ".intel_syntax noprefix"
PRODUCTS = ("imul rax, rax",) * 8
APART = tuple(f"mov r{n}, {n}" for n in range(8, 16))

needs_mca = pytest.mark.skipif(costs.llvm_mca() is None, reason="needs llvm-mca")


@needs_mca
def test_units_limit_the_rate():
    products, apart = rates("x86_64", "znver3", X86, [PRODUCTS, APART])
    assert products <= 1 < apart


@needs_mca
def test_what_cannot_be_read_is_left_out():
    found = rates("x86_64", "znver3", X86, [(*PRODUCTS, "nonsense"), ()])
    assert found[0] == rates("x86_64", "znver3", X86, [PRODUCTS])[0]
    assert found[1] is None


def test_what_needs_no_unit_has_no_rate(monkeypatch):
    summary = {"Instructions": 1, "BlockRThroughput": 0}
    said = json.dumps({"CodeRegions": [{"Name": "0", "SummaryView": summary}]})
    monkeypatch.setattr(costs, "llvm_mca", lambda: "llvm-mca")
    monkeypatch.setattr(costs, "run", lambda *_: Outcome(0, said, ""))
    assert rates("x86_64", "znver3", X86, [("nop",)]) == [None]


def test_without_the_program_there_is_no_rate(monkeypatch):
    monkeypatch.setattr(costs, "llvm_mca", lambda: None)
    assert rates("x86_64", "znver3", X86, [PRODUCTS]) == [None]


SAID = """\
/tmp/over/fs/a.c: In function 'f':
/tmp/over/fs/a.c:12:3: warning: unused variable 'x' [-Wunused-variable]
In file included from /tmp/over/fs/a.c:1:
/usr/src/linux/include/linux/b.h:5: error: expected ';'
/tmp/over/fs/a.c:12:3: note: it is here
./include/generated/c.h:7:1: fatal error: d.h: No such file or directory
cc1: some warnings
"""


def test_gcc_messages():
    assert parse(SAID, "/tmp/over", "/usr/src/linux") == (
        Message("fs/a.c", 12, WARNING, "unused variable 'x' [-Wunused-variable]"),
        Message("include/linux/b.h", 5, ERROR, "expected ';'"),
        Message("./include/generated/c.h", 7, ERROR, "d.h: No such file or directory"),
    )


def test_new_messages_are_counted():
    def warning(line, text):
        return Message("fs/a.c", line, WARNING, text)

    before = [warning(1, "x"), warning(2, "frame size of 3000 bytes is larger")]
    after = [
        warning(5, "frame size of 3008 bytes is larger"),
        warning(7, "x"),
        warning(8, "x"),
        warning(9, "y"),
    ]
    assert new(before, after) == (warning(8, "x"), warning(9, "y"))
    assert new(before, before) == ()


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo hello; echo hello >&2", "it prints 'hello', which is no answer"),
        ("printf '{0}'; printf '{0}' >&2", "its output is cut off"),
    ],
)
@pytest.mark.parametrize(
    ("check", "start"),
    [
        (smatch.check, "a.c:1 f() warn: UW0"),
        (clang_tidy.check, "/f.c:1:1: warning: UW0"),
        (lambda u: sparse(u.build, ["gcc"], u.source, u.root), "a.c:1:2: warn"),
        (lambda u: warnings(u.build, u.source), "a.o: warning: objtool: f+0x1c: ca"),
    ],
    ids=["smatch", "clang-tidy", "sparse", "objtool"],
)
def test_output_that_is_no_answer(
    unit, program, monkeypatch, check, start, script, why
):
    for name in ("smatch", "clang-tidy-19", "sparse", "../out/tools/objtool/objtool"):
        path = program(name, script.format(start))
    monkeypatch.setattr(clang_tidy, "plugin", lambda _: path)
    monkeypatch.delenv("SMATCH", raising=False)
    with pytest.raises(EngineError, match=why):
        check(unit)
