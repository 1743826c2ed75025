# SPDX-License-Identifier: GPL-2.0
"""``patch``: what it prints, writes and refuses."""

import pytest
from small_kernel import REPORTED, SAFE

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
