# SPDX-License-Identifier: GPL-2.0
"""The first command of the README: verified patches for the two miniature trees."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
TREES = HOME / "kernel-fixtures"


def state(folder: Path) -> dict[Path, int]:
    """Snapshot of all files and folders with their modification times."""
    return {path: path.lstat().st_mtime_ns for path in folder.rglob("*")}


def patched(cache: Path, tree: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run ``patch`` on a tree and return its output."""
    argv = [sys.executable, str(HOME / "run.py"), "patch", str(tree)]
    return subprocess.run(
        [*argv, "--cache-dir", str(cache), *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.fixture(scope="module")
def done(
    builds: None, tmp_path_factory: pytest.TempPathFactory
) -> subprocess.CompletedProcess[str]:
    before = state(TREES)
    output = patched(
        tmp_path_factory.mktemp("cache"), TREES, "--tier", "prepared", "--churn"
    )
    assert state(TREES) == before
    return output


def test_both_trees_are_patched(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n+++ b/") == 2
    assert "+\tif (!user_write_access_begin(state, sizeof(*state)))" in done.stdout
    assert "+\tscoped_user_rw_access(range, " in done.stdout
    assert "not patched" not in done.stderr


def test_the_checks_are_listed(done: subprocess.CompletedProcess[str]) -> None:
    assert done.stderr.count(" checks passed\n") == 2
    for program in ("objtool", "checkpatch"):
        assert done.stderr.count(f"check skipped: {program} 1: this tree has no") == 2


def test_the_patches_apply_and_compile(
    done: subprocess.CompletedProcess[str], tmp_path: Path
) -> None:
    folder = tmp_path / "trees"
    subprocess.run(["cp", "-a", str(TREES), str(folder)], check=True)
    # Names in the diff are relative to the directory of the command.
    start = done.stdout.index("--- a/") + len("--- a/")
    above = done.stdout[start : done.stdout.index("classic/", start)]
    strip = 1 + len(Path(above).parts)
    subprocess.run(
        ["git", "apply", f"-p{strip}"],
        input=done.stdout,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)},
    )
    for tree, file in (("classic", "lamp"), ("scoped", "gauge")):
        out = tmp_path / "out"
        make = ["make", "-s", "-C", str(folder / tree), f"O={out}", f"drivers/{file}.o"]
        subprocess.run(make, check=True)
        assert (out / f"drivers/{file}.o").is_file()


def test_a_file_that_does_not_compile_is_not_patched(
    builds: None, tmp_path: Path
) -> None:
    """The compiler really runs: no patch for a file that it rejects."""
    copy = tmp_path / "trees"
    subprocess.run(["cp", "-a", str(TREES), str(copy)], check=True)
    lamp = copy / "classic/drivers/lamp.c"
    lamp.write_text(lamp.read_text() + "int broken(void) { return nothing; }\n")
    output = patched(tmp_path / "cache", copy / "classic", "--churn")
    assert output.stdout == ""
    assert "the original does not compile" in output.stderr
    assert "'nothing' undeclared" in output.stderr
