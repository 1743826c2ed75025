# SPDX-License-Identifier: GPL-2.0
"""``prove`` and ``patch --prove``: proofs of our rewrites and of other people's patches."""

import json
import re

import pytest

from hotcocci.cli.prove import NO_BEHAVIOUR
from hotcocci.pipeline.proving import propose_patches
from hotcocci.rewrite import diff
from hotcocci.tree.incoming import changed, read
from hotcocci.tree.kernel import find_tree
from tests.shared import CACHE, FIXTURES

# Small, and rewritten in all supported kernels; one run each.
FILE = "kernel/compat.c"
FUNCTION = "get_compat_sigevent"

# One worker: most tests ask for the same comparison.
pytestmark = pytest.mark.xdist_group("prove")
OURS = ("--churn", "--tier", "prepared")


@pytest.fixture
def run(said):
    """Run a command with the builds shared by all tests."""
    return lambda *words: said(*words, "--cache-dir", CACHE)


@pytest.fixture
def patch_of(run, linux_tree, tmp_path):
    """Make our patch of the file, with a string replaced in the result."""
    code, out, _ = run("patch", linux_tree / FILE, *OURS)
    assert code == 0
    (change,) = changed(linux_tree, read("patch", out))

    def make(old="", new=""):
        assert old in change.new
        path = tmp_path / "some.diff"
        after = change.new.replace(old, new, 1) if old else change.new
        path.write_text(diff.unified(FILE, change.old, after))
        return path

    return make


def test_our_rewrite_is_proven(run, linux_tree):
    code, out, err = run("prove", linux_tree / FILE, *OURS)
    assert code == 0, out + err
    words = (
        rf"x86-64: {FUNCTION}\(\) in {FILE}: equivalent for all inputs, "
        r"as compiled by gcc \d+\.\d+\.\d+ for x86-64 with allyesconfig$"
    )
    assert re.search(words, out, re.MULTILINE)
    assert "compile x86-64: passed" in out and " opens/closes " in out
    assert err.strip().endswith("1 proven, 0 different, 0 not proven")
    # A log has the proof of each finding.
    code, out, err = run("prove", linux_tree / FILE, *OURS, "--format", "sarif")
    assert (code, err) == (0, "")
    (log,) = json.loads(out)["runs"]
    (result,) = log["results"]
    assert log["automationDetails"]["id"] == "hotcocci/prove/"
    proof = result["properties"]["proof"]
    assert [e["verdict"] for e in proof["executions"]] == ["proven"]
    assert [g["function"] for g in proof["gains"]] == [FUNCTION]
    assert "compile x86-64" in [check["name"] for check in proof["checks"]]


def test_a_document_has_the_verdicts_and_the_gains(run, linux_tree, patch_of):
    code, out, _ = run("prove", linux_tree, "--diff", patch_of(), "--format", "json")
    assert code == 0
    (proof,) = json.loads(out)["proofs"]
    assert proof["file"] == FILE
    # Where there is a compiler for powerpc-32, it is compared there, too.
    for execution in proof["executions"]:
        assert (execution["function"], execution["verdict"]) == (FUNCTION, "proven")
        assert execution["paths"] > 2
    assert proof["executions"][0]["target"] == "x86-64"
    (gain,) = proof["gains"]
    assert gain["after"]["success"]["switches"] < gain["before"]["success"]["switches"]
    assert {c["outcome"] for c in proof["checks"]} <= {"passed", "skipped"}


def test_a_wrong_patch_is_refused(run, linux_tree, patch_of):
    wrong = patch_of("sizeof(*u_event)", "sizeof(u_event->sigev_value)")
    code, out, _ = run("prove", linux_tree, "--diff", wrong)
    assert code == 1
    assert "NOT EQUIVALENT" in out
    assert "outside its window" in out
    assert " | " in out or "VIOLATION" in out


def test_style_is_no_behaviour(run, linux_tree, tmp_path):
    patch = tmp_path / "style.diff"
    text = (linux_tree / FILE).read_text()
    patch.write_text(diff.unified(FILE, text, text.replace("-EFAULT;", "-EFAULT ;", 1)))
    code, out, err = run("prove", linux_tree, "--diff", patch)
    assert "checkpatch: failed: WARNING:SPACING" in out
    assert (code, err.splitlines()[-2]) == (0, NO_BEHAVIOUR)
    assert err.endswith(" 0 not proven\n")
    code, _, err = run("prove", linux_tree, "--diff", patch, "--style")
    assert code == 1 and NO_BEHAVIOUR not in err
    assert err.endswith(" 0 not proven; 1 check failed\n")


