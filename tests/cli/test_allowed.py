# SPDX-License-Identifier: GPL-2.0
"""Suppression comments and baselines hide findings and rewrites."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"
FILE = "drivers/two.c"
FUNCTION = """\
int {name}(struct point __user *from, struct point *p)
{{
{comment}	if (get_user(p->x, &from->x) || get_user(p->y, &from->y) || get_user(p->z, &from->z))
		return -EFAULT;
	return 0;
}}

"""
HEAD = "#include <linux/uaccess.h>\nstruct point { int x, y, z; };\n\n"
ALLOWS = "	/* hotcocci: allow UA101 - the order is the protocol */\n"
FIRST = 6

pytestmark = [
    pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch"),
    pytest.mark.whole,
]
Run = Callable[..., tuple[int, str, str]]


def text(first: str = "", second: str = "") -> str:
    """A file with two findings; each argument is a line inserted before the accesses of one."""
    return (
        HEAD
        + FUNCTION.format(name="one", comment=first)
        + FUNCTION.format(name="two", comment=second)
    )


@pytest.fixture
def tree(small_kernel, monkeypatch) -> Path:
    root = small_kernel({})
    (root / FILE).write_text(text())
    # Paths are relative, so no line is folded.
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(tree, tmp_path, said) -> Run:
    def run(command: str, *arguments: str) -> tuple[int, str, str]:
        where, *rest = arguments if command == "why" else (str(tree), *arguments)
        words = [command, where, "--cache-dir", tmp_path / "cache", *rest, "--churn"]
        if "--rule" not in rest:
            words += ["--rule", "UA101", "--rule", "UA102"]
        return said(*words)

    return run


def lines(out: str) -> list[tuple[int, str]]:
    """Parse the line and the rule of each finding printed by lint."""
    parts = (line.split(":")[1:] for line in out.splitlines())
    return [(int(number), rest.split()[0]) for number, rest, *_ in parts]


def test_why_names_the_comment(run, tree):
    (tree / FILE).write_text(text(ALLOWS))
    code, out, _ = run("why", f"{tree / FILE}:{FIRST + 1}")
    assert code == 0
    assert (
        f"Suppressed by the comment at line {FIRST}: neither reported nor rewritten."
        in out
    )


def test_a_comment_without_a_reason_allows_nothing(run, tree):
    (tree / FILE).write_text(text("	/* hotcocci: allow UA101 */\n"))
    _, out, _ = run("lint")
    assert (FIRST + 1, "UA101") in lines(out)
    assert "allows UA101 without saying why" in out
    assert "UW00" not in run("lint", "--rule", "UA102")[1]


def test_a_comment_needed_under_a_profile_is_not_unused(run, tree):
    headers = FIXTURES / "harness/include"
    shutil.copytree(headers, tree / "include", dirs_exist_ok=True)
    case = (FIXTURES / "UA202/struct-read-goto.c").read_text()
    plain = re.sub(r"[ \t]*/\* want.*?\*/", "", case)
    comment = " /* hotcocci: allow UA202 - why */"
    only = ["--rule", "UA202"]
    hot = [*only, "--all", "--profile", str(FIXTURES / "hot.txt")]
    file = tree / "drivers/copy.c"
    file.write_text(plain)
    assert lines(run("lint", *hot)[1]) == [(16, "UA202")]
    file.write_text(plain.replace("sizeof(where)))", "sizeof(where)))" + comment))
    assert run("lint", *only)[:2] == (0, "")
    assert run("lint", *hot)[:2] == (0, "")
    file.write_text(plain.replace("return err;", "return err;" + comment))
    assert lines(run("lint", *only)[1]) == [(22, "UW00")]


def test_a_baseline_is_named(run, tree, tmp_path):
    known = str(tmp_path / "known.json")
    code, out, err = run("lint", "--write-baseline", known)
    assert (code, out) == (0, "")
    assert "2 findings written to" in err
    assert "known.json: neither reported nor rewritten" in run(
        "why", f"{tree / FILE}:{FIRST}", "--baseline", known
    )[1].replace("\n", " ")
