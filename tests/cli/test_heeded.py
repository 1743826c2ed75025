# SPDX-License-Identifier: GPL-2.0
"""Suppression comments and baselines work in every command alike; unused ones are reported by all."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.cli.main import main

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"
FILE = "drivers/two.c"
HEAD = "#include <linux/uaccess.h>\nstruct point { int x, y, z; };\n\n"
# Each function is told by the name of its pointer.
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
# Commands that look at a whole tree, and what makes each print all that it finds.
COMMANDS = {
    "lint": (),
    "patch": ("--tier", "prepared", "--allow-uncompiled"),
    "prove": ("--tier", "prepared", "--format", "html"),
    "series": ("--tier", "prepared", "--allow-uncompiled"),
}
BOTH = ("one", "two")

pytestmark = [
    pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch"),
    pytest.mark.parametrize("command", COMMANDS),
]
Shown = Callable[..., tuple[set[str], str]]


def write(tree: Path, *functions: str, first: str = "") -> None:
    """A file with these functions; ``first`` is a line in front of the accesses of the first."""
    texts = [
        FUNCTION.format(name, "" if i else first) for i, name in enumerate(functions)
    ]
    (tree / FILE).write_text(HEAD + "".join(texts))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    shutil.copytree(FIXTURES / "classic", root)
    for file in (root / "drivers").glob("*.c"):
        file.unlink()
    (root / "scripts").mkdir()
    script = "print 'Ada <ada@example.org>', chr(10);\n"
    (root / "scripts/get_maintainer.pl").write_text(script)
    return root


def commit(tree: Path) -> None:
    """Make the tree a repository that holds what is there."""
    for words in (
        ["init", "-q"],
        ["config", "user.name", "Ada"],
        ["config", "user.email", "ada@example.org"],
        ["add", "-A"],
        ["commit", "-q", "-m", "all"],
    ):
        subprocess.run(["git", *words], cwd=tree, check=True)


@pytest.fixture
def shown(
    builds: None, tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Shown:
    """The functions that a command finds or rewrites, and all that it says in words."""

    def shown(command: str, *more: str) -> tuple[set[str], str]:
        made = tmp_path / "mails"
        words = [command, *COMMANDS[command], *more, "--rule", "UA101"]
        words += ["--rule", "UA102", "--cache-dir", str(tmp_path / "cache")]
        if command == "series":
            commit(tree)
            words += ["--tree", str(tree), "--output", str(made)]
        else:
            words.append(str(tree))
        assert main(words) in (0, 1)
        said = capsys.readouterr()
        mails = made.iterdir() if made.exists() else ()
        out = said.out + "".join(mail.read_text() for mail in mails)
        names = {name for name in ("one", "two", "three") if f"from_{name}" in out}
        return names, (said.out if command == "lint" else "") + said.err

    return shown


def test_all_is_shown_without(tree: Path, shown: Shown, command: str) -> None:
    write(tree, *BOTH)
    names, said = shown(command)
    assert names == set(BOTH), said
    assert "allowed" not in said and "baseline" not in said and "UW00" not in said


def test_a_comment_is_heeded(tree: Path, shown: Shown, command: str) -> None:
    # Context of a diff shows the neighbours' lines.
    write(tree, "one", first=ALLOWS)
    names, said = shown(command)
    assert names == set()
    assert "1 finding suppressed by comments" in said


def test_a_baseline_is_heeded(
    tree: Path, tmp_path: Path, shown: Shown, command: str
) -> None:
    known = str(tmp_path / "known.json")
    write(tree, *BOTH)
    shown("lint", "--write-baseline", known)
    names, said = shown(command, "--baseline", known)
    assert names == set()
    assert "2 findings in the baseline" in said
    write(tree, "three")
    names, said = shown(command, "--baseline", known)
    assert names == {"three"}
    assert "2 findings in the baseline no longer occur" in said


def test_an_unused_comment_is_told(tree: Path, shown: Shown, command: str) -> None:
    write(tree, "one", first=UNUSED)
    names, said = shown(command)
    assert names == {"one"}
    assert (
        said.count("UW00 this comment allows UA102, but there is no such finding here")
        == 1
    )
