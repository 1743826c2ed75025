# SPDX-License-Identifier: GPL-2.0
"""Advice is reported once per helper, violations of the same rule once per window and cause, paths that conditions exclude never."""

from dataclasses import replace

from hotcocci.findings import CLANG_TIDY, OBJTOOL, SMATCH, SPATCH, Note, Report
from hotcocci.pipeline.violations import certain, per_cause
from hotcocci.windows.merge import Violation


def found(rule: str, line: int, message: str, opened: int = 0) -> Violation:
    notes = (Note("fs/a.c", opened, "the window is opened here"),) if opened else ()
    return Violation(rule, "fs/a.c", line, "f", message, (SPATCH,), notes)


def said(several: list[Violation]) -> list[tuple[int, str]]:
    return [(v.line, v.message) for v in per_cause(several)]


def test_one_line_per_helper():
    several = [
        found("UW07", 3, "pack() is not __always_inline"),
        found("UW02", 4, "no end"),
        found("UW02", 5, "no end"),
        found("UW07", 6, "pack() is not __always_inline"),
        found("UW07", 7, "swap() is not __always_inline"),
    ]
    assert said(several) == [
        (3, "pack() is not __always_inline (2 such calls)"),
        (4, "no end"),
        (5, "no end"),
        (7, "swap() is not __always_inline"),
    ]


def test_one_line_per_window():
    wrong = "reads in a window opened for writing only"
    several = [
        found("UW04", 4, f"unsafe_get_user() {wrong}", opened=3),
        found("UW04", 5, f"unsafe_copy_from_user() {wrong}", opened=3),
        found("UW06", 5, "memset is called with user access open", opened=3),
        found("UW04", 6, f"unsafe_get_user() {wrong}", opened=3),
        found("UW04", 9, f"unsafe_get_user() {wrong}", opened=8),
    ]
    assert said(several) == [
        (4, f"unsafe_get_user() {wrong} (also at lines 5, 6)"),
        (5, "memset is called with user access open"),
        (9, f"unsafe_get_user() {wrong}"),
    ]


def test_one_line_for_a_helper_and_the_call_that_gives_it_the_pointer():
    call = found("UW14", 21, "to is not masked", opened=20)
    access = replace(
        found("UW14", 4, "uses a pointer from before the scope", opened=20),
        engines=(CLANG_TIDY,),
        function="put",
    )
    (one,) = per_cause([access, call])
    assert one.message == ("uses a pointer from before the scope (also at line 21)")
    assert one.engines == (CLANG_TIDY, SPATCH)
    other = replace(call, notes=(Note("fs/a.c", 30, "the window is opened here"),))
    assert len(per_cause([access, other])) == 2
    assert len(per_cause([replace(access, function="f"), call])) == 2


def test_paths_that_only_one_engine_has():
    def report(rule: str, function: str, engine: str) -> Report:
        return Report(rule, "fs/a.c", 3, function, "wrong", engine)

    ended = [report("UW02", "f", OBJTOOL)]
    called = [report("UW06", "f", OBJTOOL)]
    agreed = [*ended, report("UW02", "f", SMATCH)]
    blind = {OBJTOOL: [("fs/a.c", "f"), ("fs/b.c", "g")], SMATCH: [("fs/a.c", "g")]}
    assert certain([*ended, *called], blind) == called
    assert certain(agreed, blind) == agreed
    assert certain(ended, {OBJTOOL: [("fs/a.c", "g")]}) == ended
    # smatch does not connect the argument of a helper with the window.
    helped = [report("UW02", "g", SMATCH)]
    assert certain(helped, blind) == []
    assert len(certain([*helped, report("UW02", "g", OBJTOOL)], blind)) == 2
