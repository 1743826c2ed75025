# SPDX-License-Identifier: GPL-2.0
"""A spatch that notes what it is given, and a file to run other engines on."""

import shutil

import pytest

from hotcocci.tree.build import Build
from hotcocci.tree.command import Command, Unit
from hotcocci.tree.targets import TARGETS

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
def noting_spatch(tmp_path, program):
    """A folder with a numbered copy of each file that the real spatch is run on."""
    folder = tmp_path / "given"
    folder.mkdir()
    program("spatch", NOTING.format(spatch=shutil.which("spatch"), folder=folder))
    return folder


@pytest.fixture
def unit(tmp_path):
    """A file of a tree, and its build."""
    tree, out = tmp_path / "linux", tmp_path / "out"
    source = tree / "fs/a.c"
    for folder in (out, source.parent):
        folder.mkdir(parents=True)
    source.write_text("int f;\n")
    build = Build(tree, out, TARGETS["x86-64"], ("-m64",), ("--orc", "--uaccess"))
    return Unit(build, Command("fs/a.c", ("gcc", "-m64", "-DX=1")), source, tree)
