# SPDX-License-Identifier: GPL-2.0
"""A run leaves no temporary files, even if it is killed."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from hotcocci.temporary import PREFIX, own_folder, place

KILLED = """
import os, signal, tempfile
from hotcocci.temporary import own_folder
with own_folder():
    tempfile.mkdtemp()
    print(os.environ["TMPDIR"], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_the_folder_of_a_killed_run_is_removed_by_the_next(where: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-c", KILLED], capture_output=True, text=True, check=False
    ).stdout
    left = Path(said.strip())
    others = [where / "hotcocci-other", where / f"{PREFIX}file"]
    others[0].mkdir()
    others[1].touch()
    assert [*left.iterdir()] != []
    with own_folder():
        # This one is in use.
        own = {*where.iterdir()} - {*others}
        with own_folder():
            assert len({*where.iterdir()} - {*others} - own) == 0
        assert left not in own and len(own) == 1
    assert sorted(where.iterdir()) == sorted(others)


def test_nowhere_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> str:
        raise OSError

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with own_folder():
        assert place() == tempfile.gettempdir()
