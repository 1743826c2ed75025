# SPDX-License-Identifier: GPL-2.0
"""``--format`` of lint, on a miniature tree."""

import json
import shutil

import pytest
from small_kernel import OPEN, POINTS

from tests.shared import FIXTURES

CLASSIC = FIXTURES / "classic"
COUNTED = {
    "json": lambda out: len(json.loads(out)["findings"]),
    "sarif": lambda out: len(json.loads(out)["runs"][0]["results"]),
    "github": lambda out: out.count("::notice "),
    "html": lambda out: out.count('"rule": "'),
}


def test_a_tier_filters_every_format(said):
    counts = {
        count(said("lint", "--churn", "--tier=safe", f"--format={form}", CLASSIC)[1])
        for form, count in COUNTED.items()
    }
    assert len(counts) == 1 and 0 not in counts


def test_lint_github(said, tmp_path, monkeypatch):
    monkeypatch.chdir(CLASSIC.parent)
    lint = ("lint", CLASSIC, "--churn", "--format", "github")
    code, out, err = said(*lint)
    *lines, link = out.splitlines()
    assert code == 1 and f"{len(lines)} finding" in err
    assert lines and all(line.startswith("::notice file=classic/") for line in lines)
    assert link == (
        "::warning file=classic/lib/cred_2011.c,title=could not be read"
        "::it is a link out of the tree, and is not followed"
    )
    # From elsewhere, as they are in the repository.
    monkeypatch.chdir(tmp_path)
    assert said(*lint)[1] == out.replace("file=classic/", "file=")


@pytest.mark.whole
def test_unused_comments_and_sections_are_in_a_report(said, tmp_path):
    tree = tmp_path / "linux"
    shutil.copytree(CLASSIC, tree)
    (tree / "lib/broken.c").write_text(POINTS + OPEN)
    for code in ("UA101", "UW13"):
        comment = f"/* hotcocci: allow {code} - no longer there */\nint x;\n"
        (tree / f"lib/{code}.c").write_text(comment)
    entry = "Maintainers\n-----------\n\nLIBRARY\nM:\tA <a@b.c>\nF:\tlib/\n"
    (tree / "MAINTAINERS").write_text(entry)
    for form in ("sarif", "html"):
        code, out, _ = said("lint", tree, "--churn", "--format", form)
        unused = "allows UA101, but there is no such finding here"
        assert code == 1 and unused in out and "allows UW13" not in out
    assert '"subsystem": "LIBRARY"' in out and '"subsystem": "drivers"' in out
