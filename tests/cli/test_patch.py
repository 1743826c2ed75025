# SPDX-License-Identifier: GPL-2.0
"""``patch``: what it prints, writes and refuses, and its questions on a real terminal."""

import os
import shutil
import subprocess
from collections.abc import Callable

import pexpect
import pytest
from small_kernel import REPORTED, SAFE

from tests.shared import FIXTURES, PROGRAM
from tests.tree.traps import commit

pytestmark = pytest.mark.usefixtures("builds")
REFUSING = "#undef unsafe_put_user\n#define unsafe_put_user(x, p, label) nothing(x)\n"


def test_patch_applied_to_uncommitted_changes_says_so(small_kernel, run):
    texts = {"a.c": SAFE, "b.c": SAFE, "other.c": REPORTED}
    root = small_kernel({name: f"{text}/* old */\n" for name, text in texts.items()})
    commit(root)
    for name in ("a.c", "other.c"):
        (root / name).write_text(texts[name])
    said = "1 file has uncommitted changes, to which rewrites were added: a.c\n"
    code, _, err = run("patch", root)
    assert code == 0 and said not in err
    code, _, err = run("patch", root, "--apply")
    assert (code, err.count(said)) == (0, 1)
    after = (root / "a.c").read_text()
    assert after.count("\tunsafe_put_user(to[") == 3 and " put_user(" not in after


def test_names_that_kbuild_does_not_take_keep_no_other_file_from_a_patch(
    small_kernel, run
):
    odd = {"a%b.c": "%", "it's.c": "'", "$a.c": "$", "a b/c.c": " "}
    root = small_kernel(dict.fromkeys(["a.c", "a,b#c+d.c", *odd], SAFE))
    code, out, err = run("patch", root)
    assert (code, out.count("diff --git")) == (0, 2)
    for name, character in odd.items():
        assert f"{name}: not patched, as it could not be compiled: " in err
        assert f"kbuild takes no '{character}' in its name" in err


def test_a_tree_whose_path_has_a_colon(small_kernel, run):
    broken = SAFE + "void f(int __user *p)\n{\n\tuser_access_begin(p, 4);\n}\n"
    root = small_kernel({"a.c": broken}, name="li:nux")
    for words in (("lint", root), ("check", root, "--engine=spatch", "--rule=UW01")):
        code, _, err = run(*words)
        assert code == 1 and "a.c: skipped" not in err
    for words in (("patch", root), ("check", root, "--engine=objtool")):
        code, _, err = run(*words)
        assert (code, err.count(": kbuild takes no blank or colon in ")) == (0, 1)


def test_patch_refused_by_the_gate(small_kernel, run):
    # The rewrite of a.c does not compile, and no file includes b.h.
    broken = SAFE.replace("\n\n", f"\n{REFUSING}\n", 1)
    root = small_kernel({"a.c": broken, "b.h": SAFE})
    code, out, err = run("patch", root, "--apply")
    assert (code, out) == (0, "") and "a.c:7: UA101" in err
    assert "b.h: not patched" in err and "--allow-uncompiled" in err
    assert (root / "a.c").read_text() == broken


LAMP = "drivers/lamp.c"
QUESTION = r"\(\d/3\) Take this rewrite \[y,n,a,q,p,\?\]\? "
# The functions of lamp.c with a rewrite, in file order
STATE, SET, PALETTE = "lamp_get_state(", "lamp_set_state(", "lamp_get_palette("
Start = Callable[..., pexpect.spawn]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """One cache for all tests, so that facts are computed once."""
    return tmp_path_factory.mktemp("interactive")


@pytest.fixture
def tree(place):
    """A fresh, writable copy of a miniature tree."""
    for name in ("classic", "harness"):
        shutil.rmtree(place / name, ignore_errors=True)
        shutil.copytree(FIXTURES / name, place / name, symlinks=True)
    return place / "classic"


@pytest.fixture
def start(builds, tree, place, tmp_path):
    """Start the command on a terminal; standard output goes to the file ``printed``."""

    def begin(*options, term="dumb"):
        argv = [*PROGRAM, "patch", "--churn", str(tree)]
        argv += ["--interactive", "--tier", "prepared", "--rule", "UA101"]
        argv += ["--rule", "UA102", "--cache-dir", str(place / "cache")]
        kept = {name: v for name, v in os.environ.items() if name != "NO_COLOR"}
        return pexpect.spawn(
            "/bin/sh",
            ["-c", 'exec "$@" > "$0"', str(tmp_path / "printed"), *argv, *options],
            env={**kept, "TERM": term},
            encoding="utf-8",
            timeout=120,
            dimensions=(50, 200),
        )

    return begin


def talk(child, *answers):
    """Answer the questions; returns the output before each answer, and after the last."""
    outputs = []
    for answer in answers:
        child.expect(r"\]\? ")
        outputs.append(child.before)
        child.sendline(answer)
    child.expect(pexpect.EOF)
    outputs.append(child.before)
    child.close()
    return outputs


def changed(tree):
    """List the functions of the file that have a window."""
    text = (tree / LAMP).read_text(encoding="utf-8")
    bodies = {name: text.split(f"\nint {name}")[-1].split("\n}\n")[0] for name in NAMES}
    return [name for name, body in bodies.items() if "access_begin" in body]


NAMES = (STATE, SET, PALETTE)


def test_accepted_rewrites_are_written(start, tree):
    child = start("--apply")
    *_, last = talk(child, "n", "a")
    assert child.exitstatus == 0
    assert changed(tree) == [SET, PALETTE]
    assert "2 rewrites" in last


def test_accepted_rewrites_are_printed(start, tree, tmp_path):
    child = start()
    first, *_ = talk(child, "y", "n", "q")
    assert child.exitstatus == 0
    assert changed(tree) == []
    # The dialogue is on the terminal, the patch alone on standard output.
    assert ": 4 put_user() to state" in first
    printed = (tmp_path / "printed").read_bytes()
    subprocess.run(["git", "apply"], cwd=tree, input=printed, check=True)
    assert changed(tree) == [STATE]


def test_other_keys_ask_again(start, tree):
    child = start("--apply", term="xterm")
    first, helped, proven, *_ = talk(child, "?", "p", "q")
    assert "\x1b[31m-" in first and "\x1b[32m+" in first
    assert "prove this rewrite" in helped and "(1/3)" in helped
    assert "compile host: passed" in proven and "windows: passed" in proven
    assert child.exitstatus == 0 and changed(tree) == []


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "end of input"])
def test_quitting_writes_nothing(start, tree, tmp_path, key):
    child = start("--apply")
    child.expect(QUESTION)
    child.sendline("y")
    child.expect(QUESTION)
    child.send(key)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == (130 if key == "\x03" else 2)
    assert child.before.count("hotcocci: ") == 1 and "Traceback" not in child.before
    assert changed(tree) == [] and not (tmp_path / "printed").read_bytes()


def test_a_file_changed_meanwhile_is_not_written(start, tree):
    child = start("--apply")
    child.expect(QUESTION)
    with (tree / LAMP).open("a", encoding="utf-8") as out:
        out.write("/* by somebody else */\n")
    child.sendline("a")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 2 and "was changed in" in child.before
    assert "0 rewrites in 0 files applied" in child.before
    assert changed(tree) == []
    assert (tree / LAMP).read_text().endswith("/* by somebody else */\n")
