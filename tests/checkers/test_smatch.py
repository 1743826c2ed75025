# SPDX-License-Identifier: GPL-2.0
"""smatch with our checkers reports exactly what each case marks."""

import re
from pathlib import Path

import pytest
from units import LENT, unit_of, unit_of_many
from window_cases import read_window_cases

from hotcocci.engines.smatch import CHECKS, ONLY, check, found
from hotcocci.errors import EngineError
from hotcocci.tree.command import Unit, commands
from hotcocci.tree.kernel import OPENS, SLEEPS
from hotcocci.tree.process import run
from tests.shared import build_of

# It runs once for all cases.
pytestmark = pytest.mark.xdist_group("smatch")

TEXTS = Path(__file__).with_name("smatch")

CHECKERS = Path(__file__).resolve().parents[2] / "checkers/smatch"
NAMES = (CHECKERS / "user_access_names.h").read_text()
CASES = [case for case in read_window_cases() if case.arch in (None, "x86")]

# The same index, read by get_user(), which smatch models, and by accessors it does not know.
TAINTED = (TEXTS / "tainted.c").read_text(encoding="utf-8")

# A mistake for each architecture, seen through its own macros.
ANYWHERE = (TEXTS / "anywhere.c").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def smatch_build(linux_tree):
    """A build to run smatch in; skips the tests unless smatch has our checkers."""
    try:
        smatch = found()
    except EngineError:
        pytest.skip("no smatch")
    known = run([smatch, "--show-checks"], Path("/"), 60).out
    if any(
        f"check_{name}\n" not in known for name in (*CHECKS, ONLY, "user_access_taint")
    ):
        pytest.skip("no smatch with the checkers of this checkout: install and rebuild")
    return build_of(linux_tree)


@pytest.fixture(scope="module")
def reports(smatch_build, tmp_path_factory):
    """Run smatch on all cases; those for the same kind of tree form one file."""
    folder = tmp_path_factory.mktemp("smatch")
    found = []
    for tree in sorted({case.tree for case in CASES}):
        cases = [case for case in CASES if case.tree == tree]
        found += check(unit_of_many(cases, smatch_build, folder))
    return tuple(found)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_marked_lines_are_reported(case, reports):
    found = {(r.line, r.rule) for r in reports if r.file == case.file}
    assert found == case.wanted("smatch")


def test_a_report_names_function_and_begin(reports):
    (report,) = (r for r in reports if r.file == "UW02/uw02-return-inside.c")
    assert report.function == "uw02_return_inside"
    assert report.engine == "smatch"
    assert [note.line for note in report.notes] == [16]


@pytest.mark.parametrize("target", ("x86-64", "powerpc-8xx"))
def test_other_architectures_macros(target, smatch_build, linux_tree, tmp_path):
    build = smatch_build if target == "x86-64" else build_of(linux_tree, target)
    source = tmp_path / "anywhere.c"
    source.write_text(ANYWHERE)
    reports = check(Unit(build, commands(build, [LENT])[LENT], source, tmp_path))
    assert [(r.line, r.rule) for r in reports] == [
        (8, "UW04"),
        (9, "UW03"),
        (12, "UW02"),
    ]


def test_windows_keep_smatch_s_user_data_ranges(smatch_build, tmp_path):
    unit = unit_of(next(c for c in CASES if c.tree == "scoped"), smatch_build)
    source = tmp_path / "tainted.c"
    source.write_text(TAINTED)

    def controlled(*checks):
        """Arrays that smatch's own check reports as indexed by a user-controlled value."""
        enabled = f"--enable={','.join(('index_overflow', *checks))}"
        argv = [found(), "-p=kernel", "--spammy", enabled, *unit.command.argv[1:]]
        output = run([*argv, str(source)], smatch_build.out, 300).out
        return set(re.findall(r"buffer overflow '(\w+)' .* user_rl=", output))

    assert controlled() == {"by_call"}
    all_ways = {"by_call", "by_window", "by_scope", "by_inline"}
    assert controlled("user_access_taint") == all_ways


def test_the_lists_of_names_agree():
    def listed(name):
        (body,) = re.findall(rf"\b{name}\[\] = \{{(.*?)\}};", NAMES, re.S)
        return set(re.findall(r'"(\w+)"', body))

    assert listed("opens") == OPENS
    assert listed("sleeps") == SLEEPS


def test_every_checker_is_enabled():
    texts = (path.read_text() for path in CHECKERS.glob("*.c"))
    checks = {
        name
        for text in texts
        for name in re.findall(r"^void check_(\w+)\(int id\)$", text, re.M)
    }
    assert checks - {"user_access_taint"} == {*CHECKS, ONLY}
