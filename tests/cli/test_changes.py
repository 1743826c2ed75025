# SPDX-License-Identifier: GPL-2.0
"""``--diff-base`` and ``--diff`` restrict checks to changed lines, whose configuration does not hide what is wrong."""

import base64
import shutil
import subprocess

import pytest
from small_kernel import OPEN, POINTS, TEXTS, WINDOW

from tests.shared import FIXTURES, PROGRAM
from tests.tree.traps import commit, git

FILE = "drivers/two.c"
FUNCTION = (TEXTS / "reads_locals.c").read_text(encoding="utf-8")
OLD = POINTS + FUNCTION.format(name="one")
NEW = OLD + FUNCTION.format(name="two")
ONE, TWO = 8, 18
pytestmark = pytest.mark.whole


@pytest.fixture
def tree(small_kernel, tmp_path):
    """A miniature kernel in a subdirectory of a repository."""
    root = small_kernel({FILE: OLD}, "repository/linux")
    git(tmp_path, "init", "-q", "-b", "master", "repository")
    commit(root)
    return root


@pytest.fixture
def run(tree, said):
    """Run a command on a place in the tree: a check by spatch, or for two rules."""

    def run(command, *words, path=tree):
        rules = ("--rule", "UA101", "--rule", "UA102", "--churn")
        more = ("--engine", "spatch") if command == "check" else rules
        return said(command, path, *words, *more)

    return run


@pytest.fixture
def series(tree, tmp_path):
    """Three "git format-patch" files that are not applied: a move, a function, a file."""
    git(tree, "checkout", "-q", "-b", "topic")
    git(tree, "mv", FILE, "drivers/moved.c")
    git(tree, "commit", "-q", "-m", "Move")
    (tree / "drivers/moved.c").write_text(NEW)
    git(tree, "commit", "-q", "-a", "-m", "Grün")
    (tree / "drivers/new.c").write_text(POINTS + FUNCTION.format(name="three"))
    commit(tree)
    folder = tmp_path / "outgoing"
    options = ["--relative", "--cover-letter", "-o", str(folder), "master"]
    git(tree, "format-patch", "-q", *options)
    git(tree, "checkout", "-q", "master")
    return folder


def places(out, tree):
    """Format each finding as file:line; the code to write is indented."""
    lines = [line for line in out.splitlines() if not line.startswith("  ")]
    found = [line.split(": ")[0] for line in lines]
    return [place.removeprefix(f"{tree}/") for place in found]


def state(tree):
    return {p: p.read_bytes() for p in tree.rglob("*") if p.is_file()}


def test_only_changes_since_a_revision_are_reported(run, tree):
    assert run("lint", "--diff-base", "HEAD")[:2] == (0, "")
    (tree / FILE).write_text(NEW)
    code, out, _ = run("lint", "--diff-base", "HEAD")
    assert (code, places(out, tree)) == (1, [f"{FILE}:{TWO}"])
    git(tree, "commit", "-q", "-a", "-m", "New")
    assert run("lint", "--diff-base", "HEAD")[:2] == (0, "")
    assert places(run("lint", "--diff-base", "HEAD^")[1], tree) == [f"{FILE}:{TWO}"]
    assert run("lint", "--diff-base", "HEAD^", path=tree / "lib")[:2] == (0, "")


def test_only_changed_code_is_rewritten(run, tree):
    (tree / FILE).write_text(NEW)
    options = ["--allow-uncompiled", "--tier", "prepared"]
    _, out, err = run("patch", "--diff-base", "HEAD", *options)
    assert "1 rewrite in 1 file printed, 0 refused" in err
    assert out.count("+	if (!user_read_access_begin(") == 1
    assert "int one(" not in out


def test_a_change_elsewhere_in_a_window_counts(run, tree):
    file = tree / "drivers/window.c"
    file.write_text(WINDOW)
    commit(tree)
    assert run("check", "--diff-base", "HEAD")[:2] == (0, "")
    # The violation is reported at an end that is not touched.
    file.write_text(WINDOW.replace("user_write_access_begin", "user_read_access_begin"))
    code, out, _ = run("check", "--diff-base", "HEAD")
    assert code == 1 and "drivers/window.c:6: UW03" in out
    git(tree, "commit", "-q", "-a", "-m", "Broken")
    assert run("check")[0] == 1
    assert run("check", "--diff-base", "HEAD")[:2] == (0, "")


@pytest.mark.parametrize("file", ["include/linux/lamps.h", "drivers/window.c"])
@pytest.mark.parametrize("name", ["lamps_end", "lamps_begun"])
def test_what_a_change_takes_from_a_helper_counts_where_it_is_used(
    run, tree, file, name
):
    helper = "#define {}() user_write_access_end()\n"
    text = POINTS + WINDOW.replace("user_write_access_end()", "lamps_end()")
    user, own = tree / "drivers/window.c", tree / file
    user.write_text(text if user == own else f"#include <linux/lamps.h>\n{text}")
    old = user.read_text() if user == own else ""
    # It is in use, or the other one, and its windows never had an end.
    own.write_text(helper.format(name) + old)
    commit(tree)
    own.write_text(f"#define {name}() do {{ }} while (0)\n{old}")
    code, out, _ = run("check", "--diff-base", "HEAD")
    assert (code, "UW02" in out) == ((1, True) if name == "lamps_end" else (0, False))