def test_changes_elsewhere_are_named(run, linux_tree, patch_of):
    patch = patch_of()
    text = (linux_tree / "sound/Kconfig").read_text()
    more = diff.unified("sound/Kconfig", text, "# " + text)
    patch.write_text(patch.read_text() + more)
    code, out, _ = run("prove", linux_tree, "--diff", patch)
    assert code == 1
    assert f"x86-64: {FUNCTION}() in {FILE}: equivalent for all inputs" in out
    assert "sound/Kconfig: not proven: not C source, not checked" in out


def test_a_comment_that_another_program_reads(linux_tree):
    header = "include/linux/oid_registry.h"
    old = (linux_tree / header).read_text()
    wrong = diff.unified(header, old, old.replace("10030.4.3 */", "10030.4.4 */", 1))
    (left,) = propose_patches(find_tree(linux_tree), read("a.diff", wrong)).left
    assert left.executions[0].detail.startswith("lib/Makefile names it")


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("lib/bootconfig.c", "if (!node)", "if (IS_ERR_OR_NULL(node))", "have IS_ERR"),
        ("lib/bootconfig.c", "if (!node)", "if (node == NULL)", ""),
        ("include/linux/atomic/atomic-long.h", "The value", "A value", "DO NOT MODIFY"),
    ],
)
def test_files_of_other_programs(linux_tree, file, old, new, said):
    text = (linux_tree / file).read_text()
    patch = diff.unified(file, text, text.replace(old, new, 1))
    left = propose_patches(find_tree(linux_tree), read("a.diff", patch)).left
    details = [e.detail for p in left for e in p.executions]
    assert details if said else not details
    assert all(said in detail for detail in details)


@pytest.mark.parametrize(
    ("added", "named"),
    [
        ('// The last record, see "typeof"', "//"),
        ("extern typeof(int) last;", "typeof"),
        ("int delete(int file);", "delete"),
        ("static inline void f(void) { for (int i = 0; i < 2; i++); }", "for (int "),
        ("static inline void f(int i) { for (i = 0; i < 2; i++); }", ""),
        ("/* A new record of no typeof, see https://kernel.org */", ""),
        ("int remove_record(int file);", ""),
    ],
)
def test_what_c90_and_cxx_do_not_take(linux_tree, added, named):
    header = "include/uapi/linux/fsmap.h"
    old = (linux_tree / header).read_text()
    patch = diff.unified(
        header, old, old.replace("struct fsmap {", f"{added}\nstruct fsmap {{", 1)
    )
    left = propose_patches(find_tree(linux_tree), read("a.diff", patch)).left
    assert bool(left) == bool(named)
    assert all(
        e.detail.endswith(f"do not take {named}") for p in left for e in p.executions
    )


def test_code_that_cannot_run_is_not_patched_unless_allowed(run):
    arguments = (FIXTURES / "classic" / "drivers", *OURS, "--prove")
    code, out, err = run("patch", *arguments)
    assert code == 0 and not out
    assert "is not proven: code for host is not compared" in err
    code, out, _ = run("patch", *arguments, "--allow-unproven")
    assert code == 0 and out.startswith("diff --git a/drivers/lamp.c")


@pytest.mark.parametrize(
    ("file", "why"),
    [
        # ARM's NetWinder
        ("drivers/char/ds1620.c", "it does not compile: "),
        ("arch/arm/kernel/bios32.c", "no target compiles it"),
    ],
)
def test_code_that_is_not_compiled_is_not_proven(run, linux_tree, tmp_path, file, why):
    text = (linux_tree / file).read_text()
    patch = tmp_path / "foreign.diff"
    patch.write_text(diff.unified(file, text, text.replace("return ", "return !", 1)))
    code, out, _ = run("prove", linux_tree, "--diff", patch)
    assert code == 1
    assert f"{file}: not proven: {why}" in out
