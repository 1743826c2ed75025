# SPDX-License-Identifier: GPL-2.0
"""The gate passes changes without failed checks, and finds the rewrites that fail a check or a proof."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.findings import Change, Edit, Rewrite, Skip
from hotcocci.pipeline import gating
from hotcocci.pipeline.changes import Gated, change_of, changes
from hotcocci.pipeline.checks import check_changes
from hotcocci.pipeline.gating import pass_gate
from hotcocci.pipeline.proof_gate import pass_proof
from hotcocci.proof.gate import FOREIGN
from hotcocci.tree import includes, select
from hotcocci.tree.build import prepare
from hotcocci.tree.source import SETTLED_NS
from hotcocci.tree.targets import X86_64
from tests.shared import finding

TEXTS = Path(__file__).with_name("gating")
TEXT = (TEXTS / "text.c").read_text(encoding="utf-8")
SUM, OTHER = "p[0] + p[1]", "p[2] + p[3]"
# A load less, so that they save something.
SMALLER, OTHER_SMALLER = "p[0]", "p[2]"
# Does not compile, and costs more.
BROKEN, LARGER = "q[2] + p[3]", "p[2] + p[3] + p[4] * p[5]"
# These two fail together.
LEFT, RIGHT = '({ asm("mark:"); p[0]; })', '({ asm("mark:"); p[2]; })'
# A sequence that UA101 finds; the header is that of the miniature tree.
READS = (TEXTS / "reads.c").read_text(encoding="utf-8")


def rewrite(before, after, file="a.c", text=TEXT, rule="UA101"):
    """Replace one expression."""
    start = text.index(before)
    line = text.count("\n", 0, start) + 1
    function = text[:start].rpartition("(int")[0].rpartition(" ")[2]
    place = finding(rule=rule, file=file, line=line, function=function)
    edit = Edit(start, start + len(before), after)
    return Rewrite(replace(place, end_line=line), (edit,), "A", "classic")


@pytest.fixture
def tree(small_kernel):
    return small_kernel({"a.c": TEXT, "b.c": TEXT, "arch/s390/a.c": TEXT})


def passed(tree, settings, *rewrites):
    texts = {r.finding.file: TEXT for r in rewrites}
    return pass_gate(tree, changes(rewrites, rewrites, texts), settings)


def test_good_rewrites_pass_in_order(tree, settings):
    other = rewrite(OTHER, OTHER_SMALLER, "b.c"), rewrite(OTHER, OTHER_SMALLER, "a.c")
    result = passed(tree, settings, rewrite(SUM, SMALLER, "b.c"), *other)
    second = TEXT.replace(OTHER, OTHER_SMALLER)
    assert [(c.file, c.new) for c in result.passed] == [
        ("a.c", second),
        ("b.c", second.replace(SUM, SMALLER)),
    ]
    assert not result.refused and not result.held and not result.uncompiled


def test_a_bad_rewrite_does_not_affect_others(tree, settings):
    result = passed(tree, settings, rewrite(SUM, SMALLER), rewrite(OTHER, BROKEN))
    assert [c.new for c in result.passed] == [TEXT.replace(SUM, SMALLER)]
    assert [finding.line for finding in result.refused] == [8]


def test_rewrites_that_only_fail_together_are_all_refused(tree, settings):
    result = passed(tree, settings, rewrite(SUM, LEFT), rewrite(OTHER, RIGHT))
    assert not result.passed and len(result.refused) == 2
    assert len(passed(tree, settings, rewrite(SUM, LEFT)).passed) == 1


def test_rewrites_that_cost_more_are_refused(tree, settings, monkeypatch):
    kept = {}
    monkeypatch.setattr(gating, "keep", lambda _, known, __: kept.update(known))
    rewrites = [rewrite(SUM, SMALLER), rewrite(OTHER, LARGER)]
    result = passed(tree, settings, *rewrites)
    assert [c.new for c in result.passed] == [TEXT.replace(SUM, SMALLER)]
    (refused,) = result.refused
    assert (refused.line, refused.reason) == (8, "no-gain")
    assert kept[rewrites[1]].refusal and rewrites[0] in kept
    said = "run; the rewrite costs more than it saves: two() on x86-64: "
    assert refused.message.startswith(said)
    assert "cycles more (instructions: " in refused.message
    result = passed(tree, replace(settings, allow_no_gain=True), *rewrites)
    assert [len(c.rewrites) for c in result.passed] == [2]
    assert any(gain.worse for gain in result.proofs[0].gains)


LOADS = (TEXTS / "loads.c").read_text(encoding="utf-8")
NO_LOAD = "the rewrite saves no load: one() on x86-64: 2 loads before, 2 after"
NO_CYCLES = "saves no cycles on any processor"


@pytest.mark.parametrize(
    ("rule", "function", "before", "after", "reason"),
    [
        ("LD301", "one", "*p + *p", "*p * 2", ""),
        ("LD301", "two", "*p - *p", "*p * 2", ""),
        ("LD301", "one", "*p + *p", "0 + *p + *p", NO_LOAD),
        ("LD301", "three", "*p | *p", "*p", "three() is not compiled in this config"),
        ("UA101", "one", "*p + *p", "0 + *p + *p", NO_CYCLES),
    ],
)
def test_rewrites_that_save_nothing_are_refused(
    small_kernel, settings, rule, function, before, after, reason
):
    tree = small_kernel({"a.c": LOADS})
    made = rewrite(before, after, text=LOADS, rule=rule)
    made = replace(made, finding=replace(made.finding, function=function))
    wanted = changes([made], [made], {"a.c": LOADS})
    outcome = pass_gate(tree, wanted, settings)
    assert bool(outcome.passed) == (not reason)
    assert all(f.reason == "no-gain" and reason in f.message for f in outcome.refused)
    assert pass_gate(tree, wanted, replace(settings, allow_no_gain=True)).passed


def test_small_savings_of_cold_code_are_refused(tree, settings):
    result = passed(tree, replace(settings, show="perhaps"), rewrite(SUM, SMALLER))
    (refused,) = result.refused
    assert not result.passed and refused.reason == "small-gain"
    assert refused.message.endswith("saves less than a cycle: one() on x86-64")
    assert passed(tree, settings, rewrite(SUM, SMALLER)).passed


def test_uncompiled_rewrites_are_held(tree, settings):
    rewrites = rewrite(SUM, SMALLER, "arch/s390/a.c"), rewrite(SUM, SMALLER, "b.c")
    result = passed(tree, settings, *rewrites)
    assert [c.file for c in result.passed] == ["b.c"]
    why = Skip("arch/s390/a.c", f"{FOREIGN} than x86-64")
    assert result.held == (why,)
    result = passed(tree, replace(settings, allow_uncompiled=True), *rewrites)
    assert [c.file for c in result.passed] == ["arch/s390/a.c", "b.c"]
    assert not result.held
    assert result.uncompiled == (why,)


@pytest.fixture
def reading_tree(small_kernel, scoped_headers):
    """A tree with a sequence of accesses, and a function without."""
    return small_kernel({"a.c": READING, **scoped_headers})


READING = f"#include <linux/uaccess.h>\n\n{TEXT}\n{READS}"


def test_patched_text_is_analysed_again(reading_tree, settings):
    made = rewrite(SUM, SMALLER, text=READING)
    settings = replace(settings, allow_uncompiled=True)
    # One of two was not selected: finding it again is fine.
    for possible, refused in (([made, made], False), ([made], True)):
        wanted = changes([made], possible, {"a.c": READING})
        result = pass_gate(reading_tree, wanted, settings)
        assert bool(result.refused) == refused == (not result.passed)
    assert "rewritten again at line 15" in result.refused[0].message


def test_a_run_that_another_rule_made_is_for_later(reading_tree, settings):
    settings = replace(settings, rules=("UA101", "UA201"), allow_uncompiled=True)
    for rule, refused in (("UA201", False), ("UA101", True)):
        made = [
            rewrite(SUM, SMALLER, text=READING),
            rewrite("a[0], p", "a[3], p", text=READING, rule=rule),
        ]
        result = pass_gate(
            reading_tree, changes(made, made, {"a.c": READING}), settings
        )
        assert bool(result.refused) == refused


def test_patched_text_must_parse(reading_tree, settings, fake_spatch):
    made = rewrite("return 0;", "return 0; /* CRASH */", text=READING)
    wanted = changes([made], [made], {"a.c": READING})
    result = pass_gate(reading_tree, wanted, settings)
    assert result.refused[0].message.startswith("run; parse failed: ")


def test_proofs_are_cached(small_kernel, settings, tmp_path, program):
    part = "#include <x.h>\nstatic int x;\n"
    files = {"a.c": part, "b.c": '#include "a.c"\n'}
    files |= {"include/x.h": "", "include/y.h": "", "Kbuild": "obj-y += a.o b.o\n"}
    tree = small_kernel(files)
    build = prepare(tree.root, X86_64, settings.cache_dir)
    log = tmp_path / "runs"
    program("gcc", f'echo >> {log}\nexec /usr/bin/gcc "$@"')

    def is_checked(new="new"):
        """Check a change; returns whether anything was compiled."""
        select._headers_states.clear()
        includes.including.cache_clear()
        log.write_text("")
        change = Change("a.c", part, f"{part}int {new};\n")
        proof = check_changes(tree, [change], build, settings)["a.c"]
        assert [check.name for check in proof.checks if check.outcome == "passed"] == [
            *("compile x86-64", "objtool", "compile x86-64 (b.c)", "objtool (b.c)")
        ]
        return bool(log.read_text())

    def write(file, new):
        """Change a file; a file younger than this has another state when it is older."""
        (tree.root / file).write_text(new)
        time.sleep(SETTLED_NS / 1e9)

    write("include/x.h", "")
    assert is_checked() and not is_checked()
    assert is_checked("newer") and not is_checked("newer")
    write("b.c", '#include "a.c"\nint y;\n')
    assert is_checked() and not is_checked()
    write("include/x.h", "extern int z;\n")
    assert is_checked() and not is_checked()
    write("include/y.h", "int z;\n")
    assert not is_checked()


PRODUCTS = (TEXTS / "products.c").read_text(encoding="utf-8")
EQUAL = ("p[0] + p[1]", "p[1] + p[0]")
DIFFERENT = ("p[2] + p[3]", "p[2] - p[3]")
# No solver factors products of 64 bits in the time allowed.
NOT_PROVEN = ("return *p", "return p[0]")
NOT_FOR_I386 = (
    "\treturn p[2]",
    "#ifdef __i386__\n#error it says\n#endif\n\treturn p[2]",
)


@pytest.fixture
def gate(small_kernel, settings):
    """Prove changes that are given as text before and text after; they save nothing."""
    tree = small_kernel({"a.c": PRODUCTS})

    def proven(*changes, **options):
        rewrites = [rewrite(*change, text=PRODUCTS) for change in changes]
        change = change_of("a.c", PRODUCTS, rewrites, {"UA101": len(rewrites)})
        chosen = replace(settings, allow_no_gain=True, timeout=60, **options)
        return pass_proof(tree, Gated((change,), (), (), ()), chosen)

    return proven


def functions_of(gated):
    """The functions with a rewrite that passed."""
    return [r.finding.function for change in gated.passed for r in change.rewrites]


def test_only_the_function_that_differs_is_omitted(gate):
    result = gate(EQUAL, DIFFERENT)
    assert functions_of(result) == ["equal"]
    (refused,) = result.refused
    assert (refused.function, refused.reason) == ("other", "failed-proof")
    said = "the rewrite is not equivalent: other() on x86-64: it returned "
    assert said in refused.message


def test_unproven_functions_are_omitted_unless_allowed(gate):
    allowed = {"allow_uncompiled": True}
    result = gate(EQUAL, NOT_PROVEN, **allowed)
    assert functions_of(result) == ["equal"]
    (skip,) = result.unproven
    assert skip.reason.startswith("line 19: absent() on x86-64 is not proven: ")
    result = gate(EQUAL, NOT_PROVEN, **allowed, allow_unproven=True)
    assert functions_of(result) == ["equal", "absent"]


def test_a_check_failing_on_another_target_refuses_the_file(gate):
    for allowed in (False, True):
        targets = {"extra_targets": ("i386",), "allow_unproven": allowed}
        result = gate(EQUAL, NOT_FOR_I386, **targets)
        assert result.passed == result.proofs == ()
        assert {refused.reason for refused in result.refused} == {"failed-proof"}
        said = "compile i386 failed: a.c:9: error: #error it says"
        assert said in result.refused[0].message
