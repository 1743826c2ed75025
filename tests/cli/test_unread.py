# SPDX-License-Identifier: GPL-2.0
"""What a change touches and was not read has not passed: exit code 2, with the place."""

import json
import os
import shutil

import pytest
from small_kernel import OPEN, TEXTS, WINDOW
from small_kernel import POINTS as HEAD

from tests.tree.traps import commit, git

FILE = "drivers/two.c"
READS = (TEXTS / "reads.c").read_text(encoding="utf-8")
PLAIN = "int plain(void)\n{\n\treturn 0;\n}\n\n"
# Valid code that spatch cannot parse, and such in arguments of a macro, beside a call that it sees
MACRO = (TEXTS / "macro.c").read_text(encoding="utf-8")
EXPANDED = (TEXTS / "expanded.c").read_text(encoding="utf-8")
WINDOW_IN_MACRO = MACRO.replace("get_user", "!user_access_begin")
# Balanced in each configuration, though not in all of the text
CONDITIONS = (TEXTS / "conditions.c").read_text(encoding="utf-8")
LINT = ("lint", "--churn", "--quiet")
PATCH = ("patch", "--churn", "--quiet")
CHECK = ("check", "--engine", "spatch", "--quiet")

pytestmark = pytest.mark.whole


@pytest.fixture
def tree(small_kernel):
    """A miniature kernel without drivers."""
    return small_kernel({})


@pytest.fixture
def committed(tree):
    def write(text):
        (tree / FILE).write_text(text)
        commit(tree)

    return write


@pytest.fixture
def run(tree, monkeypatch, said):
    """Run a command in the tree."""
    monkeypatch.chdir(tree)
    return said


@pytest.mark.parametrize(
    ("old", "new", "command", "place", "why"),
    [
        (PLAIN, PLAIN + "int f( {\n", LINT, 9, "the { of line 9 has no }"),
        (PLAIN, PLAIN + "int f( {\n", CHECK, 9, "the { of line 9 has no }"),
        (READS, READS[:-3], LINT, 5, "the { of line 5 has no }"),
        (PLAIN, PLAIN + "/* open\n" + READS, LINT, 9, "the /* of line 9 has no */"),
        (PLAIN, PLAIN + EXPANDED, LINT, 12, "spatch could not parse"),
        (PLAIN, PLAIN + WINDOW_IN_MACRO, CHECK, 12, "cannot parse the code"),
        (PLAIN, PLAIN + EXPANDED, PATCH, 12, "spatch could not parse"),
    ],
)
def test_code_of_a_change_that_does_not_parse(
    tree, committed, run, old, new, command, place, why
):
    committed(HEAD + old)
    (tree / FILE).write_text(HEAD + new)
    code, _, err = run(*command, "--diff-base", "HEAD")
    last = err.splitlines()[-1]
    assert (code, last.startswith(f"hotcocci: {FILE}:{place}: ")) == (2, True), err
    assert why in last and "not checked there" in last
    if place > 5:
        return
    # A hook names the file, and a whole tree has other code that was read.
    assert run(*command, "--diff-base", "HEAD", FILE)[0] == 2
    assert run(*command, "drivers")[0] != 2
    if command == LINT:
        (tree.parent / "x.patch").write_text(git(tree, "diff"))
        git(tree, "checkout", "-q", FILE)
        code, _, err = run(*command, "--diff", "../x.patch")
        assert (code, err.splitlines()[-1]) == (2, last)


@pytest.mark.parametrize(
    ("old", "new", "command"),
    [
        # Broken elsewhere, in #if, in #if 0, in directives
        (EXPANDED + WINDOW_IN_MACRO + PLAIN, PLAIN.replace("0", "1"), LINT),
        # Which we read ourselves
        (PLAIN, PLAIN + MACRO, LINT),
        (MACRO + WINDOW_IN_MACRO + PLAIN, PLAIN.replace("0", "1"), CHECK),
        ("int f( {\n}\n\n" + PLAIN, PLAIN.replace("0", "1"), LINT),
        (CONDITIONS, CONDITIONS.replace("x--", "x -= 2"), LINT),
        (PLAIN, PLAIN + "#if 0\nIt's (not C\n#endif\n", CHECK),
        (PLAIN, PLAIN + '#define OPEN(x) if (x) {\n#define SAY "(" /* { */\n', LINT),
    ],
)
def test_code_elsewhere_in_a_file(tree, committed, run, old, new, command):
    committed(HEAD + old)
    (tree / FILE).write_text(HEAD + old.replace(PLAIN, new).replace(CONDITIONS, new))
    code, _, err = run(*command, "--diff-base", "HEAD")
    assert code == 0, err


@pytest.mark.parametrize(
    ("data", "why", "command"),
    [
        ((HEAD + WINDOW).encode("utf-16"), "NUL bytes", LINT),
        ((HEAD + WINDOW).replace("\n", "\r").encode(), "CR alone", CHECK),
        # The twins
        ((HEAD + PLAIN).replace("\n", "\r\n").encode(), "", LINT),
        (b"int x;", "", LINT),
    ],
)
def test_contents_that_are_no_c(tree, committed, run, command, data, why):
    committed(HEAD + WINDOW)
    (tree / FILE).write_bytes(data)
    for path in ("drivers", FILE, "drivers"):
        code, _, err = run(*command, path)
        assert (code, err.count(FILE)) == (0, bool(why)) and why in err
    code, _, err = run(*command, "--diff-base", "HEAD")
    assert (code, bool(err)) == (2 * bool(why), bool(why)) and why in err


