# SPDX-License-Identifier: GPL-2.0
"""Suppression comments and baselines work the same in every command; unused ones are always reported."""

import re
import shutil

import pytest
from small_kernel import POINTS, TEXTS

from tests.shared import FIXTURES
from tests.tree.traps import commit

FILE = "drivers/two.c"
# The name of the pointer identifies the function.
FUNCTION = (TEXTS / "reads_members.c").read_text(encoding="utf-8")
FIRST = 6
ALLOWS = "	/* hotcocci: allow UA101 - the order is the protocol */\n"
UNUSED = "	/* hotcocci: allow UA102 - why */\n"
# Commands that process a whole tree, and options to print every finding.
COMMANDS = {
    "lint": (),
    "patch": ("--tier", "prepared", "--allow-uncompiled"),
    "prove": ("--tier", "prepared", "--format", "sarif"),
    "series": "--tier prepared --allow-uncompiled --allow-unproven".split(),
}
RULES = ("--churn", "--rule", "UA101", "--rule", "UA102")


def write(tree, *functions, comments={}):
    """A file with these functions, and comments before their accesses."""
    texts = [FUNCTION.format(name, comments.get(name, "")) for name in functions]
    # The context of a diff shows neighbouring lines.
    (tree / FILE).write_text(POINTS + ("\n" * 4).join(texts))


@pytest.fixture
def tree(small_kernel, monkeypatch):
    script = "print 'Ada <ada@example.org>', chr(10);\n"
    root = small_kernel({"scripts/get_maintainer.pl": script})
    # Paths are relative, so no line is folded.
    monkeypatch.chdir(root)
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")
    return root


@pytest.fixture
def shown(builds, tree, tmp_path, said):
    """Run a command; returns the functions it finds or rewrites, and its messages."""

    def shown(command, *more):
        folder = tmp_path / "mails"
        words = [command, *COMMANDS[command], *more, *RULES]
        if command == "series":
            commit(tree)
            words += ["--tree", tree, "--output", folder]
        else:
            words.append(tree)
        code, out, err = said(*words)
        assert code in (0, 1)
        mails = folder.iterdir() if folder.exists() else ()
        texts = out + "".join(mail.read_text() for mail in mails)
        # git names the function before in the first line of a hunk.
        names = re.findall(r"\bfrom_(\w+)", re.sub(r"(?m)^@@.*", "", texts))
        return set(names), (out if command == "lint" else "") + err

    return shown


@pytest.mark.parametrize("command", COMMANDS)
def test_a_baseline_and_comments_suppress_and_unused_ones_are_reported(
    tree, tmp_path, shown, command
):
    known = str(tmp_path / "known.json")
    write(tree, "one", "two")
    assert "2 findings written to" in shown("lint", "--write-baseline", known)[1]
    names, output = shown(command, "--baseline", known)
    assert names == set()
    assert "2 findings in the baseline" in output and "comments" not in output
    write(tree, "three", "four", "five", comments={"three": ALLOWS, "four": UNUSED})
    names, output = shown(command, "--baseline", known)
    assert names == {"four", "five"}, output
    assert "2 findings in the baseline no longer occur" in output
    assert "1 finding suppressed by comments" in output
    unused = "UW00 this comment allows UA102, but there is no such finding here"
    assert output.count(unused) == 1


@pytest.mark.whole
def test_why_names_the_comment_or_the_baseline(tree, said):
    write(tree, "one")
    said("lint", *RULES, "--write-baseline", "known.json")
    code, out, _ = said("why", f"{FILE}:{FIRST}", *RULES, "--baseline", "known.json")
    assert "known.json: neither reported nor rewritten" in out.replace("\n", " ")
    write(tree, "one", comments={"one": ALLOWS})
    _, out, _ = said("why", f"{FILE}:{FIRST + 1}", *RULES)
    by = f"Suppressed by the comment at line {FIRST}: neither reported nor rewritten."
    assert code == 0 and by in out


def lines(out):
    """Parse the line and the rule of each finding printed by lint."""
    parts = (line.split(":")[1:] for line in out.splitlines())
    return [(int(number), rest.split()[0]) for number, rest, *_ in parts]


@pytest.mark.whole
def test_a_comment_without_a_reason_allows_nothing(tree, said):
    write(tree, "one", comments={"one": "	/* hotcocci: allow UA101 */\n"})
    out = said("lint", *RULES)[1]
    assert (FIRST + 1, "UA101") in lines(out)
    assert "allows UA101 without saying why" in out
    assert "UW00" not in said("lint", "--rule", "UA102")[1]


@pytest.mark.whole
def test_a_comment_needed_under_a_profile_is_not_unused(tree, said):
    shutil.copytree(FIXTURES / "harness/include", tree / "include", dirs_exist_ok=True)
    case = (FIXTURES / "UA202/struct-read-goto.c").read_text()
    plain = re.sub(r"[ \t]*/\* want.*?\*/", "", case)
    comment = " /* hotcocci: allow UA202 - why */"
    only = ["lint", "--churn", "--rule", "UA202"]
    hot = [*only, "--all", "--profile", FIXTURES / "hot.txt"]
    file = tree / "drivers/copy.c"
    file.write_text(plain)
    assert lines(said(*hot)[1]) == [(16, "UA202")]
    file.write_text(plain.replace("sizeof(where)))", "sizeof(where)))" + comment))
    assert said(*only)[:2] == said(*hot)[:2] == (0, "")
    file.write_text(plain.replace("return err;", "return err;" + comment))
    assert lines(said(*only)[1]) == [(22, "UW00")]
