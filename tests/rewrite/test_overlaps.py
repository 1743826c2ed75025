# SPDX-License-Identifier: GPL-2.0
"""Only one of several rewrites that change the same text is applied."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.cli.main import main
from hotcocci.findings import Edit, Finding, Rewrite
from hotcocci.rules.offer import resolve_overlaps

FIXTURES = Path(__file__).parents[2] / "kernel-fixtures/classic"


def rewrite(
    rule: str, tier: str, *places: tuple[int, int], file: str = "a.c"
) -> Rewrite:
    finding = Finding(
        rule, file, 7, 7, "f", rule, 2, "p", "read", "rewrite", tier, None
    )
    edits = tuple(Edit(start, end, rule) for start, end in places)
    return Rewrite(finding, edits, "A", "classic")


def test_the_safe_rewrite_wins_and_the_other_is_reported() -> None:
    prepared, safe = (
        rewrite("LD301", "prepared", (4, 9)),
        rewrite("UA101", "safe", (8, 9)),
    )
    kept, lost = resolve_overlaps([prepared, safe])
    assert kept == (safe,)
    finding = lost[prepared.finding]
    assert (finding.verdict, finding.tier, finding.reason) == (
        "report",
        None,
        "overlaps",
    )
    assert finding.message.startswith(
        "LD301; UA101 also rewrites line 7: take that rewrite"
    )


def test_what_is_worth_more_wins() -> None:
    safe, prepared = (
        rewrite("UA202", "safe", (4, 9)),
        rewrite("UA101", "prepared", (8, 9)),
    )
    for bands, winner in (
        (("perhaps", "worth it"), 1),
        (("worth it", "worth it"), 0),
        (("cold", "perhaps"), 1),
    ):
        both = [
            replace(each, finding=replace(each.finding, band=band))
            for each, band in zip((safe, prepared), bands, strict=True)
        ]
        kept, lost = resolve_overlaps(both)
        assert kept == (both[winner],)
        assert [finding.band for finding in lost.values()] == [None]


def test_neighbours_and_other_files_do_not_overlap() -> None:
    several = [
        rewrite("A", "safe", (4, 9)),
        rewrite("B", "safe", (9, 12)),
        # Both insert a declaration there.
        rewrite("C", "safe", (4, 4)),
        rewrite("D", "safe", (4, 4)),
        rewrite("E", "safe", (4, 9), file="b.c"),
    ]
    assert resolve_overlaps(several) == (tuple(several), {})


BOTH = """\
#include <linux/cred.h>
#include <linux/uaccess.h>

struct ids { u32 a; u32 b; u32 c; };

int ids_to_user(struct ids __user *p, u32 *x)
{
	if (put_user(current_cred()->uid.val, &p->a) ||
	    put_user(current_cred()->gid.val, &p->b) ||
	    put_user(next_id(x), &p->c))
		return -EFAULT;
	audit(x);
	*x = current_cred()->gid.val;
	return 0;
}
"""


@pytest.mark.whole
@pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")
def test_a_run_of_accesses_to_credentials(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A window would move the arguments, a local variable would replace them."""
    root = tmp_path / "linux"
    shutil.copytree(FIXTURES, root)
    (root / "ids.c").write_text(BOTH)
    common = [str(root / "ids.c"), "--churn", "--cache-dir", str(tmp_path / "cache")]
    common += ["--rule", "UA101", "--rule", "LD301"]
    assert main(["lint", *common, "--all", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(f["rule"], f["tier"], f["reason"]) for f in found] == [
        ("LD301", "prepared", None),
        ("UA101", None, "overlaps"),
    ]
    apply = ["patch", *common, "--tier", "prepared", "--allow-uncompiled", "--apply"]
    assert main(apply) == 0
    assert "put_user(cred->uid.val, &p->a)" in (root / "ids.c").read_text()
    # The next run applies the other rewrite.
    assert main(apply) == 0
    assert "unsafe_put_user(cred->uid.val, &p->a, efault)" in (
        (root / "ids.c").read_text()
    )