@pytest.mark.parametrize("command", [LINT, CHECK], ids=["lint", "check"])
def test_a_fifo_is_said_once_and_not_read(tree, run, command):
    os.mkfifo(tree / "drivers/pipe.c")
    code, _, err = run(*command, "drivers")
    assert code == 0
    assert err.count("drivers/pipe.c: skipped: it is not a regular file") == 1


@pytest.mark.parametrize(
    ("command", "target", "why"),
    [
        (LINT, "../../out.c", "out of the tree"),
        (CHECK, "../../out.c", "out of the tree"),
        (LINT, "gone.c", "leads nowhere"),
        (LINT, "in.c", "is a link, and is not checked"),
    ],
)
def test_links(tree, committed, run, command, target, why):
    (tree / "drivers/in.c").write_text(HEAD + PLAIN)
    (tree.parent / "out.c").write_text(HEAD + WINDOW)
    patch = tree.parent / "x.patch"
    committed(HEAD + PLAIN)
    (tree / FILE).unlink()
    (tree / FILE).symlink_to(target)
    code, _, err = run(*command, "drivers")
    # There is nothing to read where none is, and what is in the tree is read there.
    assert (code, FILE in err) == (0, "out" in target)
    code, _, err = run(*command, "--diff-base", "HEAD")
    assert code == 2 and f"{FILE}: it is a link" in err and why in err
    assert run(*command, "--diff-base", "HEAD", FILE)[0] == 2
    if command == LINT:
        patch.write_text(git(tree, "diff"))
        git(tree, "checkout", "-q", FILE)
        code, _, err = run(*command, "--diff", "../x.patch")
        assert code == 2 and f"{FILE}: a link or submodule, not checked" in err
        # Where one goes, there is nothing to read.
        git(tree, "apply", "../x.patch")
        commit(tree)
        (tree / FILE).unlink()
        patch.write_text(git(tree, "diff"))
        assert run(*command, "--diff", "../x.patch") == (0, "", "")
        git(tree, "checkout", "-q", FILE)
        assert run(*command, "--diff", "../x.patch") == (0, "", "")


def test_an_engine_that_fails_on_a_file(tree, committed, run, program):
    # As spatch ends in an exception: on each file alone, and with the others.
    program(
        "spatch",
        "for word; do\n"
        "\tcase $word in *file*) ;; *) continue;; esac\n"
        '\tfile=$(grep -s two.c "$word") || continue\n'
        '\techo "EXN: Failure in $file" >&2; exit 255\n'
        f'done\nexec {shutil.which("spatch")} "$@"',
    )
    committed(HEAD + WINDOW + PLAIN)
    (tree / FILE).write_text(HEAD + WINDOW + PLAIN.replace("0", "1"))
    code, _, err = run(*CHECK, "--diff-base", "HEAD")
    assert (code, "skipped: spatch failed" in err) == (0, True), err
    (tree / FILE).write_text(HEAD + WINDOW.replace("return 0", "return x") + PLAIN)
    code, _, err = run(*CHECK, "--diff-base", "HEAD")
    assert code == 2 and err.splitlines()[-1].startswith(f"hotcocci: {FILE}:10: ")


def test_the_last_line_of_check_says_what_was_not_checked(tree, committed, run):
    committed(HEAD + PLAIN)
    (tree / FILE).write_text(HEAD + WINDOW_IN_MACRO)
    for command, totals in ((CHECK, "windows checked"), (PATCH, "files printed")):
        _, _, err = run(*command, "drivers")
        assert totals not in err
        assert totals in run(*command[:-1], "drivers")[2]
    _, _, err = run(*CHECK[:-1], "drivers")
    assert "0 files with windows checked, 1 file not or only in part" in err


@pytest.mark.parametrize("command", [LINT, CHECK], ids=["lint", "check"])
def test_formats_for_programs(tree, committed, run, command):
    committed(HEAD + PLAIN)
    (tree / FILE).write_text(HEAD + EXPANDED + WINDOW_IN_MACRO)
    code, out, _ = run(*command, "--diff-base", "HEAD", "--format", "github")
    assert code == 2
    assert f"::warning file={FILE},line=" in out and "could not be read" in out
    code, out, _ = run(*command, "--diff-base", "HEAD", "--format", "sarif")
    (invocation,) = json.loads(out)["runs"][0]["invocations"]
    (said,) = invocation["toolExecutionNotifications"]
    assert code == 2 and "parse" in said["message"]["text"]
    assert said["locations"][0]["physicalLocation"]["region"]["startLine"] > 3
    code, out, _ = run(*command, "--diff-base", "HEAD", "--format", "json")
    (skipped,) = json.loads(out)["skipped"]
    assert (code, skipped["file"], list(skipped)) == (2, FILE, ["file", "reason"])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("#if 0\nIt's not C\n#endif\n" + OPEN, "two.c:12: UW02"),
        ("#define MESSAGE it's none\n" + OPEN, "two.c:10: UW02"),
        ('char *s = "a\nb";\n' + OPEN, "two.c: skipped: spatch: cannot parse"),
        (OPEN.rstrip() + ";\n", "two.c:9: UW02"),
        (OPEN.rstrip() + " EXPORT_SYMBOL(writes); /* } */\n", "two.c:9: UW02"),
    ],
    ids=["text", "macro", "string of two lines", "semicolon", "after the end"],
)
def test_no_function_is_lost(tree, run, text, shown):
    (tree / FILE).write_text(HEAD + text)
    code, out, err = run(*CHECK, FILE)
    assert (code, shown in out + err) == (int("UW" in shown), True), out + err
