# SPDX-License-Identifier: GPL-2.0
"""A second run of the series command: what users changed in the branch is kept."""

from typing import Any

LAMP = "light: lamp: use user access windows"
PLAYER = "ALSA: player: Use user access windows in player_get()"


def edit(git: Any, todo: str) -> None:
    """Rebase the branch like a user, with a sed script as the editor of the todo list."""
    git("switch", "-q", "hot")
    git("-c", f"sequence.editor=sed -i '{todo}'", "rebase", "-q", "-i", "master")
    git("switch", "-q", "master")


def test_edited_patches_are_kept(git, run, tmp_path):
    assert run("--branch", "hot") == 0
    git("switch", "-q", "hot")
    player = git.root / "sound/player.c"
    player.write_text(player.read_text("utf-8") + "/* by hand */\n", "utf-8")
    git("commit", "-q", "-a", "--amend", "-m", "ALSA: player: Mine")
    git.commit("sound/other.c", "", "ALSA: other: Mine as well")
    git("switch", "-q", "master")
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
    git("switch", "-q", "hot")
    git("commit", "-q", "--amend", "-m", "ALSA: player: Mine")
    git("switch", "-q", "master")
    git.commit("fs/new.c", "", "fs: Something else")
    git("cherry-pick", "hot~1")
    assert run("--branch", "hot") == 0
    assert git.subjects() == ["ALSA: player: Mine"]
    git("cherry-pick", "hot")
    assert run("--branch", "hot") == 0
    assert git("rev-parse", "hot") == git("rev-parse", "master")


def test_a_conflicting_edited_commit_is_reported(git, run, capsys):
    assert run("--branch", "hot") == 0
    git("switch", "-q", "hot")
    git("commit", "-q", "--amend", "-m", "ALSA: player: Mine")
    git("switch", "-q", "master")
    text = (git.root / "sound/player.c").read_text("utf-8")
    git.commit("sound/player.c", text.replace("tone", "pitch"), "ALSA: player: Rename")
    before = git("for-each-ref")
    assert run("--branch", "hot") == 2
    assert "(ALSA: player: Mine) does not apply to" in capsys.readouterr().err
    assert git("for-each-ref") == before
