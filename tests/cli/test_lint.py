# SPDX-License-Identifier: GPL-2.0
"""``lint``: output, exit codes, and several trees."""

import json
import subprocess
from pathlib import Path

import pytest
from small_kernel import REPORTED, SAFE

from hotcocci.cli.main import main

WARM = """\
int f(int __user *p, int value)
{
	if (copy_to_user(p, &value, sizeof(value)))
		return -EFAULT;
	return 0;
}

"""

# A window without an access where there is nothing to store
SKIPPED = """\
#include <linux/uaccess.h>

int f(int __user *p, int n)
{
	if (!user_write_access_begin(p, sizeof(*p)))
		return -EFAULT;
	if (n)
		unsafe_put_user(n, p, efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
"""

# No list and no profile says that the function is hot.
COLD_COPY = """\
#include <linux/uaccess.h>

struct point {
	int x;
	int y;
};

int f(struct point *k, unsigned long data)
{
	if (copy_to_user((__user void *)data, k, sizeof(*k)))
		return -EFAULT;
	return 0;
}
"""

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"


@pytest.mark.whole
def test_lint_lines_and_codes(small_kernel, run, capsys, monkeypatch):
    slot = "const struct proto_ops ops = { .recvmsg = f };\n"
    warm = f"#include <linux/uaccess.h>\n\n{WARM}{slot}"
    root = small_kernel({"fs/a.c": warm, "fs/b.c": REPORTED, "mm/c.c": "int x;"})
    monkeypatch.chdir(root)
    both = ["--rule", "UA101", "--rule", "UA201"]
    assert run("lint", root, "--all", *both) == 1
    out, err = capsys.readouterr()
    rewrite = "fs/a.c:5: UA201 saves ~9 cycles per recvmsg(): copy_to_user() of 4 bytes to p in f(); use put_user()"
    rewrite += " [rewrite/safe, perhaps worth it if it runs often]\n"
    twice = "2 get_user() from p in f(); p is fetched again at line 5; the number of fetches must stay"
    assert out == f"{rewrite}fs/b.c:5: UA101 {twice} [report/double-fetch]\n"
    # The fixture is --quiet.
    assert err == ""
    # What is perhaps worth it decides nothing.
    assert main(["lint", str(root), "--rule", "UA201"]) == 0
    assert capsys.readouterr() == (rewrite, "1 finding\n")


@pytest.mark.whole
def test_rewrites_that_ask_something_are_for_those_who_ask(small_kernel, run, capsys):
    scoped = Path(FIXTURES, "scoped/include/linux/uaccess.h").read_text()
    root = small_kernel({"fs/a.c": SKIPPED})
    (root / "include/linux/uaccess.h").write_text(scoped)
    asked = ["--rule", "UA103"]
    assert run("lint", root, *asked) == 0
    assert capsys.readouterr().out == ""
    for words in (["--all"], ["--tier", "manual"]):
        assert run("lint", root, *asked, *words) == 1
        out = capsys.readouterr().out.replace("\n    ", " ")
        assert (
            "if nothing is accessed, a bad p no longer returns -EFAULT: acceptable?"
            in out
        )
        assert "[rewrite/manual" in out
    assert run("lint", root, *asked, "--tier", "prepared") == 0


@pytest.mark.whole
def test_lint_all_and_why_know_the_same_copies(small_kernel, run, capsys):
    root = small_kernel({"drivers/a.c": COLD_COPY})
    assert run("lint", root, "--all", "--rule", "UA202") == 1
    listed = capsys.readouterr().out
    assert "a.c:10: UA202" in listed and "[report/" in listed
    assert run("why", f"{root}/drivers/a.c:10") == 0
    assert "UA202 (copy of a small structure), line 10" in capsys.readouterr().out
    assert run("lint", root, "--rule", "UA202") == 0
    assert capsys.readouterr().out == ""


@pytest.mark.whole
def test_branches_for_other_versions_are_not_compiled(small_kernel, run, capsys):
    checks = (
        "#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 0, 0)\n"
        "\tif (put_user(to[3], p + 3)) {\n#else\n\tif (put_user(to[3], 1, p + 3)) {\n"
        "#endif\n\t\treturn -EINVAL;\n\t}\n\tif (put_user"
    )
    root = small_kernel({"a.c": SAFE.replace("\tif (put_user", checks)})
    assert run("lint", root) == 1
    assert "a.c: skipped: line 8: spatch could not" in capsys.readouterr().err
    makefile = root / "Makefile"
    version = "VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 0\n"
    makefile.write_text(version + makefile.read_text())
    assert run("lint", root) == 1
    out, err = capsys.readouterr()
    assert "a.c:12: UA101" in out and err == ""


def test_lint_json(small_kernel, run, capsys):
    root = small_kernel({"fs/a.c": SAFE, "slow.c": SAFE})
    # A file that took too long leaves the run without its answer.
    assert run("lint", root, "--format", "json") == 2
    out, err = capsys.readouterr()
    data = json.loads(out)
    (found,) = data["findings"]
    assert found["file"] == "fs/a.c"
    lines = SAFE.splitlines()
    assert lines[found["line"] - 1][found["column"] - 1 :].startswith("put_user(")
    assert lines[found["end_line"] - 1][: found["end_column"] - 1].endswith(")")
    (skipped,) = data["skipped"]
    assert skipped["file"] == "slow.c" and "longer than 60 s" in skipped["reason"]
    assert err.startswith("hotcocci: answers are missing") and err.count("\n") == 1


@pytest.mark.whole
def test_trees_in_one_folder(small_kernel, run, capsys, tmp_path, monkeypatch):
    for name in ("one", "two"):
        small_kernel({"a.c": SAFE}, f"both/{name}")
    monkeypatch.chdir(tmp_path)
    assert run("lint", "both") == 1
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "both/one/a.c",
        "both/two/a.c",
    ]
    assert run("patch", "both") == 0
    diff = capsys.readouterr().out
    subprocess.run(["git", "apply"], cwd=tmp_path, input=diff.encode(), check=True)
    assert "unsafe_put_user" in (tmp_path / "both/two/a.c").read_text()
    assert run("lint", "both", "--format", "json") == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.whole
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "0 findings\n"),
        (["--show", "cold"], ": LD301 "),
        (["--rule", "LD301"], "0 findings; not shown: 1 too cold"),
    ],
)
def test_loads_are_looked_at_if_asked_for(
    small_kernel, tmp_path, capsys, options, said
):
    text = (FIXTURES / "LD301/credential-member.c").read_text(encoding="utf-8")
    root = small_kernel({"a.c": text})
    main(["lint", *options, "--cache-dir", str(tmp_path / "cache"), str(root)])
    assert said in "".join(capsys.readouterr())