def test_a_series_is_checked_without_being_applied(run, tree, series):
    before = state(tree)
    wanted = [f"drivers/moved.c:{TWO}", f"drivers/new.c:{ONE}"]
    code, out, err = run("lint", "--diff", str(series))
    assert (code, places(out, tree)) == (1, wanted) and "2 findings" in err
    # As mails in any order, one encoded, beside a cover letter and an answer
    cover, move, function, new = (p.read_bytes() for p in sorted(series.glob("*")))
    header, body = function.split(b"\n\n", 1)
    header = header.replace(b"Encoding: 8bit", b"Encoding: base64")
    assert b"base64" in header
    encoded = header + b"\n\n" + base64.encodebytes(body) + b"\n"
    quoted = b"> " + b"\n> ".join(body.split(b"\n"))
    answer = cover.replace(b"Subject: ", b"Subject: Re: ") + quoted
    mbox = b"\n".join([encoded, cover, new, answer, move])
    argv = [*PROGRAM, "lint", "--churn", "--diff", "-", tree]
    lint = subprocess.run(argv, input=mbox, capture_output=True, check=False)
    assert (lint.returncode, places(lint.stdout.decode(), tree)) == (1, wanted)
    assert state(tree) == before


def test_a_patch_whose_lines_later_ones_changed_again(run, tree, tmp_path):
    """As "b4 prep --check" runs a command for each patch in the branch of the series."""
    git(tree, "checkout", "-q", "-b", "topic")
    added = NEW + FUNCTION.format(name="three")
    (tree / FILE).write_text(added)
    git(tree, "commit", "-q", "-a", "-m", "Two functions")
    start, end = added.rsplit("if (get_user(x, &from->x)", 1)
    (tree / FILE).write_text(f"\n{start}if (__get_user(x, &from->x)" + end)
    git(tree, "commit", "-q", "-a", "-m", "Changed again")
    outgoing = ["format-patch", "-q", "--relative", "-o", str(tmp_path), "master"]
    git(tree, *outgoing)
    first, second = (str(file) for file in sorted(tmp_path.glob("*.patch")))
    three = f"{FILE}:{2 * TWO - ONE + 1}"
    assert places(run("lint", "--diff", first)[1], tree) == [f"{FILE}:{TWO + 1}"]
    assert places(run("lint", "--diff", second)[1], tree) == [three]
    # It is in the repository, but not in a branch that someone else started from.
    git(tree, "checkout", "-q", "master")
    (tree / FILE).write_text(POINTS)
    git(tree, "commit", "-q", "-a", "-m", "Something else")
    code, _, err = run("lint", "--diff", first)
    assert code == 2 and "does not apply" in err


RULES = 'rule = ["UW25"]\n'
BASELINE = 'baseline = "known.json"\n'


@pytest.fixture
def project(tmp_path):
    """A tree in a repository without a commit."""
    shutil.copytree(FIXTURES / "classic", tmp_path / "linux")
    git(tmp_path / "linux", "init", "-q")
    return tmp_path / "linux"


def breaks(project):
    """Commit all files, and stage one with a broken window."""
    commit(project)
    (project / "drivers/broken.c").write_text(POINTS + OPEN)
    git(project, "add", ".")


@pytest.fixture
def check(project, said):
    """Check all of the tree, or what is staged; the exit code, output and last message."""

    def check(*words, staged=True):
        base = ["--diff-base=HEAD"] * staged
        argv = ["check", project, "--engine=spatch", "--quiet", *base, *words]
        code, out, err = said(*argv)
        return code, out, (err.splitlines() or [""])[-1]

    return check


def test_what_a_change_brings_is_not_obeyed(project, check):
    breaks(project)
    known = project / "known.json"
    assert check(f"--write-baseline={known}", staged=False)[0] == 0
    own = project / ".hotcocci.toml"
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


def test_the_file_of_the_base_is_obeyed(project, check):
    (project / ".hotcocci.toml").write_text(RULES)
    breaks(project)
    code, out, last = check()
    assert (code, out) == (0, "") and last.startswith("options from ")
    # A second file nearer to the code is the change's.
    (project / "drivers/.hotcocci.toml").write_text('rule = ["UW24"]\n')
    (project / ".hotcocci.toml").write_text(f"{RULES}# changed\n")
    assert check()[0] == 1


def test_a_baseline_that_the_change_extends(project, check):
    none = project.parent / "none.toml"
    none.touch()
    write = (f"--config={none}", f"--write-baseline={project / 'known.json'}")
    assert check(*write, staged=False)[0] == 0
    (project / ".hotcocci.toml").write_text(BASELINE)
    breaks(project)
    assert check()[0] == 1
    assert check(*write, staged=False)[0] == 0
    code, _, last = check()
    assert code == 1 and last.endswith("baseline; to obey it, use --config")


def test_the_user_s_own_file_above_is_obeyed(project, check):
    breaks(project)
    (project.parent / ".hotcocci.toml").write_text(RULES)
    code, out, last = check()
    assert (code, out) == (0, "") and last.startswith("options from ")


@pytest.mark.parametrize("above", [False, True])
def test_a_link_to_what_the_change_rewrites(project, check, above):
    ours = project / "ours.toml"
    ours.write_text("jobs = 1\n")
    place = project.parent if above else project
    (place / ".hotcocci.toml").symlink_to(ours)
    breaks(project)
    ours.write_text(RULES)
    code, _, last = check()
    assert code == 1 and last.startswith("not obeyed")


def test_a_patch_brings_its_own(project, said):
    commit(project)
    (project / ".hotcocci.toml").write_text('rule = ["LD301"]\n')
    git(project, "add", ".")
    patch = project.parent / "a.patch"
    lamp = (project / "drivers/lamp.c").read_text().splitlines()
    added = "".join(f"+{line}\n" for line in lamp)
    patch.write_text(
        f"--- /dev/null\n+++ b/drivers/new.c\n@@ -0,0 +1,{len(lamp)} @@\n{added}"
    )
    code, _, err = said("lint", project, f"--diff={patch}", "--churn")
    assert code == 1 and "not obeyed" in err.splitlines()[-1]
