# SPDX-License-Identifier: GPL-2.0
"""A spatch that notes what it is given."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

NOTING = """\
#!/bin/sh
case "$1" in --version) exec {spatch} "$@";; esac
for word; do
	if [ "$option" = --file-groups ]; then
		for file in $(cat "$word"); do
			number=$(ls {folder} | wc -l)
			cp "$file" {folder}/$number-${{file##*/}}
		done
	fi
	option=$word
done
exec {spatch} "$@"
"""


@pytest.fixture
def noting_spatch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a numbered copy of each file that the real spatch is run on."""
    programs, folder = tmp_path / "bin", tmp_path / "given"
    programs.mkdir()
    folder.mkdir()
    program = programs / "spatch"
    program.write_text(NOTING.format(spatch=shutil.which("spatch"), folder=folder))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    return folder
