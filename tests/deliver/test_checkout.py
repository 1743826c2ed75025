# SPDX-License-Identifier: GPL-2.0
"""A file checked out again gets its old timestamp if unchanged."""

import pytest

from hotcocci.deliver.assemble import checked_out
from hotcocci.deliver.gitrepo import Repository, open_repository
from hotcocci.pipeline.settings import Observer


def times(git, commit, cache):
    """Timestamps of the files in a checkout, in nanoseconds."""
    repository = open_repository(git.root)
    with checked_out(repository, commit, cache, ["."], Observer()) as folder:
        return {
            str(path.relative_to(folder)): path.lstat().st_mtime_ns
            for path in folder.rglob("*")
            if path.is_symlink() or path.is_file()
        }


def test_same_contents_same_times(git, tmp_path):
    (git.root / "drivers/über lamp.h").symlink_to("lamp.c")
    git("add", "-A")
    git("commit", "-q", "-m", "light: another name")
    first = times(git, "master", tmp_path / "cache")
    assert len(first) > 20 and "drivers/über lamp.h" in first
    assert times(git, "master", tmp_path / "cache") == first
    assert not (git.root / ".git/worktrees").exists()


def test_other_contents_get_another_time(git, tmp_path):
    first = times(git, "master", tmp_path / "cache")
    old = git("rev-parse", "master")
    text = (git.root / "sound/player.c").read_text(encoding="utf-8")
    # The same length as before.
    new = git.commit("sound/player.c", text.replace("speed", "haste"), "ALSA: faster")
    second = times(git, new, tmp_path / "cache")
    assert {file for file in first if first[file] != second[file]} == {"sound/player.c"}
    # Results for the second contents must not look newer than the first.
    third = times(git, old, tmp_path / "cache")
    assert third["sound/player.c"] > second["sound/player.c"]


def test_a_file_written_to_or_left_half_done_is_checked_out_again(git, tmp_path):
    cache = tmp_path / "cache"
    first = times(git, "master", cache)
    (index,) = (cache / "worktrees").glob("*.index")
    folder = index.with_suffix("")
    lamp, player = folder / "drivers/lamp.c", folder / "sound/player.c"
    text = player.read_text(encoding="utf-8")
    lamp.write_text("cut")
    # Killed while it was writing.
    index.with_name(f"{index.name}.lock").touch()
    player.unlink()
    second = times(git, "master", cache)
    assert second.keys() == first.keys()
    assert {file for file in first if first[file] != second[file]} == {
        "drivers/lamp.c",
        "sound/player.c",
    }
    assert player.read_text(encoding="utf-8") == text


def test_a_file_that_is_gone_is_removed_though_a_run_was_killed(
    git, tmp_path, monkeypatch
):
    cache = tmp_path / "cache"
    times(git, "master", cache)
    git("rm", "-q", "sound/player.c")
    git("commit", "-q", "-m", "ALSA: no player")
    whole = Repository.git

    def killed(self, *command, **given):
        said = whole(self, *command, **given)
        if command[0] == "read-tree":
            raise KeyboardInterrupt
        return said

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Repository, "git", killed)
        times(git, "master", cache)
    assert "sound/player.c" not in times(git, "master", cache)


def test_what_is_not_built_or_compared_is_left_out(git, tmp_path):
    unused = {"Documentation/x/a.rst", "tools/perf/a.c", "arch/arm/boot/dts/a.dts"}
    used = {"Documentation/x/Kconfig", "tools/objtool/a.c", "arch/arm/boot/a.c"}
    for file in (*unused, *used):
        git.commit(file, "", "all: Add it")
    assert times(git, "master", tmp_path / "cache").keys() & (used | unused) == used
    where = (open_repository(git.root), "master", tmp_path / "cache")
    with checked_out(*where, ["tools/perf", "fs"], Observer()) as folder:
        assert (folder / "tools/perf/a.c").exists()
