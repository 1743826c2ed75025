# SPDX-License-Identifier: GPL-2.0
"""What cannot be done ends any command with one line that says why, and changes nothing."""

import os
import shlex

import pytest
from small_kernel import POINTS, SAFE, WINDOW

from hotcocci.bench.counts import Count, Table
from hotcocci.output import bench as output
from tests.tree.traps import commit

WRONG = "--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-x\n+y\n"
# Beside a tree, which is the current folder: patches, a table, and files of other kinds
BESIDE = {
    "bad.diff": WRONG.format("fs/a.c"),
    "out.diff": WRONG.format("../up.c"),
    "none.diff": "no diff at all\n",
    "table": output.document(
        Table("instructions", "table", {("epoll_wait", 64): Count(9, 9, 9, 64)}, {})
    ),
    "other": "{}",
}
REFUSED = [
    *(("", ""), ("frobnicate", ""), ("rules UA999", "UA999"), ("doctor gone", "")),
    ("lnt", "(did you mean lint?)"),
    ("lint --teir safe", "(did you mean --tier?)"),
    ("lint --format jsn", "(did you mean json?)"),
    ("check --diff x.patch", "(did you mean --diff-base?)"),
    *(("lint --frobnicate", ""), ("lint --min-run many", ""), ("lint --cache-dir fs", "")),
    *(("lint /dev", ""), ("lint /no/such/path", ""), ("patch a.txt", "")),
    *(("lint --rule XX1", ""), ("lint --rule 'UA101\nUA102'", "")),
    ("lint --jobs 0", "is not a positive number"),
    ("lint .. --format json", "covers one tree"),
    ("lint .. --format sarif", "covers one tree"),
    ("lint .. --format html", "covers one tree"),
    *(("lint . --stdin", "--stdin"), ("lint fs/a.c --stdin --diff-base HEAD", "--stdin")),
    ("lint --diff /nonexistent", "cannot read /nonexistent: No such file"),
    ("lint --diff ../none.diff", "../none.diff has no diff"),
    ("lint --diff fs", "has no *.patch"),
    ("lint --diff ../bad.diff --diff-base HEAD", "omit one of them"),
    ("lint --diff-base nothing", "nothing is not a revision in the repository"),
    ("lint --diff-base=--output=x", "--output=x is not a revision in the repository"),
    ("check --rule UA101", "UA101 is not a window rule: see 'lint --help'"),
    ("check --rule UW77", "there is no rule UW77"),
    ("check --engine magic", "invalid choice: 'magic'"),
    ("check --engine smatch", "no-smatch"),
    ("check --baseline /nowhere/known.json", "write it first"),
    ("check --baseline a --write-baseline b", "omit one of them"),
    ("patch --interactive", "terminal"),
    *(("prove --diff ../none.diff", "has no diff"), ("prove --diff ../out.diff", "not apply")),
    ("prove --diff ../bad.diff", "does not apply"),
    *(("loads fs --annotate nowhere.txt", ""), ("loads fs --annotate fs/a.c", "")),
    *(("why fs/a.c", ""), ("why fs/a.c:x", ""), ("why fs/a.c:99", ""), ("why no:1", "")),
    ("bench --table ../table --fail-above 1", "--fail-above compares"),
    ("bench --faults", "--faults compares two kernels"),
    ("bench --against ../table --diff x.diff", "--against compares with a table"),
    ("bench --against ../none", "cannot read"),
    ("bench --table ../other", "is no table of bench: write it with --save"),
    ("bench --save no/table", "it is in no folder"),
    ("bench --save .", "it is a folder"),
    ("bench --native --target arm64", "omit --target"),
    ("bench sync", "there is no operation sync"),
    ("bench --rewrites sound sync", "there is no operation sync"),
    ("bench --fail-above nan", "'nan' is not a number"),
]  # fmt: skip


@pytest.fixture
def root(small_tree, monkeypatch):
    """A tree in a repository, with another one and files of other kinds beside it."""
    monkeypatch.setenv("SMATCH", "no-smatch")
    small_tree({}, "linux.old")
    tree = small_tree({"a.txt": "", "fs/a.c": SAFE, "fs/b.c": POINTS + WINDOW})
    for name, text in BESIDE.items():
        (tree.parent / name).write_text(text)
    commit(tree)
    monkeypatch.chdir(tree)
    return tree


@pytest.mark.parametrize(("line", "message"), REFUSED)
def test_bad_input_is_one_line(root, said, line, message):
    before = sorted(os.walk(root))
    code, out, err = said(*shlex.split(line))
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("hotcocci: ") and message in err
    assert ("did you mean" in err) == ("did you mean" in message)
    assert sorted(os.walk(root)) == before
