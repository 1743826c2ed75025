# SPDX-License-Identifier: GPL-2.0
"""Suppression comments and baselines work the same in every command; unused ones are always reported."""

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from hotcocci.cli.main import main

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"
FILE = "drivers/two.c"
HEAD = "#include <linux/uaccess.h>\nstruct point { int x, y, z; };\n\n"
# The name of the pointer identifies the function.
FUNCTION = """\
int {0}(struct point __user *from_{0}, struct point *p)
{{
{1}	if (get_user(p->x, &from_{0}->x) || get_user(p->y, &from_{0}->y) ||
	    get_user(p->z, &from_{0}->z))
		return -EFAULT;
	return 0;
}}

"""
ALLOWS = "	/* hotcocci: allow UA101 - the order is the protocol */\n"
UNUSED = "	/* hotcocci: allow UA102 - why */\n"
# Commands that process a whole tree, and options to print every finding.
COMMANDS = {
    "lint": ("--churn",),
    "patch": ("--churn", "--tier", "prepared", "--allow-uncompiled"),
    "prove": ("--churn", "--tier", "prepared", "--format", "sarif"),
    "series": "--churn --tier prepared --allow-uncompiled --allow-unproven".split(),
}

pytestmark = [
    pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch"),
    pytest.mark.parametrize("command", COMMANDS),
]
Shown = Callable[..., tuple[set[str], str]]


def write(tree: Path, *functions: str, comments: Mapping[str, str] = {}) -> None:
    """A file with these functions, and comments before their accesses."""
    texts = [FUNCTION.format(name, comments.get(name, "")) for name in functions]
    # The context of a diff shows neighbouring lines.
    (tree / FILE).write_text(HEAD + ("\n" * 4).join(texts))


@pytest.fixture
def tree(small_kernel, monkeypatch) -> Path:
    script = "print 'Ada <ada@example.org>', chr(10);\n"
    root = small_kernel({"scripts/get_maintainer.pl": script})
    # Paths are relative, so no line is folded.
    monkeypatch.chdir(root)
    return root


def commit(tree: Path) -> None:
    """Turn the tree into a repository with its files committed."""
    for words in (
        ["init", "-q"],
        ["config", "user.name", "Ada"],
        ["config", "user.email", "ada@example.org"],
        ["add", "-A"],
        ["commit", "-q", "-m", "all"],
    ):
        subprocess.run(["git", *words], cwd=tree, check=True)


@pytest.fixture
def shown(builds, tree, tmp_path, capsys) -> Shown:
    """Run a command; returns the functions it finds or rewrites, and its messages."""

    def shown(command: str, *more: str) -> tuple[set[str], str]:
        folder = tmp_path / "mails"
        words = [command, *COMMANDS[command], *more, "--rule", "UA101"]
        words += ["--rule", "UA102", "--cache-dir", str(tmp_path / "cache")]
        if command == "series":
            commit(tree)
            words += ["--tree", str(tree), "--output", str(folder)]
        else:
            words.append(str(tree))
        assert main(words) in (0, 1)
        output = capsys.readouterr()
        mails = folder.iterdir() if folder.exists() else ()
        out = output.out + "".join(mail.read_text() for mail in mails)
        # git names the function before in the first line of a hunk.
        names = re.findall(r"\bfrom_(\w+)", re.sub(r"(?m)^@@.*", "", out))
        return set(names), (output.out if command == "lint" else "") + output.err

    return shown


def test_a_baseline_and_comments_suppress_and_unused_ones_are_reported(
    tree, tmp_path, shown, command
):
    known = str(tmp_path / "known.json")
    write(tree, "one", "two")
    shown("lint", "--write-baseline", known)
    names, output = shown(command, "--baseline", known)
    assert names == set()
    assert "2 findings in the baseline" in output and "comments" not in output
    comments = {"three": ALLOWS, "four": UNUSED}
    write(tree, "three", "four", "five", comments=comments)
    names, output = shown(command, "--baseline", known)
    assert names == {"four", "five"}, output
    assert "2 findings in the baseline no longer occur" in output
    assert "1 finding suppressed by comments" in output
    unused = "UW00 this comment allows UA102, but there is no such finding here"
    assert output.count(unused) == 1
