# SPDX-License-Identifier: GPL-2.0
"""A second run of the series command: what users changed in the branch is kept, and dropped patches are reported."""

import pytest

LAMP = "light: lamp: use user access windows"
PLAYER = "ALSA: player: Use user access windows in player_get()"


def edit(git, todo):
    """Rebase the branch like a user, with a sed script as the editor of the todo list."""
    with git.on("hot"):
        git("-c", f"sequence.editor=sed -i '{todo}'", "rebase", "-q", "-i", "master")


def test_edited_patches_are_kept(git, run, tmp_path):
    assert run("--branch", "hot") == 0
    with git.on("hot"):
        with (git.root / "sound/player.c").open("a") as player:
            player.write("/* by hand */\n")
        git("commit", "-q", "-a", "--amend", "-m", "ALSA: player: Mine")
        git.commit("sound/other.c", "", "ALSA: other: Mine as well")
    tip = git("rev-parse", "hot")
    assert run("--branch", "hot", "--output", tmp_path / "mails") == 0
    assert git("rev-parse", "hot") == tip
    assert git.subjects() == [LAMP, "ALSA: player: Mine", "ALSA: other: Mine as well"]
    assert (tmp_path / "mails/0003-ALSA-other-Mine-as-well.patch").exists()


def test_signed_off_patches_keep_their_figures(git, run):
    assert run("--branch", "hot") == 0
    cover = git("config", "branch.hot.description")
    git("rebase", "-q", "--signoff", "master", "hot")
    git("switch", "-q", "master")
    tip = git("rev-parse", "hot")
    assert run("--branch", "hot") == 0
    assert git("rev-parse", "hot") == tip
    assert git("config", "branch.hot.description") == cover
    # A newer base moves it, sign-off included.
    git.commit("fs/new.c", "", "fs: Something else")
    assert run("--branch", "hot") == 0
    assert git.subjects() == [LAMP, PLAYER]
    assert git("log", "--format=%(trailers:key=Signed-off-by)", "hot").count("@") == 2


def test_reordered_patches_keep_their_order(git, run):
    assert run("--branch", "hot") == 0
    edit(git, "1{h;d};${p;x}")
    assert git.subjects() == [PLAYER, LAMP]
    assert run("--branch", "hot") == 0
    assert git.subjects() == [PLAYER, LAMP]


def test_merged_patches_disappear_and_the_rest_is_rebased(git, run):
    assert run("--branch", "hot") == 0
    git.amend("ALSA: player: Mine")
    git.commit("fs/new.c", "", "fs: Something else")
    git("cherry-pick", "hot~1")
    assert run("--branch", "hot") == 0
    assert git.subjects() == ["ALSA: player: Mine"]
    git("cherry-pick", "hot")
    assert run("--branch", "hot") == 0
    assert git("rev-parse", "hot") == git("rev-parse", "master")


def test_a_conflicting_edited_commit_is_reported(git, run, capsys):
    assert run("--branch", "hot") == 0
    git.amend("ALSA: player: Mine")
    text = (git.root / "sound/player.c").read_text("utf-8")
    git.commit("sound/player.c", text.replace("tone", "pitch"), "ALSA: player: Rename")
    before = git("for-each-ref")
    assert run("--branch", "hot") == 2
    assert "(ALSA: player: Mine) does not apply to" in capsys.readouterr().err
    assert git("for-each-ref") == before


GONE = "removed from the branch, as this base and these options give no such patch: "


def test_squashed_patches_are_not_dropped(git, run, capsys):
    assert run("--branch", "hot") == 0
    with git.on("hot"):
        git("reset", "-q", "--soft", "hot~1")
        git("commit", "-q", "--amend", "-m", "light, ALSA: Both")
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
