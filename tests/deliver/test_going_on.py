# SPDX-License-Identifier: GPL-2.0
"""What 'git rebase -i' made of a branch is understood, and what goes is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

LAMP = "light: lamp: use user access windows"
PLAYER = "ALSA: player: Use user access windows in player_get()"
GONE = "removed from the branch, as this base and these options give no such patch: "

Run = Callable[..., int]
Said = pytest.CaptureFixture[str]


def subjects(git: Any) -> list[str]:
    return git("log", "--reverse", "--format=%s", "master..hot").splitlines()


def test_squashed_is_not_dropped(git: Any, run: Run, capsys: Said) -> None:
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
        "4 rewrites dropped by you earlier, still left out" in capsys.readouterr().err
    )
    assert subjects(git) == []


def test_what_is_split_is_both(git: Any, run: Run, capsys: Said) -> None:
    assert run("--branch", "hot", "drivers") == 0
    lamp = git("show", "hot:drivers/lamp.c") + "\n"
    old = git("show", "master:drivers/lamp.c") + "\n"
    place = lamp.rindex("int lamp_set_"), old.rindex("int lamp_set_")
    git("switch", "-q", "-C", "hot", "master")
    text = lamp[: place[0]] + old[place[1] :]
    git.commit("drivers/lamp.c", text, "light: lamp: one")
    git.commit("drivers/lamp.c", lamp, "light: lamp: two")
    git("switch", "-q", "master")
    tip = git("rev-parse", "hot")
    assert run("--branch", "hot", "drivers") == 0
    assert git("rev-parse", "hot") == tip
    assert "dropped" not in capsys.readouterr().err


def test_what_goes_is_told(git: Any, run: Run, capsys: Said) -> None:
    assert run("--branch", "hot") == 0
    assert GONE not in capsys.readouterr().err
    assert run("--branch", "hot", "sound") == 0
    assert subjects(git) == [PLAYER]
    assert f"{GONE}{LAMP}\n" in capsys.readouterr().err
    # Upstream takes it in its own way, or as it is.
    git("commit", "-q", "--allow-empty", "-m", "Linux 7.0")
    git("cherry-pick", "hot")
    assert run("--branch", "hot") == 0
    assert subjects(git) == [LAMP]
    assert f"{GONE}{PLAYER}\n" in capsys.readouterr().err
    git("merge", "-q", "--ff-only", "hot")
    assert run("--branch", "hot") == 0
    said = capsys.readouterr().err
    assert f"already in the base: {LAMP}\n" in said
    assert "dropped" not in said
    assert '"dropped": []' in git("cat-file", "blob", "refs/hotcocci/series/hot")


@pytest.mark.parametrize("linked", [False, True])
def test_a_branch_is_left_alone_while_it_is_rebased(
    git: Any, run: Run, capsys: Said, linked: bool
) -> None:
    assert run("--branch", "hot") == 0
    where = git.root.parent / "linked" if linked else git.root
    if linked:
        git("worktree", "add", "-q", str(where), "hot")
    else:
        git("switch", "-q", "hot")
    editor = "sequence.editor=sed -i 1s/pick/edit/"
    git("-C", str(where), "-c", editor, "rebase", "-q", "-i", "master")
    before = git("for-each-ref")
    assert run("--branch", "hot") == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert f"the branch hot is being rebased in {where}: " in said
    assert git("for-each-ref") == before
