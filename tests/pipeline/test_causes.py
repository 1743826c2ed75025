# SPDX-License-Identifier: GPL-2.0
"""What is reported of windows: once per helper, window and cause, with what comments allow, and of changes only what is new."""

from dataclasses import replace

import pytest

from hotcocci.findings import (
    CLANG_TIDY,
    ENGINES,
    OBJTOOL,
    SMATCH,
    SPATCH,
    Change,
    Check,
    Note,
    Report,
    violated,
)
from hotcocci.pipeline.filtering import UNUSED, allowances
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.violations import certain, per_cause, suppress
from hotcocci.pipeline.window_reports import window_checks
from hotcocci.tree.kernel import find_tree
from tests.shared import FIXTURES


def found(rule, line, message, opened=0):
    notes = (Note("fs/a.c", opened, "the window is opened here"),) if opened else ()
    return violated(rule, "fs/a.c", line, "f", message, (SPATCH,), notes)


def said(several):
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
    def report(rule, function, engine):
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
    assert certain([*helped, report("UW21", "g", SMATCH)], blind) == []
    assert len(certain([*helped, report("UW02", "g", OBJTOOL)], blind)) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x; /* hotcocci: allow UW05 - checked by the caller */\n", {"UW05": 1}),
        ("x; // hotcocci: allow UW05: checked\n", {"UW05": 1}),
        ("/* hotcocci: allow UW05 \u2014 checked */\nx;\n", {"UW05": 2}),
        ("\t/*\n\t * hotcocci: allow UW05 - checked\n\t */\n\tx;\n", {"UW05": 4}),
        ("x; /* hotcocci: allow UW05, UW22 - both */\n", {"UW05": 1, "UW22": 1}),
        ("x; /* hotcocci: allow UA101 - once */\n", {"UA101": 1}),
        ('char *s = "hotcocci: allow UW05 - no comment";\n', {}),
        ("/* allow UW05 - not to us */\n", {}),
    ],
)
def test_parsed_comments(text, expected):
    found = allowances(text)
    assert {a.rule: a.target for a in found} == expected
    assert len(found) == len(expected) and not any(a.complaint for a in found)


FILE = "fs/file.c"


def broken(line, rule="UW05"):
    return violated(rule, FILE, line, "f", "message", ("spatch",))


@pytest.mark.parametrize(
    ("comment", "complaint"),
    [
        ("/* hotcocci: allow UW05 */", "without saying why"),
        ("/* hotcocci: allow UW99 - why */", "is no rule"),
        ("/* hotcocci: allow everything */", "names no rule"),
    ],
)
def test_an_invalid_comment_is_reported_and_ignored(comment, complaint):
    left, wrong = suppress([broken(1)], {FILE: f"x; {comment}\n"}, ENGINES, {})
    assert left == [broken(1)]
    assert [(w.rule, w.line) for w in wrong] == [(UNUSED, 1)]
    assert complaint in wrong[0].message


def test_an_unused_comment_is_reported_only_if_its_engines_ran():
    text = "x; /* hotcocci: allow UW05 - why */\n"
    _, wrong = suppress([], {FILE: text}, ENGINES, {})
    assert [(w.rule, w.line) for w in wrong] == [(UNUSED, 1)]
    assert suppress([], {FILE: text}, ["spatch"], {}) == ([], [])
    assert suppress([], {FILE: text}, ENGINES, {FILE: {"clang-tidy"}}) == ([], [])


DRIVER = "drivers/window.c"
PLAIN = "int f(struct point __user *to, int x)\n{\n\treturn put_user(x, &to->x);\n}\n"
WINDOW = """\
int f(struct point __user *to, int x)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(x, &to->x, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
"""
WRONG = WINDOW.replace("\tuser_write_access_end();\n\treturn 0", "\treturn 0")


@pytest.fixture
def check(tmp_path):
    tree = find_tree(FIXTURES / "classic")
    settings = Settings(cache_dir=tmp_path / "cache")

    def run(old, new):
        return window_checks(tree, [Change(DRIVER, old, new)], settings)

    return run


@pytest.mark.whole
def test_windows_of_a_change(check):
    assert check(PLAIN, WINDOW) == {DRIVER: Check("windows", "passed")}
    found = check(PLAIN, WRONG)[DRIVER]
    assert found.outcome == "failed"
    assert found.detail.startswith("UW02 in f(): ")
    # Existing violations are not new.
    assert check(WRONG, "\n\n" + WRONG)[DRIVER].outcome == "passed"
