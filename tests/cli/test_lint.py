# SPDX-License-Identifier: GPL-2.0
"""``lint``: output, exit codes, and several trees; what is worth a change, by all commands alike."""

import json
import re
import subprocess

import pytest
from small_kernel import (
    HEAD,
    REPORTED,
    SAFE,
    TEXTS,
    function,
    puts,
    system_call,
    terminal,
)

from tests.shared import FIXTURES

WARM = (TEXTS / "warm.c").read_text(encoding="utf-8")
# No list and no profile says that the function is hot.
COLD_COPY = (TEXTS / "cold_copy.c").read_text(encoding="utf-8")


def case(name):
    """The text of a case, without its marks."""
    text = (FIXTURES / name).read_text(encoding="utf-8")
    return re.sub(r"[ \t]*/\* want.*?\*/", "", text)


@pytest.mark.whole
def test_lint_lines_and_codes(small_kernel, run, said, monkeypatch):
    root = small_kernel({"fs/a.c": HEAD + WARM, "fs/b.c": REPORTED, "mm/c.c": "int x;"})
    monkeypatch.chdir(root)
    code, out, err = run("lint", root, "--all", "--rule", "UA201")
    rewrite = "fs/a.c:5: UA201 saves ~9 cycles per recvmsg(): copy_to_user() of 4 bytes to p in f(); use put_user()"
    rewrite += " [rewrite/safe, perhaps worth it if it runs often]\n"
    twice = "2 get_user() from p in f(); p is fetched again at line 5; the number of fetches must stay"
    assert out == f"{rewrite}fs/b.c:5: UA101 {twice} [report/double-fetch]\n"
    # The fixture is --quiet.
    assert (code, err) == (1, "")
    # What is perhaps worth it decides nothing.
    assert said("lint", root, "--rule", "UA201") == (0, rewrite, "1 finding\n")


@pytest.mark.whole
def test_rewrites_that_ask_something_are_for_those_who_ask(small_kernel, run):
    # A window without an access where there is nothing to store
    root = small_kernel({"fs/a.c": case("UA103/scope-skipped.c")})
    scoped = (FIXTURES / "scoped/include/linux/uaccess.h").read_text()
    (root / "include/linux/uaccess.h").write_text(scoped)
    asked = ["--rule", "UA103"]
    assert run("lint", root, *asked)[:2] == (0, "")
    for words in (["--all"], ["--tier", "manual"]):
        code, out, _ = run("lint", root, *asked, *words)
        said = "if nothing is accessed, a bad u no longer returns -EFAULT: acceptable?"
        assert code == 1 and said in out.replace("\n    ", " ")
        assert "[rewrite/manual" in out
    assert run("lint", root, *asked, "--tier", "prepared")[0] == 0


@pytest.mark.whole
def test_lint_all_and_why_know_the_same_copies(small_kernel, run):
    root = small_kernel({"drivers/a.c": COLD_COPY})
    code, listed, _ = run("lint", root, "--all", "--rule", "UA202")
    assert code == 1 and "a.c:10: UA202" in listed and "[report/" in listed
    code, out, _ = run("why", f"{root}/drivers/a.c:10")
    assert code == 0 and "UA202 (copy of a small structure), line 10" in out
    assert run("lint", root, "--rule", "UA202")[:2] == (0, "")


@pytest.mark.whole
def test_branches_for_other_versions_are_not_compiled(small_kernel, run):
    checks = (
        "#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 0, 0)\n"
        "\tif (put_user(to[3], p + 3)) {\n#else\n\tif (put_user(to[3], 1, p + 3)) {\n"
        "#endif\n\t\treturn -EINVAL;\n\t}\n\tif (put_user"
    )
    root = small_kernel({"a.c": SAFE.replace("\tif (put_user", checks)})
    code, _, err = run("lint", root)
    assert code == 1 and "a.c: skipped: line 8: spatch could not" in err
    makefile = root / "Makefile"
    version = "VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 0\n"
    makefile.write_text(version + makefile.read_text())
    code, out, err = run("lint", root)
    assert (code, err) == (1, "") and "a.c:12: UA101" in out


def test_lint_json(small_kernel, run):
    root = small_kernel({"fs/a.c": SAFE, "slow.c": SAFE})
    code, out, err = run("lint", root, "--format", "json")
    # A file that took too long leaves the run without its answer.
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("hotcocci: answers are missing")
    data = json.loads(out)
    (found,) = data["findings"]
    assert found["file"] == "fs/a.c"
    lines = SAFE.splitlines()
    assert lines[found["line"] - 1][found["column"] - 1 :].startswith("put_user(")
    assert lines[found["end_line"] - 1][: found["end_column"] - 1].endswith(")")
    (skipped,) = data["skipped"]
    assert skipped["file"] == "slow.c" and "longer than 60 s" in skipped["reason"]


@pytest.mark.whole
def test_trees_in_one_folder(small_kernel, run, tmp_path, monkeypatch):
    for name in ("one", "two"):
        small_kernel({"a.c": SAFE}, f"both/{name}")
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("lint", "both")
    found = [line.split(":")[0] for line in out.splitlines()]
    assert (code, found) == (1, ["both/one/a.c", "both/two/a.c"])
    code, diff, _ = run("patch", "both")
    assert code == 0
    subprocess.run(["git", "apply"], cwd=tmp_path, input=diff.encode(), check=True)
    assert "unsafe_put_user" in (tmp_path / "both/two/a.c").read_text()


@pytest.mark.whole
@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ([], "0 findings\n"),
        (["--show", "cold"], ": LD301 "),
        (["--rule", "LD301"], "0 findings; not shown: 1 too cold"),
    ],
)
def test_loads_are_looked_at_if_asked_for(small_kernel, said, options, shown):
    root = small_kernel({"a.c": case("LD301/credential-member.c")})
    _, out, err = said("lint", *options, root)
    assert shown in out + err


@pytest.mark.whole
def test_what_saves_little_is_offered_in_hot_functions_only(small_kernel, said):
    """Two stores save as little as five cycles on some processors, ten save much on all of them."""
    cold, large, hot = "drivers/staging/a.c", "kernel/b.c", "fs/readdir.c"
    root = small_kernel(
        {
            cold: HEAD + function("f", puts(2)),
            large: HEAD + function("f", puts(10)) + terminal("f"),
            hot: HEAD + function("filldir64", puts(2)) + system_call("filldir64"),
        }
    )

    def listed(*words):
        out = said("lint", root, "--rule=UA101", "--format=json", *words)[1]
        return {found["file"]: found for found in json.loads(out)["findings"]}

    assert listed().keys() == {hot, large}
    found = listed("--all")[cold]
    assert (found["verdict"], found["reason"]) == ("rewrite", None)
    saves = found["saves"]
    assert 0 < saves["least"] < saves["typical"] < saves["most"]
    assert saves["least"] < 10 < saves["most"] and found["band"] == "cold"
    patch = ["patch", root, "--rule=UA101", "--allow-uncompiled"]
    _, out, err = said(*patch)
    assert f"+++ b/{large}" in out and f"+++ b/{cold}" not in out
    assert "1 rewrite not offered: too few cycles saved" in err
    _, out, err = said(*patch, "--churn")
    assert f"+++ b/{cold}" in out and "not offered" not in err
    code, out, _ = said("why", f"{root}/{cold}:5", "--rule=UA101")
    assert code == 0 and "Not rewritten: small-gain." in out
    assert "+\tunsafe_put_user(" in out
