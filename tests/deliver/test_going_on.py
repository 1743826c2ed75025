# SPDX-License-Identifier: GPL-2.0
"""A branch edited with 'git rebase -i' is recognised, and dropped patches are reported."""

import pytest

LAMP = "light: lamp: use user access windows"
PLAYER = "ALSA: player: Use user access windows in player_get()"
GONE = "removed from the branch, as this base and these options give no such patch: "


def test_squashed_patches_are_not_dropped(git, run, capsys):
    assert run("--branch", "hot") == 0
    git("switch", "-q", "hot")
    git("reset", "-q", "--soft", "hot~1")
    git("commit", "-q", "--amend", "-m", "light, ALSA: Both")
    git("switch", "-q", "master")
    tip = git("rev-parse", "hot")
    for _ in "by this run", "by the one after that":
        assert run("--branch", "hot") == 0
        assert git("rev-parse", "hot") == tip
        assert "dropped" not in capsys.readouterr().err
    git("branch", "-f", "hot", "master")
    assert run("--branch", "hot") == 0
    assert (
        "3 rewrites dropped by you earlier, still left out" in capsys.readouterr().err
    )
    assert git.subjects() == []


def test_dropped_patches_are_reported(git, run, capsys):
    assert run("--branch", "hot") == 0
    assert GONE not in capsys.readouterr().err
    assert run("--branch", "hot", "sound") == 0
    assert git.subjects() == [PLAYER]
    assert f"{GONE}{LAMP}\n" in capsys.readouterr().err
    # Taken upstream by cherry-pick, then by a merge.
    git("commit", "-q", "--allow-empty", "-m", "Linux 7.0")
    git("cherry-pick", "hot")
    assert run("--branch", "hot") == 0
    assert git.subjects() == [LAMP]
    assert f"{GONE}{PLAYER}\n" in capsys.readouterr().err
    git("merge", "-q", "--ff-only", "hot")
    assert run("--branch", "hot") == 0
    errors = capsys.readouterr().err
    assert f"already in the base: {LAMP}\n" in errors
    assert "dropped" not in errors
    assert '"dropped": []' in git("cat-file", "blob", "refs/hotcocci/series/hot")


@pytest.mark.parametrize("linked", [False, True])
def test_a_branch_in_a_rebase_is_not_touched(git, run, capsys, linked):
    assert run("--branch", "hot") == 0
    where = git.root.parent / "linked" if linked else git.root
    git(*(("worktree", "add", "-q", str(where)) if linked else ("switch", "-q")), "hot")
    editor = "sequence.editor=sed -i 1s/pick/edit/"
    git("-C", str(where), "-c", editor, "rebase", "-q", "-i", "master")
    before = git("for-each-ref")
    assert run("--branch", "hot") == 2
    errors = capsys.readouterr().err.splitlines()[-1]
    assert f"the branch hot is being rebased in {where}: " in errors
    assert git("for-each-ref") == before
