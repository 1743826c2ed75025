# SPDX-License-Identifier: GPL-2.0
"""The clang-tidy plugin on the cases, and on code that does not suit every tree."""

import dataclasses
from pathlib import Path

import pytest
from units import unit_of, wrong
from window_cases import read_window_cases

from hotcocci.engines import clang_tidy
from hotcocci.errors import EngineError
from hotcocci.findings import CLANG_TIDY
from hotcocci.tree.command import Unit, commands
from hotcocci.tree.kernel import probe
from tests.shared import build_of

TEXTS = Path(__file__).with_name("clang_tidy")

TARGET = "x86-64-clang"


@pytest.fixture(scope="module", autouse=True)
def plugin():
    """Build the plugin once for all workers; it takes about 10 s."""
    clang_tidy.build()


def as_one_file(cases, tree, folder):
    wrapper = folder / "cases.c"
    wrapper.write_text("".join(f'#include "{case.path}"\n' for case in cases))
    unit = unit_of(cases[0], build_of(tree, TARGET))
    return dataclasses.replace(unit, source=wrapper)


def looked_at(text, tree, folder, like):
    """Run the plugin on a text compiled like a case."""
    case = next(case for case in read_window_cases() if case.name == like)
    source = folder / "text.c"
    source.write_text(text)
    unit = unit_of(case, build_of(tree, TARGET))
    return clang_tidy.check(dataclasses.replace(unit, source=source, root=folder))


@pytest.mark.parametrize("kind", ["both", "scoped"])
def test_cases(linux_tree, tmp_path, kind):
    cases = [
        c for c in read_window_cases() if c.tree == kind and c.arch in (None, "x86")
    ]
    reports = clang_tidy.check(as_one_file(cases, linux_tree, tmp_path))
    for report in reports:
        assert report.function and report.message and report.engine == CLANG_TIDY
    # 8 bytes are read with get_user() on all of its architectures.
    no_rule = "UW19" if probe(linux_tree).arm_get_u64 else ""
    assert not wrong(
        cases,
        reports,
        lambda case: {(n, r) for n, r in case.wanted(CLANG_TIDY) if r != no_rule},
    )
    assert {report.file for report in reports} <= {case.file for case in cases}


CLEANUP = (TEXTS / "cleanup.c").read_text(encoding="utf-8")


def test_a_label_outside_a_cleanup_scope_is_reported_without_wrappers(
    linux_tree, tmp_path
):
    header = (linux_tree / "include/linux/uaccess.h").read_text()
    wrapped = "arch_unsafe_put_user" in header
    found = looked_at(CLEANUP, linux_tree, tmp_path, "uw05-macro")
    reported = [(report.line, report.rule) for report in found]
    assert reported == ([] if wrapped else [(17, "UW12")])


def applied(text, report):
    for edit in sorted(report.fix, key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def test_the_size_of_a_pointer_is_corrected(linux_tree, tmp_path):
    text = next(
        c.path.read_text()
        for c in read_window_cases()
        if c.name == "uw05-sizeof-pointer"
    )
    (report,) = looked_at(text, linux_tree, tmp_path, "uw05-sizeof-pointer")
    assert [note.message for note in report.notes] == ["the window is opened here"]
    opening = text.splitlines()[report.notes[0].line - 1]
    assert opening == "\tif (!user_write_access_begin(to, sizeof(to)))"
    assert applied(text, report) == text.replace("sizeof(to)", "sizeof(*to)", 1)


HELPER = (TEXTS / "helper.c").read_text(encoding="utf-8")


def test_an_access_in_a_helper_is_reported_there(linux_tree, tmp_path):
    (report,) = looked_at(HELPER, linux_tree, tmp_path, "uw05-macro")
    assert (report.line, report.rule, report.function) == (6, "UW05", "put")
    assert [note.line for note in report.notes] == [16]


CLEARS = (TEXTS / "clears.c").read_text(encoding="utf-8")


def test_a_loop_that_clears_memory_may_become_a_call(linux_tree, tmp_path):
    # gcc has instructions for it in some trees, so that the engines for objects differ.
    found = looked_at(CLEARS, linux_tree, tmp_path, "uw05-macro")
    assert [(report.line, report.rule) for report in found] == [(12, "UW08")]


LOST = (TEXTS / "lost.c").read_text(encoding="utf-8")


def test_a_member_without_a_size_is_no_fault_of_the_machine(linux_tree, tmp_path):
    with pytest.raises(EngineError, match=r"does not compile .* incomplete type"):
        looked_at(HELPER + LOST, linux_tree, tmp_path, "uw05-macro")


def test_the_kernel_itself_is_clean(linux_tree):
    build = build_of(linux_tree, TARGET)
    files = ["fs/readdir.c", "lib/usercopy.c", "mm/gup.c", "kernel/exit.c"]
    for file, command in commands(build, files).items():
        unit = Unit(build, command, linux_tree / file, linux_tree)
        assert clang_tidy.check(unit) == (), file
