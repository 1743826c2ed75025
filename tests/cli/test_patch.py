# SPDX-License-Identifier: GPL-2.0
"""``patch``: what it prints, writes and refuses."""

import pytest
from small_kernel import REPORTED, SAFE

from tests.tree.traps import git

pytestmark = pytest.mark.usefixtures("builds")

REFUSING = "#undef unsafe_put_user\n#define unsafe_put_user(x, p, label) nothing(x)\n"


def test_patch_applied_to_uncommitted_changes_says_so(small_kernel, run, capsys):
    texts = {"a.c": SAFE, "b.c": SAFE, "other.c": REPORTED}
    root = small_kernel({name: f"{text}/* old */\n" for name, text in texts.items()})
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "a")):
        git(root, *words)
    for name in ("a.c", "other.c"):
        (root / name).write_text(texts[name])
    said = "1 file has uncommitted changes, to which rewrites were added: a.c\n"
    assert run("patch", root) == 0
    assert said not in capsys.readouterr().err
    assert run("patch", root, "--apply") == 0
    assert capsys.readouterr().err.count(said) == 1
    after = (root / "a.c").read_text()
    assert after.count("\tunsafe_put_user(to[") == 3 and " put_user(" not in after


def test_names_that_kbuild_does_not_take_keep_no_other_file_from_a_patch(
    small_kernel, run, capsys
):
    odd = {"a%b.c": "%", "it's.c": "'", "$a.c": "$", "a b/c.c": " "}
    root = small_kernel(dict.fromkeys(["a.c", "a,b#c+d.c", *odd], SAFE))
    assert run("patch", root) == 0
    out, err = capsys.readouterr()
    assert out.count("diff --git") == 2
    for name, character in odd.items():
        assert f"{name}: not patched, as it could not be compiled: " in err
        assert f"kbuild takes no '{character}' in its name" in err


def test_a_tree_whose_path_has_a_colon(small_kernel, run, capsys):
    broken = SAFE + "void f(int __user *p)\n{\n\tuser_access_begin(p, 4);\n}\n"
    root = small_kernel({"a.c": broken}, name="li:nux")
    assert run("lint", root) == 1
    assert run("check", root, "--engine=spatch", "--rule=UW01") == 1
    assert "a.c: skipped" not in capsys.readouterr().err
    assert run("patch", root) == 0
    assert run("check", root, "--engine=objtool") == 0
    assert capsys.readouterr().err.count(": kbuild takes no blank or colon in ") == 2


def test_patch_refused_by_the_gate(small_kernel, run, capsys):
    # The rewrite of a.c does not compile, and no file includes b.h.
    broken = SAFE.replace("\n\n", f"\n{REFUSING}\n", 1)
    root = small_kernel({"a.c": broken, "b.h": SAFE})
    assert run("patch", root, "--apply") == 0
    out, err = capsys.readouterr()
    assert out == "" and "a.c:7: UA101" in err
    assert "b.h: not patched" in err and "--allow-uncompiled" in err
    assert (root / "a.c").read_text() == broken


def test_interactive_needs_a_terminal(small_kernel, run, capsys):
    assert run("patch", small_kernel({"a.c": SAFE}), "--interactive") == 2
    assert "terminal" in capsys.readouterr().err
