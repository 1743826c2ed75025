# SPDX-License-Identifier: GPL-2.0
"""Which rewrites stay out because of others: that change the same text, or that do not pass."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.cli.main import main
from hotcocci.findings import WORTH, Edit, Rewrite, Saves
from hotcocci.rules.offer import NO_GAIN, Refusal, left_alone, resolve_overlaps
from tests.shared import NEEDS_SPATCH, finding

PLACE = finding(file="kernel/a.c", accesses=3)
DEARER = Refusal(NO_GAIN, "the rewrite costs more than it saves")
BROKEN = Refusal("failed-proof", "checkpatch failed")


def made(rule, function, at, file="kernel/a.c"):
    found = replace(PLACE, rule=rule, function=function, file=file, line=at)
    return Rewrite(found, (Edit(at, at + 1, "x"),), "A", "classic")


@pytest.mark.parametrize("why", [DEARER, BROKEN])
def test_a_function_changes_as_a_whole(why):
    own, other = made("UA101", "f", 10), made("UA101", "f", 20)
    found = left_alone([own], {other: why})
    assert found[own].reason == why.reason
    assert found[own].message == f"f() at line 20 stays as it is: {why.message}"
    assert not left_alone([made("UA201", "f", 10)], {other: why})
    assert not left_alone([made("UA101", "g", 10)], {other: why})


def test_copies_of_cold_code_change_together_or_not():
    other, cold = made("UA201", "f", 20), made("UA201", "g", 10)
    assert left_alone([cold], {other: DEARER})
    assert not left_alone([cold], {other: BROKEN})
    hot = replace(cold, finding=replace(cold.finding, band=WORTH))
    assert not left_alone([hot], {other: DEARER})


def test_the_same_for_another_kind_of_program_stays_with_the_first():
    first = made("UA101", "rt_sigreturn", 20)
    along = made("UA101", "x32_rt_sigreturn", 10)
    finding = replace(along.finding, heat=0.002, saves=Saves(4, 9, 6), band=WORTH)
    assert left_alone([replace(along, finding=finding)], {first: DEARER})
    alone = replace(finding, heat=8.0)
    assert not left_alone([replace(along, finding=alone)], {first: DEARER})


FIXTURES = Path(__file__).parents[2] / "kernel-fixtures/classic"


def rewrite(rule, tier, *places, file="a.c"):
    found = finding(rule=rule, file=file, line=7, message=rule, tier=tier)
    edits = tuple(Edit(start, end, rule) for start, end in places)
    return Rewrite(found, edits, "A", "classic")


def test_what_is_worth_more_wins_and_the_other_is_reported():
    safe = rewrite("UA202", "safe", (4, 9))
    prepared = rewrite("LD301", "prepared", (8, 9))
    for bands, winner in (
        ((None, None), 0),
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
        (found,) = lost.values()
        assert (found.verdict, found.tier, found.reason) == ("report", None, "overlaps")
        assert found.band is None
        if not winner:
            said = "LD301; UA202 also rewrites line 7: take that rewrite"
            assert found.message.startswith(said)


def test_neighbours_and_other_files_do_not_overlap():
    several = [
        rewrite("A", "safe", (4, 9)),
        rewrite("B", "safe", (9, 12)),
        # Both insert a declaration there.
        rewrite("C", "safe", (4, 4)),
        rewrite("D", "safe", (4, 4)),
        rewrite("E", "safe", (4, 9), file="b.c"),
    ]
    assert resolve_overlaps(several) == (tuple(several), {})


def test_labels_of_one_name_that_do_something_else():
    """One of them is left for the next run, which finds the name taken."""

    def labelled(rule, text, at=90):
        label = Edit(at, at, f"\nefault:\n\t{text};\n")
        return replace(rewrite(rule, "safe"), edits=(label,))

    first = labelled("UA101", "user_write_access_end()")
    same = labelled("UA202", "user_write_access_end()")
    assert resolve_overlaps([first, same]) == ((first, same), {})
    other = labelled("UA202", "user_read_access_end()")
    kept, lost = resolve_overlaps([first, other])
    assert kept == (first,) and lost[other.finding].reason == "overlaps"
    # Two system calls of one name, as settimeofday() and its compat twin
    elsewhere = labelled("UA202", "user_read_access_end()", 900)
    assert resolve_overlaps([first, elsewhere])[1] == {}


BOTH = """\
#include <linux/cred.h>
#include <linux/uaccess.h>

struct ids { u32 a; u32 b; u32 c; };

int ids_to_user(struct ids __user *p, u32 *x)
{
	if (put_user(current_cred()->uid.val + next_id(x), &p->a) ||
	    put_user(current_cred()->gid.val, &p->b) ||
	    put_user(*x, &p->c))
		return -EFAULT;
	audit(x);
	*x = current_cred()->gid.val;
	return 0;
}
"""


@pytest.mark.whole
@NEEDS_SPATCH
def test_a_run_of_accesses_to_credentials(tmp_path, capsys):
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
    assert "put_user(cred->gid.val, &p->b)" in (root / "ids.c").read_text()
    # The next run applies the other rewrite.
    assert main(apply) == 0
    assert "unsafe_put_user(cred->gid.val, &p->b, efault)" in (
        (root / "ids.c").read_text()
    )
