# SPDX-License-Identifier: GPL-2.0
"""objtool and the object checker report what the cases say, for every target; each case has a clean twin."""

import re
import shutil

import pytest
from units import unit_of_many, wrong
from window_cases import read_window_cases

from hotcocci.engines import objtool
from hotcocci.findings import OBJECTS, OBJTOOL
from hotcocci.tree.targets import KERNELS
from tests.shared import build_of

# Reads without a window are fine here, so a window for reading counts as none.
READS_FREELY = "powerpc-book3s32"
READ_WINDOW = re.compile(r"user_read_access|get_user|copy_from_user")
# Only x86-64 masks in every tree; elsewhere no window may remain open.
MASKED = re.compile(r"masked_user_\w*access_begin")
NAMES = {target.name: target for target in KERNELS}


def suits(case, target):
    """Whether a case compiles for a target, and has its windows there."""
    text = case.path.read_text()
    if case.arch not in (None, NAMES[target].arch, NAMES[target].folder):
        return False
    if target != "x86-64" and MASKED.search(text):
        return False
    return target != READS_FREELY or not READ_WINDOW.search(text)


@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize("kind", ["both", "scoped"])
def test_objects(linux_tree, tmp_path, target, kind):
    compiler = f"{NAMES[target].cross_compile}gcc"
    assert shutil.which(compiler), f"{compiler} is not installed"
    cases = [c for c in read_window_cases() if c.tree == kind and suits(c, target)]
    unit = unit_of_many(cases, build_of(linux_tree, target), tmp_path)
    reports, skipped = objtool.follow(unit, tmp_path)
    assert not wrong(cases, reports, lambda case: case.wanted(OBJECTS, target))
    # Only a save of user access can hide a violation, where saving emits no code.
    assert bool(skipped) == (target == "arm64" and kind == "both")
    assert all("user_access_save()" in skip.reason for skip in skipped)


@pytest.mark.parametrize("kind", ["both", "scoped"])
def test_objtool(linux_tree, tmp_path, kind):
    cases = [
        c for c in read_window_cases() if c.tree == kind and c.arch in (None, "x86")
    ]
    unit = unit_of_many(cases, build_of(linux_tree), tmp_path)
    reports = objtool.check(unit, tmp_path)
    assert not wrong(cases, reports, lambda case: case.wanted(OBJTOOL))


CASES = read_window_cases(compiling=False)
HEADER = re.compile(
    r"^(?:[a-z][\w *]*?\b|SYSCALL_DEFINE\d\()(?!SYSCALL)(\w+)[(,][^;{]*\)\n\{",
    re.MULTILINE,
)
BLOCK = re.compile(r"^#define (\w+)\([^;{]*\)\s*\\\n\(\{", re.MULTILINE)


def test_names_and_twins():
    """Functions are named after their file; one without violations is among the broken ones."""
    for case in CASES:
        text = case.path.read_text()
        names, blocks = (
            [(text.count("\n", 0, m.start()) + 1, m[1]) for m in kind.finditer(text)]
            for kind in (HEADER, BLOCK)
        )
        structures = re.findall(r"^struct (\w+) \{", text, re.MULTILINE)
        assert names, case.name
        for name in (*structures, *(name for _, name in names)):
            assert name.startswith(case.name.replace("-", "_")), case.name
        assert bool(case.marks) is bool(case.rules), case.name
        clean = [name for _, name in (*names, *blocks) if name.endswith("_clean")]
        assert clean or not case.rules, case.name
        for line, code, _ in case.marks:
            before = [each for each in (*names, *blocks) if each[0] <= line]
            within = max(before)[1]
            assert within not in clean, f"{case.name}: {code} in line {line}"
