# SPDX-License-Identifier: GPL-2.0
"""A configuration that may have come with a change does not hide what is wrong with the change."""

import shutil
from pathlib import Path

import pytest

from hotcocci.cli.main import main
from tests.tree.traps import commit, git

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"
FILE = "drivers/broken.c"
RULES = 'rule = ["UW25"]\n'
BASELINE = 'baseline = "known.json"\n'
BROKEN = """\
#include <linux/uaccess.h>

int lamp_on(u32 __user *on)
{
	if (!user_write_access_begin(on, sizeof(*on)))
		return -EFAULT;
	unsafe_put_user(1, on, efault);
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
"""

pytestmark = [
    pytest.mark.skipif(
        not (shutil.which("spatch") and shutil.which("git")), reason="no spatch or git"
    ),
    pytest.mark.whole,
]


class Project:
    """A tree in a repository whose commit does not have the broken file yet."""

    def __init__(self, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Copy a fixture."""
        self.above = place
        self.tree = place / "linux"
        self._capsys = capsys
        shutil.copytree(FIXTURES / "classic", self.tree)
        git(self.tree, "init", "-q")

    def commit(self) -> None:
        """Commit all files."""
        commit(self.tree)

    def breaks(self) -> None:
        """Write and stage the broken file."""
        (self.tree / FILE).write_text(BROKEN)
        git(self.tree, "add", ".")

    def check(self, *options: str) -> tuple[int, str, str]:
        """Run check; returns its exit code, output and last message."""
        cache = f"--cache-dir={self.above / 'cache'}"
        argv = ["check", str(self.tree), "--engine=spatch", "--quiet", cache, *options]
        code = main(argv)
        done = self._capsys.readouterr()
        return code, done.out, (done.err.splitlines() or [""])[-1]


@pytest.fixture
def project(tmp_path, capsys) -> Project:
    return Project(tmp_path, capsys)


def test_what_a_change_brings_is_not_obeyed(project):
    project.commit()
    project.breaks()
    known = project.tree / "known.json"
    assert project.check(f"--write-baseline={known}")[0] == 0
    own = project.tree / ".hotcocci.toml"
    own.write_text(RULES + BASELINE)
    code, out, last = project.check("--diff-base=HEAD")
    assert code == 1 and "UW" in out
    names = [line.partition(" ")[0] for line in (RULES + BASELINE).splitlines()]
    assert last.startswith("not obeyed") and ", ".join(names) in last
    # The twin: without a change under test it is obeyed, and said.
    code, out, last = project.check()
    assert (code, out) == (0, "")
    assert last == f"options from {own}: {', '.join(names)}"
    # The caller's own word
    assert project.check("--diff-base=HEAD", f"--config={own}")[0] == 0


def test_the_file_of_the_base_is_obeyed(project):
    (project.tree / ".hotcocci.toml").write_text(RULES)
    project.commit()
    project.breaks()
    code, out, last = project.check("--diff-base=HEAD")
    assert (code, out) == (0, "") and last.startswith("options from ")
    # A second file nearer to the code is the change's.
    (project.tree / "drivers/.hotcocci.toml").write_text('rule = ["UW24"]\n')
    (project.tree / ".hotcocci.toml").write_text(f"{RULES}# changed\n")
    assert project.check("--diff-base=HEAD")[0] == 1


def test_a_baseline_that_the_change_extends(project):
    none = project.above / "none.toml"
    none.touch()
    write = (f"--config={none}", f"--write-baseline={project.tree / 'known.json'}")
    assert project.check(*write)[0] == 0
    (project.tree / ".hotcocci.toml").write_text(BASELINE)
    project.commit()
    project.breaks()
    assert project.check("--diff-base=HEAD")[0] == 1
    assert project.check(*write)[0] == 0
    code, _, last = project.check("--diff-base=HEAD")
    assert code == 1 and last.endswith("baseline; to obey it, use --config")


def test_the_user_s_own_file_above_is_obeyed(project):
    project.commit()
    project.breaks()
    (project.above / ".hotcocci.toml").write_text(RULES)
    code, out, last = project.check("--diff-base=HEAD")
    assert (code, out) == (0, "") and last.startswith("options from ")


@pytest.mark.parametrize("above", [False, True])
def test_a_link_to_what_the_change_rewrites(project, above):
    ours = project.tree / "ours.toml"
    ours.write_text("jobs = 1\n")
    place = project.above if above else project.tree
    (place / ".hotcocci.toml").symlink_to(ours)
    project.commit()
    project.breaks()
    ours.write_text(RULES)
    code, _, last = project.check("--diff-base=HEAD")
    assert code == 1 and last.startswith("not obeyed")


def test_a_patch_brings_its_own(project, capsys):
    project.commit()
    (project.tree / ".hotcocci.toml").write_text('rule = ["LD301"]\n')
    git(project.tree, "add", ".")
    patch = project.above / "a.patch"
    lamp = (project.tree / "drivers/lamp.c").read_text().splitlines()
    added = "".join(f"+{line}\n" for line in lamp)
    patch.write_text(
        f"--- /dev/null\n+++ b/drivers/new.c\n@@ -0,0 +1,{len(lamp)} @@\n{added}"
    )
    cache = f"--cache-dir={project.above / 'cache'}"
    argv = ["lint", str(project.tree), f"--diff={patch}", "--churn", cache]
    assert main(argv) == 1
    assert "not obeyed" in capsys.readouterr().err.splitlines()[-1]
