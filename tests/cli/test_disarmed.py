# SPDX-License-Identifier: GPL-2.0
"""A configuration that may have come with a change does not hide what is wrong with the change."""

import shutil
from pathlib import Path

import pytest
from small_kernel import OPEN, POINTS

from tests.shared import FIXTURES
from tests.tree.traps import commit, git

RULES = 'rule = ["UW25"]\n'
BASELINE = 'baseline = "known.json"\n'

pytestmark = pytest.mark.whole


@pytest.fixture
def tree(tmp_path) -> Path:
    """A tree in a repository without a commit."""
    shutil.copytree(FIXTURES / "classic", tmp_path / "linux")
    git(tmp_path / "linux", "init", "-q")
    return tmp_path / "linux"


def breaks(tree: Path) -> None:
    """Commit all files, and stage one with a broken window."""
    commit(tree)
    (tree / "drivers/broken.c").write_text(POINTS + OPEN)
    git(tree, "add", ".")


@pytest.fixture
def check(tree, said):
    """Check all of the tree, or what is staged; the exit code, output and last message."""

    def check(*words: object, staged: bool = True) -> tuple[int, str, str]:
        base = ["--diff-base=HEAD"] * staged
        argv = ["check", tree, "--engine=spatch", "--quiet", *base, *words]
        code, out, err = said(*argv)
        return code, out, (err.splitlines() or [""])[-1]

    return check


def test_what_a_change_brings_is_not_obeyed(tree, check):
    breaks(tree)
    known = tree / "known.json"
    assert check(f"--write-baseline={known}", staged=False)[0] == 0
    own = tree / ".hotcocci.toml"
    own.write_text(RULES + BASELINE)
    code, out, last = check()
    assert code == 1 and "UW" in out
    names = [line.partition(" ")[0] for line in (RULES + BASELINE).splitlines()]
    assert last.startswith("not obeyed") and ", ".join(names) in last
    # The twin: without a change under test it is obeyed, and said.
    code, out, last = check(staged=False)
    assert (code, out) == (0, "")
    assert last == f"options from {own}: {', '.join(names)}"
    # The caller's own word
    assert check(f"--config={own}")[0] == 0


def test_the_file_of_the_base_is_obeyed(tree, check):
    (tree / ".hotcocci.toml").write_text(RULES)
    breaks(tree)
    code, out, last = check()
    assert (code, out) == (0, "") and last.startswith("options from ")
    # A second file nearer to the code is the change's.
    (tree / "drivers/.hotcocci.toml").write_text('rule = ["UW24"]\n')
    (tree / ".hotcocci.toml").write_text(f"{RULES}# changed\n")
    assert check()[0] == 1


def test_a_baseline_that_the_change_extends(tree, check):
    none = tree.parent / "none.toml"
    none.touch()
    write = (f"--config={none}", f"--write-baseline={tree / 'known.json'}")
    assert check(*write, staged=False)[0] == 0
    (tree / ".hotcocci.toml").write_text(BASELINE)
    breaks(tree)
    assert check()[0] == 1
    assert check(*write, staged=False)[0] == 0
    code, _, last = check()
    assert code == 1 and last.endswith("baseline; to obey it, use --config")


def test_the_user_s_own_file_above_is_obeyed(tree, check):
    breaks(tree)
    (tree.parent / ".hotcocci.toml").write_text(RULES)
    code, out, last = check()
    assert (code, out) == (0, "") and last.startswith("options from ")


@pytest.mark.parametrize("above", [False, True])
def test_a_link_to_what_the_change_rewrites(tree, check, above):
    ours = tree / "ours.toml"
    ours.write_text("jobs = 1\n")
    place = tree.parent if above else tree
    (place / ".hotcocci.toml").symlink_to(ours)
    breaks(tree)
    ours.write_text(RULES)
    code, _, last = check()
    assert code == 1 and last.startswith("not obeyed")


def test_a_patch_brings_its_own(tree, said):
    commit(tree)
    (tree / ".hotcocci.toml").write_text('rule = ["LD301"]\n')
    git(tree, "add", ".")
    patch = tree.parent / "a.patch"
    lamp = (tree / "drivers/lamp.c").read_text().splitlines()
    added = "".join(f"+{line}\n" for line in lamp)
    patch.write_text(
        f"--- /dev/null\n+++ b/drivers/new.c\n@@ -0,0 +1,{len(lamp)} @@\n{added}"
    )
    code, _, err = said("lint", tree, f"--diff={patch}", "--churn")
    assert code == 1 and "not obeyed" in err.splitlines()[-1]
