# SPDX-License-Identifier: GPL-2.0
"""A spatch that notes what it is given."""

import shutil
from pathlib import Path

import pytest

NOTING = """\
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
def noting_spatch(tmp_path, program) -> Path:
    """A folder with a numbered copy of each file that the real spatch is run on."""
    folder = tmp_path / "given"
    folder.mkdir()
    program("spatch", NOTING.format(spatch=shutil.which("spatch"), folder=folder))
    return folder
