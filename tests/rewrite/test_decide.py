# SPDX-License-Identifier: GPL-2.0
"""Decisions on whole functions that depend on code next to the run.

Single shapes and conditions are tested by the cases of kernel-fixtures; these are
combinations that were wrong before.
"""

import re
from pathlib import Path

import pytest

from hotcocci.c.source import apply
from hotcocci.findings import MANUAL, SAFE
from hotcocci.rules.ua101_user_access_run import decide as decide_runs
from hotcocci.rules.ua102_user_access_loop import decide as decide_loops

UA101 = Path(__file__).parents[2] / "kernel-fixtures/UA101"
RETRY, POLLED, RUN_AND_LOOP, SHARED, SIZES = (
    (Path(__file__).parent / f"decide/{name}.c").read_text()
    for name in ("retry", "polled", "run_and_loop", "shared", "sizes")
)


def rewritten(see, text):
    _, facts, options = see(text)
    _, made = decide_runs(text, facts, options)
    return apply(text, tuple(dict.fromkeys(e for r in made for e in r.edits)))


def test_next_iteration_reads_the_result(see):
    """The result of the last access was 0, and the next iteration reads it."""
    assert "\t\tuser_read_access_end();\n\t\terr = 0;\n\t}\n" in rewritten(see, RETRY)


def test_next_iteration_does_not_start_at_zero(see):
    """The error does not start at 0, so the test after the window stays."""
    text = rewritten(see, POLLED)
    window = text.index("user_write_access_end();")
    assert text.index("\t\tif (err)\n\t\t\treturn -EFAULT;\n", window)
    assert "\tint err = 0;\n" in text


def test_run_and_loop_have_labels_of_their_own(see):
    """Both rules may be applied to one function."""
    _, facts, options = see(RUN_AND_LOOP)
    _, runs = decide_runs(RUN_AND_LOOP, facts, options)
    _, facts, _ = see(RUN_AND_LOOP)
    _, loops = decide_loops(RUN_AND_LOOP, facts, options)
    assert len(runs) == len(loops) == 1
    text = apply(RUN_AND_LOOP, (*runs[0].edits, *loops[0].edits))
    labels = [s for s in text.split("\n") if s.endswith(":")]
    assert len(labels) == len(set(labels)) == 2
    for label in labels:
        assert f", {label[:-1]})" in text


def test_arrays_whose_scopes_are_not_entered(see):
    """One begins before the run, one ends before the label, and one has a constant size."""
    assert "user_read_access_begin(from, 2 * sizeof(*from))" in rewritten(see, SIZES)


def test_two_bases_in_one_chain(see):
    """Two consecutive windows, each with its own range."""
    _, facts, options = see(SHARED)
    findings, made = decide_runs(SHARED, facts, options)
    assert [f.tier for f in findings] == [SAFE, SAFE]
    text = rewritten(see, SHARED)
    places = [text.index(f"_begin({base}, sizeof(*{base}))") for base in "uv"]
    assert places[0] < text.index("user_write_access_end();") < places[1]
    assert made[0].edits[0] == made[1].edits[0]


def without_64_bits(text):
    """The lines that the preprocessor leaves without CONFIG_64BIT."""
    return re.sub(r"#ifdef CONFIG_64BIT\n.*?#endif\n", "", text, flags=re.S).split("\n")


@pytest.mark.parametrize("asked", [False, True])
def test_a_shared_label_comes_with_a_window_that_is_always_there(see, asked):
    """Of the two windows with one label that of the #ifdef may be chosen alone: without it the label is used."""
    text = (UA101 / "ifdef-around-one.c").read_text()
    if asked:  # of both, as both are rewritten
        text = text.replace("put_user(k->a, &u->a))\n", "put_user(asked(k), &u->a))\n")
    _, facts, options = see(text)
    findings, made = decide_runs(text, facts, options)
    assert {finding.tier for finding in findings} == {MANUAL if asked else SAFE}
    for rewrite in made:
        lines = without_64_bits(apply(text, rewrite.edits))
        assert lines.count("efault:") == 1
        assert any(", efault);" in line for line in lines)
